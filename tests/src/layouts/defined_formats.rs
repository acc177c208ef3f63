//! Formats of other systems by their definitions: lists of digits, evaluated one by one, against the same format in this
//! library's notation, at sizes that fill its blocks and at sizes that do not.

use tensor_layout::Layout;

/// `x/w%n`: the digit `x / w % n` of an axis. Without `%n` it is the rest, whose size follows from the extent.
struct Digit {
    axis: char,
    weight: usize,
    size: Option<usize>,
}

/// Digits from the slowest to the fastest: `r/128 . c/4 . r%32`. A bar is a point, too: it ends the lanes.
fn digits(text: &str) -> Vec<Digit> {
    let one = |text: &str| {
        let (rest, size) = match text.split_once('%') {
            Some((rest, size)) => (rest, Some(size.parse().expect("a size"))),
            None => (text, None),
        };
        let (axis, weight) = match rest.split_once('/') {
            Some((axis, weight)) => (axis, weight.parse().expect("a weight")),
            None => (rest, 1),
        };
        Digit { axis: axis.chars().next().expect("an axis"), weight, size }
    };
    text.split(['.', '|']).map(str::trim).filter(|text| !text.is_empty()).map(one).collect()
}

/// The offset of a coordinate and the number of offsets.
fn offset(digits: &[Digit], axes: &[(char, usize)], coordinate: &[usize]) -> (usize, usize) {
    let (mut offset, mut count) = (0, 1);
    for Digit { axis, weight, size } in digits {
        let at = axes.iter().position(|(own, _)| own == axis).expect("an axis");
        let size = size.unwrap_or(axes[at].1.div_ceil(*weight));
        offset = offset * size + coordinate[at] / weight % size;
        count *= size;
    }
    (offset, count)
}

fn coordinates(axes: &[(char, usize)]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count: usize = axes.iter().map(|(_, extent)| extent).product();
    (0..count).map(move |number| {
        let mut rest = number;
        let mut coordinate = vec![0; axes.len()];
        for (index, (_, extent)) in coordinate.iter_mut().zip(axes).rev() {
            (*index, rest) = (rest % extent, rest / extent);
        }
        coordinate
    })
}

/// A layout by its format, extents in the order of `axes`, and what follows them.
fn layout(format: &str, axes: &[(char, usize)], rest: &str) -> Layout {
    let extents: Vec<String> = axes
        .iter()
        .map(|(axis, extent)| format!("{} = {extent}", axis.to_ascii_uppercase()))
        .collect();
    let text = format!("{format}<{}>, {rest}", extents.join(", "));
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The coordinate of `layout`, whose axes may be in another order.
fn own_coordinate(layout: &Layout, axes: &[(char, usize)], coordinate: &[usize]) -> Vec<usize> {
    let mut own = vec![0; axes.len()];
    for ((axis, _), index) in axes.iter().zip(coordinate) {
        own[layout.letters().position(axis.to_ascii_uppercase()).expect("an axis")] = *index;
    }
    own
}

/// Definition, format, axes, element, and extents.
type Format = (&'static str, &'static str, &'static str, &'static str, &'static [&'static [usize]]);

const FORMATS: &[Format] = &[
    // Scale factors of cuBLAS, and of hipBLASLt on gfx950.
    (
        "r/128 . c/4 . r%32 . r/32%4 . c%4",
        "RC32r4r/32 4c",
        "rc",
        "u8",
        &[&[256, 8], &[130, 5], &[1, 1]],
    ),
    (
        "r/32 . c/8 . c%4 . r%16 . c/4%2 . r/16%2",
        "RC4c/1 16r2c/4 2r/16",
        "rc",
        "u8",
        &[&[64, 16], &[40, 9]],
    ),
    // AWQ, GPTQ and Marlin.
    ("k . n/8 . n%2 . n/2%4", "KN2n4n/2", "kn", "u4", &[&[4, 32], &[3, 64]]),
    (
        "n/4 . k/64 . n%4 . k/32%2 . k/2%4 . k%2 . k/8%4",
        "NK4n2k/32 4k/2 2k/1 4k/8",
        "nk",
        "u4",
        &[&[4, 64], &[12, 192]],
    ),
    ("k/8 . n . k%8", "KN8k", "kn", "u4", &[&[32, 3], &[64, 8]]),
    ("k/16 . n . k%16", "KN16k", "kn", "u2", &[&[32, 3], &[96, 8]]),
    ("k/4 . n . k%4", "KN4k", "kn", "u8", &[&[32, 2], &[96, 5]]),
    ("g . n/8 . n%8", "GN", "gn", "u4", &[&[2, 16], &[3, 64]]),
    (
        "k/16 . n/64 . n%8 . k/2%4 . n/16%4 . k%2 . n/8%2 . k/8%2",
        "KN8n/1 4k/2 4n/16 2k/1 2n/8 2k/8",
        "kn",
        "u4",
        &[&[16, 64], &[48, 128]],
    ),
    ("g . n/64 . n%8 . n/8%8", "GN8n/1 8n/8", "gn", "f16", &[&[1, 64], &[3, 128]]),
    ("g . n/32 . n/2%4 . n/8%4 . n%2", "GN4n/2 4n/8 2n/1", "gn", "f16", &[&[1, 32], &[2, 96]]),
    // BLIS panels, and weights of oneDNN and AMX.
    ("m/6 . k . m%6", "MK6m", "mk", "f32", &[&[12, 5], &[13, 7]]),
    ("n/16 . k . n%16", "NK16n", "kn", "f32", &[&[5, 16], &[7, 33]]),
    ("b/64 . a/64 . a/4%16 . b%64 . a%4", "BA16a64b4a", "ab", "i8", &[&[64, 64], &[70, 130]]),
    ("b/64 . a/32 . a/2%16 . b%64 . a%2", "BA16a64b2a", "ab", "bf16", &[&[32, 64], &[33, 65]]),
    ("b/48 . a/64 . a/4%16 . b%48 . a%4", "BA16a48b4a", "ab", "i8", &[&[64, 48], &[70, 50]]),
    (
        "a/16 . b/16 . c . d . b/4%4 . a%16 . b%4",
        "ABCD4b16a4b",
        "abcd",
        "i8",
        &[&[16, 16, 3, 3], &[17, 20, 1, 2]],
    ),
    (
        "a . c/64 . b/64 . b/4%16 . c%64 . b%4",
        "ACB16b64c4b",
        "abc",
        "i8",
        &[&[2, 64, 64], &[1, 65, 70]],
    ),
    ("k/4 . n . k%4", "KN4k", "kn", "i8", &[&[64, 16]]),
    ("k/2 . n . k%2", "KN2k", "kn", "bf16", &[&[32, 16]]),
    // Fragments of NVIDIA: operands and results of mma.sync.
    ("m%8 . n/2%4 | m/8 . n%2", "8m4n/2 NM2n/1", "mn", "f32", &[&[16, 8]]),
    ("m%8 . k/2%4 | k/8 . m/8 . k%2", "8m4k/2 KM2k/1", "mk", "f16", &[&[16, 16], &[16, 8]]),
    ("n%8 . k/2%4 | k/8 . k%2", "8n4k/2 NK2k/1", "nk", "f16", &[&[8, 16], &[8, 8]]),
    ("m%8 . k%4 | k/4 . m/8", "8m4k/1 KM", "mk", "f32", &[&[16, 8]]),
    ("n%8 . k%4 | k/4", "8n4k/1 NK", "nk", "f32", &[&[8, 8]]),
    ("m%8 . k/4%4 | k/16 . m/8 . k%4", "8m4k/4 KM4k/1", "mk", "i8", &[&[16, 32]]),
    ("n%8 . k/4%4 | k/16 . k%4", "8n4k/4 NK4k/1", "nk", "i8", &[&[8, 32]]),
    ("m%8 . k/8%4 | k/32 . m/8 . k%8", "8m4k/8 KM8k/1", "mk", "i4", &[&[16, 64]]),
    ("n%8 . k/8%4 | k/32 . k%8", "8n4k/8 NK8k/1", "nk", "i4", &[&[8, 64]]),
    ("m/4 . n/2%2 . m%2 | n/4 . m/2%2 . n%2", "M2n/2 2m/1 N2m/2 2n/1", "mn", "f32", &[&[8, 8]]),
    // Fragments of AMD: MFMA and WMMA.
    ("k/4 . m | k%4", "KM4k", "mk", "f16", &[&[32, 8], &[16, 16]]),
    ("k/8 . m | k%8", "KM8k", "mk", "i8", &[&[32, 16], &[16, 32]]),
    ("m/4%2 . n | m/8 . m%4", "2m/4 NM4m/1", "mn", "f32", &[&[32, 32]]),
    ("m/4 . n | m%4", "MN4m", "mn", "f32", &[&[16, 16]]),
    ("m%4 . n | m/4", "4m/1 NM", "mn", "f64", &[&[16, 16]]),
    ("m%2 . n | m/2", "2m/1 NM", "mn", "f32", &[&[16, 16]]),
    ("k/4%2 . m | k/8 . k%4", "2k/4 MK4k/1", "mk", "f16", &[&[16, 16]]),
    ("m/8 . n | m%8", "MN8m", "mn", "f32", &[&[16, 16]]),
    // Names: Ascend, RKNN, Ethos-U, TensorRT and XLA.
    ("n/16 . m/16 . m%16 . n%16", "NM16m16n", "mn", "f16", &[&[32, 48], &[17, 5]]),
    ("m/16 . k/32 . m%16 . k%32", "MK16m32k", "mk", "i8", &[&[32, 64], &[17, 33]]),
    ("k/16 . n/16 . n%16 . k%16", "KN16n16k", "kn", "f16", &[&[32, 16], &[1, 17]]),
    (
        "c/16 . h . w . n/16 . n%16 . c%16",
        "CHWN16n16c",
        "nchw",
        "f16",
        &[&[16, 16, 3, 3], &[17, 20, 1, 2]],
    ),
    ("n . c/8 . h . w . c%8", "NCHW8c", "nchw", "f16", &[&[1, 8, 4, 4], &[2, 9, 3, 5]]),
    ("n . h . c/16 . w . c%16", "NHCW16c", "nchw", "i8", &[&[1, 16, 4, 4], &[2, 20, 3, 5]]),
    ("n . c/32 . d . h . w . c%32", "NCDHW32c", "ncdhw", "i8", &[&[1, 40, 2, 3, 2]]),
    ("r/8 . c/128 . r%8 . c%128", "RC8r128c", "rc", "f32", &[&[8, 128], &[20, 300]]),
    (
        "r/8 . c/128 . r/2%4 . c%128 . r%2",
        "RC4r/2 128c2r/1",
        "rc",
        "bf16",
        &[&[16, 128], &[9, 130]],
    ),
];

#[test]
fn formats_are_their_definitions() {
    let mut count = 0;
    for (definition, format, letters, element, sizes) in FORMATS {
        let digits = digits(definition);
        for extents in *sizes {
            let axes: Vec<_> = letters.chars().zip(extents.iter().copied()).collect();
            let own = layout(format, &axes, &format!("{element}, pad"));
            for coordinate in coordinates(&axes) {
                let (expected, length) = offset(&digits, &axes, &coordinate);
                let at = own.offset(&own_coordinate(&own, &axes, &coordinate));
                assert_eq!(at, expected, "{own} at {coordinate:?}, {definition}");
                assert_eq!(own.len(), length, "{own}, {definition}");
            }
            count += 1;
        }
    }
    assert!(count > 70, "{count}");
}

/// A field of a composite: the bytes of a block, where the field begins in it, the elements of the field, its digits in
/// a block, its format, the elements of a block and the rows that share it.
type Field = (usize, usize, &'static str, &'static str, &'static str, usize, usize);

const FIELDS: &[Field] = &[
    // ggml: codes, high bits and scales of blocks.
    (18, 2, "u4", "k%16 . k/16%2", "16k/1 2k/16", 32, 1),
    (20, 4, "u4", "k%16 . k/16%2", "16k/1 2k/16", 32, 1),
    (22, 6, "u4", "k%16 . k/16%2", "16k/1 2k/16", 32, 1),
    (22, 2, "u1", "k%32", "32k", 32, 1),
    (24, 8, "u4", "k%16 . k/16%2", "16k/1 2k/16", 32, 1),
    (24, 4, "u1", "k%32", "32k", 32, 1),
    (17, 1, "u4", "k%16 . k/16%2", "16k/1 2k/16", 32, 1),
    (34, 2, "i8", "k%32", "32k", 32, 1),
    (36, 4, "u4", "k/16%4 . k%8 . k/8%2", "4k/16 8k/1 2k/8", 64, 1),
    (144, 16, "u4", "k/64%4 . k%32 . k/32%2", "4k/64 32k/1 2k/32", 256, 1),
    (176, 48, "u4", "k/64%4 . k%32 . k/32%2", "4k/64 32k/1 2k/32", 256, 1),
    (176, 16, "u1", "k%32 . k/32%8", "32k/1 8k/32", 256, 1),
    (210, 0, "u4", "k/128%2 . k/32%2 . k%32 . k/64%2", "2k/128 2k/32 32k/1 2k/64", 256, 1),
    (210, 128, "u2", "k/128%2 . k%32 . k/32%4", "2k/128 32k/1 4k/32", 256, 1),
    (84, 16, "u2", "k/128%2 . k%32 . k/32%4", "2k/128 32k/1 4k/32", 256, 1),
    (66, 0, "u2", "k/128%2 . k%32 . k/32%4", "2k/128 32k/1 4k/32", 256, 1),
    // ggml: rows interleaved.
    (72, 8, "u4", "k/4%4 . r%4 . k%4 . k/16%2", "4k/4 4r4k/1 2k/16", 32, 4),
    (72, 8, "u4", "k/8%2 . r%4 . k%8 . k/16%2", "2k/8 4r8k/1 2k/16", 32, 4),
    (144, 16, "u4", "k/8%2 . r%8 . k%8 . k/16%2", "2k/8 8r8k/1 2k/16", 32, 8),
    (288, 32, "u4", "k%16 . r%16 . k/16%2", "16k/1 16r2k/16", 32, 16),
    (136, 8, "i8", "k/4%8 . r%4 . k%4", "8k/4 4r4k/1", 32, 4),
    (544, 32, "i8", "k%32 . r%16", "32k/1 16r", 32, 16),
    // KleidiAI: 64 elements of each row, then sums, scales and biases. XNNPACK: biases first.
    (
        4 * (32 + 12),
        0,
        "i4",
        "k/32%2 . k/8%2 . r%4 . k%8 . k/16%2",
        "2k/32 2k/8 4r8k/1 2k/16",
        64,
        4,
    ),
    (4 * (64 + 12), 0, "i8", "k/8%8 . r%4 . k%8", "8k/8 4r8k/1", 64, 4),
    (8 * (64 + 4), 32, "i8", "k/4%16 . r%8 . k%4", "16k/4 8r4k/1", 64, 8),
];

/// Composites are views: blocks of a row, or of the rows that share them, one after the other.
#[test]
fn fields_of_composites_are_views() {
    for (bytes, start, element, definition, format, block, shared) in FIELDS {
        let bits: usize = element[1..].parse().expect("bits");
        let (inner, per_byte) = (digits(definition), 8 / bits);
        for (rows, blocks) in [(*shared, 1), (3 * shared, 2), (2 * shared, 5)] {
            let axes = [('r', rows), ('k', blocks * block)];
            // The blocks in the format, from the slowest on: the strides follow from their sizes.
            let mut strides = vec![blocks * bytes * per_byte, bytes * per_byte];
            let mut space: usize = inner.iter().map(|digit| digit.size.unwrap()).product();
            for digit in &inner {
                space /= digit.size.unwrap();
                strides.push(space);
            }
            let length = rows / shared * blocks * bytes * per_byte;
            let rest =
                format!("{element}, strides = {strides:?}, from {} of {length}", start * per_byte);
            let own = layout(&format!("RK{format}"), &axes, &rest);
            for coordinate in coordinates(&axes) {
                let number = coordinate[0] / shared * blocks + coordinate[1] / block;
                let expected =
                    (number * bytes + start) * per_byte + offset(&inner, &axes, &coordinate).0;
                let at = own.offset(&own_coordinate(&own, &axes, &coordinate));
                assert_eq!(at, expected, "{own} at {coordinate:?}");
            }
            assert_eq!(own.to_string().parse::<Layout>(), Ok(own), "{own}");
        }
    }
}

/// Chunk `j` of row `i` of a tile, as TMA, Triton and XNNPACK define it, in elements of any size.
#[test]
fn swizzles_are_their_definitions() {
    for (element, bits) in [("u4", 4), ("u8", 8), ("f16", 16), ("f32", 32), ("f64", 64)] {
        for (name, width, rows_of_phase) in [("b32", 32, 4), ("b64", 64, 2), ("b128", 128, 1)] {
            let (columns, chunk) = (width * 8 / bits, 128 / bits);
            let axes = [('m', 24), ('k', columns)];
            let own = layout("MK", &axes, &format!("{element}, swizzle = {name}"));
            for at in coordinates(&axes) {
                let phase = at[0] / rows_of_phase % (width / 16);
                let expected = at[0] * columns + ((at[1] / chunk) ^ phase) * chunk + at[1] % chunk;
                assert_eq!(own.offset(&at), expected, "{own} at {at:?}");
            }
        }
    }
    for (vec, per_phase, max_phase) in [(8, 1, 8), (4, 2, 4), (1, 1, 16), (2, 4, 2)] {
        let axes = [('m', 40), ('k', 64)];
        let option =
            format!("swizzle(vec = {vec}, per_phase = {per_phase}, max_phase = {max_phase})");
        let own = layout("MK", &axes, &format!("f16, {option}"));
        for at in coordinates(&axes) {
            let phase = at[0] / per_phase % max_phase;
            assert_eq!(own.offset(&at), at[0] * 64 + ((at[1] / vec) ^ phase) * vec + at[1] % vec);
        }
    }
    // A digit that is added modulo 2 is XORed: XNNPACK's sr = 2.
    for (nr, kr) in [(8usize, 4usize), (4, 2), (16, 1)] {
        let axes = [('n', 2 * nr), ('k', 6 * kr)];
        let swizzle = format!("swizzle(1, {}, -{})", kr.ilog2(), nr.ilog2());
        let own = layout(&format!("NK2k{nr}n{kr}k"), &axes, &format!("i8, {swizzle}"));
        for at in coordinates(&axes) {
            let turned = (at[1] / kr + 2 * nr - at[0] % nr) % 2;
            let group = (at[0] / nr * 3 + at[1] / (2 * kr)) * 2 + turned;
            let expected = (group * nr + at[0] % nr) * kr + at[1] % kr;
            let found = own.offset(&own_coordinate(&own, &axes, &at));
            assert_eq!(found, expected, "{own} at {at:?}");
        }
    }
    // Padding after intervals of 128 and of 512 elements, as padded_shared of Triton.
    let axes = [('m', 32), ('k', 64)];
    let own = layout("M4m2mK", &axes, "f16, strides = [544, 132, 64, 1]");
    for at in coordinates(&axes) {
        let plain = at[0] * 64 + at[1];
        assert_eq!(own.offset(&at), plain + plain / 128 * 4 + plain / 512 * 16, "{at:?}");
    }
}
