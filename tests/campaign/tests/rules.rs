//! The rules: what each one refuses and the nearest that it takes, with the names and numbers that its
//! error must hold. Words around them may change.

use campaign::element::Element;
use campaign::library;
use campaign::notation::Notation;

/// A layout in the notation, extents in coordinate order.
fn made(text: &str, order: &str) -> Result<library::Layout, String> {
    let notation =
        Notation::parse(text, order).unwrap_or_else(|| panic!("{text} is not the notation"));
    library::layout(&notation)
}

#[track_caller]
fn takes(text: &str, order: &str) {
    if let Err(error) = made(text, order) {
        panic!("{text} is refused: {error}");
    }
}

#[track_caller]
fn refuses(text: &str, order: &str, facts: &[&str]) {
    let Err(error) = made(text, order) else { panic!("{text} is taken") };
    for fact in facts {
        assert!(error.contains(fact), "{text}: {error:?} does not name {fact:?}");
    }
}

#[test]
fn blocks_divide_extents() {
    takes("NCHW4c<2, 64, 3, 3>, f16", "NCHW");
    refuses("NCHW4c<2, 63, 3, 3>, f16", "NCHW", &["`C`", "63", "block 4", "60", "64", "pad`"]);
    refuses("NCHW4c<2, 3, 3, 3>, f16", "NCHW", &["`C`", "3", "4"]);
    takes("NCHW4c<2, 63, 3, 3>, f16, pad", "NCHW");
    takes("NCHW4c<2, 0, 3, 3>, f16", "NCHW");
    refuses("AB2a3a<A = 8, B = 1>, u8", "", &["`A`", "8", "6", "12"]);
    takes("AB2a3a<A = 12, B = 1>, u8", "");
}

#[test]
fn fills_are_elements() {
    takes("NC2c<1, 3>, u8, pad = 255", "NC");
    refuses("NC2c<1, 3>, [u8; 3], pad = 1", "NC", &["1"]);
    takes("NC2c<1, 3>, [u8; 3], pad = 0", "NC");
    let fill = Notation { pad: Some(16), ..Notation::parse("A<A = 2>, u4", "").expect("one") };
    assert!(library::layout(&fill).is_err());
    let fill = Notation { pad: Some(15), ..fill };
    assert!(library::layout(&fill).is_ok());
}

#[test]
fn alignments_are_whole_elements() {
    takes("NCHW<2, 3, 5, 5>, f32, align(H = 64)", "NCHW");
    refuses("NCHW<2, 3, 5, 5>, f32, align(H = 6)", "NCHW", &["6", "4"]);
    refuses("NCHW<2, 3, 5, 5>, f32, align(H = 0)", "NCHW", &["0"]);
    refuses("NCHW<2, 3, 5, 5>, f32, align(X = 4)", "NCHW", &["`X`"]);
    refuses("NCHW<2, 3, 5, 5>, f32, align(H = 4), align(H = 8)", "NCHW", &["`H`"]);
    takes("NCHW<2, 3, 5, 5>, f32, align(H = 4, C = 8)", "NCHW");
    takes("NC<2, 3>, [u8; 3], align(C = 9)", "NC");
    refuses("NC<2, 3>, [u8; 3], align(C = 8)", "NC", &["8", "3"]);
}

#[test]
fn alignments_choose_strides_and_addresses() {
    let facts = |text| library::facts(&made(text, "NCHW").expect("a layout"));
    let rows = facts("NCHW<2, 3, 5, 5>, f16, align(H = 64)");
    assert_eq!(rows.strides, Some(vec![480, 160, 32, 1]));
    assert_eq!((rows.alignment, rows.length, rows.bytes), (64, 960, 1920));
    let planes = facts("NCHW<2, 3, 5, 5>, f16, align(C = 64)");
    assert_eq!(planes.strides, Some(vec![96, 32, 5, 1]));
    // 48 = 3 * 16: an address can be a multiple of 16.
    let odd = facts("NCHW<2, 3, 5, 5>, f16, align(C = 48)");
    assert_eq!((odd.strides, odd.alignment), (Some(vec![144, 48, 5, 1]), 16));
    let last = facts("NCHW<2, 3, 5, 5>, f16, align(W = 8)");
    assert_eq!((last.strides, last.length), (Some(vec![300, 100, 20, 4]), 600));
    assert_eq!(facts("NCHW<1, 1, 1, 1>, f64").alignment, align_of::<f64>());
}

#[test]
fn strides_keep_coordinates_apart() {
    takes("AB<A = 2, B = 3>, u8, strides = [3, 1]", "");
    takes("AB<A = 2, B = 3>, u8, strides = [-3, -1]", "");
    takes("AB<A = 2, B = 3>, u8, strides = [1, 2]", "");
    refuses("AB<A = 2, B = 3>, u8, strides = [2, 1]", "", &["[1, 0]", "[0, 2]"]);
    refuses("AB<A = 4, B = 3>, u8, strides = [2, 3]", "", &[]);
    takes("AB<A = 3, B = 3>, u8, strides = [2, 3]", "");
    refuses("AB<A = 2, B = 3>, u8, strides = [0, 1]", "", &["`A`", "2"]);
    takes("AB<A = 1, B = 3>, u8, strides = [0, 1]", "");
    takes("AB<A = 2, B = 3>, u8, broadcast(A), strides = [0, 1]", "");
    refuses("AB<A = 2, B = 3>, u8, broadcast(A), strides = [5, 1]", "", &["`A`", "5"]);
    refuses("AB<A = 2, B = 3>, u8, strides = [3]", "", &["1"]);
    refuses("AB<A = 2, B = 3>, u8, pad, strides = [3, 1]", "", &["pad"]);
    refuses("AB<A = 2, B = 3>, u8, align(A = 4), strides = [3, 1]", "", &["align"]);
    refuses("AB2a<A = 2, B = 3>, u8, strides = [3, 1]", "", &["block"]);
}

#[test]
fn half_bytes_begin_rows_nowhere() {
    refuses("AB<A = 2, B = 3>, i4", "", &["`B`", "3"]);
    takes("AB<A = 2, B = 4>, i4", "");
    takes("AB<A = 1, B = 4>, i4", "");
    takes("AB<A = 2, B = 1>, i4", "");
    takes("AB<A = 2, B = 3>, i4, pad", "");
    refuses("AB<A = 2, B = 2>, i4, strides = [3, 1]", "", &["`A`", "3"]);
    takes("AB<A = 2, B = 2>, i4, strides = [4, 1]", "");
    takes("AB<A = 1, B = 2>, i4, strides = [3, 1]", "");
}

#[test]
fn broadcast_axes_have_no_blocks() {
    takes("AB<A = 2, B = 3>, u8, broadcast(A)", "");
    takes("AB<A = 2, B = 3>, u8, broadcast(A, B)", "");
    refuses("AB2a<A = 2, B = 3>, u8, broadcast(A)", "", &["`A`"]);
    refuses("AB<A = 2, B = 3>, u8, broadcast(A), broadcast(A)", "", &["`A`"]);
    refuses("AB<A = 2, B = 3>, u8, broadcast(C)", "", &["`C`"]);
}

#[test]
fn lanes_are_before_all_else() {
    let dense = Notation::parse("AB<A = 5, B = 3>, u8", "").expect("one");
    let lanes = |lanes, start| {
        library::layout(&Notation { lanes: Some(('A', lanes, start)), ..dense.clone() })
    };
    assert!(lanes(4, 0).is_ok() && lanes(4, 3).is_ok() && lanes(1, 0).is_ok());
    let error = lanes(4, 4).expect_err("a lane that is not there");
    assert!(error.contains("`A`") && error.contains('4'), "{error}");
    assert!(lanes(0, 0).is_err());
    let layout = lanes(4, 3).expect("lanes");
    // Rows 0 to 4 are in lanes 3 0 1 2 3, the first row of lanes 0 to 2 is nobody's.
    let places: Vec<_> = (0..5).map(|row| library::place(&layout, &[row, 1])).collect();
    let expected = [(3, 1), (0, 4), (1, 4), (2, 4), (3, 4)];
    assert_eq!(places, expected.map(Some));
}

#[test]
fn sizes_end_at_half_of_the_addresses() {
    let axes = |rows: usize| format!("AB<A = {rows}, B = 2>, u8");
    takes(&axes(usize::MAX >> 2), "");
    refuses(&axes((usize::MAX >> 2) + 1), "", &[]);
    refuses(&axes(usize::MAX), "", &[]);
    refuses(&format!("A<A = {}>, f32", usize::MAX >> 2), "", &["32 bits"]);
    takes(&format!("AB<A = {}, B = 0>, f32", usize::MAX), "");
    refuses(&format!("A<A = 3>, u8, strides = [{}]", isize::MAX), "", &[]);
    takes(&format!("A<A = 2>, u8, strides = [{}]", isize::MAX - 1), "");
}

#[test]
fn formats_are_letters_and_blocks() {
    let reads = |text: &str, expected: &str| {
        assert_eq!(library::read_format(text).as_deref(), Ok(expected), "{text}")
    };
    reads("nChw16c", "NCHW16c");
    reads("NCHW16", "NCHW16c");
    reads("nchw4", "NCHW4c");
    reads("NCHW44", "NCHW4c");
    reads("NHWCD4", "NHCW4c");
    reads("CHWN4", "CHWN4c");
    reads("OIHW4i16o4i", "OIHW4i16o4i");
    reads("OIHW4i/4 16o4i", "OIHW4i16o4i");
    reads("RC32r4r/32 4c", "RC32r4r/32 4c");
    reads("SCALAR", "SCALAR");
    reads("scalar", "SCALAR");
    reads("", "SCALAR");
    reads("ABCDEFGH", "ABCDEFGH");
    let largest = format!("A{}a", usize::MAX);
    reads(&largest, &largest);
}

#[test]
fn formats_that_are_none_are_refused() {
    let refuses = |text, facts: &[&str]| {
        let Err(error) = library::read_format(text) else { panic!("{text} is taken") };
        assert!(facts.iter().all(|fact| error.contains(fact)), "{text}: {error}");
    };
    refuses("NCHN", &["`N`"]);
    refuses("NCH 2 W", &["NCH 2 W", "2"]);
    refuses("RC32r4r/16", &["32r", "4r/16", "4r/32"]);
    refuses("RC32r4r/64", &["32r", "4r/64", "2r/32"]);
    refuses("NCHWé", &["é"]);
    refuses("NCHW5", &["5", "c"]);
    refuses("NCHW0c", &["0c"]);
    refuses("NHW4c", &["`C`", "4"]);
    refuses("ABCDEFGHIJKLM", &["12"]);
    refuses("A18446744073709551616a", &["A18446744073709551616a"]);
    refuses(&format!("AB{}", "2a".repeat(40)), &[]);
}

#[test]
fn unknown_orders_need_names() {
    // `Layout::builder(..).named_extents` takes any letters once.
    takes("BSHD<B = 1, S = 2, H = 3, D = 4>, f32", "");
    let named = |axes: &[(char, usize)]| {
        let dense = Notation::parse("BS<B = 1, S = 2>, f32", "").expect("one");
        library::layout(&Notation { axes: axes.to_vec(), ..dense })
    };
    assert!(named(&[('S', 2), ('B', 1)]).is_ok());
    let error = named(&[('B', 1)]).expect_err("one is left out");
    assert!(error.contains("(B, S)"), "{error}");
    assert!(named(&[('B', 1), ('B', 1), ('S', 2)]).expect_err("one is twice").contains("`B`"));
    assert!(named(&[('B', 1), ('S', 2), ('X', 2)]).expect_err("one is not there").contains("`X`"));
}

#[test]
fn numbers_as_elements() {
    let named = |name| Element::parse(name).expect("a name");
    for (name, value, bits) in [
        ("i4", -8, Some(8)),
        ("i4", 8, None),
        ("u4", 15, Some(15)),
        ("u4", -1, None),
        ("i8", -1, Some(0xff)),
        ("u64", u64::MAX as i128, Some(u64::MAX)),
        ("u64", 1 << 64, None),
        ("f16", 1, Some(0x3c00)),
        ("f16", 65536, None),
        ("bf16", -2, Some(0xc000)),
        ("f32", 3, Some(0x4040_0000)),
    ] {
        assert_eq!(library::bits_of(named(name), value), bits, "{value} as {name}");
    }
}
