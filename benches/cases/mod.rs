//! The cases of `targets.csv`: conversions of real networks, with what others reach.

use tensor_layout::spec::{AxisExtent, Length, Spec};
use tensor_layout::{ElementType, Format, Layout};

/// One line of the table.
pub(crate) struct Case {
    /// Conversion, shape and element type.
    pub(crate) name: String,
    /// What is read.
    pub(crate) source: Layout,
    /// What is written.
    pub(crate) destination: Layout,
    /// The best eff of the libraries and the plain loops, as they were measured elsewhere.
    #[allow(dead_code, reason = "only `targets` compares")]
    pub(crate) target: f64,
}

/// All of them.
pub(crate) fn cases() -> impl Iterator<Item = Case> {
    include_str!("targets.csv").lines().skip(1).map(|line| {
        let fields: Vec<_> = line.split(',').collect();
        let (from, to) = fields[0].split_once("->").expect("a conversion");
        let shape: Vec<usize> =
            fields[1].split('x').map(|n| n.parse().expect("a number")).collect();
        let element = ElementType::from_name(fields[2]).expect("an element");
        let letters = match from {
            "OIHW" | "BSHD" => from,
            _ => "NCHW",
        };
        let number = |field: &str| field.parse().unwrap_or(0.0);
        Case {
            name: fields[..3].join(","),
            source: layout(from, letters, &shape, element),
            destination: layout(to, letters, &shape, element),
            target: f64::max(number(fields[5]), number(fields[6])),
        }
    })
}

/// A layout of these axes; the table leaves out the first letters of filters' formats.
fn layout(format: &str, letters: &str, shape: &[usize], element: ElementType) -> Layout {
    let format = match format.starts_with(char::is_numeric) {
        true => format!("OIHW{format}"),
        false => format.to_owned(),
    };
    let format = Format::parse(&format).expect("a format");
    let axis = |(letter, &extent)| AxisExtent { letter, extent: Length::Runtime(extent) };
    let axes: Vec<_> = letters.chars().zip(shape).map(axis).collect();
    let spec = Spec { element, axes: &axes, factors: format.factors(), fill: None };
    Layout::new(&spec).expect("a layout")
}
