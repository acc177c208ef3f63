//! A relayout in const evaluation: tables packed at compile time.

use layout_types::UnitOf;
use layout_types::nests::{Boxes, move_bits, move_elements};
use layout_types::plain;
use layout_types::spec::{LayoutError, Rule};

use super::plan::Plan;
use super::run::{Relayout, check_units};

/// The number of steps after which a lint of rustc stops const evaluation. Loop iterations and calls count as steps.
const MOST: usize = 2_000_000;

/// Estimates the steps of const evaluation for `plan`, slightly above what was measured.
const fn steps(plan: &Plan) -> usize {
    const EACH_BOX: usize = 1000;
    const EACH_ROW: usize = 40;
    const EACH_SHARED: usize = 8;
    let mut steps = plan.destination().units();
    if plan.source().element().bits() < 8 {
        steps = steps.saturating_add(plan.source().numel().saturating_mul(EACH_SHARED));
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

/// Returns the tensor in `source` moved to the destination layout, for a `const` or a `static`. At run time,
/// [`run`](fn@super::run) is much faster.
///
/// It moves about 1.9 million elements if rows of many elements stay contiguous, and 180,000 if rows of four do. For
/// elements of less than a byte, the limits are 230,000 and 100,000. More elements are a compile error. Const
/// evaluation takes 3 to 20 microseconds an element (`benches/builds.md`), so pack tables of more than about ten
/// thousand elements from a file.
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
    let source: &[UnitOf<R::Destination>] = plain::same(source);
    let mut moved = [plain::from_bits(plan.destination().unit_of_fill()); DESTINATION];
    if plan.source().element().bits() < 8 {
        move_bits(&plan.pair, plain::as_bytes(source), plain::as_bytes_mut(&mut moved));
    } else {
        move_elements(&plan.pair, source, &mut moved);
    }
    moved
}
