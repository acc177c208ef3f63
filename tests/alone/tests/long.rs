//! Axes of 2^20 and more coordinates, at random coordinates: no list of offsets is so long, and operations must find
//! their digits without counting. They do for blocks that are powers of two; of others they may be refused, but not
//! wrong.

use tensor_layout::{ElementType, Layout, algebra};
use test_support::Random;

/// The digits of an axis, the fastest first, each a size and a stride.
pub(crate) type Digits = Vec<(usize, usize)>;

/// What a coordinate of an axis adds to the offset.
pub(crate) fn at(digits: &[(usize, usize)], mut index: usize) -> usize {
    let mut offset = 0;
    for &(size, stride) in digits {
        offset += index % size * stride;
        index /= size;
    }
    offset
}

pub(crate) fn extent(digits: &[(usize, usize)]) -> usize {
    digits.iter().map(|digit| digit.0).product()
}

/// Two axes `X` and `Y` of three digits of these sizes, slowest first, in any order in memory, some of which repeat.
pub(crate) fn axes(random: &mut Random, sizes: [usize; 6]) -> (Layout, [Digits; 2]) {
    let mut order: Vec<char> = ('A'..='F').collect();
    random.shuffle(&mut order);
    let text: String = order.iter().collect();
    let mut builder = Layout::builder(text.as_str(), ElementType::U8);
    let (mut strides, mut distance) = ([0; 6], 1);
    for &letter in order.iter().rev() {
        let axis = letter as usize - 'A' as usize;
        if random.once_in(8) {
            builder = builder.broadcast(letter);
        } else {
            (strides[axis], distance) = (distance, distance * sizes[axis]);
        }
    }
    let extents: [(char, usize); 6] =
        std::array::from_fn(|axis| ((b'A' + axis as u8) as char, sizes[axis]));
    let layout = builder.named_extents(&extents).expect("a layout");
    let layout = layout.merge("ABC", 'X').and_then(|layout| layout.merge("DEF", 'Y'));
    let digits =
        [0, 3].map(|first| (first..first + 3).rev().map(|i| (sizes[i], strides[i])).collect());
    (layout.expect("whole axes"), digits)
}

/// Long axes whose blocks are powers of two, or of any sizes.
fn long_axes(random: &mut Random, any: bool) -> (Layout, [Digits; 2]) {
    let sizes: [usize; 6] = std::array::from_fn(|axis| match axis % 3 {
        0 => 1 << random.between(20, 22),
        _ if any => random.pick(&[2, 3, 4, 5, 6, 10]),
        _ => 1 << random.between(1, 4),
    });
    axes(random, sizes)
}

/// Numbers below `end`: random ones, and those at both ends.
fn some(random: &mut Random, end: usize) -> Vec<usize> {
    let mut all = vec![0, end - 1, (end - 1) / 2, 1 % end];
    all.extend((0..12).map(|_| random.below(end)));
    all
}

fn cases(seed: u64, any: bool, mut check: impl FnMut(&mut Random, Layout, [Digits; 2])) {
    for number in 0..300 {
        campaign::isolation::limit(20);
        let mut random = Random::new(seed, number);
        let (layout, digits) = long_axes(&mut random, any);
        check(&mut random, layout, digits);
    }
}

#[test]
fn offsets_of_long_axes_are_sums_of_digits() {
    cases(51, false, |random, layout, [x, y]| {
        let repeats = x.iter().chain(&y).any(|digit| digit.1 == 0);
        assert_eq!((layout.is_unique(), layout.is_exhaustive()), (!repeats, true), "{layout}");
        for i in some(random, extent(&x)) {
            for j in some(random, extent(&y)) {
                let offset = at(&x, i) + at(&y, j);
                assert_eq!(layout.offset(&[i, j]), offset, "{layout}");
                let found = layout.coordinate(offset).expect("an offset of the layout");
                assert_eq!(layout.offset(&found), offset, "{layout}");
                assert!(repeats || *found == [i, j], "{layout}");
            }
        }
    });
}

#[test]
fn slices_of_long_axes_are_every_nth_coordinate() {
    cases(52, false, |random, layout, [x, _]| {
        let all = extent(&x);
        let step = 1isize << random.below(9);
        let step = if random.once_in(3) { -step } else { step };
        let (start, most) = match step < 0 {
            true => (all - 1 - random.below(40), all / 2 / step.unsigned_abs()),
            false => (random.below(40), all / 2 / step.unsigned_abs()),
        };
        let length = most - random.below(40);
        let slice = layout.slice('X', start, step, length);
        let slice =
            slice.unwrap_or_else(|error| panic!("{start} {step} {length}: {error}: {layout}"));
        for i in some(random, length) {
            let index = start.wrapping_add_signed(step * i as isize);
            assert_eq!(slice.offset(&[i, 0]), at(&x, index), "{start} {step} {length} of {layout}");
        }
    });
}

/// Inside a block, all coordinates are one step apart, whatever the step.
#[test]
fn slices_inside_a_block_have_one_stride() {
    for (step, order) in
        [1, 3, 5, 6, 7, 10].into_iter().flat_map(|step| ["AB", "BA"].map(|order| (step, order)))
    {
        let block = 1 << 20;
        let layout = Layout::builder(order, ElementType::U8);
        let layout = layout.named_extents(&[('A', 8), ('B', block)]).expect("a layout");
        let axis = layout.merge("AB", 'X').expect("whole axes");
        for (start, length) in
            [(0, 1 << 16), (block + 5, 1 << 16), (8 * block - 1 - (step << 16), 1 << 16)]
        {
            let slice = axis.slice('X', start, step as isize, length);
            let slice = slice.unwrap_or_else(|error| panic!("{start} {step}: {error}"));
            let apart = layout.strides().expect("strides")[1] * step as isize;
            assert_eq!(slice.strides().expect("one stride"), [apart], "{slice}");
            assert_eq!(slice.offset(&[0]), axis.offset(&[start]));
        }
    }
}

#[test]
fn diagonals_of_long_axes_add_both_steps() {
    cases(53, false, |random, layout, [x, y]| {
        let diagonal = layout.diagonal('X', 'Y', 'D');
        let diagonal = diagonal.unwrap_or_else(|error| panic!("{error}: {layout}"));
        let length = extent(&x).min(extent(&y));
        assert_eq!(diagonal.extents(), [length]);
        for i in some(random, length) {
            assert_eq!(diagonal.offset(&[i]), at(&x, i) + at(&y, i), "{i} on {layout}");
        }
    });
}

#[test]
fn tiles_of_long_axes_count_as_the_axis() {
    cases(54, false, |random, layout, [x, y]| {
        let all = extent(&x);
        let (inner, middle) = (1 << random.between(1, 9), 1 << random.between(1, 5));
        let sizes = [('P', all / inner / middle), ('Q', middle), ('R', inner)];
        let tiled = layout.tile('X', &sizes).unwrap_or_else(|error| panic!("{error}: {layout}"));
        let back = tiled.merge("PQR", 'X').expect("whole tiles").permute("XY").expect("both axes");
        assert!(back.same_map(&layout), "{back}, {layout}");
        let axes = [sizes[0], sizes[1], ('Z', inner * extent(&y))];
        let shaped = layout.reshape(&axes).unwrap_or_else(|error| panic!("{error}: {layout}"));
        for i in some(random, all) {
            let [p, q, r] = [i / inner / middle, i / inner % middle, i % inner];
            let last = i * 77 % extent(&y);
            // Tiles stand where their axis stood.
            assert_eq!(tiled.offset(&[p, q, r, last]), at(&x, i) + at(&y, last), "{tiled}");
            let z = r * extent(&y) + last;
            assert_eq!(shaped.offset(&[p, q, z]), at(&x, i) + at(&y, last), "{shaped}");
        }
    });
}

/// The coordinates of `layout`, counted with the last axis fastest, at the offsets of a tile.
#[test]
fn compositions_of_long_layouts_count_coordinates() {
    cases(55, false, |random, layout, [x, y]| {
        let offset = |index: usize| at(&x, index / extent(&y)) + at(&y, index % extent(&y));
        let all = extent(&x) * extent(&y);
        let (mut stride, mut axes) = (1usize << random.below(4), Vec::new());
        for letter in ['S', 'T', 'U'] {
            let size = 1usize << random.between(1, 14);
            axes.push((letter, size, stride));
            stride = stride * size << random.below(3);
        }
        random.shuffle(&mut axes);
        let letters: String = axes.iter().map(|axis| axis.0).collect();
        let extents: Vec<usize> = axes.iter().map(|axis| axis.1).collect();
        let strides: Vec<isize> = axes.iter().map(|axis| axis.2 as isize).collect();
        let tile = Layout::from_strides(&letters, &extents, &strides, ElementType::U8);
        let tile = tile.expect("strides that nest");
        if stride > all {
            return;
        }
        let made = algebra::compose(&layout, &tile);
        let made = made.unwrap_or_else(|error| panic!("{error}: {layout} at {tile}"));
        let divided = algebra::divide(&layout, &tile, 'R');
        let divided = divided.unwrap_or_else(|error| panic!("{error}: {layout} by {tile}"));
        for number in some(random, extents.iter().product()) {
            let mut coordinate = [0; 3];
            let mut rest = number;
            for axis in (0..3).rev() {
                (coordinate[axis], rest) = (rest % extents[axis], rest / extents[axis]);
            }
            let index: usize = coordinate.iter().zip(&axes).map(|(i, axis)| i * axis.2).sum();
            assert_eq!(made.offset(&coordinate), offset(index), "{layout} at {tile}");
            let [s, t, u] = coordinate;
            assert_eq!(divided.offset(&[s, t, u, 0]), offset(index), "{layout} by {tile}");
        }
    });
}

#[test]
fn what_is_made_of_any_blocks_is_right() {
    let (mut slices, mut diagonals, mut compositions) = (0, 0, 0);
    cases(56, true, |random, layout, [x, y]| {
        let (step, start) = (random.between(1, 30), random.below(40));
        let length = extent(&x) / step - 50;
        if let Ok(slice) = layout.slice('X', start, step as isize, length) {
            for i in some(random, length) {
                assert_eq!(slice.offset(&[i, 0]), at(&x, start + step * i), "{step} of {layout}");
            }
            slices += 1;
        }
        let starts = [random.below(3) * random.below(9), random.below(9)];
        let length = extent(&x).min(extent(&y)) - 50;
        let cut = layout.slice('X', starts[0], 1, length).expect("a slice");
        let cut = cut.slice('Y', starts[1], 1, length).expect("a slice");
        if let Ok(diagonal) = cut.diagonal('X', 'Y', 'D') {
            for i in some(random, length) {
                let offset = at(&x, starts[0] + i) + at(&y, starts[1] + i);
                assert_eq!(diagonal.offset(&[i]), offset, "{i} on {cut}");
            }
            diagonals += 1;
        }
        let strides = [random.between(1, 30), random.pick(&[100, 120, 1000, 3600])];
        let extents = [random.between(1, 3), 4000];
        let tile = strides.map(|stride| stride as isize);
        let Ok(tile) = Layout::from_strides("ST", &extents, &tile, ElementType::U8) else { return };
        if let Ok(made) = algebra::compose(&layout, &tile) {
            for number in some(random, extents[0] * extents[1]) {
                let [s, t] = [number / extents[1], number % extents[1]];
                let index = s * strides[0] + t * strides[1];
                let offset = at(&x, index / extent(&y)) + at(&y, index % extent(&y));
                assert_eq!(made.offset(&[s, t]), offset, "{layout} at {tile}");
            }
            compositions += 1;
        }
    });
    assert!(
        slices > 60 && diagonals > 20 && compositions > 60,
        "{slices} slices, {diagonals} diagonals, {compositions} compositions"
    );
}
