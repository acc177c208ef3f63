//! Specs that no macro, text or builder writes: `Layout::new` is public, and unsafe code relies on what it returns. It
//! refuses them, or the offsets of all coordinates are as the layout says of itself.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tensor_layout::spec::{AxisExtent, Factor, Length, Spec, Swizzling};
use tensor_layout::{ElementType, Layout};

use crate::support::random::cases;

/// A spec with what it borrows.
#[derive(Clone, Debug)]
struct Written {
    element: ElementType,
    axes: Vec<AxisExtent>,
    factors: Vec<Factor>,
    fill: Option<u64>,
}

fn number() -> impl Strategy<Value = usize> {
    prop_oneof![20 => 0..9usize, 1 => select(vec![16, 48, 1 << 40, usize::MAX / 2, usize::MAX])]
}

fn letter() -> impl Strategy<Value = char> {
    prop_oneof![30 => select(vec!['A', 'B', 'C', 'D']), 1 => select(vec!['a', '1', 'é'])]
}

fn factor() -> impl Strategy<Value = Factor> {
    let shift = || (0..9isize, any::<bool>()).prop_map(|(way, back)| if back { -way } else { way });
    let stride = || prop_oneof![20 => -24..25isize, 1 => select(vec![isize::MIN, isize::MAX])];
    prop_oneof![
        3 => letter().prop_map(Factor::Axis),
        6 => (letter(), number()).prop_map(|(letter, size)| Factor::Block(letter, size)),
        3 => (letter(), number(), number())
            .prop_map(|(letter, size, weight)| Factor::Weighted(letter, size, weight)),
        2 => number().prop_map(Factor::Align),
        3 => (letter(), stride()).prop_map(|(letter, stride)| Factor::Stride(letter, stride)),
        4 => (letter(), 0..5usize, number(), stride())
            .prop_map(|(letter, size, weight, stride)| Factor::StridedBlock(letter, size, weight, stride)),
        1 => (letter(), 0..5usize).prop_map(|(letter, position)| Factor::Shift(letter, position)),
        1 => Just(Factor::Overlap),
        3 => (stride(), number(), 0..90usize)
            .prop_map(|(start, more, length)| Factor::Part(start, length.saturating_add(more))),
        3 => (number(), stride())
            .prop_map(|(length, lane)| Factor::Whole(length.saturating_mul(9), lane)),
        2 => letter().prop_map(Factor::Broadcast),
        2 => (letter(), number(), number())
            .prop_map(|(letter, count, start)| Factor::Lanes(letter, count, start)),
        2 => number().prop_map(Factor::LaneArray),
        1 => (0..3usize, 0..4usize, shift())
            .prop_map(|(bits, base, shift)| Factor::Swizzle(Swizzling::Elements(bits, base, shift))),
        1 => (0..3usize, 0..6usize, shift())
            .prop_map(|(bits, base, shift)| Factor::Swizzle(Swizzling::Bytes(bits, base, shift))),
        1 => (number(), number(), number())
            .prop_map(|(vec, each, most)| Factor::Swizzle(Swizzling::Phases(vec, each, most))),
    ]
}

/// A memory order or strides of some axes, with some factors added, replaced or left out.
fn written() -> impl Strategy<Value = Written> {
    let element = select(vec![
        ElementType::U8,
        ElementType::U8,
        ElementType::U1,
        ElementType::I4,
        ElementType::F32,
        ElementType::Plain { bytes: 3, align: 1 },
        ElementType::Plain { bytes: 0, align: 1 },
        ElementType::Plain { bytes: 12, align: 3 },
    ]);
    let length = (0..5usize, 0..8u8).prop_map(|(extent, kind)| match kind {
        0 => Length::Unknown,
        1..4 => Length::Fixed(extent),
        _ => Length::Runtime(extent),
    });
    let axes = vec((letter(), length), 0..4);
    let strides = vec(prop_oneof![5 => Just(None), 1 => (-24..25isize).prop_map(Some)], 4);
    let changes = vec((0..9usize, any::<bool>(), prop::option::weighted(0.8, factor())), 0..4);
    let fill = prop::option::weighted(0.3, select(vec![0, 1, 300, u64::MAX]));
    let parts = (element, axes, strides, any::<bool>(), changes, fill);
    parts.prop_map(|(element, mut axes, strides, reversed, changes, fill)| {
        let mut seen = BTreeSet::new();
        axes.retain(|axis| seen.insert(axis.0) || axis.0 == 'D');
        let mut factors: Vec<Factor> = axes
            .iter()
            .zip(strides)
            .map(|(axis, stride)| {
                stride.map_or(Factor::Axis(axis.0), |stride| Factor::Stride(axis.0, stride))
            })
            .collect();
        if reversed {
            factors.reverse();
        }
        for (at, replaces, factor) in changes {
            let at = at % (factors.len() + 1);
            if replaces && at < factors.len() {
                factors.remove(at);
            }
            factors.splice(at..at, factor);
        }
        let axes = axes.into_iter().map(|(letter, extent)| AxisExtent { letter, extent }).collect();
        Written { element, axes, factors, fill }
    })
}

/// The coordinates, or `None` if there are more than a test looks at.
fn coordinates(extents: &[usize]) -> Option<Vec<Vec<usize>>> {
    let count = extents.iter().fold(1, |count: usize, &extent| count.saturating_mul(extent));
    (count <= 4000).then(|| test_support::coordinates(extents).collect())
}

proptest! {
    #![proptest_config(cases(6000))]

    #[test]
    fn specs_are_refused_or_their_offsets_lie_in_the_buffer(written in written()) {
        let Written { element, axes, factors, fill } = &written;
        let spec = Spec { element: *element, axes, factors, fill: *fill };
        let violations = Layout::check(&spec);
        let Ok(layout) = Layout::new(&spec) else { return Ok(()) };
        prop_assert!(violations.is_empty(), "{} breaks a rule", layout);
        let bits = layout.len() as u128 * element.bits() as u128;
        prop_assert!(layout.bytes() as u128 * 8 >= bits, "{}", layout);
        prop_assert_eq!(layout.to_string().parse::<Layout>(), Ok(layout));
        let Some(coordinates) = coordinates(layout.extents()) else { return Ok(()) };
        let offsets: Vec<usize> = coordinates.iter().map(|c| layout.offset(c)).collect();
        prop_assert!(offsets.iter().all(|&offset| offset < layout.len()), "{} {:?}", layout, offsets);
        let distinct: BTreeSet<usize> = offsets.iter().copied().collect();
        // Of overlapping windows, a part may share nothing.
        if !factors.contains(&Factor::Overlap) || layout.is_unique() {
            prop_assert_eq!(layout.is_unique(), distinct.len() == offsets.len(), "{}", layout);
        }
        prop_assert!(layout.is_unique() || layout.shared_axis().is_some(), "{}", layout);
    }
}

/// An alignment of the whole buffer is a length that text says too.
#[test]
fn a_buffer_of_whole_bytes_is_read_back() {
    let axes = [AxisExtent { letter: 'A', extent: Length::Fixed(3) }];
    for (bytes, text) in [
        (1, "A<3>, u1, strides = [1], len = 8"),
        (2, "A<3>, u1, strides = [1], align = 2, len = 16"),
    ] {
        let factors = [Factor::Align(bytes), Factor::Axis('A')];
        let spec = Spec { element: ElementType::U1, axes: &axes, factors: &factors, fill: None };
        let layout = Layout::new(&spec).unwrap();
        assert_eq!(layout.to_string(), text);
        assert_eq!(text.parse::<Layout>(), Ok(layout));
    }
}
