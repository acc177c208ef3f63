//! Small values beside layouts, against what they are by hand or by counting.

use tensor_layout::spec::{AxisExtent, Factor, Length, Spec};
use tensor_layout::{ElementType, Layout, Swizzle, algebra};

fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn lists_of_axes_compare_as_slices() {
    let strides = layout("NC<2, 3>, u8").strides().expect("strides");
    assert!(strides == [3, 1] && [3, 1] == strides && strides != [3, 2] && [3, 2] != strides);
    let (same, other): (&[isize], &[isize]) = (&[3, 1], &[3]);
    assert!(*same == strides && *other != strides);
    assert_eq!(strides.into_iter().copied().collect::<Vec<isize>>(), [3, 1]);
}

#[test]
fn lists_of_axes_are_equal_if_their_values_are() {
    let all = ["NC<2, 3>, u8", "NC<4, 3>, u8", "NC<2, 5>, u8", "N<2>, u8"].map(layout);
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let strides = [a, b].map(|layout| layout.strides().expect("strides"));
        let same = strides[0].as_slice() == strides[1].as_slice();
        assert_eq!(strides[0] == strides[1], same, "{a} and {b}");
    }
}

/// All element types, and two of a user's own that differ in one number.
#[test]
fn element_types_are_the_same_if_they_are_equal() {
    let own = |bytes, align| ElementType::Plain { bytes, align };
    let mut all = vec![own(2, 1), own(2, 2), own(4, 2)];
    for name in ["i8", "u8", "i4", "u4", "u1", "bool", "f16", "bf16", "f32", "f64", "f8e4m3"] {
        let element = ElementType::from_name(name).expect("a name");
        all.extend([Some(element), element.high_first().ok()].into_iter().flatten());
    }
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        assert_eq!(a.same(*b), a == b, "{a:?} and {b:?}");
    }
}

/// Where no row exists, no swizzle of rows is wrong.
#[test]
fn empty_layouts_take_swizzles_of_any_rows() {
    let made = |extents| {
        Layout::parse(&format!(
            "MK<{extents}>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8)"
        ))
    };
    assert!(made("16, 64").is_ok() && made("16, 60").is_err());
    assert!(made("0, 60").is_ok() && made("16, 0").is_ok());
    assert_eq!(made("0, 60").expect("a layout").swizzle(), None);
}

#[test]
fn units_of_padding_hold_fills() {
    for (text, unit) in [
        ("NC2c<1, 3>, i4, pad = 3", 0x33),
        ("NC2c<1, 3>, u4, pad = 9", 0x99),
        ("NC2c<1, 3>, i4, pad = -1", 0xff),
        ("NC2c<1, 3>, u8, pad = 3", 3),
        ("NC2c<1, 3>, i8, pad = -2", 0xfe),
        ("NC2c<1, 3>, u16, pad = 770", 770),
        ("NC2c<1, 4>, u8", 0),
    ] {
        assert_eq!(layout(text).unit_of_fill(), unit, "{text}");
    }
}

/// Triton's swizzles as XOR of rows and groups.
#[test]
fn phases_are_swizzles() {
    for (vec, per_phase, max_phase, row) in
        [(8, 1, 8, 64), (4, 2, 4, 32), (1, 4, 2, 16), (2, 1, 1, 8)]
    {
        let swizzle = Swizzle::phases(vec, per_phase, max_phase, row).expect("powers of two");
        for (i, j) in (0..32).flat_map(|i| (0..row).map(move |j| (i, j))) {
            let group = j / vec ^ i / per_phase % max_phase;
            assert_eq!(swizzle.apply(i * row + j), i * row + group * vec + j % vec);
        }
        for wrong in [
            (vec + 2, 1, 8, 64),
            (8, 3, 8, 64),
            (8, 1, 6, 64),
            (8, 1, 8, 60),
            (8, 1, 16, 64),
            (0, 1, 1, 1),
        ] {
            let (vec, per_phase, max_phase, row) = wrong;
            let powers = [vec, per_phase, max_phase, row].iter().all(|one| one.is_power_of_two());
            let fits = vec * max_phase <= row;
            let found = Swizzle::phases(vec, per_phase, max_phase, row);
            assert_eq!(found.is_some(), powers && fits, "{wrong:?}");
        }
    }
    // A row is as long in blocks that lie one after the other.
    for rows in ["MK", "MK8k", "MK8k2k", "MK4k"] {
        let options = "swizzle(vec = 8, per_phase = 1, max_phase = 8)";
        let named = layout(&format!("{rows}<16, 64>, f16, {options}"));
        assert_eq!(named.swizzle(), Some(Swizzle::new(3, 3, 3)), "{rows}");
    }
}

/// A swizzle of bytes does to addresses what that of elements does to offsets.
#[test]
fn swizzles_of_bytes_and_elements_are_one() {
    for element in [ElementType::U8, ElementType::F16, ElementType::F32, ElementType::F64] {
        let bytes = element.bits() / 8;
        for swizzle in [
            Swizzle::B32,
            Swizzle::B64,
            Swizzle::B128,
            Swizzle::B128_ATOM_32,
            Swizzle::new(2, 4, -3),
        ] {
            let elements = swizzle.of_elements(element).expect("whole elements");
            assert_eq!(elements.of_bytes(element), Some(swizzle));
            for offset in 0..swizzle.period() / bytes {
                assert_eq!(elements.apply(offset) * bytes, swizzle.apply(offset * bytes));
            }
        }
    }
    assert!(Swizzle::new(1, 0, 1).of_elements(ElementType::F16).is_err());
    assert!(Swizzle::new(1, 1, 1).of_elements(ElementType::F16).is_ok());
    assert_eq!(Swizzle::new(1, 0, 1).of_bytes(ElementType::I4), None);
    assert!(Swizzle::checked_new(3, 0, 2).is_err() && Swizzle::checked_new(3, 0, -3).is_ok());
    assert!(Swizzle::checked_new(10, 43, 10).is_ok() || usize::BITS < 64);
    assert!(Swizzle::checked_new(10, 44, 10).is_err());
    for (bits, base, shift) in [
        (0, usize::MAX, 0),
        (1, usize::MAX, 1),
        (usize::MAX >> 1, 0, isize::MIN),
        (0, 0, isize::MIN),
    ] {
        assert!(Swizzle::checked_new(bits, base, shift).is_err(), "{bits} {base} {shift}");
    }
}

/// After a period the pattern is the same, and after less it is not.
#[test]
fn swizzles_repeat_after_their_period() {
    for (bits, base, shift) in
        [(1, 0, 1), (2, 1, 3), (3, 3, 3), (3, 0, 5), (2, 4, 2), (2, 1, -2), (1, 3, -4)]
    {
        let swizzle = Swizzle::new(bits, base, shift);
        let period = swizzle.period();
        let repeats = |period: usize| {
            (0..2 * period).all(|at| swizzle.apply(at + period) == swizzle.apply(at) + period)
        };
        assert!(repeats(period) && !repeats(period / 2), "{swizzle} in {period}");
    }
    // Nothing is read.
    assert_eq!(Swizzle::new(0, 2, 3).apply(77), 77);
}

/// The nearest of all numbers of a type, of two the one whose last bit is 0.
#[test]
fn floats_are_rounded_to_the_nearest() {
    let largest = [
        (ElementType::F16, 65504.0, 0x7bff),
        (ElementType::BF16, f64::from(f32::from_bits(0x7f7f << 16)), 0x7f7f),
    ];
    for (element, number, bits) in largest {
        assert_eq!(element.bits_of_float(number), Some(bits));
        assert_eq!(element.bits_of_float(-number), Some(bits | 0x8000));
        assert_eq!(element.bits_of_float(number * 1.01), None);
        assert_eq!(element.bits_of_float(f64::NAN), None);
    }
    for (number, bits) in
        [(1.0, 0x3c00), (2049.0, 0x6800), (2051.0, 0x6802), (2049.000001, 0x6801), (0.1, 0x2e66)]
    {
        assert_eq!(ElementType::F16.bits_of_float(number), Some(bits), "{number}");
    }
    for (number, bits) in
        [(1.0, 0x3f80), (257.0, 0x4380), (259.0, 0x4382), (257.000001, 0x4381), (0.1, 0x3dcd)]
    {
        assert_eq!(ElementType::BF16.bits_of_float(number), Some(bits), "{number}");
    }
    assert_eq!(ElementType::F32.bits_of_float(0.1), Some(0x3dcc_cccd));
    assert_eq!(ElementType::F64.bits_of_float(0.1), Some(0.1f64.to_bits()));
    assert_eq!(ElementType::F8E4M3.bits_of_float(0.0), Some(0));
    assert_eq!(ElementType::F8E5M2.bits_of_float(0.0), Some(0));
    assert_eq!(ElementType::F8E4M3.bits_of_float(1.0), Some(0x38));
    assert_eq!(ElementType::F8E4M3.bits_of_float(-460.0), Some(0xfe));
    assert_eq!(ElementType::F8E4M3.bits_of_float(500.0), None);
    assert_eq!(ElementType::F4E2M1.bits_of_float(6.5), None);
    assert_eq!([2.0, 3.0].map(|scale| ElementType::F8E8M0.bits_of_float(scale)), [Some(128), None]);
    assert_eq!(ElementType::I8.bits_of_float(0.0), None);
}

/// The first notation of a layout, not just any that is read as it.
#[test]
fn layouts_print_as_they_are_written() {
    for text in [
        "NCHW<1, 6, 2, 2>, f16, lanes(C, 4, start = 1)",
        "NCHW<1, 6, 2, 2>, f16, lanes(C, 4)",
        "NCHW4c<1, 6, 2, 2>, f16, pad = 1",
        "NCHW<1, 6, 2, 2>, f16, align(H = 64)",
        "NC<2, 3>, u8, strides = [8, 2]",
        "MK<128, 64>, f16, swizzle(3, 3, 3)",
    ] {
        assert_eq!(layout(text).to_string(), text);
    }
}

/// A layout has axes of upper-case letters, and an error says so of any other character.
#[test]
fn axes_are_letters() {
    for letter in (0..=300).filter_map(char::from_u32) {
        let axes = [AxisExtent { letter, extent: Length::Runtime(2) }];
        let factors = [Factor::Axis(letter)];
        let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: None };
        assert_eq!(Layout::new(&spec).is_ok(), letter.is_ascii_uppercase(), "{letter:?}");
        let axes = [AxisExtent { letter: 'A', extent: Length::Runtime(2) }];
        for factors in [
            [Factor::Axis('A'), Factor::Axis(letter)],
            [Factor::Axis('A'), Factor::Block(letter, 2)],
            [Factor::Axis('A'), Factor::Stride(letter, 1)],
            [Factor::Lanes(letter, 2, 0), Factor::Axis('A')],
        ] {
            let spec = Spec { factors: &factors, axes: &axes, ..spec };
            let is_right =
                letter == 'A' && matches!(factors, [Factor::Lanes(..), _] | [_, Factor::Block(..)]);
            assert_eq!(Layout::new(&spec).is_ok(), is_right, "{factors:?}");
        }
    }
}

/// The first axis without an extent is named.
#[test]
fn axes_without_an_extent_are_named() {
    let image = Layout::builder("NCHW", ElementType::U8);
    for (axes, missing) in
        [(&[('N', 1), ('H', 2)][..], 'C'), (&[], 'N'), (&[('w', 1), ('c', 1), ('N', 1)], 'H')]
    {
        let error = image.named_extents(axes).expect_err("an axis is missing").to_string();
        assert_eq!(error, format!("axis `{missing}` has no extent; add `('{missing}', ..)`"));
    }
}

/// Lanes are the slowest factor.
#[test]
fn lanes_come_first() {
    let axes = [('A', 4), ('B', 3)]
        .map(|(letter, extent)| AxisExtent { letter, extent: Length::Runtime(extent) });
    let made = |factors: [Factor; 3]| {
        let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: None };
        Layout::new(&spec).map_err(|error| error.to_string())
    };
    let (lanes, a, b) = (Factor::Lanes('A', 2, 0), Factor::Axis('A'), Factor::Axis('B'));
    assert!(made([lanes, a, b]).is_ok());
    for wrong in [[a, lanes, b], [a, b, lanes]] {
        let error = made(wrong).expect_err("lanes that are not first");
        assert!(error.contains("`A`") && error.contains("lane"), "{error}");
    }
}

#[test]
fn errors_of_fills_name_the_range() {
    for (text, range) in [
        ("NC2c<1, 3>, u8, pad = 256", "an integer from 0 to 255"),
        ("NC2c<1, 3>, i8, pad = 128", "an integer from -128 to 127"),
        ("NC2c<1, 4>, u4, pad = 16", "an integer from 0 to 15"),
        ("NC2c<1, 3>, u64, pad = -1", "an integer from 0 to 18446744073709551615"),
    ] {
        let error = Layout::parse(text).expect_err(text).to_string();
        assert!(error.contains(range), "{error}");
    }
}

/// The axes of the tiles come first, then those that count tiles, then the others.
#[test]
fn zipped_divisions_order_their_axes() {
    let whole = layout("NCHW<2, 12, 5, 6>, u8");
    let tile = layout("K<4>, u8");
    let rows = layout("R<3>, u8");
    let divided =
        algebra::zipped_divide(&whole, &[('C', &tile, 'T'), ('W', &rows, 'U')]).expect("tiles");
    let letters: String = (0..divided.rank()).map(|axis| divided.letters().at(axis)).collect();
    assert_eq!((letters.as_str(), divided.extents()), ("KRTUNH", &[4, 3, 3, 2, 2, 5][..]));
    for index in 0..720 {
        let [k, r, t, u, n, h] =
            [index / 180, index / 60 % 3, index / 20 % 3, index / 10 % 2, index / 5 % 2, index % 5];
        let expected = whole.offset(&[n, 4 * t + k, h, 3 * u + r]);
        assert_eq!(divided.offset(&[k, r, t, u, n, h]), expected);
    }
}

/// Every slice of rows that are swizzled.
#[test]
fn swizzled_rows_are_contiguous_if_their_offsets_are() {
    let mut found = 0;
    for (bits, base, shift) in [(1, 0, 1), (1, 2, 2), (2, 1, 2), (2, 0, -3), (1, 3, -2), (3, 0, 3)]
    {
        let rows = layout(&format!("K<64>, u8, swizzle({bits}, {base}, {shift})"));
        for start in 0..64 {
            for length in 1..=64 - start {
                let slice = rows.slice('K', start, 1, length).expect("a slice");
                let offsets: Vec<usize> = (0..length).map(|i| slice.offset(&[i])).collect();
                let is_contiguous = offsets.windows(2).all(|pair| pair[1] == pair[0] + 1);
                assert_eq!(slice.is_contiguous(), is_contiguous, "{slice} {offsets:?}");
                let end = offsets.iter().max().expect("an offset") + 1;
                assert_eq!(slice.span(), end, "{slice}");
                found += usize::from(is_contiguous && length > 1);
            }
        }
    }
    assert!(found > 100, "{found}");
}

/// A view that begins inside a block has no coordinate at which all digits are 0.
#[test]
fn spans_of_swizzled_parts_of_blocks_hold_all_offsets() {
    let rows = layout("5aAB<A = 10, B = 3>, u8, swizzle(1, 3, 1)");
    for (start, length) in (0..10).flat_map(|start| (1..=10 - start).map(move |end| (start, end))) {
        for at in 0..3 {
            let view = rows.index('B', at).and_then(|view| view.slice('A', start, 1, length));
            let view = view.expect("a slice");
            let end = (0..length).map(|i| view.offset(&[i])).max().expect("an offset") + 1;
            assert_eq!(view.span(), end, "{view}");
        }
    }
}

/// The span of few elements is exact, wherever they lie. Of many that lie far apart, it may be larger.
#[test]
fn swizzled_elements_that_lie_far_apart_are_below_the_span() {
    for (stride, base) in [((1 << 21) + 5, 17), ((1 << 19) + 1, 16), ((1 << 20) - 3, 18)] {
        for (shift, count) in [6, -6, 9].into_iter().flat_map(|shift| [(shift, 5), (shift, 2000)]) {
            let text = format!("K<{count}>, u8, strides = [{stride}], swizzle(6, {base}, {shift})");
            let rows = layout(&text);
            let end = (0..count).map(|i| rows.offset(&[i])).max().expect("an offset") + 1;
            assert!(end == rows.span() || count > 5, "{rows}");
            assert!(end <= rows.span() && rows.span() <= rows.len(), "{rows}");
        }
    }
    // Steps of 24, 23 and 1 lead to offsets by several ways.
    let rows = layout("EB<E = 3, B = 6>, u8, strides = [1, 24], swizzle(2, 2, -2)");
    let tiles = rows.merge("BE", 'A').and_then(|all| all.slice('A', 10, 1, 6));
    let tiles = tiles.and_then(|part| part.tile('A', &[('Y', 2), ('Z', 3)])).expect("tiles");
    let offsets = (0..2).flat_map(|y| (0..3).map(move |z| [y, z])).map(|at| tiles.offset(&at));
    assert_eq!(tiles.span(), offsets.max().expect("an offset") + 1, "{tiles}");
}

/// The last two of a list are joined by a word.
#[test]
fn errors_list_alternatives() {
    let storage = "NCHW<1, 2, 3, 4>, i8, bm1684x::other";
    let error = Layout::parse(storage).expect_err("no storage").to_string();
    let (others, last) = error.rsplit_once("` or `").expect(&error);
    assert!(others.contains("`, `") && !last.contains("`, `"), "{error}");
}
