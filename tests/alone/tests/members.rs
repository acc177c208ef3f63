//! What layouts and their parts say in one word: equal values, hashes, letters, positions and bytes.

use std::hash::{DefaultHasher, Hash, Hasher};

use tensor_layout::nests::{Boxes, Pair};
use tensor_layout::{Layout, Swizzle, algebra};

fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn layouts_that_are_equal_have_equal_hashes() {
    let texts = [
        "NC<2, 3>, u8",
        "NC<3, 2>, u8",
        "CN<N = 2, C = 3>, u8",
        "NC<2, 3>, i8",
        "NC<2, 3>, u8, strides = [3, 1]",
    ];
    for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
        assert_eq!(hash(layout(a)) == hash(layout(b)), a == b, "{a} and {b}");
        assert_eq!(layout(a) == layout(b), a == b, "{a} and {b}");
    }
}

#[test]
fn lists_of_axes_are_slices() {
    let strides = layout("NC<2, 3>, u8").strides().expect("strides");
    let (same, other): (&[isize], &[isize]) = (&[3, 1], &[3, 2]);
    assert!(strides == *same && strides == same && strides == [3, 1]);
    assert!(strides != *other && strides != other && strides != [3, 2]);
    assert!(strides != *[3].as_slice() && strides != [3, 1, 0]);
}

#[test]
fn letters_print_as_text() {
    let letters = layout("NHWC<N = 1, C = 2, H = 3, W = 4>, u8").letters();
    assert_eq!((letters.as_str(), letters.to_string()), ("NCHW", "NCHW".to_string()));
    assert_eq!(layout("SCALAR, u8").letters().as_str(), "");
}

/// A view moves its elements, and a layout with padding its whole storage.
#[test]
fn bytes_that_are_moved() {
    for (text, bytes) in [
        ("NC<2, 3>, f32", 24),
        ("NC4c<2, 3>, f32, pad", 32),
        ("NC<2, 3>, f32, strides = [4, 1]", 24),
        ("NC<2, 3>, f32, strides = [3, 1]", 24),
        ("NC<2, 3>, f32, broadcast(N)", 12),
        ("NC<2, 3>, f32, strides = [0, 1], broadcast(N)", 12),
    ] {
        assert_eq!(layout(text).moved_bytes(), bytes, "{text}");
    }
}

#[test]
fn blocks_and_the_first_coordinate() {
    let act = layout("NCHW4c<2, 8, 3, 5>, u8");
    assert_eq!([0, 1, 2, 3].map(|axis| act.block(axis)), [1, 4, 1, 1]);
    for (view, first) in [
        (Ok(act), 0),
        (act.index('C', 6), 60 + 2),
        (act.flip('N'), 120),
        (act.flip('W').and_then(|view| view.flip('H')), 2 * 20 + 4 * 4),
    ] {
        let view = view.expect("a view");
        assert_eq!(view.base(), first, "{view}");
    }
}

/// A nest keeps the swizzle of either side.
#[test]
fn nests_have_the_swizzles_of_their_layouts() {
    let plain = layout("MK<16, 64>, f16");
    let swizzled = layout("MK<16, 64>, f16, swizzle(3, 3, 3)");
    let swizzle = Some(Swizzle::new(3, 3, 3));
    for (from, to) in [(plain, swizzled), (swizzled, plain), (swizzled, swizzled), (plain, plain)] {
        let pair = Pair::of_equal_elements(&from, &to).expect("equal axes");
        let mut boxes = Boxes::new(&pair, None);
        let nest = boxes.next().expect("one box");
        let of = |layout: Layout| swizzle.filter(|_| layout == swizzled);
        assert_eq!(nest.swizzles(), [of(from), of(to)], "{from} to {to}");
    }
}

/// A box of a nest ends where a block of either side does, and nowhere else.
#[test]
fn boxes_end_where_blocks_do() {
    let dense = layout("NC<2, 24>, u8");
    for block in [2, 3, 4, 6, 8] {
        let blocks = layout(&format!("NC{block}c<2, 24>, u8"));
        for (start, length) in (0..24).flat_map(|start| (1..=24 - start).map(move |n| (start, n))) {
            let from = blocks.slice('C', start, 1, length).expect("a slice");
            let to = dense.slice('C', 0, 1, length).expect("a slice");
            let touched = (start + length - 1) / block - start / block + 1;
            for (from, to) in [(from, to), (to, from)] {
                let pair = Pair::of_equal_elements(&from, &to).expect("equal axes");
                let (mut boxes, mut count) = (Boxes::new(&pair, None), 0);
                while boxes.next().is_some() {
                    count += 1;
                }
                assert!(count <= touched.min(3), "{count} boxes, {touched} blocks: {from} to {to}");
            }
        }
    }
}

/// Rows end where another axis, a repeated one or one of a single coordinate begins.
#[test]
fn rows_of_swizzles_are_contiguous_along_one_axis() {
    let phases = "swizzle(vec = 8, per_phase = 1, max_phase = 8)";
    let of = |row| Swizzle::phases(8, 1, 8, row);
    for (text, row) in [
        ("MK<16, 64>, f16", 64),
        ("MK8k<16, 64>, f16", 64),
        ("MK2k<16, 64>, f16", 64),
        ("KM8k<M = 16, K = 64>, f16", 8),
        ("MAK<M = 8, A = 2, K = 64>, f16", 64),
        ("MAK<M = 8, A = 1, K = 64>, f16, align(M = 256)", 128),
        ("AMK<A = 3, M = 8, K = 64>, f16, broadcast(A)", 64),
    ] {
        let swizzle = Layout::parse(&format!("{text}, {phases}")).map(|layout| layout.swizzle());
        match of(row) {
            Some(expected) => assert_eq!(swizzle, Ok(Some(expected)), "{text}"),
            None => assert!(swizzle.is_err(), "{text}"),
        }
    }
}

/// A swizzle that reads no bit of any offset is left out.
#[test]
fn swizzles_read_bits_of_the_buffer() {
    for (bits, base, shift) in [(1, 0, 1), (2, 1, 3), (3, 3, 3), (1, 2, -1), (2, 0, -2)] {
        let swizzle = Swizzle::new(bits, base, shift);
        for length in 1..200 {
            let made = layout(&format!("K<{length}>, u8, swizzle({bits}, {base}, {shift})"));
            let changes = (0..length).any(|offset| swizzle.apply(offset) != offset);
            assert_eq!(made.swizzle(), Some(swizzle).filter(|_| changes), "{length}: {swizzle}");
        }
    }
}

/// Axes that begin at a lane add its position to every offset.
#[test]
fn compositions_begin_at_the_first_lane() {
    let line = layout("T<64>, u8, strides = [3]");
    for start in 0..4 {
        for count in [1, 2, 4, 6] {
            let text = format!("CW<C = {count}, W = 5>, u8, lanes(C, 4, start = {start})");
            let lanes = layout(&text);
            let made = algebra::compose(&line, &lanes).expect("even steps");
            let back = algebra::compose(&lanes, &layout("X<5>, u8")).expect("the first row");
            for (c, w) in (0..5 * count).map(|i| (i / 5, i % 5)) {
                assert_eq!(made.offset(&[c, w]), 3 * lanes.offset(&[c, w]), "{text}");
                assert_eq!(back.offset(&[w]), lanes.offset(&[0, w]), "{text}");
            }
        }
    }
}
