//! Scales of quantized elements, as written or as the values ask for.

use layout_types::nests::Pair;
use layout_types::numbers::{count_of, raise_magnitudes, scale_of};
use layout_types::{Conversion, ElementType, Layout, Number};

use super::problem::Problem;
use super::texts;

/// The scales of a tensor, with the zero point that goes with each.
pub(super) struct Scales {
    pub(super) values: Vec<f32>,
    zero_points: Vec<i32>,
    /// The sums of the integers, as many.
    pub(super) sums: Vec<i64>,
    /// The axis whose coordinates have one each; `None` for one of the whole tensor.
    pub(super) axis: Option<char>,
}

impl Scales {
    /// One that was written down.
    pub(super) fn given(scale: f32, zero_point: i32) -> Self {
        Self { values: vec![scale], zero_points: vec![zero_point], sums: Vec::new(), axis: None }
    }

    /// The smallest scales with which no element of `values`, which lie as `source` says, is past
    /// what integers of type `element` hold, with 0 as 0.
    pub(super) fn of<W: Number<Unit = W>>(
        path: &str,
        values: &[W],
        source: &Layout,
        axis: Option<char>,
        element: ElementType,
    ) -> Result<Self, Problem> {
        let index = axis.and_then(|letter| source.letters().position(letter));
        let mut magnitudes = vec![0.0; count_of(source, index)];
        let pair = Pair::new(source, source)?;
        raise_magnitudes::<W>(&pair, index, values, &mut magnitudes).map_err(|offset| {
            Problem::File(texts::not_finite(path, W::to_f64(values[offset].hold()), offset))
        })?;
        let count = magnitudes.len();
        let scales = magnitudes.into_iter().map(|magnitude| scale_of(magnitude, element));
        let values = scales.collect::<Result<_, _>>()?;
        Ok(Self { values, zero_points: vec![0; count], sums: Vec::new(), axis })
    }

    /// The same with the sums of the integers.
    pub(super) fn with_sums(mut self, sums: Vec<i64>) -> Self {
        self.sums = sums;
        self
    }

    /// What happens to the elements.
    pub(super) fn conversion(&self) -> Conversion<'_> {
        match self.axis {
            Some(axis) => Conversion::quantize_per_axis(axis, &self.values, &self.zero_points),
            None => Conversion::quantize(self.values[0], self.zero_points[0]),
        }
    }
}
