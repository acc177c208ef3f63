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
    /// What of a larger tensor is read.
    pub(crate) views: Vec<View>,
}

/// What a view takes of an axis.
#[allow(dead_code, reason = "only `targets` has views")]
#[derive(Clone, Copy)]
pub(crate) enum View {
    /// All coordinates, from the last to the first.
    Flip(char),
    /// Each coordinate that is a multiple of a step.
    Every(char, usize),
    /// All but some of the first coordinates.
    Skip(char, usize),
    /// The only coordinate, again and again.
    Repeat(char),
}

#[allow(dead_code, reason = "only `targets` has views")]
impl View {
    pub(crate) fn axis(&self) -> char {
        match *self {
            Self::Flip(axis) | Self::Every(axis, _) | Self::Skip(axis, _) | Self::Repeat(axis) => {
                axis
            }
        }
    }

    /// The extent of an axis before these views.
    pub(crate) fn whole(all: &[Self], axis: char, extent: usize) -> usize {
        match all.iter().find(|view| view.axis() == axis) {
            Some(Self::Every(_, step)) => extent * step,
            Some(Self::Skip(_, count)) => extent + count,
            Some(Self::Repeat(_)) => 1,
            Some(Self::Flip(_)) | None => extent,
        }
    }
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
        let letters = source.coordinate_order();
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
            views: Vec::new(),
        }
    }

    /// The same of views of a larger tensor, one for an axis.
    ///
    /// # Panics
    /// If an axis is unknown.
    #[allow(dead_code, reason = "only `targets` has views")]
    pub(crate) fn of_views(mut self, views: &[View]) -> Self {
        let letters = self.source.letters();
        let axes = (0..letters.count()).map(|axis| (letters.at(axis), self.source.extents()[axis]));
        let whole = axes.clone().map(|(axis, extent)| (axis, View::whole(views, axis, extent)));
        let whole: Vec<(char, usize)> = whole.collect();
        let format = Format::parse(&self.formats[0]).expect("a format");
        let all = Layout::builder(format, self.source.element()).named_extents(&whole);
        let extent_of = |axis| axes.clone().find(|own| own.0 == axis).expect("an axis").1;
        self.source = views.iter().fold(all.expect("a layout"), |source, view| {
            let viewed = match *view {
                View::Flip(axis) => source.flip(axis),
                View::Every(axis, step) => source.slice(axis, 0, step as isize, extent_of(axis)),
                View::Skip(axis, count) => source.slice(axis, count, 1, extent_of(axis)),
                View::Repeat(axis) => source.broadcast(axis, extent_of(axis)),
            };
            viewed.expect("a view")
        });
        self.views = views.to_vec();
        self
    }
}

/// `every 2 of B`
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flip(axis) => write!(f, "flip {axis}"),
            Self::Every(axis, step) => write!(f, "every {step} of {axis}"),
            Self::Skip(axis, count) => write!(f, "skip {count} of {axis}"),
            Self::Repeat(axis) => write!(f, "repeat {axis}"),
        }
    }
}

/// `NCHW->NHWC,2x64x3x3,f32`
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.conversion, self.shape, self.element)
    }
}
