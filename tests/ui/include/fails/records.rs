use tensor_layout::{include_tensor, record};

record! { Packed = MK { d: 8m f16, q: 2k/8 8m 8k 2k/16 i8 } = d * q }

const M: usize = 8;

fn main() {
    // Other elements, a field that the file lacks, and one that is left.
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, Packed!);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, ggml::Q8_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, ggml::Q4_1);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, { q: 32k u4 });
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, { d: 2k/32 f16, q: 64k i8 });
    let _ = include_tensor!("tests/files/row_i16.npy", ABC => ABC<1, 3, 1>, { v: i16, w: i16 });
    // What the file holds.
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q8_0 => MK<8, 64>, ggml::Q8_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK => MK<8, 64>, ggml::Q4_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, gptq::q4 => <M = 8, K = 64>, { q: M K u4 });
    let _ = include_tensor!("tests/files/row_i16.npy", ABC, ggml::Q4_0 => ABC<1, 3, 1>, { v: i16 });
    let _ = include_tensor!("tests/files/fortran_u8.npy", MK, ggml::Q4_0 => MK<2, 32>, ggml::Q4_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q9_9 => MK<8, 64>, ggml::Q4_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", KM, ggml::Q4_0 => MK<8, 64>, ggml::Q4_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<4, 128>, ggml::Q4_0);
    let _ = include_tensor!("tests/files/row_i16.npy", ABC => ABC<1, 3, 1>, { v: u16 });
    let _ = include_tensor!("tests/files/row_i16.npy", AB => ABC<1, 3, 1>, { v: i16 });
    let _ = include_tensor!("tests/files/row_i16.npy", ABC => ABC<3, 1, 1>, { v: i16 });
    let _ = include_tensor!("tests/files/none.bin", ABC => ABC<3, 1, 1>, { v: i16 });
    let _ = include_tensor!("tests/files/tensors.gguf", "blk.0.attn_q.weight", KM => <M = 64, K = 8>, { q: M K u4 });
    // The record.
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<M, 64>, ggml::Q4_0);
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, { d: f16, q: 16k 2k/32 u4 });
    let _ = include_tensor!("tests/files/q4_0_blocks.npy", MK, ggml::Q4_0 => MK<8, 64>, ggml::Q4_0, quantize);
}
