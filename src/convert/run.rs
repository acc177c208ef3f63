//! Runs the plan of a relayout between element types.

use core::marker::PhantomData;

use layout_kernels::{Converter, Isa, Runs, Stores, Work, work_on_best};
use layout_types::nests::{Place, Places};
use layout_types::numbers::{Arithmetic, Exact, Number, convert_elements, read_run, write_run};
use layout_types::plain;
use layout_types::spec::LayoutError;
use layout_types::{Conversion, LayoutType, UnitOf};

use super::element_loops::Elements;
use super::pass::{Pass, SCRATCH, Tile, TileScratch};
use super::passes::{FEW, count};
use super::periods::Periods;
use super::plan::{CheckedPair, ConversionPlan, Converts};
use super::tiny::Tiny;
use crate::buffers::Lengths;
use crate::relayout::check_axes;
use crate::tensor::Tensor;

impl<S: Number, D: Number> ConversionPlan<'_, S, D> {
    /// Moves a tensor from `source` to `destination` and converts its elements on the way. It needs no intermediate
    /// tensor.
    ///
    /// Lengths count units: elements, or bytes for elements of less than a byte. The conversion fills the padding of
    /// the destination as its layout declares, ignores padding of the source, and leaves gaps between explicit strides
    /// unchanged.
    ///
    /// The function keeps one tile on the stack: 16 KiB with feature `std`, 4 KiB without it, and 256 bytes
    /// without an operating system. In all it takes at most 48 KiB of stack in a release build and 96 KiB in a debug
    /// build, and making the plan no more. With a plan that keeps no passes it takes at most 64 KiB in a release build;
    /// the [guide](crate::guide::stack_and_heap) has the figures of other functions. On a Cortex-M4 it takes at most 10
    /// KiB; [targets](crate::guide::targets#firmware) has what derived relayouts take.
    ///
    /// # Errors
    /// The length of a slice differs from that of its layout. Nothing is written then.
    pub fn run(&self, source: &[S::Unit], destination: &mut [D::Unit]) -> Result<(), LayoutError> {
        self.check_lengths(source.len(), destination.len())?;
        let converter = layout_kernels::converter::<Elements<S, D>>(Isa::best());
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
    // A constant, so that the constants of the other function are not evaluated.
    let run = const {
        match Tiny::<C, S, D>::LOOPS {
            Some(_) => Tiny::<C, S, D>::run as unsafe fn(&[S::Unit], &mut [D::Unit]),
            None => run_passes::<C, S, D>,
        }
    };
    // SAFETY: the caller's promise.
    unsafe { run(source, destination) }
}

/// Runs the passes of a conversion between static layouts with the best instruction set.
///
/// # Safety
/// The lengths must be those of the plan.
#[inline]
unsafe fn run_passes<C: Converts<S, D>, S: Number, D: Number>(
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    macro_rules! run_on {
        ($isa:expr) => {{
            let run = const { PassesOn::<C, S, D, { $isa as usize }>::RUN };
            // SAFETY: the CPU has the instruction set; the lengths are the caller's promise.
            unsafe { run(source, destination) }
        }};
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    match Isa::best() {
        Isa::Portable | Isa::Sse2 => run_on!(Isa::Sse2),
        Isa::Avx2 => run_on!(Isa::Avx2),
        Isa::Avx512 => run_on!(Isa::Avx512),
        _ => run_on!(Isa::Avx512Vbmi),
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    run_on!(Isa::compiled())
}

/// The passes of a conversion between static layouts on each instruction set.
struct PassesOn<C, S, D, const ISA: usize>(PhantomData<(C, S, D)>);

impl<C: Converts<S, D>, S: Number, D: Number, const ISA: usize> PassesOn<C, S, D, ISA> {
    const ALL: Option<[Option<Pass>; FEW]> = C::PLAN.all_passes(Isa::ALL[ISA]).few();

    /// The number of passes; 0 if it is more than [`FEW`](super::passes::FEW).
    const COUNT: usize = match &Self::ALL {
        Some(few) => count(few),
        None => 0,
    };

    const CONVERTER: Converter<Elements<S, D>> =
        layout_kernels::converter::<Elements<S, D>>(Isa::ALL[ISA]);

    /// The function that runs the passes.
    const RUN: unsafe fn(&[S::Unit], &mut [D::Unit]) = match Self::COUNT {
        0 => Self::run_any,
        1 => Self::run::<1>,
        2 => Self::run::<2>,
        3 => Self::run::<3>,
        _ => Self::run::<FEW>,
    };

    /// Runs passes that are found when it runs.
    ///
    /// # Safety
    /// The CPU must have the instruction set, and the lengths must be those of the plan.
    unsafe fn run_any(source: &[S::Unit], destination: &mut [D::Unit]) {
        // SAFETY: the caller's promise.
        unsafe { Run::of(Self::CONVERTER, C::PLAN, source, destination) }.all_passes(C::PLAN);
    }

    /// Runs the first `COUNT` passes.
    ///
    /// # Safety
    /// The same as [`run_any`](Self::run_any).
    #[inline]
    unsafe fn run<const COUNT: usize>(source: &[S::Unit], destination: &mut [D::Unit]) {
        // SAFETY: the caller's promise.
        let mut run = unsafe { Run::of(Self::CONVERTER, C::PLAN, source, destination) };
        run.passes(const { FirstOn::<C, S, D, ISA, COUNT>::PASSES }.iter().flatten());
    }
}

/// The first `COUNT` passes. The program has no others: on a microcontroller, each takes 3 KiB of flash.
struct FirstOn<C, S, D, const ISA: usize, const COUNT: usize>(PhantomData<(C, S, D)>);

impl<C: Converts<S, D>, S: Number, D: Number, const ISA: usize, const COUNT: usize>
    FirstOn<C, S, D, ISA, COUNT>
{
    const PASSES: &'static [Option<Pass>; COUNT] = &{
        let mut first = [None; COUNT];
        layout_types::each!(i, 0..COUNT, {
            if let Some(few) = &PassesOn::<C, S, D, ISA>::ALL {
                first[i] = few[i];
            }
        });
        first
    };
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

/// The state that stays the same from pass to pass.
pub(super) struct Run<'a, S: Number, D: Number> {
    kernel: Kernel<'a, S, D>,
    source: &'a [S::Unit],
    destination: &'a mut [D::Unit],
}

/// A converter with its parameters.
struct Kernel<'a, S: Number, D: Number> {
    converter: Converter<Elements<S, D>>,
    periods: Periods<'a, Exact<S, D>>,
    /// The kind of stores: non-temporal or not.
    stores: Stores,
}

impl<S: Number, D: Number> Kernel<'_, S, D> {
    /// Converts the runs of a pass that begin at `start`.
    #[inline(always)]
    fn convert(&mut self, pass: &Pass, start: Place, input: &[S::Held], output: &mut [D::Held]) {
        let Pass { rows, period, periods, gather, .. } = pass;
        let runs = Runs {
            count: rows.size,
            length: period.size * periods,
            source: start.source,
            source_step: rows.strides[0],
            destination: start.destination,
            destination_step: rows.strides[1],
            ahead: self.stores != Stores::Cached && gather.is_none(),
        };
        let arithmetic = self.periods.arithmetic::<S, D>(start.parameter, rows, period);
        // SAFETY: the CPU has the features of the converter, by the promise of `Run::of`.
        unsafe { (self.converter)(&runs, &arithmetic, input, output) }
    }
}

impl<'a, S: Number, D: Number> Run<'a, S, D> {
    /// Prepares the passes: fills the padding.
    ///
    /// # Safety
    /// The same as [`convert_with`].
    pub(super) unsafe fn of(
        converter: Converter<Elements<S, D>>,
        plan: &'a ConversionPlan<'_, S, D>,
        source: &'a [S::Unit],
        destination: &'a mut [D::Unit],
    ) -> Self {
        let CheckedPair { pair, conversion, stores, .. } = &plan.checked;
        debug_assert_eq!(source.len(), pair.source().units());
        debug_assert!(destination.len() <= pair.destination().units());
        plan.checked.fill(destination);
        let kernel = Kernel { converter, periods: Periods::new(conversion), stores: *stores };
        Self { kernel, source, destination }
    }

    #[inline(always)]
    pub(super) fn passes<'p>(&mut self, passes: impl Iterator<Item = &'p Pass>) {
        passes.for_each(|pass| self.one_pass(pass));
        self.kernel.stores.finish();
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
        self.kernel.stores.finish();
    }

    /// Runs a pass with a scratch buffer of about the size that it needs: to clear the largest takes longer than to
    /// convert a small tensor.
    #[inline(always)]
    fn one_pass(&mut self, pass: &Pass) {
        const LEAST: usize = 256;
        const LITTLE: usize = 2 << 10;
        let bytes = if self.spreads(pass) { 0 } else { pass.scratch::<S, D>() };
        if bytes == 0 {
            self.pass(pass, &mut []);
        } else if SCRATCH == LEAST || bytes <= LEAST {
            let mut scratch = TileScratch::<{ LEAST / 8 }>::ZERO;
            self.pass(pass, &mut scratch.0);
        } else if bytes <= LITTLE {
            self.pass_in::<{ LITTLE / 8 }>(pass);
        } else {
            self.pass_in::<{ SCRATCH / 8 }>(pass);
        }
    }

    /// Runs a pass with a scratch buffer. Not inlined, so that none is on the stack while the next pass is planned.
    #[inline(never)]
    fn pass_in<const WORDS: usize>(&mut self, pass: &Pass) {
        let mut scratch = TileScratch::<WORDS>::ZERO;
        self.pass(pass, &mut scratch.0);
    }

    #[inline(always)]
    fn pass(&mut self, pass: &Pass, scratch: &mut [u64]) {
        let (from, to) = scratch.split_at_mut((pass.gathered::<S>() / 8).min(scratch.len()));
        let (from, to) = (plain::cast_mut(from), plain::cast_mut(to));
        match pass.is_one_call() {
            true => self.tile(pass, pass.tiles.start, from, to),
            false => self.tiles(pass, from, to),
        }
    }

    #[inline(never)]
    fn tiles(&mut self, pass: &Pass, from: &mut [S::Held], to: &mut [D::Held]) {
        pass.tiles.each(|tile| self.tile(pass, tile, from, to));
    }

    #[inline(always)]
    fn tile(&mut self, pass: &Pass, tile: Place, from: &mut [S::Held], to: &mut [D::Held]) {
        if let (true, true, Some(own)) =
            (const { Elements::<S, D>::ARE_BYTES }, from.is_empty(), &pass.gather)
        {
            return self.spread(own, tile, pass.elements);
        }
        self.gather(pass, tile.source, from);
        self.convert(pass, tile, from, to);
        self.scatter(pass, tile.destination, to);
    }

    /// Whether tiles are cast without the scratch buffer: the byte of each element is its element of the destination.
    #[inline(always)]
    fn spreads(&mut self, pass: &Pass) -> bool {
        let Pass { rows, period, .. } = pass;
        pass.runs().is_empty()
            && const { Elements::<S, D>::ARE_BYTES }
            && matches!((&pass.gather, &pass.scatter, rows.size), (Some(_), None, 1))
            && matches!(self.kernel.periods.arithmetic::<S, D>(0, rows, period), Arithmetic::Cast)
    }

    fn spread(&mut self, tile: &Tile, Place { source, destination, .. }: Place, elements: usize) {
        let to: &mut [S::Held] = plain::cast_mut(plain::as_bytes_mut(self.destination));
        let scratch = &mut to[destination..][..elements];
        work_on_best(ReadTile::<S> { tile, start: source, source: self.source, scratch });
    }

    /// Gathers the tile that begins at `start` of the source.
    fn gather(&self, pass: &Pass, start: usize, scratch: &mut [S::Held]) {
        match &pass.gather {
            None => {}
            Some(Tile { plan: Some(plan), before, .. }) => {
                let from = (start - before) * size_of::<S::Held>();
                let from = plain::as_bytes(self.source).get(from..).unwrap_or(&[]);
                let done = plan.run_unfenced(from, plain::as_bytes_mut(scratch));
                debug_assert!(done, "a tile holds coordinates of the source, and fits the scratch");
            }
            Some(tile) => work_on_best(ReadTile::<S> { tile, start, source: self.source, scratch }),
        }
    }

    /// Converts a tile, run by run.
    #[inline(always)]
    fn convert(&mut self, pass: &Pass, tile: Place, from: &[S::Held], to: &mut [D::Held]) {
        let mut start = tile;
        let input = match pass.gather {
            None => plain::same(self.source),
            Some(_) => {
                start.source = 0;
                from
            }
        };
        let output = match pass.scatter {
            None => plain::same_mut(self.destination),
            Some(_) => {
                start.destination = 0;
                to
            }
        };
        if pass.runs().is_empty() {
            return self.kernel.convert(pass, start, input, output);
        }
        let mut places = Places::new(pass.runs(), start);
        while let Some(place) = places.next() {
            self.kernel.convert(pass, place, input, output);
        }
    }

    /// Scatters the tile to `start` of the destination.
    fn scatter(&mut self, pass: &Pass, start: usize, scratch: &[D::Held]) {
        match &pass.scatter {
            None => {}
            Some(Tile { plan: Some(plan), before, .. }) => {
                let to = (start - before) * size_of::<D::Held>();
                let to = plain::as_bytes_mut(self.destination).get_mut(to..).unwrap_or(&mut []);
                let done = plan.run_unfenced(plain::as_bytes(scratch), to);
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
