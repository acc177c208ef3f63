//! Which word a second of sound has: silence, an unknown one, "yes" or "no".

use tensor_layout::{arena, include_tensor};

use crate::Act;
use crate::layer::layer;

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

arena! {
    /// The activations.
    pub struct Activations {
        spectrum: Act<49, 40, 1>,
        points: Act<25, 20, 8>,
        logits: Act<1, 1, 4>,
        words: Act<1, 1, 4>,
    }
    fn listen(spectrum) -> words {
        points = filter(spectrum);
        logits = connect(points);
        words = softmax(logits);
    }
}

/// The bytes of a spectrum.
pub const INPUT: usize = 49 * 40;

/// Returns how sure the network is of each word in a spectrum: -128 is 0, and 127 almost 1. `write` writes the
/// spectrum: 49 slices of time with 40 bands of frequencies each.
///
/// `observe` gets the output of each step.
pub fn infer(
    memory: &mut ActivationsMemory,
    write: impl FnOnce(&mut [i8; INPUT]),
    mut observe: impl FnMut(&[i8]),
) -> [i8; 4] {
    let words = Activations::listen(memory, |spectrum| write(spectrum.array_mut()))
        .filter(layer!(filters by 2, Filters, observe))
        .connect(layer!(fully_connected, Words, observe))
        .softmax(layer!(softmax, Logits, observe))
        .finish();
    *words.array()
}
