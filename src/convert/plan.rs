//! The plan of a relayout between element types: what is checked once, before anything moves.

use core::fmt;
use core::marker::PhantomData;

use layout_kernels::Stores;
use layout_types::nests::{Padding, Pair};
use layout_types::spec::{LayoutError, Rule};
use layout_types::{Conversion, Layout, Number};

use super::pass::Pass;
use super::passes::{FEW, Passes};
use crate::buffers::Lengths;
use crate::relayout::write_moved;

/// How to move a tensor of elements `S` to a layout of elements `D`, and what happens to the
/// elements on the way.
///
/// ```
/// use tensor_layout::{Conversion, ConversionPlan, ElementType, Layout, convert};
///
/// let image = Layout::of("NHWC", &[1, 3, 1, 2], ElementType::U8)?;
/// let input = Layout::of("NCHW", &[1, 3, 1, 2], ElementType::F32)?;
/// let conversion = Conversion::normalize_per_axis('C', &[100.0, 0.0, 0.0], &[0.5, 1.0, 2.0]);
/// let plan = ConversionPlan::<u8, f32>::new(&image, &input, &conversion)?;
///
/// let mut planes = [0.0; 6];
/// convert(&plan, &[110, 1, 2, 120, 3, 4], &mut planes)?;
/// assert_eq!(planes, [5.0, 10.0, 1.0, 3.0, 4.0, 8.0]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ConversionPlan<'a, S, D> {
    pub(super) pair: Pair,
    pub(super) conversion: Conversion<'a>,
    /// Which stores are non-temporal.
    pub(super) stores: Stores,
    /// The padding that is filled before anything moves.
    pub(super) padding: Option<Padding>,
    /// The passes, where there are few; `None` elsewhere.
    pub(super) passes: Option<[Option<Pass>; FEW]>,
    elements: PhantomData<(S, D)>,
}

impl<'a, S: Number, D: Number> ConversionPlan<'a, S, D> {
    /// The plan from `source` to `destination`. Axes are matched by letter, so coordinate orders
    /// may differ.
    ///
    /// # Errors
    /// Layouts of other elements than `S` and `D`; different axes or extents; a destination in
    /// which coordinates share an element; a conversion that is not for these elements, or whose
    /// parameters do not fit the axis or the integer.
    pub const fn new(
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
        Ok(Self::of(pair, *conversion, Stores::of(bytes)))
    }

    /// The same plan, with non-temporal stores or without, as
    /// [`Plan::streaming`](crate::Plan::streaming) has it.
    pub const fn streaming(self, stream: bool) -> Self {
        Self::of(self.pair, self.conversion, Stores::when(stream))
    }

    pub(super) const fn of(pair: Pair, conversion: Conversion<'a>, stores: Stores) -> Self {
        let padding = Padding::of(&pair.destination);
        let mut plan =
            Self { pair, conversion, stores, padding, passes: None, elements: PhantomData };
        plan.passes = plan.all_passes(stores).few();
        plan
    }

    pub(super) const fn all_passes(&self, stores: Stores) -> Passes<'_> {
        let parameters = self.conversion.axis_in(&self.pair.destination);
        Passes::new(&self.pair, parameters, stores)
    }

    /// The layout that is read.
    pub const fn source(&self) -> &Layout {
        &self.pair.source
    }

    /// The layout that is written.
    pub const fn destination(&self) -> &Layout {
        &self.pair.destination
    }

    /// What happens to the elements.
    pub const fn conversion(&self) -> &Conversion<'a> {
        &self.conversion
    }

    /// Errors unless the buffers have the lengths, in units, that the layouts take.
    pub const fn check_lengths(
        &self,
        source: usize,
        destination: usize,
    ) -> Result<(), LayoutError> {
        Lengths::of(&self.pair).check(source, destination)
    }
}

/// The two layouts, then each pass: its tiles, how they get to the kernel that converts and from there, and the
/// runs that it takes at once.
///
/// ```text
/// NHWC<1, 3, 4, 16>, u8 -> NCHW<1, 3, 4, 16>, f32: 768 bytes
///   1 tiles of 192 elements; gather: deinterleave 64 rows by 3 columns of 1 bytes; convert 1 runs of 192
/// ```
impl<S, D> fmt::Display for ConversionPlan<'_, S, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_moved(formatter, &self.pair, self.stores)?;
        match &self.passes {
            Some(passes) => {
                passes.iter().flatten().try_for_each(|pass| write!(formatter, "\n  {pass}"))
            }
            None => write!(formatter, "\n  in more than {FEW} passes"),
        }
    }
}
