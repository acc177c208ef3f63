//! Conflicts and sectors from other programs (`costs.json`), and random ones compared with a count of single
//! words and bytes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use tensor_layout::access::{Access, Banks, Segments, coalescing, conflicts, padding};
use tensor_layout::{ElementType, Layout, LayoutError};
use test_support::vectors::{number, numbers};

use super::cost_types::ACCESSES;
use crate::support::random::cases;

fn all() -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("costs.json")).expect("costs.json");
    all.as_array().expect("a list").clone()
}

/// Fails unless an access has the bank conflicts of a vector.
fn check_conflicts(access: &Access, case: &Value) {
    let (inputs, expected, id) = (&case["inputs"], &case["expected"], &case["id"]);
    let width = number(&inputs["bank_bytes"]);
    let found =
        conflicts(access, &Banks { count: number(&inputs["banks"]), width, phase_bytes: 128 });
    assert_eq!(found.wavefronts(), number(&expected["wavefronts"]), "{id}");
    assert_eq!(found.groups(), number(&expected["groups"]), "{id}");
    let excess = found.excess() as f64 / found.groups() as f64;
    assert_eq!(Some(excess), expected["conflicts"].as_f64(), "{id}");
}

/// Fails unless an access has the sectors of a vector.
fn check_sectors(access: &Access, case: &Value) {
    let (expected, id) = (&case["expected"], &case["id"]);
    let found = coalescing(access, &Segments::NVIDIA);
    assert_eq!(found.sectors(), number(&expected["sectors_32"]), "{id}");
    assert_eq!(found.lines(), number(&expected["lines_128"]), "{id}");
    assert_eq!(found.bytes(), number(&expected["unique_bytes"]), "{id}");
    assert_eq!(found.moved_bytes(), number(&expected["transferred_bytes"]), "{id}");
}

#[test]
fn costs_of_other_programs() {
    let (mut with_banks, mut with_sectors) = (0, 0);
    for case in all() {
        let (inputs, id) = (&case["inputs"], &case["id"]);
        let (_, own) = ACCESSES.iter().find(|own| *id == own.0).expect("each is a type");
        let is_conflict = case["kind"] == "conflicts";
        let (starts, bytes) = match is_conflict {
            true => (numbers(&inputs["addresses"]), number(&inputs["width_bytes"])),
            false => {
                let lanes = inputs["lane_addresses"].as_array().unwrap().iter();
                let starts = lanes.map(|lane| numbers(lane)[0]).collect();
                (starts, number(&inputs["bytes_per_lane"]))
            }
        };
        let access = Access::at(&starts, bytes);
        assert_eq!(*own, access, "{id}");
        if is_conflict {
            check_conflicts(&access, &case);
            with_banks += 1;
        } else {
            check_sectors(&access, &case);
            with_sectors += 1;
        }
    }
    assert_eq!((with_banks, with_sectors, ACCESSES.len()), (52, 10, 62));
}

/// Phases, wavefronts, the degree, and the lanes of the worst bank, counted byte by byte.
fn naive(starts: &[usize], bytes: usize, active: u64, banks: &Banks) -> (usize, usize, usize, u64) {
    let lanes = (banks.phase_bytes / bytes.max(banks.width)).max(1);
    let (mut groups, mut wavefronts, mut degree, mut guilty) = (0, 0, 0, 0);
    for (phase, group) in starts.chunks(lanes).enumerate() {
        let mut words = BTreeMap::<usize, BTreeSet<usize>>::new();
        let mut owners = BTreeMap::<usize, u64>::new();
        for (i, start) in group.iter().enumerate() {
            let lane = phase * lanes + i;
            for byte in (*start..start + bytes).filter(|_| active >> lane & 1 == 1) {
                let word = byte / banks.width;
                words.entry(word % banks.count).or_default().insert(word);
                *owners.entry(word % banks.count).or_default() |= 1 << lane;
            }
        }
        let worst = words.values().map(BTreeSet::len).max().unwrap_or(0);
        groups += usize::from(worst > 0);
        wavefronts += worst;
        if worst > degree {
            degree = worst;
            let banks: Vec<_> = words.iter().filter(|(_, words)| words.len() == worst).collect();
            // The error names one of the banks; its lanes are compared only if there is no other.
            guilty = if banks.len() == 1 && worst > 1 { owners[banks[0].0] } else { 0 };
        }
    }
    (groups, wavefronts, degree, guilty)
}

fn memories() -> impl Strategy<Value = Banks> {
    (1usize..40, 1usize..9, 1usize..200)
        .prop_map(|(count, width, phase_bytes)| Banks { count, width, phase_bytes })
        .boxed()
        .prop_union(Just(Banks::NVIDIA).boxed())
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn random_conflicts(
        starts in vec(0usize..2000, 1..=64),
        bytes in 1usize..40,
        active in any::<u64>(),
        banks in memories(),
    ) {
        let found = conflicts(&Access::at(&starts, bytes).only(active), &banks);
        let (groups, wavefronts, degree, guilty) = naive(&starts, bytes, active, &banks);
        prop_assert_eq!(
            (found.groups(), found.wavefronts(), found.degree()), (groups, wavefronts, degree)
        );
        prop_assert_eq!(found.lanes() == 0, degree < 2);
        if guilty != 0 {
            prop_assert_eq!(found.lanes(), guilty);
        }
    }

    #[test]
    fn random_sectors(
        starts in vec(0usize..3000, 1..=64),
        bytes in 1usize..40,
        base in 0usize..300,
        active in any::<u64>(),
        sector in 1usize..70,
        factor in 1usize..5,
    ) {
        let memory = Segments { sector, line: sector * factor };
        let found = coalescing(&Access::at(&starts, bytes).based(base).only(active), &memory);
        let taken: BTreeSet<usize> = starts.iter().enumerate()
            .filter(|(lane, _)| active >> lane & 1 == 1)
            .flat_map(|(_, start)| base + start..base + start + bytes).collect();
        let distinct = |size| taken.iter().map(|byte| byte / size).collect::<BTreeSet<_>>().len();
        prop_assert_eq!(found.sectors(), distinct(sector));
        prop_assert_eq!(found.lines(), distinct(sector * factor));
        prop_assert_eq!(found.bytes(), taken.len());
        prop_assert_eq!(found.moved_bytes(), distinct(sector) * sector);
    }
}

/// Addresses at the end of the address space cost the same as low ones, if banks and sectors begin there too.
/// An access that would take long to count is an error.
#[test]
fn the_last_addresses_cost_what_the_first_do() {
    let high = usize::MAX - 511;
    for (starts, bytes) in [(&[0, 128, 256, 4][..], 4), (&[0, 16, 32, 496], 16), (&[508], 4)] {
        let (low, high) = (Access::at(starts, bytes), Access::at(starts, bytes).based(high));
        assert_eq!(conflicts(&low, &Banks::NVIDIA), conflicts(&high, &Banks::NVIDIA));
        let [low, high] = [low, high].map(|access| coalescing(&access, &Segments::NVIDIA));
        assert_eq!(low, high);
    }
    let bytes = Access::at(&[0, usize::MAX], 1);
    assert_eq!(coalescing(&bytes, &Segments { sector: 1, line: 1 }).bytes(), 2);
    let single = Banks { count: 1, width: 1, phase_bytes: 2 };
    assert_eq!(conflicts(&bytes, &single).degree(), 2);
    assert!(padding(&[bytes], 1, &single).is_err());
    let text = |made: Result<Access, LayoutError>| made.map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        text(Access::checked_at(&[0], 1025)),
        "access has 1025 bytes for each lane; let each lane read at most 1024",
    );
    let rows = Layout::of("MK", &[32, 1 << 40], ElementType::U8).unwrap();
    assert!(text(Access::checked_of(&rows, "M")).starts_with("access has 1099511627776 bytes"));
}
