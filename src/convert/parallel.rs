//! Conversions on several threads.

use layout_kernels::{Isa, LEAST_PART};
use layout_types::spec::{LayoutError, MAX_RANK};
use layout_types::{Layout, Number};

use super::element_loops::Elements;
use super::pass::Pass;
use super::plan::{CheckedPair, ConversionPlan};
use super::run::Run;

impl<S, D> ConversionPlan<'_, S, D>
where
    S: Number<Unit: Sync>,
    D: Number<Unit: Send>,
{
    /// Does what [`run`](Self::run) does, on all threads of rayon's pool.
    ///
    /// Each thread takes some coordinates of the slowest axes of the destination, and at least 512 KiB of the larger
    /// elements. The calling thread alone converts a smaller tensor, and one whose parts would share bytes, lie between
    /// others or backwards, begin inside a block, or are swizzled.
    ///
    /// # Errors
    /// The same as [`run`](Self::run).
    pub fn par_run(
        &self,
        source: &[S::Unit],
        destination: &mut [D::Unit],
    ) -> Result<(), LayoutError> {
        self.par_run_in_parts(LEAST_PART, source, destination)
    }

    /// [`par_run`](Self::par_run) in parts of at least `least_part` bytes, which tests choose small.
    #[doc(hidden)]
    pub fn par_run_in_parts(
        &self,
        least_part: usize,
        source: &[S::Unit],
        destination: &mut [D::Unit],
    ) -> Result<(), LayoutError> {
        self.check_lengths(source.len(), destination.len())?;
        let least = 2 * least_part.max(1);
        let (checked, starts) = (CheckedPair { padding: None, ..self.checked }, [0; MAX_RANK]);
        let whole = self.destination();
        let part = ConvertedPart::<S, D> { whole, checked, starts, source, destination, before: 0 };
        if checked.pair.is_swizzled() || part.cut(least).is_none() {
            return self.run(source, destination);
        }
        self.checked.fill(part.destination);
        part.run(least);
        Ok(())
    }
}

/// The conversion of some coordinates.
struct ConvertedPart<'a, S: Number, D: Number> {
    /// The destination with all coordinates.
    whole: &'a Layout,
    checked: CheckedPair<'a>,
    /// The first coordinate of each axis of the destination.
    starts: [usize; MAX_RANK],
    source: &'a [S::Unit],
    /// The units from the first element of the part on, and how many elements are before them.
    destination: &'a mut [D::Unit],
    before: usize,
}

impl<S, D> ConvertedPart<'_, S, D>
where
    S: Number<Unit: Sync>,
    D: Number<Unit: Send>,
{
    /// Converts the part, in two halves if it has at least this number of bytes.
    fn run(self, least: usize) {
        let Some((axis, count, end)) = self.cut(least) else { return self.run_passes() };
        let Self { whole, checked, starts, source, destination, before } = self;
        let rest = checked.pair.destination().extent(axis) - count;
        let narrowed = |from, count| {
            let pair = checked.pair.narrowed(axis, from, count).unwrap_or(checked.pair);
            let mut starts = starts;
            starts[axis] += from;
            (CheckedPair { pair, ..checked }, starts)
        };
        let (((low, first), (high, second)), units) = (
            (narrowed(0, count), narrowed(count, rest)),
            (end - before) * D::TYPE.bits() / 8 / size_of::<D::Unit>(),
        );
        let (left, right) = destination.split_at_mut(units);
        let low = ConvertedPart::<S, D> {
            whole,
            checked: low,
            starts: first,
            source,
            destination: left,
            before,
        };
        let (checked, starts, destination) = (high, second, right);
        let high =
            ConvertedPart::<S, D> { whole, checked, starts, source, destination, before: end };
        rayon::join(|| low.run(least), || high.run(least));
    }

    fn run_passes(self) {
        let plan = ConversionPlan::<S, D>::of(self.checked);
        let parameters = plan.conversion().axis_in(plan.destination());
        let converter = layout_kernels::converter::<Elements<S, D>>(Isa::best());
        // SAFETY: the converter is one for this CPU. The source has the length of the plan, and the destination those
        // units of it from the first element of the part on.
        let mut run = unsafe { Run::of(converter, &plan, self.source, self.destination) };
        let (mut passes, mut pass) = (plan.all_passes(Isa::best()), Pass::ONE);
        while passes.set_next(&mut pass) {
            pass.tiles.start.destination -= self.before;
            pass.tiles.start.parameter += parameters.map_or(0, |axis| self.starts[axis]);
            run.passes([&pass].into_iter());
        }
    }

    /// The axis on which the part is cut in two if it has at least this number of bytes, the coordinates of the first half,
    /// and the first element of the second one in the whole destination: one after all elements of the first half, in
    /// a byte of its own.
    fn cut(&self, least: usize) -> Option<(usize, usize, usize)> {
        let own = self.checked.pair.destination();
        let bits = S::TYPE.bits().max(D::TYPE.bits());
        if own.numel().saturating_mul(bits) / 8 < least {
            return None;
        }
        let digits = self.whole.digits();
        // Where an axis begins inside a block, halves may lie between one another.
        if digits.iter().any(|own| own.shift > 0) {
            return None;
        }
        let mut slower = digits.as_slice();
        while let [digit, faster @ ..] = slower {
            let (axis, weight) = (digit.axis, digit.weight);
            let start = self.starts[axis];
            let [first, last] = [start, start + own.extent(axis) - 1].map(|own| own / weight);
            slower = faster;
            // Slower digits have one value in a half.
            if first == last {
                continue;
            }
            let reach = faster.iter().try_fold(0usize, |reach, own| {
                let stride = usize::try_from(own.stride).ok()?;
                reach.checked_add(stride.checked_mul(own.size - 1)?)
            })?;
            let is_after = usize::try_from(digit.stride).is_ok_and(|stride| stride > reach);
            if !is_after || first / digit.size != last / digit.size {
                return None;
            }
            let mut half = self.starts;
            half[axis] = (first + (last - first).div_ceil(2)) * weight;
            let end = self.whole.offset(&half[..own.rank()]);
            let is_whole = end * D::TYPE.bits() % 8 == 0;
            return is_whole.then_some((axis, half[axis] - start, end));
        }
        None
    }
}
