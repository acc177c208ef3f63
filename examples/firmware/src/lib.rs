//! The program of both boards: it turns a camera's picture into quantized blocks of channels, and runs a
//! quantized convolution with packed weights in flash.
//!
//! It uses no allocation, no panic and no float. `make.py` generated the data and the expected results without
//! this library.
#![no_std]

mod convolution;
#[cfg(target_os = "none")]
pub mod stack;

use bytemuck::{cast_mut, cast_ref};
use tensor_layout::{Relayout, include_tensor, layout};

/// The camera's output.
type Frame = layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8);
/// The convolution's input. The padding is the zero point.
type Blocks = layout!(NCHW4<1, 3, 16, 16>, u8, pad = 128);

#[derive(Relayout)]
#[relayout(Frame => Blocks)]
struct Load;

include_tensor! {
    /// The trained weights, packed at compile time in the order in which the convolution reads them. They are
    /// in flash and need no work at run time.
    struct Weights = "data/weights.npy", OIHW => OIHW4i4o<8, 3, 3, 3>, i8, pad
}

#[unsafe(no_mangle)]
static DATA_FRAME: [u8; Frame::LEN] = *include_bytes!("../data/frame.bin");
#[unsafe(no_mangle)]
static DATA_INPUT: [u8; Blocks::LEN] = *include_bytes!("../data/input.bin");
#[unsafe(no_mangle)]
static DATA_OUTPUT: [u8; 2 * 14 * 14 * 4] = *include_bytes!("../data/output.bin");

/// The maximal number of stack bytes besides buffers.
const STACK: usize = 512;

/// Runs everything. Returns 0, or the number of the first failure: 1 for the blocks, 2 for the convolution's
/// result, 3 for too much stack.
pub fn run() -> i32 {
    // Arrays of words, so that kernels find them aligned.
    let mut input = [0u32; Blocks::LEN / 4];
    let mut output = [[[[0i8; 4]; 14]; 14]; 2];
    let work = || {
        load(&DATA_FRAME, &mut input);
        convolution::convolve(
            cast_ref(&input),
            cast_ref(Weights::TENSOR.into_buffer()),
            &mut output,
        );
    };
    #[cfg(target_os = "none")]
    let depth = stack::stack(2 * STACK, work);
    // On other targets the memory below the stack is unknown.
    #[cfg(not(target_os = "none"))]
    let depth = {
        let mut work = work;
        work();
        0
    };
    let moved: &[u8; Blocks::LEN] = cast_ref(&input);
    let convolved: &[u8; 2 * 14 * 14 * 4] = cast_ref(&output);
    if *moved != DATA_INPUT {
        1
    } else if *convolved != DATA_OUTPUT {
        2
    } else if depth > STACK {
        3
    } else {
        0
    }
}

/// Moves a picture to blocks of channels, and its bytes from zero point 128 to zero point 0. Subtracting 128 inverts
/// the highest bit of a byte, so one XOR converts four bytes in place after they have moved, without floats.
/// `Conversion::quantize` is for floats.
#[inline(never)]
fn load(frame: &[u8; Frame::LEN], input: &mut [u32; Blocks::LEN / 4]) {
    Load::run_arrays(frame, cast_mut(input));
    for word in input {
        *word ^= 0x8080_8080;
    }
}

#[test]
fn this_machine() {
    assert_eq!(run(), 0);
}
