//! A field of a record: from its own coordinates to bits.

use core::fmt;

use layout_core::ElementType;
use layout_core::spec::{Letters, ListText, MAX_RANK};

use crate::checked_tree::{MOST_PIECES, operand, reach};
use crate::error::{Broken, RecordError};
use crate::field_digit::{FieldDigit, same_digits};
use crate::item::{DigitChange, WrittenDigit};
use crate::record::Record;
use crate::record_places::{Extents, Placement, check_index, word_bits};
use crate::record_rules::RecordRule;
use crate::tree::{ItemList, MOST_DIGITS};

/// One place of a field: all of it, or one step of a digit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldPlace {
    /// The first bit.
    pub(crate) start: i64,
    /// The range of its digits in the list.
    first: usize,
    count: usize,
}

/// A field of a record: which elements it has, and where they lie.
///
/// Its coordinates are its own: an axis of which several coordinates share an element has fewer of them, `K/32` for a
/// scale of 32 columns, and an axis that it has no digit of is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RecordField {
    name: ListText,
    element: ElementType,
    bits: usize,
    is_high_first: bool,
    buffer: usize,
    bytes: usize,
    letters: Letters,
    /// The extent of each axis of the record, and its position here.
    pub(crate) record_axes: [(usize, usize); MAX_RANK],
    pub(crate) record_rank: usize,
    /// The number of steps of each axis.
    extents: [usize; MAX_RANK],
    pub(crate) shares: [usize; MAX_RANK],
    digits: [FieldDigit; MOST_DIGITS],
    digit_count: usize,
    places: [FieldPlace; MOST_PIECES],
    place_count: usize,
    /// How many digits follow those of the place, whose distances are in a string of bits, which is cut into words.
    inner: usize,
    /// The bits of a word, or 0, and from one word of a string to the next.
    word: i64,
    jump: i64,
    /// The digit whose steps lie in a place each.
    split: FieldDigit,
}

impl RecordField {
    /// The field whose first piece is this node.
    pub(crate) const fn at(
        record: &Record,
        placement: &Placement,
        node: usize,
    ) -> Result<Self, Broken> {
        let tree = record.tree();
        let buffer = tree.buffer(node);
        let Some(element) = tree.element(node) else { return Err((RecordRule::TooLarge, node)) };
        let mut new = Self {
            name: tree.name(node),
            element,
            bits: element.value_bits(),
            is_high_first: tree.is_high_first(node),
            buffer,
            bytes: record.bytes(buffer),
            letters: Letters::EMPTY,
            record_axes: [(0, MAX_RANK); MAX_RANK],
            record_rank: record.letters().count(),
            extents: [0; MAX_RANK],
            shares: [1; MAX_RANK],
            digits: [FieldDigit::NONE; MOST_DIGITS],
            digit_count: 0,
            places: [FieldPlace { start: 0, first: 0, count: 0 }; MOST_PIECES],
            place_count: 0,
            inner: 0,
            word: 0,
            jump: 0,
            split: FieldDigit::NONE,
        };
        let path = ok!(tree.path(node));
        new.find_axes(record, &path);
        let placement = placement.for_buffer(tree, record.sizes(), buffer);
        let (mut piece, end) = (node, if tree.is_piece(node) { tree.count() } else { node + 1 });
        while piece < end {
            if tree.is_element(piece) && tree.are_one(node, piece) {
                ok!(new.add_piece(record, &placement, piece));
            }
            piece += 1;
        }
        new.join_pieces();
        Ok(new)
    }

    const fn find_axes(&mut self, record: &Record, path: &ItemList) {
        layout_core::each!(axis, 0..record.letters().count(), {
            let letter = record.letters().at(axis);
            let own = reach(record.tree(), path, letter as u8);
            self.record_axes[axis] = (record.extents()[axis], MAX_RANK);
            if own.share > 0 {
                let at = self.letters.count();
                self.record_axes[axis].1 = at;
                self.letters = self.letters.with(letter);
                self.shares[at] = own.share;
                self.extents[at] = record.extents()[axis].div_ceil(own.share);
            }
        });
    }

    /// Adds the digits of a piece, and its start.
    const fn add_piece(
        &mut self,
        record: &Record,
        placement: &Placement,
        node: usize,
    ) -> Result<(), Broken> {
        let tree = record.tree();
        let path = ok!(tree.path(node));
        let (mut digits, mut count) = ([FieldDigit::NONE; MOST_DIGITS], 0);
        let (mut place, mut inner) = (0, MOST_DIGITS);
        let mut i = 0;
        while i < path.count {
            let item = path.at(i);
            i += 1;
            let Some(written) = tree.digit(item) else { continue };
            let mut digit = self.own(&written, record);
            digit.stride = placement.stride(item) as i64;
            if written.change.has_operand() {
                if let Some(other) = operand(tree, &path, &written) {
                    let other = self.own(&other, record);
                    digit.operand = (other.axis, other.size, other.weight);
                }
            }
            if let DigitChange::Fixed = written.change {
                (self.split, place) = (digit, written.number as usize);
                continue;
            }
            digits[count] = digit;
            count += 1;
            let word = if item > node { word_bits(tree, node, item) as i64 } else { 0 };
            if word > 0 {
                let jump = word.saturating_mul(digit.size as i64);
                (self.word, self.jump) = (word, if jump > word { jump } else { word });
                inner = count;
            }
        }
        let start = placement.start(tree, node) as i64;
        let first = ok!(self.first_of(digits.split_at(count).0, node));
        self.inner = count.saturating_sub(inner);
        self.places[place] = FieldPlace { start, first, count: count - self.inner };
        self.place_count += 1;
        Ok(())
    }

    pub(crate) const fn places(&self) -> &[FieldPlace] {
        self.places.split_at(self.place_count).0
    }

    /// The digit whose steps lie in a place each.
    pub(crate) const fn split(&self) -> &FieldDigit {
        &self.split
    }

    /// The bits of a word, and from one word of a string of bits to the next, if words cut it.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn words(&self) -> Option<(i64, i64)> {
        if self.word > 0 { Some((self.word, self.jump)) } else { None }
    }

    /// The digits of a place, those of its strings of bits too.
    pub(crate) const fn all_digits(&self, place: FieldPlace) -> &[FieldDigit] {
        self.digits_of(FieldPlace { count: place.count + self.inner, ..place })
    }

    pub(crate) const fn digits_of(
        &self,
        FieldPlace { first, count, .. }: FieldPlace,
    ) -> &[FieldDigit] {
        self.digits.split_at(first).1.split_at(count).0
    }

    /// Where the digits of a piece begin in the list: pieces with the same ones hold them once.
    const fn first_of(&mut self, digits: &[FieldDigit], node: usize) -> Result<usize, Broken> {
        let (first, mut i) = (self.digit_count, 0);
        while i < MOST_PIECES {
            if same_digits(self.digits_of(self.places[i]), digits) {
                return Ok(self.places[i].first);
            }
            i += 1;
        }
        i = 0;
        while i < digits.len() {
            if self.digit_count == MOST_DIGITS {
                return Err((RecordRule::TooManyDigits, node));
            }
            self.digits[self.digit_count] = digits[i];
            self.digit_count += 1;
            i += 1;
        }
        Ok(first)
    }

    /// A digit in coordinates of the field.
    const fn own(&self, written: &WrittenDigit, record: &Record) -> FieldDigit {
        let axis = match self.letters.position(written.letter as char) {
            Some(axis) => axis,
            None => 0,
        };
        let weight = written.weight as usize / self.shares[axis];
        let size = record.sizes().count(written);
        FieldDigit { axis, size, weight, change: written.change, ..FieldDigit::NONE }
    }

    /// Makes one place of pieces at equal distances, with a digit that counts them.
    const fn join_pieces(&mut self) {
        if self.place_count < 2 || self.digit_count == MOST_DIGITS {
            return;
        }
        let (one, two) = (self.places[0], self.places[1]);
        let distance = two.start - one.start;
        let mut place = 1;
        while place < self.place_count {
            let own = self.places[place];
            let is_next = own.start == one.start + place as i64 * distance;
            if !is_next || !same_digits(self.digits_of(one), self.digits_of(own)) {
                return;
            }
            place += 1;
        }
        self.split.stride = distance;
        self.split.change = DigitChange::None;
        self.digits[one.first + one.count] = self.split;
        self.places[0].count += 1;
        self.place_count = 1;
    }

    /// The name of the field.
    pub const fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The element type. An integer takes its number of bits, `u5` five of them.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    pub(crate) const fn set_element(&mut self, element: ElementType) {
        self.element = element;
    }

    /// The number of bits of an element.
    pub const fn bits(&self) -> usize {
        self.bits
    }

    /// Whether elements begin with their highest bit, at the highest bit of a byte.
    pub const fn is_high_first(&self) -> bool {
        self.is_high_first
    }

    /// The buffer that the field is in.
    pub const fn buffer(&self) -> usize {
        self.buffer
    }

    /// The bytes of the buffer that the field is in.
    pub const fn buffer_bytes(&self) -> usize {
        self.bytes
    }

    /// The letters of its axes in coordinate order.
    pub const fn letters(&self) -> Letters {
        self.letters
    }

    /// The extents of its axes in coordinate order: of an axis of which several coordinates share an element, their
    /// number divided by that, rounded up.
    pub const fn extents(&self) -> &[usize] {
        self.extents.split_at(self.letters.count()).0
    }

    /// The number of consecutive coordinates of an axis, by its position, that share an element. Panics if there is no
    /// such axis.
    pub const fn shared(&self, axis: usize) -> usize {
        assert!(axis < self.letters.count(), "field has fewer axes");
        self.shares[axis]
    }

    /// Where the element at a coordinate of the field begins in its buffer, in bits: its lowest bit, or its highest one
    /// if the field [`is_high_first`](Self::is_high_first). Bit `b` of the buffer is bit `b % 8` of byte `b / 8`
    /// counted from the lowest one, or from the highest one if the field is high first. The other bits follow, but with
    /// `words(..)` an element that reaches the end of a word goes on in the next word of its string.
    ///
    /// # Errors
    /// The coordinate is not in the field.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn bit_offset(&self, coordinate: &[usize]) -> Result<u64, RecordError> {
        ok!(check_index(Extents { letters: self.letters, values: self.extents() }, coordinate));
        let mut own = [0; MAX_RANK];
        layout_core::each!(i, 0..coordinate.len(), { own[i] = coordinate[i] });
        Ok(self.first_bit(&own) as u64)
    }

    /// The first bit of the element at a coordinate of the field.
    #[inline(always)]
    pub(crate) const fn first_bit(&self, coordinate: &[usize; MAX_RANK]) -> i64 {
        let place = match self.place_count {
            1 => 0,
            _ => self.split.step(coordinate),
        };
        let place = self.places[if place < MOST_PIECES { place } else { 0 }];
        let (mut offset, mut string) = (place.start, 0);
        layout_core::each!(i, 0..place.count + self.inner, {
            if place.first + i < MOST_DIGITS {
                let digit = &self.digits[place.first + i];
                let bits = digit.step(coordinate) as i64 * digit.stride;
                *(if i < place.count { &mut offset } else { &mut string }) += bits;
            }
        });
        match self.words() {
            Some((word, jump)) => offset + string / word * jump + string % word,
            None => offset,
        }
    }

    /// The field with coordinates up to the ends of its blocks, in the same places: those of its padding too.
    #[doc(hidden)]
    pub const fn with_padding(mut self) -> Self {
        layout_core::each!(i, 0..self.digit_count + 1, {
            let digit = if i < self.digit_count { self.digits[i] } else { self.split };
            let extent = self.extents[digit.axis];
            let all = digit.weight.saturating_mul(digit.size);
            if extent > 0 && digit.size > 1 && all > extent {
                self.extents[digit.axis] = all;
            }
        });
        self
    }

    /// Where the element at a coordinate of the record begins in its buffer, in bits, or `None` outside of the record.
    #[doc(hidden)]
    #[inline(always)]
    pub fn bit_of(&self, coordinate: &[usize]) -> Option<u64> {
        let mut own = [0; MAX_RANK];
        let axes = self.record_axes.split_at(self.record_rank).0;
        let mut inside = coordinate.len() == axes.len();
        for ((extent, place), index) in axes.iter().zip(coordinate) {
            inside &= index < extent;
            if let Some(own) = own.get_mut(*place) {
                *own = index / self.shares[*place];
            }
        }
        if inside { Some(self.first_bit(&own) as u64) } else { None }
    }

    /// Whether elements lie beyond the extents.
    #[doc(hidden)]
    pub const fn is_padded(&self) -> bool {
        let (padded, mut is_padded) = (self.with_padding(), false);
        layout_core::each!(i, 0..self.letters.count(), {
            is_padded |= padded.extents[i] > self.extents[i];
        });
        is_padded
    }

    /// The weights of the digits of an axis of the record, in its coordinates.
    #[doc(hidden)]
    pub fn weights(&self, letter: char) -> impl Iterator<Item = usize> + '_ {
        let axis = self.letters.position(letter);
        let share = axis.map_or(1, |axis| self.shares[axis]);
        let all = self.digits[..self.digit_count].iter().chain([&self.split]);
        all.filter(move |digit| Some(digit.axis) == axis).map(move |digit| digit.weight * share)
    }

    /// The coordinates of an axis of the record after which digits that are added to others begin again.
    #[doc(hidden)]
    pub fn period(&self, letter: char) -> usize {
        let Some(axis) = self.letters.position(letter) else { return 1 };
        let own = self.digits[..self.digit_count].iter();
        // Those of a string of bits are the last ones.
        let begins = self.digit_count - self.inner;
        let both = own
            .enumerate()
            .filter(|(i, digit)| *i >= begins || digit.change.has_operand())
            .flat_map(|(_, digit)| [(digit.axis, digit.size, digit.weight), digit.operand]);
        let ends = both.filter(|digit| digit.0 == axis).map(|own| own.1.saturating_mul(own.2));
        ends.max().unwrap_or(1).saturating_mul(self.shares[axis])
    }

    /// The coordinates of an axis of the record after which the pieces of the field begin again.
    #[doc(hidden)]
    pub fn pieces(&self, letter: char) -> usize {
        match self.letters.position(letter) {
            Some(axis) if self.place_count > 1 && self.split.axis == axis => {
                self.split.weight.saturating_mul(self.split.size).saturating_mul(self.shares[axis])
            }
            _ => 1,
        }
    }

    /// The bytes from the first element to the last one, if elements fill them.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn byte_range(&self) -> Option<(usize, usize)> {
        let Ok((digits, start)) = self.strided() else { return None };
        let bits = self.bits() as i64;
        let (mut count, mut span) = (1, bits);
        layout_core::each!(i, 0..digits.len(), {
            let FieldDigit { size, stride, .. } = digits[i];
            // Pieces in falling order begin elsewhere.
            if size == 0 || stride < 0 {
                return None;
            }
            count *= size as i64;
            span += (size as i64 - 1) * stride;
        });
        let is_whole = start % 8 == 0 && span % 8 == 0 && span == count * bits;
        if is_whole { Some(((start / 8) as usize, ((start + span) / 8) as usize)) } else { None }
    }
}

/// Writes the name and the element type.
impl fmt::Debug for RecordField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.element.name())
    }
}
