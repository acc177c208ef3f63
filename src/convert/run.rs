//! Runs the plan of a relayout between element types.

use core::marker::PhantomData;

use bytemuck::cast_slice_mut;
use layout_kernels::{Converter, Isa, LINE, Runs, Stores, Work, work_on_best};
use layout_types::nests::{Place, Places};
use layout_types::numbers::{Exact, Number, convert_elements, read_run, write_run};
use layout_types::spec::LayoutError;
use layout_types::{Conversion, LayoutType, UnitOf};

use super::element_loops::Elements;
use super::pass::{Pass, SCRATCH, Tile};
use super::passes::{FEW, count};
use super::periods::Periods;
use super::plan::{CheckedPair, ConversionPlan};
use crate::buffers::{Lengths, as_bytes, as_bytes_mut, fill_padding, same_units, same_units_mut};
use crate::relayout::check_axes;
use crate::tensor::Tensor;

impl<S: Number, D: Number> ConversionPlan<'_, S, D> {
    /// Moves a tensor from `source` to `destination` and converts its elements on the way. It needs no intermediate
    /// tensor.
    ///
    /// Lengths count units: elements, or bytes for elements of less than a byte. The conversion fills the padding of the
    /// destination as its layout declares, ignores padding of the source, and leaves gaps between explicit strides
    /// unchanged.
    ///
    /// The function keeps one tile on the stack: 16 KiB with feature `std`, 4 KiB without. In all it takes at most 48 KiB
    /// of stack in a release build and 96 KiB in a debug build, and making the plan no more. With a plan that keeps no
    /// passes it takes at most 64 KiB in a release build; the [guide](crate::guide::stack_and_heap) has the figures of
    /// other functions. On a Cortex-M4 it takes 10 KiB.
    ///
    /// # Errors
    /// The length of a slice differs from that of its layout. Nothing is written then.
    pub fn run(&self, source: &[S::Unit], destination: &mut [D::Unit]) -> Result<(), LayoutError> {
        self.check_lengths(source.len(), destination.len())?;
        let converter = layout_kernels::converter::<Elements<S, D>>();
        // SAFETY: the converter is one for this CPU, and the lengths are those of the plan, as checked above.
        unsafe { convert_with(converter, self, source, destination) };
        Ok(())
    }
}

/// [`ConversionPlan::run`] for the derive: elements that are not numbers are an error of this bound alone.
///
/// # Errors
/// The same.
pub fn run_conversion_of_slices<S: Number, D: Number>(
    plan: &ConversionPlan<'_, S, D>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) -> Result<(), LayoutError> {
    plan.run(source, destination)
}

/// A relayout between static layouts with a conversion, as `#[derive(Relayout)]` generates it.
pub trait Converts<S: 'static, D: 'static> {
    /// How the tensor is moved and its elements are converted.
    const PLAN: &'static ConversionPlan<'static, S, D>;
}

/// Returns the plan between two layout types, or `None` if some of their extents are known only at run time. Mistakes
/// that do not depend on those extents are compile errors.
#[track_caller]
pub const fn checked_conversion_plan<Source, Destination>(
    conversion: &Conversion<'static>,
) -> Option<ConversionPlan<'static, Source::Element, Destination::Element>>
where
    Source: LayoutType<Element: Number>,
    Destination: LayoutType<Element: Number>,
{
    let checked = match (Source::STATIC, Destination::STATIC) {
        (Some(source), Some(destination)) => {
            match CheckedPair::new::<Source::Element, Destination::Element>(
                &source,
                &destination,
                conversion,
            ) {
                Ok(checked) => Ok(Some(checked)),
                Err(error) => Err(error),
            }
        }
        _ => match check_axes::<Source, Destination>() {
            Ok(()) => Ok(None),
            Err(error) => Err(error),
        },
    };
    match checked {
        Ok(Some(checked)) => Some(ConversionPlan::of(checked)),
        Ok(None) => None,
        Err(error) => error.panic_in_type(),
    }
}

/// Moves and converts a tensor between arrays, whose types have the right lengths, so it cannot fail.
#[inline]
pub fn run_conversion_of_arrays<C, S, D, const SOURCE: usize, const DESTINATION: usize>(
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
    // SAFETY: the lengths are those of the plan, as checked above.
    unsafe { run_static::<C, S, D>(source, destination) };
}

/// Moves and converts one tensor to another, over any buffers.
///
/// # Panics
/// If a buffer has become shorter since its tensor was made. Arrays and slices never do.
#[inline]
#[track_caller]
pub fn run_conversion<P, L, M, B, C>(source: &Tensor<L, B>, destination: &mut Tensor<M, C>)
where
    P: Converts<L::Element, M::Element>,
    L: LayoutType<Element: Number>,
    M: LayoutType<Element: Number>,
    B: AsRef<[UnitOf<L>]>,
    C: AsRef<[UnitOf<M>]> + AsMut<[UnitOf<M>]>,
{
    let (source, destination) = (source.buffer(), destination.buffer_mut());
    const { Lengths::of(&P::PLAN.checked.pair) }.expect(source.len(), destination.len());
    // SAFETY: the lengths are those of the plan, as checked above.
    unsafe { run_static::<P, L::Element, M::Element>(source, destination) };
}

/// Runs the conversion between static layouts.
///
/// # Safety
/// The lengths must be those of the plan.
#[inline]
unsafe fn run_static<C: Converts<S, D>, S: Number, D: Number>(
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    let converter = layout_kernels::converter::<Elements<S, D>>();
    // SAFETY: the converter is one for this CPU; the lengths are the caller's promise.
    let mut run = unsafe { Run::of(converter, C::PLAN, source, destination) };
    match static_passes::<C, S, D>() {
        Some(passes) => run.passes(passes.iter().flatten()),
        None => run.all_passes(C::PLAN),
    }
}

/// The passes of a conversion between static layouts on each instruction set.
struct PassesOn<C, S, D, const ISA: usize>(PhantomData<(C, S, D)>);

impl<C: Converts<S, D>, S: Number, D: Number, const ISA: usize> PassesOn<C, S, D, ISA> {
    /// The number of passes; 0 if it is more than [`FEW`](super::passes::FEW).
    const COUNT: usize = match C::PLAN.all_passes(Isa::ALL[ISA]).few() {
        Some(few) => count(&few),
        None => 0,
    };

    const FEW: [Option<Pass>; FEW] = match C::PLAN.all_passes(Isa::ALL[ISA]).few() {
        Some(few) => few,
        None => [None; FEW],
    };

    /// The passes; `None` if there are more.
    const PASSES: Option<&'static [Option<Pass>]> = match Self::COUNT {
        0 => None,
        1 => Some(FirstOn::<C, S, D, ISA, 1>::PASSES),
        2 => Some(FirstOn::<C, S, D, ISA, 2>::PASSES),
        3 => Some(FirstOn::<C, S, D, ISA, 3>::PASSES),
        _ => Some(FirstOn::<C, S, D, ISA, FEW>::PASSES),
    };
}

/// The first `COUNT` passes. The program has no others: on a microcontroller, each takes 3 KiB of flash.
struct FirstOn<C, S, D, const ISA: usize, const COUNT: usize>(PhantomData<(C, S, D)>);

impl<C: Converts<S, D>, S: Number, D: Number, const ISA: usize, const COUNT: usize>
    FirstOn<C, S, D, ISA, COUNT>
{
    const PASSES: &'static [Option<Pass>; COUNT] = &{
        let mut first = [None; COUNT];
        let mut i = 0;
        while i < COUNT {
            first[i] = PassesOn::<C, S, D, ISA>::FEW[i];
            i += 1;
        }
        first
    };
}

/// Returns the passes of a conversion between static layouts on this CPU, if there are few.
#[inline]
fn static_passes<C: Converts<S, D>, S: Number, D: Number>() -> Option<&'static [Option<Pass>]> {
    macro_rules! on {
        ($isa:expr) => {
            const { PassesOn::<C, S, D, { $isa as usize }>::PASSES }
        };
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    return match Isa::best() {
        Isa::Portable | Isa::Sse2 => on!(Isa::Sse2),
        Isa::Avx2 => on!(Isa::Avx2),
        Isa::Avx512 => on!(Isa::Avx512),
        _ => on!(Isa::Avx512Vbmi),
    };
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    on!(Isa::compiled())
}

/// [`ConversionPlan::run`] with one converter.
///
/// # Safety
/// The CPU must have the features of the converter, and the lengths must be those of the plan.
pub(super) unsafe fn convert_with<S: Number, D: Number>(
    converter: Converter<Elements<S, D>>,
    plan: &ConversionPlan<'_, S, D>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    // SAFETY: the caller's promise.
    let mut run = unsafe { Run::of(converter, plan, source, destination) };
    match plan.kept() {
        [] => run.all_passes(plan),
        passes => run.passes(passes.iter()),
    }
}

/// A scratch buffer for a tile, aligned to a cache line.
#[repr(align(64))]
struct TileScratch([u64; SCRATCH / 8]);

impl TileScratch {
    /// A constant: a debug build would make a value elsewhere on the stack, and copy it.
    const ZERO: Self = Self([0; SCRATCH / 8]);
}

/// The state that stays the same from pass to pass.
struct Run<'a, S: Number, D: Number> {
    converter: Converter<Elements<S, D>>,
    source: &'a [S::Unit],
    destination: &'a mut [D::Unit],
    periods: Periods<'a, Exact<S, D>>,
    /// The kind of stores: non-temporal or not.
    stores: Stores,
}

impl<'a, S: Number, D: Number> Run<'a, S, D> {
    /// Prepares the passes: fills the padding.
    ///
    /// # Safety
    /// The same as [`convert_with`].
    unsafe fn of(
        converter: Converter<Elements<S, D>>,
        plan: &'a ConversionPlan<'_, S, D>,
        source: &'a [S::Unit],
        destination: &'a mut [D::Unit],
    ) -> Self {
        let CheckedPair { pair, conversion, stores, padding } = &plan.checked;
        debug_assert_eq!(source.len(), pair.source().units());
        debug_assert_eq!(destination.len(), pair.destination().units());
        if let Some(padding) = padding {
            fill_padding(padding, pair.destination(), destination);
        }
        let periods = Periods::new(conversion);
        Self { converter, source, destination, periods, stores: *stores }
    }

    /// Runs these passes. Not inlined, so that the scratch buffer is not on the stack where there are none.
    #[inline(never)]
    fn passes<'p>(&mut self, passes: impl Iterator<Item = &'p Pass>) {
        let mut scratch = TileScratch::ZERO;
        passes.for_each(|pass| self.pass(pass, &mut scratch));
        self.stores.finish();
    }

    /// Computes and runs all passes. Between swizzled layouts there are no passes, and elements are moved one by one.
    #[inline(never)]
    fn all_passes(&mut self, plan: &ConversionPlan<'_, S, D>) {
        let CheckedPair { pair, conversion, .. } = &plan.checked;
        if pair.is_swizzled() {
            return convert_elements::<S, D>(pair, conversion, self.source, self.destination);
        }
        let mut passes = plan.all_passes(Isa::best());
        let mut pass = Pass::ONE;
        while passes.set_next(&mut pass) {
            self.one_pass(&pass);
        }
        self.stores.finish();
    }

    /// Runs a pass with a scratch buffer of its own, so that none is on the stack while the next pass is planned.
    #[inline(never)]
    fn one_pass(&mut self, pass: &Pass) {
        let mut scratch = TileScratch::ZERO;
        self.pass(pass, &mut scratch);
    }

    fn pass(&mut self, pass: &Pass, scratch: &mut TileScratch) {
        let gathered = match pass.gather {
            None => 0,
            Some(_) => pass.elements * size_of::<S::Held>(),
        };
        let (from, to) = scratch.0.split_at_mut(gathered.next_multiple_of(LINE) / 8);
        let (from, to) = (cast_slice_mut(from), cast_slice_mut(to));
        pass.tiles.each(|tile| {
            self.gather(pass, tile.source, from);
            self.convert(pass, tile, from, to);
            self.scatter(pass, tile.destination, to);
        });
    }

    /// Gathers the tile that begins at `start` of the source.
    fn gather(&self, pass: &Pass, start: usize, scratch: &mut [S::Held]) {
        match &pass.gather {
            None => {}
            Some(Tile { plan: Some(plan), before, .. }) => {
                let from = (start - before) * size_of::<S::Held>();
                let from = as_bytes(self.source).get(from..).unwrap_or(&[]);
                let done = plan.run_unfenced(from, as_bytes_mut(scratch));
                debug_assert!(done, "a tile holds coordinates of the source, and fits the scratch");
            }
            Some(tile) => work_on_best(ReadTile::<S> { tile, start, source: self.source, scratch }),
        }
    }

    /// Converts a tile, run by run.
    fn convert(&mut self, pass: &Pass, tile: Place, from: &[S::Held], to: &mut [D::Held]) {
        let mut start = tile;
        let input = match pass.gather {
            None => same_units(self.source),
            Some(_) => {
                start.source = 0;
                from
            }
        };
        let output = match pass.scatter {
            None => same_units_mut(self.destination),
            Some(_) => {
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
                source_step: rows.strides[0],
                destination: place.destination,
                destination_step: rows.strides[1],
                ahead: self.stores != Stores::Cached && pass.gather.is_none(),
            };
            let arithmetic = self.periods.arithmetic::<S, D>(place.parameter, rows, period);
            // SAFETY: the CPU has the features of the converter, by the promise of `of`.
            unsafe { (self.converter)(&runs, &arithmetic, input, output) }
        }
    }

    /// Scatters the tile to `start` of the destination.
    fn scatter(&mut self, pass: &Pass, start: usize, scratch: &[D::Held]) {
        match &pass.scatter {
            None => {}
            Some(Tile { plan: Some(plan), before, .. }) => {
                let to = (start - before) * size_of::<D::Held>();
                let to = as_bytes_mut(self.destination).get_mut(to..).unwrap_or(&mut []);
                let done = plan.run_unfenced(as_bytes(scratch), to);
                debug_assert!(done, "a tile holds coordinates of the destination");
            }
            Some(tile) => {
                let destination = &mut *self.destination;
                work_on_best(WriteTile::<D> { tile, start, scratch, destination })
            }
        }
    }
}

/// Reads a tile that no kernel moves, run by run.
struct ReadTile<'a, S: Number> {
    tile: &'a Tile,
    start: usize,
    source: &'a [S::Unit],
    scratch: &'a mut [S::Held],
}

impl<S: Number> Work for ReadTile<'_, S> {
    #[inline(always)]
    fn run(self) {
        let start = Place { source: self.start, destination: 0, parameter: 0 };
        let mut places = self.tile.places(start);
        while let Some(place) = places.next() {
            let run = &mut self.scratch[place.destination..][..self.tile.run];
            read_run::<S>(self.source, place.source, run);
        }
    }
}

/// Writes a tile that no kernel moves, run by run.
struct WriteTile<'a, D: Number> {
    tile: &'a Tile,
    start: usize,
    scratch: &'a [D::Held],
    destination: &'a mut [D::Unit],
}

impl<D: Number> Work for WriteTile<'_, D> {
    #[inline(always)]
    fn run(self) {
        let start = Place { source: 0, destination: self.start, parameter: 0 };
        let mut places = self.tile.places(start);
        while let Some(place) = places.next() {
            let run = &self.scratch[place.source..][..self.tile.run];
            write_run::<D>(run, self.destination, place.destination);
        }
    }
}
