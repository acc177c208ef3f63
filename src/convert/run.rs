//! Runs the plan of a relayout between element types.

use bytemuck::cast_slice_mut;
use layout_kernels::{Converter, LINE, Runs, Stores};
use layout_types::nests::{Place, Places};
use layout_types::numbers::{Exact, Number};
use layout_types::spec::LayoutError;
use layout_types::{Conversion, StaticLayout};

use super::element_loops::Elements;
use super::pass::{Move, Pass, SCRATCH};
use super::periods::Periods;
use super::plan::ConversionPlan;
use crate::buffers::{as_bytes, as_bytes_mut, same_units, same_units_mut, unit_from_bits};

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
    convert_with(
        layout_kernels::converter::<Elements<S, D>>(),
        plan.stores,
        plan,
        source,
        destination,
    );
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
    let plan = const { &C::PLAN };
    convert_with(
        layout_kernels::converter::<Elements<S, D>>(),
        plan.stores,
        plan,
        source,
        destination,
    );
}

/// [`convert`] by one kernel, which the CPU must have, with these stores. The lengths must be the plan's.
pub(super) fn convert_with<S: Number, D: Number>(
    converter: Converter<Elements<S, D>>,
    stores: Stores,
    plan: &ConversionPlan<'_, S, D>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    let (pair, conversion) = (&plan.pair, &plan.conversion);
    debug_assert_eq!(source.len(), pair.source.units());
    debug_assert_eq!(destination.len(), pair.destination.units());
    if let Some(padding) = plan.padding {
        let unit = unit_from_bits(pair.destination.unit_of_fill());
        padding.fill(destination, unit);
    }
    let ahead = stores != Stores::Cached;
    let mut run: Run<'_, S, D> =
        Run { converter, source, destination, periods: Periods::new(conversion), ahead };
    let mut scratch = Scratch([0; SCRATCH / 8]);
    if let Some(passes) = &plan.passes {
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
    converter: Converter<Elements<S, D>>,
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
                let job = job.further(start * size_of::<S::Held>(), 0);
                let (from, to) = (as_bytes(self.source), as_bytes_mut(scratch));
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
            Move::Stay => same_units(self.source),
            _ => {
                start.source = 0;
                from
            }
        };
        let output = match pass.scatter {
            Move::Stay => same_units_mut(self.destination),
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
                let job = job.further(0, start * size_of::<D::Held>());
                let to = as_bytes_mut(self.destination);
                // SAFETY: as in `gather`, with the destination in place of the source; no two
                // coordinates share a place there, which `Pair::new` refuses. `finish` follows the last pass.
                unsafe { job.run(as_bytes(scratch), to) }
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
