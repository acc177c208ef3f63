//! Random moves against a naive loop over units, on every instruction set that the CPU has, with guard bytes.

use layout_engine::{Isa, Loop, Move, Plan, Stores};

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
fn naive(of: &Move<'_>, source: &[u8], destination: &mut [u8]) {
    fn step(
        of: &Move<'_>,
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
    step(of, of.loops, of.source as isize, of.destination as isize, source, destination);
}

/// Strides of digits in a random order, with gaps and signs at times.
fn strides(random: &mut Random, sizes: &[usize], unit: usize, is_source: bool) -> Vec<isize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    if random.below(4) > 0 {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
    }
    let mut strides = vec![0isize; sizes.len()];
    let mut next = unit as isize;
    for &digit in &order {
        if random.below(8) == 0 {
            next += random.of(&[1, 2, 3, 16, 64]);
        }
        if is_source && random.below(16) == 0 {
            continue;
        }
        let sign = if random.below(8) == 0 { -1 } else { 1 };
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
    for _ in 0..1 + random.below(6) {
        let size = random
            .of(&[1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 33, 64, 65, 100, 128, 192, 200, 256]);
        if count * size * unit <= 20_000 {
            sizes.push(size);
            count *= size;
        }
    }
    let from = strides(random, &sizes, unit, true);
    let to = strides(random, &sizes, unit, false);
    let loops: Vec<_> = (0..sizes.len()).map(|i| Loop::new(sizes[i], from[i], to[i])).collect();
    let (source_start, source_len) = range(&sizes, &from, unit);
    let (start, len) = range(&sizes, &to, unit);
    let of = Move { loops: &loops, unit, source: source_start, destination: start };
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

#[test]
fn random_moves() {
    let seeds = std::env::var("SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(3000);
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    (first..first + seeds).for_each(check);
}
