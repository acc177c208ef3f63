//! Random moves against a naive loop over units, on every instruction set that the CPU has, with guard bytes.

mod digits;
mod elements;
mod shapes;

use layout_kernels::{Error, Isa, Loop, Move, Padding, Plan, Side, Stores, SubByte};

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What the loops must leave, unit by unit.
fn naive(of: &Move, source: &[u8], destination: &mut [u8]) {
    fn step(
        of: &Move,
        loops: &[Loop],
        from: isize,
        to: isize,
        source: &[u8],
        destination: &mut [u8],
    ) {
        let Some((own, rest)) = loops.split_first() else {
            let (from, to) = (from as usize, to as usize);
            return destination[to..to + of.unit].copy_from_slice(&source[from..from + of.unit]);
        };
        for i in 0..own.size as isize {
            step(of, rest, from + i * own.source, to + i * own.destination, source, destination);
        }
    }
    step(of, of.loops(), of.source as isize, of.destination as isize, source, destination);
}

/// Strides of digits in a random order, with signs at times and a gap before about one digit of `each`.
fn strides(
    random: &mut Random,
    sizes: &[usize],
    (unit, each): (usize, usize),
    is_source: bool,
) -> Vec<isize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    if random.below(4) > 0 {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
    }
    let mut strides = vec![0isize; sizes.len()];
    let mut next = unit as isize;
    let flips = random.of(&[8, 8, 2]);
    for &digit in &order {
        if random.below(each) == 0 {
            next += random.of(&[1, 2, 3, 16, 64, unit as isize]);
        }
        if is_source && random.below(16) == 0 {
            continue;
        }
        let sign = if random.below(flips) == 0 { -1 } else { 1 };
        strides[digit] = sign * next;
        next *= sizes[digit] as isize;
    }
    strides
}

/// Where the first unit begins so that all lie from byte 0 on, and the bytes of all.
fn range(sizes: &[usize], strides: &[isize], unit: usize) -> (usize, usize) {
    let last = |i: usize| (sizes[i] as isize - 1) * strides[i];
    let (mut low, mut high) = (0, unit as isize);
    for i in 0..sizes.len() {
        if last(i) < 0 { low -= last(i) } else { high += last(i) }
    }
    (low as usize, (low + high) as usize)
}

/// More bytes than any vector has, and a line to align to.
const GUARD: usize = 80;

fn check(seed: u64) {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let unit = random.of(&[
        1, 1, 1, 2, 2, 4, 4, 8, 16, 3, 5, 6, 7, 9, 10, 12, 15, 17, 18, 20, 24, 33, 40, 64, 72, 100,
        200,
    ]);
    let mut sizes = Vec::new();
    let mut count = 1;
    // Some exceed a first-level cache.
    let most = random.of(&[20_000, 20_000, 20_000, 60_000]);
    for _ in 0..1 + random.below(6) {
        let size = random.of(&[
            1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 33, 64, 65, 100, 128, 192, 200,
            256,
        ]);
        if count * size * unit <= most {
            sizes.push(size);
            count *= size;
        }
    }
    let from = strides(random, &sizes, (unit, 8), true);
    // Gaps between small digits are those of every second pixel, or of three channels of four.
    let each = random.of(&[8, 8, 2]);
    let to = strides(random, &sizes, (unit, each), false);
    let loops: Vec<_> = (0..sizes.len()).map(|i| Loop::new(sizes[i], from[i], to[i])).collect();
    let (source_start, source_len) = range(&sizes, &from, unit);
    let (start, len) = range(&sizes, &to, unit);
    let of = Move::new(&loops, unit).from(source_start, start);
    let source: Vec<u8> = (0..source_len).map(|_| random.next() as u8).collect();
    let before: Vec<u8> = (0..len + 3 * GUARD).map(|_| random.next() as u8).collect();
    // Where the destination begins, from a line of it on.
    let shift = random.of(&[0, 0, 0, 1, 4, 16, 33]);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let plan = Plan::for_isa(&of, isa).unwrap_or_else(|error| panic!("{of:?}: {error}"));
        assert_eq!(plan.source_len(), source_len, "{of:?}");
        assert_eq!(plan.destination_len(), len, "{of:?}");
        // Exact bounds for the source, so that a sanitizer sees what is read outside of it.
        let source = source.clone().into_boxed_slice();
        let stores = random.of(&[Stores::Auto, Stores::NonTemporal]);
        let mut destination = before.clone();
        let start = destination.as_ptr().align_offset(64) + 64 + shift;
        let mut expected = before.clone();
        naive(&of, &source, &mut expected[start..][..len]);
        let run = plan.with_stores(stores).run(&source, &mut destination[start..][..len]);
        assert!(run, "{plan}");
        let wrong = (0..expected.len()).find(|&i| destination[i] != expected[i]);
        assert_eq!(
            wrong, None,
            "the first wrong byte, seed {seed}, {isa:?}, from {start} on: {of:?}\n{plan}"
        );
    }
}

/// How many random moves there are of each kind, about: fewer where a machine is emulated, or for mutants.
fn seeds() -> u64 {
    std::env::var("SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(3000)
}

#[test]
fn random_moves() {
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    (first..first + seeds()).for_each(check);
}

/// Groups with padding: filled where the plan says so, else left as they are.
fn check_padding(seed: u64) -> usize {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let unit = random.of(&[1, 2, 3, 4, 6]);
    let (channels, more, pixels) = (1 + random.below(7), 1 + random.below(5), 1 + random.below(90));
    let images = 1 + random.below(4);
    let group = (channels + more) * unit;
    let is_planar = random.below(2) == 0;
    let (channel, pixel) = if is_planar { (pixels * unit, unit) } else { (unit, channels * unit) };
    let image = channels * pixels * unit;
    let loops = [
        Loop::new(channels, channel as isize, unit as isize),
        Loop::new(pixels, pixel as isize, group as isize),
        Loop::new(images, image as isize, (group * pixels) as isize),
    ];
    let fill = [1, 2, 3, 4, 5, 6, 7, 8];
    let of = Move::new(&loops, unit).padded(Padding { group, fill });
    let source: Vec<u8> = (0..image * images).map(|_| random.next() as u8).collect();
    let len = group * pixels * images;
    let mut filled = 0;
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let plan = Plan::for_isa(&of, isa).expect("a plan");
        let mut expected = vec![0xaa; len + 2 * GUARD];
        if plan.pads() {
            filled += 1;
            for group_of_bytes in expected[GUARD..][..len].chunks_mut(group) {
                group_of_bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = fill[i % 8]);
            }
        }
        naive(&of, &source, &mut expected[GUARD..][..len]);
        let mut destination = vec![0xaa; len + 2 * GUARD];
        assert!(plan.run(&source, &mut destination[GUARD..][..len]), "{plan}");
        assert_eq!(destination, expected, "seed {seed}, {isa:?}: {of:?}\n{plan}");
        check_padded_parts(&of, &source, &expected, isa, 1 + random.below(5));
    }
    filled
}

/// Rows of several digits, which are not evenly spaced, and columns that a later digit does or does not continue.
#[test]
fn rows_of_several_digits() {
    let random = &mut Random(5);
    let rows: [&[usize]; 9] =
        [&[2, 2], &[2, 3], &[3, 2], &[4, 2], &[2, 2, 2], &[3, 3], &[2, 6], &[3, 5], &[7, 2]];
    for (digits, unit) in rows.into_iter().flat_map(|own| [1, 2, 4, 8].map(|unit| (own, unit))) {
        for columns in [4, 9, 16, 33, 140] {
            let (mut loops, mut to) = (Vec::new(), unit);
            for (i, &size) in digits.iter().enumerate() {
                // The first digit is the slowest in the source.
                let slower: usize = digits[i + 1..].iter().product();
                loops.push(Loop::new(size, (slower * columns * unit) as isize, to as isize));
                to *= size;
            }
            let all = to * columns;
            let gap = random.of(&[0, unit, 24]);
            loops.push(Loop::new(columns, unit as isize, to as isize));
            loops.push(Loop::new(3, all as isize, (all + gap) as isize));
            let of = Move::new(&loops, unit);
            let source: Vec<u8> = (0..3 * all).map(|_| random.next() as u8).collect();
            let mut expected = vec![0xaa; 3 * all + 2 * gap];
            naive(&of, &source, &mut expected);
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let plan = Plan::for_isa(&of, isa).expect("a plan");
                let mut destination = vec![0xaa; expected.len() + 2 * GUARD];
                let own = GUARD..GUARD + expected.len();
                assert!(plan.run(&source, &mut destination[own.clone()]), "{plan}");
                assert!(destination[own.clone()] == expected, "{of:?}, {isa:?}: {plan}");
                destination.drain(own);
                assert!(destination.iter().all(|byte| *byte == 0xaa), "{isa:?}: {plan}");
            }
        }
    }
}

/// Parts that all fill their padding leave the same bytes as the whole move.
fn check_padded_parts(of: &Move, source: &[u8], expected: &[u8], isa: Isa, count: usize) {
    let parts: Vec<_> =
        (0..count).map(|index| Plan::for_part(of, isa, index, count).expect("a plan")).collect();
    if parts.iter().any(|part| part.bytes() > 0 && !part.pads()) {
        return;
    }
    let mut destination = vec![0xaa; expected.len()];
    let own = GUARD..expected.len() - GUARD;
    assert!(parts.iter().all(|part| part.run(source, &mut destination[own.clone()])));
    let wrong = (0..expected.len()).find(|&i| destination[i] != expected[i]);
    assert_eq!(wrong, None, "the first wrong byte, {isa:?} in {count} parts: {of:?}");
}

#[test]
fn padding() {
    let filled: usize = (0..2000).map(check_padding).sum();
    // Byte permutes fill it, which SSE2 and plain words do not have.
    let permutes = !matches!(Isa::best(), Isa::Portable | Isa::Sse2);
    assert_eq!(filled > 400, permutes, "{filled} plans fill padding");
}

/// The parts of a move leave the same bytes as the whole move, and each writes only its own bytes.
#[test]
fn parts() {
    let random = &mut Random(7);
    for _ in 0..300 {
        let sizes = [1 + random.below(40), 1 + random.below(40), 1 + random.below(9)];
        let loops = [
            Loop::new(sizes[0], 1, (sizes[1] * sizes[2]) as isize),
            Loop::new(sizes[1], (sizes[0] * sizes[2]) as isize, sizes[2] as isize),
            Loop::new(sizes[2], sizes[0] as isize, 1),
        ];
        let of = Move::new(&loops, 1);
        let len = sizes.iter().product();
        let source: Vec<u8> = (0..len).map(|_| random.next() as u8 | 1).collect();
        let mut expected = vec![0; len];
        naive(&of, &source, &mut expected);
        let mut destination = vec![0; len];
        let parts = 1 + random.below(6);
        let mut busy = 0;
        for index in 0..parts {
            let plan = Plan::for_part(&of, Isa::best(), index, parts).expect("a plan");
            let mut own = vec![0; len];
            assert!(plan.run(&source, &mut own), "{plan}");
            busy += usize::from(own.iter().any(|byte| *byte != 0));
            for (all, byte) in destination.iter_mut().zip(own).filter(|(_, byte)| *byte != 0) {
                assert_eq!(*all, 0, "two parts moved to one byte");
                *all = byte;
            }
        }
        assert_eq!(destination, expected, "{of:?} in {parts} parts");
        // No part has nothing to do while a loop has enough iterations. Loops of one iteration may join others.
        let longest = *sizes.iter().max().expect("three loops");
        if !sizes.contains(&1) {
            assert!(busy >= parts.min(longest), "{of:?} in {parts} parts");
        }
    }
}

#[test]
fn groups_at_the_limits() {
    let of = |group| Move::new(&[], 1000).from(0, 5000).padded(Padding { group, fill: [0; 8] });
    for group in [isize::MAX as usize - 4999, isize::MAX as usize + 1, usize::MAX] {
        let error = Plan::new(&of(group)).err();
        assert_eq!(error, Some(Error::TooLong { side: Side::Destination }), "{group}");
    }
    let plan = Plan::new(&of(isize::MAX as usize - 5000)).expect("a plan");
    assert_eq!(plan.destination_len(), isize::MAX as usize);
    for group in [0, 999] {
        let error = Plan::new(&of(group)).err();
        assert_eq!(error, Some(Error::SmallGroup { group, unit: 1000 }));
    }
    assert!(Plan::new(&of(1000)).is_ok_and(|plan| !plan.pads()));
    // Groups of elements of less than a byte have no padding.
    let four = SubByte::new(4).expect("less than a byte");
    let loops = [Loop::new(3, 16, 32)];
    for group in [0, 12, 32] {
        let of = Move::of_elements(four, &loops, 16).padded(Padding { group, fill: [0; 8] });
        assert_eq!(
            Plan::new(&of).map(|plan| (plan.destination_len(), plan.pads())),
            Ok((40, false))
        );
    }
}

#[test]
fn moves_that_are_too_long_or_overlap() {
    let of = |loops: &[Loop], unit| Plan::new(&Move::new(loops, unit));
    let (huge, most) = (isize::MAX / 2, isize::MAX as usize);
    let (source, destination) =
        (Error::TooLong { side: Side::Source }, Error::TooLong { side: Side::Destination });
    let before = |side, offset| Error::BeforeStart { side, offset };
    for (loops, unit, error) in [
        (&[Loop::new(usize::MAX, 1, 1)], 1, source),
        (&[Loop::new(4, huge, 1)], 1, source),
        (&[Loop::new(3, huge, 1)], 2, source),
        (&[Loop::new(4, 1, huge)], 1, destination),
        (&[Loop::new(most + 1, 0, 1)], 1, destination),
        (&[Loop::new(usize::MAX, 0, 1)], 1, destination),
        (&[Loop::new(2, 1, 1)], most, source),
        (&[Loop::new(2, -1, 1)], 1, before(Side::Source, -1)),
        (&[Loop::new(6, 1, -4)], 1, before(Side::Destination, -20)),
        (&[Loop::new(4, -huge, 1)], 1, before(Side::Source, isize::MIN)),
        (&[Loop::new(usize::MAX, 0, -1)], 1, before(Side::Destination, isize::MIN)),
        (&[Loop::new(2, 1, 0)], 1, Error::Overlap { size: 2, source: 1 }),
    ] {
        assert_eq!(of(loops, unit).err(), Some(error), "{loops:?}");
    }
    assert_eq!(of(&[Loop::new(most, 0, 1)], 1).map(|plan| plan.destination_len()), Ok(most));
    assert_eq!(
        of(&[Loop::new(1 << (usize::BITS / 2), 1, 1); 2], 1).err(),
        Some(Error::TooManyBytes)
    );
    assert_eq!(of(&[Loop::new(2, 1, 1); 21], 1).err(), Some(Error::TooManyLoops { count: 21 }));
}

#[test]
fn sizes_at_the_limits() {
    let of = |loops: &[Loop], unit| Plan::new(&Move::new(loops, unit));
    let nothing =
        of(&[Loop::new(0, isize::MAX, 0), Loop::new(usize::MAX, 1, 1)], 1).expect("a plan");
    assert!(nothing.run(&[], &mut []));
    assert!(of(&[Loop::new(7, 3, 3)], 0).expect("a plan").run(&[], &mut []));
    for empty in [0, 15, 16, 20] {
        let mut loops = [Loop::new(2, 1, 1); 21];
        loops[empty] = Loop::new(0, 1, 1);
        assert!(of(&loops, 1).expect("nothing to move").run(&[], &mut []));
        for of in [1, 2, 4].map(|bits| SubByte::new(bits).expect("less than a byte")) {
            let nothing = Plan::new(&Move::of_elements(of, &loops, 1)).expect("nothing to move");
            assert!(nothing.run(&[], &mut []));
        }
    }
    // As many loops as there may be, none of which continues another, of which the first are the last ones.
    let most: Vec<_> = (0..16).map(|i| Loop::new(2, 1 << i, 1 << (15 - i))).collect();
    for bits in [1, 2, 4, 8] {
        let elements = SubByte::new(bits).map(|bits| Move::of_elements(bits, &most, 1));
        let of = elements.unwrap_or_else(|| Move::new(&most, 1));
        let source: Vec<u8> = (0..1 << 16).map(|i| (i * 7 + i / 256) as u8).collect();
        let mut moved = vec![0; 1 << 16];
        assert!(Plan::new(&of).expect("a plan").run(&source, &mut moved));
        let get = |bytes: &[u8], at: usize| {
            let share = 8 / bits;
            bytes[at / share] >> (at % share * bits) & (0xff >> (8 - bits))
        };
        let reversed = |at: usize| (at as u16).reverse_bits() as usize;
        assert!((0..1 << 16).all(|at| get(&moved, at) == get(&source, reversed(at))));
    }
    for isa in Isa::ALL {
        for size in [2, 3, 17, 64, 1000] {
            for far in [1 << 31, 1 << 40, isize::MAX / 4000] {
                for unit in [1, 2, 3, 8, 40] {
                    let loops =
                        [Loop::new(size, far, unit), Loop::new(size, unit, unit * size as isize)];
                    let plan = Plan::for_isa(&Move::new(&loops, unit as usize), isa);
                    let plan = plan.expect("a plan");
                    assert!(!plan.run(&[0; 64], &mut [0; 64]), "{plan}");
                    let loops =
                        [Loop::new(size, unit, far), Loop::new(size, unit * size as isize, unit)];
                    assert!(Plan::for_isa(&Move::new(&loops, unit as usize), isa).is_ok());
                }
            }
        }
    }
}

/// Iterations that may share bytes are all in one part, and padding that is a byte of another group is left alone.
#[test]
fn parts_of_loops_that_are_not_nested() {
    let overlapping = Move::new(&[Loop::new(42, 64, 32)], 64);
    for parts in 2..5 {
        for index in 0..parts {
            let part = Plan::for_part(&overlapping, Isa::best(), index, parts).expect("a plan");
            assert_eq!(
                part.bytes(),
                if index == 0 { 42 * 64 } else { 0 },
                "part {index} of {parts}"
            );
        }
    }
    // The fourth byte of each second group of three is the first of another unit.
    let interleaved = Move::new(&[Loop::new(2, 3, 4), Loop::new(3, 6, 7)], 3);
    for isa in Isa::ALL {
        let of = interleaved.padded(Padding { group: 4, fill: [9; 8] });
        assert!(!Plan::for_isa(&of, isa).expect("a plan").pads());
    }
}

/// Planes whose pixels are far apart.
#[test]
fn far_pixels_are_planned() {
    for (isa, unit) in Isa::ALL.into_iter().flat_map(|isa| [1, 2, 4, 8].map(|unit| (isa, unit))) {
        for far in [1 << 24, 1 << 31, 1 << 58, 1 << 60, 1 << 61] {
            for pixels in [4, 8, 32].into_iter().filter(|all| far < isize::MAX / (all - 1)) {
                let planes = Loop::new(2, unit, unit * pixels);
                let loops = [Loop::new(pixels as usize, far, unit), planes];
                let plan = Plan::for_isa(&Move::new(&loops, unit as usize), isa).expect("a plan");
                assert!(!plan.run(&[0; 64], &mut [0; 64]), "{plan}");
            }
        }
    }
}

/// Units of 16 bytes in rows that are too far apart for the offsets of a transpose.
#[test]
fn far_rows_of_lanes_are_copied() {
    for (isa, far) in Isa::ALL.into_iter().flat_map(|isa| [30, 31, 32, 58].map(|own| (isa, own))) {
        let loops = [Loop::new(4, 1 << far, 16), Loop::new(4, 16, 64)];
        let plan = Plan::for_isa(&Move::new(&loops, 16), isa).expect("a plan").to_string();
        assert!(plan.starts_with("copy 4 x 4 runs of 16 bytes"), "{plan}");
    }
}

/// Loops as long as memory: costs do not overflow.
#[test]
fn long_loops_are_planned() {
    for isa in Isa::ALL {
        let of = Move::new(&[Loop::new(1 << 60, 5, 1), Loop::new(5, 1, 1 << 60)], 1);
        assert!(Plan::for_isa(&of, isa).is_ok());
        let of = Move::new(&[Loop::new(7, 0, 1), Loop::new(1 << 60, 1, 8)], 1);
        assert!(Plan::for_isa(&of, isa).is_ok(), "{isa}");
        let of = Move::new(&[Loop::new(4, 1, 1 << 60), Loop::new(1 << 60, 0, 1)], 1);
        let plan = Plan::for_isa(&of, isa).expect("a plan");
        assert!(!format!("{plan:?}, {}", plan.reasons(&of)).is_empty(), "{isa}");
        let of = Move::new(&[Loop::new(3, -1, 1), Loop::new(1 << 60, 3, 3)], 1).from(2, 0);
        assert!(Plan::for_isa(&of, isa).is_ok());
        // The end of what loads read is more than a number counts.
        let count = isize::MAX as usize / 6;
        let of = Move::new(&[Loop::new(3, 2, 1), Loop::new(2, 1, 3), Loop::new(count, 6, 6)], 1);
        assert!(Plan::for_isa(&of, isa).is_ok());
        // Rows of a matrix, all that the move has, are more than a cost counts.
        let row = 1 << 53;
        let loops = [
            Loop::new(row, 9, 1),
            Loop::new(3, 1, 3 * row as isize),
            Loop::new(3, 3, row as isize),
        ];
        assert!(Plan::for_isa(&Move::new(&loops, 1), isa).is_ok());
    }
}
