//! Conversions between static layouts by loops with constant bounds and strides, which the compiler unrolls and
//! vectorizes as it does loops by hand: of few elements, for which a call of a kernel takes as long, and of more in
//! builds whose kernels have no other instructions, on a microcontroller of any number.

use core::marker::PhantomData;

use layout_kernels::Isa;
use layout_types::nests::{Boxes, Level, Nest, Place};
use layout_types::numbers::{Exact, read_run, run};
use layout_types::plain;
use layout_types::{ElementType, Layout, Number};

use super::element_loops::Elements;
use super::plan::{CheckedPair, Converts};
use crate::buffers::PaddingFill;
use crate::relayout::padding;

/// The largest number of loops.
const LOOPS: usize = 4;

/// A conversion of few elements.
pub(super) struct Tiny<C, S, D>(PhantomData<(C, S, D)>);

impl<C: Converts<S, D>, S: Number, D: Number> Tiny<C, S, D> {
    /// Whether all are: on a microcontroller, whose kernels have no other instructions, tiles only cost time and memory.
    const ALL: bool = cfg!(target_os = "none") && matches!(Isa::compiled(), Isa::Portable);

    /// The largest number of elements that are converted this way. Casts take least, small floats most without the
    /// instructions that kernels have, and kernels for one set of vectors have no instructions that loops by hand lack.
    const MOST: usize = {
        let has_sets = cfg!(all(target_arch = "x86_64", feature = "std"));
        let has_one = !has_sets && !matches!(Isa::compiled(), Isa::Portable);
        if Self::ALL {
            usize::MAX
        } else if is_small_float(S::TYPE) || is_small_float(D::TYPE) {
            8
        } else if has_one && !D::INTEGER {
            16 << 10
        } else if C::PLAN.checked.conversion.casts::<S, D>() {
            256
        } else {
            64
        }
    };

    /// The loops. `None` if elements are too many, become less than a byte, or are moved in other ways. Those of less
    /// than a byte are too many, unless all are converted this way.
    pub(super) const LOOPS: Option<TinyLoops> = {
        let (pair, conversion) = (&C::PLAN.checked.pair, &C::PLAN.checked.conversion);
        let are_bytes = (Self::ALL || S::TYPE.bits() >= 8) && D::TYPE.bits() >= 8;
        if are_bytes && pair.destination().numel() <= Self::MOST && !pair.is_swizzled() {
            let mut boxes = Boxes::new(pair, conversion.axis_in(pair.destination()));
            let loops = match boxes.next() {
                Some(nest) => TinyLoops::of(nest, pair.destination()),
                None => None,
            };
            if boxes.is_done() { loops } else { None }
        } else {
            None
        }
    };

    /// Converts all elements and fills the padding. If a side is too short, elements are left out.
    #[inline]
    pub(super) fn run(source: &[S::Unit], destination: &mut [D::Unit]) {
        let Some(TinyLoops { start, all, group }) = (const { Self::LOOPS }) else { return };
        let CheckedPair { padding, .. } = &C::PLAN.checked;
        let fill = const { PaddingFill::<D::Unit>::of(C::PLAN.checked.pair.destination()) };
        match padding {
            Some(padding) if group == 0 => fill.pad(padding, destination),
            _ => {}
        }
        let [outer, middle, next, inner] = all;
        each(start, &outer, |place| {
            each(place, &middle, |place| {
                each(place, &next, |place| {
                    let to = plain::same_mut(destination);
                    Self::convert_run(place, &inner, source, to);
                    for after in inner.size..group {
                        if let Some(unit) = destination.get_mut(place.destination + after) {
                            *unit = fill.unit;
                        }
                    }
                });
            });
        });
    }

    /// Converts the elements of the last loop. If they lie together and have less than a byte, whole bytes of them may
    /// become as many of the destination.
    #[inline(always)]
    fn convert_run(start: Place, inner: &Level, source: &[S::Unit], destination: &mut [D::Held]) {
        let casts =
            const { Elements::<S, D>::ARE_BYTES && C::PLAN.checked.conversion.casts::<S, D>() };
        if casts && inner.strides == [1, 1] {
            let to: &mut [S::Held] = plain::cast_mut(plain::as_bytes_mut(destination));
            if let Some(run) = to.get_mut(start.destination..start.destination + inner.size) {
                read_run::<S>(source, start.source, run);
            }
            return;
        }
        each(start, inner, |place| Self::convert(place, source, destination));
    }

    /// Converts an element.
    #[inline(always)]
    fn convert(place: Place, source: &[S::Unit], destination: &mut [D::Held]) {
        let conversion = &C::PLAN.checked.conversion;
        let from = S::read(source, place.source);
        if let (Some(from), Some(to)) = (from, destination.get_mut(place.destination)) {
            let arithmetic = conversion.arithmetic::<S, D, _>(place.parameter);
            let (from, to) = ([from.hold()], core::slice::from_mut(to));
            run::<S, D, D, Exact<S, D>>(&from, to, &arithmetic);
        }
    }
}

/// Whether the type is a float of at most 16 bits.
const fn is_small_float(element: ElementType) -> bool {
    element.bits() <= 16 && element.integer_range().is_none() && !element.same(ElementType::Bool)
}

/// Calls `of` with where each step of a loop begins.
#[inline(always)]
fn each(start: Place, level: &Level, mut of: impl FnMut(Place)) {
    for i in 0..level.size {
        let step = |at: usize, stride: isize| at.wrapping_add_signed(stride * i as isize);
        of(Place {
            source: step(start.source, level.strides[0]),
            destination: step(start.destination, level.strides[1]),
            parameter: step(start.parameter, level.parameter),
        });
    }
}

/// The loops of a conversion, the last one fastest. Those that it does not have are of one iteration.
#[derive(Clone, Copy)]
pub(super) struct TinyLoops {
    start: Place,
    all: [Level; LOOPS],
    /// The units from one run of the last loop to the next, if what follows a run is padding, or 0.
    group: usize,
}

impl TinyLoops {
    /// Returns the loops of a nest, if they are few enough.
    const fn of(nest: &Nest, destination: &Layout) -> Option<Self> {
        let levels = nest.levels();
        if levels.len() > LOOPS {
            return None;
        }
        let mut all = [Level::ONCE; LOOPS];
        layout_types::each!(i, 0..levels.len(), {
            all[LOOPS - levels.len() + i] = levels[i];
        });
        let inner = all[LOOPS - 1];
        let mut group = 0;
        if let Some(padding) = padding(nest, destination) {
            let units = padding.group / destination.element().bits().div_ceil(8);
            // Only after the last loop; what follows several loops is filled before.
            if inner.strides[1] == 1 && all[LOOPS - 2].strides[1] == units as isize {
                group = units;
            }
        }
        Some(Self { start: nest.start(), all, group })
    }
}
