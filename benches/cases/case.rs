//! A case: a tensor of one shape and element, moved from one format to another.

use std::fmt;

use tensor_layout::{ElementType, Format, Layout};

/// The elements of cases: one of each width.
#[allow(dead_code, reason = "only `targets` makes cases of its own")]
pub(crate) const ELEMENTS: [&str; 3] = ["f32", "f16", "i8"];

/// What is moved, and how well others do it: eff, the time of memcpy over the time of the candidate, as it was
/// measured elsewhere.
#[allow(dead_code, reason = "only `targets` compares")]
pub(crate) struct Case {
    /// As tables write it: `NCHW->NHWC`.
    pub(crate) conversion: String,
    /// The formats of source and destination.
    pub(crate) formats: [String; 2],
    /// Extents, `2x64x3x3`: in coordinate order where the source's letters have one, or else in their order
    /// in memory.
    pub(crate) shape: String,
    /// `f32`.
    pub(crate) element: &'static str,
    /// What is read.
    pub(crate) source: Layout,
    /// What is written.
    pub(crate) destination: Layout,
    /// The best library, and its eff.
    pub(crate) library: Option<(&'static str, f64)>,
    /// The eff of a prototype of this crate, where it could do the case.
    pub(crate) prototype: Option<f64>,
}

impl Case {
    /// A case that nobody has measured elsewhere.
    ///
    /// # Panics
    /// Unless these are two formats of the same axes, with one extent for each axis.
    pub(crate) fn new(
        conversion: &str,
        formats: [&str; 2],
        shape: &str,
        element: &'static str,
    ) -> Self {
        let extents = shape.split('x').map(|n| n.parse().expect("a number"));
        let [source, destination] = formats.map(|format| Format::parse(format).expect("a format"));
        let letters = source.coordinate_order().unwrap_or(source.axes());
        let axes: Vec<(char, usize)> =
            (0..letters.count()).map(|axis| letters.at(axis)).zip(extents).collect();
        let element_type = ElementType::from_name(element).expect("an element");
        let [source, destination] = [source, destination].map(|format| {
            Layout::builder(format, element_type).named_extents(&axes).expect("a layout")
        });
        Self {
            conversion: conversion.to_owned(),
            formats: formats.map(str::to_owned),
            shape: shape.to_owned(),
            element,
            source,
            destination,
            library: None,
            prototype: None,
        }
    }
}

/// `NCHW->NHWC,2x64x3x3,f32`
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.conversion, self.shape, self.element)
    }
}
