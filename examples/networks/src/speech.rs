//! Which word a second of sound has: silence, an unknown one, "yes" or "no".

use tensor_layout::include_tensor;

use crate::operators;
use crate::softmax::Softmax;
use crate::steps::{Act, ends, steps};

include_tensor! {
    /// 8 filters of 10 x 8 points.
    struct Filters = "models/speech.tflite", 8, IHWO => IHWO<O = 8, I = 1, H = 10, W = 8>, i8
}

include_tensor! {
    /// A layer from all points to words.
    struct Words = "models/speech.tflite", "final_fc_weights/read/transpose", OI => OI2o4i<4, 4000>, i8
}

include_tensor! {
    /// The input of softmax.
    struct Logits = "models/speech.tflite", "add_1", NC => NC<1, 4>, i8
}

/// The most bytes that the input and the output of a step take together.
pub const ARENA: usize = 49 * 40 + 25 * 20 * 8;

/// Borrows the input in the arena: 49 slices of time with 40 bands of frequencies each.
pub fn spectrum(arena: &mut [i8; ARENA]) -> &mut [i8; 49 * 40] {
    ends::<0, _, _>(arena).1
}

/// Returns how sure the network is of each word in the [`spectrum`]: -128 is 0, and 127 almost 1. The spectrum may be
/// overwritten.
///
/// `observe` gets the output of each step, with its index in the file.
pub fn infer(arena: &mut [i8; ARENA], mut observe: impl FnMut(usize, &[i8])) -> [i8; 4] {
    const SOFTMAX: Softmax = Softmax::new(Logits::SCALE);
    steps! { @back arena observe;
        2: Act<49, 40, 1> => Act<25, 20, 8> = |x, mut y| operators::filters::<2, _, _, _, _, _, _, _>(
            x.row([0]), Filters::TENSOR.row([0]), Filters::EPILOGUE, y.row_mut([0]));
        6: Act<1, 1, 4000> => Act<1, 1, 4> = |x, mut y| operators::pointwise(
            &x.row([0])[0], Words::TENSOR.buffer(), Words::EPILOGUE, &mut y.row_mut([0])[0]);
        9: Act<1, 1, 4> => Act<1, 1, 4> = |x, mut y| SOFTMAX.run(&x.row([0])[0][0], &mut y.row_mut([0])[0][0]);
        return Act<1, 1, 4>;
    }
}
