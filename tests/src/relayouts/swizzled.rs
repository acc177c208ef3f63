//! Relayouts between swizzled layouts: by groups, in blocks through scratch buffers, and element by element.

use std::cell::Cell;

use bytemuck::Pod;
use tensor_layout::{ElementType, Layout, Plan, Relayout, Swizzle, Tensor, layout};

/// Elements of one, two and four bytes that tell their number in part.
trait Numbered: Pod + PartialEq + core::fmt::Debug {
    fn of(number: usize) -> Self;
}

macro_rules! numbered {
    ($($unit:ty)*) => {$(
        impl Numbered for $unit {
            fn of(number: usize) -> Self {
                (number ^ number >> 7) as Self
            }
        }
    )*};
}

numbered!(u8 u16 u32);

/// Moves numbered elements and looks at each coordinate, and at everything else, which must stay as it was.
fn check<U: Numbered>(source: &Layout, destination: &Layout) {
    let plan = Plan::new(source, destination).expect("the same axes");
    let from: Vec<U> = (0..source.units()).map(U::of).collect();
    let mut to = vec![U::of(0x55); destination.units()];
    plan.run(&from, &mut to).expect("lengths");
    // The fill is 0.
    let rest = if destination.has_padding() { U::of(0) } else { U::of(0x55) };
    let mut expected = vec![rest; destination.units()];
    for number in 0..destination.numel() {
        let mut coordinate = destination.extents().to_vec();
        let mut rest = number;
        for index in coordinate.iter_mut().rev() {
            (*index, rest) = (rest % *index, rest / *index);
        }
        let at = |layout: &Layout| {
            let axis = |i| destination.letters().position(layout.letters().at(i));
            let own: Vec<usize> =
                (0..layout.rank()).map(|i| coordinate[axis(i).expect("the same axes")]).collect();
            layout.offset(&own)
        };
        expected[at(destination)] = from[at(source)];
    }
    assert!(to == expected, "{plan}");
}

fn check_all(source: &Layout, destination: &Layout) {
    match source.element().bits() {
        8 => check::<u8>(source, destination),
        16 => check::<u16>(source, destination),
        _ => check::<u32>(source, destination),
    }
}

fn of(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Extents that no block divides, so that the last block overlaps the one before it, at sizes of one to many blocks.
#[test]
fn odd_extents() {
    let swizzles = ["", ", swizzle(3, 3, 3)", ", swizzle(2, 4, -3)", ", swizzle(5, 0, 5)"];
    for (m, k) in [(1, 9), (9, 1), (7, 24), (77, 92), (130, 65), (261, 56), (33, 520)] {
        for element in ["u8", "f16", "f32"] {
            for (i, (from, to)) in
                [("MK", "MK"), ("MK", "KM"), ("KM", "MK")].into_iter().enumerate()
            {
                for own in 0..4 {
                    let other = (own + i + m) % 4;
                    let text = |format, swizzle: &str| {
                        of(&format!("{format}<M = {m}, K = {k}>, {element}{swizzle}"))
                    };
                    check_all(&text(from, swizzles[own]), &text(to, swizzles[other]));
                    check_all(&text(from, swizzles[own]), &text(to, ""));
                }
            }
        }
    }
}

/// Parts of tiles that begin inside of a group, skip elements, run backwards or repeat.
#[test]
fn views_of_tiles() {
    let tile = of("MK<128, 64>, f16, swizzle = b128");
    let views = [
        tile.flip('M'),
        tile.flip('K'),
        tile.slice('M', 3, 2, 60),
        tile.slice('K', 5, 1, 50),
        tile.slice('K', 1, 3, 20),
        tile.slice('M', 8, 1, 64).and_then(|view| view.slice('K', 8, 1, 48)),
        tile.slice('K', 16, 1, 32).and_then(|view| view.flip('K')),
        tile.slice('K', 3, 1, 1).and_then(|view| view.broadcast('K', 37)),
    ];
    for view in views {
        let view = view.expect("a view");
        let (m, k) = (view.extents()[0], view.extents()[1]);
        for other in ["MK", "KM"] {
            for swizzle in ["", ", swizzle(3, 3, 3)"] {
                let plain = of(&format!("{other}<M = {m}, K = {k}>, f16{swizzle}"));
                check::<u16>(&view, &plain);
                if view.is_unique() {
                    check::<u16>(&plain, &view);
                }
            }
        }
    }
}

/// Of more axes and blocks than two, and between layouts whose loops are many.
#[test]
fn channels_of_images() {
    for (from, to) in [
        ("NHWC<N = 2, C = 72, H = 5, W = 9>, f16", "NC8cHW<2, 72, 5, 9>, f16, swizzle(2, 3, 3)"),
        ("NCHW<1, 64, 12, 17>, f16", "NHWC<N = 1, C = 64, H = 12, W = 17>, f16, swizzle = b128"),
        (
            "NC8cHW<2, 64, 6, 8>, f16, swizzle(2, 3, 3)",
            "NHWC<N = 2, C = 64, H = 6, W = 8>, f16, swizzle = b64",
        ),
        (
            "AB2a4b2a/2 2b/4 2a/4 2b/8<A = 32, B = 64>, f16, swizzle(3, 3, 3)",
            "BA8b4a2b/8<A = 32, B = 64>, f16, swizzle(2, 4, 4)",
        ),
    ] {
        check::<u16>(&of(from), &of(to));
        check::<u16>(&of(to), &of(from));
    }
}

#[test]
fn plans_print_their_blocks() {
    let told = |from: &str, to: &str| {
        let plan = Plan::new(&of(from), &of(to)).expect("the same axes").to_string();
        plan.split_once('\n').expect("lines").1.split('\n').next().unwrap_or("").trim().to_string()
    };
    let (rows, columns) = ("MK<128, 64>, f16, swizzle = b128", "KM<M = 128, K = 64>, f16");
    assert_eq!(
        told(rows, "MK<128, 64>, f16"),
        "copy 16 bytes at a time, which swizzles keep contiguous"
    );
    assert!(
        told(rows, columns).ends_with("; gather 16 bytes at a time"),
        "{}",
        told(rows, columns)
    );
    assert!(
        told(columns, rows).ends_with("; scatter 16 bytes at a time"),
        "{}",
        told(columns, rows)
    );
}

type Rows = layout!(MK<128, 64>, u16);
type Columns = layout!(KM<M = 128, K = 64>, u16);
type Tile = layout!(MK<128, 64>, u16, swizzle = b128);
type Narrow = layout!(MK<128, 64>, u16, swizzle = b32);

#[derive(Relayout)]
#[relayout(Rows => Tile)]
struct ToTile;
#[derive(Relayout)]
#[relayout(Tile => Columns)]
struct FromTile;
#[derive(Relayout)]
#[relayout(Columns => Narrow)]
struct ToNarrow;
#[derive(Relayout)]
#[relayout(Narrow => Tile)]
struct Between;

/// Derived relayouts have the blocks of their boxes as constants.
#[test]
fn derived_relayouts() {
    let number = |[m, k]: [usize; 2]| (m * 64 + k) as u16;
    let rows = Tensor::<Rows>::from_fn(number);
    let mut tile = Tensor::<Tile>::from_fn(|_| 0);
    let mut columns = Tensor::<Columns>::from_fn(|_| 0);
    let mut narrow = Tensor::<Narrow>::from_fn(|_| 0);
    ToTile::run(&rows, &mut tile);
    FromTile::run(&tile, &mut columns);
    ToNarrow::run(&columns, &mut narrow);
    let mut again = Tensor::<Tile>::from_fn(|_| 0);
    Between::run(&narrow, &mut again);
    for m in 0..128 {
        for k in 0..64 {
            let expected = number([m, k]);
            assert_eq!(tile[[m, k]], expected);
            assert_eq!(columns[[m, k]], expected);
            assert_eq!(narrow[[m, k]], expected);
            assert_eq!(again[[m, k]], expected);
            let chunk = (k / 8) ^ (m % 8);
            assert_eq!(tile.buffer()[m * 64 + chunk * 8 + k % 8], expected);
        }
    }
}

/// A storage may have more bits than a number counts.
#[test]
#[cfg(target_pointer_width = "64")]
fn plans_of_large_swizzled_storages_are_made() {
    let large = ElementType::Plain { bytes: usize::MAX >> 5, align: 1 };
    for (extent, element, swizzle) in [
        ((1 << 59) - 3, ElementType::F32, Swizzle::new(3, 0, -11)),
        ((1 << 61) - 3, ElementType::U8, Swizzle::new(2, 4, 5)),
        (2, large, Swizzle::new(1, 0, -2)),
    ] {
        let layout = Layout::builder("A", element).swizzle(swizzle).extents(&[extent]);
        let layout = layout.expect("fewer than isize::MAX bytes");
        let plan = Plan::new(&layout, &layout).expect("the same layout");
        assert!(!plan.to_string().is_empty(), "{layout}");
    }
}

/// A buffer that is empty after it was asked for `left` times.
struct Vanishing<B> {
    buffer: B,
    left: Cell<usize>,
}

impl<B: AsRef<[u16]>> AsRef<[u16]> for Vanishing<B> {
    fn as_ref(&self) -> &[u16] {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if left > 0 { self.buffer.as_ref() } else { &[] }
    }
}

impl<B: AsMut<[u16]>> AsMut<[u16]> for Vanishing<B> {
    fn as_mut(&mut self) -> &mut [u16] {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if left > 0 { self.buffer.as_mut() } else { &mut [] }
    }
}

/// Buffers of the user's that lose their units between two calls are an error, or are moved as they were.
#[test]
fn buffers_that_change() {
    let units: Vec<u16> = (0..Rows::LEN).map(|i| i as u16).collect();
    let (mut errors, mut moves) = (0, 0);
    for (of_source, of_destination) in (1..6).flat_map(|a| (1..6).map(move |b| (a, b))) {
        let from = Vanishing { buffer: &units[..], left: Cell::new(of_source) };
        let to = Vanishing { buffer: vec![0; Tile::LEN], left: Cell::new(of_destination) };
        let (Ok(from), Ok(mut to)) = (Tensor::<Rows, _>::new(from), Tensor::<Tile, _>::new(to))
        else {
            continue;
        };
        match from.relayout_into(&mut to) {
            Ok(()) => moves += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 0 && moves > 0, "{errors} errors, {moves} moves");
}
