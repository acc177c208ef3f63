//! The plan of a relayout between element types: the checks and choices made once, before anything moves.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use layout_kernels::{Isa, Stores};
use layout_types::nests::{Padding, Pair};
use layout_types::plain::Plain;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Conversion, Layout, Number};

use super::pass::Pass;
use super::passes::{FEW, Passes};
use crate::buffers::{Lengths, PaddingFill};
use crate::relayout::write_moved;

/// How to move a tensor of elements `S` to a layout of elements `D` and convert the elements on the way.
///
/// ```
/// use tensor_layout::{Conversion, ConversionPlan, ElementType, Layout};
///
/// let image = Layout::of("NHWC", &[1, 3, 1, 2], ElementType::U8)?;
/// let input = Layout::of("NCHW", &[1, 3, 1, 2], ElementType::F32)?;
/// let conversion = Conversion::normalize_per_axis('C', &[100.0, 0.0, 0.0], &[0.5, 1.0, 2.0]);
/// let plan = ConversionPlan::<u8, f32>::new(&image, &input, &conversion)?;
///
/// let mut planes = [0.0; 6];
/// plan.run(&[110, 1, 2, 120, 3, 4], &mut planes)?;
/// assert_eq!(planes, [5.0, 10.0, 1.0, 3.0, 4.0, 8.0]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
///
/// With feature `alloc`, [`new`](Self::new) keeps up to four passes, which say how tiles of the tensor move and are
/// converted, on the heap: some 7 KiB each. Without it, and if memory cannot be allocated, each run plans its passes,
/// which takes one to eight microseconds each.
#[derive(Clone, Debug)]
pub struct ConversionPlan<'a, S, D> {
    pub(super) checked: CheckedPair<'a>,
    /// The passes on this CPU, if there are few. The list of a constant is empty, and that of more passes.
    #[cfg(feature = "alloc")]
    passes: Vec<Pass>,
    elements: PhantomData<(S, D)>,
}

/// A relayout between static layouts with a conversion, as `#[derive(Relayout)]` generates it.
pub trait Converts<S: 'static, D: 'static> {
    /// How the tensor is moved and its elements are converted.
    const PLAN: &'static ConversionPlan<'static, S, D>;
}

/// What has been checked and chosen for all CPUs.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckedPair<'a> {
    pub(super) pair: Pair,
    pub(super) conversion: Conversion<'a>,
    /// The kind of stores: non-temporal or not.
    pub(super) stores: Stores,
    /// The padding that is filled before anything moves.
    pub(super) padding: Option<Padding>,
}

impl<'a> CheckedPair<'a> {
    pub(super) const fn new<S: Number, D: Number>(
        source: &Layout,
        destination: &Layout,
        conversion: &Conversion<'a>,
    ) -> Result<Self, LayoutError> {
        if !source.element().same(S::TYPE) {
            return Err(LayoutError(Rule::TypeElement {
                needed: S::TYPE,
                given: source.element(),
            }));
        }
        if !destination.element().same(D::TYPE) {
            return Err(LayoutError(Rule::TypeElement {
                needed: D::TYPE,
                given: destination.element(),
            }));
        }
        let pair = match Pair::new(source, destination) {
            Ok(pair) => pair,
            Err(error) => return Err(error),
        };
        if let Err(error) = conversion.check(S::TYPE, D::TYPE, destination) {
            return Err(error);
        }
        let bytes = source.moved_bytes().saturating_add(destination.moved_bytes());
        let (padding, stores) = (Padding::of(pair.destination()), Stores::of(bytes));
        Ok(Self { pair, conversion: *conversion, stores, padding })
    }

    /// Fills the padding of the destination.
    #[inline(always)]
    pub(super) fn fill<U: Plain>(&self, destination: &mut [U]) {
        if let Some(padding) = &self.padding {
            PaddingFill::of(self.pair.destination()).pad(padding, destination);
        }
    }
}

impl<'a, S: Number, D: Number> ConversionPlan<'a, S, D> {
    /// Makes the plan from `source` to `destination`. Axes are matched by letter, so the coordinate orders may
    /// differ.
    ///
    /// # Errors
    /// - The elements of `source` are not `S`, or those of `destination` are not `D`.
    /// - The axes or extents differ.
    /// - Several coordinates of the destination share an element.
    /// - The conversion does not apply to these element types.
    /// - The number of parameters differs from the extent of the axis, or a parameter does not fit the integer.
    pub fn new(
        source: &Layout,
        destination: &Layout,
        conversion: &Conversion<'a>,
    ) -> Result<Self, LayoutError> {
        #[allow(unused_mut, reason = "without an allocator a plan keeps no passes")]
        let mut own = Self::const_new(source, destination, conversion);
        // In place in the caller's frame: a plan takes 2 KiB.
        #[cfg(feature = "alloc")]
        if let Ok(plan) = &mut own {
            plan.keep_passes();
        }
        own
    }

    /// [`new`](Self::new) for constants. The plan chooses kernels for the CPU each time it runs. In a derived
    /// relayout these choices are constants too.
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    pub const fn const_new(
        source: &Layout,
        destination: &Layout,
        conversion: &Conversion<'a>,
    ) -> Result<Self, LayoutError> {
        match CheckedPair::new::<S, D>(source, destination, conversion) {
            Ok(checked) => Ok(Self::of(checked)),
            Err(error) => Err(error),
        }
    }

    /// A plan that keeps no passes.
    pub(super) const fn of(checked: CheckedPair<'a>) -> Self {
        Self {
            checked,
            #[cfg(feature = "alloc")]
            passes: Vec::new(),
            elements: PhantomData,
        }
    }

    /// Returns the same plan with or without non-temporal stores; see [`Plan::streaming`](crate::Plan::streaming).
    #[must_use]
    pub fn streaming(mut self, stream: bool) -> Self {
        self.checked.stores = if stream { Stores::NonTemporal } else { Stores::Cached };
        #[cfg(feature = "alloc")]
        if !self.passes.is_empty() {
            self.keep_passes();
        }
        self
    }

    /// Keeps the passes on this CPU.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn keep_passes(&mut self) {
        self.passes = self.all_passes(Isa::best()).kept();
    }

    /// The passes that the plan keeps.
    pub(super) fn kept(&self) -> &[Pass] {
        #[cfg(feature = "alloc")]
        return &self.passes;
        #[cfg(not(feature = "alloc"))]
        &[]
    }

    /// Whether there are more passes than a plan keeps.
    fn has_many_passes(&self) -> bool {
        let mut pass = Pass::ONE;
        let mut all = self.all_passes(Isa::best());
        (0..=FEW).all(|_| all.set_next(&mut pass))
    }

    fn write_passes(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pass = Pass::ONE;
        let mut all = self.all_passes(Isa::best());
        while all.set_next(&mut pass) {
            write!(formatter, "\n  {pass}")?;
        }
        Ok(())
    }

    pub(super) const fn all_passes(&self, isa: Isa) -> Passes<'_> {
        let CheckedPair { pair, conversion, stores, .. } = &self.checked;
        Passes::new(pair, conversion.axis_in(pair.destination()), *stores, isa)
    }

    /// Returns the source layout.
    pub const fn source(&self) -> &Layout {
        self.checked.pair.source()
    }

    /// Returns the destination layout.
    pub const fn destination(&self) -> &Layout {
        self.checked.pair.destination()
    }

    /// Returns the conversion of the elements.
    pub const fn conversion(&self) -> &Conversion<'a> {
        &self.checked.conversion
    }

    /// Returns an error unless the buffers have the lengths of the layouts, in units.
    pub const fn check_lengths(
        &self,
        source: usize,
        destination: usize,
    ) -> Result<(), LayoutError> {
        Lengths::of(&self.checked.pair).check(source, destination)
    }
}

/// Prints the two layouts, then each pass: its tiles, their moves to and from the converting kernel, and the runs that
/// one call of the kernel converts. A move `in runs of N` reads or writes elements of less than a byte, `N` that are
/// contiguous at a time.
///
/// ```text
/// NHWC<N = 1, C = 3, H = 4, W = 16>, u8 -> NCHW<1, 3, 4, 16>, f32: 768 bytes
///   1 tile of 192 elements; gather: permute bytes: 3 loads of vectors for 192 bytes, 1 time (AVX-512 VBMI); convert 1 run of 192
/// ```
impl<S: Number, D: Number> fmt::Display for ConversionPlan<'_, S, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = &self.checked.pair;
        write_moved(formatter, pair.source(), pair.destination())?;
        if pair.is_swizzled() {
            return formatter.write_str("\n  element by element");
        }
        if self.has_many_passes() {
            return write!(formatter, "\n  in more than {FEW} passes");
        }
        self.write_passes(formatter)
    }
}
