//! Layouts built at run time, with the options of `layout!`.

use super::layout_template::LayoutTemplate;
use super::options::{AxisBytes, BufferPart, Stored};
use crate::spec::storages::{Chip, Storage};
use crate::spec::{
    ElementType, Factor, Format, LayoutError, Length, Letters, MAX_FACTORS, MAX_RANK, Name, Rule,
    Swizzle, Swizzling, check_element, least,
};

/// Unwraps a value, or returns the builder with the error.
macro_rules! value_of {
    ($result:expr, $builder:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return $builder.with_error(error),
        }
    };
}

/// Builds a [`Layout`](crate::Layout) from a format, an element type, the options of `layout!`, and the extents.
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
/// // layout!(BSHD<B = 2, H = 4, S = 5, D = 8>, f32, broadcast(B), coordinates(B, H, S, D))
/// let shared = Layout::builder("BSHD", ElementType::F32).broadcast('B').coordinates("BHSD");
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
    pub(super) template: LayoutTemplate,
    /// The first error found.
    pub(super) error: Option<LayoutError>,
    /// Whether an axis has a first position, which may be 0.
    has_position: [bool; MAX_RANK],
}

impl LayoutBuilder {
    /// Returns a builder, as [`Layout::builder`](crate::Layout::builder) does, but in a `const fn`.
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
        // Strides in bytes are converted before a layout is made.
        let error = match check_element(element) {
            Ok(()) => None,
            Err(error) => Some(error),
        };
        let template = LayoutTemplate::new(format, element);
        Self { template, error, has_position: [false; MAX_RANK] }
    }

    /// Sets the fill value, as `pad = VALUE` does: axes may end inside a block, and padding holds the element with
    /// these bits, lowest bit first.
    pub const fn pad(mut self, fill: u64) -> Self {
        let before = self.template.options.fill.replace(fill);
        self.once(before.is_none(), "pad")
    }

    /// Aligns an axis, as `align(AXIS = BYTES)` does: its stride is rounded up to a multiple of `bytes`.
    pub const fn align(self, axis: char, bytes: usize) -> Self {
        self.with_bytes(AxisBytes::Align, axis, Length::Fixed(bytes))
    }

    /// Sets the distance in bytes from one step of an axis to the next, as `pitch(AXIS = BYTES)` does, and nothing
    /// else: the buffer begins at any multiple of the element's alignment, and ends with the last element.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Rows of 300 bytes from a driver that promises a pitch of 512.
    /// let rows = Layout::builder("HW", ElementType::U8).pitch('H', 512).extents(&[3, 300])?;
    /// assert_eq!((rows.strides().as_deref(), rows.len()), (Some(&[512, 1][..]), 2 * 512 + 300));
    /// assert_eq!(rows, Layout::parse("HW<3, 300>, u8, pitch(H = 512)")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn pitch(self, axis: char, bytes: usize) -> Self {
        self.with_bytes(AxisBytes::Pitch, axis, Length::Fixed(bytes))
    }

    /// Gives an axis a pitch that is known later, as `pitch(AXIS = _)` does. [`template`](Self::template) returns what
    /// [`with_extents_and_pitches`](LayoutTemplate::with_extents_and_pitches) completes.
    pub const fn unknown_pitch(self, axis: char) -> Self {
        self.with_bytes(AxisBytes::Pitch, axis, Length::Unknown)
    }

    const fn with_bytes(mut self, option: AxisBytes, axis: char, bytes: Length) -> Self {
        let (letter, at) = value_of!(self.axis(axis), self);
        let is_new = self.template.options.bytes[option as usize][at].is_none();
        self.template.options.bytes[option as usize][at] = Some(bytes);
        self.unless_repeated(is_new, letter)
    }

    /// Sets the alignment of the buffer in bytes, as `align = BYTES` does, whatever those of its axes are.
    pub const fn align_start(mut self, bytes: usize) -> Self {
        let before = self.template.options.alignment.replace(bytes);
        self.once(before.is_none(), "align")
    }

    /// Distributes an axis over the lanes of an accelerator, as `lanes(AXIS, LANES, start = LANE)` does. Coordinate 0
    /// is in lane `start`.
    pub const fn lanes(mut self, axis: char, lanes: usize, start: usize) -> Self {
        let (letter, _) = value_of!(self.axis(axis), self);
        let before = self.template.options.lanes.replace(Factor::Lanes(letter, lanes, start));
        self.once(before.is_none(), "lanes")
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
    pub const fn over_lanes(mut self, lanes: usize) -> Self {
        let before = self.template.options.lanes.replace(Factor::LaneArray(lanes));
        self.once(before.is_none(), "lanes")
    }

    /// Rounds the storage of each lane up to a multiple of `bytes`, as `align(lanes = BYTES)` does.
    pub const fn align_lanes(mut self, bytes: usize) -> Self {
        let before = self.template.options.lane_align.replace(bytes);
        self.once(before.is_none(), "align(lanes)")
    }

    /// Stores the tensor in this storage of a chip, as `CHIP::STORAGE(start = LANE, w = WIDTH)` does. It begins in lane
    /// `start`. If the storage has pieces, `width` is their width. Chip and storage may be your own, in constants or
    /// from `Box::leak`; a template of them prints text that only your program understands.
    ///
    /// ```
    /// use tensor_layout::chip::{Chip, Storage};
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let (chip, storage) = (Chip::named("bm1684x")?, Storage::named("aligned")?);
    /// let act = Layout::builder("NCHW", ElementType::F16).storage(chip, storage, 2, None);
    /// let text = "NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 2)";
    /// assert_eq!(act.extents(&[2, 3, 4, 5])?, Layout::parse(text)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn storage(
        mut self,
        chip: &'static Chip,
        storage: &'static Storage,
        start: usize,
        width: Option<usize>,
    ) -> Self {
        value_of!(chip.check(), self);
        value_of!(storage.check(), self);
        value_of!(storage.check_arguments(start > 0, width.is_some()), self);
        let width = if let Some(width) = width { width } else { 0 };
        let before = self.template.options.storage.replace(Stored { chip, storage, start, width });
        if before.is_some() { self.with_error(LayoutError(Rule::TwoStorages)) } else { self }
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

    const fn with_swizzling(mut self, swizzling: Swizzling) -> Self {
        let is_bytes = matches!(swizzling, Swizzling::Bytes(..));
        match self.template.options.swizzle.replace(swizzling) {
            Some(before) if is_bytes != matches!(before, Swizzling::Bytes(..)) => {
                self.with_error(LayoutError(Rule::RepeatedSwizzle))
            }
            before => {
                self.once(before.is_none(), if is_bytes { "swizzle_bytes" } else { "swizzle" })
            }
        }
    }

    /// Broadcasts an axis, as `broadcast(AXIS)` does: its coordinates share their elements.
    pub const fn broadcast(mut self, axis: char) -> Self {
        let (letter, at) = value_of!(self.axis(axis), self);
        let is_new = !self.template.options.broadcast[at];
        self.template.options.broadcast[at] = true;
        self.unless_repeated(is_new, letter)
    }

    /// Sets the coordinate order, as `coordinates(..)` does: the axes in the order of the indices of an element.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// let image = Layout::builder("HWC", ElementType::U8).coordinates("HWC").extents(&[480, 640, 3])?;
    /// assert_eq!(image.to_string(), "HWC<480, 640, 3>, u8, coordinates(H, W, C)");
    /// assert_eq!(image.offset(&[1, 2, 0]), 1920 + 2 * 3); // [h, w, c]
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn coordinates(mut self, axes: &str) -> Self {
        let mut order = Letters::EMPTY;
        each!(i, 0..axes.len(), {
            let (letter, _) = value_of!(self.axis(crate::spec::character_at(axes, i)), self);
            if order.position(letter).is_some() {
                return self.unless_repeated(false, letter);
            }
            order = order.with(letter);
        });
        let axes = self.template.format.axes();
        if order.count() != axes.count() {
            return self.with_error(LayoutError(Rule::CoordinateOrder { given: order, axes }));
        }
        let before = self.template.options.coordinates.replace(order);
        self.once(before.is_none(), "coordinates")
    }

    /// Sets the strides, as `strides = [..]` does: one stride in elements for each axis, in coordinate order, or for
    /// each axis and block of a format with blocks, in its order. They replace the memory order.
    pub const fn strides(self, strides: &[isize]) -> Self {
        self.with_strides(strides)
    }

    /// Sets the strides in bytes, as NumPy has them: one for each axis, in coordinate order, or for each axis and
    /// block. A stride of 0 makes an axis without blocks broadcast.
    ///
    /// [`Layout::from_strides`](crate::Layout::from_strides) takes strides in elements.
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
        let order = self.template.letters();
        let mut new = self.with_strides(strides);
        new.template.options.zero_broadcasts = true;
        let factors = self.template.format.factors();
        each!(i, 0..least(strides.len(), factors.len()), {
            let letter = match factors[i].letter() {
                Some(letter) if factors.len() > order.count() => letter,
                _ => order.at(i),
            };
            let stride = match self.template.element.stride_in(letter, strides[i]) {
                Ok(stride) => stride,
                Err(error) => return new.with_error(error),
            };
            if let Some(list) = &mut new.template.options.strides {
                list[i] = stride;
            }
        });
        new
    }

    /// Makes the layout a view with strides, as `from START of LENGTH` does: coordinate 0 is at element `start` of a
    /// buffer of `length` elements.
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Channels 1 to 8 of `NCHW4<1, 16, 3, 3>`.
    /// let part = Layout::builder("CHW4c", ElementType::F16).strides(&[36, 12, 4, 1]);
    /// let part = part.first_position('C', 1).part(1, 144).extents(&[8, 3, 3])?;
    /// let whole = Layout::of("NCHW4", &[1, 16, 3, 3], ElementType::F16)?;
    /// assert_eq!(part, whole.index('N', 0)?.slice('C', 1, 1, 8)?);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub const fn part(self, start: isize, length: usize) -> Self {
        self.with_part(BufferPart::View { start, length }, "from")
    }

    /// Makes the gaps between strides padding of a buffer of `length` elements, as `len = LENGTH` does.
    pub const fn length(self, length: usize) -> Self {
        self.with_part(BufferPart::Whole { length }, "len")
    }

    const fn with_part(mut self, part: BufferPart, name: &str) -> Self {
        let before = self.template.options.part.replace(part);
        self.once(before.is_none(), name)
    }

    /// Lets coordinates with strides share elements, as `overlap` does.
    pub const fn overlap(mut self) -> Self {
        let is_new = !self.template.options.overlap;
        self.template.options.overlap = true;
        self.once(is_new, "overlap")
    }

    /// Begins an axis with strides inside a block, as `AXIS from POSITION` does.
    pub const fn first_position(mut self, axis: char, position: usize) -> Self {
        let (letter, at) = value_of!(self.axis(axis), self);
        let is_new = !core::mem::replace(&mut self.has_position[at], true);
        self.template.options.from[at] = position;
        self.unless_repeated(is_new, letter)
    }

    const fn with_strides(mut self, strides: &[isize]) -> Self {
        let mut list = [0; MAX_FACTORS];
        each!(i, 0..least(strides.len(), MAX_FACTORS), {
            list[i] = strides[i];
        });
        let before = self.template.options.strides.replace(list);
        self.template.options.stride_count = strides.len();
        self.once(before.is_none(), "strides")
    }

    /// The axis with this letter, and its position in memory order.
    const fn axis(&self, axis: char) -> Result<(char, usize), LayoutError> {
        let (letter, axes) = (axis.to_ascii_uppercase(), self.template.format.axes());
        match axes.position(letter) {
            Some(at) => Ok((letter, at)),
            None => Err(LayoutError::unknown_axis(axis, axes)),
        }
    }

    /// Records the error of an option that is given twice.
    const fn once(self, is_new: bool, name: &str) -> Self {
        match is_new {
            true => self,
            false => self.with_error(LayoutError(Rule::RepeatedOption { name: Name::new(name) })),
        }
    }

    /// Records the error of an axis that an option names twice.
    const fn unless_repeated(self, is_new: bool, letter: char) -> Self {
        if is_new { self } else { self.with_error(LayoutError(Rule::RepeatedName { letter })) }
    }

    /// Records an error. The first error is kept.
    pub(super) const fn with_error(mut self, error: LayoutError) -> Self {
        if self.error.is_none() {
            self.error = Some(error);
        }
        self
    }
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
