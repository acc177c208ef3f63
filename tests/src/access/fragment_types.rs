//! The vectors of `fragments.json` as types.

use tensor_layout::{Layout, layout};

/// Fragments by their id.
pub(super) const FRAGMENTS: &[(&str, Layout)] = &[
    (
        "mma-SM80_16x8x16_F32F16F16F32_TN-A",
        <layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32))>::LAYOUT,
    ),
    (
        "mma-SM80_16x8x16_F32F16F16F32_TN-B",
        <layout!(N4k K2k<N = 8, K = 16>, f16, lanes(32))>::LAYOUT,
    ),
    (
        "mma-SM80_16x8x16_F32F16F16F32_TN-C",
        <layout!(8m N M2n<M = 16, N = 8>, f32, lanes(32))>::LAYOUT,
    ),
    (
        "mma-SM80_16x8x4_F32TF32TF32F32_TN-A",
        <layout!(8m K M<M = 16, K = 4>, f32, lanes(32))>::LAYOUT,
    ),
    (
        "mma-SM80_16x8x32_S32S8S8S32_TN-C",
        <layout!(8m N M2n<M = 16, N = 8>, i32, lanes(32))>::LAYOUT,
    ),
    (
        "mma-SM80_16x8x16_S32S8S8S32_TN-A",
        <layout!(8m K M4k<M = 16, K = 16>, i8, lanes(32))>::LAYOUT,
    ),
    ("mma-SM80_8x8x16_S32S8S8S32_TN-B", <layout!(N K 4k<N = 8, K = 16>, i8, lanes(32))>::LAYOUT),
    (
        "mma-SM80_16x8x64_S32S4S4S32_TN-A",
        <layout!(8m4k KM8k<M = 16, K = 64>, i4, lanes(32))>::LAYOUT,
    ),
    ("mma-SM80_8x8x4_F64F64F64F64_TN-A", <layout!(MK<M = 8, K = 4>, f64, lanes(32))>::LAYOUT),
    ("mma-SM80_8x8x4_F64F64F64F64_TN-B", <layout!(NK<N = 8, K = 4>, f64, lanes(32))>::LAYOUT),
    ("mma-SM80_8x8x4_F64F64F64F64_TN-C", <layout!(MN2n<M = 8, N = 8>, f64, lanes(32))>::LAYOUT),
    ("mma-SM70_8x8x4_F32F16F16F32_TN-B", <layout!(NK<N = 8, K = 4>, f16, lanes(8))>::LAYOUT),
    ("amd-cdna3-v_mfma_f32_32x32x8_f16-A", <layout!(KM 4k<M = 32, K = 8>, f16, lanes(64))>::LAYOUT),
    ("amd-cdna3-v_mfma_f32_32x32x8_f16-B", <layout!(KN 4k<K = 8, N = 32>, f16, lanes(64))>::LAYOUT),
    (
        "amd-cdna3-v_mfma_f32_32x32x8_f16-D",
        <layout!(2mN M4m<M = 32, N = 32>, f32, lanes(64))>::LAYOUT,
    ),
    ("amd-cdna3-v_mfma_i32_32x32x16_i8-B", <layout!(KN 8k<K = 16, N = 32>, i8, lanes(64))>::LAYOUT),
    ("amd-cdna3-v_mfma_i32_16x16x32_i8-A", <layout!(KM 8k<M = 16, K = 32>, i8, lanes(64))>::LAYOUT),
    (
        "amd-cdna3-v_mfma_i32_16x16x32_i8-D",
        <layout!(MN 4m<M = 16, N = 16>, i32, lanes(64))>::LAYOUT,
    ),
    ("amd-cdna3-v_mfma_f32_16x16x4_f32-A", <layout!(KM<M = 16, K = 4>, f32, lanes(64))>::LAYOUT),
    (
        "amd-cdna3-v_mfma_f32_32x32x2_f32-D",
        <layout!(2mN M4m<M = 32, N = 32>, f32, lanes(64))>::LAYOUT,
    ),
    (
        "amd-cdna3-v_mfma_f32_32x32x16_fp8_fp8-D",
        <layout!(2mN M4m<M = 32, N = 32>, f32, lanes(64))>::LAYOUT,
    ),
    (
        "amd-cdna3-v_mfma_f32_32x32x8_bf16-D",
        <layout!(2mN M4m<M = 32, N = 32>, f32, lanes(64))>::LAYOUT,
    ),
    ("amd-cdna2-v_mfma_i32_16x16x16i8-A", <layout!(KM 4k<M = 16, K = 16>, i8, lanes(64))>::LAYOUT),
    // Lanes 16 to 31 hold copies, which axis C counts.
    (
        "amd-rdna3-v_wmma_i32_16x16x16_iu8-B",
        <layout!(CNK<C = 2, N = 16, K = 16>, i8, lanes(32))>::LAYOUT,
    ),
];

/// Lanes and values as coordinates of bits, by their id.
pub(super) const COPIES: &[(&str, Layout)] = &[
    ("copy-SM75_U32x4_LDSM_N-Src", <layout!(LV<L = 32, V = 128>, u8)>::LAYOUT),
    (
        "copy-SM75_U32x4_LDSM_N-Dst",
        <layout!(VL32v<L = 32, V = 128>, u8, coordinates(L, V))>::LAYOUT,
    ),
    (
        "copy-SM75_U16x2_LDSM_T-Dst",
        <layout!("4l V L 16v"<L = 32, V = 32>, u8, coordinates(L, V))>::LAYOUT,
    ),
    (
        "copy-SM75_U16x4_LDSM_T-Dst",
        <layout!("V 4l 2v/16 L 16v"<L = 32, V = 64>, u8, coordinates(L, V))>::LAYOUT,
    ),
];
