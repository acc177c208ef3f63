//! The elements of several tensors together, in the memory order of most of them.

use core::fmt;
use core::marker::PhantomData;

use super::Tensor;
use super::checked::{read_inside, shared_axis, write_inside};
use super::zip_loops::{
    KnownLoops, Row, for_each_row, for_each_step, inner_loops, known_loops, outer_loops, swizzled,
};
use crate::buffers::check_length;
use layout_types::nests::{Boxes, Level};
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, LayoutType, UnitOf};

/// Visits the elements of up to six tensors with the same axes and extents together, whatever their layouts. It reads
/// `&` tensors and changes `&mut` tensors.
///
/// Axes are matched by letter. The elements are visited in the memory order of most of the tensors; of two different
/// orders, that of the last tensor wins, so put the tensor that is written last. If all tensors have the same order,
/// the visit is one long row, whatever blocks they have.
///
/// # Errors
/// - The axes or the extents differ.
/// - Several coordinates of a `&mut` tensor share an element.
/// - A buffer has become shorter since its tensor was made.
///
/// ```
/// use tensor_layout::tensor::zip;
/// use tensor_layout::{Tensor, layout};
///
/// let image = Tensor::<layout!(NHWC<N = 1, C = 4, H = 2, W = 2>, u8), _>::new([8; 16])?;
/// let mask = Tensor::<layout!(NCHW<1, 4, 2, 2>, u8), _>::new([2; 16])?;
/// let mut masked = Tensor::<layout!(NCHW4<1, 4, 2, 2>, i32), _>::new([0; 16])?;
/// zip((&image, &mask, &mut masked))?.for_each(|image, mask, masked| {
///     *masked += i32::from(image) * i32::from(mask);
/// });
/// assert_eq!(masked.buffer(), [16; 16]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub fn zip<T: Tensors>(tensors: T) -> Result<Zip<T>, LayoutError> {
    Ok(Zip(tensors.checked()?))
}

/// Several tensors whose elements are visited together; see [`zip`].
pub struct Zip<T: Tensors>(T::Checked);

impl<T: Tensors> fmt::Debug for Zip<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Zip").finish_non_exhaustive()
    }
}

/// What [`zip`] found out about the tensors.
pub struct Checked<const N: usize, U, T> {
    /// The layouts, unless the types determine all loops.
    layouts: Option<[Layout; N]>,
    units: U,
    tensors: PhantomData<T>,
}

/// A tuple of tensors that [`zip`] takes.
pub trait Tensors: Sized {
    /// The result of the checks.
    #[doc(hidden)]
    type Checked;

    #[doc(hidden)]
    fn checked(self) -> Result<Self::Checked, LayoutError>;
}

/// A tensor that [`zip`] takes: `&Tensor`, whose elements are read, or `&mut Tensor`, whose elements are changed.
///
/// # Safety
/// `load` and `store` are sound at every offset of a coordinate of `layout`.
pub unsafe trait Operand {
    /// The units, at least the number that the layout takes.
    #[doc(hidden)]
    type Units;

    /// The units, borrowed for one row.
    #[doc(hidden)]
    type Row<'r>;

    /// An element.
    #[doc(hidden)]
    type Element;

    /// What the closure takes.
    #[doc(hidden)]
    type Item<'e>;

    /// The layout, if the type alone determines it.
    #[doc(hidden)]
    const STATIC: Option<Layout>;

    #[doc(hidden)]
    fn layout(&self) -> Layout;

    #[doc(hidden)]
    fn units(self) -> Result<Self::Units, LayoutError>;

    #[doc(hidden)]
    fn row(units: &mut Self::Units) -> Self::Row<'_>;

    #[doc(hidden)]
    fn item(element: &mut Self::Element) -> Self::Item<'_>;

    /// # Safety
    /// The offset must belong to a coordinate of the layout.
    #[doc(hidden)]
    unsafe fn load(units: &Self::Row<'_>, offset: usize) -> Self::Element;

    /// # Safety
    /// The offset must belong to a coordinate of the layout.
    #[doc(hidden)]
    unsafe fn store(units: &mut Self::Row<'_>, offset: usize, element: Self::Element);
}

// SAFETY: `units` checks that the buffer has the layout's length; layout types are sealed.
unsafe impl<'a, L: LayoutType, B: AsRef<[UnitOf<L>]>> Operand for &'a Tensor<L, B> {
    type Units = &'a [UnitOf<L>];
    type Row<'r> = &'a [UnitOf<L>];
    type Element = L::Element;
    type Item<'e> = L::Element;

    const STATIC: Option<Layout> = L::STATIC;

    fn layout(&self) -> Layout {
        self.layout.layout()
    }

    fn units(self) -> Result<&'a [UnitOf<L>], LayoutError> {
        let units = self.buffer.as_ref();
        check_length("buffer", self.layout.units(), units.len())?;
        Ok(units)
    }

    #[inline(always)]
    fn row<'r>(units: &'r mut &'a [UnitOf<L>]) -> &'a [UnitOf<L>] {
        units
    }

    #[inline(always)]
    fn item(element: &mut L::Element) -> L::Element {
        *element
    }

    #[inline(always)]
    unsafe fn load(units: &&'a [UnitOf<L>], offset: usize) -> L::Element {
        // SAFETY: the caller promises the offset of a coordinate, and the units have the layout's length.
        unsafe { read_inside::<L>(units, offset) }
    }

    #[inline(always)]
    unsafe fn store(_: &mut &'a [UnitOf<L>], _: usize, _: L::Element) {}
}

// SAFETY: the same proof as for `&Tensor`.
unsafe impl<'a, L: LayoutType, B: AsMut<[UnitOf<L>]>> Operand for &'a mut Tensor<L, B> {
    type Units = &'a mut [UnitOf<L>];
    type Row<'r> = &'r mut [UnitOf<L>];
    type Element = L::Element;
    type Item<'e> = &'e mut L::Element;

    const STATIC: Option<Layout> = L::STATIC;

    fn layout(&self) -> Layout {
        self.layout.layout()
    }

    fn units(self) -> Result<&'a mut [UnitOf<L>], LayoutError> {
        if let Some(letter) = shared_axis(&self.layout) {
            return Err(LayoutError(Rule::SharedElements { letter }));
        }
        let needed = self.layout.units();
        let units = self.buffer.as_mut();
        check_length("buffer", needed, units.len())?;
        Ok(units)
    }

    #[inline(always)]
    fn row<'r>(units: &'r mut &'a mut [UnitOf<L>]) -> &'r mut [UnitOf<L>] {
        units
    }

    #[inline(always)]
    fn item(element: &mut L::Element) -> &mut L::Element {
        element
    }

    #[inline(always)]
    unsafe fn load(units: &&mut [UnitOf<L>], offset: usize) -> L::Element {
        // SAFETY: the same proof as for `&Tensor`.
        unsafe { read_inside::<L>(units, offset) }
    }

    #[inline(always)]
    unsafe fn store(units: &mut &mut [UnitOf<L>], offset: usize, element: L::Element) {
        // SAFETY: the same proof as for `&Tensor`.
        unsafe { write_inside::<L>(units, offset, element) };
    }
}

/// Implements [`Tensors`] for tuples of N operands.
macro_rules! tensors {
    ($count:literal: $($operand:ident $units:ident $element:ident $at:tt)*) => {
        impl<$($operand: Operand),*> Tensors for ($($operand,)*) {
            type Checked = Checked<$count, ($($operand::Units,)*), Self>;

            fn checked(self) -> Result<Self::Checked, LayoutError> {
                let ($($units,)*) = self;
                let layouts = match const { Zip::<Self>::LOOPS.is_some() } {
                    true => None,
                    false => {
                        let layouts = [$($units.layout()),*];
                        Boxes::over(layouts.each_ref())?;
                        Some(layouts)
                    }
                };
                Ok(Checked { layouts, units: ($($units.units()?,)*), tensors: PhantomData })
            }
        }

        impl<$($operand: Operand),*> Zip<($($operand,)*)> {
            /// The loops, if the types of the tensors determine them.
            const LOOPS: Option<KnownLoops<$count>> = known_loops([$($operand::STATIC),*]);

            /// Calls `visit` with the elements of each coordinate. It passes elements of `&` tensors by value, those
            /// of `&mut` tensors by reference.
            pub fn for_each<Visit: for<'e> FnMut($($operand::Item<'e>),*)>(self, mut visit: Visit) {
                let Checked { layouts, units: ($(mut $units,)*), .. } = self.0;
                if const { Self::LOOPS.is_some() } {
                    Self::visit_box::<0, _>($($operand::row(&mut $units),)* &mut visit);
                    Self::visit_box::<1, _>($($operand::row(&mut $units),)* &mut visit);
                    Self::visit_box::<2, _>($($operand::row(&mut $units),)* &mut visit);
                    Self::visit_box::<3, _>($($operand::row(&mut $units),)* &mut visit);
                    return;
                }
                let Some(layouts) = layouts else { return };
                for_each_row(&layouts, |row| {
                    Self::visit_row($($operand::row(&mut $units),)* row, &mut visit);
                });
            }

            /// Calls `visit` for one box of [`LOOPS`](Self::LOOPS), if that box exists. Each innermost loop is a
            /// constant. The units are arguments, so that the compiler knows that they do not alias.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "one for each tensor")]
            fn visit_box<const BOX: usize, Visit: for<'e> FnMut($($operand::Item<'e>),*)>(
                $(mut $units: $operand::Row<'_>,)*
                visit: &mut Visit,
            ) {
                let swizzles = const { KnownLoops::swizzles(&Self::LOOPS) };
                let Some(loops) = (const { &KnownLoops::of_box(&Self::LOOPS, BOX) }) else { return };
                let [slow, middle, fast] = const {
                    match KnownLoops::of_box(&Self::LOOPS, BOX) {
                        Some(loops) => inner_loops(&loops),
                        None => [Level::ONCE; 3],
                    }
                };
                for_each_step(loops.offsets(), outer_loops(loops), |start| {
                    for i in 0..slow.size as isize {
                        for j in 0..middle.size as isize {
                            for k in 0..fast.size as isize {
                                let offsets = [$({
                                    let steps = slow.strides[$at].wrapping_mul(i)
                                        .wrapping_add(middle.strides[$at].wrapping_mul(j))
                                        .wrapping_add(fast.strides[$at].wrapping_mul(k));
                                    swizzled(swizzles[$at], start[$at].wrapping_add_signed(steps))
                                }),*];
                                // SAFETY: the loops reach only offsets of coordinates.
                                unsafe { Self::visit_at($(&mut $units,)* offsets, visit) };
                            }
                        }
                    }
                });
            }

            /// Calls `visit` for a row. The units are arguments, so that the compiler knows that they do not alias.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "one for each tensor")]
            fn visit_row<Visit: for<'e> FnMut($($operand::Item<'e>),*)>(
                $(mut $units: $operand::Row<'_>,)*
                Row { start, strides, size, swizzles }: Row<$count>,
                visit: &mut Visit,
            ) {
                if let Some(swizzles) = swizzles {
                    for i in 0..size as isize {
                        let offsets = [$({
                            let steps = strides[$at].wrapping_mul(i);
                            swizzled(swizzles[$at], start[$at].wrapping_add_signed(steps))
                        }),*];
                        // SAFETY: the loops reach only offsets of coordinates.
                        unsafe { Self::visit_at($(&mut $units,)* offsets, visit) };
                    }
                } else if strides == [1; $count] {
                    // A separate loop, so that it can be vectorized.
                    for i in 0..size {
                        let offsets = [$(start[$at].wrapping_add(i)),*];
                        // SAFETY: the loops reach only offsets of coordinates.
                        unsafe { Self::visit_at($(&mut $units,)* offsets, visit) };
                    }
                } else {
                    for i in 0..size as isize {
                        let offsets = [$(start[$at].wrapping_add_signed(strides[$at].wrapping_mul(i))),*];
                        // SAFETY: the loops reach only offsets of coordinates.
                        unsafe { Self::visit_at($(&mut $units,)* offsets, visit) };
                    }
                }
            }

            /// Calls `visit` with the elements at these offsets.
            ///
            /// # Safety
            /// The offsets must belong to one coordinate.
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "one for each tensor")]
            unsafe fn visit_at<Visit: for<'e> FnMut($($operand::Item<'e>),*)>(
                $($units: &mut $operand::Row<'_>,)*
                offsets: [usize; $count],
                visit: &mut Visit,
            ) {
                $(
                    // SAFETY: the caller promises the offset of a coordinate.
                    let mut $element = unsafe { $operand::load($units, offsets[$at]) };
                )*
                visit($($operand::item(&mut $element)),*);
                $(
                    // SAFETY: the same proof as for loading.
                    unsafe { $operand::store($units, offsets[$at], $element) };
                )*
            }
        }
    };
}

tensors!(1: A a a_element 0);
tensors!(2: A a a_element 0 B b b_element 1);
tensors!(3: A a a_element 0 B b b_element 1 C c c_element 2);
tensors!(4: A a a_element 0 B b b_element 1 C c c_element 2
    D d d_element 3);
tensors!(5: A a a_element 0 B b b_element 1 C c c_element 2
    D d d_element 3 E e e_element 4);
tensors!(6: A a a_element 0 B b b_element 1 C c c_element 2
    D d d_element 3 E e e_element 4 F f f_element 5);
