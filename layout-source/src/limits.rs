//! Checks that numbers fit the integers of a language.

use crate::error::{NoSource, Quantity, SourceError};
use crate::language::Target;
use crate::symbolic::Symbolic;

/// Returns an error if a number in the functions is larger than the largest index.
pub(crate) fn check(layout: &Symbolic, target: Target) -> Result<(), SourceError> {
    let limit = u128::from(target.limit());
    let language = target.language;
    let fits = |what, value, limit| match value <= limit {
        true => Ok(()),
        false => Err(SourceError(NoSource::TooLarge { language, what, value, limit })),
    };
    for digit in layout.digits() {
        let letter = layout.letters.at(digit.axis);
        let end = u128::from(layout.extent(digit.axis).unwrap_or(0)) + u128::from(digit.shift);
        fits(Quantity::Extent(letter), end.max(digit.weight.into()), limit)?;
    }
    if layout.is_empty() {
        return Ok(());
    }
    if !layout.is_fixed() {
        fits(Quantity::Pattern, layout.pattern().into(), limit)?;
    }
    if let Some(len) = layout.known_len() {
        fits(Quantity::Len, len.into(), limit)?;
        if !language.has_wide_integers() {
            fits(Quantity::Bytes, layout.bytes().into(), limit)?;
        }
        let below = if layout.lowest() < 0 { layout.lowest().unsigned_abs() } else { 0 };
        let span = layout.span_from(0).unwrap_or(u128::MAX).max(len.into());
        fits(Quantity::Span, span.saturating_add(below), limit)?;
    }
    for digit in layout.digits().iter().filter(|digit| digit.moves()) {
        let stride = digit.known_stride().unwrap_or(0).unsigned_abs();
        fits(Quantity::Span, stride.into(), limit)?;
    }
    Ok(())
}

/// Returns an error if a stride does not fit a signed index.
pub(crate) fn check_strides(layout: &Symbolic, target: Target) -> Result<(), SourceError> {
    let limit = target.limit() / if target.wide { 1 } else { 2 };
    for digit in layout.digits().iter().filter(|digit| digit.moves()) {
        let value = u128::from(digit.known_stride().unwrap_or(0).unsigned_abs());
        if value > limit.into() {
            let (what, limit, language) = (Quantity::Stride, limit.into(), target.language);
            return Err(SourceError(NoSource::TooLarge { language, what, value, limit }));
        }
    }
    Ok(())
}
