//! Searches for a change that removes bank conflicts, padding of rows or a swizzle, or for the reason why there is
//! none.
//!
//! Both searches are complete for few banks, and bounded for all. Banks repeat after `count * width` bytes, so that much more padding changes no bank. A
//! swizzle helps only if it changes bits that select the bank, and reads bits in which lanes differ. Each candidate is
//! first tried on the pairs of lanes at which others failed. Almost all candidates that fail do so there.

use core::fmt;

use crate::bank::{Banks, check_range, filled, lanes_of};
use crate::pattern::Access;
use layout_core::spec::{Message, Swizzle, Value, greatest_divisor};
use layout_core::{each, ok};

/// The reason why no padding or no swizzle removes all conflicts.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresolved {
    /// A lane wants more words than there are banks.
    TooManyWords {
        /// The index of the access.
        access: usize,
        /// The number of words.
        words: usize,
        /// The number of banks.
        banks: usize,
    },
    /// Two lanes of a phase conflict inside one row, where padding keeps their distance.
    SameRow {
        /// The index of the access.
        access: usize,
        /// The two lanes.
        lanes: [usize; 2],
    },
    /// A lane takes bytes of two rows, or its address is not a multiple of its bytes, so padding or a swizzle would
    /// split its bytes.
    Torn {
        /// The index of the access.
        access: usize,
        /// The lane.
        lane: usize,
    },
    /// The number of banks or their width is not a power of two, which a swizzle needs.
    NotPowersOfTwo,
    /// Every candidate leaves a conflict.
    Tried {
        /// The number of candidates.
        candidates: usize,
    },
}

/// Returns the smallest padding, in bytes after each row of `row` bytes, that removes the conflicts of all these
/// accesses of a tile. The addresses of the accesses are those without padding. The result is 0 if there are no
/// conflicts.
///
/// The padding keeps lanes aligned: it is a multiple of the largest power of two that divides the bytes of a lane. To
/// apply it, write `align(AXIS = BYTES)` with the row and its padding in [`layout!`](../macro.layout.html).
///
/// At most 65536 paddings are tried, one for each byte of all banks, and fewer if 65536 pairs of lanes have been
/// looked at.
///
/// # Errors
/// The reason why no padding removes them.
///
/// # Panics
/// If a row has no bytes, and as [`conflicts`](crate::conflicts()) does.
///
/// ```
/// use tensor_layout::access::{Access, Banks, Unresolved, padding};
///
/// // Two lanes 128 bytes apart, with rows of 64 and of 256 bytes.
/// const READ: Access = Access::at(&[0, 128], 4);
/// assert_eq!(padding(&[READ], 64, &Banks::NVIDIA), Ok(4));
/// let why = Unresolved::SameRow { access: 0, lanes: [0, 1] };
/// assert_eq!(padding(&[READ], 256, &Banks::NVIDIA), Err(why));
/// ```
#[track_caller]
pub const fn padding(accesses: &[Access], row: usize, banks: &Banks) -> Result<usize, Unresolved> {
    check_range("number of bytes of a row", row, usize::MAX);
    let Some(worst) = ok!(first_pair(accesses, banks)) else {
        return Ok(0);
    };
    let mut step = 1;
    each!(i, 0..accesses.len(), {
        let access = &accesses[i];
        each!(lane, 0..access.lanes(), {
            let is_torn = access.bytes() > row || access.start(lane) % row > row - access.bytes();
            if access.is_active(lane) && is_torn {
                return Err(Unresolved::Torn { access: i, lane });
            }
        });
        let aligned = 1 << access.bytes().trailing_zeros();
        if aligned > step {
            step = aligned;
        }
    });
    let (access, a, b) = worst;
    if accesses[access].start(a) / row == accesses[access].start(b) / row {
        return Err(Unresolved::SameRow { access, lanes: [a, b] });
    }
    let (mut pad, mut candidates, mut pairs) = (step, 0, Pairs::of(worst));
    // After this number of steps, the banks of all rows repeat.
    let steps = banks.period() / greatest_divisor(banks.period(), step);
    while candidates < steps && pairs.left > 0 {
        let change = Change::Padding { row, pad };
        candidates += 1;
        if pairs.are_removed(change, accesses, banks) {
            return Ok(pad);
        }
        pad += step;
    }
    Err(Unresolved::Tried { candidates })
}

/// Returns the swizzle of byte addresses that removes the conflicts of all these accesses of a tile. The addresses of
/// the accesses are those without a swizzle.
///
/// Of all such swizzles, it is one with the fewest bits, then with the lowest changed bits, then with the shortest
/// shift. It keeps the bytes of a lane together. Without conflicts, it has no bits. [`Swizzle::of_elements`] converts
/// it to elements. At most a few thousand candidates are
/// tried, and fewer if 65536 pairs of lanes have been looked at.
///
/// # Errors
/// The reason why no swizzle removes them.
///
/// # Panics
/// As [`conflicts`](crate::conflicts()) does.
#[track_caller]
pub const fn swizzle(accesses: &[Access], banks: &Banks) -> Result<Swizzle, Unresolved> {
    if !banks.count.is_power_of_two() || !banks.width.is_power_of_two() {
        return Err(Unresolved::NotPowersOfTwo);
    }
    let Some(worst) = ok!(first_pair(accesses, banks)) else {
        return Ok(Swizzle::new(0, 0, 0));
    };
    let base = ok!(kept_bits(accesses, banks));
    let (end, varying) = (banks.period().trailing_zeros() as usize, varying(accesses));
    let top = usize::BITS as usize - varying.leading_zeros() as usize;
    let (mut bits, mut candidates, mut pairs) = (1, 0, Pairs::of(worst));
    while base + bits <= end {
        let mut from = base;
        while from + bits <= end {
            let mut shift = bits;
            while from + shift < top && pairs.left > 0 {
                candidates += 1;
                if let Ok(swizzle) = Swizzle::checked_new(bits, from, shift as isize) {
                    if pairs.are_removed(Change::Swizzle(swizzle), accesses, banks) {
                        return Ok(swizzle);
                    }
                }
                shift += 1;
            }
            from += 1;
        }
        bits += 1;
    }
    Err(Unresolved::Tried { candidates })
}

/// The number of lowest address bits that a swizzle must keep, so that it splits no lane.
const fn kept_bits(accesses: &[Access], banks: &Banks) -> Result<usize, Unresolved> {
    let mut bits = banks.width.trailing_zeros();
    each!(i, 0..accesses.len(), {
        let bytes = accesses[i].bytes();
        each!(lane, 0..accesses[i].lanes(), {
            let whole = bytes.is_power_of_two() && accesses[i].start(lane) % bytes == 0;
            if accesses[i].is_active(lane) && !whole {
                return Err(Unresolved::Torn { access: i, lane });
            }
        });
        if bytes.trailing_zeros() > bits {
            bits = bytes.trailing_zeros();
        }
    });
    Ok(bits as usize)
}

/// The bits in which the addresses of lanes of an access differ.
const fn varying(accesses: &[Access]) -> usize {
    let mut bits = 0;
    each!(i, 0..accesses.len(), {
        layout_core::each!(lane, 1..accesses[i].lanes(), {
            bits |= accesses[i].start(lane) ^ accesses[i].start(0);
        });
    });
    bits
}

/// Two lanes of one of the accesses that conflict, or `None`. An error if nothing can help.
#[track_caller]
const fn first_pair(
    accesses: &[Access],
    banks: &Banks,
) -> Result<Option<(usize, usize, usize)>, Unresolved> {
    banks.check();
    let mut found = None;
    each!(i, 0..accesses.len(), {
        let pair = first_left(Change::None, &accesses[i], banks, &mut 0);
        if let (None, Some((a, b))) = (found, pair) {
            found = Some((i, a, b));
        }
        let words = if pair.is_none() { 0 } else { accesses[i].bytes().div_ceil(banks.width) };
        if words > banks.count {
            return Err(Unresolved::TooManyWords { access: i, words, banks: banks.count });
        }
    });
    Ok(found)
}

/// A change of addresses.
#[derive(Clone, Copy)]
enum Change {
    None,
    Padding { row: usize, pad: usize },
    Swizzle(Swizzle),
}

impl Change {
    /// The new address, or `None` beyond the largest address.
    const fn address(self, address: usize) -> Option<usize> {
        match self {
            Self::None => Some(address),
            Self::Padding { row, pad } => match (address / row).checked_mul(pad) {
                Some(distance) => address.checked_add(distance),
                None => None,
            },
            Self::Swizzle(swizzle) => Some(swizzle.apply(address)),
        }
    }

    /// Whether two lanes of `bytes` bytes conflict after the change, or have no address then.
    const fn leaves(self, banks: &Banks, bytes: usize, a: usize, b: usize) -> bool {
        match (self.address(a), self.address(b)) {
            (Some(a), Some(b)) => banks.conflict(bytes, a, b),
            _ => true,
        }
    }
}

/// Pairs of lanes of some access, of which each conflicted after another change: a change that fails fails there most
/// of the time.
struct Pairs {
    list: [(usize, usize, usize); Self::MOST],
    count: usize,
    /// The next one that is replaced.
    oldest: usize,
    /// The number of pairs that may still be looked at.
    left: usize,
}

impl Pairs {
    const MOST: usize = 16;

    /// The largest number of pairs that a search looks at, in about a millisecond.
    const LOOKS: usize = 1 << 16;

    const fn of(first: (usize, usize, usize)) -> Self {
        Self { list: [first; Self::MOST], count: 1, oldest: 0, left: Self::LOOKS }
    }

    const fn add(&mut self, pair: (usize, usize, usize)) {
        self.list[if self.count < Self::MOST { self.count } else { self.oldest }] = pair;
        match self.count < Self::MOST {
            true => self.count += 1,
            false => self.oldest = (self.oldest + 1) % Self::MOST,
        }
    }

    /// Whether `change` removes all conflicts. If it does not, a pair that it leaves is among the pairs afterwards.
    const fn are_removed(&mut self, change: Change, accesses: &[Access], banks: &Banks) -> bool {
        each!(i, 0..self.count, {
            self.left = self.left.saturating_sub(1);
            let (access, a, b) = self.list[i];
            let access = &accesses[access];
            if change.leaves(banks, access.bytes(), access.start(a), access.start(b)) {
                (self.list[0], self.list[i]) = (self.list[i], self.list[0]);
                return false;
            }
        });
        each!(i, 0..accesses.len(), {
            if let Some((a, b)) = first_left(change, &accesses[i], banks, &mut self.left) {
                self.add((i, a, b));
                return false;
            }
        });
        true
    }
}

/// Two lanes of a phase that conflict after the change. Takes the number of pairs that it looked at from `left`.
const fn first_left(
    change: Change,
    access: &Access,
    banks: &Banks,
    left: &mut usize,
) -> Option<(usize, usize)> {
    let mut phase = 0;
    loop {
        let (first, end) = banks.phase(access, phase);
        if first >= end {
            return None;
        }
        let mut b = first;
        while b < end {
            let mut a = first;
            while a <= b {
                let both = access.is_active(a) && access.is_active(b);
                *left = left.saturating_sub(1);
                if both && change.leaves(banks, access.bytes(), access.start(a), access.start(b)) {
                    return Some((a, b));
                }
                a += 1;
            }
            b += 1;
        }
        phase += 1;
    }
}

impl Unresolved {
    /// The text of `Display`, in a `const fn`.
    pub const fn message(&self) -> Message {
        match *self {
            Self::TooManyWords { access, words, banks } => filled(
                "a lane of access {access} takes {words} words of {banks} banks; let each lane take fewer bytes",
                &["access", "words", "banks"],
                &[Value::Number(access), Value::Number(words), Value::Number(banks)],
            ),
            Self::SameRow { access, lanes: [a, b] } => filled(
                "lanes {lanes} of access {access} conflict in one row, where padding keeps their distance; use a swizzle",
                &["lanes", "access"],
                &[Value::Text(lanes_of(1 << a | 1 << b).as_str()), Value::Number(access)],
            ),
            Self::Torn { access, lane } => filled(
                "lane {lane} of access {access} takes bytes that padding or a swizzle would split; let each lane take \
                 bytes of one row, a power of two of them at a multiple of that number",
                &["lane", "access"],
                &[Value::Number(lane), Value::Number(access)],
            ),
            Self::NotPowersOfTwo => filled(
                "banks or their bytes are not a power of two; pad the rows instead",
                &[],
                &[],
            ),
            Self::Tried { candidates } => filled(
                "each of {candidates} candidates leaves a conflict; let the lanes read other coordinates",
                &["candidates"],
                &[Value::Number(candidates)],
            ),
        }
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(formatter)
    }
}

layout_core::debug_as_display!(Unresolved);

impl core::error::Error for Unresolved {}
