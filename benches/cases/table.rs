//! The table of `targets.csv`: conversions of real networks, with what others reach.

use std::fmt;

use tensor_layout::spec::{AxisExtent, Length, Spec};
use tensor_layout::{ElementType, Format, Layout};

/// One line of the table. Figures are eff, the time of memcpy over the time of the candidate, as
/// they were measured elsewhere.
#[allow(dead_code, reason = "only `targets` compares")]
pub(crate) struct Case {
    /// As the table writes it, `NCHW->NHWC`.
    pub(crate) conversion: &'static str,
    /// Extents, `2x64x3x3`.
    pub(crate) shape: &'static str,
    /// `f32`.
    pub(crate) element: &'static str,
    /// What is read.
    pub(crate) source: Layout,
    /// What is written.
    pub(crate) destination: Layout,
    /// The best library, and its eff.
    pub(crate) library: (&'static str, f64),
    /// The eff of a prototype of this crate, where it could do the case.
    pub(crate) prototype: Option<f64>,
}

/// `NCHW->NHWC,2x64x3x3,f32`
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.conversion, self.shape, self.element)
    }
}

/// All of them.
pub(crate) fn cases() -> impl Iterator<Item = Case> {
    include_str!("targets.csv").lines().skip(1).map(|line| {
        let fields: Vec<_> = line.split(',').collect();
        let &[conversion, shape, element, _kib, library, eff, _loops, prototype] = &fields[..]
        else {
            panic!("not a line of eight fields: {line}")
        };
        let (from, to) = conversion.split_once("->").expect("a conversion");
        let extents: Vec<usize> = shape.split('x').map(|n| n.parse().expect("a number")).collect();
        let element_type = ElementType::from_name(element).expect("an element");
        let letters = match from {
            "OIHW" | "BSHD" => from,
            _ => "NCHW",
        };
        Case {
            conversion,
            shape,
            element,
            source: layout(from, letters, &extents, element_type),
            destination: layout(to, letters, &extents, element_type),
            library: (library, eff.parse().expect("a library's eff")),
            prototype: prototype.parse().ok(),
        }
    })
}

/// A layout of these axes; the table leaves out the first letters of filters' formats.
fn layout(format: &str, letters: &str, extents: &[usize], element: ElementType) -> Layout {
    let format = match format.starts_with(char::is_numeric) {
        true => format!("OIHW{format}"),
        false => format.to_owned(),
    };
    let format = Format::parse(&format).expect("a format");
    let axis = |(letter, &extent)| AxisExtent { letter, extent: Length::Runtime(extent) };
    let axes: Vec<_> = letters.chars().zip(extents).map(axis).collect();
    let spec = Spec { element, axes: &axes, factors: format.factors(), fill: None };
    Layout::new(&spec).expect("a layout")
}
