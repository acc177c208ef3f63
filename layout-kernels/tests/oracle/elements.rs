//! Random moves of elements of less than a byte, against the same move of elements in a byte each.

use super::*;

/// Elements of this number of bits, each in a byte, packed into bytes.
fn packed(elements: &[u8], bits: usize, high_first: bool) -> Vec<u8> {
    let mut bytes = vec![0; (elements.len() * bits).div_ceil(8)];
    for (i, element) in elements.iter().enumerate() {
        for bit in 0..bits {
            let at = i * bits % 8;
            let own = if high_first { 8 - bits - at + bit } else { at + bit };
            bytes[i * bits / 8] |= (element >> bit & 1) << own;
        }
    }
    bytes
}

/// Random moves of elements of less than a byte; which paths plans took.
fn check_elements(seed: u64) -> [u64; 4] {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bits = random.of(&[1, 2, 4, 4]);
    let unit = random.of(&[1, 1, 1, 2, 3, 4, 8, 40]);
    let mut sizes = Vec::new();
    for _ in 0..1 + random.below(4) {
        let size = random.of(&[2, 2, 3, 4, 6, 8, 16, 16, 20, 64, 130]);
        if sizes.iter().product::<usize>() * size * unit <= 20_000 {
            sizes.push(size);
        }
    }
    let from = strides(random, &sizes, (unit, 8), true);
    let to = strides(random, &sizes, (unit, 8), false);
    let loops: Vec<_> = (0..sizes.len()).map(|i| Loop::new(sizes[i], from[i], to[i])).collect();
    let ((source_start, source_len), (start, len)) =
        (range(&sizes, &from, unit), range(&sizes, &to, unit));
    let high = random.of(&[(false, false), (true, true), (false, true), (true, false)]);
    let sub_byte = SubByte::new(bits).expect("less than a byte").high_first(high.0, high.1);
    let of = Move::of_elements(sub_byte, &loops, unit).from(source_start, start);
    // The elements as bytes, which the oracle moves.
    let mask = (1 << bits) - 1;
    let elements: Vec<u8> = (0..source_len).map(|_| random.next() as u8 & mask).collect();
    let mut expected: Vec<u8> = (0..len).map(|_| random.next() as u8 & mask).collect();
    let source = packed(&elements, bits, high.0).into_boxed_slice();
    let before = packed(&expected, bits, high.1);
    naive(&of, &elements, &mut expected);
    let mut paths = [0; 4];
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let plan = Plan::for_isa(&of, isa).expect("a plan");
        let mut destination = before.clone().into_boxed_slice();
        assert!(plan.run(&source, &mut destination), "{of:?}");
        assert_eq!(*destination, *packed(&expected, bits, high.1), "seed {seed}, {isa:?}: {of:?}");
        let text = format!("{plan}");
        for (i, path) in
            ["rows at a time", "reversed", "in words", "in runs of"].into_iter().enumerate()
        {
            paths[i] += u64::from(text.contains(path));
        }
    }
    let (parts, mut all) = (2 + random.below(3), before.clone());
    for index in 0..parts {
        let plan = Plan::for_part(&of, Isa::best(), index, parts).expect("a plan");
        let mut own = before.clone();
        assert!(plan.run(&source, &mut own), "{plan}");
        for (at, &byte) in own.iter().enumerate().filter(|(at, byte)| **byte != before[*at]) {
            assert_eq!(all[at], before[at], "two parts moved to byte {at}: {of:?}");
            all[at] = byte;
        }
    }
    assert_eq!(all, packed(&expected, bits, high.1), "seed {seed} in {parts} parts: {of:?}");
    paths
}

#[test]
fn elements_of_less_than_a_byte() {
    let mut paths = [0; 4];
    for own in (0..2 * seeds()).map(check_elements) {
        paths = [0, 1, 2, 3].map(|i| paths[i] + own[i]);
    }
    // A machine without vectors has one instruction set.
    let least = seeds() / 25;
    assert!(paths.iter().all(|&count| count >= least), "{paths:?} plans of each path");
}
