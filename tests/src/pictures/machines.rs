//! Pictures of lanes, banks and local memory: every cell agrees with plain loops.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tensor_layout::access::{Access, Banks};
use tensor_layout::chip::{Chip, LocalMemory, LocalTensor};
use tensor_layout::show::Picture;
use tensor_layout::{ElementType, Layout};

use super::scan;
use crate::support::random;

/// `0-3,8` as numbers.
fn expanded(text: &str) -> Vec<usize> {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let part = |part: &str| match part.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => number(part)..=number(part),
    };
    text.split(',').flat_map(part).collect()
}

fn any_banks() -> impl Strategy<Value = Banks> {
    (1..40usize, 1..9usize, 1..300usize).prop_map(|(count, width, phase_bytes)| Banks {
        count,
        width,
        phase_bytes,
    })
}

proptest! {
    #![proptest_config(random::cases(300))]

    /// The words of each phase in ascending order, with the lanes that want them.
    #[test]
    fn banks_have_the_lanes_that_want_a_word(
        starts in prop::collection::vec(0..600usize, 1..40),
        bytes in 1..20usize,
        active in any::<u64>(),
        banks in any_banks(),
    ) {
        let access = Access::at(&starts, bytes).only(active);
        let picture = Picture::access(&access, &banks).fold(64, 64);
        let svg = picture.to_svg();
        prop_assume!(!svg.contains("folded"));
        // The lanes whose bytes one phase delivers, each counted as at least one word.
        let lanes = (banks.phase_bytes / bytes.max(banks.width)).max(1);
        let mut expected = Vec::new();
        for (phase, group) in starts.chunks(lanes).enumerate() {
            let mut words = BTreeMap::<usize, Vec<usize>>::new();
            for (lane, start) in (phase * lanes..).zip(group) {
                for byte in (*start..start + bytes).filter(|_| active >> lane & 1 == 1) {
                    let own = words.entry(byte / banks.width).or_default();
                    if own.last() != Some(&lane) {
                        own.push(lane);
                    }
                }
            }
            expected.extend(words.into_values());
        }
        let found: Vec<Vec<usize>> =
            scan::svg(&svg).iter().map(|(text, _)| expanded(text)).collect();
        prop_assert_eq!(found, expected);
    }

    /// The rows are the lanes that hold something, from that of coordinate 0 on.
    #[test]
    fn lanes_have_their_coordinates(
        case in (random::axes(), random::element())
            .prop_flat_map(|(axes, element)| random::layout_of(axes, element, false))
    ) {
        let (layout, memory) = (case.layout(), case.memory());
        let Some(lanes) = layout.lanes() else {
            prop_assert!(Picture::lanes(&layout).is_none());
            return Ok(());
        };
        let svg = Picture::lanes(&layout).expect("lanes").to_svg();
        prop_assume!(!svg.contains("folded") && !memory.coordinates().is_empty());
        let long = |axis: &usize| layout.extents()[*axis] != 1;
        let text = |coordinate: &Vec<usize>| {
            let long: Vec<String> =
                (0..layout.rank()).filter(long).map(|axis| coordinate[axis].to_string()).collect();
            if long.is_empty() { "0".to_owned() } else { long.join(",") }
        };
        let rows: Vec<_> = memory.cells.chunks(lanes.len()).collect();
        let first = memory.offset(&memory.coordinates()[0]) / lanes.len();
        let rows = (0..rows.len()).map(|row| rows[(first + row) % rows.len()]);
        let expected: Vec<String> =
            rows.flat_map(|row| row.iter().flatten().map(text).collect::<Vec<_>>()).collect();
        let found: Vec<String> = scan::svg(&svg).into_iter().map(|(text, _)| text).collect();
        prop_assert_eq!(found, expected);
    }
}

/// Each bank of each lane has the tensors that a byte of it belongs to.
#[test]
fn local_memory_has_its_tensors() {
    let chip = Chip::named("bm1684x").expect("a chip");
    let tensor = |name, text: &str, address| {
        let layout: Layout = text.parse().expect("a layout");
        LocalTensor { name, layout, address: Some(address) }
    };
    let bank = chip.bank_bytes();
    let tensors = [
        tensor("a", "NCHW<1, 3, 4, 4>, f16, bm1684x::aligned(start = 62)", 0),
        tensor("b", "NCHW<2, 64, 56, 56>, f32, bm1684x::aligned", 2 * bank + 64),
        tensor("c", "NCHW<1, 1, 4, 4>, i8, bm1684x::aligned(start = 5)", 4096),
    ];
    let memory = LocalMemory::new(chip, &tensors, &[]).expect("there is room");
    let html = Picture::local_memory(&memory).to_html();
    let mut seen = vec![false; chip.lanes];
    for row in html.split("<tr>").skip(2) {
        let (label, cells) = row.strip_prefix("<th>").unwrap().split_once("</th>").unwrap();
        let cells: Vec<&str> =
            cells.split("<td").skip(1).map(|cell| cell.split(['>', '<']).nth(1).unwrap()).collect();
        assert_eq!(cells.len(), chip.banks, "{html}");
        for lane in expanded(label) {
            assert!(!std::mem::replace(&mut seen[lane], true), "lane {lane} twice");
            for (number, cell) in cells.iter().enumerate() {
                let is_here = |i: &usize| {
                    let holds = (0..tensors[*i].layout.extents()[1].min(chip.lanes))
                        .any(|c| (c + [62, 0, 5][*i]) % chip.lanes == lane);
                    let bytes = memory.address(*i)..memory.end(*i);
                    holds && bytes.into_iter().any(|byte| byte / bank == number)
                };
                let here: Vec<String> =
                    (0..3).filter(is_here).map(|i| (i + 1).to_string()).collect();
                assert_eq!(*cell, here.join(","), "lane {lane}, bank {number}");
            }
        }
    }
    assert!(seen.into_iter().all(|seen| seen), "{html}");
    let text = Picture::local_memory(&memory).to_text();
    assert!(text.contains("\n1  a: bytes 0x0 to 0x80 of lanes 62-0\n"), "{text}");
    assert!(text.starts_with("bm1684x: 64 lanes of 262144 bytes in 16 banks\n"), "{text}");
    assert_eq!(tensors[0].layout.element(), ElementType::F16);
}

/// A note says what is left out.
#[test]
fn large_machines_are_folded() {
    let starts: Vec<usize> = (0..64).map(|lane| lane * 128).collect();
    let access = Access::at(&starts, 4);
    let text = Picture::access(&access, &Banks::NVIDIA).fold(8, 8).to_text();
    assert!(text.contains("\u{22ee} 24 more rows, \u{22ef} 24 more columns\n"), "{text}");
    let act: Layout = "NCHW<1, 64, 56, 56>, f16, bm1684x::aligned".parse().expect("a layout");
    let picture = Picture::lanes(&act).expect("lanes");
    let svg = picture.to_svg();
    assert!(svg.len() < 200_000 && svg.contains("more columns"), "{} bytes", svg.len());
    assert!(picture.to_text().contains("folded: 4096 of 200704 coordinates shown"));
}
