//! The one value that everything else is a function of: a checked spec as digits with strides.
//!
//! `digit` and `lane_image` are its parts, `resolve` makes it of a spec, `builder` makes the spec at run time.

mod builder;
mod digit;
mod lane_image;
mod resolve;
mod swizzling;

pub use builder::LayoutBuilder;
pub use digit::Digit;
pub(crate) use lane_image::LaneImage;

use crate::spec::{
    AxisExtent, ElementType, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK, Rule, Spec,
    Subject, Swizzle, Violations,
};

/// Where every element of a tensor lies: a checked memory order, extents and an element type.
///
/// A small `Copy` value; none of its methods allocates. All are `const fn`s but those that take a format as
/// a value or as text. Types carry one ([`Static::LAYOUT`](crate::Static::LAYOUT)). Run-time code makes one from
/// text ([`parse`](Self::parse)), from a format ([`of`](Self::of), and with options
/// [`builder`](Self::builder)) or from strides ([`from_strides`](Self::from_strides)).
///
/// Offsets, strides, lengths and spans count elements. [`Static`](crate::Static) has the same words as
/// constants:
///
/// | `Layout` | `Static` | what it is |
/// |---|---|---|
/// | [`count()`](Self::count) | `COUNT` | coordinates |
/// | [`len()`](Self::len) | `LEN` | elements that storage holds, padding included |
/// | [`span()`](Self::span) | `SPAN` | elements from the start of the buffer to the last, plus one |
/// | [`bytes()`](Self::bytes) | `BYTES` | bytes that storage takes |
/// | [`units()`](Self::units) | `UNITS` | units that a buffer holds: elements, or bytes for elements of less than a byte |
/// | [`align()`](Self::align) | `ALIGN` | bytes that the start of a buffer must be a multiple of |
#[derive(Clone, Copy)]
pub struct Layout {
    pub(crate) element: ElementType,
    pub(crate) letters: Letters,
    pub(crate) extents: [usize; MAX_RANK],
    /// From the largest to the smallest stride, broadcast digits last.
    pub(crate) digits: [Digit; MAX_FACTORS],
    pub(crate) digit_count: usize,
    /// The offset of coordinate 0: above 0 where strides are negative.
    pub(crate) base: usize,
    pub(crate) length: usize,
    pub(crate) alignment: usize,
    pub(crate) fill: Option<u64>,
    /// The array of lanes that storage is, where it is one.
    pub(crate) lanes: Option<LaneImage>,
    /// What is done to the offset after all strides.
    pub(crate) swizzle: Option<Swizzle>,
    /// Whether the strides were given. Then gaps belong to somebody else.
    pub(crate) explicit: bool,
    /// Whether coordinates may share offsets that differ in digits of strides other than 0: windows do.
    pub(crate) overlapping: bool,
}

impl Layout {
    /// The layout that `spec` writes down, or the first rule that it breaks.
    #[doc(hidden)]
    pub const fn new(spec: &Spec<'_>) -> Result<Self, LayoutError> {
        let violations = spec.check();
        match (violations.first(), spec.unknown()) {
            (Some(error), _) => Err(error),
            (None, Some(letter)) => Err(LayoutError(Rule::UnknownExtent { letter })),
            (None, None) => match Self::resolve(spec, 0) {
                Ok(layout) => Ok(layout),
                Err((error, _)) => Err(error),
            },
        }
    }

    /// Every rule that `spec` breaks whatever the unknown extents are, if they are not 0.
    #[doc(hidden)]
    pub const fn check(spec: &Spec<'_>) -> Violations {
        let mut violations = spec.check();
        if violations.is_empty() {
            if let Err((error, subject)) = Self::smallest(spec) {
                violations.push(error, subject);
            }
        }
        violations
    }

    /// The layout with the smallest unknown extents that break no rule, 0 left out.
    pub(crate) const fn smallest(spec: &Spec<'_>) -> Result<Self, (LayoutError, Subject)> {
        let once = Self::resolve(spec, 1);
        if once.is_ok() || spec.unknown().is_none() {
            return once;
        }
        // So many times an extent may end rows of elements of less than a byte at whole bytes. What else one
        // extent breaks, larger ones do too.
        let more = Self::resolve(spec, spec.element.per_byte());
        if more.is_ok() { more } else { once }
    }
}

/// How many axes there are, their letters and extents, and what an element is.
impl Layout {
    /// The number of axes.
    pub const fn rank(&self) -> usize {
        self.letters.count()
    }

    /// The axes in coordinate order.
    pub const fn letters(&self) -> Letters {
        self.letters
    }

    /// The extents in coordinate order: true ones, padding left out.
    pub const fn extents(&self) -> &[usize] {
        self.extents.split_at(self.rank()).0
    }

    /// The axes with their extents, as a spec has them; the first `rank` count.
    pub(crate) const fn axes_and_extents(&self) -> [AxisExtent; MAX_RANK] {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let mut i = 0;
        while i < self.rank() {
            let extent = Length::Runtime(self.extents[i]);
            axes[i] = AxisExtent { letter: self.letters.at(i), extent };
            i += 1;
        }
        axes
    }

    /// The element type.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The bits that fill padding, lowest first; `None` where the layout declares no padding.
    pub const fn fill(&self) -> Option<u64> {
        self.fill
    }

    /// The swizzle of offsets in elements, if there is one that changes any.
    pub const fn swizzle(&self) -> Option<Swizzle> {
        self.swizzle
    }

    /// The number of coordinates; `usize::MAX` where broadcast axes make more.
    pub const fn count(&self) -> usize {
        let (rank, mut count) = (self.rank(), 1usize);
        let mut i = 0;
        while i < rank {
            count = count.saturating_mul(self.extents[i]);
            i += 1;
        }
        count
    }

    /// The axes and blocks with their strides, from the slowest to the fastest.
    pub const fn digits(&self) -> &[Digit] {
        self.digits.split_at(self.digit_count).0
    }
}

/// The same axes and element type, and the same digits in the same buffer.
impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        let Self { element, letters, base, length, alignment, fill, lanes, swizzle, .. } = *self;
        element == other.element
            && letters == other.letters
            && self.extents() == other.extents()
            && self.digits() == other.digits()
            && (base, length, alignment) == (other.base, other.length, other.alignment)
            && (fill, lanes) == (other.fill, other.lanes)
            && (swizzle, self.explicit) == (other.swizzle, other.explicit)
            && self.overlapping == other.overlapping
    }
}

impl Eq for Layout {}
