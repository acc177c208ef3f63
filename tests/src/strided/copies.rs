//! Copies between strided arrays against loops over their indices.

use tensor_layout::strided::{self, StridedCopy, StridedError};
use test_support::{Random, coordinates};

/// Arrays of one shape on two sides. Offsets and strides count elements.
#[derive(Debug)]
struct Case {
    shape: Vec<usize>,
    source: (usize, Vec<isize>),
    destination: (usize, Vec<isize>),
}

/// The position of an element.
fn place((offset, strides): &(usize, Vec<isize>), indices: &[usize]) -> usize {
    let steps = indices.iter().zip(strides).map(|(&index, &stride)| index as isize * stride);
    (*offset as isize + steps.sum::<isize>()) as usize
}

/// Strides for a shape in a random order of axes, with gaps and in either direction.
fn side(random: &mut Random, shape: &[usize], may_broadcast: bool) -> (usize, Vec<isize>) {
    let mut axes: Vec<_> = (0..shape.len()).collect();
    random.shuffle(&mut axes);
    let (mut strides, mut offset) = (vec![0; shape.len()], random.below(3));
    let mut covered = 1;
    for axis in axes {
        if may_broadcast && random.once_in(8) {
            continue;
        }
        let stride = covered + if random.once_in(4) { random.below(3) } else { 0 };
        covered = stride * shape[axis].max(1);
        strides[axis] = stride as isize;
        if random.once_in(4) {
            strides[axis] = -strides[axis];
            offset += stride * shape[axis].saturating_sub(1);
        }
    }
    (offset, strides)
}

fn case(random: &mut Random, extents: usize) -> Case {
    let rank = random.below(7);
    let shape: Vec<_> =
        (0..rank).map(|_| if random.once_in(30) { 0 } else { 1 + random.below(extents) }).collect();
    let source = side(random, &shape, true);
    let destination = side(random, &shape, false);
    Case { shape, source, destination }
}

/// The number of elements that a side needs.
fn len(shape: &[usize], (offset, strides): &(usize, Vec<isize>)) -> usize {
    let forward = shape.iter().zip(strides).filter(|(_, stride)| **stride > 0);
    match shape.contains(&0) {
        true => 0,
        false => offset + 1 + forward.map(|(&n, &step)| (n - 1) * step as usize).sum::<usize>(),
    }
}

/// Compares a plan, with strides in elements and in bytes, and a single copy of elements of `N` bytes with loops.
fn compare<const N: usize>(of: &Case, random: &mut Random)
where
    [u8; N]: bytemuck::Pod,
{
    let source: Vec<[u8; N]> = (0..len(&of.shape, &of.source))
        .map(|_| core::array::from_fn(|_| random.bits() as u8))
        .collect();
    let blank = vec![[0xa5; N]; len(&of.shape, &of.destination)];
    let mut expected = blank.clone();
    for indices in coordinates(&of.shape) {
        expected[place(&of.destination, &indices)] = source[place(&of.source, &indices)];
    }
    let sides = ((of.source.0, &of.source.1[..]), (of.destination.0, &of.destination.1[..]));

    let mut copied = blank.clone();
    strided::copy(&of.shape, (&source, sides.0.0, sides.0.1), (&mut copied, sides.1.0, sides.1.1))
        .unwrap();
    assert_eq!(copied, expected, "{N} bytes, {of:?}");

    let plan = StridedCopy::of::<[u8; N]>(&of.shape, sides.0, sides.1).unwrap();
    copied.clone_from(&blank);
    plan.run(&source, &mut copied).unwrap();
    assert_eq!(copied, expected, "{N} bytes, {plan}, {of:?}");

    copied.clone_from(&blank);
    plan.par_run(&source, &mut copied).unwrap();
    assert_eq!(copied, expected, "{N} bytes, {plan}, {of:?}");

    let bytes = |list: &[isize]| list.iter().map(|n| n * N as isize).collect::<Vec<_>>();
    let strides = (bytes(sides.0.1), bytes(sides.1.1));
    let plan = StridedCopy::of_bytes(
        &of.shape,
        N,
        (N * sides.0.0, &strides.0),
        (N * sides.1.0, &strides.1),
    )
    .unwrap();
    copied.clone_from(&blank);
    plan.run(source.as_flattened(), copied.as_flattened_mut()).unwrap();
    assert_eq!(copied, expected, "{N} bytes, {plan}, {of:?}");
}

#[test]
fn random_copies_of_bytes() {
    for number in 0..400 {
        let random = &mut Random::new(63, number);
        // Some have more elements than are copied one by one.
        let extents = random.pick(&[3, 4, 9]);
        let of = case(random, extents);
        if len(&of.shape, &of.destination) > 60_000 {
            continue;
        }
        match number % 7 {
            0 => compare::<1>(&of, random),
            1 => compare::<2>(&of, random),
            2 => compare::<3>(&of, random),
            3 => compare::<4>(&of, random),
            4 => compare::<8>(&of, random),
            5 => compare::<12>(&of, random),
            _ => compare::<64>(&of, random),
        }
    }
}

#[test]
fn random_copies_of_bits() {
    for number in 0..300 {
        let random = &mut Random::new(64, number);
        let bits = random.pick(&[1, 2, 4]);
        let per_byte = 8 / bits;
        let of = case(random, 5);
        let mut bytes = |of: &(usize, Vec<isize>), shape| {
            (0..len(shape, of).div_ceil(per_byte)).map(|_| random.bits() as u8).collect::<Vec<_>>()
        };
        let (source, blank) = (bytes(&of.source, &of.shape), bytes(&of.destination, &of.shape));
        let mask = u8::MAX >> (8 - bits);
        let shift = |at: usize| at % per_byte * bits;
        let mut expected = blank.clone();
        for indices in coordinates(&of.shape) {
            let (from, to) = (place(&of.source, &indices), place(&of.destination, &indices));
            let element = source[from / per_byte] >> shift(from) & mask;
            let byte = &mut expected[to / per_byte];
            *byte = *byte & !(mask << shift(to)) | element << shift(to);
        }
        let plan = StridedCopy::of_bits(
            &of.shape,
            bits,
            (of.source.0, &of.source.1),
            (of.destination.0, &of.destination.1),
        )
        .unwrap();
        let mut copied = blank.clone();
        plan.run(&source, &mut copied).unwrap();
        assert_eq!(copied, expected, "{bits} bits, {plan}, {of:?}");
    }
}

/// More axes than a kernel has loops: all reversed, and in a random order, with one of three elements.
#[test]
fn many_axes() {
    for number in 0..6 {
        let random = &mut Random::new(65, number);
        let mut shape = vec![2; 17 + random.below(2)];
        let axis = random.below(shape.len());
        shape[axis] = 3;
        let strides = |axes: &[usize]| {
            let (mut strides, mut step) = (vec![0; shape.len()], 1);
            for &axis in axes {
                strides[axis] = step;
                step *= shape[axis] as isize;
            }
            (0, strides)
        };
        let mut axes: Vec<_> = (0..shape.len()).collect();
        let source = strides(&axes);
        match number {
            0 => axes.reverse(),
            _ => random.shuffle(&mut axes),
        }
        let destination = strides(&axes);
        let of = Case { shape, source, destination };
        match number % 3 {
            0 => compare::<1>(&of, random),
            1 => compare::<2>(&of, random),
            _ => compare::<4>(&of, random),
        }
    }
    // Elements of less than a byte have no kernel for so many.
    let shape = [2; 17];
    let up: Vec<isize> = (0..17).map(|axis| 1 << axis).collect();
    let down: Vec<isize> = up.iter().rev().copied().collect();
    let plan = StridedCopy::of_bits(&shape, 1, (0, &up), (0, &down)).unwrap();
    let source: Vec<u8> = (0..1 << 14).map(|i: u32| ((i * 37) >> 3) as u8).collect();
    let mut copied = vec![0; 1 << 14];
    plan.run(&source, &mut copied).unwrap();
    let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1;
    for at in 0..1usize << 17 {
        let reversed = at.reverse_bits() >> (usize::BITS - 17);
        assert_eq!(bit(&copied, reversed), bit(&source, at), "bit {at}");
    }
}

/// All destinations of up to three axes with small strides: a copy is refused if, and only if, two elements overlap.
#[test]
fn overlaps_are_found() {
    let mut refused = 0;
    for rank in 0..=3 {
        let choices = vec![3 * 9; rank];
        for choice in coordinates(&choices) {
            let shape: Vec<_> = choice.iter().map(|own| 1 + own % 3).collect();
            let strides: Vec<_> = choice.iter().map(|own| (own / 3) as isize - 4).collect();
            let offset = 8 * rank;
            let mut places: Vec<_> =
                coordinates(&shape).map(|own| place(&(offset, strides.clone()), &own)).collect();
            let count = places.len();
            places.sort_unstable();
            places.dedup();
            let plan = StridedCopy::of::<u16>(&shape, (0, &vec![0; rank]), (offset, &strides));
            assert_eq!(plan.is_ok(), places.len() == count, "{shape:?}, {strides:?}");
            refused += usize::from(plan.is_err());
        }
    }
    assert!(refused > 1000, "{refused} were refused");
}

/// Strides that interleave, and of which the search cannot tell whether elements overlap.
#[test]
fn a_search_without_an_answer_is_no_overlap() {
    let strides: Vec<isize> = (0..10).map(|i| 1_000_000 + (1 << i)).collect();
    let refused = StridedCopy::of::<u8>(&[2; 10], (0, &[0; 10]), (0, &strides));
    assert!(matches!(refused, Err(StridedError::Interleaved { axes: 10 })), "{refused:?}");
}

/// Copies of more than the least size that several threads share, with loops around the kernel too.
#[test]
fn copies_on_several_threads() {
    let axes = 24;
    let shape = vec![2; axes];
    let up: Vec<isize> = (0..axes).map(|axis| 1 << axis).collect();
    let down: Vec<isize> = up.iter().rev().copied().collect();
    let source: Vec<u8> =
        (0..1u32 << axes).map(|i| (i.wrapping_mul(2654435761) >> 24) as u8).collect();
    let plan = StridedCopy::of::<u8>(&shape, (0, &up), (0, &down)).unwrap();
    let mut copied = vec![0; source.len()];
    plan.par_run(&source, &mut copied).unwrap();
    for (at, &byte) in copied.iter().enumerate() {
        assert_eq!(byte, source[at.reverse_bits() >> (usize::BITS as usize - axes)], "{at}");
    }
}

/// A permutation of axes within one slice, between what lies around it.
#[test]
fn copies_in_place() {
    for number in 0..100 {
        let random = &mut Random::new(66, number);
        let rank = 1 + random.below(4);
        let shape: Vec<_> = (0..rank).map(|_| 1 + random.below(6)).collect();
        let mut strides = || {
            let mut axes: Vec<_> = (0..rank).collect();
            random.shuffle(&mut axes);
            let (mut strides, mut step) = (vec![0; rank], 1);
            for axis in axes {
                strides[axis] = step;
                step *= shape[axis] as isize;
            }
            (5, strides)
        };
        let (source, destination) = (strides(), strides());
        let count = shape.iter().product::<usize>();
        let buffer: Vec<u32> = (0..count as u32 + 9).collect();
        let mut expected = buffer.clone();
        for indices in coordinates(&shape) {
            expected[place(&destination, &indices)] = buffer[place(&source, &indices)];
        }
        let plan = StridedCopy::of::<u32>(&shape, (5, &source.1), (5, &destination.1)).unwrap();
        let mut moved = buffer.clone();
        plan.run_in_place(&mut moved).unwrap();
        assert_eq!(moved, expected, "{shape:?}, {source:?} to {destination:?}");
    }
    let none = StridedCopy::of::<u32>(&[0, 3], (0, &[3, 1]), (0, &[1, 2])).unwrap();
    none.run_in_place::<u32>(&mut []).unwrap();
    let bits = StridedCopy::of_bits(&[2, 4], 4, (0, &[4, 1]), (0, &[1, 2])).unwrap();
    assert!(matches!(
        bits.run_in_place(&mut [0x10u8, 0x32, 0x54, 0x76]),
        Err(StridedError::BitsInPlace { bits: 4 })
    ));
    let refused = StridedCopy::of::<u32>(&[3], (0, &[1]), (1, &[1])).unwrap();
    let mut buffer = [1, 2, 3, 4];
    assert!(matches!(refused.run_in_place(&mut buffer), Err(StridedError::Places { .. })));
    for (shape, source, destination, why) in [
        (
            &[4][..],
            (3, &[-1][..]),
            &[1][..],
            "an axis goes forwards on one side and backwards on the other",
        ),
        (&[2], (0, &[3]), &[3], "there are gaps between them"),
        (&[3, 3], (0, &[2, 2]), &[3, 1], "the source repeats some of them"),
    ] {
        let refused = StridedCopy::of::<u8>(shape, source, (0, destination)).unwrap();
        let mut buffer = vec![0u8; refused.source_len()];
        let error = refused.run_in_place(&mut buffer).unwrap_err().to_string();
        let expected =
            format!("elements cannot be moved in place: {why}; copy them to another buffer");
        assert_eq!(error, expected);
    }
    assert_eq!(buffer, [1, 2, 3, 4]);
}
