//! One array of a file: its header and its bytes.

use std::fmt::Display;

use layout_core::{ElementType, Layout};
use layout_types::numbers::ByteOrder;

use super::texts;

/// The quantization of a tensor.
pub(super) struct Quantization {
    pub(super) scales: Vec<f32>,
    pub(super) zero_points: Vec<i64>,
    /// The position in the shape of the axis whose coordinates have a scale each.
    pub(super) axis: usize,
    /// Whether the tensor is an activation, which has no elements in the file.
    pub(super) is_activation: bool,
    /// What the operator that reads the tensor as its weights does after its sums, or why this is unknown.
    pub(super) epilogue: Option<Result<EpilogueValues, String>>,
}

/// The fields of `tensor_layout::Epilogue`.
pub(super) struct EpilogueValues {
    pub(super) starts: Vec<i32>,
    pub(super) multipliers: Vec<i32>,
    pub(super) shifts: Vec<i32>,
    pub(super) input_zero_point: i32,
    pub(super) zero_point: i32,
    pub(super) range: (i32, i32),
}

/// An array as it is stored in the file.
pub(super) struct FileArray<'a> {
    /// The path of the file, as written.
    pub(super) path: &'a str,
    pub(super) element: ElementType,
    pub(super) order: ByteOrder,
    /// The axes, slowest first except in Fortran order; `None` for raw bytes.
    pub(super) shape: Option<Vec<usize>>,
    /// Whether the first axis is the fastest.
    pub(super) is_fortran: bool,
    pub(super) bytes: &'a [u8],
    /// The record of its blocks, whose numbers the shape counts.
    pub(super) blocks: Option<&'static str>,
    /// What the file says about quantized elements.
    pub(super) stored: Option<Quantization>,
}

impl FileArray<'_> {
    /// Returns an error unless the array has the shape of `source`, whose axes are those of `format`.
    pub(super) fn check_shape(
        &self,
        format: &str,
        source: &Layout,
        destination: &impl Display,
    ) -> Result<(), String> {
        let mut needed: Vec<usize> = source.digits().iter().map(|digit| digit.size).collect();
        if self.is_fortran {
            needed.reverse();
        }
        match &self.shape {
            Some(shape) if *shape != needed => {
                Err(texts::shape(self.path, shape, &needed, format, destination))
            }
            _ => Ok(()),
        }
    }

    /// Returns an error unless the array has the shape and the size of `source`, whose axes are those of `format`.
    pub(super) fn check(
        &self,
        format: &str,
        source: &Layout,
        destination: &Layout,
    ) -> Result<(), String> {
        self.check_shape(format, source, destination)?;
        match self.bytes.len() {
            given if given == source.bytes() => Ok(()),
            given => {
                let needed = source.bytes();
                Err(texts::length(self.path, given, source, needed, self.shape.is_none()))
            }
        }
    }
}
