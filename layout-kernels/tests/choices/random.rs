//! Random moves of each kind that plans tell apart.

use layout_kernels::{Loop, Move, Padding, SubByte};

use super::{blocked, loops, transposed};

/// Digits in an order of their own on each side.
pub(crate) fn random(seed: u64) -> Move {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % count
    };
    let unit = [1, 1, 2, 4, 8, 3, 6, 12][below(8)];
    let sizes: Vec<usize> =
        (0..2 + below(4)).map(|_| [2, 2, 3, 4, 5, 7, 8, 16, 17, 33][below(10)]).collect();
    let mut strides = || {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        (1..order.len()).rev().for_each(|i| order.swap(i, below(i + 1)));
        let (mut all, mut next) = (vec![0; sizes.len()], unit as isize);
        for digit in order {
            (all[digit], next) = (next, next * sizes[digit] as isize);
        }
        all
    };
    let (from, to) = (strides(), strides());
    let all: Vec<_> = (0..sizes.len()).map(|i| (sizes[i], from[i], to[i])).collect();
    loops(&all, unit)
}

/// A random move, often between buffers whose rows are longer than what is moved of them, up to a power of two.
pub(crate) fn random_with_gaps(seed: u64) -> Move {
    let of = random(seed);
    let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95) | 1;
    let mut gap = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        [0, 0, of.unit as isize, 64 * of.unit as isize, -1, -128][(state >> 40) as usize % 6]
    };
    let gaps = [gap(), gap()];
    let longer = |stride: isize, gap: isize| match gap {
        _ if stride == of.unit as isize => stride,
        -128 | -1 => (stride as usize).next_power_of_two() as isize * -gap,
        gap => stride + stride / of.unit as isize * gap,
    };
    let all: Vec<_> = of
        .loops()
        .iter()
        .map(|own| (own.size, longer(own.source, gaps[0]), longer(own.destination, gaps[1])))
        .collect();
    loops(&all, of.unit)
}

/// A small generator of random numbers.
fn generator(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95) | 1;
    move |count| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 40) as usize % count
    }
}

/// Pixels of planes or of pixels, in groups with padding, at the end of which others may follow.
pub(crate) fn random_with_padding(seed: u64) -> Move {
    let mut below = generator(seed ^ 0x5eed);
    let unit = [1, 1, 1, 2, 2, 3, 4, 6][below(8)];
    let (channels, pixels, images) = (1 + below(12), 1 + below(100), 1 + below(3));
    let group = (channels + 1 + below(6)) * unit;
    let (channel, pixel) = match below(2) {
        0 => (pixels * unit, unit),
        _ => (unit, channels * unit),
    };
    let image = channels * pixels * unit;
    let all = [
        (channels, channel as isize, unit as isize),
        (pixels, pixel as isize, group as isize),
        (images, image as isize, (group * pixels) as isize),
    ];
    loops(&all, unit).padded(Padding { group, fill: [1, 2, 3, 4, 5, 6, 7, 8] })
}

/// Digits some of which count down on a side, and some of which repeat the source.
pub(crate) fn random_reversed(seed: u64) -> Move {
    let of = random(2_000_000 + seed);
    let mut below = generator(seed);
    let (mut all, mut start) = (Vec::new(), [0; 2]);
    for own in of.loops() {
        let mut strides = [own.source, own.destination];
        for (side, stride) in strides.iter_mut().enumerate() {
            if below(3) == 0 {
                start[side] += (own.size - 1) * stride.unsigned_abs();
                *stride = -*stride;
            }
        }
        if below(8) == 0 {
            if strides[0] < 0 {
                start[0] -= (own.size - 1) * strides[0].unsigned_abs();
            }
            strides[0] = 0;
        }
        all.push((own.size, strides[0], strides[1]));
    }
    loops(&all, of.unit).from(start[0], start[1])
}

/// Digits of elements of less than a byte, that begin anywhere.
pub(crate) fn random_elements(seed: u64) -> Move {
    let mut below = generator(seed ^ 0xe1e);
    let bits = [1, 2, 4, 4][below(4)];
    let unit = [1, 1, 1, 2, 4, 8][below(6)];
    let sizes: Vec<usize> =
        (0..1 + below(4)).map(|_| [2, 2, 3, 4, 4, 8, 16, 20, 64][below(9)]).collect();
    let gap = (below(2) * 8) as isize;
    let mut strides = || {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        (1..order.len()).rev().for_each(|i| order.swap(i, below(i + 1)));
        let (mut all, mut next) = (vec![0; sizes.len()], unit as isize);
        for digit in order {
            (all[digit], next) = (next, next * sizes[digit] as isize + gap);
        }
        all
    };
    let (from, to) = (strides(), strides());
    let all: Vec<_> = (0..sizes.len()).map(|i| (sizes[i], from[i], to[i])).collect();
    let start = [0, 0, 1, 2, 8][below(5)];
    let order = [(false, false), (false, false), (true, true), (true, false)][below(4)];
    let of = SubByte::new(bits).expect("less than a byte").high_first(order.0, order.1);
    let all: Vec<_> = all.iter().map(|&(size, from, to)| Loop::new(size, from, to)).collect();
    Move::of_elements(of, &all, unit).from(start, 2 * start)
}

/// Few rows or digits, some of which are about as far apart as an offset of a kernel's table can be.
pub(crate) fn random_far_apart(seed: u64) -> Move {
    let mut below = generator(seed ^ 0xfa2);
    let far = (1 << (24 + below(12))) + [0, 1, 64, -64, 4096][below(5)];
    let of = match below(3) {
        0 => transposed(1, [2, 3, 4, 6, 8, 16][below(6)], 10 + below(200), [1, 2, 4][below(3)]),
        1 => blocked([3, 4, 8, 16][below(4)], 64, [3, 4, 2][below(3)], [1, 2][below(2)]),
        _ => random(3_000_000 + seed),
    };
    let longest = |is_source: bool| {
        let stride = |own: &Loop| if is_source { own.source } else { own.destination };
        of.loops().iter().map(stride).max().unwrap_or(0)
    };
    let (from, to) = (longest(true), longest(false));
    let (is_source, is_destination) = (below(3) > 0, below(3) == 0);
    let all: Vec<_> = of
        .loops()
        .iter()
        .map(|own| {
            let source = if is_source && own.source == from { far } else { own.source };
            let is_far = is_destination && own.destination == to;
            (own.size, source, if is_far { far } else { own.destination })
        })
        .collect();
    loops(&all, of.unit)
}

/// Few planes out of pixels that may have more, few rows or columns, and columns of two digits.
pub(crate) fn random_planes(seed: u64) -> Move {
    let mut below = generator(seed ^ 0x91a);
    let unit = [1, 1, 2, 2, 4, 8][below(6)];
    let own = unit as isize;
    let (planes, pixels) = (2 + below(8), [16, 64, 131, 200][below(4)]);
    let channels = planes + below(6) * below(2);
    let (pixel, plane) = ((channels * unit) as isize, ((pixels + below(3)) * unit) as isize);
    match below(4) {
        0 => loops(&[(planes, own, plane), (pixels, pixel, own)], unit),
        1 => loops(&[(planes, plane, own), (pixels, own, pixel)], unit),
        2 => {
            let (outer, inner) = (2 + below(10), 2 + below(7));
            let row = (outer * inner * unit) as isize;
            let (between, all) = ((inner * unit) as isize, (pixels * unit) as isize);
            let columns = [(outer, between, all), (inner, own, all * outer as isize)];
            loops(&[(pixels, row, own), columns[0], columns[1]], unit)
        }
        _ => {
            let (outer, inner) = (2 + below(10), 2 + below(7));
            let row = (outer * inner * unit) as isize;
            let (between, all) = ((inner * unit) as isize, (pixels * unit) as isize);
            let columns = [(outer, all, between), (inner, all * outer as isize, own)];
            loops(&[(pixels, own, row), columns[0], columns[1]], unit)
        }
    }
}
