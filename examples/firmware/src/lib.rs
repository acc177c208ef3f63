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
use tensor_layout::arena::TakeOnce;
use tensor_layout::{Relayout, Tensor, arena, include_tensor, layout};

/// The camera's output.
type Frame = layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8);
/// The frame in blocks of channels. The padding is the zero point.
type Blocks = layout!(NCHW4<1, 3, 16, 16>, u8, pad = 128);
/// The convolution's input, whose zero point is 0.
type Input = layout!(NCHW4<1, 3, 16, 16>, i8, pad);
type Output = layout!(NCHW4<1, 8, 14, 14>, i8);

#[derive(Relayout)]
#[relayout(Frame => Blocks)]
struct Load;

arena! {
    /// What the program computes with. Tensors that are not needed at the same time share bytes.
    struct Activations in 2600 {
        frame: Frame = 0, // where the camera writes it
        blocks: Blocks,
        input: Input,
        output: Output,
    }
    fn take_picture(frame) -> output {
        blocks = pack(frame);
        input = center(blocks in place);
        output = convolve(input);
    }
}

#[unsafe(no_mangle)]
static DATA_MEMORY: TakeOnce<ActivationsMemory> = TakeOnce::new(ActivationsMemory::ZEROED);

include_tensor! {
    /// The trained weights, packed at compile time in the order in which the convolution reads them. They are
    /// in flash and need no work at run time.
    struct Weights = "data/weights.npy", OIHW => OIHW4i4o<8, 3, 3, 3>, i8, pad
}

#[unsafe(no_mangle)]
static DATA_FRAME: [u8; Frame::LEN] = *include_bytes!("../data/frame.bin");
#[unsafe(no_mangle)]
static DATA_INPUT: [i8; Input::LEN] = signed(include_bytes!("../data/input.bin"));
#[unsafe(no_mangle)]
static DATA_OUTPUT: [i8; Output::LEN] = signed(include_bytes!("../data/output.bin"));

/// The maximal number of stack bytes besides buffers.
const STACK: usize = 512;

/// Runs everything. Returns 0, or the number of the first failure: 1 for the blocks, 2 for the convolution's
/// result, 3 for too much stack, 4 if it has run before.
pub fn run() -> i32 {
    let Some(memory) = DATA_MEMORY.take() else { return 4 };
    let mut failure = 0;
    let job = || failure = work(memory);
    #[cfg(target_os = "none")]
    let depth = stack::stack(2 * STACK, job);
    // On other targets the memory below the stack is unknown.
    #[cfg(not(target_os = "none"))]
    let depth = {
        let mut job = job;
        job();
        0
    };
    if failure == 0 && depth > STACK { 3 } else { failure }
}

/// Returns the number of the first failure.
fn work(memory: &mut ActivationsMemory) -> i32 {
    let mut is_centered = false;
    let output = Activations::take_picture(memory, |frame| *frame.array_mut() = DATA_FRAME)
        .pack(|frame, blocks| {
            Load::run(frame, blocks);
        })
        .center(center)
        .convolve(|input, output| {
            is_centered = *input.array() == DATA_INPUT;
            let weights = cast_ref(Weights::TENSOR.into_buffer());
            convolution::convolve(cast_ref(input.array()), weights, cast_mut(output.array_mut()));
        })
        .finish();
    match (is_centered, *output.array() == DATA_OUTPUT) {
        (false, _) => 1,
        (_, false) => 2,
        _ => 0,
    }
}

/// Moves bytes from zero point 128 to zero point 0. Subtracting 128 inverts the highest bit of a byte, without floats.
/// `Conversion::quantize` is for floats.
#[inline(never)]
fn center(blocks: Tensor<Blocks, &mut [u8; Blocks::LEN]>) {
    for byte in blocks.into_buffer() {
        *byte ^= 0x80;
    }
}

/// The same bytes as signed numbers.
const fn signed<const LENGTH: usize>(bytes: &[u8; LENGTH]) -> [i8; LENGTH] {
    let (mut numbers, mut i) = ([0; LENGTH], 0);
    while i < LENGTH {
        numbers[i] = bytes[i] as i8;
        i += 1;
    }
    numbers
}

#[test]
fn this_machine() {
    assert_eq!(run(), 0);
}
