//! Two quantized networks without allocation, floats or panics: [`person_detect`] finds people in a picture, and
//! [`speech`] two words in a second of sound. Their outputs equal those of TensorFlow Lite for Microcontrollers.
//!
//! `operators` has the layers. A network is a list of weights out of a .tflite file, and a list of steps, each with the
//! layouts of its input and its output.
#![no_std]

pub mod operators;
pub mod person_detect;
mod softmax;
pub mod speech;
mod steps;
pub mod vectors;
