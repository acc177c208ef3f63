//! Layouts with options, made at run time as `layout!` writes them.

use super::Layout;
use crate::spec::{
    AsFormat, AxisExtent, ElementType, Factor, Format, LayoutError, Length, Letters, MAX_FACTORS,
    MAX_RANK, Name, Rule, Spec, Swizzle, Swizzling, check_stride_count, stride_factor,
};

/// The most factors: digits, an alignment after each axis, lanes and theirs, a swizzle.
const MAX_PARTS: usize = MAX_FACTORS + MAX_RANK + 3;

/// A layout to be: a format and an element type, then the options that `layout!` has, then the
/// extents. What is wrong with an option is the error of [`extents`](Self::extents).
///
/// ```
/// use tensor_layout::{ElementType, Layout};
///
/// // layout!(NCHW<2, 3, 5, 5>, f16, align(H = 64))
/// let rows = Layout::builder("NCHW", ElementType::F16).align('H', 64);
/// assert_eq!(rows.extents(&[2, 3, 5, 5])?.to_string(), "NCHW<2, 3, 5, 5>, f16, align(H = 64)");
///
/// // layout!(BSHD<B = 2, H = 4, S = 5, D = 8>, f32, broadcast(B))
/// let shared = Layout::builder("BSHD", ElementType::F32).broadcast('B');
/// let shared = shared.named_extents(&[('B', 2), ('H', 4), ('S', 5), ('D', 8)])?;
/// assert_eq!((shared.offset(&[1, 0, 2, 0]), shared.len()), (2 * 32, 160));
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
    /// The axes that have an alignment.
    aligned: Letters,
    strides: Option<Strides>,
    fill: Option<u64>,
    /// The first that was found.
    error: Option<LayoutError>,
}

impl Layout {
    /// The layout of a format over `extents`, which are in coordinate order and may be 0.
    ///
    /// [`builder`](Self::builder) takes options, such as padding; [`LayoutBuilder::new`] makes constants.
    ///
    /// # Errors
    /// Text that is not a format, axes whose order is not known, a wrong number of extents, extents
    /// that are no multiples of their blocks, or more bytes than a buffer can have.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let layout = Layout::of("nChw16c", &[2, 64, 3, 3], ElementType::F16)?;
    /// assert_eq!(layout.offset(&[1, 17, 0, 2]), 576 + 144 + 2 * 16 + 1);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn of(
        format: impl AsFormat,
        extents: &[usize],
        element: ElementType,
    ) -> Result<Self, LayoutError> {
        let format = format.as_format()?;
        let axes = &format.axes_of(extents)?[..extents.len()];
        Self::new(&Spec { element, axes, factors: format.factors(), fill: None })
    }

    /// A layout of a format and an element type with options. Text that is not a format is an error of
    /// the layout.
    pub fn builder(format: impl AsFormat, element: ElementType) -> LayoutBuilder {
        match format.as_format() {
            Ok(format) => LayoutBuilder::new(&format, element),
            Err(error) => LayoutBuilder::new(&Format::SCALAR, element).with_error(error),
        }
    }
}

impl LayoutBuilder {
    /// [`Layout::builder`] where a constant is made.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Format, Layout, LayoutBuilder};
    ///
    /// const fn rows(format: &Format, extents: &[usize]) -> Layout {
    ///     match LayoutBuilder::new(format, ElementType::F16).align('H', 64).extents(extents) {
    ///         Ok(layout) => layout,
    ///         Err(error) => error.panic(),
    ///     }
    /// }
    /// # let _ = rows;
    /// ```
    pub const fn new(format: &Format, element: ElementType) -> Self {
        let mut factors = [Factor::Align(1); MAX_PARTS];
        let mut i = 0;
        while i < format.factors().len() {
            factors[i] = format.factors()[i];
            i += 1;
        }
        let (aligned, strides, fill, error) = (Letters::EMPTY, None, None, None);
        Self { format: *format, element, factors, count: i, aligned, strides, fill, error }
    }

    /// `pad = VALUE`: axes may end inside a block, and padding holds the element of these bits,
    /// lowest first.
    pub const fn pad(mut self, fill: u64) -> Self {
        self.fill = Some(fill);
        self
    }

    /// `align(AXIS = BYTES)`: what is faster than the axis is rounded up, so that the axis' stride is
    /// a multiple of so many bytes.
    pub const fn align(mut self, axis: char, bytes: usize) -> Self {
        let letter = axis.to_ascii_uppercase();
        let Some(place) = self.place_of(letter) else {
            return self.with_error(LayoutError::unknown_axis(axis, self.format.axes()));
        };
        if self.aligned.position(letter).is_some() {
            return self.with_error(LayoutError(Rule::RepeatedName { letter }));
        }
        self.aligned = self.aligned.with(letter);
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

    /// `lanes(LANES)`: storage is an array of so many lanes, which the slowest axes and blocks count.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Operand A of m16n8k16: lanes m % 8 and k / 2 % 4, registers k / 8, m / 8 and k % 2.
    /// let fragment = Layout::builder("8m4kKM2k", ElementType::F16).over_lanes(32);
    /// let fragment = fragment.named_extents(&[('M', 16), ('K', 16)])?;
    /// assert_eq!(fragment.to_string(), "8m4kKM2k<16, 16>, f16, lanes(32)");
    /// assert_eq!(fragment.lanes().map(|lanes| lanes.len()), Some(8));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn over_lanes(self, lanes: usize) -> Self {
        if self.has_lanes() {
            let name = Name::new("lanes");
            return self.with_error(LayoutError(Rule::RepeatedOption { name }));
        }
        self.with_factor(0, Factor::LaneArray(lanes))
    }

    /// `align(lanes = BYTES)`: what lies in each lane is rounded up to a multiple of so many bytes. After
    /// [`lanes`](Self::lanes).
    pub const fn align_lanes(self, bytes: usize) -> Self {
        if !matches!(self.factors[0], Factor::Lanes(..)) {
            let (name, axes) = (Name::new("lanes"), self.format.axes());
            return self.with_error(LayoutError(Rule::UnknownAxis { name, axes }));
        }
        self.with_factor(1, Factor::Align(bytes))
    }

    /// Whether there are lanes, of one axis or of all.
    const fn has_lanes(&self) -> bool {
        self.count > 0 && matches!(self.factors[0], Factor::Lanes(..) | Factor::LaneArray(_))
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

    /// `swizzle(B, M, S)`: an XOR of bits of the offset, in elements, after all strides.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout, Swizzle};
    ///
    /// let tile = Layout::builder("MK", ElementType::F16).swizzle(Swizzle::new(3, 3, 3));
    /// let tile = tile.extents(&[128, 64])?;
    /// assert_eq!(tile.to_string(), "MK<128, 64>, f16, swizzle(3, 3, 3)");
    /// assert_eq!((tile.offset(&[1, 0]), tile.offset(&[1, 8])), (64 + 8, 64));
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn swizzle(self, swizzle: Swizzle) -> Self {
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        self.with_swizzling(Swizzling::Elements(bits, base, shift))
    }

    /// `swizzle_bytes(B, M, S)`, and `swizzle = NAME`: an XOR of bits of the address in bytes, such as
    /// [`Swizzle::B128`].
    pub const fn swizzle_bytes(self, swizzle: Swizzle) -> Self {
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        self.with_swizzling(Swizzling::Bytes(bits, base, shift))
    }

    /// `swizzle(vec = VEC, per_phase = ROWS, max_phase = PHASES)`: Triton's swizzle, in elements and rows.
    pub const fn swizzle_phases(self, vec: usize, per_phase: usize, max_phase: usize) -> Self {
        self.with_swizzling(Swizzling::Phases(vec, per_phase, max_phase))
    }

    pub(crate) const fn with_swizzling(self, swizzling: Swizzling) -> Self {
        let at = self.count;
        self.with_factor(at, Factor::Swizzle(swizzling))
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
    pub const fn strides(self, strides: &[isize]) -> Self {
        self.with_strides(strides, strides.len(), false)
    }

    /// The same in bytes and as other libraries have them, where a stride of 0 makes the axis broadcast:
    /// [`Layout::from_strides`] has them in elements.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let array = Layout::builder("NCHW", ElementType::F32).byte_strides(&[96, 4, 16, 0]);
    /// let array = array.extents(&[2, 4, 6, 3])?;
    /// assert_eq!(array, Layout::from_strides("NCHW", &[2, 4, 6, 3], &[24, 1, 4, 0], ElementType::F32)?);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn byte_strides(self, strides: &[isize]) -> Self {
        self.with_strides(strides, strides.len(), true)
    }

    /// These strides, of which so many were given: more than there are axes is an error of the layout.
    pub(crate) const fn with_strides(
        mut self,
        strides: &[isize],
        given: usize,
        are_bytes: bool,
    ) -> Self {
        let mut list = [0; MAX_RANK];
        let mut i = 0;
        while i < strides.len() && i < MAX_RANK {
            list[i] = strides[i];
            i += 1;
        }
        self.strides = Some(Strides { list, count: given, are_bytes });
        self
    }

    /// The layout over `extents`, which are in coordinate order and may be 0.
    ///
    /// # Errors
    /// An option that names an axis that there is not, or one twice; axes whose order is not known;
    /// a wrong number of extents or strides; a broadcast axis with a stride; or a broken rule of layouts.
    pub const fn extents(&self, extents: &[usize]) -> Result<Layout, LayoutError> {
        match (self.error, self.format.axes_of(extents)) {
            (Some(error), _) | (None, Err(error)) => Err(error),
            (None, Ok(axes)) => self.finished(axes.split_at(extents.len()).0),
        }
    }

    /// The layout over axes named in coordinate order, each with its extent: for axes whose order is
    /// not known.
    ///
    /// # Errors
    /// As [`extents`](Self::extents); and an axis that the format does not have, or that is left
    /// out.
    pub const fn named_extents(&self, axes: &[(char, usize)]) -> Result<Layout, LayoutError> {
        if let Some(error) = self.error {
            return Err(error);
        }
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

    /// The layout over the axes and extents of another one, in its coordinate order.
    ///
    /// # Errors
    /// As [`extents`](Self::extents), and other axes than the format's.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::parse("NHWC<1, 3, 8, 8>, u8")?;
    /// let packed = Layout::builder("NCHW4", ElementType::U8).pad(128).extents_of(&image)?;
    /// assert_eq!(packed.to_string(), "NCHW4c<1, 3, 8, 8>, u8, pad = 128");
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn extents_of(&self, layout: &Layout) -> Result<Layout, LayoutError> {
        self.finished(layout.axes_and_extents().split_at(layout.rank()).0)
    }

    const fn finished(&self, axes: &[AxisExtent]) -> Result<Layout, LayoutError> {
        let mut new = *self;
        match new.place_strides(axes) {
            Ok(()) => Layout::new(&new.spec(axes)),
            Err(error) => Err(error),
        }
    }

    /// What is over these axes, after [`place_strides`](Self::place_strides).
    pub(crate) const fn spec<'a>(&'a self, axes: &'a [AxisExtent]) -> Spec<'a> {
        let factors = self.factors.split_at(self.count).0;
        Spec { element: self.element, axes, factors, fill: self.fill }
    }

    /// Puts strides, where there are any, in the places of these axes.
    pub(crate) const fn place_strides(&mut self, axes: &[AxisExtent]) -> Result<(), LayoutError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let Some(strides) = self.strides else { return Ok(()) };
        if let Err(error) = check_stride_count(self.letters(axes), strides.count) {
            return Err(error);
        }
        let mut i = 0;
        while i < axes.len() {
            let AxisExtent { letter, extent } = axes[i];
            let mut stride = Ok(strides.list[i]);
            i += 1;
            let Some(place) = self.place_of(letter) else { continue };
            if strides.are_bytes {
                stride = self.element.stride_in(letter, strides.list[i - 1]);
            }
            let is_broadcast = matches!(self.factors[place], Factor::Broadcast(_));
            let factor = match stride {
                // As other libraries have it.
                Ok(0) if strides.are_bytes && !matches!(extent.value(), Some(0 | 1)) => {
                    Ok(Factor::Broadcast(letter))
                }
                Ok(stride) => stride_factor(letter, is_broadcast, stride),
                Err(error) => Err(error),
            };
            self.factors[place] = match factor {
                Ok(factor) => factor,
                Err(error) => return Err(error),
            };
        }
        Ok(())
    }

    /// The same with these factors in place of those of the format: of a storage.
    pub(crate) const fn with_factors(mut self, factors: &[Factor]) -> Self {
        self.count = 0;
        while self.count < factors.len() {
            self.factors[self.count] = factors[self.count];
            self.count += 1;
        }
        self
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

/// Strides in coordinate order.
#[derive(Clone, Copy, Debug)]
struct Strides {
    list: [isize; MAX_RANK],
    /// How many were given, which may be more than there are axes.
    count: usize,
    /// In bytes and with 0 for broadcast, as other libraries have them.
    are_bytes: bool,
}

impl ElementType {
    /// A stride in bytes as one in elements.
    const fn stride_in(self, letter: char, bytes: isize) -> Result<isize, LayoutError> {
        let elements = match self.count_in(bytes.unsigned_abs()) {
            Some(count) if bytes < 0 => 0isize.checked_sub_unsigned(count),
            Some(count) => 0isize.checked_add_unsigned(count),
            // Of elements of less than a byte, any number of bytes holds a whole number.
            None if self.bits() < 8 => None,
            None => return Err(LayoutError(Rule::ByteStride { letter, bytes, element: self })),
        };
        match elements {
            Some(elements) => Ok(elements),
            None => Err(LayoutError(Rule::TooLarge { element: self })),
        }
    }
}
