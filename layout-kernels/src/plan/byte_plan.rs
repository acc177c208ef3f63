//! Plans of bytes: a step, the rounds around it, and the kind of its stores.

use super::choose::choose;
use super::nests::{Error, Nest};
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
    /// A plan that moves nothing.
    pub(super) const NOTHING: Self = Self {
        isa: Isa::Portable,
        source: 0,
        destination: 0,
        bytes: 0,
        pads: false,
        rounds: Rounds::NONE,
        step: Step::NOTHING,
        code: Code::None,
    };

    /// Chooses the best step for a nest of bytes. Returns false if the step needs more rounds than a plan has.
    #[inline(never)]
    pub(super) const fn set(&mut self, nest: &Nest, isa: Isa) -> bool {
        // Without vectors the tables are too small for plans of other instruction sets, which could not run anyway.
        let chosen = if cfg!(vectors) { isa } else { Isa::Portable };
        (self.isa, self.bytes) = (isa, nest.bytes);
        (self.source, self.destination) = (nest.source, nest.destination);
        if !choose(nest, chosen, &mut self.step, &mut self.rounds) {
            return false;
        }
        self.pads = nest.padding.is_some() && self.step.pads();
        self.code = Code::of(&self.step, chosen, Stores::Auto.may_stream(nest.bytes));
        true
    }

    /// Returns the plan with the best step for a nest of bytes.
    pub(super) const fn new(nest: &Nest, isa: Isa) -> Result<Self, Error> {
        let mut own = Self::NOTHING;
        if own.set(nest, isa) { Ok(own) } else { Err(Error::TooManyLoops) }
    }
}
