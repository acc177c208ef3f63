//! The nearest that is taken and the nearest that is refused, with what the error says.

use campaign::table::for_each_coordinate;
use tensor_layout::spec::{AxisExtent, Factor, Length, Rule, Spec};
use tensor_layout::{ElementType, Layout, LayoutError, algebra};

fn refused(text: &str, facts: &[&str]) {
    let error = match Layout::parse(text) {
        Ok(layout) => panic!("{text} is {layout}"),
        Err(error) => error.to_string(),
    };
    for fact in facts {
        assert!(error.contains(fact), "{text}: {error}");
    }
}

fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn offsets_end_before_half_of_the_addresses() {
    let most = isize::MAX as usize;
    for (element, strides) in [("u8", [most - 7, 1]), ("u1", [most - 7, 1])] {
        let text = |rows| format!("AB<A = 2, B = {rows}>, {element}, strides = {strides:?}");
        assert_eq!(layout(&text(7)).len(), most);
        refused(&text(8), &[]);
    }
}

/// Offsets are at most `isize::MAX`, also of elements of a bit, of which a buffer has more.
#[test]
fn recasts_end_before_half_of_the_addresses() {
    let most = isize::MAX as usize / 8;
    for (count, fits) in [(1 << 20, true), (most - 8, true), (most + 1, false), (most + 9, false)] {
        let bytes = Layout::of("K", &[count], ElementType::U8).expect("below isize::MAX");
        let bits = bytes.recast(ElementType::U1, 'K');
        assert_eq!(bits.is_ok(), fits, "{count}");
        assert!(bits.is_err() || bits.is_ok_and(|bits| bits.len() == 8 * count), "{count}");
    }
}

#[test]
fn swizzles_have_four_names() {
    for name in ["b32", "b64", "b128", "b128_atom32"] {
        assert!(layout(&format!("MK<8, 128>, u8, swizzle = {name}")).swizzle().is_some());
    }
    for name in ["b16", "b256", "b", "b128_atom", "b128_atom323"] {
        refused(&format!("MK<8, 128>, u8, swizzle = {name}"), &[name, "b128"]);
    }
}

/// Blocks that lanes count must not hold more coordinates than the axis has.
#[test]
fn blocks_over_lanes_are_not_wider_than_the_axis() {
    let text = |rows| format!("8m4k KM2k<M = {rows}, K = 8>, f16, lanes(32)");
    assert_eq!(layout(&text(8)).numel(), 64);
    assert_eq!(layout(&text(16)).numel(), 128);
    refused(&text(4), &["`M`", "4", "8"]);
    refused(&text(7), &["`M`", "7", "8"]);
}

/// Blocks that are too wide for lanes break one rule for each axis, however many they are.
#[test]
fn wide_blocks_over_lanes_are_one_error() {
    let axes = [('K', 5), ('M', 8)]
        .map(|(letter, extent)| AxisExtent { letter, extent: Length::Runtime(extent) });
    let (lanes, k, m) = (Factor::Lanes('K', 2, 0), Factor::Axis('K'), Factor::Axis('M'));
    let block = Factor::Block;
    for (blocks, widths) in [
        ([block('M', 2), block('K', 4), block('K', 2)], 1),
        ([block('K', 4), block('M', 2), block('K', 2)], 1),
        ([block('K', 2), block('K', 4), block('M', 2)], 1),
        ([block('M', 2), block('M', 4), block('K', 8)], 1),
        ([block('M', 2), block('M', 4), block('K', 4)], 0),
        ([block('M', 4), block('M', 4), block('K', 4)], 0),
    ] {
        let factors = [&[lanes, k, m][..], &blocks].concat();
        let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: Some(0) };
        let is_width = |error: &LayoutError| matches!(error, LayoutError(Rule::Width { .. }));
        let found = spec.check().iter().filter(|broken| is_width(&broken.error)).count();
        assert_eq!(found, widths, "{factors:?}");
    }
}

/// The weights of an axis are products of its smaller blocks, also where no format was read.
#[test]
fn weights_of_specs_neither_overlap_nor_leave_gaps() {
    let axes = [AxisExtent { letter: 'A', extent: Length::Runtime(16) }];
    let (whole, block) = (Factor::Axis('A'), |size, weight| Factor::Weighted('A', size, weight));
    for (factors, is_right) in [
        ([whole, block(2, 1), block(4, 2)], true),
        ([whole, block(4, 2), block(2, 1)], true),
        ([whole, block(2, 4), block(2, 1)], false),
        ([whole, block(2, 2), block(4, 1)], false),
        ([whole, block(2, 2), Factor::Block('A', 2)], true),
        ([whole, Factor::Block('A', 2), block(2, 4)], false),
    ] {
        let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: None };
        let made = Layout::new(&spec);
        assert_eq!(made.is_ok(), is_right, "{factors:?}: {made:?}");
    }
}

/// An array of lanes has equal shares of the storage.
#[test]
fn arrays_of_lanes_share_the_storage() {
    for (element, lanes, len) in [("u8", 4, 256), ("i4", 8, 128), ("i4", 512, 2), ("u1", 1, 1024)] {
        let own =
            layout(&format!("MK<16, 64>, {element}")).over_lanes(lanes).expect("equal shares");
        let own = own.lanes().expect("lanes");
        assert_eq!((own.count(), own.len()), (lanes, len), "{element}");
    }
    for (element, lanes) in [("u8", 3), ("i4", 1024), ("u1", 256), ("u8", 0)] {
        assert!(layout(&format!("MK<16, 64>, {element}")).over_lanes(lanes).is_err(), "{lanes}");
    }
}

/// Chunks of an axis whose rows lie apart are separate everywhere if the first two are.
#[test]
fn chunks_of_padded_rows_need_one_check() {
    let rows = layout("AB<A = 40, B = 300>, u8, strides = [512, 1]");
    let all = rows.merge("AB", 'W').expect("whole axes");
    assert_eq!(all.different_cuts(0, 1), Some(1));
    assert_eq!(rows.different_cuts(0, 1), Some(1));
    // Columns lie between each other.
    assert!(rows.different_cuts(1, 1).is_some_and(|cuts| cuts >= 1));
    let falling = layout("AB<A = 40, B = 300>, u8, strides = [-512, -1]");
    let falling = falling.merge("AB", 'W').expect("whole axes");
    assert_eq!(falling.different_cuts(0, 1), Some(1));
}

/// A repeated axis may have more coordinates than an `isize` counts.
#[test]
fn chunks_of_a_repeated_axis_of_any_length_share_memory() {
    for extent in [usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX / 2 + 2, usize::MAX] {
        let all = layout("B<B = 1>, u8").broadcast('B', extent).expect("an axis of one coordinate");
        assert_eq!(all.different_cuts(0, 3), Some(1), "{extent}");
        let rows = layout("AB<A = 2, B = 1>, u8").broadcast('B', extent).expect("the same");
        assert_eq!(rows.different_cuts(1, 3), Some(1), "{extent}");
    }
}

/// Sixteen digits are a layout, and one more is none.
#[test]
fn layouts_have_at_most_as_many_digits() {
    let blocks = |count: usize| format!("AB{}<A = 2, B = 65536>, u8", "2b".repeat(count));
    let mut most = 0;
    while Layout::parse(&blocks(most + 1)).is_ok() {
        most += 1;
    }
    assert!((10..40).contains(&most), "{most}");
    // The blocks lie side by side, so views have few digits; every other block of another axis keeps them apart.
    let pairs = |count: usize| format!("AB{}<A = 256, B = 256>, u8", "2b2a".repeat(count));
    let full = layout(&pairs(7));
    let digits = full.digits().iter().filter(|digit| digit.size > 1).count();
    assert_eq!(digits, 16);
    for at in 0..100 {
        let (a, b) = (at * 37 % 256, at * 91 % 256);
        let fine = full.recast(ElementType::I4, 'A').expect("the parts join the fastest block");
        assert_eq!(fine.offset(&[2 * a + 1, b]), 2 * full.offset(&[a, b]) + 1);
    }
    assert!(full.recast(ElementType::I4, 'B').is_err(), "a digit more");
}

/// No element of an empty view is anywhere, so a swizzle does not change what it matches.
#[test]
fn empty_views_of_swizzles_match_the_coordinate_order() {
    let rows = layout("MK<16, 64>, f16, swizzle(3, 3, 3)");
    for (axis, start) in [('M', 0), ('M', 16), ('K', 0), ('K', 7)] {
        let nothing = rows.slice(axis, start, 1, 0).expect("an empty slice");
        assert!(nothing.matches("MK") && nothing.is_contiguous(), "{nothing}");
        assert!((0..nothing.len()).all(|offset| nothing.coordinate(offset).is_none()), "{nothing}");
        assert!(nothing.formats().any(|format| format.to_string() == "MK"), "{nothing}");
    }
    assert!(!rows.matches("MK") && !rows.matches("KM"));
}

/// Blocks go on from one step of an axis to the next, but not from one step of a second axis around it.
#[test]
fn blocks_go_on_over_one_axis_alone() {
    let rows = layout("APQ<A = 2, P = 11, Q = 3>, u8, strides = [200, 12, 1]");
    let views = rows.merge("PQ", 'W').and_then(|view| view.slice('W', 1, 1, 30));
    let views = views.and_then(|view| view.tile('W', &[('O', 5), ('I', 6)])).expect("tiles");
    let inside = |o: usize, i: usize| (1 + 6 * o + i) / 3 * 12 + (1 + 6 * o + i) % 3;
    let one = views.merge("OI", 'Y').expect("the blocks go on");
    for (a, o, i) in (0..60).map(|n| (n / 30, n / 6 % 5, n % 6)) {
        assert_eq!(one.offset(&[a, 6 * o + i]), a * 200 + inside(o, i), "{one}");
    }
    if let Ok(both) = views.merge("AO", 'X').and_then(|view| view.merge("XI", 'Y')) {
        for (a, o, i) in (0..60).map(|n| (n / 30, n / 6 % 5, n % 6)) {
            assert_eq!(both.offset(&[30 * a + 6 * o + i]), a * 200 + inside(o, i), "{both}");
        }
    }
}

/// Windows overlap if several of them share elements.
#[test]
fn windows_that_share_nothing_do_not_overlap() {
    let row = layout("NW<2, 12>, u8");
    let repeated = layout("NW<2, 12>, u8, broadcast(W)");
    let column = row.slice('W', 0, 1, 3).expect("a slice");
    for (layout, size, step, overlaps) in [
        (row, 3, 3, false),
        (row, 3, 4, false),
        (row, 12, 1, false),
        (column, 3, 1, false),
        (repeated, 3, 1, false),
        (row, 3, 2, true),
        (row, 11, 1, true),
    ] {
        let windows = layout.windows('W', size, step, 'K').expect("windows");
        assert_eq!(windows.to_string().contains("overlap"), overlaps, "{windows}");
        let count = (layout.extents()[1] - size) / step + 1;
        let mut offsets: Vec<usize> = (0..2 * count * size)
            .map(|n| [n / size / count, n / size % count, n % size])
            .map(|[n, w, k]| {
                let offset = layout.offset(&[n, w * step + k]);
                assert_eq!(windows.offset(&[n, w, k]), offset, "{windows}");
                offset
            })
            .collect();
        let all = offsets.len();
        offsets.sort_unstable();
        offsets.dedup();
        assert_eq!(windows.is_unique(), offsets.len() == all, "{windows}");
    }
}

/// Steps of 40 do not change what is below 40, so the 21 steps below carry nowhere: both axes are checked apart, one
/// period each. All pairs of them would be too many. Backwards, the steps below begin in another block.
#[test]
fn compositions_check_axes_apart() {
    let outer =
        layout("ZPRQB<Z = 1, P = 9, R = 340, Q = 2, B = 20>, u8, strides = [1, 20407, 60, 30, 1]");
    for step in [1, -1] {
        let inner = layout(&format!("ST<S = 3060, T = 21>, u8, strides = [40, {step}]"));
        let made = algebra::compose(&outer, &inner).expect("a composition");
        for (s, t) in (0..3060).step_by(17).flat_map(|s| [0, 1, 19, 20].map(|t| (s, t))) {
            let index = 40 * s + if step > 0 { t } else { 20 - t };
            let [p, r, q, b] = [index / 13600, index / 40 % 340, index / 20 % 2, index % 20];
            assert_eq!(made.offset(&[s, t]), p * 20407 + r * 60 + q * 30 + b, "{s} {t}");
        }
    }
}

/// Steps that carry into each other are compared one by one: 170 by 41 of them are too many.
#[test]
fn compositions_compare_few_coordinates() {
    let outer =
        layout("ZPRQB<Z = 1, P = 9, R = 340, Q = 2, B = 20>, u8, strides = [1, 20407, 60, 30, 1]");
    let inner = |extent| layout(&format!("ST<S = 1520, T = {extent}>, u8, strides = [80, -1]"));
    let error = algebra::compose(&outer, &inner(41)).expect_err("too many").to_string();
    assert!(error.contains("axis `S`"), "{error}");
    assert!(algebra::compose(&outer, &inner(21)).is_ok());
}

/// Rows of 6 go on from one to the next, and after 4 of them there is a gap: that is the block in the way.
#[test]
fn errors_of_compositions_name_the_block_before_a_gap() {
    let outer = layout("PAB<P = 9, A = 4, B = 6>, u8, strides = [100, 6, 1]");
    let steps = layout("T<30>, u8, strides = [7]");
    let error = algebra::compose(&outer, &steps).expect_err("4, 3, 4, 3 and 3 steps in the blocks");
    assert!(error.to_string().contains("blocks of 24;"), "{error}");
}

/// The last block of steps may have fewer than the others. 200 steps make a block beside 50 of the other axis: too many
/// to look at each.
#[test]
fn compositions_end_inside_a_block() {
    let outer = layout("PB<P = 1000, B = 10000>, u8, strides = [10007, 1]");
    let inner = layout("ST<S = 1003, T = 50>, u8, strides = [50, 1]");
    let made = algebra::compose(&outer, &inner).expect("a composition");
    for (s, t) in (0..1003).step_by(17).flat_map(|s| [0, 1, 49].map(|t| (s, t))) {
        let index = 50 * s + t;
        assert_eq!(made.offset(&[s, t]), index / 10000 * 10007 + index % 10000, "{s} {t}");
    }
}

/// A part of a buffer that ends before the first bit that a swizzle reads is as without it.
#[test]
fn parts_that_a_swizzle_leaves_alone_have_none() {
    let rows = layout("MK<16, 64>, f16, swizzle(3, 3, 3)");
    for (count, swizzled) in [(1, false), (2, true), (16, true)] {
        let part = rows.slice('M', 0, 1, count).expect("a slice").part(0, 64 * count);
        let part = part.expect("a part with all rows");
        assert_eq!(part.swizzle().is_some(), swizzled, "{part}");
    }
}

/// A part is aligned as far as its start is.
#[test]
fn parts_are_aligned_as_their_start() {
    for element in [ElementType::U8, ElementType::F16, ElementType::I4] {
        let rows = Layout::builder("MK", element).align('M', 64).extents(&[4, 128]).expect("rows");
        let per_byte = if element == ElementType::I4 { 2 } else { 1 };
        for start in (0..128).step_by(per_byte) {
            let rest = rows.slice('M', 1, 1, 3).expect("the last rows");
            let rest = rest.part(start, rows.len() - start).expect("a part with these rows");
            let bytes = start * element.bits() / 8;
            let aligned = (0..7).map(|power| 1 << power).filter(|align| bytes % align == 0).max();
            assert_eq!(Some(rest.align()), aligned, "from {start}");
        }
    }
}

/// Errors end long names at a whole character, and print bits in hexadecimal.
#[test]
fn errors_hold_names_and_bits() {
    for count in 0..9 {
        let name = "a".repeat(count) + &"\u{e9}\u{20ac}".repeat(100);
        refused(&name, &[&name[..count], "\u{e9}"]);
    }
    for fill in [1, 0xab, 0xabc, 0xfedc] {
        let padded = layout(&format!("MK4k<8, 6>, u16, pad = {fill}"));
        let error = padded.recast(ElementType::U8, 'K').expect_err("a fill of another type");
        assert!(error.to_string().contains(&format!("0x{fill:x}")), "{error}");
    }
}

/// Lists of axes that are equal have equal hashes, and others mostly have not.
#[test]
fn lists_of_axes_hash_their_values() {
    use std::collections::HashSet;
    let texts = ["NC<2, 3>, u8", "NC<2, 5>, u8", "NC<2, 7>, u8", "CN<N = 2, C = 3>, u8"];
    let strides = texts.map(|text| layout(text).strides().expect("strides"));
    let hash = |value: &_| {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        Hash::hash(value, &mut hasher);
        hasher.finish()
    };
    let hashes: HashSet<u64> = strides.iter().map(hash).collect();
    assert_eq!(hashes.len(), 4, "{strides:?}");
    assert_eq!(hash(&strides[0]), hash(&layout(texts[0]).strides().expect("strides")));
}

/// A layout of lanes without elements has digits of any size.
#[test]
fn recasts_of_empty_layouts_over_many_lanes_are_refused() {
    let most = isize::MAX as usize;
    for (lanes, fits) in [(most / 8, true), (most, false)] {
        let empty = Layout::builder("A", ElementType::U8).lanes('A', lanes, 1).extents(&[0]);
        let bits = empty.expect("any number of lanes").recast(ElementType::U1, 'A');
        assert_eq!(bits.is_ok(), fits, "{lanes}");
    }
}

/// The end of a range is found by a search that gives up; the storage ends it then.
#[test]
fn ranges_end_with_the_storage() {
    let tile = layout("AC<A = 1, C = 3>, u8, swizzle(6, 1, -9)");
    let tile = tile.broadcast('A', 1 << 31).and_then(|tile| tile.recast(ElementType::U1, 'A'));
    let tile = tile.expect("bits of bytes");
    assert_eq!(tile.range(), 0..tile.len());
    assert!(tile.within(0, tile.len()).is_ok());
}

/// An axis over lanes may begin after many positions, which a merge multiplies with the faster axis.
#[test]
#[cfg(target_pointer_width = "64")]
fn merges_of_axes_that_begin_far_from_the_first_lane_are_refused() {
    for (lanes, fits) in [(1 << 32, true), (1 << 33, false), (1 << 40, false)] {
        let rows = Layout::builder("BA", ElementType::U8).lanes('A', lanes, lanes - 1);
        let rows = rows.extents(&[3, 1]).expect("fewer than isize::MAX elements");
        let all = rows.broadcast('B', 1 << 30).expect("one coordinate");
        let merged = all.merge("AB", 'M');
        assert_eq!(merged.is_ok(), fits, "{lanes}");
        for (axis, at) in [(0, 0), (1, 5), (2, (1 << 30) - 1)] {
            let own = merged.map(|merged| merged.offset(&[axis << 30 | at]));
            assert!(own.is_err() || own == Ok(all.offset(&[axis, at])), "{lanes}");
        }
        let inner = layout("X<X = 2>, u8, strides = [2147483648]");
        let inner = algebra::compose(&all, &inner).map(|view| view.offset(&[1]));
        assert!(inner.is_err() || inner == Ok(all.offset(&[2, 0])), "{lanes}");
    }
}

/// Coordinates over lanes are counted from the first lane on.
#[test]
fn positions_over_lanes_end_with_the_largest_number() {
    let empty = |start| {
        let rows = Layout::builder("AB", ElementType::U8).lanes('A', 16, start);
        rows.extents(&[usize::MAX - 3, 0])
    };
    assert!(empty(3).is_ok());
    assert!(empty(4).is_err());
}

#[test]
fn lanes_have_whole_bytes_of_elements_of_less_than_a_byte() {
    let rows = |row| Layout::builder("AB", ElementType::U4).lanes('A', 2, 0).extents(&[2, row]);
    assert_eq!(rows(2).map(|rows| rows.len()), Ok(4));
    assert!(rows(1).is_err());
}

#[test]
fn strides_of_empty_layouts_end_at_half_of_the_addresses() {
    let rows = Layout::builder("AB", ElementType::U8).align('A', 1 << (usize::BITS - 1));
    let strides = rows.extents(&[0, 2]).expect("no elements").strides();
    assert_eq!(strides.as_deref(), Some(&[isize::MAX, 1][..]));
}

/// Each axis has one rest, and each factor has an axis.
#[test]
fn factors_name_each_axis_once() {
    let rest = |letter| Factor::Axis(letter);
    let block = |letter| Factor::Block(letter, 2);
    for (axes, factors, is_right) in [
        ("AC", vec![rest('A'), rest('C'), block('C')], true),
        ("AC", vec![rest('A'), rest('B')], false),
        ("AC", vec![rest('A'), rest('A')], false),
        ("AA", vec![rest('A'), rest('A')], false),
        ("AA", vec![rest('A')], false),
        ("A", vec![rest('A'), block('B')], false),
        ("A", vec![block('A')], false),
        ("A", vec![rest('A'), Factor::Block('A', 0)], false),
        ("ABCDEFGHIJKL", ('A'..='L').map(rest).collect(), true),
        ("ABCDEFGHIJKLM", ('A'..='M').map(rest).collect(), false),
        ("ABCDEFGHIJKLMN", ('A'..='N').map(rest).collect(), false),
    ] {
        let axes: Vec<AxisExtent> =
            axes.chars().map(|letter| AxisExtent { letter, extent: Length::Runtime(2) }).collect();
        let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: None };
        assert_eq!(Layout::new(&spec).is_ok(), is_right, "{factors:?}");
        assert_eq!(spec.check().iter().next().is_none(), is_right, "{factors:?}");
    }
}

/// Blocks of which neither is a multiple of the other have a diagonal only where offsets show one.
#[test]
fn diagonals_of_unlike_blocks_are_sums_or_refused() {
    let mut found = 0;
    for (sizes, extent) in [([6, 4], 24), ([4, 6], 24), ([6, 4], 12), ([3, 2], 6), ([9, 6], 36)] {
        let [a, b] = sizes;
        let both = layout(&format!("AB{a}a{b}b<A = {extent}, B = {extent}>, u8"));
        let Ok(diagonal) = both.diagonal('A', 'B', 'D') else { continue };
        found += 1;
        for at in 0..extent {
            assert_eq!(diagonal.offset(&[at]), both.offset(&[at, at]), "{sizes:?} at {at}");
        }
    }
    assert!(found > 0);
}

/// Groups of elements need strides of whole groups, unless no coordinate uses them.
#[test]
fn recasts_of_groups_need_strides_of_whole_groups() {
    let rows = layout("A4a<A = 8>, u8, align(A = 6)");
    assert!(rows.recast(ElementType::U32, 'A').is_err());
    let empty = layout("A<A = 0>, u8, strides = [3]");
    assert!(empty.recast(ElementType::U32, 'A').is_ok());
}

/// Where strides interleave, no step decides alone what the highest offset is.
#[test]
fn ranges_of_interleaved_strides_hold_all_offsets() {
    let check = |text: &str, extents: &[usize]| {
        let tile = layout(text);
        let mut highest = 0;
        for_each_coordinate(extents, |at| highest = highest.max(tile.offset(at)));
        assert!(highest < tile.range().end, "{tile}: {highest:?}");
    };
    for rows in 540..600 {
        for swizzle in [(1, 0, 5), (2, 0, 3), (1, 1, 4), (1, 0, -8), (2, 1, 7)] {
            let strides = "strides = [3, 2]";
            check(&format!("AB<A = 2, B = {rows}>, u8, {strides}, swizzle{swizzle:?}"), &[2, rows]);
        }
    }
}

/// The first block of an axis of an empty layout may have more coordinates than an `isize` counts.
#[test]
fn blocks_of_half_of_the_numbers_are_in_normal_form() {
    let half = 1usize << (usize::BITS - 1);
    let text = format!("EI{}i2i<E = 0, I = {}>, f32, pad = 0", half / 2, half + 1);
    let empty = layout(&text);
    for axis in 0..2 {
        let _ = (empty.block(axis), empty.same_map(&empty), empty.merge("EI", 'M'));
        let _ = (empty.recast(ElementType::U8, 'I'), empty.split('I', 1));
    }
}
