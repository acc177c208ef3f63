//! The rules that a spec breaks, each with the part that breaks it.

use super::error::LayoutError;
use super::rules::Rule;

/// The subject of a broken rule, so that an error can point at it.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The memory order as a whole.
    Format,
    /// The total size.
    Size,
    /// The factor at this index.
    Factor(usize),
    /// The option of this factor.
    Option(usize),
    /// The start lane of this factor.
    Start(usize),
    /// The extent of this axis.
    Extent(char),
    /// All explicit strides.
    Strides,
    /// The fill of padding.
    Fill,
}

/// A broken rule and its subject.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule.
    pub error: LayoutError,
    /// The subject.
    pub subject: Subject,
}

/// The broken rules of one layout, at most [`Violations::CAPACITY`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Violations {
    list: [Option<Violation>; Self::CAPACITY],
    count: usize,
}

impl Violations {
    /// The largest number of rules kept. Later ones are usually consequences of the earlier ones, so they are dropped.
    pub const CAPACITY: usize = 16;

    pub(super) const NONE: Self = Self { list: [None; Self::CAPACITY], count: 0 };

    /// Whether no rule is broken.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first broken rule.
    pub const fn first(&self) -> Option<LayoutError> {
        match self.list[0] {
            Some(violation) => Some(violation.error),
            None => None,
        }
    }

    /// The first broken rule and its subject.
    pub(crate) const fn first_violation(&self) -> Option<Violation> {
        self.list[0]
    }

    /// All broken rules.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.list.iter().flatten()
    }

    pub(super) const fn rule(&mut self, rule: Rule, subject: Subject) {
        self.push(LayoutError(rule), subject);
    }

    pub(crate) const fn push(&mut self, error: LayoutError, subject: Subject) {
        if self.count < Self::CAPACITY {
            self.list[self.count] = Some(Violation { error, subject });
            self.count += 1;
        }
    }
}
