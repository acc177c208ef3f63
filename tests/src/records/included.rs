//! `include_tensor!` into records, against blocks that the package gguf made (`files/gguf_blocks.py`), with where bytes go
//! written down here.

use tensor_layout::records::RecordBuffer;
use tensor_layout::{f16, include_tensor, layout, record};

record! {
    /// Four rows of Q4_0, four codes of each in turn.
    pub Rows4 = MK { d: 4m f16, q: 4k/4 4m 4k 2k/16 i4 } = d * q
}

/// 8 rows of two blocks of 18 bytes.
fn blocks() -> &'static [u8] {
    &include_bytes!("../../files/q4_0_blocks.npy")[128..]
}

/// Blocks of some rows side by side as ggml repacks them, `chunk` bytes of codes of each in turn: these are signed.
fn repacked(rows: usize, chunk: usize) -> Vec<u8> {
    let block = |row: usize, at: usize| &blocks()[(row * 2 + at) * 18..][..18];
    let mut all = Vec::new();
    for (first, at) in (0..8).step_by(rows).flat_map(|row| [(row, 0), (row, 1)]) {
        (first..first + rows).for_each(|row| all.extend(&block(row, at)[..2]));
        for start in (2..18).step_by(chunk) {
            for row in first..first + rows {
                all.extend(block(row, at)[start..start + chunk].iter().map(|byte| byte ^ 0x88));
            }
        }
    }
    all
}

type Eight = layout!(MK<8, 64>, ggml::q4_0x8_8);

static EIGHT: RecordBuffer<Eight, &[u8]> =
    include_tensor!("files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, ggml::q4_0x8_8);

include_tensor! {
    /// The same, four rows at a time.
    pub struct Four = "files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, Rows4!
}

#[test]
fn blocks_are_repacked() {
    assert_eq!(EIGHT.bytes(), repacked(8, 8));
    assert_eq!(EIGHT.bytes().as_ptr() as usize % 16, 0);
    assert_eq!(Four::BUFFER.bytes(), repacked(4, 4));
    let scale = f16::from_le_bytes([blocks()[18], blocks()[19]]);
    assert_eq!(Four::BUFFER.d().get([0, 32]), Some(scale));
    let apart: RecordBuffer<layout!(<M = 8, K = 64>, { q: M K u4; d: K/32 M f16 }), _, 2> = include_tensor!(
        "files/q4_0_blocks.npy", MK, ggml::Q4_0 => <M = 8, K = 64>, { q: M K u4; d: K/32 M f16 }
    );
    for (i, byte) in apart.buffers()[0].iter().enumerate() {
        let code = |k: usize| {
            let byte = blocks()[(i / 32 * 2 + k / 32) * 18 + 2 + k % 16];
            byte >> (k % 32 / 16 * 4) & 15
        };
        let k = i % 32 * 2;
        assert_eq!(*byte, code(k) | code(k + 1) << 4, "byte {i}");
    }
    for (i, scale) in apart.buffers()[1].chunks(2).enumerate() {
        assert_eq!(scale, &blocks()[(i % 8 * 2 + i / 8) * 18..][..2], "scale {i}");
    }
}

/// Tensors of a file that the package gguf wrote.
#[test]
fn tensors_of_gguf() {
    let q: RecordBuffer<Eight, &[u8]> = include_tensor!("files/tensors.gguf", "blk.0.attn_q.weight", MK => MK<8, 64>, ggml::q4_0x8_8);
    assert_eq!(q.bytes(), repacked(8, 8));
    let q = include_tensor!(
        "files/tensors.gguf", "blk.0.attn_q.weight", MK, ggml::Q4_0 => MK<8, 64>, Rows4!
    );
    assert_eq!(q.bytes(), repacked(4, 4));
    // Blocks lie along the last axis, whatever its letter is, and whatever K is.
    let q = include_tensor!(
        "files/tensors.gguf", "blk.0.attn_q.weight", KN => KN<8, 64>, { d: 8k f16, q: 2n/8 8k 8n 2n/16 i4 } = d * q
    );
    assert_eq!(q.bytes(), repacked(8, 8));
    let norm = include_tensor!("files/tensors.gguf", "blk.0.attn_norm.weight", K => K<3>, f32);
    assert_eq!(norm.buffer(), &[0.0, 1.0, 2.0]);
    let conv =
        include_tensor!("files/tensors.gguf", "conv", CHW, i16 => HWC<C = 2, H = 3, W = 4>, i16);
    let expected: [i16; 24] = std::array::from_fn(|i| (i % 2 * 12 + i / 2) as i16);
    assert_eq!(conv.buffer(), &expected);
}

#[test]
fn an_array_is_the_one_field_of_a_record() {
    // 8 x 288 codes without a header.
    let raw = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/files/weights_f32.bin")).unwrap();
    let code = |n: usize, k: usize| raw[(n * 288 + k) / 2] >> (k % 2 * 4) & 15;
    let packed = include_tensor!(
        "files/weights_f32.bin", NK, u4 => N<N = 8, K = 288>, { g: { q: K 3n 16k u4 } } pad(N = last)
    );
    assert_eq!(packed.bytes().len(), 9 * 144);
    for (i, byte) in packed.bytes().iter().enumerate() {
        let of = |i: usize| code((i / 864 * 3 + i / 16 % 3).min(7), i % 864 / 48 * 16 + i % 16);
        assert_eq!(*byte, of(2 * i) | of(2 * i + 1) << 4, "byte {i}");
    }
    // The highest byte first, and the first axis the fastest.
    let swapped = include_tensor!("files/big_endian_i64.npy", HW => WH<H = 2, W = 3>, { v: i64 });
    let numbers = [0i64, 3, 1, 4, 2, 5].map(i64::to_le_bytes);
    assert_eq!(swapped.bytes(), numbers.as_flattened());
    let weights: Vec<u8> =
        (0..288).flat_map(|i| raw[i % 8 * 144 + i / 8 * 4..][..4].to_vec()).collect();
    let fortran = include_tensor!(
        "files/weights_fortran_f32.npy", OIHW => IHW<O = 8, I = 4, H = 3, W = 3>, { w: 8o f32 }
    );
    assert_eq!(fortran.bytes(), weights);
    let named = include_tensor!(
        "files/numpy.safetensors", "conv.weight", OIHW => IHWO<O = 2, I = 1, H = 3, W = 3>, { w: f32 }
    );
    let expected: [[u8; 4]; 18] =
        std::array::from_fn(|i| ((i % 2 * 9 + i / 2) as f32).to_le_bytes());
    assert_eq!(named.bytes(), expected.as_flattened());
}
