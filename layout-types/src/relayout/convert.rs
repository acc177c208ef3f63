//! Relayouts between element types: the plan, and what runs it.

use core::fmt;
use core::marker::PhantomData;

use bytemuck::cast_slice_mut;

use super::levels::{Place, Places};
use super::padding::Padding;
use super::pair::Pair;
use super::pass::{Move, Pass, SCRATCH};
use super::passes::{FEW, Passes};
use super::periods::Periods;
use crate::conversion::Conversion;
use crate::kernel::{self, Converter, Job, LINE, Runs, Stores};
use crate::layout::Layout;
use crate::number::{Number, Real, Value};
use crate::spec::{LayoutError, Rule};
use crate::typed::StaticLayout;

/// The float type that elements of `S` become elements of `D` in.
pub(super) type Exact<S, D> = <<S as Value>::Exact as Real>::With<<D as Value>::Exact>;

/// How to move a tensor of elements `S` to a layout of elements `D`, and what happens to the
/// elements on the way.
///
/// ```
/// use layout_types::{Conversion, ConversionPlan, ElementType, Format, Layout, convert};
///
/// let image = Layout::of(&Format::parse("NHWC")?, &[1, 3, 1, 2], ElementType::U8)?;
/// let input = Layout::of(&Format::parse("NCHW")?, &[1, 3, 1, 2], ElementType::F32)?;
/// let conversion = Conversion::normalize_per_axis('C', &[100.0, 0.0, 0.0], &[0.5, 1.0, 2.0]);
/// let plan = ConversionPlan::<u8, f32>::new(&image, &input, &conversion)?;
///
/// let mut planes = [0.0; 6];
/// convert(&plan, &[110, 1, 2, 120, 3, 4], &mut planes)?;
/// assert_eq!(planes, [5.0, 10.0, 1.0, 3.0, 4.0, 8.0]);
/// # Ok::<(), layout_types::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ConversionPlan<'a, S, D> {
    pub(super) pair: Pair,
    conversion: Conversion<'a>,
    /// Which stores go past the caches.
    stores: Stores,
    /// The padding that is filled before anything moves.
    padding: Option<Padding>,
    /// The passes, where there are few; `None` elsewhere.
    passes: Option<[Option<Pass>; FEW]>,
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
        if let Err(error) = conversion.check::<S, D>(destination) {
            return Err(error);
        }
        let bytes = source.moved_bytes().saturating_add(destination.moved_bytes());
        Ok(Self::of(pair, *conversion, Stores::of(bytes)))
    }

    /// The same plan, with stores that go past the caches or do not, as
    /// [`Plan::streaming`](super::Plan::streaming) has it.
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

    const fn all_passes(&self, stores: Stores) -> Passes<'_> {
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
        self.pair.check_lengths(source, destination)
    }
}

/// The two layouts, then each pass, where some stores go past the caches as on CPUs that gain by it: its tiles, how they get to the kernel that converts and from
/// there, and the runs that it takes at once.
///
/// ```text
/// NHWC<1, 3, 4, 16>, u8 -> NCHW<1, 3, 4, 16>, f32: 768 bytes
///   1 tiles of 192 elements; gather: deinterleave 64 rows by 3 columns of 1 bytes; convert 1 runs of 192
/// ```
impl<S, D> fmt::Display for ConversionPlan<'_, S, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pair.write_moved(formatter, self.stores)?;
        match &self.passes {
            Some(passes) => {
                passes.iter().flatten().try_for_each(|pass| write!(formatter, "\n  {pass}"))
            }
            None => write!(formatter, "\n  in more than {FEW} passes"),
        }
    }
}

/// Moves a tensor from `source` to `destination` as `plan` says, and converts its elements on the
/// way, with no tensor in between.
///
/// Lengths count units: elements, or bytes for 4-bit elements. Padding of the destination is
/// filled as its layout declares, what padding of the source holds has no effect, and gaps between
/// explicit strides stay as they are.
///
/// A tile at a time is on the stack: without feature `std` 4 KiB, which with all else comes to 10 KiB on
/// a Cortex-M4; with it 16 KiB.
///
/// # Errors
/// A slice whose length is not its layout's; nothing is written then.
pub fn convert<S: Number, D: Number>(
    plan: &ConversionPlan<'_, S, D>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) -> Result<(), LayoutError> {
    plan.check_lengths(source.len(), destination.len())?;
    convert_with(kernel::converter::<S, D, Exact<S, D>>(), plan, source, destination);
    Ok(())
}

/// A relayout between static layouts with a conversion, as `#[derive(Relayout)]` writes it.
pub trait Converts<S, D> {
    /// How the tensor is moved and its elements converted.
    const PLAN: ConversionPlan<'static, S, D>;
}

/// The plan between two static layouts; one that cannot be made is a compile error.
#[track_caller]
pub const fn conversion_plan<Source, Destination>(
    conversion: &Conversion<'static>,
) -> ConversionPlan<'static, Source::Element, Destination::Element>
where
    Source: StaticLayout<Element: Number>,
    Destination: StaticLayout<Element: Number>,
{
    match ConversionPlan::new(&Source::LAYOUT, &Destination::LAYOUT, conversion) {
        Ok(plan) => plan,
        Err(error) => error.panic_in_type(),
    }
}

/// [`convert`] for arrays of the right lengths: nothing is left that could fail.
#[inline]
pub fn run_conversion<C, S, D, const SOURCE: usize, const DESTINATION: usize>(
    source: &[S::Unit; SOURCE],
    destination: &mut [D::Unit; DESTINATION],
) where
    C: Converts<S, D>,
    S: Number,
    D: Number,
{
    const {
        if let Err(error) = C::PLAN.check_lengths(SOURCE, DESTINATION) {
            error.panic()
        }
    }
    convert_with(kernel::converter::<S, D, Exact<S, D>>(), const { &C::PLAN }, source, destination);
}

/// [`convert`] by one kernel, which the CPU must have. The lengths must be the plan's.
pub(super) fn convert_with<S: Number, D: Number>(
    converter: Converter<S, D, Exact<S, D>>,
    plan: &ConversionPlan<'_, S, D>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    let (pair, conversion) = (&plan.pair, &plan.conversion);
    debug_assert_eq!(source.len(), pair.source.units());
    debug_assert_eq!(destination.len(), pair.destination.units());
    if let Some(padding) = plan.padding {
        let unit = kernel::unit_from_bits(pair.destination.unit_of_fill());
        padding.fill(destination, unit);
    }
    let stores = plan.stores.here();
    let ahead = stores != Stores::Cached;
    let mut run: Run<'_, S, D> =
        Run { converter, source, destination, periods: Periods::new(conversion), ahead };
    let mut scratch = Scratch([0; SCRATCH / 8]);
    // Passes of a plan for either take all to the destination by the scratch, as stores past the caches have to.
    // Without such stores that takes up to twice as long, and others are made in next to no time.
    let made = if plan.stores == Stores::Either && !ahead { &None } else { &plan.passes };
    if let Some(passes) = made {
        passes.iter().flatten().for_each(|pass| run.pass(pass, &mut scratch));
        return stores.finish();
    }
    let mut passes = plan.all_passes(stores);
    while let Some(pass) = passes.next() {
        run.pass(&pass, &mut scratch);
    }
    stores.finish();
}

/// Room for a tile, at the start of a cache line.
#[repr(align(64))]
struct Scratch([u64; SCRATCH / 8]);

/// What stays the same from pass to pass.
struct Run<'a, S: Number, D: Number> {
    converter: Converter<S, D, Exact<S, D>>,
    source: &'a [S::Unit],
    destination: &'a mut [D::Unit],
    periods: Periods<'a, Exact<S, D>>,
    /// Whether to ask for sources ahead, since the caches do not hold them.
    ahead: bool,
}

impl<S: Number, D: Number> Run<'_, S, D> {
    fn pass(&mut self, pass: &Pass, scratch: &mut Scratch) {
        let gathered = match pass.gather {
            Move::Stay => 0,
            _ => pass.elements() * size_of::<S::Held>(),
        };
        let (from, to) = scratch.0.split_at_mut(gathered.next_multiple_of(LINE) / 8);
        let (from, to) = (cast_slice_mut(from), cast_slice_mut(to));
        let mut tiles = Places::new(pass.tiles(), pass.start);
        while let Some(tile) = tiles.next() {
            self.gather(pass, tile.source, from);
            self.convert(pass, tile, from, to);
            self.scatter(pass, tile.destination, to);
        }
    }

    /// Collects the tile that begins at `start` of the source.
    fn gather(&self, pass: &Pass, start: usize, scratch: &mut [S::Held]) {
        match &pass.gather {
            Move::Stay => {}
            Move::Job(job) => {
                // Where the job begins of a tile at 0: in front of it, where the source runs backwards.
                let source = job.source.wrapping_add(start * size_of::<S::Held>());
                let job = Job { source, ..*job };
                let (from, to) = (kernel::as_bytes(self.source), kernel::as_bytes_mut(scratch));
                // SAFETY: a tile holds offsets of coordinates, which the layout keeps below its
                // length, which the source has; and the scratch has a place for each of them.
                unsafe { job.run(from, to) }
            }
            Move::Rows => {
                let nest = pass.gathering(start);
                let mut places = nest.places();
                while let Some(place) = places.next() {
                    if let Some(element) = S::read(self.source, place.source) {
                        scratch[place.destination] = element.hold();
                    }
                }
            }
        }
    }

    /// Converts a tile, run by run.
    fn convert(&mut self, pass: &Pass, tile: Place, from: &[S::Held], to: &mut [D::Held]) {
        let mut start = tile;
        let input = match pass.gather {
            Move::Stay => kernel::same_units(self.source),
            _ => {
                start.source = 0;
                from
            }
        };
        let output = match pass.scatter {
            Move::Stay => kernel::same_units_mut(self.destination),
            _ => {
                start.destination = 0;
                to
            }
        };
        let Pass { rows, period, periods, .. } = pass;
        let mut places = Places::new(pass.runs(), start);
        while let Some(place) = places.next() {
            let runs = Runs {
                count: rows.size,
                length: period.size * periods,
                source: place.source,
                source_step: rows.source,
                destination: place.destination,
                destination_step: rows.destination,
                ahead: self.ahead && matches!(pass.gather, Move::Stay),
            };
            let arithmetic = self.periods.arithmetic::<S, D>(place.parameter, rows, period);
            // SAFETY: the CPU has the features of this kernel.
            unsafe { (self.converter)(&runs, &arithmetic, input, output) }
        }
    }

    /// Puts the tile where it begins at `start` of the destination.
    fn scatter(&mut self, pass: &Pass, start: usize, scratch: &[D::Held]) {
        match &pass.scatter {
            Move::Stay => {}
            Move::Job(job) => {
                let destination = job.destination.wrapping_add(start * size_of::<D::Held>());
                let job = Job { destination, ..*job };
                let to = kernel::as_bytes_mut(self.destination);
                // SAFETY: as in `gather`, with the destination in place of the source; no two
                // coordinates share a place there, which `Pair::new` refuses. `finish` follows the last pass.
                unsafe { job.run(kernel::as_bytes(scratch), to) }
            }
            Move::Rows => {
                let nest = pass.scattering(start);
                let mut places = nest.places();
                while let Some(place) = places.next() {
                    let element = D::release(scratch[place.source]);
                    // `None` only past the end, where no coordinate lies.
                    let _ = D::write(self.destination, place.destination, element);
                }
            }
        }
    }
}
