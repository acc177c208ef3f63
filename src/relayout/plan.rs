//! The plan of a relayout: what is checked once, before anything moves.

use core::fmt;

use bytemuck::Pod;

use layout_kernels::{Job, Stores};
use layout_types::Layout;
use layout_types::nests::{Boxes, Padding, Pair};
use layout_types::spec::{LayoutError, Rule};

use super::lowering;
use crate::buffers::{Lengths, unit_from_bits};

/// How to move a tensor from a source layout to a destination layout of the same axes, extents
/// and elements.
///
/// A `Copy` value that a `const fn` makes, so that the plan between two static layouts is a
/// constant. A plan can be run any number of times.
///
/// What `#[derive(Relayout)]` writes runs without anything that could panic, if its plan is printed as a
/// list of kernels. Plans that are made or run as values look into arrays at checked indices: none is
/// past the end, but the compiler does not know that, so that firmware with such plans holds a panic
/// handler.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) pair: Pair,
    /// Which stores are non-temporal.
    pub(super) stores: Stores,
    /// The jobs of all boxes, where there are so few; `None` elsewhere.
    pub(super) jobs: Option<Jobs>,
    /// The padding that is filled before the jobs run: where there is some, and they do not.
    padding: Option<Padding>,
}

/// The jobs of a relayout that has few.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jobs {
    list: [Option<Job>; Self::CAPACITY],
}

impl Jobs {
    pub(super) const CAPACITY: usize = 4;

    /// The jobs between the layouts of `pair`, or `None` where there are too many. One of them fills the padding,
    /// where one can.
    const fn of(pair: &Pair, stores: Stores, padding: Option<&Padding>) -> Option<Self> {
        let bits = pair.source.element().bits();
        let mut jobs = Self { list: [None; Self::CAPACITY] };
        let mut boxes = Boxes::new(pair, None);
        let mut count = 0;
        while let Some(nest) = boxes.next() {
            let Some((job, last)) = lowering::jobs(nest, bits, stores) else { return None };
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
        let mut i = 0;
        while i < count {
            if let (Some(job), Some(padding)) = (&jobs.list[i], padding) {
                if let Some(padded) = lowering::padded(job, &pair.destination, padding) {
                    jobs.list[i] = Some(padded);
                    break;
                }
            }
            i += 1;
        }
        Some(jobs)
    }

    /// Whether one of them fills the padding.
    const fn fill(&self) -> bool {
        let mut fill = false;
        let mut i = 0;
        while i < Self::CAPACITY {
            if let Some(job) = &self.list[i] {
                fill |= job.fills();
            }
            i += 1;
        }
        fill
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
        let pair = match Pair::of_equal_elements(source, destination) {
            Ok(pair) => pair,
            Err(error) => return Err(error),
        };
        let bytes = source.moved_bytes().saturating_add(destination.moved_bytes());
        Ok(Self::of(pair, Stores::of(bytes)))
    }

    /// The same plan, with non-temporal stores or without. Non-temporal stores leave the result out of the
    /// caches.
    ///
    /// A new plan uses them if source and destination together take at least 16 MiB. A kernel that has no such
    /// stores, or whose destination does not come in whole lines of 64 bytes, stores as without them. Copies of
    /// whole lines may take another order.
    pub const fn streaming(self, stream: bool) -> Self {
        Self::of(self.pair, Stores::when(stream))
    }

    /// The plan with the jobs that it amounts to.
    const fn of(pair: Pair, stores: Stores) -> Self {
        let mut padding = Padding::of(&pair.destination);
        let jobs = Jobs::of(&pair, stores, padding.as_ref());
        if matches!(&jobs, Some(jobs) if jobs.fill()) {
            padding = None;
        }
        Self { pair, stores, jobs, padding }
    }

    /// The padding that is filled before the jobs run, and with what, unless there is none or they fill it.
    pub(super) const fn padding<U: Pod>(&self) -> Option<(Padding, U)> {
        match self.padding {
            Some(padding) => Some((padding, unit_from_bits(self.pair.destination.unit_of_fill()))),
            None => None,
        }
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

    /// Errors unless units of so many bytes are what the plan moves.
    pub(super) const fn check_unit(&self, given: usize) -> Result<(), LayoutError> {
        let needed = self.pair.source.element().bits().div_ceil(8);
        if given == needed { Ok(()) } else { Err(LayoutError(Rule::UnitSize { needed, given })) }
    }

    /// Errors unless the buffers have the lengths, in units, that the layouts take.
    #[inline]
    pub const fn check_lengths(
        &self,
        source: usize,
        destination: usize,
    ) -> Result<(), LayoutError> {
        Lengths::of(&self.pair).check(source, destination)
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
        write_moved(formatter, &self.pair, self.stores)?;
        match &self.jobs {
            Some(jobs) => jobs.iter().try_for_each(|job| write!(formatter, "\n  {job}")),
            None => formatter.write_str("\n  element by element, or in more than four boxes"),
        }
    }
}

/// What is moved where, how many bytes that is, and which stores are non-temporal.
pub(crate) fn write_moved(
    formatter: &mut fmt::Formatter<'_>,
    Pair { source, destination, .. }: &Pair,
    stores: Stores,
) -> fmt::Result {
    write!(formatter, "{source} -> {destination}: {} bytes", destination.moved_bytes())?;
    formatter.write_str(match stores {
        Stores::Cached => "",
        Stores::Past => ", non-temporal stores",
    })
}
