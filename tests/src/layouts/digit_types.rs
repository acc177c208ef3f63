//! The vectors of `digits.json` and further formats of other systems, as types.

use tensor_layout::{Layout, layout};

/// Vectors by their id.
pub(super) const VECTORS: &[(&str, Layout)] = &[
    ("mxscale-128x4-128x4", <layout!(RC32r4r/32 4c<R = 128, C = 4>, u8)>::LAYOUT),
    ("mxscale-128x4-128x8", <layout!(RC32r4r/32 4c<R = 128, C = 8>, u8)>::LAYOUT),
    ("mxscale-128x4-256x4", <layout!(RC32r4r/32 4c<R = 256, C = 4>, u8)>::LAYOUT),
    ("mxscale-128x4-130x5", <layout!(RC32r4r/32 4c<R = 130, C = 5>, u8, pad)>::LAYOUT),
    ("mxscale-128x4-1x1", <layout!(RC32r4r/32 4c<R = 1, C = 1>, u8, pad)>::LAYOUT),
    ("mxscale-128x4-127x3", <layout!(RC32r4r/32 4c<R = 127, C = 3>, u8, pad)>::LAYOUT),
    ("mxscale-128x4-33x9", <layout!(RC32r4r/32 4c<R = 33, C = 9>, u8, pad)>::LAYOUT),
    ("mxscale-gfx950-32x8-32x8", <layout!(RC4c16r2c/4 2r/16<R = 32, C = 8>, u8)>::LAYOUT),
    ("mxscale-gfx950-32x8-40x9", <layout!(RC4c16r2c/4 2r/16<R = 40, C = 9>, u8, pad)>::LAYOUT),
    ("mxscale-gfx950-32x8-64x16", <layout!(RC4c16r2c/4 2r/16<R = 64, C = 16>, u8)>::LAYOUT),
    ("awq-1x8", <layout!(KN2n4n/2<K = 1, N = 8>, u4)>::LAYOUT),
    ("awq-2x16", <layout!(KN2n4n/2<K = 2, N = 16>, u4)>::LAYOUT),
    ("awq-4x32", <layout!(KN2n4n/2<K = 4, N = 32>, u4)>::LAYOUT),
    ("awq-gemvfast-4x64", <layout!(NK4n2k/32 4k/2 2k4k/8<N = 4, K = 64>, u4)>::LAYOUT),
    ("awq-gemvfast-8x128", <layout!(NK4n2k/32 4k/2 2k4k/8<N = 8, K = 128>, u4)>::LAYOUT),
    ("gptq-qweight4-32x2", <layout!(KN8k<K = 32, N = 2>, u4)>::LAYOUT),
    ("gptq-qweight2-32x2", <layout!(KN16k<K = 32, N = 2>, u2)>::LAYOUT),
    ("gptq-qweight2-64x3", <layout!(KN16k<K = 64, N = 3>, u2)>::LAYOUT),
    ("gptq-qweight2-96x8", <layout!(KN16k<K = 96, N = 8>, u2)>::LAYOUT),
    ("gptq-qweight8-32x2", <layout!(KN4k<K = 32, N = 2>, u8)>::LAYOUT),
    ("marlin-16x64", <layout!(KN8n4k/2 4n/16 2k2n/8 2k/8<K = 16, N = 64>, u4)>::LAYOUT),
    ("marlin-32x128", <layout!(KN8n4k/2 4n/16 2k2n/8 2k/8<K = 32, N = 128>, u4)>::LAYOUT),
    ("marlin-scale_perm", <layout!(8nN<N = 64>, u8)>::LAYOUT),
    ("dnnl-BA16a64b4a-32x128", <layout!(BA16a64b4a<A = 32, B = 128>, f32, pad)>::LAYOUT),
    ("dnnl-BA16a64b2a-32x64", <layout!(BA16a64b2a<A = 32, B = 64>, f32)>::LAYOUT),
    ("dnnl-BA16a32b2a-48x40", <layout!(BA16a32b2a<A = 48, B = 40>, f32, pad)>::LAYOUT),
    ("dnnl-BA8a24b-24x24", <layout!(BA8a24b<A = 24, B = 24>, f32)>::LAYOUT),
    ("dnnl-AB16b16a4b-32x32", <layout!(AB16b16a4b<A = 32, B = 32>, f32, pad)>::LAYOUT),
    ("dnnl-aCB16b16c2b-2x16x32", <layout!(ACB16b16c2b<A = 2, B = 16, C = 32>, f32, pad)>::LAYOUT),
    (
        "dnnl-ABcd4b16a4b-16x16x3x3",
        <layout!(ABCD4b16a4b<A = 16, B = 16, C = 3, D = 3>, f32)>::LAYOUT,
    ),
    (
        "dnnl-ABcd16b32a4b-32x64x1x1",
        <layout!(ABCD16b32a4b<A = 32, B = 64, C = 1, D = 1>, f32)>::LAYOUT,
    ),
    ("dnnl-Acdb16a-16x3x3x3", <layout!(ACDB16a<A = 16, B = 3, C = 3, D = 3>, f32)>::LAYOUT),
    (
        "dnnl-ABcde32a32b-32x32x1x1x2",
        <layout!(ABCDE32a32b<A = 32, B = 32, C = 1, D = 1, E = 2>, f32)>::LAYOUT,
    ),
    ("mxsf-32-128x128", <layout!(RC32r4r/32 4c<R = 128, C = 4>, u8)>::LAYOUT),
    ("mxsf-32-256x512", <layout!(RC32r4r/32 4c<R = 256, C = 16>, u8)>::LAYOUT),
    ("mlir-pack-5x7-0_1-4_3-n", <layout!(AB4a3b<A = 5, B = 7>, u8, pad)>::LAYOUT),
    ("mlir-pack-8x8-0_1-2_4-1_0", <layout!(BA2a4b<A = 8, B = 8>, u8)>::LAYOUT),
    ("mlir-pack-33x20-0_1-8_4-1_0", <layout!(BA8a4b<A = 33, B = 20>, u8, pad)>::LAYOUT),
    (
        "mlir-pack-2x20x3x3-1-8-0_1_2_3",
        <layout!(ABCD8b<A = 2, B = 20, C = 3, D = 3>, u8, pad)>::LAYOUT,
    ),
    (
        "mlir-pack-32x18x3x3-1_0-16_16-0_1_2_3",
        <layout!(ABCD16b16a<A = 32, B = 18, C = 3, D = 3>, u8, pad)>::LAYOUT,
    ),
    (
        "ethosu-NHCWB16-1x20x2x3-int8",
        <layout!(NHCW16c<N = 1, C = 20, H = 2, W = 3>, u8, pad)>::LAYOUT,
    ),
    ("xla-f32-3x51_0T(2_2)", <layout!(AB2a2b<A = 3, B = 5>, u8, pad)>::LAYOUT),
    ("xla-bf16-20x3001_0T(8_128)(2_1)", <layout!(AB4a128b2a1b<A = 20, B = 300>, u8, pad)>::LAYOUT),
    ("xla-f32-4x60_1", <layout!(BA<A = 4, B = 6>, u8)>::LAYOUT),
    (
        "xla-f32-2x3x4x53_0_2_1T(2_4)",
        <layout!(BCAD2a4d<A = 2, B = 3, C = 4, D = 5>, u8, pad)>::LAYOUT,
    ),
    ("tvm-NCHW4c-2x8x3x2", <layout!(NCHW4c<N = 2, C = 8, H = 3, W = 2>, u8)>::LAYOUT),
    ("tvm-NHWC-2x3x4x5", <layout!(NHWC<N = 2, C = 3, H = 4, W = 5>, u8)>::LAYOUT),
];

/// Formats of other systems: what they are, their digits from slowest to fastest, and the type.
pub(super) const SYSTEMS: &[(&str, &str, Layout)] = &[
    (
        "AMD gfx950 scales",
        "r/32 . c/8 . c%4 . r%16 . c/4%2 . r/16%2",
        <layout!(RC4c16r2c/4 2r/16<R = 64, C = 24>, u8)>::LAYOUT,
    ),
    (
        "AWQ GEMVFast",
        "n/4 . k/64 . n%4 . k/32%2 . k/2%4 . k%2 . k/8%4",
        <layout!(NK4n2k/32 4k/2 2k4k/8<N = 8, K = 192>, u4)>::LAYOUT,
    ),
    ("Marlin scales in groups", "n/64 . n%8 . n/8%8", <layout!(N8n8n/8<N = 192>, f16)>::LAYOUT),
    (
        "Marlin scales, one group",
        "n/32 . n/2%4 . n/8%4 . n%2",
        <layout!(N4n/2 4n/8 2n<N = 96>, f16)>::LAYOUT,
    ),
    ("GGUF Q4_0 codes", "e/32 . e%16 . e/16%2", <layout!(E16e2e/16<E = 96>, u4)>::LAYOUT),
    ("GGUF Q4_K codes", "e/64 . e%32 . e/32%2", <layout!(E32e2e/32<E = 256>, u4)>::LAYOUT),
    ("GGUF Q5_K high bits", "e/256 . e%32 . e/32%8", <layout!(E32e8e/32<E = 512>, u1)>::LAYOUT),
    (
        "GGUF Q6_K low bits",
        "e/128 . e/32%2 . e%32 . e/64%2",
        <layout!(E2e/32 32e2e/64<E = 256>, u4)>::LAYOUT,
    ),
    ("GGUF Q6_K high bits", "e/128 . e%32 . e/32%4", <layout!(E32e4e/32<E = 256>, u2)>::LAYOUT),
    ("GGUF NVFP4 codes", "e/16 . e%8 . e/8%2", <layout!(E8e2e/8<E = 64>, u4)>::LAYOUT),
    (
        "ggml q4_0x4, interleave 4",
        "r/4 . b . k/4%4 . r%4 . k%4 . k/16",
        <layout!(RB4k4r4kK<R = 8, B = 3, K = 32>, u4)>::LAYOUT,
    ),
    (
        "ggml q4_0x4, interleave 8",
        "r/4 . b . k/8%2 . r%4 . k%8 . k/16",
        <layout!(RB2k4r8kK<R = 8, B = 3, K = 32>, u4)>::LAYOUT,
    ),
    (
        "KleidiAI qsi4cxp, 4x16x2",
        "n/4 . k/32 . k/8%2 . n%4 . k%8 . k/16%2",
        <layout!(NK2k/8 4n8k2k/16<N = 8, K = 96>, u4)>::LAYOUT,
    ),
    ("KleidiAI qsi8cxp", "n/4 . k/8 . n%4 . k%8", <layout!(NK4n8k<N = 8, K = 64>, i8)>::LAYOUT),
    ("BLIS panel of A", "m/6 . k . m%6", <layout!(MK6m<M = 12, K = 5>, f32)>::LAYOUT),
    (
        "oneDNN BA16a64b4a",
        "b/64 . a/64 . a/4%16 . b%64 . a%4",
        <layout!(BA16a64b4a<A = 128, B = 64>, i8)>::LAYOUT,
    ),
    (
        "mma.m16n8k16 A of lanes and registers",
        "m%8 . k/2%4 . k/8 . m/8 . k%2",
        <layout!(8m4kKM2k<M = 16, K = 16>, f16)>::LAYOUT,
    ),
    (
        "mma.m16n8k32 A of int8",
        "m%8 . k/4%4 . k/16 . m/8 . k%4",
        <layout!(8m4kKM4k<M = 16, K = 32>, i8)>::LAYOUT,
    ),
    ("MFMA 32x32x8 D", "m/4%2 . n . m/8 . m%4", <layout!(2mNM4m<M = 32, N = 32>, f32)>::LAYOUT),
    ("MFMA 16x16x4 f64 D", "m%4 . n . m/4", <layout!(4mNM<M = 16, N = 16>, f64)>::LAYOUT),
    (
        "XLA T(8,128)(2,1) of bf16",
        "r/8 . c/128 . r/2%4 . c%128 . r%2",
        <layout!(RC4r128c2r<R = 16, C = 256>, bf16)>::LAYOUT,
    ),
];
