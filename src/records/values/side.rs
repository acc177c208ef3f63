//! The sides of a conversion of values: records and layouts, and where their elements lie.

use alloc::{string::String, vec::Vec};

use layout_records::{Record, RecordError, RecordField, UseFault};
use layout_types::nests::Padding;
use layout_types::spec::MAX_RANK;
use layout_types::{ElementType, Layout};

use crate::records::record_buffer::fault;

/// What a conversion of values reads or writes: a record by its value rule, or tensors.
#[derive(Clone, Copy, Debug)]
pub enum ValueSide<'a> {
    /// The values of a record. A record of one field without a rule has the values of that field.
    Record(&'a Record),
    /// A tensor of numbers, in one buffer.
    Layout(&'a Layout),
    /// A rule of several tensors, each in a buffer of its own: codes, and scales, zero points and minima that share the
    /// axes of the codes. A tensor of them lacks an axis, is broadcast along it, or has an extent that divides that of
    /// the codes: 128 coordinates share one of 32 scales of 4096 columns.
    ///
    /// ```
    /// use tensor_layout::Layout;
    /// use tensor_layout::records::{ValuePlan, ValueSide};
    ///
    /// let [codes, scales, zeros, numbers] =
    ///     ["MK<2, 64>, u8", "MK<2, 2>, f16", "M<2>, u8", "MK<2, 64>, f32"].map(|text| Layout::parse(text).unwrap());
    /// let tensors = [("q", &codes), ("s", &scales), ("z", &zeros)];
    /// let quantized = ValueSide::Tensors { rule: "s * (q - z)", tensors: &tensors };
    ///
    /// let (one, two) = ([0x00, 0x3c], [0x00, 0x40]); // 1 and 2 in `f16`
    /// let mut values = [0; 2 * 64 * 4];
    /// let plan = ValuePlan::new(quantized, &numbers, None)?;
    /// let buffers: [&[u8]; 3] = [&[7; 128], &[one, two, one, one].concat(), &[5, 6]];
    /// plan.run(&buffers, &mut [&mut values])?;
    /// let value = |i: usize| f32::from_ne_bytes(values[4 * i..4 * i + 4].try_into().unwrap());
    /// assert_eq!([value(0), value(32), value(64)], [2.0, 4.0, 1.0]);
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    Tensors {
        /// The rule, with the names of the tensors.
        rule: &'a str,
        /// The tensors, each with its name.
        tensors: &'a [(&'a str, &'a Layout)],
    },
}

impl<'a> From<&'a Record> for ValueSide<'a> {
    fn from(record: &'a Record) -> Self {
        Self::Record(record)
    }
}

impl<'a> From<&'a Layout> for ValueSide<'a> {
    fn from(layout: &'a Layout) -> Self {
        Self::Layout(layout)
    }
}

impl ValueSide<'_> {
    /// The letters and extents of the axes.
    pub(super) fn axes(&self) -> Vec<(char, usize)> {
        let of = |layout: &Layout| -> Vec<(char, usize)> {
            let (letters, extents) = (layout.letters(), layout.extents());
            (0..letters.count()).map(|axis| (letters.at(axis), extents[axis])).collect()
        };
        match self {
            Self::Record(record) => {
                let letters = record.letters();
                (0..letters.count()).map(|i| (letters.at(i), record.extents()[i])).collect()
            }
            Self::Layout(layout) => of(layout),
            Self::Tensors { tensors, .. } => {
                let mut axes: Vec<(char, usize)> = Vec::new();
                for (letter, extent) in tensors.iter().flat_map(|tensor| of(tensor.1)) {
                    match axes.iter_mut().find(|own| own.0 == letter) {
                        Some(own) => own.1 = own.1.max(extent),
                        None => axes.push((letter, extent)),
                    }
                }
                axes
            }
        }
    }

    /// The layouts of the tensors.
    pub(super) fn layouts(&self) -> Vec<(&str, &Layout)> {
        match *self {
            Self::Record(_) => Vec::new(),
            Self::Layout(layout) => alloc::vec![("", layout)],
            Self::Tensors { tensors, .. } => tensors.to_vec(),
        }
    }

    /// The value rule as written.
    pub(super) fn rule(&self) -> &str {
        match self {
            Self::Record(record) => record.value().unwrap_or(""),
            Self::Layout(_) => "",
            Self::Tensors { rule, .. } => rule,
        }
    }

    /// The bytes of each buffer.
    pub(super) fn bytes(&self) -> Vec<usize> {
        match self {
            Self::Record(record) => (0..record.buffers()).map(|i| record.bytes(i)).collect(),
            _ => self.layouts().iter().map(|tensor| tensor.1.bytes()).collect(),
        }
    }

    /// Fills the padding of the layouts.
    pub(super) fn fills(&self) -> Vec<(usize, Layout)> {
        let layouts = self.layouts().into_iter().map(|tensor| *tensor.1).enumerate();
        layouts.filter(|own| Padding::of(&own.1).is_some()).collect()
    }

    /// The names of the fields or tensors.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::Record(record) => {
                (0..record.field_count()).map(|i| record.field_name(i).as_str().into()).collect()
            }
            _ => self.layouts().iter().map(|tensor| tensor.0.into()).collect(),
        }
    }

    /// Where the elements of the fields or tensors lie.
    pub(super) fn fields(&self) -> Result<Vec<StoredField>, RecordError> {
        if let Self::Record(record) = self {
            let names = self.names();
            return names.iter().map(|name| StoredField::of_record(record, name)).collect();
        }
        let (axes, layouts) = (self.axes(), self.layouts());
        let fields = layouts.iter().enumerate();
        fields.map(|(i, own)| StoredField::of_layout(own.0, own.1, &axes, i)).collect()
    }
}

/// Where elements lie.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan has a few, in a list")]
enum StoredPlace {
    Field(RecordField),
    /// A layout, and of each axis its position in the coordinates and the coordinates that share an index.
    Layout(Layout, Vec<(usize, usize)>),
}

/// A field of a record, or the elements of a layout.
#[derive(Clone, Debug)]
pub(super) struct StoredField {
    place: StoredPlace,
    element: ElementType,
    pub(super) bits: usize,
    /// The bits that an element takes: more than `bits` if it has bytes of its own in a layout.
    taken: usize,
    pub(super) buffer: usize,
    /// Whether the first bit of a byte is its highest one.
    pub(super) is_high_first: bool,
    /// Whether bytes are in the order of the machine.
    pub(super) is_native: bool,
}

impl StoredField {
    fn of_record(record: &Record, name: &str) -> Result<Self, RecordError> {
        let field = record.field(name)?;
        let (element, bits, buffer) = (field.element(), field.bits(), field.buffer());
        let is_high_first = field.is_high_first();
        if (is_high_first || field.words().is_some()) && bits > 8 {
            return Err(fault(UseFault::ValueBytes(element)));
        }
        let place = StoredPlace::Field(field);
        Self { place, element, bits, taken: bits, buffer, is_high_first, is_native: false }
            .checked()
    }

    fn of_layout(
        name: &str,
        layout: &Layout,
        axes: &[(char, usize)],
        buffer: usize,
    ) -> Result<Self, RecordError> {
        if layout.swizzle().is_some() {
            return Err(fault(UseFault::Swizzled));
        }
        let mut own = Vec::new();
        for (i, &extent) in layout.extents().iter().enumerate() {
            let letter = layout.letters().at(i);
            let place = axes.iter().position(|axis| axis.0 == letter).unwrap_or(0);
            let whole = axes[place].1;
            if extent > 0 && whole % extent > 0 {
                return Err(fault(UseFault::ValueBroadcast(name, letter, extent, whole)));
            }
            own.push((place, whole.checked_div(extent).unwrap_or(1).max(1)));
        }
        let element = layout.element();
        Self {
            place: StoredPlace::Layout(*layout, own),
            element: element.low_first(),
            bits: element.value_bits(),
            taken: element.bits(),
            buffer,
            is_high_first: element.low_first() != element,
            is_native: true,
        }
        .checked()
    }

    fn checked(self) -> Result<Self, RecordError> {
        let is_number = self.element.is_number() || self.element.integer_range().is_some();
        let is_held = self.bits <= 8 || self.bits <= 64 && self.bits % 8 == 0;
        match (is_number, is_held) {
            (true, true) => Ok(self),
            (true, false) => Err(fault(UseFault::ValueBytes(self.element))),
            _ => Err(fault(UseFault::ValueElement(self.element))),
        }
    }

    /// Whether each coordinate has an element of its own.
    pub(super) fn is_code(&self, axes: &[(char, usize)]) -> bool {
        axes.iter().all(|axis| self.shared(axis.0) == 1)
    }

    pub(super) const fn element(&self) -> ElementType {
        self.element
    }

    /// How many coordinates of an axis share an element; 0 stands for all of them.
    pub(super) fn shared(&self, letter: char) -> usize {
        match &self.place {
            StoredPlace::Layout(layout, own) => {
                let Some(axis) = layout.letters().position(letter) else { return 0 };
                // Digits without a distance are shared.
                let digits = layout.digits();
                let digits = digits.as_slice().iter().filter(|digit| digit.axis == axis);
                let moving = digits.clone().filter(|digit| digit.stride != 0 && digit.size > 1);
                match moving.map(|digit| digit.weight).min() {
                    Some(weight) => weight * own[axis].1,
                    None if layout.extents()[axis] > 1 || own[axis].1 > 1 => 0,
                    None => 1,
                }
            }
            StoredPlace::Field(field) => {
                field.letters().position(letter).map_or(0, |axis| field.shared(axis))
            }
        }
    }

    /// The axis along which the elements of a layout are the closest.
    pub(super) fn fastest(&self) -> Option<char> {
        let StoredPlace::Layout(layout, _) = &self.place else { return None };
        let digits = layout.digits();
        let fastest = digits.as_slice().iter().rev().find(|own| own.stride != 0 && own.size > 1)?;
        Some(layout.letters().at(fastest.axis))
    }

    /// The sizes of tiles of an axis with which the tiles lie alike: those that divide each of these numbers or are
    /// multiples of it.
    pub(super) fn weights(&self, letter: char) -> Vec<usize> {
        let shared = self.shared(letter).max(1);
        match &self.place {
            StoredPlace::Layout(layout, own) => {
                let axis = layout.letters().position(letter);
                let share = axis.map_or(1, |axis| own[axis].1);
                let digits = layout.digits();
                let own = digits.as_slice().iter().filter(|digit| Some(digit.axis) == axis);
                // Only 1 divides both: a tile of one coordinate lies where that does.
                if own.clone().any(|digit| digit.shift > 0) {
                    return alloc::vec![usize::MAX, usize::MAX - 1];
                }
                own.map(|digit| digit.weight * share).chain([share, shared]).collect()
            }
            StoredPlace::Field(field) => field.weights(letter).chain([shared]).collect(),
        }
    }

    /// The number of which the sizes of tiles of an axis are multiples, so that digits which are added to others begin anew.
    pub(super) fn period(&self, letter: char) -> usize {
        if let StoredPlace::Field(field) = &self.place { field.period(letter) } else { 1 }
    }

    /// The first bit of the element at a coordinate, which has the axes of the side.
    pub(super) fn bit(&self, coordinate: &[usize]) -> i64 {
        match &self.place {
            StoredPlace::Layout(layout, own) => {
                let mut index = [0; MAX_RANK];
                for (index, &(axis, share)) in index.iter_mut().zip(own) {
                    *index = coordinate[axis] / share;
                }
                layout.offset(&index[..own.len()]) as i64 * layout.element().bits() as i64
            }
            StoredPlace::Field(field) => field.bit_of(coordinate).unwrap_or(0) as i64,
        }
    }

    /// The field, if words cut its elements.
    #[inline(always)]
    pub(super) const fn cut(&self) -> Option<&RecordField> {
        match &self.place {
            StoredPlace::Field(field) if field.words().is_some() => Some(field),
            _ => None,
        }
    }

    /// How far the bits of the element at a bit, or its first 8, lie from the lowest bit of their byte, if they are in one.
    #[inline(always)]
    pub(super) fn shift(&self, bit: u64) -> Option<usize> {
        let (within, bits) = ((bit % 8) as usize, self.bits.min(8));
        let shift = if self.is_high_first { 8usize.wrapping_sub(within + bits) } else { within };
        if within + bits <= 8 && self.cut().is_none() { Some(shift) } else { None }
    }

    #[inline(always)]
    pub(super) const fn mask(&self) -> u8 {
        u8::MAX >> 8usize.saturating_sub(self.bits)
    }

    /// The bits of a byte that an element of at most 8 bits takes, and those of them above a negative code.
    #[inline(always)]
    pub(super) fn taken(&self) -> (u8, u8) {
        let taken = u8::MAX >> 8usize.saturating_sub(self.taken);
        (taken, if self.is_signed() { taken & !self.mask() } else { 0 })
    }

    /// Whether elements are signed integers.
    #[inline(always)]
    pub(super) fn is_signed(&self) -> bool {
        self.element.integer_range().is_some_and(|range| range.0 < 0)
    }

    /// The bytes of the element at a bit, the lowest first, and how far its bits lie from the lowest one.
    #[inline(always)]
    const fn pair(&self, bit: u64) -> ([usize; 2], usize) {
        let (byte, within) = ((bit / 8) as usize, (bit % 8) as usize);
        match self.is_high_first {
            false => ([byte, byte + 1], within),
            true => ([byte + 1, byte], 16 - within - self.bits),
        }
    }

    /// The bits of the element at a bit, 8 of them at most.
    #[inline(always)]
    pub(super) fn code(&self, bytes: &[u8], bit: u64) -> u8 {
        match self.shift(bit) {
            Some(shift) => bytes[(bit / 8) as usize] >> shift & self.mask(),
            None => {
                if let Some(field) = self.cut() {
                    return field.bits_at(bytes, bit).unwrap_or(0) as u8;
                }
                let ([low, high], shift) = self.pair(bit);
                let pair = u16::from(bytes[low]) | u16::from(bytes[high]) << 8;
                (pair >> shift) as u8 & self.mask()
            }
        }
    }

    /// Writes the bits that the element at a bit takes, 8 of them at most.
    #[inline(always)]
    pub(super) fn set_code(&self, bytes: &mut [u8], bit: u64, code: u8) {
        let (mask, _) = self.taken();
        if let (Some(shift), byte) = (self.shift(bit), &mut bytes[(bit / 8) as usize]) {
            *byte = *byte & !(mask << shift) | code << shift;
            return;
        }
        if let Some(field) = self.cut() {
            field.set_bits_at(bytes, bit, code.into());
            return;
        }
        let (places, shift) = self.pair(bit);
        let (mask, code) = (u16::from(mask) << shift, u16::from(code) << shift);
        for (place, above) in places.into_iter().zip([0, 8]) {
            bytes[place] = bytes[place] & !((mask >> above) as u8) | (code >> above) as u8;
        }
    }

    /// Whether elements in memory are `f32` of this machine.
    pub(super) fn is_native_f32(&self) -> bool {
        self.element == ElementType::F32 && (self.is_native || cfg!(target_endian = "little"))
    }

    /// The coordinates of an axis after which the pieces of a field begin again.
    pub(super) fn pieces(&self, letter: char) -> usize {
        match &self.place {
            StoredPlace::Field(field) => field.pieces(letter),
            StoredPlace::Layout(..) => 1,
        }
    }

    /// The number of bytes of an element out of its buffer.
    pub(super) const fn held(&self) -> usize {
        if self.bits <= 8 { 1 } else { self.taken.div_ceil(8) }
    }

    /// Whether the field has floats, so that any values can be written.
    pub(super) fn is_float(&self) -> bool {
        self.element.integer_range().is_none()
    }
}
