//! The factors of a layout, and where each comes from.

use super::draft::Site;
use super::options::AxisBytes;
use crate::layout::Layout;
use crate::spec::{AxisExtent, ElementType, Factor, LayoutError, MAX_PARTS, Spec, Subject};

/// An error and its subject.
pub(super) type Fault = (LayoutError, Site);

/// The factors of a layout, and where each comes from.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    pub(super) factors: [Factor; MAX_PARTS],
    origins: [Origin; MAX_PARTS],
    pub(super) count: usize,
    /// The bits of the fill, if padding is allowed.
    pub fill: Option<u64>,
}

/// Where a factor comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The part that has the number of the factor.
    pub number: Site,
    /// The option, or the format.
    pub option: Site,
    /// The step of a storage.
    pub step: Option<usize>,
}

impl Origin {
    pub(super) const FORMAT: Self = Self::of(Site::Format, Site::Format);

    pub(super) const fn of(number: Site, option: Site) -> Self {
        Self { number, option, step: None }
    }

    pub(super) const fn of_bytes(option: AxisBytes, letter: char) -> Self {
        Self::of(Site::BytesOf(option, letter), Site::Bytes(option))
    }
}

impl Assembly {
    pub(super) const EMPTY: Self = Self {
        factors: [Factor::Align(1); MAX_PARTS],
        origins: [Origin::FORMAT; MAX_PARTS],
        count: 0,
        fill: None,
    };

    /// The factors, slowest first.
    pub const fn factors(&self) -> &[Factor] {
        self.factors.split_at(self.count).0
    }

    /// Where factor `i` comes from.
    pub const fn origin(&self, i: usize) -> Origin {
        self.origins[i]
    }

    /// Adds the next faster factor.
    pub(super) const fn push(&mut self, factor: Factor, origin: Origin) {
        (self.factors[self.count], self.origins[self.count]) = (factor, origin);
        self.count += 1;
    }

    pub(super) const fn spec<'a>(
        &'a self,
        element: ElementType,
        axes: &'a [AxisExtent],
    ) -> Spec<'a> {
        Spec { element, axes, factors: self.factors(), fill: self.fill }
    }

    /// The layout, or the first rule that it breaks and its subject.
    pub(super) const fn resolved(
        &self,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Layout, Fault> {
        let spec = self.spec(element, axes);
        let summary = spec.summary();
        let violations = spec.check_with(&summary);
        if let Some(found) = violations.first_violation() {
            return Err((found.error, self.site(found.subject)));
        }
        if let Some((rule, subject)) = spec.missing(&summary) {
            return Err((LayoutError(rule), self.site(subject)));
        }
        match Layout::resolve(&spec, &summary, 0) {
            Ok(layout) => Ok(layout),
            Err((error, subject)) => Err((error, self.site(subject))),
        }
    }

    /// The part of the layout that the subject of an error is.
    pub const fn site(&self, subject: Subject) -> Site {
        match subject {
            Subject::Format => Site::Format,
            Subject::Size => Site::Extents,
            Subject::Extent(letter) => Site::Extent(letter),
            Subject::Strides => Site::Strides,
            Subject::Fill => Site::Fill,
            Subject::Start(_) => Site::StartLane,
            Subject::Option(i) => self.origins[i].option,
            Subject::Factor(i) => self.origins[i].number,
        }
    }
}
