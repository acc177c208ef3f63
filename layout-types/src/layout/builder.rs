//! Layouts with options, made at run time as `layout!` writes them.

use super::Layout;
use crate::spec::{
    AxisExtent, ElementType, Factor, Format, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK,
    Name, Rule, Spec,
};

/// The most factors: digits, an alignment after each axis, lanes and theirs.
const MAX_PARTS: usize = MAX_FACTORS + MAX_RANK + 2;

/// A layout to be: a format and an element type, then the options that `layout!` has, then the
/// extents. What is wrong with an option is the error of [`extents`](Self::extents).
///
/// ```
/// use tensor_layout::{ElementType, Format, Layout};
///
/// // layout!(NCHW<2, 3, 5, 5>, f16, align(H = 64))
/// let rows = Layout::builder(&Format::parse("NCHW")?, ElementType::F16).align('H', 64);
/// assert_eq!(rows.extents(&[2, 3, 5, 5])?.to_string(), "NCHW<2, 3, 5, 5>, f16, align(H = 64)");
///
/// // layout!(BSHD<B = 2, H = 4, S = 5, D = 8>, f32, broadcast(B))
/// let shared = Layout::builder(&Format::parse("BSHD")?, ElementType::F32).broadcast('B');
/// let shared = shared.named_extents(&[('B', 2), ('H', 4), ('S', 5), ('D', 8)])?;
/// assert_eq!((shared.offset(&[1, 0, 2, 0]), shared.length()), (2 * 32, 160));
///
/// assert_eq!(
///     rows.align('C', 3).extents(&[2, 3, 5, 5]).unwrap_err().to_string(),
///     "alignment of 3 bytes is not a multiple of the element size; write a multiple of 2 bytes",
/// );
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct LayoutBuilder {
    format: Format,
    element: ElementType,
    /// The memory order with its alignments.
    factors: [Factor; MAX_PARTS],
    count: usize,
    /// Strides in coordinate order, and how many.
    strides: Option<([isize; MAX_RANK], usize)>,
    fill: Option<u64>,
    error: Option<LayoutError>,
}

impl Layout {
    /// A layout of `format` and `element` with options.
    pub const fn builder(format: &Format, element: ElementType) -> LayoutBuilder {
        let mut factors = [Factor::Align(1); MAX_PARTS];
        let mut i = 0;
        while i < format.factors().len() {
            factors[i] = format.factors()[i];
            i += 1;
        }
        let (strides, fill, error) = (None, None, None);
        LayoutBuilder { format: *format, element, factors, count: i, strides, fill, error }
    }
}

impl LayoutBuilder {
    /// `pad = VALUE`: axes may end inside a block, and padding holds the element of these bits,
    /// lowest first.
    pub const fn pad(mut self, fill: u64) -> Self {
        self.fill = Some(fill);
        self
    }

    /// `align(AXIS = BYTES)`: what is faster than the axis is rounded up, so that the axis' stride is
    /// a multiple of so many bytes.
    pub const fn align(self, axis: char, bytes: usize) -> Self {
        let letter = axis.to_ascii_uppercase();
        let Some(place) = self.place_of(letter) else {
            return self.with_error(LayoutError::unknown_axis(axis, self.format.axes()));
        };
        if place + 1 < self.count && matches!(self.factors[place + 1], Factor::Align(_)) {
            return self.with_error(LayoutError(Rule::RepeatedName { letter }));
        }
        self.with_factor(place + 1, Factor::Align(bytes))
    }

    /// `lanes(AXIS, LANES, start = LANE)`: the axis is distributed over the lanes of an accelerator, from
    /// this one on.
    pub const fn lanes(self, axis: char, lanes: usize, start: usize) -> Self {
        let letter = axis.to_ascii_uppercase();
        if self.place_of(letter).is_none() {
            return self.with_error(LayoutError::unknown_axis(axis, self.format.axes()));
        }
        if self.has_lanes() {
            return self.with_error(LayoutError(Rule::RepeatedName { letter }));
        }
        self.with_factor(0, Factor::Lanes(letter, lanes, start))
    }

    /// `align(lanes = BYTES)`: what lies in each lane is rounded up to a multiple of so many bytes. After
    /// [`lanes`](Self::lanes); of a layout without lanes, all of its memory is rounded up.
    pub const fn align_lanes(self, bytes: usize) -> Self {
        let first = self.has_lanes() as usize;
        self.with_factor(first, Factor::Align(bytes))
    }

    /// Whether an axis is distributed over lanes.
    const fn has_lanes(&self) -> bool {
        self.count > 0 && matches!(self.factors[0], Factor::Lanes(..))
    }

    /// One factor more, or an error where that is too many.
    const fn with_factor(mut self, at: usize, factor: Factor) -> Self {
        if self.count == MAX_PARTS {
            return self.with_error(LayoutError(Rule::TooManyFactors));
        }
        let mut i = self.count;
        while i > at {
            self.factors[i] = self.factors[i - 1];
            i -= 1;
        }
        self.factors[at] = factor;
        self.count += 1;
        self
    }

    /// `broadcast(AXIS)`: the axis takes no memory.
    pub const fn broadcast(mut self, axis: char) -> Self {
        let letter = axis.to_ascii_uppercase();
        let Some(place) = self.place_of(letter) else {
            return self.with_error(LayoutError::unknown_axis(axis, self.format.axes()));
        };
        if let Factor::Broadcast(_) = self.factors[place] {
            return self.with_error(LayoutError(Rule::RepeatedName { letter }));
        }
        self.factors[place] = Factor::Broadcast(letter);
        self
    }

    /// `strides = [..]`: one stride in elements for each axis, in coordinate order, in place of the
    /// memory order.
    pub const fn strides(mut self, strides: &[isize]) -> Self {
        let mut own = [0; MAX_RANK];
        let mut i = 0;
        while i < strides.len() && i < MAX_RANK {
            own[i] = strides[i];
            i += 1;
        }
        self.strides = Some((own, strides.len()));
        self
    }

    /// The layout over `extents`, which are in coordinate order and may be 0.
    ///
    /// # Errors
    /// An option that names an axis that there is not, or one twice; axes whose order is not known;
    /// a wrong number of extents or strides; a broadcast axis with a stride; or a rule that
    /// [`Layout::new`] finds broken.
    pub const fn extents(&self, extents: &[usize]) -> Result<Layout, LayoutError> {
        match self.format.axes_of(extents) {
            Ok(axes) => self.finished(axes.split_at(extents.len()).0),
            Err(error) => Err(error),
        }
    }

    /// The layout over axes named in coordinate order, each with its extent: for axes whose order is
    /// not known.
    ///
    /// # Errors
    /// As [`extents`](Self::extents); and an axis that the format does not have, or that is left
    /// out.
    pub const fn named_extents(&self, axes: &[(char, usize)]) -> Result<Layout, LayoutError> {
        let there = self.format.axes();
        let mut list = [AxisExtent { letter: 'A', extent: Length::Unknown }; MAX_RANK];
        let mut given = Letters::EMPTY;
        let mut i = 0;
        while i < axes.len() {
            let (name, extent) = axes[i];
            let letter = name.to_ascii_uppercase();
            if there.position(letter).is_none() {
                return Err(LayoutError::unknown_axis(name, there));
            }
            if given.position(letter).is_some() {
                return Err(LayoutError(Rule::RepeatedName { letter }));
            }
            given = given.with(letter);
            list[i] = AxisExtent { letter, extent: Length::Runtime(extent) };
            i += 1;
        }
        let mut k = 0;
        while k < there.count() {
            let letter = there.at(k);
            if given.position(letter).is_none() {
                return Err(LayoutError(Rule::MissingExtent { letter }));
            }
            k += 1;
        }
        self.finished(list.split_at(i).0)
    }

    const fn finished(&self, axes: &[AxisExtent]) -> Result<Layout, LayoutError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (element, fill) = (self.element, self.fill);
        let mut factors = self.factors;
        if let Some((strides, given)) = self.strides {
            if given != axes.len() {
                return Err(LayoutError(Rule::StrideCount { axes: self.letters(axes), given }));
            }
            let mut i = 0;
            while i < axes.len() {
                let letter = axes[i].letter;
                if let Some(place) = self.place_of(letter) {
                    match factors[place] {
                        Factor::Broadcast(_) if strides[i] != 0 => {
                            let mut stride = Name::EMPTY;
                            stride.push_signed(strides[i]);
                            return Err(LayoutError(Rule::BroadcastStride { letter, stride }));
                        }
                        Factor::Broadcast(_) => {}
                        _ => factors[place] = Factor::Stride(letter, strides[i]),
                    }
                }
                i += 1;
            }
        }
        let factors = factors.split_at(self.count).0;
        Layout::new(&Spec { element, axes, factors, fill })
    }

    const fn letters(&self, axes: &[AxisExtent]) -> Letters {
        Spec { element: self.element, axes, factors: &[], fill: None }.letters()
    }

    /// Where the rest of an axis stands, if there is one of this letter.
    const fn place_of(&self, letter: char) -> Option<usize> {
        let mut i = 0;
        while i < self.count {
            if self.factors[i].is_rest_of(letter) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// The first error stays.
    const fn with_error(mut self, error: LayoutError) -> Self {
        if self.error.is_none() {
            self.error = Some(error);
        }
        self
    }
}
