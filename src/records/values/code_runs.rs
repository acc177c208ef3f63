//! Runs of codes in a buffer, and codes side by side in a byte each.

use super::side::StoredField;

/// Runs at equal distances in a buffer, and elements side by side for each.
#[derive(Clone, Copy)]
pub(super) struct CodeRuns {
    /// The first bit of the first run.
    pub(super) first: i64,
    /// The bits from one element of a run to the next.
    pub(super) step: i64,
    /// The elements of a run.
    pub(super) count: usize,
    pub(super) repeats: usize,
    /// The bits from one run to the next.
    pub(super) stride: i64,
    /// The first one of the elements side by side, and how many come from one run to the next.
    pub(super) held: usize,
    pub(super) period: usize,
}

/// How the codes of runs are read, several at a time.
#[derive(Clone, Copy)]
enum Unpacked {
    /// Each is in a byte of its own, as far as this from its lowest bit.
    Bytes(u32),
    /// They lie side by side, from the highest bit of a byte on if the flag is set.
    Dense(bool),
}

/// Halves of a word of eight bytes, of its halves, and of their halves: the bits of the lower one, how many these are, and
/// how far the upper one moves up, if a byte gets this many bits.
const fn halves(bits: u32) -> [(u64, u32, u32); 3] {
    [
        ((1 << (4 * bits)) - 1, 4 * bits, 32 - 4 * bits),
        (((1 << (2 * bits)) - 1) * 0x1_0000_0001, 2 * bits, 16 - 2 * bits),
        (((1 << bits) - 1) * 0x0001_0001_0001_0001, bits, 8 - bits),
    ]
}

/// Eight codes that lie side by side, in a byte each.
#[inline(always)]
fn spread<const BITS: usize>(bytes: [u8; BITS], is_high_first: bool) -> [u8; 8] {
    let mut all = [0; 8];
    all[..BITS].copy_from_slice(&bytes);
    let mut word = u64::from_le_bytes(all);
    if is_high_first {
        word = word.swap_bytes() >> (64 - 8 * BITS);
    }
    for (low, bits, by) in const { halves(BITS as u32) } {
        word = (word & low) | (word & (low << bits)) << by;
    }
    if is_high_first { word.to_be_bytes() } else { word.to_le_bytes() }
}

/// Eight codes, in a byte each, side by side.
#[inline(always)]
fn joined<const BITS: usize>(codes: [u8; 8], is_high_first: bool) -> [u8; BITS] {
    let mut word =
        if is_high_first { u64::from_be_bytes(codes) } else { u64::from_le_bytes(codes) };
    for (low, bits, by) in const { halves(BITS as u32) }.into_iter().rev() {
        word = (word & low) | word >> by & (low << bits);
    }
    if is_high_first {
        word = (word << (64 - 8 * BITS)).swap_bytes();
    }
    let mut own = [0; BITS];
    own.copy_from_slice(&word.to_le_bytes()[..BITS]);
    own
}

/// Runs a block with what begins at each of some places on both sides, which are some steps apart. The compiler inlines
/// loops where it may not inline a closure, and compiles them for the instruction set.
macro_rules! each_pair {
    ($repeats:expr, ($from:expr, $step:expr), ($to:expr, $step_to:expr), |$own:ident, $own_to:ident| $do:block) => {
        let (step, step_to) = ($step, $step_to);
        for i in 0..$repeats {
            #[allow(unused_mut, reason = "some blocks move on")]
            let (mut $own, mut $own_to) = (&$from[i * step..], &mut $to[i * step_to..]);
            $do
        }
    };
}

/// Calls a function of four bytes on all bytes of an array, and of another one at the same places.
#[inline(always)]
fn by_words<const COUNT: usize>(
    own: [u8; COUNT],
    old: [u8; COUNT],
    of: impl Fn(u32, u32) -> u32,
) -> [u8; COUNT] {
    let mut new = old;
    // Iterators of chunks are not inlined here.
    for i in (0..COUNT).step_by(4) {
        let word =
            |all: &[u8; COUNT]| u32::from_le_bytes([all[i], all[i + 1], all[i + 2], all[i + 3]]);
        new[i..i + 4].copy_from_slice(&of(word(&own), word(&old)).to_le_bytes());
    }
    new
}

/// Calls a function of four bytes on the first bytes of both sides.
#[inline(always)]
fn by_chunks<const COUNT: usize>(from: &[u8], to: &mut [u8], of: impl Fn(u32, u32) -> u32) {
    if let (Some(own), Some(old)) = (from.first_chunk::<COUNT>(), to.first_chunk_mut::<COUNT>()) {
        *old = by_words(*own, *old, of);
    }
}

/// Calls a method with the bits of codes that lie side by side as a constant.
macro_rules! with_bits {
    ($bits:expr, $runs:ident.$call:ident $arguments:tt) => {
        match $bits {
            1 => $runs.$call::<1> $arguments,
            2 => $runs.$call::<2> $arguments,
            3 => $runs.$call::<3> $arguments,
            4 => $runs.$call::<4> $arguments,
            5 => $runs.$call::<5> $arguments,
            6 => $runs.$call::<6> $arguments,
            _ => $runs.$call::<7> $arguments,
        }
    };
}

/// Calls a method with the length of runs of codes in bytes, or of the parts that they have.
macro_rules! with_count {
    ($runs:ident.$call:ident $arguments:tt) => {
        match $runs.count {
            count if count % 32 == 0 => $runs.$call::<32> $arguments,
            count if count % 16 == 0 => $runs.$call::<16> $arguments,
            count if count % 8 == 0 => $runs.$call::<8> $arguments,
            _ => $runs.$call::<4> $arguments,
        }
    };
}

impl CodeRuns {
    /// The runs in parts of this many elements, which divide them.
    #[inline(always)]
    pub(super) fn parts(self, part: usize) -> impl Iterator<Item = Self> {
        let (parts, size) = (self.count / part, self.step * part as i64);
        let new = Self { count: part, ..self };
        let is_one = self.repeats == 1;
        (0..if is_one { 1 } else { parts }).map(move |i| match is_one {
            true => Self { repeats: parts, stride: size, period: part, ..new },
            false => {
                Self { first: self.first + i as i64 * size, held: self.held + i * part, ..new }
            }
        })
    }

    /// The runs after some.
    pub(super) const fn after(self, runs: usize) -> Self {
        let first = self.first + runs as i64 * self.stride;
        Self { first, held: self.held + runs * self.period, repeats: self.repeats - runs, ..self }
    }

    /// How far codes lie from the lowest bits of their bytes, if these are at equal distances.
    pub(super) fn shift(&self, field: &StoredField) -> Option<u32> {
        match self.unpacked(field)? {
            Unpacked::Bytes(shift) => Some(shift),
            Unpacked::Dense(_) => None,
        }
    }

    /// The first bit of the first element and the number of the first element of each run.
    #[inline(always)]
    fn firsts(self) -> impl Iterator<Item = (i64, usize)> {
        (0..self.repeats).map(move |repeat| {
            (self.first + repeat as i64 * self.stride, self.held + repeat * self.period)
        })
    }

    /// The first bit and the number of each element.
    #[inline(always)]
    pub(super) fn each(self) -> impl Iterator<Item = (u64, usize)> {
        self.firsts().flat_map(move |(first, held)| {
            (0..self.count).map(move |i| ((first + i as i64 * self.step) as u64, held + i))
        })
    }

    /// How several codes are read at a time, if they are.
    #[inline(always)]
    fn unpacked(&self, field: &StoredField) -> Option<Unpacked> {
        let bits = field.bits;
        let is_dense =
            self.step == bits as i64 && bits < 8 && self.first % 8 == 0 && field.cut().is_none();
        let way = match field.shift(self.first as u64) {
            _ if is_dense => Unpacked::Dense(field.is_high_first),
            Some(shift) if self.step == 8 => Unpacked::Bytes(shift as u32),
            _ => return None,
        };
        let is_whole = self.count % if is_dense { 8 } else { 4 } == 0;
        let is_even = self.stride % 8 == 0 && self.stride >= self.count as i64 * self.step;
        (is_whole && (is_even || self.repeats == 1)).then_some(way)
    }

    /// The bytes from one run to the next.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        if self.repeats == 1 { usize::MAX } else { (self.stride / 8) as usize }
    }

    #[inline(always)]
    pub(super) fn read(
        self,
        field: &StoredField,
        bytes: &[u8],
        (up, joins): (u32, bool),
        codes: &mut [u8],
    ) {
        let (mask, kept) = (field.mask(), if joins { u32::MAX } else { 0 });
        match self.unpacked(field) {
            None => {
                for (bit, i) in self.each() {
                    codes[i] = codes[i] & kept as u8 | field.code(bytes, bit) << up;
                }
            }
            Some(way) => {
                let mask = u32::from(mask) * 0x0101_0101;
                let put = |own: u32, old: u32| (own & mask) << up | old & kept;
                match way {
                    Unpacked::Bytes(shift) => {
                        let of = |own: u32, old: u32| put(own >> shift, old);
                        with_count!(self.by_bytes((bytes, codes), true, of));
                    }
                    Unpacked::Dense(is_high_first) => {
                        let bytes = &bytes[(self.first / 8) as usize..];
                        let codes = &mut codes[self.held..];
                        with_bits!(field.bits, self.read_dense(bytes, codes, is_high_first, put));
                    }
                }
            }
        }
    }

    /// Computes codes from their bytes, or bytes of codes, some at a time: all are read before one is written, since the
    /// compiler does not know that these are not the same.
    #[inline(always)]
    fn by_bytes<const COUNT: usize>(
        self,
        (from, to): (&[u8], &mut [u8]),
        is_read: bool,
        of: impl Fn(u32, u32) -> u32,
    ) {
        for runs in self.parts(COUNT) {
            let both = [((runs.first / 8) as usize, runs.stride()), (runs.held, runs.period)];
            let [own, new] = if is_read { both } else { [both[1], both[0]] };
            let (from, to) = (&from[own.0..], &mut to[new.0..]);
            each_pair!(runs.repeats, (from, own.1), (to, new.1), |own, new| {
                by_chunks::<COUNT>(own, new, &of);
            });
        }
    }

    /// Reads codes that lie side by side, eight at a time.
    #[inline(always)]
    fn read_dense<const BITS: usize>(
        self,
        bytes: &[u8],
        codes: &mut [u8],
        is_high_first: bool,
        of: impl Fn(u32, u32) -> u32,
    ) {
        let strides = [self.stride(), self.period];
        each_pair!(self.repeats, (bytes, strides[0]), (codes, strides[1]), |from, to| {
            for _ in 0..self.count / 8 {
                let both = (from.split_first_chunk(), to.split_first_chunk_mut());
                let (Some((own, rest)), Some((old, rest_to))) = both else { return };
                *old = by_words(spread::<BITS>(*own, is_high_first), *old, &of);
                (from, to) = (rest, rest_to);
            }
        });
    }

    #[inline(always)]
    pub(super) fn write(self, field: &StoredField, bytes: &mut [u8], down: u32, codes: &[u8]) {
        let (mask, (taken, above)) = (field.mask(), field.taken());
        let sign = field.bits.min(8) as u32 - 1;
        match self.unpacked(field) {
            None => {
                for (bit, i) in self.each() {
                    let code = codes[i] >> down & mask;
                    field.set_code(bytes, bit, code | ((code >> sign) * above));
                }
            }
            Some(way) => {
                let [mask, taken] = [mask, taken].map(|own| u32::from(own) * 0x0101_0101);
                match way {
                    // The bits above a code are those of its sign, where it has a byte of its own.
                    Unpacked::Bytes(shift) if above > 0 => {
                        let of = |own: u32, old: u32| {
                            let code = own >> down & mask;
                            let code = code | ((code >> sign & 0x0101_0101) * u32::from(above));
                            code << shift | old & !(taken << shift)
                        };
                        with_count!(self.by_bytes((codes, bytes), false, of));
                    }
                    Unpacked::Bytes(shift) => {
                        let of = |own: u32, old: u32| {
                            (own >> down & mask) << shift | old & !(taken << shift)
                        };
                        with_count!(self.by_bytes((codes, bytes), false, of));
                    }
                    Unpacked::Dense(is_high_first) => {
                        let bytes = &mut bytes[(self.first / 8) as usize..];
                        let codes = &codes[self.held..];
                        let of = |own: u32, _| own >> down & mask;
                        with_bits!(field.bits, self.write_dense(bytes, codes, is_high_first, of));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn write_dense<const BITS: usize>(
        self,
        bytes: &mut [u8],
        codes: &[u8],
        is_high_first: bool,
        of: impl Fn(u32, u32) -> u32,
    ) {
        let strides = [self.period, self.stride()];
        each_pair!(self.repeats, (codes, strides[0]), (bytes, strides[1]), |from, to| {
            for _ in 0..self.count / 8 {
                let both = (from.split_first_chunk(), to.split_first_chunk_mut());
                let (Some((own, rest)), Some((new, rest_to))) = both else { return };
                *new = joined::<BITS>(by_words(*own, *own, &of), is_high_first);
                (from, to) = (rest, rest_to);
            }
        });
    }
}
