//! CuTe's own answers, from `cute.json`, which `tests/conformance/cute_algebra.py` makes: composition, complement,
//! division, products, inverses and coalesce of random layouts.
//!
//! CuTe's first mode is the fastest, and counts are of it first. Ours is the last, so modes stand in the
//! opposite order.

use serde_json::Value;
use tensor_layout::{ElementType, Layout, algebra};

/// Shapes and strides, the first the fastest.
struct Modes(Vec<usize>, Vec<usize>);

impl Modes {
    fn new(value: &Value) -> Self {
        let list = |i: usize| {
            let numbers = value[i].as_array().unwrap_or_else(|| panic!("{value}")).iter();
            numbers.map(|number| number.as_u64().unwrap() as usize).collect()
        };
        Self(list(0), list(1))
    }

    fn size(&self) -> usize {
        self.0.iter().product()
    }

    /// The index of each mode in a count.
    fn indices(&self, count: usize) -> Vec<usize> {
        let mut left = count;
        let split = |&size: &usize| {
            let index = left % size;
            left /= size;
            index
        };
        self.0.iter().map(split).collect()
    }

    fn at(&self, count: usize) -> usize {
        self.indices(count).iter().zip(&self.1).map(|(index, stride)| index * stride).sum()
    }

    /// The layout whose axes have these letters, one for each mode.
    fn layout(&self, letters: &str) -> Layout {
        let names: String = letters[..self.0.len()].chars().rev().collect();
        let extents: Vec<usize> = self.0.iter().rev().copied().collect();
        let strides: Vec<isize> = self.1.iter().rev().map(|&stride| stride as isize).collect();
        Layout::from_strides(&names, &extents, &strides, ElementType::U8).unwrap()
    }
}

fn table(name: &str, least: usize) -> Vec<Value> {
    let table: Value = serde_json::from_str(include_str!("cute.json")).expect("cute.json");
    let cases = table[name].as_array().unwrap_or_else(|| panic!("{name}")).clone();
    assert!(cases.len() >= least, "{name}");
    cases
}

/// The offset where axes of these letters have these indices.
fn offset_at(layout: &Layout, indices: &[(char, usize)]) -> usize {
    let index = |letter: char| indices.iter().find(|own| own.0 == letter).expect("an axis").1;
    let letters = layout.letters();
    layout.offset(&(0..letters.count()).map(|i| index(letters.at(i))).collect::<Vec<_>>())
}

/// Letters with the indices of modes.
fn named(letters: &str, modes: &Modes, count: usize) -> Vec<(char, usize)> {
    letters.chars().zip(modes.indices(count)).collect()
}

const OUTER: &str = "ABCDE";
const INNER: &str = "UVWXY";

#[test]
fn compositions() {
    for case in table("composition", 120) {
        let (a, b, result) =
            (Modes::new(&case["a"]), Modes::new(&case["b"]), Modes::new(&case["result"]));
        let own = algebra::compose(&a.layout(OUTER), &b.layout(INNER));
        let own = own.unwrap_or_else(|error| panic!("{error}: {case}"));
        for i in 0..b.size() {
            assert_eq!(offset_at(&own, &named(INNER, &b, i)), result.at(i), "{case}");
        }
    }
}

#[test]
fn complements() {
    for case in table("complement", 60) {
        let (a, result) = (Modes::new(&case["a"]), Modes::new(&case["result"]));
        let count = case["count"].as_u64().unwrap() as usize;
        let own = algebra::complement(&a.layout(OUTER), count, 'R').unwrap();
        assert_eq!(own.numel(), result.size(), "{case}");
        assert!((0..own.numel()).all(|i| own.offset(&[i]) == result.at(i)), "{case}");
    }
}

#[test]
fn divisions() {
    for case in table("logical_divide", 60) {
        let (a, tile) = (Modes::new(&case["a"]), Modes::new(&case["b"]));
        let own = algebra::divide(&a.layout(OUTER), &tile.layout(INNER), 'R').unwrap();
        let (tiles, rests) = (Modes::new(&case["result"][0]), Modes::new(&case["result"][1]));
        assert_eq!(own.extents(), [tiles.size(), rests.size()], "{case}");
        for t in 0..tiles.size() {
            for r in 0..rests.size() {
                assert_eq!(own.offset(&[t, r]), tiles.at(t) + rests.at(r), "{case}");
            }
        }
    }
}

/// A tile for each mode: `((TileA, RestA), (TileB, RestB))`, and zipped `((TileA, TileB), (RestA, RestB))`.
#[test]
fn divisions_by_mode() {
    for (name, is_zipped) in [("logical_divide_by_mode", false), ("zipped_divide_by_mode", true)] {
        for case in table(name, 40) {
            let a = Modes::new(&case["a"]);
            let tiles: Vec<Layout> = case["tilers"]
                .as_array()
                .unwrap()
                .iter()
                .enumerate()
                .map(|(i, tile)| Modes::new(tile).layout(&INNER[i..=i]))
                .collect();
            let rest = |i: usize| (b'P' + i as u8) as char;
            let letters: Vec<char> = OUTER.chars().collect();
            let tilers: Vec<_> =
                tiles.iter().enumerate().map(|(i, tile)| (letters[i], tile, rest(i))).collect();
            let layout = a.layout(OUTER);
            let own = match is_zipped {
                true => algebra::zipped_divide(&layout, &tilers).unwrap(),
                false => algebra::divide_axes(&layout, &tilers).unwrap(),
            };
            if is_zipped {
                let expected: String =
                    INNER[..tiles.len()].chars().chain((0..tiles.len()).map(rest)).collect();
                let names: String = (0..own.rank()).map(|i| own.letters().at(i)).collect();
                assert_eq!(names, expected, "{case}");
            }
            for i in 0..a.size() {
                // Each index of a mode as one in a tile and a tile.
                let (mut indices, mut expected) = (Vec::new(), 0);
                for (mode, index) in a.indices(i).into_iter().enumerate() {
                    let size = tiles[mode].numel();
                    let (t, r) = (index % size, index / size);
                    indices.push((INNER[mode..].chars().next().unwrap(), t));
                    indices.push((rest(mode), r));
                    let part = |outer: usize, inner: usize| match is_zipped {
                        true => Modes::new(&case["result"][inner][outer]),
                        false => Modes::new(&case["result"][outer][inner]),
                    };
                    expected += part(mode, 0).at(t) + part(mode, 1).at(r);
                }
                assert_eq!(offset_at(&own, &indices), expected, "{case} at {indices:?}");
            }
        }
    }
}

#[test]
fn products() {
    for case in table("logical_product", 40) {
        let (a, b) = (Modes::new(&case["a"]), Modes::new(&case["b"]));
        let own = algebra::product(&a.layout(OUTER), &b.layout(INNER)).unwrap();
        let (tile, copies) = (Modes::new(&case["result"][0]), Modes::new(&case["result"][1]));
        for i in 0..a.size() {
            for j in 0..b.size() {
                let indices = [named(OUTER, &a, i), named(INNER, &b, j)].concat();
                assert_eq!(offset_at(&own, &indices), tile.at(i) + copies.at(j), "{case}");
            }
        }
    }
    for (name, raked) in [("blocked_product", false), ("raked_product", true)] {
        for case in table(name, 30) {
            let (a, b) = (Modes::new(&case["a"]), Modes::new(&case["b"]));
            let (tile, copies) = (a.layout(OUTER), b.layout(OUTER));
            let own = match raked {
                true => algebra::raked_product(&tile, &copies).unwrap(),
                false => algebra::blocked_product(&tile, &copies).unwrap(),
            };
            let result = case["result"].as_array().unwrap().iter().map(Modes::new);
            let result: Vec<Modes> = result.collect();
            let whole = Modes(result.iter().map(Modes::size).collect(), vec![0; result.len()]);
            for i in 0..whole.size() {
                let indices = named(OUTER, &whole, i);
                let parts = indices.iter().zip(&result).map(|(own, mode)| mode.at(own.1));
                let expected: usize = parts.sum();
                assert_eq!(offset_at(&own, &indices), expected, "{case} at {indices:?}");
            }
        }
    }
}

#[test]
fn inverses_and_coalesced_layouts() {
    type Operation = fn(&Layout) -> Layout;
    let operations: [(&str, Operation); 3] = [
        ("right_inverse", |layout| algebra::right_inverse(layout, 'I').unwrap()),
        ("left_inverse", |layout| algebra::left_inverse(layout, 'I').unwrap()),
        ("coalesce", |layout| algebra::coalesce(layout, 'I').unwrap()),
    ];
    for (name, operation) in operations {
        for case in table(name, 40) {
            let (a, result) = (Modes::new(&case["a"]), Modes::new(&case["result"]));
            let own = operation(&a.layout(OUTER));
            assert_eq!(own.numel(), result.size(), "{name} {case}");
            assert!((0..own.numel()).all(|i| own.offset(&[i]) == result.at(i)), "{name} {case}");
        }
    }
}
