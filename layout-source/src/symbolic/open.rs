//! A layout with run-time extents: each stride depends on faster ones.

use layout_core::Swizzle;
use layout_core::spec::{Factor, MAX_FACTORS, MAX_RANK, Spec, Swizzling};

use super::{Digit, Rounding, Size, Stride, Symbolic, WholeBytes};
use crate::error::{Reason, SourceError};

impl Symbolic {
    /// Returns the digits of `spec`, whose type has been checked.
    ///
    /// # Errors
    /// - The layout is a view with blocks or with a part of a buffer.
    /// - Two alignments apply at the same place, and neither is a multiple of the other.
    /// - A swizzle counts rows whose length is known only at run time.
    pub(crate) fn open(spec: &Spec<'_>) -> Result<Self, SourceError> {
        let mut new = Self {
            element: spec.element,
            letters: spec.letters(),
            extents: [Some(1); MAX_RANK],
            digits: [Digit::NONE; MAX_FACTORS],
            digit_count: 0,
            base: 0,
            len: Stride::Known(0),
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
            return Err(SourceError(Reason::OpenView));
        }
        for (own, axis) in new.extents.iter_mut().zip(spec.axes) {
            *own = axis.extent.value().map(|extent| extent as u64);
        }
        if new.explicit {
            new.place_strides(spec)
        } else {
            new.place_order(spec)?
        }
        for factor in spec.factors {
            if let Factor::Start(bytes) = *factor {
                new.align = bytes;
            }
        }
        Ok(new)
    }

    /// Sets explicit strides, largest first.
    fn place_strides(&mut self, spec: &Spec<'_>) {
        for factor in spec.factors {
            let (letter, stride) = match *factor {
                Factor::Stride(letter, stride) => (letter, stride as i64),
                Factor::Broadcast(letter) => (letter, 0),
                _ => continue,
            };
            let Some(axis) = self.letters.position(letter) else { continue };
            let size = match self.extents[axis] {
                Some(extent) => Size::Known(extent),
                None => Size::Open { extra: 0 },
            };
            let digit = Digit { axis, size, weight: 1, shift: 0, stride: Stride::Known(stride) };
            // If the extent is a parameter, counts down from the last coordinate.
            if digit.is_negative() {
                self.base += digit.distance().unwrap_or(0) as i64;
            }
            self.digits[self.digit_count] = digit;
            self.digit_count += 1;
        }
        self.digits[..self.digit_count].sort_unstable_by_key(|digit| {
            core::cmp::Reverse(digit.known_stride().map(i64::unsigned_abs))
        });
        self.len = Stride::Span;
    }

    /// Computes strides from the memory order, from the fastest factor on.
    fn place_order(&mut self, spec: &Spec<'_>) -> Result<(), SourceError> {
        let mut weights = [1u64; MAX_RANK];
        let exact = Rounding { per_byte: self.element.per_byte() as u64, ..Rounding::NONE };
        let mut rounding = exact;
        let mut placed = 0;
        let mut broadcasts = 0;
        let mut list = [Digit::NONE; 2 * MAX_FACTORS];
        let mut pitch = None;
        for factor in spec.factors.iter().rev() {
            if let Factor::Align(bytes) = *factor {
                rounding.multiple = self.aligned(rounding.multiple, bytes)?;
                self.align = self.align.max(1 << bytes.trailing_zeros());
                continue;
            }
            if let Factor::Pitch(bytes) = *factor {
                pitch = self.element.count_in(bytes);
                self.explicit = true;
                continue;
            }
            let Some(digit) = self.digit(spec, *factor, &mut weights) else { continue };
            if let Factor::Broadcast(_) = *factor {
                broadcasts += 1;
                list[2 * MAX_FACTORS - broadcasts] = digit;
                continue;
            }
            rounding.bytes = self.whole_bytes(spec, *factor, digit.size);
            let stride = match pitch.take() {
                Some(elements) => Stride::Known(elements as i64),
                None => self.after(&list[..placed], rounding),
            };
            list[placed] = Digit { stride, ..digit };
            placed += 1;
            rounding = exact;
        }
        rounding.bytes = self.whole_bytes(spec, Factor::Axis('A'), Size::Open { extra: 0 });
        self.len = self.after(&list[..placed], rounding);
        // The slowest digit comes first: a digit that was placed after another is now before it.
        let flipped = |stride: Stride| match stride {
            Stride::After { faster, rounding } => {
                Stride::After { faster: placed - 1 - faster, rounding }
            }
            other => other,
        };
        self.len = if self.explicit { Stride::Span } else { flipped(self.len) };
        let slowest_first = list[..placed].iter().rev();
        for (own, digit) in self.digits.iter_mut().zip(slowest_first) {
            *own = Digit { stride: flipped(digit.stride), ..*digit };
        }
        let last = list[2 * MAX_FACTORS - broadcasts..].iter();
        for (own, digit) in self.digits[placed..].iter_mut().zip(last) {
            *own = *digit;
        }
        self.digit_count = placed + broadcasts;
        Ok(())
    }

    /// Returns the digit of a factor without its stride, or `None` if the digit is always 0.
    fn digit(
        &self,
        spec: &Spec<'_>,
        factor: Factor,
        weights: &mut [u64; MAX_RANK],
    ) -> Option<Digit> {
        let axis = self.letters.position(factor.letter()?)?;
        let own = |other: &&Factor| other.letter() == factor.letter();
        let (mut block, mut lanes, mut start) = (1, 1, 0);
        for other in spec.factors.iter().filter(own) {
            match *other {
                Factor::Block(_, size) | Factor::Weighted(_, size, _) => block *= size as u64,
                Factor::Lanes(_, count, first) => (lanes, start) = (count as u64, first as u64),
                _ => {}
            }
        }
        let (shift, whole) = (block * start, block * lanes);
        let (size, weight) = match factor {
            Factor::Block(_, size) => {
                weights[axis] *= size as u64;
                (Size::Known(size as u64), weights[axis] / size as u64)
            }
            Factor::Weighted(_, size, weight) => (Size::Known(size as u64), weight as u64),
            Factor::Lanes(_, count, _) => (Size::Known(count as u64), block),
            _ => match self.extents[axis] {
                Some(0) => (Size::Known(0), whole),
                Some(extent) => (Size::Known((extent + shift).div_ceil(whole)), whole),
                // For other layouts the extent is a multiple of the weight.
                None if spec.fill.is_some() || lanes > 1 => {
                    (Size::Open { extra: whole - 1 + shift }, whole)
                }
                None => (Size::Open { extra: 0 }, whole),
            },
        };
        let single = matches!(factor, Factor::Block(..) | Factor::Weighted(..) | Factor::Lanes(..))
            && size == Size::Known(1);
        (!single).then_some(Digit { axis, size, weight, shift, stride: Stride::Known(0) })
    }

    /// Returns both alignments as one multiple of elements.
    fn aligned(&self, multiple: u64, bytes: usize) -> Result<u64, SourceError> {
        let elements = self.element.count_in(bytes).unwrap_or(1) as u64;
        match (elements % multiple, multiple % elements) {
            (0, _) => Ok(elements),
            (_, 0) => Ok(multiple),
            _ => Err(SourceError(Reason::Alignments { bytes })),
        }
    }

    /// Returns the rounding before a factor, if rows of elements of less than a byte may end inside a byte.
    fn whole_bytes(&self, spec: &Spec<'_>, factor: Factor, size: Size) -> WholeBytes {
        match factor {
            _ if self.element.bits() >= 8 || size == Size::Known(1) => WholeBytes::Always,
            Factor::Lanes(..) if spec.fill.is_none() => WholeBytes::MustInLanes,
            _ if spec.fill.is_none() => WholeBytes::Must,
            Factor::Lanes(..) => WholeBytes::Lanes,
            _ => WholeBytes::Rows,
        }
    }

    /// Returns the rounded-up extent of the digits placed so far, as a number if it depends on no parameter.
    fn after(&self, placed: &[Digit], rounding: Rounding) -> Stride {
        let Some((digit, _)) = placed.split_last() else {
            return Stride::Known(rounding.of(1) as i64);
        };
        match (digit.stride, digit.size) {
            (Stride::Known(stride), Size::Known(size)) => {
                Stride::Known(rounding.of(stride as u64 * size.max(1)) as i64)
            }
            _ => Stride::After { faster: placed.len() - 1, rounding },
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
            return Err(SourceError(Reason::SwizzledRows));
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
