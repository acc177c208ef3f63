//! What relayouts make of two layouts: the jobs between them.

use core::fmt;

use layout_types::nests::{Boxes, Level, Nest, Padding, Pair};
use layout_types::{Layout, LayoutError};

use crate::kernel::{Job, Stores};
use crate::plan::{self, Fill, Loops};

/// The most jobs of the cases.
const MOST: usize = 64;

/// Two layouts, and the jobs that move a tensor from the one to the other.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pair: Pair,
    jobs: [Option<Job>; MOST],
    /// The padding that no job fills.
    padding: Option<Padding>,
}

impl Plan {
    pub(super) const fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        Self::storing(source, destination, Stores::Cached)
    }

    /// A plan whose jobs store so.
    const fn storing(
        source: &Layout,
        destination: &Layout,
        stores: Stores,
    ) -> Result<Self, LayoutError> {
        let pair = match Pair::of_equal_elements(source, destination) {
            Ok(pair) => pair,
            Err(error) => return Err(error),
        };
        let padding = Padding::of(destination);
        let mut new = Self { pair, jobs: [None; MOST], padding };
        let mut boxes = Boxes::new(&pair, None);
        let mut count = 0;
        while let Some(nest) = boxes.next() {
            let bits = source.element().bits();
            let Some((job, last)) = plan::jobs(&loops(nest), bits, stores) else {
                panic!("few loops, whole bytes")
            };
            new.jobs[count] = Some(job);
            new.jobs[count + 1] = last;
            count += 1 + last.is_some() as usize;
        }
        if let Some(padding) = padding {
            new.fill_with_a_job(&padding, count);
        }
        Ok(new)
    }

    /// Lets the first job that can fill the padding do so.
    const fn fill_with_a_job(&mut self, padding: &Padding, count: usize) {
        let layout = &self.pair.destination;
        let fill = Fill {
            bits: layout.element().bits(),
            bytes: layout.bytes(),
            count: layout.count(),
            every: padding.every.get(),
            start: padding.start,
            length: padding.length,
            elements: padding.elements,
            value: layout.unit_of_fill(),
        };
        let mut i = 0;
        while i < count {
            if let Some(job) = &self.jobs[i] {
                if let Some(padded) = plan::padded(job, &fill) {
                    self.jobs[i] = Some(padded);
                    self.padding = None;
                    return;
                }
            }
            i += 1;
        }
    }

    /// The jobs with stores past the caches or without, none of which fills padding.
    pub(super) fn plain_jobs(&self, stores: Stores) -> impl Iterator<Item = Job> {
        let bits = self.pair.source.element().bits();
        let mut boxes = Boxes::new(&self.pair, None);
        let mut jobs = std::vec::Vec::new();
        while let Some(nest) = boxes.next() {
            let (job, last) =
                plan::jobs(&loops(nest), bits, stores).expect("few loops, whole bytes");
            jobs.extend([job].into_iter().chain(last));
        }
        jobs.into_iter()
    }

    pub(super) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().flatten()
    }

    pub(super) const fn job(&self, index: usize) -> Option<Job> {
        self.jobs[index]
    }

    /// The padding that is filled before jobs run.
    pub(super) fn padding(&self) -> Option<Padding> {
        self.padding
    }

    pub(super) const fn source(&self) -> &Layout {
        &self.pair.source
    }

    pub(super) const fn destination(&self) -> &Layout {
        &self.pair.destination
    }
}

/// The two layouts, and a line for each job.
impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} -> {}", self.source(), self.destination())?;
        self.jobs().try_for_each(|job| write!(formatter, "\n  {job}"))
    }
}

/// The loops of a nest.
const fn loops(nest: &Nest) -> Loops {
    let mut loops = Loops::at(nest.start().source, nest.start().destination);
    let levels = nest.levels();
    let mut i = 0;
    while i < levels.len() {
        let Level { size, source, destination, .. } = levels[i];
        assert!(loops.push(size, source, destination), "few loops");
        i += 1;
    }
    loops
}
