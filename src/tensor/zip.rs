//! The elements of several tensors at once, in the order that suits most of them.

use super::Tensor;
use super::checked::{read_inside, write_inside};
use crate::buffers::check_length;
use layout_types::nests::{Loop, Several};
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Layout, LayoutType, UnitOf};

/// The elements of up to six tensors of the same axes and extents, whatever their layouts: `&` tensors are read,
/// `&mut` tensors are changed.
///
/// Axes are matched by letter. The order is that of the memory of most of the tensors, and between two
/// that of the last: put the tensor that is written last. Where the tensors lie in the same order, what is visited
/// is one long row, whatever blocks they have.
///
/// # Errors
/// Different axes or extents, a tensor to be changed whose coordinates share elements, a buffer that is no
/// longer as long as it was.
///
/// ```
/// use tensor_layout::tensor::zip;
/// use tensor_layout::{Tensor, layout};
///
/// let image = Tensor::<layout!(NHWC<1, 4, 2, 2>, u8), _>::new([8; 16])?;
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

/// A tuple of tensors that [`zip`] takes.
pub trait Tensors: Sized {
    /// What is known of them.
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
    /// Its units, at least as many as its layout takes.
    #[doc(hidden)]
    type Units;

    /// The units again, for one row.
    #[doc(hidden)]
    type Row<'r>;

    /// An element.
    #[doc(hidden)]
    type Element;

    /// What a closure takes.
    #[doc(hidden)]
    type Item<'e>;

    #[doc(hidden)]
    fn layout(&self) -> Layout;

    #[doc(hidden)]
    fn units(self) -> Result<Self::Units, LayoutError>;

    #[doc(hidden)]
    fn row(units: &mut Self::Units) -> Self::Row<'_>;

    #[doc(hidden)]
    fn item(element: &mut Self::Element) -> Self::Item<'_>;

    /// # Safety
    /// The offset is that of a coordinate of the layout.
    #[doc(hidden)]
    unsafe fn load(units: &Self::Row<'_>, offset: usize) -> Self::Element;

    /// # Safety
    /// The offset is that of a coordinate of the layout.
    #[doc(hidden)]
    unsafe fn store(units: &mut Self::Row<'_>, offset: usize, element: Self::Element);
}

// SAFETY: `units` checks that the buffer is as long as the layout says; layout types are sealed.
unsafe impl<'a, L: LayoutType, B: AsRef<[UnitOf<L>]>> Operand for &'a Tensor<L, B> {
    type Units = &'a [UnitOf<L>];
    type Row<'r> = &'a [UnitOf<L>];
    type Element = L::Element;
    type Item<'e> = L::Element;

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
        // SAFETY: the caller promises an offset of a coordinate, and the units are as many as the layout
        // says.
        unsafe { read_inside::<L>(units, offset) }
    }

    #[inline(always)]
    unsafe fn store(_: &mut &'a [UnitOf<L>], _: usize, _: L::Element) {}
}

// SAFETY: as for `&Tensor`.
unsafe impl<'a, L, B> Operand for &'a mut Tensor<L, B>
where
    L: LayoutType,
    B: AsMut<[UnitOf<L>]>,
{
    type Units = &'a mut [UnitOf<L>];
    type Row<'r> = &'r mut [UnitOf<L>];
    type Element = L::Element;
    type Item<'e> = &'e mut L::Element;

    fn layout(&self) -> Layout {
        self.layout.layout()
    }

    fn units(self) -> Result<&'a mut [UnitOf<L>], LayoutError> {
        if let Some(letter) = self.layout.layout().shared_axis() {
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
        // SAFETY: as for `&Tensor`.
        unsafe { read_inside::<L>(units, offset) }
    }

    #[inline(always)]
    unsafe fn store(units: &mut &mut [UnitOf<L>], offset: usize, element: L::Element) {
        // SAFETY: as for `&Tensor`.
        unsafe { write_inside::<L>(units, offset, element) };
    }
}

/// Calls `row` for each row of the loops: the offsets at which it begins, the offsets of a step, how many steps.
#[inline(always)]
fn for_each_row<const N: usize>(
    layouts: &[Layout; N],
    mut row: impl FnMut([usize; N], [isize; N], usize),
) {
    if let Some(length) = one_row(layouts) {
        return row([0; N], [1; N], length);
    }
    // `zip` has found that they have the same axes and extents.
    let Ok(mut several) = Several::new(layouts.each_ref()) else { return };
    while let Some((start, loops)) = several.next_box() {
        let (inner, outer) = match loops.split_last() {
            Some((inner, outer)) => (*inner, outer),
            None => (Loop { size: 1, strides: [0; N] }, loops),
        };
        let mut offsets = start;
        let mut index = [0; MAX_OUTER];
        'rows: loop {
            row(offsets, inner.strides, inner.size);
            for (index, outer) in index.iter_mut().zip(outer).rev() {
                *index += 1;
                if *index < outer.size {
                    step(&mut offsets, &outer.strides, 1);
                    continue 'rows;
                }
                step(&mut offsets, &outer.strides, 1 - *index as isize);
                *index = 0;
            }
            break;
        }
    }
}

/// The length of the buffers, where every tensor has all of its elements in the same order.
fn one_row<const N: usize>(layouts: &[Layout; N]) -> Option<usize> {
    let (first, others) = layouts.split_first()?;
    let same = |other: &Layout| {
        other.letters() == first.letters()
            && other.digits() == first.digits()
            && other.swizzle() == first.swizzle()
            && other.len() == first.len()
    };
    let all = first.count() == first.len() && others.iter().all(same) && first.is_unique();
    all.then(|| first.len())
}

/// The most loops around a row.
const MAX_OUTER: usize = 32;

/// Takes steps of a loop.
#[inline(always)]
fn step<const N: usize>(offsets: &mut [usize; N], strides: &[isize; N], steps: isize) {
    for (offset, stride) in offsets.iter_mut().zip(strides) {
        *offset = offset.wrapping_add_signed(stride.wrapping_mul(steps));
    }
}

/// Implements [`Tensors`] for a tuple of this many operands.
macro_rules! tensors {
    ($count:literal: $($operand:ident $units:ident $element:ident $at:tt)*) => {
        impl<$($operand: Operand),*> Tensors for ($($operand,)*) {
            type Checked = ([Layout; $count], ($($operand::Units,)*), core::marker::PhantomData<Self>);

            fn checked(self) -> Result<Self::Checked, LayoutError> {
                let ($($units,)*) = self;
                let layouts = [$($units.layout()),*];
                Several::new(layouts.each_ref())?;
                Ok((layouts, ($($units.units()?,)*), core::marker::PhantomData))
            }
        }

        impl<$($operand: Operand),*> Zip<($($operand,)*)> {
            /// Calls `visit` with the elements of each coordinate: those of `&` tensors by value, those of `&mut`
            /// tensors by reference.
            pub fn for_each<Visit>(self, mut visit: Visit)
            where
                Visit: for<'e> FnMut($($operand::Item<'e>),*),
            {
                let (layouts, ($(mut $units,)*), _) = self.0;
                for_each_row(&layouts, |start, strides, size| {
                    let visit = &mut visit;
                    Self::visit_row($($operand::row(&mut $units),)* start, strides, size, visit);
                });
            }

            /// Calls `visit` for a row. The units are arguments, of which the compiler knows that they are apart.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "one for each tensor")]
            fn visit_row<Visit>(
                $(mut $units: $operand::Row<'_>,)*
                start: [usize; $count],
                strides: [isize; $count],
                size: usize,
                visit: &mut Visit,
            )
            where
                Visit: for<'e> FnMut($($operand::Item<'e>),*),
            {
                let mut visit_at = |offsets: [usize; $count]| {
                    $(
                        // SAFETY: the loops lead to offsets of coordinates.
                        let mut $element = unsafe { $operand::load(&$units, offsets[$at]) };
                    )*
                    visit($($operand::item(&mut $element)),*);
                    $(
                        // SAFETY: as for loading.
                        unsafe { $operand::store(&mut $units, offsets[$at], $element) };
                    )*
                };
                // A loop of its own, so that it can be vectorized.
                if strides == [1; $count] {
                    for i in 0..size {
                        visit_at([$(start[$at].wrapping_add(i)),*]);
                    }
                } else {
                    for i in 0..size {
                        let i = i as isize;
                        visit_at([$(start[$at].wrapping_add_signed(strides[$at].wrapping_mul(i))),*]);
                    }
                }
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
