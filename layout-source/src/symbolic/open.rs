//! A layout with run-time extents: each stride depends on faster ones.

use core::ops::Range;

use layout_core::spec::{Factor, MAX_FACTORS, MAX_RANK, Spec, Swizzling};
use layout_core::{Partial, Swizzle};

use super::{DigitSize, Rounding, SourceDigit, Stride, Symbolic, WholeBytes};
use crate::error::{NoSource, SourceError};

impl Symbolic {
    /// Returns the digits of `spec`, whose type has been checked.
    ///
    /// # Errors
    /// - The layout is a view with blocks or with a part of a buffer.
    /// - Two alignments apply at the same place, and neither is a multiple of the other.
    /// - A pitch is known only at run time.
    /// - A swizzle counts rows whose length is known only at run time.
    pub(crate) fn open(spec: &Spec<'_>) -> Result<Self, SourceError> {
        // The spec of a type breaks no rule.
        let partial = Partial::new(spec).map_err(|_| SourceError(NoSource::NoStaticType))?;
        let mut new = Self {
            element: spec.element,
            letters: spec.letters(),
            extents: [Some(1); MAX_RANK],
            digits: [SourceDigit::NONE; MAX_FACTORS],
            digit_count: partial.count(),
            base: 0,
            len: Stride::Span,
            align: spec.element.align(),
            swizzle: swizzle(spec)?,
            explicit: spec.factors.iter().any(|factor| matches!(factor, Factor::Stride(..))),
        };
        let is_view = |factor: &Factor| {
            matches!(
                factor,
                Factor::StridedBlock(..) | Factor::Part(..) | Factor::Whole(..) | Factor::Overlap
            )
        };
        if spec.factors.iter().any(is_view) {
            return Err(SourceError(NoSource::OpenView));
        }
        for (place, axis) in new.extents.iter_mut().zip(spec.axes) {
            *place = axis.extent.value().map(|extent| extent as u64);
        }
        for (i, place) in new.digits.iter_mut().enumerate().take(partial.count()) {
            let layout_core::Digit { axis, size, weight, stride, shift } = partial.digit(i);
            let size = match size {
                Partial::UNKNOWN => DigitSize::Open { extra: partial.extra(i) as u64 },
                size => DigitSize::Known(size as u64),
            };
            let (weight, shift) = (weight as u64, shift as u64);
            let stride = Stride::Known(stride as i64);
            *place = SourceDigit { axis, size, weight, shift, stride, change: None };
            // If the extent is a parameter, counts down from the last coordinate.
            if place.is_negative() {
                new.base += place.distance().unwrap_or(0) as i64;
            }
        }
        if !new.explicit {
            new.place_order(spec)?
        }
        for factor in spec.factors {
            if let Factor::Start(bytes) = *factor {
                new.align = bytes;
            }
        }
        Ok(new)
    }

    /// Gives each digit its stride, from the fastest to the slowest: the space of the faster ones, rounded.
    fn place_order(&mut self, spec: &Spec<'_>) -> Result<(), SourceError> {
        let exact = Rounding { per_byte: self.element.per_byte() as u64, ..Rounding::NONE };
        let (mut rounding, mut pitch) = (exact, None);
        let broadcasts = self.digits().iter().rev().take_while(|digit| is_broadcast(digit)).count();
        let strided = self.digit_count - broadcasts;
        let mut slower = strided;
        for factor in spec.factors.iter().rev() {
            match *factor {
                Factor::Align(bytes) => {
                    rounding.multiple = self.aligned(rounding.multiple, bytes)?;
                    self.align = self.align.max(1 << bytes.trailing_zeros());
                }
                Factor::Pitch(bytes) => {
                    let bytes = bytes.value().ok_or(SourceError(NoSource::OpenPitch))?;
                    pitch = self.element.count_in(bytes);
                    self.explicit = true;
                }
                // A block of one position has no digit.
                Factor::Block(_, 1) | Factor::Weighted(_, 1, _) | Factor::Lanes(_, 1, _) => {}
                Factor::Axis(_) | Factor::Block(..) | Factor::Weighted(..) | Factor::Lanes(..) => {
                    rounding.bytes = self.whole_bytes(spec, *factor, self.digits[slower - 1].size);
                    self.digits[slower - 1].stride = match pitch.take() {
                        Some(elements) => Stride::Known(elements as i64),
                        None => self.after(slower..strided, rounding),
                    };
                    slower -= 1;
                    rounding = exact;
                }
                _ => {}
            }
        }
        rounding.bytes = self.whole_bytes(spec, Factor::Axis('A'), DigitSize::Open { extra: 0 });
        self.len = if self.explicit { Stride::Span } else { self.after(0..strided, rounding) };
        Ok(())
    }

    /// Returns both alignments as one multiple of elements.
    fn aligned(&self, multiple: u64, bytes: usize) -> Result<u64, SourceError> {
        let elements = self.element.count_in(bytes).unwrap_or(1) as u64;
        match (elements % multiple, multiple % elements) {
            (0, _) => Ok(elements),
            (_, 0) => Ok(multiple),
            _ => Err(SourceError(NoSource::Alignments { bytes })),
        }
    }

    /// Returns the rounding before a factor, if rows of elements of less than a byte may end inside a byte.
    fn whole_bytes(&self, spec: &Spec<'_>, factor: Factor, size: DigitSize) -> WholeBytes {
        match factor {
            _ if self.element.bits() >= 8 || size == DigitSize::Known(1) => WholeBytes::Always,
            Factor::Lanes(..) if spec.fill.is_none() => WholeBytes::MustInLanes,
            _ if spec.fill.is_none() => WholeBytes::Must,
            Factor::Lanes(..) => WholeBytes::Lanes,
            _ => WholeBytes::Rows,
        }
    }

    /// Returns the rounded-up extent of the digits placed so far, as a number if it depends on no parameter.
    fn after(&self, faster: Range<usize>, rounding: Rounding) -> Stride {
        let Some(digit) = self.digits[faster.clone()].first() else {
            return Stride::Known(rounding.of(1) as i64);
        };
        match (digit.stride, digit.size) {
            (Stride::Known(stride), DigitSize::Known(size)) => {
                Stride::Known(rounding.of(stride as u64 * size.max(1)) as i64)
            }
            _ => Stride::After { faster: faster.start, rounding },
        }
    }
}

/// Returns the swizzle of elements, which the type has checked.
fn swizzle(spec: &Spec<'_>) -> Result<Option<Swizzle>, SourceError> {
    let swizzle = match spec.factors.last() {
        Some(Factor::Swizzle(Swizzling::Elements(bits, base, shift))) => {
            Swizzle::checked_new(*bits, *base, *shift).ok()
        }
        Some(Factor::Swizzle(Swizzling::Bytes(bits, base, shift))) => {
            let bytes = Swizzle::checked_new(*bits, *base, *shift);
            bytes.and_then(|bytes| bytes.of_elements(spec.element)).ok()
        }
        Some(Factor::Swizzle(Swizzling::Phases(..))) => {
            return Err(SourceError(NoSource::SwizzledRows));
        }
        _ => None,
    };
    Ok(swizzle.filter(|swizzle| !swizzle.is_identity()))
}

impl Rounding {
    fn of(self, elements: u64) -> u64 {
        let elements = elements.next_multiple_of(self.multiple);
        match self.bytes {
            WholeBytes::Rows if elements == 0 || self.per_byte % elements != 0 => {
                elements.next_multiple_of(self.per_byte)
            }
            WholeBytes::Lanes => elements.next_multiple_of(self.per_byte),
            _ => elements,
        }
    }
}

/// Whether the digit is that of a broadcast axis. Others have no stride yet, or another one.
fn is_broadcast(digit: &SourceDigit) -> bool {
    digit.stride == Stride::Known(0)
}
