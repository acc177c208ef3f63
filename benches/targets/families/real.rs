//! What networks and their kernels move besides the conversions.

use crate::cases::{Case, ELEMENTS};

/// Elements of every width, and of one.
const ALL: &[&str] = &ELEMENTS;
const HALVES: &[&str] = &["f16"];
const BYTES: &[&str] = &["i8"];

/// A name, the conversion, the shape, and the elements that are moved so.
type Real = (&'static str, &'static str, &'static str, &'static [&'static str]);

const REAL: &[Real] = &[
    // A and B are rows and columns of a block of pixels. They become the fastest part of the channels, or with
    // space to depth the slowest, or that of NHWC.
    ("pixel shuffle", "CABHW->CHAWB", "16x2x2x96x96", ALL),
    ("pixel shuffle", "CABHW->CHAWB", "16x3x3x64x64", ALL),
    ("pixel shuffle", "CABHW->CHAWB", "16x4x4x48x48", ALL),
    ("pixel unshuffle", "CHAWB->CABHW", "16x96x2x96x2", ALL),
    ("pixel unshuffle", "CHAWB->CABHW", "16x64x3x64x3", ALL),
    ("pixel unshuffle", "CHAWB->CABHW", "16x48x4x48x4", ALL),
    ("space to depth", "CHAWB->ABCHW", "16x96x2x96x2", ALL),
    ("space to depth", "CHAWB->ABCHW", "16x48x4x48x4", ALL),
    ("depth to space", "ABCHW->CHAWB", "2x2x16x96x96", ALL),
    ("depth to space", "ABCHW->CHAWB", "4x4x16x48x48", ALL),
    ("space to depth", "HAWBC->HWABC", "64x2x64x2x16", ALL),
    ("space to depth", "HAWBC->HWABC", "64x3x64x3x16", ALL),
    ("space to depth", "HAWBC->HWABC", "64x4x64x4x3", ALL),
    ("depth to space", "HWABC->HAWBC", "64x64x2x2x16", ALL),
    ("depth to space", "HWABC->HAWBC", "64x64x3x3x16", ALL),
    ("depth to space", "HWABC->HAWBC", "64x64x4x4x3", ALL),
    ("windows", "HAWBC->HWABC", "8x7x8x7x96", ALL),
    ("windows back", "HWABC->HAWBC", "8x8x7x7x96", ALL),
    ("blocks", "HAWB->HWAB", "32x8x32x8", ALL),
    ("blocks", "HAWB->HWAB", "64x8x64x8", ALL),
    ("channel blocks", "NHWC->NCHW8", "1x64x56x56", ALL),
    ("channel blocks", "NHWC->NCHW16", "1x64x56x56", ALL),
    ("filters", "OIHW->HWIO", "128x64x3x3", ALL),
    ("filters", "HWIO->OIHW", "128x64x3x3", ALL),
    ("filters", "OIHW->OIHW4i16o4i", "128x64x3x3", ALL),
    ("filters", "OIHW->OIHW16i16o", "128x64x3x3", ALL),
    ("heads", "BSHD->BHSD", "1x512x16x64", ALL),
    ("heads", "BSHD->BHSD", "1x512x16x72", ALL),
    ("heads", "BSHD->BHSD", "1x512x16x80", ALL),
    ("heads back", "BHSD->BSHD", "1x16x512x64", ALL),
    ("heads back", "BHSD->BSHD", "1x16x512x72", ALL),
    ("heads back", "BHSD->BSHD", "1x16x512x80", ALL),
    // Weights as dot products take them: 4 bytes of K, and AMX's tiles of 16 such rows.
    ("VNNI", "NK->KN4k", "512x512", BYTES),
    ("VNNI", "KN->KN4k", "512x512", BYTES),
    ("VNNI", "NK->KN2k", "512x512", HALVES),
    ("VNNI", "KN->KN2k", "512x512", HALVES),
    ("AMX", "NK->NK16k16n4k", "512x512", BYTES),
    ("AMX", "KN->NK16k16n4k", "512x512", BYTES),
    ("AMX", "NK->NK16k16n2k", "512x512", HALVES),
    ("AMX", "KN->NK16k16n2k", "512x512", HALVES),
    ("KleidiAI x4k8", "NK->NK4n8k", "512x512", BYTES),
    ("ggml x8", "NK->NK8n8k", "512x512", BYTES),
    // Four rows of Q4_0 interleaved, 32 numbers in 18 bytes.
    ("ggml Q4_0 x4", "NAKB->NKAB", "64x4x128x18", BYTES),
    // Scales of 128 rows, each of the first 32 beside those 32, 64 and 96 rows below it.
    ("MX scales", "MABKC->MKBAC", "8x4x32x32x4", BYTES),
    ("MX scales", "MABKC->MKBAC", "32x4x32x32x4", BYTES),
    // Tensor cores: row A, B and column C, D, E of a tile of 16 rows of 32 bytes belong to thread B, D.
    ("mma fragments", "MABKCDE->MKBDCAE", "32x2x8x32x2x4x2", HALVES),
    ("mma fragments", "MABKCDE->MKBDCAE", "32x2x8x16x2x4x4", BYTES),
];

/// All of them.
pub(crate) fn cases() -> Vec<Case> {
    let of = |&(name, conversion, shape, elements): &Real| {
        let (from, to) = conversion.split_once("->").expect("a conversion");
        let case =
            move |&element| Case::new(&format!("{name}: {conversion}"), [from, to], shape, element);
        elements.iter().map(case)
    };
    REAL.iter().flat_map(of).collect()
}
