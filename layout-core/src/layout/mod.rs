//! A layout: a checked spec as digits with strides. Everything else in this crate is a function of it.
//!
//! `axes` has the digits of each axis and their order in memory, `buffer` what the buffer holds, and `after` what
//! happens to an offset after all strides. `digit` lists digits, and `written` lists them as the format does. `resolve`
//! makes a layout from a spec, and `given_strides` that of one with strides.

mod after;
mod axes;
mod buffer;
mod digit;
mod given_strides;
mod resolve;
#[cfg(test)]
mod tests;
mod written;

pub(crate) use after::After;
pub(crate) use axes::StoredAxis;
pub(crate) use buffer::Buffer;
pub(crate) use digit::distance;
pub use digit::{Digit, Digits};
pub use written::Written;

use crate::spec::{
    AxisExtent, ElementCode, ElementType, Factor, LayoutError, Length, Letters, MAX_FACTORS,
    MAX_PARTS, MAX_RANK, Spec, Subject, Summary, Swizzle, Violations, slot,
};

/// The largest number of axes with blocks: each has two digits.
const MAX_BLOCKED: usize = MAX_FACTORS / 2;

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
/// `Layout` is a `Copy` value of at most 400 bytes, and none of its methods allocates. All methods are `const fn`s except
/// those that take a format as a value or as text.
///
/// Types carry a layout ([`Static::LAYOUT`](typed/struct.Static.html#associatedconstant.LAYOUT)). At run time, a layout
/// comes from text ([`parse`](Self::parse)), from a format ([`of`](Self::of), or [`builder`](Self::builder) with
/// options) or from strides ([`from_strides`](Self::from_strides)).
///
/// Offsets, strides, lengths and spans count elements. [`Static`](struct.Static.html) has the same names as constants:
///
/// | `Layout` | `Static` | what it is |
/// |---|---|---|
/// | [`numel()`](Self::numel) | `NUMEL` | coordinates: elements without padding |
/// | [`len()`](Self::len) | `LEN` | elements that storage holds, padding included |
/// | [`span()`](Self::span) | `SPAN` | elements from the start of the buffer to the last element, inclusive |
/// | [`bytes()`](Self::bytes) | `BYTES` | bytes that storage takes |
/// | [`units()`](Self::units) | `UNITS` | units of a buffer: elements, or bytes for elements of less than a byte |
/// | [`align()`](Self::align) | `ALIGN` | alignment of the start of a buffer, in bytes |
///
/// Layouts are equal if they have the same axes, element type, digits and buffer, and if gaps between their elements
/// are padding in both or in neither. In a view, gaps belong to others, so a view differs from a layout of a format.
/// [`same_map`](Self::same_map) compares offsets alone.
// Unused entries of the lists are 0, so that equal layouts have equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The extents of the axes, then the sizes of their blocks: axis by axis, of each the fastest block first.
    sizes: [usize; MAX_FACTORS],
    /// The strides of the slowest digits of the axes, then those of the blocks.
    strides: [isize; MAX_FACTORS],
    /// The positions of coordinate 0 of the axes that have blocks, in coordinate order.
    shifts: [usize; MAX_BLOCKED],
    /// The digits from the slowest to the fastest, broadcast digits last: four bits for the index of each.
    order: u64,
    /// The number of blocks of each axis: four bits for each.
    blocks: u64,
    pub(crate) buffer: Buffer,
    /// The size of an element of a type of the user's own, in bytes, or 0.
    plain_bytes: usize,
    letters: Letters,
    /// The element type, and the alignment of a type of the user's own as a power of two.
    element: ElementCode,
    digit_count: u8,
}

impl Layout {
    /// Returns the layout that `spec` describes.
    ///
    /// # Errors
    /// The first rule that `spec` breaks.
    #[doc(hidden)]
    pub const fn new(spec: &Spec<'_>) -> Result<Self, LayoutError> {
        Ok(ok!(placed Self::of_spec(spec)))
    }

    /// [`new`](Self::new), with the subject of the first rule that `spec` breaks.
    pub(crate) const fn of_spec(spec: &Spec<'_>) -> Result<Self, (LayoutError, Subject)> {
        let summary = spec.summary();
        match (spec.check_with(&summary).first_violation(), spec.missing(&summary)) {
            (Some(found), _) => Err((found.error, found.subject)),
            (None, Some((rule, subject))) => Err((LayoutError(rule), subject)),
            (None, None) => Self::resolve(spec, &summary, 0),
        }
    }

    /// Returns the layout that `spec` describes with these pitches in bytes for those that it leaves open, slowest
    /// first.
    ///
    /// # Errors
    /// The first rule that is broken.
    #[doc(hidden)]
    pub const fn with_pitches(spec: &Spec<'_>, pitches: &[usize]) -> Result<Self, LayoutError> {
        let mut factors = [Factor::Overlap; MAX_PARTS];
        let (mut i, mut given) = (0, 0);
        while i < spec.factors.len() {
            factors[i] = match spec.factors[i] {
                Factor::Pitch(Length::Unknown) => {
                    given += 1;
                    Factor::Pitch(Length::Runtime(pitches[given - 1]))
                }
                factor => factor,
            };
            i += 1;
        }
        Self::new(&Spec { factors: factors.split_at(i).0, ..*spec })
    }

    /// Returns the rules that `spec` breaks for any unknown extents above 0 and any unknown pitches.
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

    /// The layout with the smallest unknown extents above 0 and pitches that break no rule.
    pub(crate) const fn smallest(spec: &Spec<'_>) -> Result<Self, (LayoutError, Subject)> {
        let summary = spec.summary();
        let once = Self::resolve(spec, &summary, 1);
        if once.is_ok() || spec.unknown().is_none() {
            return once;
        }
        // If rows and lanes of elements of less than a byte can end at whole bytes, they do so where one unknown digit has
        // `per_byte` values, or all have. Fewer may do, and a pitch may have no room for more. Every other rule that the
        // smallest extents break, larger extents break too.
        let mut values = 2;
        while values <= spec.element.per_byte() {
            each!(axis, 0..spec.axes.len(), {
                if matches!(spec.axes[axis].extent, Length::Unknown) {
                    let one = Self::resolve_with(spec, &summary, axis, values);
                    if one.is_ok() {
                        return one;
                    }
                }
            });
            let all = Self::resolve(spec, &summary, values);
            if all.is_ok() {
                return all;
            }
            values *= 2;
        }
        once
    }

    /// The layout with the smallest unknown extents above 0, except that the slowest digit of one axis has `values`
    /// values.
    const fn resolve_with(
        spec: &Spec<'_>,
        summary: &Summary,
        axis: usize,
        values: usize,
    ) -> Result<Self, (LayoutError, Subject)> {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        each!(i, 0..spec.axes.len(), {
            axes[i] = spec.axes[i];
        });
        let extent = summary.extent_of(slot(axes[axis].letter), values);
        axes[axis].extent = Length::Fixed(extent);
        let axes = axes.split_at(spec.axes.len()).0;
        Self::resolve(&Spec { axes, ..*spec }, summary, 1)
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

    /// The same layout with these letters for its axes, one for each.
    #[doc(hidden)]
    pub const fn with_letters(&self, letters: Letters) -> Self {
        Self { letters, ..*self }
    }

    /// The extents in coordinate order, without padding.
    pub const fn extents(&self) -> &[usize] {
        self.sizes.split_at(self.rank()).0
    }

    /// The extent of the axis at this position.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn extent(&self, axis: usize) -> usize {
        self.sizes[axis]
    }

    /// The offset of coordinate 0, in elements.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn base(&self) -> usize {
        self.buffer.base
    }

    /// Sets the element type, a valid one.
    pub(crate) const fn set_element(&mut self, element: ElementType) {
        (self.element, self.plain_bytes) = ElementCode::of(element);
    }

    /// Sets an extent. The digits of the axis stay as they are.
    pub(crate) const fn set_extent(&mut self, axis: usize, extent: usize) {
        self.sizes[axis] = extent;
    }

    /// The axes with their extents, as in a spec. Only the first `rank` entries are valid.
    #[doc(hidden)]
    pub const fn axes_and_extents(&self) -> [AxisExtent; MAX_RANK] {
        let mut axes = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let rank = self.rank();
        each!(i, 0..rank, {
            let extent = Length::Runtime(self.sizes[i]);
            axes[i] = AxisExtent { letter: self.letters.at(i), extent };
        });
        axes
    }

    /// The element type.
    #[inline]
    pub const fn element(&self) -> ElementType {
        self.element.element(self.plain_bytes)
    }

    /// The bits of the element that fills padding, lowest bit first, or `None` if the layout declares no padding.
    pub const fn fill(&self) -> Option<u64> {
        self.buffer.fill()
    }

    /// The swizzle, in elements, or `None` if no offset of the buffer changes.
    #[inline(always)]
    pub const fn swizzle(&self) -> Option<Swizzle> {
        self.buffer.after.swizzle()
    }

    /// The number of coordinates: PyTorch's `numel`, elements without padding. [`len`](Self::len) is the length of the
    /// buffer. It saturates at `usize::MAX`, which only broadcast axes can reach.
    #[doc(alias("count", "size"))]
    pub const fn numel(&self) -> usize {
        let (rank, mut count) = (self.rank(), 1usize);
        each!(i, 0..rank, {
            // One call, and `saturating_mul` makes four, for which const evaluation pays.
            let (product, overflows) = count.overflowing_mul(self.sizes[i]);
            count = if overflows { usize::MAX } else { product };
        });
        count
    }
}
