//! The scales of quantized elements, either written or computed from the values.

use layout_core::nests::Pair;
use layout_core::{ElementType, Layout};
use layout_types::numbers::{count_of, raise_magnitudes, scale_of};
use layout_types::{Conversion, Number};

use super::texts::{self, Problem};

/// The scales of a tensor, each with its zero point.
pub(super) struct Scales {
    pub(super) values: Vec<f32>,
    zero_points: Vec<i32>,
    /// The sums of the integers, one for each scale.
    pub(super) sums: Vec<i64>,
    /// The axis whose coordinates have a scale each; `None` for one scale of the whole tensor.
    pub(super) axis: Option<char>,
}

impl Scales {
    /// Returns a scale that was written.
    pub(super) fn given(scale: f32, zero_point: i32) -> Self {
        Self { values: vec![scale], zero_points: vec![zero_point], sums: Vec::new(), axis: None }
    }

    /// Returns the smallest scales for which every element of `values` is in the range of integers of type `element`,
    /// with 0 as
    /// 0. `source` is the layout of the values.
    pub(super) fn of<W: Number<Unit = W>>(
        path: &str,
        values: &[W],
        source: &Layout,
        axis: Option<char>,
        element: ElementType,
    ) -> Result<Self, Problem> {
        let index = axis.and_then(|letter| source.letters().position(letter));
        let pair = Pair::new(source, source)?;
        let mut magnitudes = vec![0.0; count_of(source, index)?];
        raise_magnitudes::<W>(&pair, index, values, &mut magnitudes).map_err(|offset| {
            Problem::File(texts::not_finite(path, W::to_f64(values[offset].hold()), offset))
        })?;
        let count = magnitudes.len();
        let scales = magnitudes.into_iter().map(|magnitude| scale_of(magnitude, element));
        let values = scales.collect::<Result<_, _>>()?;
        Ok(Self { values, zero_points: vec![0; count], sums: Vec::new(), axis })
    }

    /// Adds the sums of the integers.
    pub(super) fn with_sums(mut self, sums: Vec<i64>) -> Self {
        self.sums = sums;
        self
    }

    /// Returns the conversion of the elements.
    pub(super) fn conversion(&self) -> Conversion<'_> {
        match self.axis {
            Some(axis) => Conversion::quantize_per_axis(axis, &self.values, &self.zero_points),
            None => Conversion::quantize(self.values[0], self.zero_points[0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_of_an_array_without_elements_have_no_scales() {
        let of = |extent, axis| {
            let source = Layout::of("OI", &[extent, 0], ElementType::F32).unwrap();
            Scales::of::<f32>("", &[], &source, axis, ElementType::I8)
        };
        assert!(matches!(of(1 << 40, Some('O')), Err(Problem::Layouts(_))));
        assert!(of(1 << 40, None).is_ok_and(|scales| scales.values == [1.0]));
        assert!(of(3, Some('O')).is_ok_and(|scales| scales.values == [1.0; 3]));
    }
}
