//! Which word a second of sound has: silence, an unknown one, "yes" or "no".

use tensor_layout::include_tensor;

use crate::operators::{self, Image};
use crate::softmax::Softmax;
use crate::steps::{Act, steps};

/// 49 slices of time with 40 bands of frequencies each.
pub type Spectrum = Image<49, 40, 1>;

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
pub const ARENA: usize = 25 * 20 * 8 + 4;

/// Returns how sure the network is of each word: -128 is 0, and 127 almost 1.
///
/// `observe` gets the output of each step, with its index in the file.
pub fn infer(
    spectrum: &Spectrum,
    arena: &mut [i8; ARENA],
    mut observe: impl FnMut(usize, &[i8]),
) -> [i8; 4] {
    const SOFTMAX: Softmax = Softmax::new(Logits::SCALE);
    let (first, _) = crate::steps::ends::<{ <Act<25, 20, 8>>::LEN }, 0, _>(arena);
    let mut tensor = tensor_layout::Tensor::<Act<25, 20, 8>, _>::from(&mut *first);
    operators::filters::<2, _, _, _, _, _, _, _>(
        spectrum, Filters::TENSOR.row([0]), Filters::EPILOGUE, tensor.row_mut([0]));
    observe(2, first);
    steps! { @front arena observe;
        6: Act<1, 1, 4000> => Act<1, 1, 4> = |x, mut y| operators::pointwise(
            &x.row([0])[0], Words::TENSOR.buffer(), Words::EPILOGUE, &mut y.row_mut([0])[0]);
        9: Act<1, 1, 4> => Act<1, 1, 4> = |x, mut y| SOFTMAX.run(&x.row([0])[0][0], &mut y.row_mut([0])[0][0]);
        return Act<1, 1, 4>;
    }
}
