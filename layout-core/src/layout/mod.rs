//! A layout: a checked spec as digits with strides. Everything else in this crate is a function of it.
//!
//! `digit` and `lane_image` are its parts, `written` lists the digits as the format does, `resolve` makes a layout from a
//! spec, and `stored` makes the spec of a storage at run time.

mod digit;
mod lane_image;
mod resolve;
mod stored;
mod swizzling;
mod written;

pub use digit::Digit;
pub(crate) use lane_image::LaneImage;
pub use written::Written;

use core::hash::{Hash, Hasher};

use crate::spec::{
    AxisExtent, ElementType, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK, Rule, Spec,
    Subject, Swizzle, Violations,
};

/// Maps each coordinate of a tensor to the offset of its element: a checked memory order, extents and an element type.
///
/// ```
/// use tensor_layout::Layout;
///
/// let image = Layout::parse("NHWC<N = 1, C = 3, H = 4, W = 5>, u8")?;
/// assert_eq!(image.offset(&[0, 2, 1, 0]), 1 * 15 + 0 * 3 + 2); // [n, c, h, w]
/// assert_eq!((image.extents(), image.len()), (&[1, 3, 4, 5][..], 60));
///
/// let crop = image.slice('H', 1, 1, 2)?; // 2 rows, from row 1 on
/// assert_eq!(crop.offset(&[0, 2, 0, 0]), 15 + 2);
/// assert_eq!(crop.to_string().parse::<Layout>()?, crop);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
///
/// | to do this | call |
/// |---|---|
/// | make one | [`parse`](Self::parse) of text, [`of`](Self::of) a format, [`builder`](Self::builder) with options, [`from_strides`](Self::from_strides) |
/// | take the layout of a type or a tensor | [`Static::LAYOUT`](typed/struct.Static.html#associatedconstant.LAYOUT), `tensor.layout()` |
/// | find elements | [`offset`](Self::offset), [`checked_offset`](Self::checked_offset), [`coordinate`](Self::coordinate) of an offset |
/// | ask about it | [`extents`](Self::extents), [`strides`](Self::strides), [`digits`](Self::digits), [`format`](Self::format), [`is_contiguous`](Self::is_contiguous) |
/// | make a view | [`slice`](Self::slice), [`index`](Self::index), [`permute`](Self::permute), [`flip`](Self::flip), [`windows`](Self::windows) |
/// | make other axes | [`reshape`](Self::reshape), [`merge`](Self::merge), [`tile`](Self::tile), [`unsqueeze`](Self::unsqueeze), [`broadcast`](Self::broadcast) |
/// | compare two | `==`, [`same_map`](Self::same_map), [`matches`](Self::matches) of a format |
///
/// `Layout` is a small `Copy` value, and none of its methods allocates. All methods are `const fn`s except those that
/// take a format as a value or as text.
///
/// Types carry a layout ([`Static::LAYOUT`](typed/struct.Static.html#associatedconstant.LAYOUT)). At run time, a layout comes from text
/// ([`parse`](Self::parse)), from a format ([`of`](Self::of), or [`builder`](Self::builder) with options) or from
/// strides ([`from_strides`](Self::from_strides)).
///
/// Offsets, strides, lengths and spans count elements. [`Static`](typed/struct.Static.html) has the same names as constants:
///
/// | `Layout` | `Static` | what it is |
/// |---|---|---|
/// | [`count()`](Self::count) | `COUNT` | coordinates |
/// | [`len()`](Self::len) | `LEN` | elements that storage holds, padding included |
/// | [`span()`](Self::span) | `SPAN` | elements from the start of the buffer to the last element, inclusive |
/// | [`bytes()`](Self::bytes) | `BYTES` | bytes that storage takes |
/// | [`units()`](Self::units) | `UNITS` | units of a buffer: elements, or bytes for elements of less than a byte |
/// | [`align()`](Self::align) | `ALIGN` | alignment of the start of a buffer, in bytes |
#[derive(Clone, Copy)]
pub struct Layout {
    pub(crate) element: ElementType,
    pub(crate) letters: Letters,
    pub(crate) extents: [usize; MAX_RANK],
    /// Digits from the largest to the smallest stride, broadcast digits last.
    pub(crate) digits: [Digit; MAX_FACTORS],
    pub(crate) digit_count: usize,
    /// The offset of coordinate 0. It is above 0 if a stride is negative.
    pub(crate) base: usize,
    pub(crate) length: usize,
    pub(crate) alignment: usize,
    pub(crate) fill: Option<u64>,
    /// The array of lanes that the storage is, if it is one.
    pub(crate) lanes: Option<LaneImage>,
    /// The XOR that is applied to the offset after all strides.
    pub(crate) swizzle: Option<Swizzle>,
    /// Whether the strides were given explicitly. If so, gaps belong to somebody else.
    pub(crate) explicit: bool,
    /// Whether coordinates that share an offset may differ in digits of strides other than 0, as overlapping windows
    /// do.
    pub(crate) overlapping: bool,
}

impl Layout {
    /// Returns the layout that `spec` describes.
    ///
    /// # Errors
    /// The first rule that `spec` breaks.
    #[doc(hidden)]
    pub const fn new(spec: &Spec<'_>) -> Result<Self, LayoutError> {
        let summary = spec.summary();
        match (spec.check_with(&summary).first(), spec.unknown()) {
            (Some(error), _) => Err(error),
            (None, Some(letter)) => Err(LayoutError(Rule::UnknownExtent { letter })),
            (None, None) => match Self::resolve(spec, &summary, 0) {
                Ok(layout) => Ok(layout),
                Err((error, _)) => Err(error),
            },
        }
    }

    /// Returns the rules that `spec` breaks for any unknown extents above 0.
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

    /// The layout with the smallest unknown extents above 0 that break no rule.
    pub(crate) const fn smallest(spec: &Spec<'_>) -> Result<Self, (LayoutError, Subject)> {
        let summary = spec.summary();
        let once = Self::resolve(spec, &summary, 1);
        if once.is_ok() || spec.unknown().is_none() {
            return once;
        }
        // If rows and lanes of elements of less than a byte can end at whole bytes, they do so where all unknown digits
        // have `per_byte` values. Every other rule that the smallest extents break, larger extents break too.
        let more = Self::resolve(spec, &summary, spec.element.per_byte());
        if more.is_ok() { more } else { once }
    }
}

/// The axes, their extents, and the element type.
impl Layout {
    /// The number of axes.
    pub const fn rank(&self) -> usize {
        self.letters.count()
    }

    /// The letters of the axes in coordinate order.
    pub const fn letters(&self) -> Letters {
        self.letters
    }

    /// The extents in coordinate order, without padding.
    pub const fn extents(&self) -> &[usize] {
        self.extents.split_at(self.rank()).0
    }

    /// The extents in coordinate order, then zeros.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn extents_of_all(&self) -> &[usize; MAX_RANK] {
        &self.extents
    }

    /// The offset of coordinate 0, in elements.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn base(&self) -> usize {
        self.base
    }

    /// The axes with their extents, as in a spec. Only the first `rank` entries are valid.
    #[doc(hidden)]
    pub const fn axes_and_extents(&self) -> [AxisExtent; MAX_RANK] {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let (rank, mut i) = (self.rank(), 0);
        while i < rank {
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

    /// The bits of the element that fills padding, lowest bit first, or `None` if the layout declares no padding.
    pub const fn fill(&self) -> Option<u64> {
        self.fill
    }

    /// The swizzle, in elements, or `None` if no offset of the buffer changes.
    pub const fn swizzle(&self) -> Option<Swizzle> {
        self.swizzle
    }

    /// The number of coordinates. It saturates at `usize::MAX`, which only broadcast axes can reach.
    #[doc(alias("numel", "size"))]
    pub const fn count(&self) -> usize {
        let (rank, mut count) = (self.rank(), 1usize);
        let mut i = 0;
        while i < rank {
            // One call, and `saturating_mul` makes four, for which const evaluation pays.
            let (product, overflows) = count.overflowing_mul(self.extents[i]);
            count = if overflows { usize::MAX } else { product };
            i += 1;
        }
        count
    }

    /// The number of digits.
    #[doc(hidden)]
    pub const fn digit_count(&self) -> usize {
        self.digit_count
    }

    /// The axes and blocks as digits with strides, from the slowest to the fastest.
    pub const fn digits(&self) -> &[Digit] {
        self.digits.split_at(self.digit_count).0
    }

    /// The digit of the axis at this position with this weight.
    #[doc(hidden)]
    pub const fn digit_of(&self, axis: usize, weight: usize) -> Option<&Digit> {
        let mut i = 0;
        while i < self.digit_count {
            if self.digits[i].axis == axis && self.digits[i].weight == weight {
                return Some(&self.digits[i]);
            }
            i += 1;
        }
        None
    }
}

impl Layout {
    /// What equal layouts have in common: all but the unused entries of the lists.
    fn identity(&self) -> impl Eq + Hash {
        let Self { element, letters, base, length, alignment, fill, lanes, swizzle, .. } = *self;
        let axes = (element, letters, self.extents(), self.digits());
        let buffer = (base, length, alignment, fill, lanes);
        (axes, buffer, swizzle, self.explicit, self.overlapping)
    }
}

/// Layouts are equal if they have the same axes, element type, digits and buffer, and if gaps between their elements are
/// padding in both or in neither. In a view, gaps belong to others, so a view differs from a layout of a format.
/// [`same_map`](Self::same_map) compares offsets alone.
impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Layout {}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}
