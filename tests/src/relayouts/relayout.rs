//! Relayouts between random layouts agree with the oracle, element by element, for each function that runs
//! them.

use std::fmt::Debug;

use bytemuck::Pod;
use proptest::prelude::*;
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError, Plan, Relayout, f16, layout};

use crate::support::oracle::{self, Memory, Origin};
use crate::support::random::{self, Case};

/// How a test holds elements, which are numbers here, in a buffer of units.
struct Kind<U> {
    per_unit: usize,
    /// Elements are below this. Padding of a source holds this number, and what is in a
    /// destination before the relayout is one more.
    limit: u16,
    /// The unit that holds these elements.
    pack: fn(&[u16]) -> U,
    /// The unit that is filled with these bits.
    fill: fn(u64) -> U,
}

impl<U> Kind<U> {
    /// The elements of a source: as different from one another as their bits allow.
    fn elements(&self, memory: &Memory) -> Vec<u16> {
        let hash = |i: usize| (i.wrapping_mul(40_503) >> 3) % usize::from(self.limit);
        let number = |i| if self.limit > 4096 { i as u16 } else { hash(i) as u16 };
        let cells = memory.cells.iter().enumerate();
        cells.map(|(i, cell)| if cell.is_some() { number(i) } else { self.limit }).collect()
    }

    /// A buffer of `units` units: these elements, then what was there before.
    fn buffer(&self, elements: &[u16], units: usize) -> Vec<U> {
        let mut elements = elements.to_vec();
        elements.resize(units * self.per_unit, self.limit + 1);
        elements.chunks(self.per_unit).map(self.pack).collect()
    }

    /// The buffer of `destination` after a relayout of `elements`.
    fn moved(&self, elements: &[u16], from: &Memory, to: &Memory, fill: u64) -> Vec<U> {
        let origins = oracle::relayout(from, to);
        let number = |origin: &Origin| match *origin {
            Origin::Element(offset) => elements[offset],
            Origin::Fill => fill as u16,
            Origin::Untouched => self.limit + 1,
        };
        let numbers: Vec<u16> = origins.iter().map(number).collect();
        let mut units = self.buffer(&numbers, numbers.len().div_ceil(self.per_unit));
        if self.per_unit == 1 {
            for (unit, origin) in units.iter_mut().zip(&origins) {
                if *origin == Origin::Fill {
                    *unit = (self.fill)(fill);
                }
            }
        }
        units
    }
}

/// Moves from `source` to `destination` and compares every unit with the oracle; then back. The two kinds hold
/// the elements of each.
fn moves<U: Pod + PartialEq + Debug>(
    source: &Case,
    destination: &Case,
    [from_kind, kind]: [&Kind<U>; 2],
) -> Result<(), TestCaseError> {
    let (from, to) = (source.memory(), destination.memory());
    let (from_layout, to_layout) = (source.layout(), destination.layout());
    let plan = Plan::new(&from_layout, &to_layout).unwrap();
    let elements = kind.elements(&from);
    let input = from_kind.buffer(&elements, from_layout.units());
    let mut output = kind.buffer(&[], to_layout.units());
    plan.run(&input, &mut output).unwrap();
    let fill = destination.fill.unwrap_or(0);
    prop_assert_eq!(&output, &kind.moved(&elements, &from, &to, fill));

    if !from_layout.is_unique() {
        let error = Plan::new(&to_layout, &from_layout).unwrap_err();
        prop_assert_eq!(error, LayoutError(Rule::RelayoutOverlap));
        return Ok(());
    }
    let back = Plan::new(&to_layout, &from_layout).unwrap();
    let mut home = from_kind.buffer(&[], from_layout.units());
    back.run(&output, &mut home).unwrap();
    let fill = source.fill.unwrap_or(0);
    prop_assert_eq!(&home, &from_kind.moved(&elements, &from, &from, fill), "there and back");
    Ok(())
}

/// An element of up to 128 bits, different in all its parts.
fn wide(number: u16) -> u128 {
    u128::from(number).wrapping_mul(0x0001_0003_0005_0007_0009_000b_000d_000f)
}

/// Elements that share a byte, each read bit by bit. Of one bit, padding is 0 and what was there before 1.
fn shared(case: &Case) -> Kind<u8> {
    let pack: fn(&[u16]) -> u8 =
        match (case.bits, matches!(case.element, ElementType::HighFirst(_))) {
            (1, false) => |elements| packed(elements, |i| i),
            (1, true) => |elements| packed(elements, |i| 7 - i),
            (2, false) => |elements| packed(elements, |i| 2 * i),
            (2, true) => |elements| packed(elements, |i| 6 - 2 * i),
            (_, false) => |elements| packed(elements, |i| 4 * i),
            (_, true) => |elements| packed(elements, |i| 4 - 4 * i),
        };
    let limit = [2, 2, 13][case.bits / 2];
    Kind { per_unit: 8 / case.bits, limit, pack, fill: |_| unreachable!() }
}

/// A byte with each element from the bit on that it begins at.
fn packed(elements: &[u16], begins: fn(usize) -> usize) -> u8 {
    let bits = 8 / elements.len();
    let mut byte = 0;
    for (i, element) in elements.iter().enumerate() {
        for bit in (0..bits).filter(|bit| element >> bit & 1 == 1) {
            byte |= 1 << (begins(i) + bit);
        }
    }
    byte
}

/// [`moves`] with units that the bits of an element call for.
fn moves_of_any_width(source: &Case, destination: &Case) -> Result<(), TestCaseError> {
    macro_rules! whole {
        ($unit:ty, $limit:literal, $pack:expr, $fill:expr) => {{
            let pack = |one: &[u16]| $pack(one[0]);
            let kind = Kind::<$unit> { per_unit: 1, limit: $limit, pack, fill: $fill };
            moves(source, destination, [&kind, &kind])
        }};
    }
    match source.bits {
        1 | 2 | 4 => moves(source, destination, [&shared(source), &shared(destination)]),
        8 => whole!(u8, 250, |number| number as u8, |bits| bits as u8),
        16 => whole!(u16, 60_000, |number| number, |bits| bits as u16),
        24 => whole!([u8; 3], 60_000, |n: u16| [n as u8, (n >> 8) as u8, !n as u8], |_| [0; 3]),
        32 => whole!(u32, 60_000, |number| wide(number) as u32, |bits| bits as u32),
        64 => whole!(u64, 60_000, |number| wide(number) as u64, |bits| bits),
        96 => whole!([u32; 3], 60_000, |n| [wide(n) as u32, u32::from(n), !0], |_| [0; 3]),
        128 => whole!(u128, 60_000, wide, |_| 0),
        other => panic!("no unit of {other} bits"),
    }
}

/// Two layouts of the same axes in coordinate orders of their own, with swizzles; the second is unique. Elements of less
/// than a byte may be in another order within one.
fn pair() -> impl Strategy<Value = (Case, Case)> {
    (random::axes(), random::element()).prop_flat_map(|(axes, element)| {
        let shuffled = Just(axes.clone()).prop_shuffle();
        let destination =
            shuffled.prop_flat_map(move |axes| random::layout_of(axes, element, false));
        let swizzles = (random::swizzle(), random::swizzle());
        let others = (swizzles, any::<bool>());
        (random::layout_of(axes, element, true), destination, others).prop_map(
            |(source, mut destination, (swizzles, reverses))| {
                if let (true, Ok(high)) = (reverses, destination.element.high_first()) {
                    let is_high = destination.element == high;
                    destination.element = if is_high { high.low_first() } else { high };
                }
                (source.swizzled(swizzles.0), destination.swizzled(swizzles.1))
            },
        )
    })
}

proptest! {
    #![proptest_config(random::cases(600))]

    /// Every unit of the destination agrees with the oracle: it is an element of the source, never its padding,
    /// the declared fill, or, in gaps of strides, unchanged. The same holds for the way back.
    #[test]
    fn a_relayout_is_the_oracles((source, destination) in pair()) {
        moves_of_any_width(&source, &destination)?;
    }

    /// Buffers of a wrong length are an error with both lengths, and nothing is written.
    #[test]
    fn wrong_lengths_are_refused(
        (source, destination) in pair(),
        missing in prop::option::of(1..4usize),
        at_source in any::<bool>(),
    ) {
        let (from, to) = (source.layout(), destination.layout());
        let plan = Plan::new(&from, &to).unwrap();
        let (buffer, needed) =
            if at_source { ("source", from.units()) } else { ("destination", to.units()) };
        let given = match missing {
            Some(missing) if needed > 0 => needed.saturating_sub(missing),
            _ => needed + 1,
        };
        let sizes = if at_source { (given, to.units()) } else { (from.units(), given) };
        let unit = source.bits.div_ceil(8);
        let error = match unit {
            1 => refused::<u8>(&plan, sizes),
            2 => refused::<u16>(&plan, sizes),
            3 => refused::<[u8; 3]>(&plan, sizes),
            4 => refused::<u32>(&plan, sizes),
            8 => refused::<u64>(&plan, sizes),
            12 => refused::<[u32; 3]>(&plan, sizes),
            _ => refused::<u128>(&plan, sizes),
        };
        prop_assert_eq!(error, LayoutError(Rule::BufferLength { buffer, needed, given }));
        let text = format!("{buffer} has length {given} but its layout takes {needed};");
        prop_assert!(error.to_string().starts_with(&text), "{}", error);
    }
}

/// The error of a relayout between buffers of these lengths, which leaves the destination unchanged.
fn refused<U: Pod>(plan: &Plan, (source, destination): (usize, usize)) -> LayoutError {
    let ones = |length| -> Vec<u8> { vec![1; length * size_of::<U>()] };
    let input: Vec<U> = ones(source).chunks_exact(size_of::<U>()).map(bytes_as).collect();
    let mut output: Vec<U> = ones(destination).chunks_exact(size_of::<U>()).map(bytes_as).collect();
    let error = plan.run(&input, &mut output).unwrap_err();
    assert!(bytemuck::cast_slice::<U, u8>(&output).iter().all(|&byte| byte == 1), "written");
    error
}

fn bytes_as<U: Pod>(bytes: &[u8]) -> U {
    bytemuck::pod_read_unaligned(bytes)
}

#[test]
fn blocks_that_do_not_divide_each_other() {
    let blocks = ["C W 4c", "C W 6c", "C 2c W 3c", "5c C W 2c", "C 3c 4c W", "W C 7c", "C W"];
    for extent in [1, 2, 5, 6, 11, 12, 13, 24, 25, 60, 61] {
        let axes = [('C', extent), ('W', 3)];
        for from in blocks {
            for to in blocks {
                let case = |text| Case {
                    element: ElementType::U8,
                    bits: 8,
                    axes: axes.to_vec(),
                    factors: oracle::factors(text),
                    fill: Some(0xee),
                };
                moves_of_any_width(&case(from), &case(to))
                    .unwrap_or_else(|error| panic!("{from} to {to}, {extent}: {error}"));
            }
        }
    }
}

#[test]
fn what_cannot_be_moved() {
    let nchw = <layout!(NCHW<2, 4, 3, 5>, u8)>::LAYOUT;
    let plan = |to| Plan::new(&nchw, &to).unwrap_err();
    let nchd = <layout!(NCDH<2, 4, 3, 5>, u8)>::LAYOUT;
    let axes =
        LayoutError(Rule::RelayoutAxes { source: nchw.letters(), destination: nchd.letters() });
    assert_eq!(plan(nchd), axes);
    assert!(matches!(
        plan(<layout!(NCH<2, 4, 3>, u8)>::LAYOUT),
        LayoutError(Rule::RelayoutAxes { .. })
    ));
    let extent = LayoutError(Rule::RelayoutExtent {
        letter: 'H',
        source: 3,
        destination: 5,
        permuted: true,
    });
    assert_eq!(plan(<layout!(NHWC<N = 2, C = 4, H = 5, W = 3>, u8)>::LAYOUT), extent);
    let element = LayoutError(Rule::RelayoutElement {
        source: ElementType::U8,
        destination: ElementType::I8,
    });
    assert_eq!(plan(<layout!(NCHW<2, 4, 3, 5>, i8)>::LAYOUT), element);
    type Shared = layout!(NCHW<2, 4, 3, 5>, u8, broadcast(N));
    assert_eq!(plan(Shared::LAYOUT), LayoutError(Rule::RelayoutOverlap));
    assert_eq!(
        Plan::new(&nchw, &nchw).unwrap().run(&[0u16; 120], &mut [0u16; 120]),
        Err(LayoutError(Rule::UnitSize { needed: 1, given: 2 }))
    );
}

/// One relayout by arrays, by slices, by its plan and in const evaluation, against `$expected`.
macro_rules! every_way {
    ($name:ident: $source:ty => $destination:ty, $unit:ty, $from:expr, $expected:expr) => {
        #[test]
        fn $name() {
            #[derive(Relayout)]
            #[relayout($source => $destination)]
            struct Move;
            const FROM: [$unit; <$source>::UNITS] = $from;
            const MOVED: [$unit; <$destination>::UNITS] = Move::constant(&FROM);
            let expected: [$unit; <$destination>::UNITS] = $expected;
            assert_eq!(MOVED, expected, "constant");
            let garbage = [<$unit>::MAX; <$destination>::UNITS];
            let mut moved = garbage;
            Move::run_arrays(&FROM, &mut moved);
            assert_eq!(moved, expected, "run");
            moved = garbage;
            Move::run_slices(&FROM, &mut moved).unwrap();
            assert_eq!(moved, expected, "run_slices");
            moved = garbage;
            Move::PLAN.run(&FROM, &mut moved).unwrap();
            assert_eq!(moved, expected, "relayout");
            let short = Move::run_slices(&FROM[1..], &mut moved).unwrap_err();
            assert!(matches!(short, LayoutError(Rule::BufferLength { .. })));
            assert_eq!(moved, expected, "after a refusal");
        }
    };
}

every_way! { floats_to_channels_last:
    layout!(NCHW<1, 2, 1, 3>, f32) => layout!(NHWC<N = 1, C = 2, H = 1, W = 3>, f32), f32,
    [0.5, 1.5, 2.5, 10.0, 11.0, 12.0],
    [0.5, 10.0, 1.5, 11.0, 2.5, 12.0]
}

every_way! { bytes_to_a_padded_block:
    layout!(NCHW<1, 5, 1, 2>, u8) => layout!(NCHW4<1, 5, 1, 2>, u8, pad = 9), u8,
    [0, 1, 10, 11, 20, 21, 30, 31, 40, 41],
    [0, 10, 20, 30, 1, 11, 21, 31, 40, 9, 9, 9, 41, 9, 9, 9]
}

every_way! { bytes_out_of_a_padded_block:
    layout!(NCHW4<1, 5, 1, 2>, u8, pad) => layout!(NCHW<1, 5, 1, 2>, u8), u8,
    [0, 10, 20, 30, 1, 11, 21, 31, 40, 99, 99, 99, 41, 99, 99, 99],
    [0, 1, 10, 11, 20, 21, 30, 31, 40, 41]
}

every_way! { blocks_of_four_to_blocks_of_six:
    layout!(CW4c<C = 7, W = 1>, i16, pad) => layout!(CW6c<C = 7, W = 1>, i16, pad = -1), i16,
    [0, 1, 2, 3, 4, 5, 6, 99],
    [0, 1, 2, 3, 4, 5, 6, -1, -1, -1, -1, -1]
}

every_way! { nibbles_to_padded_rows:
    layout!(HW<2, 4>, i4) => layout!(WH3h<W = 4, H = 2>, i4, pad = -2), u8,
    [0x21, 0x43, 0x65, 0x87],
    // Rows of three, one of them padding, rounded up to whole bytes.
    [0x51, 0xee, 0x62, 0xee, 0x73, 0xee, 0x84, 0xee]
}

every_way! { rows_of_nibbles_to_columns_of_an_odd_number:
    layout!(HW<3, 4>, i4) => layout!(WH<W = 4, H = 3>, i4, pad = -2), u8,
    [0x10, 0x32, 0x54, 0x76, 0x98, 0xba],
    [0x40, 0xe8, 0x51, 0xe9, 0x62, 0xea, 0x73, 0xeb]
}

every_way! { pairs_of_nibbles_stay_together:
    layout!(HWC<H = 2, W = 3, C = 2>, u4) => layout!(WHC<W = 3, H = 2, C = 2>, u4), u8,
    [0x10, 0x32, 0x54, 0x76, 0x98, 0xba],
    [0x10, 0x76, 0x32, 0x98, 0x54, 0xba]
}

every_way! { rows_aligned_to_bytes:
    layout!(HW<2, 3>, u16) => layout!(HW<2, 3>, u16, align(H = 8)), u16,
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 0, 4, 5, 6, 0]
}

every_way! { a_broadcast_and_a_reversed_axis:
    layout!(HW<2, 3>, i8, strides = [0, -1], broadcast(H)) => layout!(WH<H = 2, W = 3>, i8), i8,
    [3, 2, 1],
    [1, 1, 2, 2, 3, 3]
}

every_way! { a_scalar: layout!(SCALAR<>, i64) => layout!(SCALAR<>, i64), i64, [-7], [-7] }

type Apart = layout!(HW<2, 2>, u8, strides = [5, 2]);

#[derive(Relayout)]
#[relayout(layout!(HW<2, 2>, u8) => Apart)]
struct Spread;

#[test]
fn gaps_between_strides_are_left_alone() {
    let mut moved = [0xaa; Apart::LEN];
    Spread::run_arrays(&[1, 2, 3, 4], &mut moved);
    assert_eq!(moved, [1, 0xaa, 2, 0xaa, 0xaa, 3, 0xaa, 4]);
    // Const evaluation has no destination to leave unchanged.
    assert_eq!(const { Spread::constant(&[1, 2, 3, 4]) }, [1, 0, 2, 0, 0, 3, 0, 4]);
}

type Interleaved = layout!(HW<2, 3>, u8, strides = [3, 2]);

#[derive(Relayout)]
#[relayout(layout!(HW<2, 3>, u8) => Interleaved)]
struct Interleave;

#[derive(Relayout)]
#[relayout(Interleaved => layout!(WH<H = 2, W = 3>, u8))]
struct Untangle;

#[test]
fn rows_may_interleave() {
    let mut moved = [0xaa; Interleaved::LEN];
    Interleave::run_arrays(&[1, 2, 3, 4, 5, 6], &mut moved);
    assert_eq!(moved, [1, 0xaa, 2, 4, 3, 5, 0xaa, 6]);
    let mut columns = [0; 6];
    Untangle::run_arrays(&moved, &mut columns);
    assert_eq!(columns, [1, 4, 2, 5, 3, 6]);
}

type Image = layout!(NCHW<1, 3, 4, 4>, f16);
type Packed = layout!(NCHW4<1, 3, 4, 4>, f16, pad = f16::NEG_INFINITY);

#[derive(Relayout)]
#[relayout(Image => Packed)]
struct Pack;

#[test]
fn padding_may_be_any_value_of_the_element() {
    let image: [f16; Image::LEN] = core::array::from_fn(|i| f16::from_f32(i as f32));
    let mut packed = [f16::ZERO; Packed::LEN];
    Pack::run_arrays(&image, &mut packed);
    for (offset, element) in packed.iter().enumerate() {
        let (pixel, channel) = (offset / 4, offset % 4);
        let expected = if channel < 3 { (channel * 16 + pixel) as f32 } else { f32::NEG_INFINITY };
        assert_eq!(element.to_f32(), expected, "at {offset}");
    }
}

/// Tiles that are moved in blocks: plain, transposed, in weighted digits, and between two swizzles.
#[test]
fn large_swizzled_tiles() {
    let orders = ["M K", "K M", "M K 2k 8m/8 8m 32k/2", "K M 16m 4k"];
    let swizzles = [None, Some((3, 3, 3)), Some((2, 4, -3)), Some((5, 0, 5)), Some((1, 1, 7))];
    for axes in [[('M', 256), ('K', 64)], [('M', 320), ('K', 192)]] {
        let case = |(element, bits), order, swizzle| {
            let factors = oracle::factors(order);
            Case { element, bits, axes: axes.to_vec(), factors, fill: None }.swizzled(swizzle)
        };
        for (i, from) in orders.into_iter().enumerate() {
            for (j, to) in orders.into_iter().enumerate() {
                let (own, other) = (swizzles[(i + j) % 5], swizzles[(i * j + 1) % 5]);
                let pairs = [(own, None), (None, other), (own, other)];
                for (source, destination) in pairs {
                    let element = [
                        (ElementType::F16, 16),
                        (ElementType::F32, 32),
                        (ElementType::U4, 4),
                        (ElementType::U2, 2),
                    ][(i + 2 * j) % 4];
                    let pair = [case(element, from, source), case(element, to, destination)];
                    moves_of_any_width(&pair[0], &pair[1]).unwrap();
                }
            }
        }
    }
}

/// Elements of less than a byte end inside the last byte: of one element and one of padding, the rest of the byte stays.
#[test]
fn bits_after_the_last_element_stay() {
    let one = Layout::parse("F<F = 1>, i2").unwrap();
    for (text, moved) in [
        ("F2f<F = 1>, i2, pad = 1", 0b1111_0110),
        ("F2f<F = 1>, i2, high_first, pad = 1", 0b1001_1111),
    ] {
        let padded = Layout::parse(text).unwrap();
        assert_eq!((padded.len(), padded.units()), (2, 1));
        let mut bytes = [0xff];
        Plan::new(&one, &padded).unwrap().run(&[0b10u8], &mut bytes).unwrap();
        assert_eq!(bytes, [moved], "{text}: {:#b}", bytes[0]);
    }
}
