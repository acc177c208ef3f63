//! The plan of a relayout: what is checked once, before anything moves.

use core::fmt;

use bytemuck::Pod;

use super::boxes::Boxes;
use super::classify;
use super::pair::Pair;
use crate::kernel::{Job, Kernel, unit_from_bits};
use crate::layout::Layout;
use crate::spec::LayoutError;

/// The bytes of source and destination together from which stores go past the caches. Where that
/// begins to pay differs: from 1 to 1.6 MB on one machine, from about 16 MiB on another with a
/// larger last level cache. Too late costs less than too early, which leaves a result that is about
/// to be used out of the caches.
const STREAM_FROM: usize = 16 << 20;

/// How to move a tensor from a source layout to a destination layout of the same axes, extents
/// and elements.
///
/// A `Copy` value that a `const fn` makes, so that the plan between two static layouts is a
/// constant. A plan can be run any number of times.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) pair: Pair,
    /// Whether to store past the caches.
    pub(super) stream: bool,
    /// The jobs of all boxes, where there are so few; `None` elsewhere.
    pub(super) jobs: Option<Jobs>,
}

/// The jobs of a relayout that has few.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jobs {
    list: [Option<Job>; Self::CAPACITY],
}

impl Jobs {
    pub(super) const CAPACITY: usize = 4;

    /// The jobs of `plan`, or `None` where there are too many.
    const fn of(plan: &Plan) -> Option<Self> {
        let mut jobs = Self { list: [None; Self::CAPACITY] };
        let mut boxes = Boxes::new(&plan.pair, None);
        let mut count = 0;
        while let Some(nest) = boxes.next() {
            let bits = plan.pair.source.element().bits();
            let Some((job, last)) = classify::jobs(&nest, bits, plan.stream) else { return None };
            if count + 1 + last.is_some() as usize > Self::CAPACITY {
                return None;
            }
            jobs.list[count] = Some(job);
            count += 1;
            if last.is_some() {
                jobs.list[count] = last;
                count += 1;
            }
        }
        if count == 1 {
            if let Some(job) = &jobs.list[0] {
                if let Some(padded) = classify::padded(job, &plan.pair.destination) {
                    jobs.list[0] = Some(padded);
                }
            }
        }
        Some(jobs)
    }

    /// The jobs.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Job> {
        self.list.iter().flatten()
    }
}

impl Plan {
    /// The plan from `source` to `destination`. Axes are matched by letter, so coordinate orders
    /// may differ.
    ///
    /// # Errors
    /// Different axes, extents or element types; a destination in which coordinates share an
    /// element.
    pub const fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        let pair = match Pair::new(source, destination) {
            Ok(pair) => pair,
            Err(error) => return Err(error),
        };
        if !source.element().same(destination.element()) {
            return Err(LayoutError::RelayoutElement {
                source: source.element(),
                destination: destination.element(),
            });
        }
        let stream = source.moved_bytes().saturating_add(destination.moved_bytes()) > STREAM_FROM;
        let mut plan = Self { pair, stream, jobs: None };
        plan.jobs = Jobs::of(&plan);
        Ok(plan)
    }

    /// The same plan, with stores that go past the caches or do not. A new plan stores past them
    /// where source and destination together take more than 16 MiB: that is faster from there on,
    /// and leaves the result out of the caches.
    pub const fn streaming(mut self, stream: bool) -> Self {
        self.stream = stream;
        self.jobs = Jobs::of(&self);
        self
    }

    /// What padding is filled with before the jobs run, unless there is none or they fill it.
    pub(super) const fn fill<U: Pod>(&self) -> Option<U> {
        let job_fills = matches!(self.job(0), Some(Job { kernel: Kernel::Pad(_), .. }));
        if job_fills || !self.pair.destination.has_padding() {
            return None;
        }
        Some(unit_from_bits(self.pair.destination.unit_of_fill()))
    }

    /// Job number `index`, where the plan has few.
    pub(super) const fn job(&self, index: usize) -> Option<Job> {
        match &self.jobs {
            Some(jobs) if index < Jobs::CAPACITY => jobs.list[index],
            _ => None,
        }
    }

    /// The layout that is read.
    pub const fn source(&self) -> &Layout {
        &self.pair.source
    }

    /// The layout that is written.
    pub const fn destination(&self) -> &Layout {
        &self.pair.destination
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

/// The two layouts, then each job: its kernel and the loops around it, slowest first.
///
/// ```text
/// NCHW<1, 64, 56, 56>, f16 -> NHWC<1, 64, 56, 56>, f16: 401408 bytes
///   transpose 64 rows by 3136 columns of 2 bytes
/// ```
impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pair { source, destination, .. } = &self.pair;
        write!(formatter, "{source} -> {destination}: {} bytes", destination.moved_bytes())?;
        if self.stream {
            formatter.write_str(", stored past the caches")?;
        }
        match &self.jobs {
            Some(jobs) => jobs.iter().try_for_each(|job| write!(formatter, "\n  {job}")),
            None => formatter.write_str("\n  element by element, or in more than four boxes"),
        }
    }
}
