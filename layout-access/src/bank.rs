//! Bank conflicts of shared memory.

use core::fmt;

use crate::pattern::Access;
use layout_core::each;
use layout_core::spec::{Message, Template, Value};

/// A memory in banks: word `i` is in bank `i % count`, and each bank serves one word at a time.
///
/// An instruction is served in phases. A phase consists of consecutive lanes that take `phase_bytes` together, where
/// each lane counts as at least one word. If the phases of a memory consist of other lanes, list the lanes in the order of
/// its phases, with [`Access::at`].
///
/// ```
/// use tensor_layout::access::{Access, Banks, conflicts};
///
/// // Your own memory: 16 banks of 8 bytes, and a phase takes all of them.
/// const MINE: Banks = Banks { count: 16, width: 8, phase_bytes: 128 };
/// const ROW: Access = Access::at(&[0, 64, 128, 192], 8);
/// assert_eq!(conflicts(&ROW, &MINE).degree(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// The number of banks: 1 to [`MOST`](Self::MOST).
    pub count: usize,
    /// The bytes of a word: 1 to [`MOST_BYTES`](Self::MOST_BYTES).
    pub width: usize,
    /// The bytes that the lanes of a phase take together.
    pub phase_bytes: usize,
}

impl Banks {
    /// Shared memory of NVIDIA GPUs: 32 banks of 4 bytes, phases of 128 bytes.
    pub const NVIDIA: Self = Self { count: 32, width: 4, phase_bytes: 128 };

    /// The largest number of banks.
    pub const MOST: usize = 256;

    /// The largest number of bytes of a word.
    pub const MOST_BYTES: usize = 256;

    /// Panics unless the numbers of banks and of bytes are in their ranges.
    #[track_caller]
    pub(crate) const fn check(&self) {
        check_range("number of banks", self.count, Self::MOST);
        check_range("number of bytes of a word", self.width, Self::MOST_BYTES);
    }

    /// The number of bytes after which the banks repeat.
    pub(crate) const fn period(&self) -> usize {
        self.count * self.width
    }

    /// The number of lanes in a phase, if each takes `bytes` bytes.
    const fn lanes_of_phase(&self, bytes: usize) -> usize {
        let lane = if bytes < self.width { self.width } else { bytes };
        let lanes = self.phase_bytes / lane;
        if lanes == 0 { 1 } else { lanes }
    }

    /// The first and the last word of `bytes` bytes from `start`.
    const fn words(&self, start: usize, bytes: usize) -> (usize, usize) {
        (start / self.width, start.saturating_add(bytes - 1) / self.width)
    }

    /// Whether two lanes of a phase, or one lane twice, want different words of one bank. They take `bytes` bytes each,
    /// from these addresses on.
    ///
    /// The distances between a word of one and a word of the other are all numbers from a least to a greatest one. Two
    /// words are in one bank if their distance is a multiple of the number of banks, and are different unless it is 0.
    pub(crate) const fn conflict(&self, bytes: usize, a: usize, b: usize) -> bool {
        let (first, last) = self.words(a, bytes);
        let (other, end) = self.words(b, bytes);
        // The distances by which the first one is above the other, up to the greatest.
        let above = last.saturating_sub(other) / self.count * self.count;
        let below = end.saturating_sub(first) / self.count * self.count;
        above > 0 && above >= first.saturating_sub(end)
            || below > 0 && below >= other.saturating_sub(last)
    }

    /// The lanes of an access in phase number `phase`: the first lane, and the lane after the last. There is no such
    /// phase if the first is not below the second.
    pub const fn phase(&self, access: &Access, phase: usize) -> (usize, usize) {
        let lanes = self.lanes_of_phase(access.bytes());
        let first = phase.saturating_mul(lanes);
        let end = first.saturating_add(lanes);
        (first, if end < access.lanes() { end } else { access.lanes() })
    }
}

/// Panics unless a number of a memory is from 1 to `most`.
#[track_caller]
pub(crate) const fn check_range(what: &str, number: usize, most: usize) {
    if number > 0 && number <= most {
        return;
    }
    let mut m = Message::EMPTY;
    m.push(what);
    m.push(" is ");
    m.push_number(number);
    m.push("; write ");
    m.push(if most < usize::MAX { "1 to " } else { "at least " });
    m.push_number(if most < usize::MAX { most } else { 1 });
    panic!("{}", m.as_str())
}

/// The bank conflicts of an access. [`conflicts`] returns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflicts {
    groups: usize,
    wavefronts: usize,
    degree: usize,
    bank: usize,
    lanes: u64,
}

/// Counts the bank conflicts of an access.
///
/// In each phase, lanes that want the same word share it. The number of wavefronts of a phase is the number of words
/// that the busiest bank serves.
///
/// The cost is at most some ten thousand steps, and a few hundred if each lane takes 16 bytes.
///
/// # Panics
/// - The memory has no banks, or more than [`Banks::MOST`].
/// - A word has no bytes, or more than [`Banks::MOST_BYTES`].
#[track_caller]
pub const fn conflicts(access: &Access, banks: &Banks) -> Conflicts {
    banks.check();
    let mut all = Conflicts { groups: 0, wavefronts: 0, degree: 0, bank: 0, lanes: 0 };
    let mut phase = 0;
    loop {
        let (first, end) = banks.phase(access, phase);
        if first >= end {
            return all;
        }
        let (words, bank) = most_words(access, banks, first, end);
        if words > 0 {
            all.groups += 1;
            all.wavefronts += words;
        }
        if words > all.degree {
            (all.degree, all.bank) = (words, bank);
            all.lanes = if words > 1 { lanes_at(access, banks, bank, first, end) } else { 0 };
        }
        phase += 1;
    }
}

/// The largest number of words that a bank serves for lanes `first..end`, and the first such bank.
///
/// In the order of addresses, the words of a lane that no lane before it wants are the last ones. They are in
/// consecutive banks.
const fn most_words(access: &Access, banks: &Banks, first: usize, end: usize) -> (usize, usize) {
    let (starts, lanes) = access.sorted_starts(first, end);
    let mut counts = [0usize; Banks::MOST];
    let (mut all_banks, mut highest) = (0, None);
    layout_core::each!(i, 0..lanes, {
        let (from, to) = banks.words(starts[i], access.bytes());
        let (new, words) = match highest {
            Some(before) if before >= to => (to, 0),
            Some(before) if before >= from => (before + 1, to - before),
            _ => (from, to - from + 1),
        };
        all_banks += words / banks.count;
        each!(word, 0..words % banks.count, {
            counts[(new + word) % banks.count] += 1;
        });
        highest = Some(to);
    });
    let (mut most, mut bank) = (0, 0);
    layout_core::each!(number, 0..banks.count, {
        if counts[number] > most {
            (most, bank) = (counts[number], number);
        }
    });
    (most + all_banks, bank)
}

/// The lanes among `first..end` that want a word of a bank: bit `i` is lane `i`.
const fn lanes_at(access: &Access, banks: &Banks, bank: usize, first: usize, end: usize) -> u64 {
    let mut lanes = 0;
    let mut lane = first;
    while lane < end {
        let (from, to) = banks.words(access.start(lane), access.bytes());
        let distance = (bank + banks.count - from % banks.count) % banks.count;
        if access.is_active(lane) && distance <= to - from {
            lanes |= 1 << lane;
        }
        lane += 1;
    }
    lanes
}

impl Conflicts {
    /// The largest number of wavefronts of a phase: 1 without conflicts, `n` with an n-way conflict, and 0 if no lane
    /// is active.
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// The number of phases of the instruction.
    pub const fn groups(&self) -> usize {
        self.groups
    }

    /// The number of wavefronts of all phases. Without conflicts, it is the number of phases.
    pub const fn wavefronts(&self) -> usize {
        self.wavefronts
    }

    /// The number of additional wavefronts that conflicts cost. Triton's number is this, divided by the phases.
    pub const fn excess(&self) -> usize {
        self.wavefronts - self.groups
    }

    /// The lanes of the worst phase that want words of the busiest bank: bit `i` is lane `i`. 0 without conflicts.
    pub const fn lanes(&self) -> u64 {
        self.lanes
    }

    /// The busiest bank of the worst phase, or `None` without conflicts.
    pub const fn bank(&self) -> Option<usize> {
        if self.degree > 1 { Some(self.bank) } else { None }
    }

    /// Checks that there are no conflicts, in const evaluation or at run time.
    ///
    /// # Panics
    /// If there are conflicts. The message has their degree and the lanes.
    #[track_caller]
    pub const fn expect_none(&self) {
        if self.degree > 1 {
            panic!("{}", self.message().as_str())
        }
    }

    /// The text of `Display`, in a `const fn`.
    pub const fn message(&self) -> Message {
        let text = match self.degree <= 1 {
            true => {
                "no bank conflicts: {wavefronts:wavefront|wavefronts} for {groups:phase|phases}"
            }
            false => {
                "{degree}-way bank conflict: lanes {lanes} want {degree} words of bank {bank}, and \
                 {groups:phase takes|phases take} {wavefronts:wavefront|wavefronts}; \
                 pad the rows or swizzle the layout, as `access::padding` and `access::swizzle` find"
            }
        };
        let lanes = lanes_of(self.lanes);
        let values = [
            Value::Number(self.wavefronts),
            Value::Number(self.groups),
            Value::Number(self.degree),
            Value::Number(self.bank),
            Value::Text(lanes.as_str()),
        ];
        filled(text, &["wavefronts", "groups", "degree", "bank", "lanes"], &values)
    }
}

/// A text with values in place of their names.
pub(crate) const fn filled(
    text: &'static str,
    names: &'static [&'static str],
    values: &[Value<'_>],
) -> Message {
    Template { text, names }.filled(values)
}

/// `0, 4, 8 and 12`
pub(crate) const fn lanes_of(mut left: u64) -> Message {
    let mut m = Message::EMPTY;
    while left != 0 {
        m.push_number(left.trailing_zeros() as usize);
        left &= left - 1;
        m.push(match left.count_ones() {
            0 => "",
            1 => " and ",
            _ => ", ",
        });
    }
    m
}

impl fmt::Display for Conflicts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(formatter)
    }
}
