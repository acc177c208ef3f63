//! A relayout in const evaluation: tables packed while the program compiles.

use layout_types::UnitOf;
use layout_types::nests::{Boxes, move_bits, move_elements};
use layout_types::spec::{LayoutError, Rule};

use super::plan::Plan;
use super::run::{Relayout, check_units};
use crate::buffers::{as_bytes, as_bytes_mut, same_units, unit_from_bits};

/// The steps after which a lint of rustc stops const evaluation: loops and calls count.
const MOST: usize = 2_000_000;

/// About how many steps const evaluation takes to run `plan`, a little more than were seen.
const fn steps(plan: &Plan) -> usize {
    const EACH_BOX: usize = 1000;
    const EACH_ROW: usize = 40;
    const EACH_SHARED: usize = 8;
    let mut steps = plan.destination().units();
    if plan.source().element().bits() < 8 {
        steps = steps.saturating_add(plan.source().count().saturating_mul(EACH_SHARED));
    }
    let mut boxes = Boxes::new(&plan.pair, None);
    while let Some(nest) = boxes.next() {
        if steps > MOST {
            return steps;
        }
        steps = steps.saturating_add(EACH_BOX + nest.row_count().saturating_mul(EACH_ROW));
    }
    steps
}

/// The tensor in `source`, moved. For a `const` or a `static`; at run time
/// [`run`](fn@super::run) is the fast way.
///
/// About 1.9 million elements can be moved where rows of many elements stay together and 180,000
/// where rows of four do; of elements of less than a byte 230,000 and 100,000. Past that it is a compile error.
/// Const evaluation takes 3 to 20 microseconds an element (`benches/builds.md`), so that tables of more
/// than some ten thousand elements are better packed out of a file.
pub const fn constant<R: Relayout, const SOURCE: usize, const DESTINATION: usize>(
    source: &[UnitOf<R::Source>; SOURCE],
) -> [UnitOf<R::Destination>; DESTINATION] {
    const {
        check_units::<R>();
        let steps = steps(R::PLAN);
        if steps > MOST {
            LayoutError(Rule::ConstantTooLong { steps, most: MOST }).panic()
        }
        if let Err(error) = R::PLAN.check_lengths(SOURCE, DESTINATION) {
            error.panic()
        }
    }
    let plan = R::PLAN;
    let source: &[UnitOf<R::Destination>] = same_units(source);
    let mut moved = [unit_from_bits(plan.destination().unit_of_fill()); DESTINATION];
    if plan.source().element().bits() < 8 {
        move_bits(&plan.pair, as_bytes(source), as_bytes_mut(&mut moved));
    } else {
        move_elements(&plan.pair, source, &mut moved);
    }
    moved
}
