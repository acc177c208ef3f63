//! The axes of a copy as loops: sorted, merged where they are adjacent on both sides, and checked.

use layout_kernels::{Loop, Side};
use layout_types::spec::{LayoutError, MAX_RANK, Rule};
use layout_types::{ElementType, Layout};

use super::error::{MAX_AXES, StridedError};

/// A shape with the strides of one side, and the offset of the element whose indices are all 0. Both count bytes, or
/// elements of less than a byte.
#[derive(Clone, Copy)]
pub(super) struct StridedSide<'a> {
    pub(super) side: Side,
    pub(super) offset: usize,
    pub(super) strides: &'a [isize],
    /// What offsets and strides are multiplied by.
    pub(super) scale: usize,
}

/// Loops over units of `unit` bytes, or over elements of less than a byte. Strides of the destination are positive and
/// ascend.
#[derive(Clone, Copy, Debug)]
pub(super) struct StridedLoops {
    all: [Loop; MAX_AXES],
    count: usize,
    pub(super) unit: usize,
    /// Where the unit whose indices are all 0 lies on both sides.
    pub(super) first: (isize, isize),
    /// Where the unit of all first iterations lies on both sides.
    pub(super) source: isize,
    pub(super) destination: isize,
    /// The ranges of both sides: where the first unit begins, and where the last one ends.
    pub(super) source_range: (isize, isize),
    pub(super) destination_range: (isize, isize),
    /// The number of units.
    pub(super) numel: usize,
}

impl StridedLoops {
    /// Returns the loops of a copy of `shape` units.
    pub(super) fn new(
        shape: &[usize],
        unit: usize,
        source: StridedSide<'_>,
        destination: StridedSide<'_>,
    ) -> Result<Self, StridedError> {
        for side in [&source, &destination] {
            if side.strides.len() != shape.len() {
                let (axes, given) = (shape.len(), side.strides.len());
                return Err(StridedError::StrideCount { side: side.side, axes, given });
            }
        }
        let first = (source.start()?, destination.start()?);
        let mut loops = Self {
            all: [Loop::ONCE; MAX_AXES],
            count: 0,
            unit,
            first,
            source: first.0,
            destination: first.1,
            source_range: (0, 0),
            destination_range: (0, 0),
            numel: usize::from(unit > 0),
        };
        if shape.contains(&0) || unit == 0 {
            loops.numel = 0;
            return Ok(loops);
        }
        let axes = shape.iter().filter(|&&extent| extent > 1).count();
        if axes > MAX_AXES {
            return Err(StridedError::TooManyAxes { axes });
        }
        for (axis, &extent) in shape.iter().enumerate().filter(|(_, extent)| **extent > 1) {
            let (from, to) = (source.stride(axis)?, destination.stride(axis)?);
            if to == 0 {
                return Err(StridedError::Broadcast { axis, extent });
            }
            loops.push(extent, (from, to))?;
        }
        loops.merge();
        loops.source_range = loops.range(&source, loops.source, |strided| strided.source)?;
        loops.destination_range =
            loops.range(&destination, loops.destination, |strided| strided.destination)?;
        let too_large = StridedError::TooLarge { side: Side::Destination };
        let all =
            loops.loops().iter().try_fold(1usize, |all, strided| all.checked_mul(strided.size));
        loops.numel = all.ok_or(too_large)?;
        loops.check_overlap(destination.scale)?;
        Ok(loops)
    }

    /// The loops, the one of the smallest destination stride first.
    pub(super) fn loops(&self) -> &[Loop] {
        self.all.get(..self.count).unwrap_or(&[])
    }

    /// Moves the loops of the smallest strides to the front: `count` loops, half of them by their strides in the
    /// destination, the others by those in the source. A kernel moves these, whichever order the axes have on both sides.
    pub(super) fn put_smallest_first(&mut self, count: usize) {
        if let Some(others) = self.all.get_mut(count / 2..self.count) {
            others.sort_unstable_by_key(|strided| strided.source.unsigned_abs());
        }
    }

    /// Inserts a loop. One that goes backwards in the destination starts at its other end.
    fn push(&mut self, size: usize, (from, to): (isize, isize)) -> Result<(), StridedError> {
        let mut new = Loop::new(size, from, to);
        if to < 0 {
            let last = |stride, side| {
                let steps = isize::try_from(size - 1).ok();
                steps
                    .and_then(|steps| steps.checked_mul(stride))
                    .ok_or(StridedError::TooLarge { side })
            };
            let ends = (last(from, Side::Source)?, last(to, Side::Destination)?);
            let end = |start: isize, by, side| {
                start.checked_add(by).ok_or(StridedError::TooLarge { side })
            };
            self.source = end(self.source, ends.0, Side::Source)?;
            self.destination = end(self.destination, ends.1, Side::Destination)?;
            new = Loop::new(size, from.wrapping_neg(), to.wrapping_neg());
        }
        let mut at = self.count;
        while at > 0 && self.all[at - 1].destination > new.destination {
            self.all[at] = self.all[at - 1];
            at -= 1;
        }
        self.all[at] = new;
        self.count += 1;
        Ok(())
    }

    /// Merges loops that are one loop on both sides.
    fn merge(&mut self) {
        let mut kept = 0usize;
        for i in 0..self.count {
            let strided = self.all[i];
            let before = kept.checked_sub(1).map(|before| self.all[before]);
            match before {
                Some(before) if follows(&before, &strided) => {
                    self.all[kept - 1].size = before.size.saturating_mul(strided.size);
                }
                _ => {
                    self.all[kept] = strided;
                    kept += 1;
                }
            }
        }
        self.count = kept;
    }

    /// The range of a side.
    fn range(
        &self,
        of: &StridedSide<'_>,
        start: isize,
        stride: impl Fn(&Loop) -> isize,
    ) -> Result<(isize, isize), StridedError> {
        let side = of.side;
        let too_large = StridedError::TooLarge { side };
        let unit = isize::try_from(self.unit).ok();
        let (mut low, mut high) =
            (start, unit.and_then(|unit| start.checked_add(unit)).ok_or(too_large)?);
        for strided in self.loops() {
            let step = stride(strided);
            if step == 0 {
                continue;
            }
            let steps = isize::try_from(strided.size - 1).map_err(|_| too_large)?;
            let last = steps.checked_mul(step).ok_or(too_large)?;
            let end = if last < 0 { &mut low } else { &mut high };
            *end = end.checked_add(last).ok_or(too_large)?;
        }
        if low < 0 {
            let offset = low / of.scale as isize;
            return Err(StridedError::BeforeStart { side, offset });
        }
        Ok((low, high))
    }

    /// Returns an error if units of the destination overlap. `scale` is that of its strides.
    fn check_overlap(&self, scale: usize) -> Result<(), StridedError> {
        let (mut covered, mut overlap) = (self.unit, None);
        for strided in self.loops() {
            let stride = strided.destination as usize;
            if stride < covered && overlap.is_none() {
                let (extent, stride, span) = (strided.size, stride / scale, covered / scale);
                overlap = Some(StridedError::Overlap { extent, stride, span });
            }
            // The range has been checked, so this does not overflow.
            covered += (strided.size - 1) * stride;
        }
        let Some(overlap) = overlap else { return Ok(()) };
        if self.count >= MAX_RANK {
            return Err(StridedError::Interleaved { axes: self.count });
        }
        // The algebra searches for two coordinates that share a byte.
        match self.layout(|strided| strided.destination) {
            Ok(_) => Ok(()),
            Err(LayoutError(Rule::OverlapUnknown { .. })) => {
                Err(StridedError::Interleaved { axes: self.count })
            }
            Err(_) => Err(overlap),
        }
    }

    /// The layout of one side in bytes, from its first one on. The bytes of a unit are an axis of their own.
    ///
    /// # Errors
    /// - There are more loops than a layout has axes.
    /// - Units overlap, although their loops have strides other than 0.
    pub(super) fn layout(&self, stride: impl Fn(&Loop) -> isize) -> Result<Layout, LayoutError> {
        const LETTERS: &str = "ABCDEFGHIJKLM";
        let (mut extents, mut strides) = ([self.unit; MAX_RANK], [1; MAX_RANK]);
        for ((extent, place), strided) in
            extents.iter_mut().zip(&mut strides).skip(1).zip(self.loops())
        {
            (*extent, *place) = (strided.size, stride(strided));
        }
        let count = self.count + 1;
        // One letter more than a layout takes is its error.
        let letters = LETTERS.get(..count).unwrap_or(LETTERS);
        Layout::from_strides(
            letters,
            extents.get(..count).unwrap_or(&extents),
            strides.get(..count).unwrap_or(&strides),
            ElementType::U8,
        )
    }
}

/// Whether the second loop goes on where the first one ends, on both sides.
fn follows(first: &Loop, second: &Loop) -> bool {
    let end =
        |stride: isize| isize::try_from(first.size).ok().and_then(|size| size.checked_mul(stride));
    end(first.source) == Some(second.source) && end(first.destination) == Some(second.destination)
}

impl StridedSide<'_> {
    /// Where the first unit lies.
    fn start(&self) -> Result<isize, StridedError> {
        let offset = isize::try_from(self.offset);
        self.scaled(offset.map_err(|_| StridedError::TooLarge { side: self.side })?)
    }

    fn scaled(&self, count: isize) -> Result<isize, StridedError> {
        let too_large = StridedError::TooLarge { side: self.side };
        let scale = isize::try_from(self.scale).map_err(|_| too_large)?;
        count.checked_mul(scale).ok_or(too_large)
    }

    /// The stride of an axis, as loops count it.
    fn stride(&self, axis: usize) -> Result<isize, StridedError> {
        self.scaled(self.strides.get(axis).copied().unwrap_or(0))
    }
}
