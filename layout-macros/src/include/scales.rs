//! Scales of quantized elements, as written or as the values ask for.

use layout_types::{Conversion, ElementType, Layout};

use super::texts;

/// The scales of a tensor, with the zero point that goes with each.
pub(super) struct Scales {
    pub(super) values: Vec<f32>,
    zero_points: Vec<i32>,
    /// The axis whose coordinates have one each; `None` for one of the whole tensor.
    pub(super) axis: Option<char>,
}

impl Scales {
    /// One that was written down.
    pub(super) fn given(scale: f32, zero_point: i32) -> Self {
        Self { values: vec![scale], zero_points: vec![zero_point], axis: None }
    }

    /// The smallest scales with which no element of `values`, which lie as `source` says, is past
    /// what integers of type `element` hold, with 0 as 0.
    pub(super) fn of<W: Copy + Into<f64>>(
        path: &str,
        values: &[W],
        source: &Layout,
        axis: Option<char>,
        element: ElementType,
    ) -> Result<Self, String> {
        // The conversion says that it makes no floats.
        let largest = element.integer_range().map_or(1.0, |(_, high)| high as f64);
        let index = axis.and_then(|letter| source.letters().position(letter));
        let count = index.map_or(1, |index| source.extents()[index]);
        // What turns an offset into a coordinate of the axis.
        let digits: Vec<(usize, usize, usize)> = source
            .digits()
            .iter()
            .filter(|digit| Some(digit.axis) == index)
            .map(|digit| (digit.stride.unsigned_abs(), digit.size, digit.weight))
            .collect();
        let mut ranges = vec![0f64; count];
        for (offset, &value) in values.iter().enumerate() {
            let value: f64 = value.into();
            if !value.is_finite() {
                return Err(texts::not_finite(path, value, offset));
            }
            let mut at = 0;
            for &(stride, size, weight) in &digits {
                at += offset / stride % size * weight;
            }
            ranges[at] = ranges[at].max(value.abs());
        }
        let scale = |range: f64| match range {
            // Nothing but zeros: any scale will do.
            0.0 => 1.0,
            // No smaller than what has an inverse.
            range => ((range / largest) as f32).max(f32::MIN_POSITIVE),
        };
        let values = ranges.into_iter().map(scale).collect();
        Ok(Self { values, zero_points: vec![0; count], axis })
    }

    /// What happens to the elements.
    pub(super) fn conversion(&self) -> Conversion<'_> {
        match self.axis {
            Some(axis) => Conversion::quantize_per_axis(axis, &self.values, &self.zero_points),
            None => Conversion::quantize(self.values[0], self.zero_points[0]),
        }
    }
}
