//! Digits of an axis in any order: what other systems store, as text at run time and as types, against
//! offsets that these systems gave; and the notation.

use serde_json::Value;
use tensor_layout::spec::MAX_RANK;
use tensor_layout::{ElementType, Format, Layout, StaticLayout, Tensor, layout};

use test_support::coordinates;
use test_support::vectors::{assert_offsets, number, numbers};

use super::digit_types::{SYSTEMS, VECTORS};

/// The vectors of `digits.json`: blocks of axes in any order, as `[axis, size, weight]` from slowest to
/// fastest.
fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("digits.json")).expect("digits.json")
}

/// What the axes of a vector are called here: by their own letter, or in alphabetical order.
fn letters(vector: &Value) -> impl Iterator<Item = char> + '_ {
    let axes = vector["axes"].as_array().unwrap();
    axes.iter().zip('A'..).map(|(axis, letter)| match axis.as_str() {
        Some(name) if name.len() == 1 => name.to_uppercase().chars().next().unwrap(),
        _ => letter,
    })
}

/// Fails unless the layout has the offsets and the length of the vector, and their inverse.
fn check(layout: &Layout, vector: &Value, scale: usize) {
    let (id, expected) = (&vector["id"], &vector["expected"]);
    let all: Vec<_> = coordinates(&numbers(&vector["extents"])).collect();
    // Axes of some letters have a coordinate order of their own.
    let places: Vec<usize> =
        letters(vector).map(|own| layout.letters().position(own).unwrap()).collect();
    let ordered = |c: &Vec<usize>| {
        let mut ordered = c.clone();
        places.iter().zip(c).for_each(|(place, index)| ordered[*place] = *index);
        ordered
    };
    let all: Vec<Vec<usize>> = all.iter().map(ordered).collect();
    let offsets: Vec<usize> = all.iter().map(|c| layout.offset(c) * scale).collect();
    assert_offsets(&offsets, expected, id);
    if let Some(length) = expected.get("length") {
        assert_eq!(layout.len(), number(length), "{id}");
    }
    for (coordinate, offset) in all.iter().zip(offsets) {
        let back = layout.coordinate(offset / scale).expect("an element");
        assert_eq!(back[..coordinate.len()], coordinate[..], "{id} at {offset}");
    }
    assert_eq!(layout.to_string().parse(), Ok(*layout), "{id}");
}

/// The digits of a vector as a format, every weight written; and its axes as letters with extents.
fn written(vector: &Value) -> (String, Vec<(char, usize)>) {
    let axes = vector["axes"].as_array().unwrap();
    let extents = numbers(&vector["extents"]);
    let digits: Vec<(usize, usize, usize)> = vector["digits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|digit| {
            let axis = axes.iter().position(|axis| *axis == digit[0]).unwrap();
            (axis, number(&digit[1]), number(&digit[2]))
        })
        .collect();
    let letter = |axis: usize| letters(vector).nth(axis).unwrap();
    let rest = |axis: usize| digits.iter().filter(|d| d.0 == axis).map(|d| d.2).max().unwrap();
    let mut text = String::new();
    for &(axis, size, weight) in &digits {
        let letter = letter(axis);
        text += &match weight == rest(axis) {
            true => format!("{letter} "),
            false => format!("{size}{}/{weight} ", letter.to_ascii_lowercase()),
        };
    }
    (text, extents.iter().enumerate().map(|(axis, &extent)| (letter(axis), extent)).collect())
}

#[test]
fn vectors_at_run_time() {
    let mut count = 0;
    for vector in vectors().iter().filter(|vector| vector.get("digits").is_some()) {
        let (format, extents) = written(vector);
        // Weights of 4 and of 2 bits in words of 32.
        let element = match vector["id"].as_str().unwrap() {
            id if id.starts_with("gptq-qweight2") => ElementType::U2,
            id if ["awq", "gptq-qweight4", "marlin-1", "marlin-3"]
                .iter()
                .any(|one| id.starts_with(one)) =>
            {
                ElementType::U4
            }
            _ => ElementType::U8,
        };
        let builder = Layout::builder(format.as_str(), element).pad(0);
        check(&builder.named_extents(&extents).unwrap(), vector, 1);
        count += 1;
    }
    assert_eq!(count, 47);
}

/// Blocks of ggml begin with a header, so codes are a view of a buffer that holds both. Expected are bits.
#[test]
fn codes_after_headers() {
    for (id, text, bits) in [
        (
            "ggml-Q4_0-bits-2x64",
            "AK16k2k/16<A = 2, K = 64>, u4, strides = [72, 36, 2, 1], from 4 of 144",
            4,
        ),
        (
            "ggml-Q8_0-bits-2x64",
            "AK32k<A = 2, K = 64>, u8, strides = [68, 34, 1], from 2 of 136",
            8,
        ),
        (
            "ggml-Q4_K-bits-1x512",
            "AK4k/64 32k2k/32<A = 1, K = 512>, u4, strides = [576, 288, 64, 2, 1], from 32 of 576",
            4,
        ),
    ] {
        let vector = vectors().into_iter().find(|vector| vector["id"] == id).unwrap();
        let layout = Layout::parse(text).unwrap_or_else(|error| panic!("{error}"));
        check(&layout, &vector, bits);
        assert_eq!(layout.bytes(), number(&vector["expected"]["bytes"]), "{id}");
    }
}

#[test]
fn vectors_as_types() {
    let vectors = vectors();
    for (id, layout) in VECTORS {
        let vector = vectors.iter().find(|vector| vector["id"] == *id).unwrap();
        check(layout, vector, 1);
    }
    assert_eq!(VECTORS.len(), 47);
}

/// Digits such as `r/32%4`, from slowest to fastest, folded one after the other.
fn folded(digits: &str, axes: &[char], extents: &[usize], coordinate: &[usize]) -> usize {
    let mut offset = 0;
    for digit in digits.split(" . ") {
        let (name, rest) = digit.split_at(1);
        let axis =
            axes.iter().position(|axis| name.starts_with(axis.to_ascii_lowercase())).unwrap();
        let (weight, size) = match rest.split_once('%') {
            Some((weight, size)) => (weight, size.parse().ok()),
            None => (rest, None),
        };
        let weight = weight.trim_start_matches('/').parse().unwrap_or(1);
        let size = size.unwrap_or_else(|| extents[axis].div_ceil(weight));
        offset = offset * size + coordinate[axis] / weight % size;
    }
    offset
}

#[test]
fn formats_of_other_systems_as_types() {
    for (name, digits, layout) in SYSTEMS {
        let letters = layout.letters();
        let axes: Vec<char> = (0..letters.count()).map(|i| letters.at(i)).collect();
        for coordinate in coordinates(layout.extents()) {
            let offset = folded(digits, &axes, layout.extents(), &coordinate);
            assert_eq!(layout.offset(&coordinate), offset, "{name} at {coordinate:?}");
            assert_eq!(layout.coordinate(offset).unwrap()[..axes.len()], coordinate[..], "{name}");
        }
        assert_eq!(layout.len(), layout.numel(), "{name}");
        assert_eq!(layout.to_string().parse(), Ok(*layout), "{name}");
    }
}

/// One order has one name, one type and one value, however its weights are written.
#[test]
fn orders_have_one_spelling() {
    for (written, name) in [
        ("RC32r4r/32 4c", "RC32r4r/32 4c"),
        ("R C 32r/1 4r/32 4c/1", "RC32r4r/32 4c"),
        ("RC32r 4r / 32 4c", "RC32r4r/32 4c"),
        ("OIHW4i/4 16o 4i/1", "OIHW4i16o4i"),
        ("NCHW4c/1", "NCHW4c"),
        ("C2c/4 4c", "C2c4c"),
        ("C4c2c/4", "C4c2c/4"),
        ("C4c2c/4 3c/8", "C4c2c/4 3c/8"),
        ("C3c/8 2c4c", "C3c2c4c"),
        ("C2c3c/8 4c", "C2c/4 3c/8 4c"),
        ("C1c/9 2c", "C1c2c"),
        (" 4e/2 2e E ", "4e2eE"),
    ] {
        let format = Format::parse(written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(format.to_string(), name);
        assert_eq!(format.name().as_str(), name);
        assert_eq!(Format::parse(name), Ok(format));
    }
    fn same<A: StaticLayout + 'static, B: StaticLayout + 'static>() -> bool {
        core::any::TypeId::of::<A>() == core::any::TypeId::of::<B>()
    }
    assert!(same::<
        layout!(OIHW4i/4 16o4i<16, 16, 3, 3>, f32),
        layout!(OIHW4i16o4i<16, 16, 3, 3>, f32),
    >());
    assert!(
        same::<layout!("RC 4r 2r/4"<R = 8, C = 3>, f32), layout!(RC4r2r/4<R = 8, C = 3>, f32)>()
    );
    assert!(!same::<layout!(RC4r2r<R = 8, C = 3>, f32), layout!(RC4r2r/4<R = 8, C = 3>, f32)>());
    assert!(same::<
        layout!("4eABCDE"<A = 1, B = 2, C = 2, D = 1, E = 4>, u8),
        layout!("4e ABCDE"<A = 1, B = 2, C = 2, D = 1, E = 4>, u8),
    >());
}

#[test]
fn layouts_know_their_format() {
    type Scales = layout!(RC32r4r/32 4c<R = 256, C = 8>, u8);
    let format = Scales::LAYOUT.format().unwrap();
    assert_eq!(format, Format::parse("RC32r4r/32 4c").unwrap());
    assert!(Scales::LAYOUT.formats().any(|own| own == format));
    assert_eq!(Scales::LAYOUT.to_string(), "RC32r4r/32 4c<256, 8>, u8");
    assert_eq!(Scales::offset([32, 0]), 4);
    let nested = Layout::builder("RC32r4r4c", ElementType::U8);
    let nested = nested.named_extents(&[('R', 256), ('C', 8)]).unwrap();
    assert!(!nested.same_map(&Scales::LAYOUT));
    assert!(Scales::LAYOUT.in_format("RC").unwrap().rank() <= MAX_RANK);
}

/// Errors of text: what is wrong and what to write.
#[test]
fn misplaced_weights_are_refused() {
    for (text, error) in [
        (
            "RC32r4r/16 4c",
            "blocks `32r` and `4r/16` overlap: one step of `4r/16` is 16 coordinates of axis `R`, but `32r` covers 32; write `4r/32`, or smaller blocks",
        ),
        (
            "RC32r4r/64 4c",
            "blocks of axis `R` leave a gap: one step of `4r/64` is 64 coordinates, but `32r` covers 32; write `4r/32`, or add the block `2r/32`",
        ),
        (
            "RC32r4r/48 4c",
            "blocks of axis `R` leave a gap: one step of `4r/48` is 48 coordinates, but `32r` covers 32; write `4r/32`",
        ),
        (
            "R4r/4",
            "blocks of axis `R` leave a gap: one step of `4r/4` is 4 coordinates, but there is no smaller block; write `4r`, or add the block `4r`",
        ),
        (
            "R4r2r/1",
            "blocks `4r` and `2r` overlap: one step of `2r` is 1 coordinate of axis `R`, but `4r` covers 4; write `2r/4`, or smaller blocks",
        ),
        (
            "R4r/0",
            "a block of axis `R` has weight 0; write the number of coordinates in one step of the block, such as `4r/32`",
        ),
        (
            "R/4",
            "axis `R` has a weight, but only blocks have weights; remove the `/` and its number, or write a block such as `4r/32`",
        ),
        (
            "R4r/",
            "block `4r/` in `R4r/` has no weight; write the number of coordinates in one step of the block, such as `4r/32`",
        ),
        (
            "R32r4r/324c",
            "weight 324 runs into `c`; write a space after the weight, such as `4r/32 4c`",
        ),
        ("R32 r", "number 32 in `R32 r` has no letter; name the axis of the block, such as `32r`"),
        (
            "R/",
            "axis `R` has a weight, but only blocks have weights; remove the `/` and its number, or write a block such as `4r/32`",
        ),
        (
            "/4",
            "format `/4` contains `/`; write a letter for each axis and a number with a letter for each block, such as `NCHW4c`",
        ),
        (
            "R4r/99999999999999999999",
            "a block of `R4r/99999999999999999999` does not fit in `usize`; write a smaller block",
        ),
    ] {
        assert_eq!(Format::parse(text).unwrap_err().to_string(), error, "{text}");
    }
}

/// Views of digits: offsets are those of the layout, and text is read as the view.
#[test]
fn views_of_digits_are_where_their_layout_has_them() {
    type Scales = layout!(RC32r4r/32 4c<R = 256, C = 8>, u8);
    let layout = Scales::LAYOUT;
    let check = |view: Layout, place: &dyn Fn(&[usize]) -> [usize; 2]| {
        for coordinate in coordinates(view.extents()) {
            let own = layout.offset(&place(&coordinate));
            assert_eq!(view.offset(&coordinate), own, "{view} at {coordinate:?}");
        }
        assert_eq!(view.to_string().parse(), Ok(view));
    };
    check(layout.permute("CR").unwrap(), &|c| [c[1], c[0]]);
    check(layout.slice('R', 5, 1, 200).unwrap(), &|c| [c[0] + 5, c[1]]);
    check(layout.slice('R', 255, -32, 8).unwrap(), &|c| [255 - 32 * c[0], c[1]]);
    check(layout.slice('R', 3, 128, 2).unwrap(), &|c| [3 + 128 * c[0], c[1]]);
    check(layout.flip('C').unwrap(), &|c| [c[0], 7 - c[1]]);
    check(layout.index('C', 3).unwrap(), &|c| [c[0], 3]);
    check(layout.tile('R', &[('A', 8), ('B', 32)]).unwrap(), &|c| [c[0] * 32 + c[1], c[2]]);
    check(layout.merge("RC", 'M').unwrap(), &|c| [c[0] / 8, c[0] % 8]);
    let tiled = layout.tile('R', &[('A', 8), ('B', 32)]).unwrap();
    assert!(tiled.merge("AB", 'R').unwrap().same_map(&layout));
    let rows = layout.slice('R', 32, 1, 32).unwrap();
    assert_eq!(
        rows.to_string(),
        "CR4c<R = 32, C = 8>, u8, strides = [512, 16, 1], coordinates(R, C), from 4 of 2048"
    );
}

/// What digits hold moves to another order and back.
#[test]
fn digits_are_moved_as_other_blocks_are() {
    type Rows = layout!(RC<R = 130, C = 5>, u8);
    type Scales = layout!(RC32r4r/32 4c<R = 130, C = 5>, u8, pad = 9);
    let rows =
        Tensor::<Rows, _>::new(core::array::from_fn::<u8, 650, _>(|i| i as u8 | 16)).unwrap();
    let mut scales = Tensor::<Scales, _>::new([0; 2048]).unwrap();
    rows.relayout_into(&mut scales).unwrap();
    let mut padding = [9; 2048];
    for r in 0..130 {
        for c in 0..5 {
            padding[r / 128 * 1024 + c / 4 * 512 + r % 32 * 16 + r / 32 % 4 * 4 + c % 4] =
                rows[[r, c]];
        }
    }
    assert_eq!(scales.buffer(), padding);
    let mut back = Tensor::<Rows, _>::new([0; 650]).unwrap();
    scales.relayout_into(&mut back).unwrap();
    assert_eq!(back.buffer(), rows.buffer());
}

/// Weights that AutoAWQ packs into words of 32 bits, and the words.
#[test]
fn nibbles_are_those_of_the_words_of_other_systems() {
    type Rows = layout!(KN<K = 2, N = 16>, u4);
    type Words = layout!(KN2n4n/2<K = 2, N = 16>, u4);
    let weights = [
        [13, 14, 10, 5, 1, 15, 14, 4, 10, 3, 13, 8, 1, 13, 4, 11],
        [11, 10, 14, 12, 9, 10, 5, 7, 3, 7, 8, 1, 12, 11, 4, 6],
    ];
    let rows = Tensor::<Rows, _>::new(core::array::from_fn::<u8, 16, _>(|i| {
        let [low, high] = [2 * i, 2 * i + 1].map(|at| weights[at / 16][at % 16]);
        low + 16 * high
    }))
    .unwrap();
    let mut packed = Tensor::<Words, _>::new([0u8; 16]).unwrap();
    rows.relayout_into(&mut packed).unwrap();
    let words = packed.buffer().chunks_exact(4);
    let words: Vec<u32> = words.map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words, [1331618221, 3179495898, 2060081643, 1796689027]);
}
