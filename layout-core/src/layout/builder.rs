//! Layouts built at run time, with the options of `layout!`.

use super::Layout;
use crate::spec::{
    AsFormat, AxisExtent, ElementType, Factor, Format, LayoutError, Letters, MAX_FACTORS, MAX_RANK,
    Name, Rule, Spec, Swizzle, Swizzling, check_element, check_stride_count, sorted, stride_factor,
};

/// The largest number of factors: digits, one alignment after each axis, the lanes and their alignment, a swizzle.
const MAX_PARTS: usize = MAX_FACTORS + MAX_RANK + 3;

/// Builds a [`Layout`] from a format, an element type, the options of `layout!`, and the extents.
///
/// An invalid option is reported by [`extents`](Self::extents).
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
    /// The memory order with its alignments, fastest factor last.
    factors: [Factor; MAX_PARTS],
    count: usize,
    /// The axes that have an alignment.
    aligned: Letters,
    strides: Option<Strides>,
    fill: Option<u64>,
    /// The first error found.
    error: Option<LayoutError>,
}

impl Layout {
    /// Returns the layout of `format` over `extents`. Extents are in coordinate order and may be 0.
    ///
    /// [`builder`](Self::builder) takes options such as padding. [`LayoutBuilder::new`] works in constants.
    ///
    /// # Errors
    /// - The text is not a format.
    /// - The axes of the format have no conventional coordinate order.
    /// - The number of extents is not the number of axes.
    /// - An extent is not a multiple of its block.
    /// - The storage is larger than `isize::MAX` bytes.
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

    /// Returns a builder of layouts with options.
    ///
    /// If the text is not a format, [`LayoutBuilder::extents`] returns the error.
    pub fn builder(format: impl AsFormat, element: ElementType) -> LayoutBuilder {
        match format.as_format() {
            Ok(format) => LayoutBuilder::new(&format, element),
            Err(error) => LayoutBuilder::new(&Format::SCALAR, element).with_error(error),
        }
    }
}

impl LayoutBuilder {
    /// Returns a builder, as [`Layout::builder`] does, but in a `const fn`.
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
        let (aligned, strides, fill) = (Letters::EMPTY, None, None);
        // Strides in bytes are converted before a spec is checked.
        let error = match check_element(element) {
            Ok(()) => None,
            Err(error) => Some(error),
        };
        Self { format: *format, element, factors, count: i, aligned, strides, fill, error }
    }

    /// Sets the fill value, as `pad = VALUE` does: axes may end inside a block, and padding holds the element with
    /// these bits, lowest bit first.
    pub const fn pad(mut self, fill: u64) -> Self {
        self.fill = Some(fill);
        self
    }

    /// Aligns an axis, as `align(AXIS = BYTES)` does: its stride is rounded up to a multiple of `bytes`.
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

    /// Distributes an axis over the lanes of an accelerator, as `lanes(AXIS, LANES, start = LANE)` does. Coordinate 0
    /// is in lane `start`.
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

    /// Makes the storage an array of `lanes` lanes, as `lanes(LANES)` does. The slowest axes and blocks count the
    /// lanes.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Operand A of m16n8k16: lanes m % 8 and k / 2 % 4, registers k / 8, m / 8 and k % 2.
    /// let fragment = Layout::builder("8m4kKM2k", ElementType::F16).over_lanes(32);
    /// let fragment = fragment.named_extents(&[('M', 16), ('K', 16)])?;
    /// assert_eq!(fragment.to_string(), "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)");
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

    /// Rounds the storage of each lane up to a multiple of `bytes`, as `align(lanes = BYTES)` does. Call
    /// [`lanes`](Self::lanes) first.
    pub const fn align_lanes(self, bytes: usize) -> Self {
        if !matches!(self.factors[0], Factor::Lanes(..)) {
            let (name, axes) = (Name::new("lanes"), self.format.axes());
            return self.with_error(LayoutError(Rule::UnknownAxis { name, axes }));
        }
        self.with_factor(1, Factor::Align(bytes))
    }

    /// Whether the builder has lanes, for one axis or for all.
    const fn has_lanes(&self) -> bool {
        self.count > 0 && matches!(self.factors[0], Factor::Lanes(..) | Factor::LaneArray(_))
    }

    /// Inserts one factor. Records an error if there are too many.
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

    /// Adds a swizzle, as `swizzle(B, M, S)` does: an XOR of bits of the offset, in elements, after all strides.
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

    /// Adds a swizzle in bytes, as `swizzle_bytes(B, M, S)` and `swizzle = NAME` do: an XOR of bits of the byte
    /// address. [`Swizzle::B128`] is one.
    pub const fn swizzle_bytes(self, swizzle: Swizzle) -> Self {
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        self.with_swizzling(Swizzling::Bytes(bits, base, shift))
    }

    /// Adds Triton's swizzle, as `swizzle(vec = VEC, per_phase = ROWS, max_phase = PHASES)` does. `vec` counts
    /// elements, `per_phase` counts rows.
    pub const fn swizzle_phases(self, vec: usize, per_phase: usize, max_phase: usize) -> Self {
        self.with_swizzling(Swizzling::Phases(vec, per_phase, max_phase))
    }

    pub(crate) const fn with_swizzling(self, swizzling: Swizzling) -> Self {
        let at = self.count;
        self.with_factor(at, Factor::Swizzle(swizzling))
    }

    /// Broadcasts an axis, as `broadcast(AXIS)` does: its coordinates share their elements.
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

    /// Sets the strides, as `strides = [..]` does: one stride in elements for each axis, in coordinate order. They
    /// replace the memory order.
    pub const fn strides(self, strides: &[isize]) -> Self {
        self.with_strides(strides, strides.len(), false)
    }

    /// Sets the strides in bytes, as NumPy has them: one for each axis, in coordinate order. A stride of 0 makes the
    /// axis broadcast.
    ///
    /// [`Layout::from_strides`] takes strides in elements.
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

    /// Sets strides, of which the caller had `count`. A wrong count is an error of the layout.
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

    /// Returns the layout over `extents`, which are in coordinate order and may be 0.
    ///
    /// # Errors
    /// - An option names an axis that the format does not have, or names an axis twice.
    /// - The axes of the format have no conventional coordinate order.
    /// - The number of extents or strides is not the number of axes.
    /// - A broadcast axis has a stride.
    /// - The layout breaks a rule: an extent is not a multiple of its block, for example.
    pub const fn extents(&self, extents: &[usize]) -> Result<Layout, LayoutError> {
        match (self.error, self.format.axes_of(extents)) {
            (Some(error), _) | (None, Err(error)) => Err(error),
            (None, Ok(axes)) => self.finished(axes.split_at(extents.len()).0),
        }
    }

    /// Returns the layout over named axes. `axes` lists each axis with its extent. Coordinates are in the conventional
    /// order if these axes have one, whatever the order of the list, and else in the order of the list.
    ///
    /// # Errors
    /// - The errors of [`extents`](Self::extents), except the one about the coordinate order.
    /// - `axes` has an axis that the format does not have, or lacks one that it has.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let of = |format, axes: &[_]| Layout::builder(format, ElementType::U8).named_extents(axes);
    /// let image = of("NHWC", &[('N', 1), ('H', 4), ('W', 6), ('C', 3)])?;
    /// assert_eq!(image.extents(), [1, 3, 4, 6]); // n, c, h, w
    /// let heads = of("BSHD", &[('B', 1), ('H', 4), ('S', 5), ('D', 8)])?;
    /// assert_eq!(heads.extents(), [1, 4, 5, 8]); // b, h, s, d
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn named_extents(&self, axes: &[(char, usize)]) -> Result<Layout, LayoutError> {
        match (self.error, self.format.named(axes)) {
            (Some(error), _) | (None, Err(error)) => Err(error),
            (None, Ok(named)) => self.extents_in(self.format.order_of_named(named), axes),
        }
    }

    /// Returns the layout over named axes, with coordinates in the order of the list.
    ///
    /// # Errors
    /// Those of [`named_extents`](Self::named_extents).
    #[doc(hidden)]
    pub const fn extents_as_listed(&self, axes: &[(char, usize)]) -> Result<Layout, LayoutError> {
        match (self.error, self.format.named(axes)) {
            (Some(error), _) | (None, Err(error)) => Err(error),
            (None, Ok(named)) => self.extents_in(named, axes),
        }
    }

    const fn extents_in(
        &self,
        order: Letters,
        axes: &[(char, usize)],
    ) -> Result<Layout, LayoutError> {
        self.finished(sorted(axes, order).split_at(axes.len()).0)
    }

    /// Returns the layout over the axes and extents of `layout`, in its coordinate order.
    ///
    /// # Errors
    /// - The errors of [`extents`](Self::extents).
    /// - The axes of `layout` are not those of the format.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::parse("NHWC<N = 1, C = 3, H = 8, W = 8>, u8")?;
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

    /// The spec over these axes, after [`place_strides`](Self::place_strides).
    pub(crate) const fn spec<'a>(&'a self, axes: &'a [AxisExtent]) -> Spec<'a> {
        let factors = self.factors.split_at(self.count).0;
        Spec { element: self.element, axes, factors, fill: self.fill }
    }

    /// Replaces the memory order by the strides, if any were given, for these axes.
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
                // Other libraries write a broadcast axis as stride 0.
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

    /// The same builder with the factors of a storage instead of those of the format.
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

    /// The index of the factor that is the rest of an axis, if the axis exists.
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

    /// Records an error. The first error is kept.
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
    /// The number of strides given, which may be larger than the number of axes.
    count: usize,
    /// Whether the strides are in bytes, with 0 for broadcast, as in other libraries.
    are_bytes: bool,
}

impl ElementType {
    /// Converts a stride from bytes to elements.
    const fn stride_in(self, letter: char, bytes: isize) -> Result<isize, LayoutError> {
        let elements = match self.count_in(bytes.unsigned_abs()) {
            Some(count) if bytes < 0 => 0isize.checked_sub_unsigned(count),
            Some(count) => 0isize.checked_add_unsigned(count),
            // Any number of bytes holds a whole number of elements of less than a byte.
            None if self.bits() < 8 => None,
            None => return Err(LayoutError(Rule::ByteStride { letter, bytes, element: self })),
        };
        match elements {
            Some(elements) => Ok(elements),
            None => Err(LayoutError(Rule::TooLarge { element: self })),
        }
    }
}
