//! Which quantizer a destination has, and which apply to its rule.

use layout_records::{RecordError, UseFault};
use layout_types::ElementType;

use super::codes::CodeMap;
use super::planned_side::PlannedSide;
use super::quantizer::Quantizer;
use super::rule_form::GroupValue;
use super::side::ValueSide;
use crate::records::record_buffer::fault;

impl PlannedSide {
    /// The quantizer of codes, if this one or the usual one applies to the rule.
    pub(super) fn quantizer(
        &self,
        chosen: Option<Quantizer>,
        side: &ValueSide<'_>,
    ) -> Result<Quantizer, RecordError> {
        let form = &self.form;
        let (is_minimum, is_zero) = (form.minimum.is_some(), form.zeros.is_some());
        let scale = form.scale.as_ref().and_then(GroupValue::multiple);
        let scale = scale.filter(|own| own.1 == 1.0 || !is_minimum && !is_zero);
        let scale = scale.map(|own| self.fields[own.0].element());
        let scale = scale.filter(|element| element.integer_range().is_none());
        let Some(codes) = &self.codes else {
            let is_float = self.fields[self.plain()].element().integer_range().is_none();
            let own = chosen.unwrap_or(Quantizer::AbsMax);
            return match is_float {
                true => Ok(own),
                false => {
                    Err(fault(UseFault::QuantizerInteger(self.fields[self.plain()].element())))
                }
            };
        };
        let is_quarter = codes.float() == Some((ElementType::F4E2M1, 0.0));
        let usual = match (codes.float(), scale) {
            _ if self.are_searched(codes) => Quantizer::Fitted,
            _ if self.levels[0].is_some() && !codes.is_table() => Quantizer::AbsMax,
            (Some(_), Some(ElementType::F8E8M0)) if is_quarter && is_of_ggml(side) => {
                Quantizer::MxGgml
            }
            (own, Some(ElementType::F8E8M0)) if own.is_some() || codes.is_linear() => Quantizer::Mx,
            (Some(_), Some(ElementType::F8E4M3)) if is_quarter => Quantizer::Nvfp4,
            _ if codes.is_table() && is_of_ggml(side) => Quantizer::Fitted,
            _ if is_minimum => Quantizer::MinMax,
            _ if is_zero => Quantizer::Affine,
            _ if codes.is_linear()
                && codes.bits() < 8
                && -codes.range().0 == codes.range().1 + 1.0 =>
            {
                Quantizer::SignedMax
            }
            _ => Quantizer::AbsMax,
        };
        let own = chosen.unwrap_or(usual);
        let levels = form.scale.as_ref().is_some_and(|scale| scale.multiple().is_none());
        match self.takes(own, codes, scale) {
            true => Ok(own),
            false if levels => Err(fault(UseFault::QuantizerLevels(side.rule()))),
            false => Err(fault(UseFault::QuantizerRule(own.name(), side.rule()))),
        }
    }

    /// Whether a quantizer finds scales in elements of a type, and zero points and minima, for codes.
    fn takes(&self, own: Quantizer, codes: &CodeMap, scale: Option<ElementType>) -> bool {
        let form = &self.form;
        let (is_minimum, is_zero) = (form.minimum.is_some(), form.zeros.is_some());
        let is_plain = !is_minimum && !is_zero;
        let is_level = self.levels[0].as_ref().is_some_and(|own| own.sign > 0.0);
        let is_quarter = codes.float() == Some((ElementType::F4E2M1, 0.0));
        let (low, high) = codes.range();
        let is_around_0 = low <= 0.0 && high > 0.0;
        // A power of two is not zero and has no sign.
        let is_power = scale == Some(ElementType::F8E8M0);
        let takes = match own {
            Quantizer::AbsMax => is_plain && !is_power && is_around_0,
            Quantizer::SignedMax => codes.is_linear() && is_plain && !is_power && low < 0.0,
            Quantizer::MinMax => {
                let field = |value: Option<&GroupValue>| value.and_then(GroupValue::field);
                let minimum =
                    field(form.minimum.as_ref()).filter(|own| self.fields[*own].is_float());
                let is_apart = minimum.is_some() && minimum != field(form.scale.as_ref());
                let is_above = codes.is_linear() && low == 0.0 && high > 0.0;
                is_apart && is_above && !is_zero && !is_power
            }
            Quantizer::Affine => {
                let zeros = form.zeros.as_ref().and_then(GroupValue::field);
                let zeros = zeros.and_then(|field| self.fields[field].element().integer_range());
                let (low, high) = codes.codes();
                let holds = zeros.is_some_and(|own| own.0 as f32 <= low && high <= own.1 as f32);
                codes.is_linear() && holds && !is_minimum && !is_power
            }
            Quantizer::Mx => is_power && is_plain && !codes.is_table() && is_around_0,
            Quantizer::MxGgml => is_power && is_quarter,
            Quantizer::Nvfp4 => scale == Some(ElementType::F8E4M3) && is_quarter,
            Quantizer::Fitted if is_level => self.are_searched(codes),
            Quantizer::Fitted => {
                codes.is_table() && is_plain && !is_power && low < 0.0 && codes.factor() == 1.0
            }
        };
        let has_levels = is_level && matches!(own, Quantizer::AbsMax | Quantizer::Fitted);
        takes && (scale.is_some() || has_levels)
    }

    /// Whether a search finds scales of two levels, and minima of two levels for codes from 0 on, of codes of some bits.
    fn are_searched(&self, codes: &CodeMap) -> bool {
        let low = codes.range().0;
        let [Some(scale), _, minimum] = &self.levels else { return false };
        let is_known = match minimum {
            Some(minimum) => {
                let are_apart = minimum.float != scale.float && minimum.codes != scale.codes;
                let are_above = minimum.range.0 == 0.0 && scale.range.0 == 0.0;
                low == 0.0 && minimum.sign < 0.0 && are_above && are_apart
            }
            None => low < 0.0 && scale.range.0 < 0.0 && self.form.minimum.is_none(),
        };
        is_known && scale.sign > 0.0 && codes.is_linear() && self.form.zeros.is_none()
    }
}

/// Whether a side is a record of ggml.
fn is_of_ggml(side: &ValueSide<'_>) -> bool {
    let ValueSide::Record(record) = side else { return false };
    layout_records::known(record).is_some_and(|known| known.name().starts_with("ggml::"))
}
