//! What this crate is to reach.

use crate::Measured;
use crate::candidates::{NAMES, OURS};
use crate::cases::Case;

/// A geometric mean: its name, what it is to be at least, and whether a case belongs to it.
type Mean = (&'static str, f64, fn(&Case) -> bool);

/// The means, by the payload: the bytes of the source. An interleave is NCHW->NCHW4 and what has 3
/// channels, a unit move is from NCHW4.
pub(crate) const MEANS: [Mean; 10] = [
    ("16 KiB to 1.2 MiB, interleaves and unit moves", 0.88, |case| in_l2(case) && is_light(case)),
    ("16 KiB to 1.2 MiB, NCHW->NHWC and ->NCHW32, f32", 0.77, |case| is_to_last(case, "f32")),
    ("16 KiB to 1.2 MiB, NCHW->NHWC and ->NCHW32, f16", 0.84, |case| is_to_last(case, "f16")),
    ("16 KiB to 1.2 MiB, NCHW->NHWC and ->NCHW32, i8", 0.70, |case| is_to_last(case, "i8")),
    ("16 KiB to 1.2 MiB, NHWC->NCHW, f32", 0.62, |case| is_from_last(case, "f32")),
    ("16 KiB to 1.2 MiB, NHWC->NCHW, f16", 0.62, |case| is_from_last(case, "f16")),
    ("16 KiB to 1.2 MiB, NHWC->NCHW, i8", 0.52, |case| is_from_last(case, "i8")),
    ("above 1.2 MiB", 0.95, is_beyond_l2),
    ("above 1.2 MiB, interleaves and unit moves", 1.18, |case| {
        is_beyond_l2(case) && is_light(case)
    }),
    ("OIHW->4i16o4i, i8", 0.65, |case| case.conversion == "OIHW->4i16o4i" && case.element == "i8"),
];

/// The payloads, in bytes, of cases in the second level cache.
const L2: (usize, usize) = (16 << 10, (6 << 20) / 5);

fn in_l2(case: &Case) -> bool {
    L2.0 <= case.source.bytes() && !is_beyond_l2(case)
}

fn is_beyond_l2(case: &Case) -> bool {
    case.source.bytes() > L2.1
}

/// Whether it is an interleave or a unit move.
fn is_light(case: &Case) -> bool {
    case.conversion == "NCHW->NCHW4"
        || case.conversion.starts_with("NCHW4->")
        || case.shape.starts_with("1x3x")
}

fn is_to_last(case: &Case, element: &str) -> bool {
    let to_last = ["NCHW->NHWC", "NCHW->NCHW32"].contains(&case.conversion);
    to_last && case.element == element && in_l2(case) && !is_light(case)
}

fn is_from_last(case: &Case, element: &str) -> bool {
    let from_last = case.conversion == "NHWC->NCHW";
    from_last && case.element == element && in_l2(case) && !is_light(case)
}

/// What no case is to be slower than.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    /// The best eff of its kind, and whose it is, where it can do the case.
    pub(crate) best: fn(&Measured) -> Option<(&'static str, f64)>,
}

/// The rivals.
pub(crate) const RIVALS: [Rival; 3] = [
    Rival {
        name: "the best peer of this run",
        best: |measured| {
            let peers = NAMES.into_iter().zip(measured.effs).skip(OURS);
            peers
                .filter_map(|(name, eff)| Some((name, eff?)))
                .max_by(|(_, one), (_, other)| one.total_cmp(other))
        },
    },
    Rival {
        name: "the best library, measured elsewhere",
        best: |measured| Some(measured.case.library),
    },
    Rival {
        name: "the prototype under 16 KiB, measured elsewhere",
        best: |measured| {
            let small = measured.case.source.bytes() < L2.0;
            Some(("prototype", measured.case.prototype.filter(|_| small)?))
        },
    },
];
