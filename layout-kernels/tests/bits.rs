//! Bits of blocks beside loops over each bit, on every instruction set.

use std::cell::Cell;

use layout_kernels::{BitLoops, BitPermute, Isa, Loop};

/// The plans of moves for all instruction sets that the CPU has.
fn plans(
    moves: &[BitLoops],
    flips: &[u8],
    lengths: &[usize],
) -> impl Iterator<Item = (Isa, BitPermute)> {
    let plan = |isa| Some((isa, BitPermute::new(moves, flips, lengths, isa)?));
    Isa::ALL.into_iter().filter_map(plan)
}

/// Whether the CPU has kernels for bits.
fn has_kernel() -> bool {
    !matches!(Isa::best(), Isa::Portable | Isa::Sse2)
}

/// Numbers of each step of a kind that a plan has, as the plan shows itself; `parts` are all that move bits.
fn steps<const COUNT: usize>(
    plan: &BitPermute,
    kind: &str,
    names: [&str; COUNT],
) -> impl Iterator<Item = [usize; COUNT]> {
    let text = format!("{plan:?}");
    let of_step = |own: &str| {
        names.map(|name| match name {
            "parts" => own.matches("SquarePart").count(),
            _ => {
                let (_, number) = own.split_once(&format!(" {name}: ")).expect("a number");
                number.split(',').next().expect("one").parse().expect("digits")
            }
        })
    };
    let all: Vec<_> = text.split(&format!("{kind} {{")).skip(1).map(of_step).collect();
    all.into_iter()
}

/// Loops in random orders on both sides, whose bits are moved one by one.
#[test]
fn bits_move_as_one_by_one() {
    let mut state = 59u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % end
    };
    for _ in 0..100 {
        let count = 1 + below(4);
        let mut sizes: Vec<usize> = (0..count).map(|_| 2 + below(9)).collect();
        sizes.push(8 << below(3));
        // The strides of a side: loops in a random order, each around those before it, with gaps.
        let mut side = |unit: usize| {
            let mut order: Vec<usize> = (0..sizes.len()).collect();
            (1..order.len()).for_each(|i| order.swap(i, below(i + 1)));
            let (mut strides, mut own) = (vec![0; sizes.len()], unit);
            for i in order {
                strides[i] = own as isize;
                own = own * sizes[i] + [0, 8, 3][below(3)];
            }
            (strides, own)
        };
        let (source, bits) = side(1);
        let (destination, to_bits) = side(1);
        let all = sizes.iter().zip(source).zip(destination);
        let loops = all.map(|((size, source), destination)| Loop::new(*size, source, destination));
        let (starts, high_first) = ([0; 2].map(|_| below(20)), [0; 2].map(|_| below(4) == 0));
        let own = BitLoops { loops: loops.collect(), starts, high_first, buffer: 0 };
        let from: Vec<u8> = (0..bits.div_ceil(8) + 4).map(|_| below(256) as u8).collect();
        let to: Vec<u8> = (0..to_bits.div_ceil(8) + 4).map(|_| below(256) as u8).collect();
        let mut expected = to.clone();
        one_by_one(&own, &from, &mut expected);
        for (isa, plan) in plans(std::slice::from_ref(&own), &[], &[from.len()]) {
            let mut moved = to.clone();
            // The buffer whose length is checked is the one that is read.
            let asked = Cell::new(0);
            let buffer = |_| {
                asked.set(asked.get() + 1);
                &from[..]
            };
            assert!(plan.run(buffer, &mut moved));
            assert_eq!(asked.get(), 1, "{isa}: {plan}");
            assert_eq!(moved, expected, "{isa}: {own:?}");
            let short = from.len() - 1;
            assert!(!plan.run(|_| &from[..short], &mut moved));
        }
    }
}

/// Rows of scales and codes beside one another in blocks, and back. Codes are flipped.
#[test]
fn fields_move_as_words() {
    let (mut counts, mut shapes) = ([false; 17], Vec::new());
    for case in 0..400 {
        let [scale, word] = [case % 5, case / 5 % 5].map(|power| 1 << power);
        let columns = [1, 5, 16 / word, 32 / word][case / 25 % 4];
        let (rows, blocks, shift) = ([4, 6, 8, 16][case / 100], 31 + case % 7, case % 9);
        let of_row = scale + columns * word;
        let of = |back: usize, start: [usize; 2], loops: [(usize, [usize; 2]); 3]| {
            let loops = [(blocks, [of_row, rows * of_row])].into_iter().chain(loops);
            let bits = |(size, own): (usize, [usize; 2])| {
                Loop::new(size, 8 * own[back] as isize, 8 * own[1 - back] as isize)
            };
            let loops = loops.map(bits).chain([Loop::new(8, 1, 1)]).collect();
            let starts = [8 * start[back], 8 * start[1 - back]];
            BitLoops { loops, starts, high_first: [false; 2], buffer: 0 }
        };
        let (row, group) = (blocks * of_row, rows * word);
        let scales = [(1, [0, 0]), (rows, [row, scale]), (scale, [1, 1])];
        let codes = [(columns, [word, group]), (rows, [row, word]), (word, [1, 1])];
        let all: Vec<u8> = (0..shift + rows * row).map(|i| (i * 7 + i / 251) as u8).collect();
        for back in [0, 1] {
            let from = &all[shift..];
            let moves = [of(back, [0, 0], scales), of(back, [scale, rows * scale], codes)];
            let (mut flips, mut expected) = (vec![0; from.len()], vec![1; from.len()]);
            one_by_one(&moves[1], &vec![0x88; from.len()], &mut flips);
            moves.iter().for_each(|own| one_by_one(own, from, &mut expected));
            expected.iter_mut().zip(&flips).for_each(|(own, flip)| *own ^= flip);
            for (isa, plan) in plans(&moves, &flips, &[from.len()]) {
                let mut moved = vec![1; 2 * shift + from.len()];
                assert!(plan.run(|_| from, &mut moved[shift..][..from.len()]));
                let (start, end) = (&moved[..shift], &moved[shift + from.len()..]);
                assert_eq!((start, end), (&vec![1; shift][..], &vec![1; shift][..]), "{plan}");
                assert_eq!(moved[shift..][..from.len()], expected, "{isa}: {plan}, case {case}");
                steps(&plan, "BlockWords", ["count"]).for_each(|[count]| counts[count] = true);
                shapes.extend(steps(&plan, "BlockSquares", ["side", "count", "head"]));
            }
        }
    }
    let has_words = has_kernel();
    assert_eq!([1, 2, 4, 8].map(|count| counts[count]), [has_words; 4]);
    shapes.sort_unstable();
    shapes.dedup();
    assert_eq!(shapes.len(), if has_words { 18 } else { 0 }, "{shapes:?}");
}

/// Fields of any bits in any order on both sides, some of them flipped, in one buffer at any address, or in buffers of
/// their own.
#[test]
fn fields_move_from_any_bits_to_any_bits() {
    let (mut state, mut lanes) = (61u64, Vec::new());
    let mut below = |end: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % end
    };
    for case in 0..200 {
        let (count, blocks, shift) = (1 + below(4), 1 + below(40), below(7));
        let is_apart = case % 2 == 1;
        let sizes =
            [0; 4].map(|_| (1 + below(6), 1 + below(6), [1, 3, 4, 8, 8, 8, 16, 32][below(8)]));
        let mut side = || places_of_fields(&sizes[..count], &mut below);
        let ([(from, step), (to, step_to)], high_first) = ([side(), side()], [below(4) == 0; 2]);
        let field = |i: usize| {
            let ((rows, columns, bits), (start, row, column)) = (sizes[i], from[i]);
            let (start_to, row_to, column_to) = to[i];
            // Buffers of its own have blocks of the field alone.
            let own = 8 * (rows * columns * bits).div_ceil(8) as isize;
            let (buffer, start, step) =
                if is_apart { (i, 8 * i, own) } else { (0, start, 8 * step as isize) };
            let outer = [(blocks, step, 8 * step_to as isize), (rows, row, row_to)];
            let loops = outer.into_iter().chain([(columns, column, column_to), (bits, 1, 1)]);
            let loops = loops.map(|own| Loop::new(own.0, own.1, own.2)).collect();
            BitLoops { loops, starts: [start, start_to], high_first, buffer }
        };
        let moves: Vec<BitLoops> = (0..count).map(field).collect();
        let [source, before] = [step, step_to]
            .map(|own| (0..blocks * own + 14).map(|_| below(256) as u8).collect::<Vec<_>>());
        let (source, mut expected, mut flips) =
            (&source[shift..], before.clone(), vec![0; before.len()]);
        // Each buffer has other bytes.
        let other = |i: u8| source.iter().map(|own| own ^ (37 * i)).collect();
        let buffers: Vec<Vec<u8>> = (0..count as u8).map(other).collect();
        for own in &moves {
            one_by_one(own, &buffers[own.buffer], &mut expected[shift..]);
        }
        one_by_one(&moves[0], &vec![[0x88, 0xff][below(2)]; source.len()], &mut flips);
        expected[shift..].iter_mut().zip(&flips).for_each(|(own, flip)| *own ^= flip);
        for (isa, plan) in plans(&moves, &flips, &vec![source.len(); count]) {
            let mut moved = before.clone();
            assert!(plan.run(|buffer| &buffers[buffer], &mut moved[shift..]));
            assert_eq!(moved, expected, "{isa}: {plan}, case {case}");
            let is_apart = format!("{plan:?}").contains("are_apart: true");
            lanes.push((is_apart, plan.to_string().contains("windows of 64 bytes")));
        }
    }
    lanes.sort_unstable();
    lanes.dedup();
    // Only several sources take vectors of the longest lanes.
    let is_long = cfg!(avx512) && Isa::best() == Isa::Avx512Vbmi;
    let all = [(false, false), (true, false), (true, true)];
    assert_eq!(lanes, all[..if is_long { 3 } else { 2 * usize::from(has_kernel()) }]);
}

/// Fields that follow one another, each with its rows or its columns together, in blocks of a vector or more: the first
/// bit of each, and the bits from row to row and from column to column; the bytes of a block.
fn places_of_fields(
    sizes: &[(usize, usize, usize)],
    mut below: impl FnMut(usize) -> usize,
) -> ([(usize, isize, isize); 4], usize) {
    let (mut places, mut next, first) = ([(0, 0, 0); 4], 0, below(sizes.len()));
    for i in (first..sizes.len()).chain(0..first) {
        let ((rows, columns, bits), unit) = (sizes[i], [1, 8][below(2)]);
        next = usize::next_multiple_of(next, unit) + unit * (below(4) / 3);
        let (row, column) = [(columns, 1), (1, rows)][below(2)];
        places[i] = (next, (row * bits) as isize, (column * bits) as isize);
        next += rows * columns * bits;
    }
    (places, next.div_ceil(8).max(16) + below(3))
}

/// Codes of rows in any order within each, words of a vector beside those of other rows, and back.
#[test]
fn codes_move_as_squares() {
    let (mut state, mut sides) = (67u64, [false; 17]);
    let mut below = |end: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % end
    };
    for case in 0..400 {
        let (side, blocks, shift) = (2 << (case % 4), 1 + below(40), below(9));
        let word = [128usize, 96][below(2)] / side;
        let bits = [1, 2, 4, 8][below(4)].min(1 << word.trailing_zeros());
        let first = [1, 2, word / bits][below(3)];
        let first = if word / bits % first == 0 { first } else { 1 };
        let sizes = [side, first, word / bits / first];
        let mut order = [0, 1, 2];
        (1..3).for_each(|i| order.swap(i, below(i + 1)));
        let (mut from, mut row) = ([0; 3], bits);
        order.into_iter().for_each(|i| (from[i], row) = (row, row * sizes[i]));
        let inner = if below(2) == 0 { [bits, bits * first] } else { [bits * sizes[2], bits] };
        let codes = [0, 1, 2].map(|i| (sizes[i], [from[i], [side * word, inner[0], inner[1]][i]]));
        let (gap, gap_to) = (8 * below(3), 8 * below(3));
        let outer =
            [(blocks, [row + gap, side * row + gap_to]), (side, [blocks * (row + gap), word])];
        let digits = || outer.into_iter().chain(codes).chain([(bits, [1, 1])]);
        for back in [0, 1] {
            let own = |(size, own): (usize, [usize; 2])| {
                Loop::new(size, own[back] as isize, own[1 - back] as isize)
            };
            let loops = digits().filter(|own| own.0 > 1).map(own).collect();
            let high_first = [below(5) == 0; 2];
            let all = BitLoops { loops, starts: [8 * shift; 2], high_first, buffer: 0 };
            let length = shift + side * blocks * (row + gap + gap_to) / 8 + 3;
            let from: Vec<u8> = (0..length).map(|_| below(256) as u8).collect();
            let flips = vec![[0, 0x88][below(2)]; length];
            let (mut expected, mut changed) = (vec![0; length], vec![0; length]);
            one_by_one(&all, &from, &mut expected);
            one_by_one(&all, &flips, &mut changed);
            expected.iter_mut().zip(&changed).for_each(|(own, flip)| *own ^= flip);
            for (isa, plan) in plans(std::slice::from_ref(&all), &changed, &[length]) {
                let mut moved = vec![0; length];
                assert!(plan.run(|_| &from, &mut moved));
                assert_eq!(moved, expected, "{isa}: {plan}, case {case}");
                for [side, parts] in steps(&plan, "BlockSquares", ["side", "parts"]) {
                    sides[side] |= parts > 0;
                }
            }
        }
    }
    let has_bits = has_kernel();
    assert_eq!([2, 4, 8, 16].map(|side| sides[side]), [has_bits; 4]);
}

/// Moves each bit by itself.
fn one_by_one(own: &BitLoops, from: &[u8], to: &mut [u8]) {
    let mut places = vec![own.starts.map(|start| start as isize)];
    for Loop { size, source, destination } in &own.loops {
        let steps = |[a, b]: [isize; 2]| {
            (0..*size as isize).map(move |i| [a + i * source, b + i * destination])
        };
        places = places.into_iter().flat_map(steps).collect();
    }
    for place in places {
        let [(a, bit), (b, to_bit)] = [0, 1].map(|side| {
            let within = place[side] as usize % 8;
            (place[side] as usize / 8, if own.high_first[side] { 7 - within } else { within })
        });
        to[b] = to[b] & !(1 << to_bit) | (from[a] >> bit & 1) << to_bit;
    }
}
