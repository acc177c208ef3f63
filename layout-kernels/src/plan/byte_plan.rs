//! Plans of bytes: a step, the rounds around it, and the kind of its stores.

use super::choose::choose;
use super::nests::Nest;
use crate::isa::Isa;
use crate::sets::Code;
use crate::steps::thresholds::{LEAST_NON_TEMPORAL, NON_TEMPORAL, non_temporal};
use crate::steps::{Rounds, Step};

/// Whether whole cache lines are stored non-temporally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// If both sides together take more than a share of the last-level cache.
    #[default]
    Auto,
    /// Never.
    Cached,
    /// If the instruction set and the alignment allow it.
    NonTemporal,
}

impl Stores {
    /// Whether kernels have non-temporal stores.
    const ANY: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

    /// [`Auto`](Self::Auto) for several plans whose sources and destinations together take `bytes` bytes. It also
    /// works in const evaluation, by assuming a small last-level cache.
    pub const fn of(bytes: usize) -> Self {
        if Self::ANY && bytes >= NON_TEMPORAL.0 { Self::NonTemporal } else { Self::Cached }
    }

    /// Whether a plan of `bytes` bytes can have non-temporal stores on some machine.
    pub(crate) const fn may_stream(self, bytes: usize) -> bool {
        match self {
            Self::Auto => bytes >= LEAST_NON_TEMPORAL,
            Self::Cached => false,
            Self::NonTemporal => true,
        }
    }

    /// Returns the size of source and destination together from which stores are non-temporal on this machine.
    pub(super) fn least(self) -> usize {
        match self {
            Self::Auto => non_temporal(),
            Self::Cached => usize::MAX,
            Self::NonTemporal => 0,
        }
    }

    /// Whether stores are non-temporal on this machine.
    #[inline]
    pub(super) fn stream(self, bytes: usize) -> bool {
        // Most plans are smaller than the threshold of every machine, so that is checked first.
        self.may_stream(bytes) && (self == Self::NonTemporal || bytes >= non_temporal() / 2)
    }
}

/// A step, and the rounds around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BytePlan {
    pub(crate) isa: Isa,
    /// The offsets at which the first unit of the rounds begins.
    pub(crate) source: isize,
    pub(crate) destination: isize,
    pub(crate) bytes: usize,
    pub(crate) pads: bool,
    pub(crate) rounds: Rounds,
    pub(crate) step: Step,
    pub(crate) code: Code,
}

impl BytePlan {
    /// Returns the plan with the best step for a nest of bytes.
    #[inline(never)]
    pub(super) const fn new(nest: &Nest, isa: Isa) -> Self {
        // Without vectors the tables are too small for plans of other instruction sets, which could not run anyway.
        let chosen = if cfg!(vectors) { isa } else { Isa::Portable };
        let mut own = Self {
            isa,
            source: nest.source,
            destination: nest.destination,
            bytes: nest.bytes,
            pads: false,
            rounds: Rounds::NONE,
            step: Step::nothing(),
            code: Code::None,
        };
        choose(nest, chosen, &mut own.step, &mut own.rounds);
        own.pads = nest.padding.is_some() && own.step.pads();
        own.code = Code::of(&own.step, chosen, Stores::Auto.may_stream(nest.bytes));
        own
    }
}
