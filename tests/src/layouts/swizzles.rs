//! Swizzles: tables that CuTe, CUTLASS and Triton print, from `swizzles.json`, and random ones against XOR bit
//! by bit.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::Value;
use tensor_layout::{Coordinates, ElementType, Layout, LayoutBuilder, Swizzle};
use test_support::vectors::{assert_offsets, number, numbers};

use crate::support::random::{self, Case};

pub(super) fn all() -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("swizzles.json")).expect("swizzles.json");
    all.as_array().expect("a list").clone()
}

fn swizzle_of(value: &Value) -> (usize, usize, isize) {
    let [bits, base, shift] = value.as_array().unwrap().as_slice() else { panic!("{value}") };
    (number(bits), number(base), shift.as_i64().unwrap() as isize)
}

fn element_of(bits: usize) -> ElementType {
    [ElementType::I4, ElementType::U8, ElementType::F16, ElementType::F32]
        [bits.ilog2() as usize - 2]
}

/// Offsets of all coordinates, the last axis fastest.
fn offsets(layout: &Layout) -> Vec<usize> {
    let [rows, columns] = *layout.extents() else { panic!("{layout}") };
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| [row, column]));
    all.map(|coordinate| layout.offset(&coordinate)).collect()
}

pub(super) fn check(layout: &Layout, case: &Value) {
    let (found, expected, id) = (offsets(layout), &case["expected"], &case["id"]);
    assert_offsets(&found, expected, id);
    if expected["span"].is_u64() {
        assert_eq!(layout.span(), number(&expected["span"]), "{id}");
        assert_eq!(layout.is_unique(), expected["injective"].as_bool().unwrap(), "{id}");
    }
    // And back, as text too.
    let text = layout.to_string();
    assert_eq!(text.parse(), Ok(*layout), "{id}: {text}");
    for (i, &offset) in found.iter().enumerate() {
        let columns = layout.extents()[1];
        assert_eq!(
            layout.coordinate(offset).as_deref(),
            Some(&[i / columns, i % columns][..]),
            "{id}"
        );
    }
}

/// The memory order of these digits, of which the first of an axis is what the others leave, and the swizzle, in elements
/// and in bytes.
fn of_digits(inputs: &Value) -> Layout {
    let (mut format, mut seen) = (String::new(), HashSet::new());
    for digit in inputs["digits"].as_array().unwrap() {
        let axis = digit[0].as_str().unwrap();
        format += &match seen.insert(axis) {
            true => axis.to_uppercase(),
            false => format!("{}{axis}", digit[1]),
        };
    }
    let builder = Layout::builder(format.as_str(), element_of(number(&inputs["element_bits"])));
    let builder = builder.coordinates("RC");
    let extents: Vec<_> = ['R', 'C'].into_iter().zip(numbers(&inputs["extents"])).collect();
    let swizzle = |name: &str| {
        let (bits, base, shift) = swizzle_of(&inputs[name]);
        Swizzle::new(bits, base, shift)
    };
    let in_bytes = builder.swizzle_bytes(swizzle("swizzle_bytes"));
    let in_elements = builder.swizzle(swizzle("swizzle")).named_extents(&extents);
    assert_eq!(in_bytes.named_extents(&extents), in_elements);
    in_elements.unwrap()
}

/// Triton's operands of tensor cores: tiles as wide as the swizzle, column by column.
fn nvmma(inputs: &Value) -> Layout {
    let (swizzle, bits) = (number(&inputs["swizzle_bytes"]), number(&inputs["element_bits"]));
    let mut extents = numbers(&inputs["extents"]);
    let (mut slow, mut fast) = ('M', 'K');
    if inputs["transposed"] == true {
        (slow, fast) = (fast, slow);
    }
    let order = format!("{fast}{slow}");
    let wide = swizzle * 8 / bits;
    let width = extents[usize::from(fast == 'K')];
    let format = match wide > 0 && wide < width {
        true => format!("{order}{wide}{}", fast.to_lowercase()),
        false => format!("{slow}{fast}"),
    };
    let builder = Layout::builder(format.as_str(), element_of(bits));
    let builder = match swizzle {
        0 => builder,
        32 => builder.swizzle_bytes(Swizzle::B32),
        64 => builder.swizzle_bytes(Swizzle::B64),
        _ => builder.swizzle_bytes(Swizzle::B128),
    };
    extents.truncate(2);
    builder.named_extents(&[('M', extents[0]), ('K', extents[1])]).unwrap()
}

#[test]
fn swizzles_of_other_programs() {
    let mut count = 0;
    for case in all() {
        let inputs = &case["inputs"];
        let layout = if inputs["digits"].is_array() {
            of_digits(inputs)
        } else if inputs["strides"].is_array() {
            let (bits, base, shift) = swizzle_of(&inputs["swizzle"]);
            let strides: Vec<isize> =
                numbers(&inputs["strides"]).iter().map(|&stride| stride as isize).collect();
            let builder = Layout::builder("MK", ElementType::F16).strides(&strides);
            let builder = builder.swizzle(Swizzle::new(bits, base, shift));
            builder.extents(&numbers(&inputs["extents"])).unwrap()
        } else if inputs["vec"].is_u64() {
            let [vec, per_phase, max_phase] =
                ["vec", "per_phase", "max_phase"].map(|name| number(&inputs[name]));
            let format = if numbers(&inputs["order"])[0] == 1 { "MK" } else { "KM" };
            let builder = Layout::builder(format, ElementType::F16);
            let builder = builder.swizzle_phases(vec, per_phase, max_phase);
            builder.extents(&numbers(&inputs["extents"])).unwrap()
        } else {
            nvmma(inputs)
        };
        check(&layout, &case);
        count += 1;
    }
    assert_eq!(count, 69);
}

/// Of offsets 0 and 3, the swizzle makes 0 and 1.
#[test]
fn a_swizzle_can_make_a_layout_contiguous() {
    let layout: Layout = "K<2>, f32, strides = [3], swizzle(1, 0, -1)".parse().unwrap();
    assert_eq!((layout.offset(&[0]), layout.offset(&[1])), (0, 1));
    assert!(layout.is_contiguous());
}

proptest! {
    #![proptest_config(random::cases(800))]
    #[test]
    fn offsets_are_those_of_bits_flipped_one_by_one(
        (case, swizzle) in (random::axes(), random::element())
            .prop_flat_map(|(axes, element)| random::layout_of(axes, element, true))
            .prop_flat_map(|case| (Just(case), random::swizzle())),
    ) {
        let case: Case = case.swizzled(swizzle);
        let (layout, memory) = (case.layout(), case.memory());
        let all = memory.coordinates();
        prop_assert_eq!(layout.len(), memory.cells.len());
        let mut last = None;
        for coordinate in &all {
            let offset = memory.offset(coordinate);
            prop_assert_eq!(layout.offset(coordinate), offset);
            last = last.max(Some(offset));
        }
        prop_assert_eq!(layout.span(), last.map_or(0, |last| last + 1));
        for (offset, cell) in memory.cells.iter().enumerate() {
            let found = layout.coordinate(offset);
            prop_assert_eq!(found.as_deref(), cell.as_deref());
        }
        prop_assert_eq!(layout.is_exhaustive(), memory.cells.iter().all(Option::is_some));
        let printed = layout.to_string();
        prop_assert_eq!(printed.parse(), Ok(layout), "{}", printed);
        let distances = || all.iter().enumerate().map(|(i, c)| memory.offset(c).wrapping_sub(i));
        let contiguous = distances().collect::<HashSet<_>>().len() < 2;
        prop_assert_eq!(layout.is_contiguous(), contiguous, "{}", printed);
        prop_assert!(layout.swizzle().is_none() || layout.strides().is_none());
    }

    /// A view of a swizzled layout is the view of the other one, swizzled.
    #[test]
    fn views_keep_the_swizzle(
        bits in 0..4usize, base in 0..4usize, far in 0..3usize,
        start in 0..6usize, step in 1..3isize, at in 0..8usize,
    ) {
        let swizzle = Swizzle::new(bits, base, (bits + far) as isize);
        let plain = Layout::of("NHWC4c", &[2, 8, 6, 8], ElementType::F16).unwrap();
        let builder: LayoutBuilder = Layout::builder("NHWC4c", ElementType::F16).swizzle(swizzle);
        let swizzled = builder.extents(&[2, 8, 6, 8]).unwrap();
        let views: [fn(&Layout, usize, isize, usize) -> Layout; 6] = [
            |layout, start, step, _| layout.slice('H', start, step, 2).unwrap(),
            |layout, _, _, at| layout.index('W', at).unwrap(),
            |layout, _, _, _| layout.permute("WCNH").unwrap(),
            |layout, _, _, _| layout.flip('H').unwrap(),
            |layout, _, _, _| layout.tile('C', &[('C', 2), ('K', 4)]).unwrap(),
            |layout, _, _, _| layout.split('C', 3).unwrap().1,
        ];
        for view in views {
            let (plain, swizzled) = (
                view(&plain, start.min(3), step, at), view(&swizzled, start.min(3), step, at),
            );
            macro_rules! all { ($($rank:literal)*) => { match plain.rank() {
                $($rank => for c in Coordinates::<$rank>::new(plain) {
                    prop_assert_eq!(swizzled.offset(&c), swizzle.apply(plain.offset(&c)));
                },)*
                rank => panic!("{rank}"),
            } } }
            all!(3 4 5);
            prop_assert_eq!(swizzled.to_string().parse(), Ok(swizzled));
        }
    }
}
