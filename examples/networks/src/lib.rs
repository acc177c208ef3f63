//! Two quantized networks without allocation, floats or panics: [`person_detect`] finds people in a picture, and
//! [`speech`] two words in a second of sound. Their outputs equal those of TensorFlow Lite for Microcontrollers.
//!
//! `operators` has the layers. A network is a list of weights out of a .tflite file, an arena with the layouts of
//! its activations and its steps, and the layer that runs at each step.
#![no_std]

mod layer;
pub mod operators;
pub mod person_detect;
mod softmax;
pub mod speech;
pub mod vectors;

use tensor_layout::layout;

/// An activation: height, width and channels.
type Act<const H: usize, const W: usize, const C: usize> =
    layout!(NHWC<N = 1, C = C, H = H, W = W>, i8);
