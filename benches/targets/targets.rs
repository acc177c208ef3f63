//! The speed that this crate should reach.

use crate::cases::Case;
use crate::measure::Measured;
use crate::report::geometric_mean;

/// A geometric mean: its name, what it is to be at least, and whether a case belongs to it.
type Mean = (&'static str, f64, fn(&Case) -> bool);

/// The means, by the payload: the bytes of the source. An interleave is NCHW->NCHW4 and what has 3
/// channels, a unit move is from NCHW4.
const MEANS: [Mean; 10] = [
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
    let to_last = ["NCHW->NHWC", "NCHW->NCHW32"].contains(&&*case.conversion);
    to_last && case.element == element && in_l2(case) && !is_light(case)
}

fn is_from_last(case: &Case, element: &str) -> bool {
    let from_last = case.conversion == "NHWC->NCHW";
    from_last && case.element == element && in_l2(case) && !is_light(case)
}

/// Prints the geometric means of the static pairs, each beside its floor.
pub(crate) fn means(all: &[Measured]) {
    println!("\n| geometric mean | cases | static | to reach |\n|---|---|---|---|");
    for (name, floor, holds) in MEANS {
        let held: Vec<_> = all.iter().filter(|measured| holds(&measured.case)).collect();
        if let Some(mean) = geometric_mean(held.iter().map(|measured| measured.own())) {
            println!("| {name} | {} | {mean:.2} | {floor:.2} |", held.len());
        }
    }
}

/// What no case is to be slower than.
struct Rival {
    name: &'static str,
    /// The best eff of its kind, and whose it is, where it can do the case.
    best: fn(&Measured) -> Option<(&'static str, f64)>,
}

/// The rivals.
const RIVALS: [Rival; 3] = [
    Rival { name: "the best peer of this run", best: Measured::best_peer },
    Rival { name: "the best library, measured elsewhere", best: |measured| measured.case.library },
    Rival {
        name: "the prototype under 16 KiB, measured elsewhere",
        best: |measured| {
            let small = measured.case.source.bytes() < L2.0;
            Some(("prototype", measured.case.prototype.filter(|_| small)?))
        },
    },
];

/// What of a rival's eff is as good: 5 % are noise.
const AS_GOOD: f64 = 0.95;

/// Every case that is slower than a rival, rival by rival.
pub(crate) fn misses(all: &[Measured]) {
    for rival in RIVALS {
        let (mut compared, mut missed) = (0, Vec::new());
        for measured in all {
            let Some((name, eff)) = (rival.best)(measured) else { continue };
            let own = measured.own();
            compared += 1;
            if own < AS_GOOD * eff {
                missed.push(format!("- {}: {own:.2}, {name} {eff:.2}", measured.case));
            }
        }
        if compared > 0 {
            println!("\nBelow {}: {} of {compared}\n", rival.name, missed.len());
            missed.iter().for_each(|line| println!("{line}"));
        }
    }
}
