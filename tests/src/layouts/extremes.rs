//! Layouts of extents that no memory backs: what is asked of them is answered at once.

use tensor_layout::{Coordinates, ElementType, Format, Layout, algebra};

/// Coordinates follow one another at once, however much padding lies between them.
#[test]
fn padding_of_any_size_is_skipped() {
    const LONG: usize = 1 << (usize::BITS - 24);
    let format = Format::parse(&format!("NC{LONG}cH4c")).unwrap();
    let wide = Layout::builder(format, ElementType::U8).pad(0).extents(&[2, 3, 2]).unwrap();
    let found: Vec<[usize; 3]> = tensor_layout::Coordinates::new(wide).collect();
    let expected: Vec<[usize; 3]> =
        (0..2).flat_map(|n| (0..2).flat_map(move |h| (0..3).map(move |c| [n, c, h]))).collect();
    assert_eq!(found, expected);
}

/// So do those of a view that begins or ends inside a block, whatever lies between the digits of its axis.
#[test]
fn what_is_outside_of_a_view_is_skipped() {
    const LONG: usize = 1 << (usize::BITS - 24);
    let first = |layout: Layout, count: usize| -> Vec<[usize; 2]> {
        Coordinates::new(layout).take(count).collect()
    };
    // Coordinate 0 is the second of its block, and the steps of another axis lie between.
    let layout = Layout::builder("AB2a", ElementType::U8).broadcast('B');
    let layout = layout.extents(&[6, LONG]).unwrap().slice('A', 1, 1, 4).unwrap();
    assert_eq!(first(layout, 2), [[0, 0], [0, 1]]);
    let between = Layout::of("A4aB2a", &[16, LONG], ElementType::U1).unwrap();
    let between = between.slice('A', 3, 1, 9).unwrap();
    assert_eq!(first(between, 3), [[0, 0], [0, 1], [0, 2]]);
    // Coordinate 0 is the last of a long block.
    let format = Format::parse(&format!("AB{LONG}a")).unwrap();
    let long = Layout::of(format, &[3 * LONG, 2], ElementType::U8).unwrap();
    let late = long.slice('A', LONG - 2, 1, 5).unwrap();
    assert_eq!(first(late, 5), [[0, 0], [1, 0], [0, 1], [1, 1], [2, 0]]);
    // And from the end on.
    let early = long.slice('A', LONG - 2, 1, LONG + 4).unwrap().flip('A').unwrap();
    assert_eq!(first(early, 3), [[LONG + 3, 0], [LONG + 2, 0], [LONG + 3, 1]]);
}

/// Where too many digits may share an offset, a text is refused for what was not proved, and not for what is not so.
#[test]
fn what_was_not_proved_is_said_so() {
    let text = "ABCDEFGHIJ<A = 3, B = 4, C = 2, D = 4, E = 3, F = 3, G = 4, H = 2, I = 3, J = 4>, u8, \
         strides = [1657882, 1474820, 2559414, 2871161, 1233983, 3104507, 1022287, 3955591, 2074509, 1738703], \
         from 0 of 1000000000";
    let error = text.parse::<Layout>().unwrap_err().to_string();
    assert!(error.contains("could not prove in 40000 steps"), "{error}");
    // The digits of this one differ by multiples of each other, but not those of two coordinates.
    let layout: Layout =
        "KP100kMN8n2m8p5n<M = 12, K = 5, N = 14, P = 1>, i4, coordinates(M, K, N, P), pad"
            .parse()
            .unwrap();
    let view = layout.slice('N', 12, -2, 7).unwrap();
    assert!(view.is_unique());
    assert_eq!(view.to_string().parse(), Ok(view));
}

/// Distances in elements have a sign, so that no layout has more elements than signed numbers count.
#[test]
fn elements_of_less_than_a_byte_are_as_many_as_offsets() {
    let shared =
        Layout::builder("C", ElementType::U1).broadcast('C').extents(&[usize::MAX]).unwrap();
    let tile = Layout::from_strides("K", &[3], &[1], ElementType::U1).unwrap();
    let error = algebra::divide(&shared, &tile, 'Z').unwrap_err().to_string();
    assert!(error.starts_with("layout takes more than `isize::MAX` elements ("), "{error}");
    let pairs = Layout::from_strides("A", &[11], &[2], ElementType::I4).unwrap();
    let copies = Layout::from_strides("N", &[3], &[isize::MAX / 16], ElementType::F32).unwrap();
    assert!(algebra::product(&pairs, &copies).is_err());
    assert!(algebra::complement(&tile, usize::MAX, 'Z').is_err());
}
