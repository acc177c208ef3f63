//! About how long a relayout takes, for those who choose layouts.

use layout_types::nests::{Boxes, Nest};
use layout_types::{Layout, LayoutError};

use super::lowering::{is_moved_by_rows, lowered, time_by_rows};
use super::plan::Plan;
use super::swizzled::SwizzledMove;

/// The cycles of an element in a box that no kernel moves, of one whose bits are found by a swizzle, and of a KiB of padding.
const IN_ROW: u64 = 3;
const SWIZZLED: u64 = 12;
const PADDING: u64 = 20;

/// After so many boxes, the rest is taken to be like them.
const MOST_BOXES: usize = 64;

/// Returns about how many cycles a relayout takes on this CPU, or 0 if both layouts store every element at the same place,
/// so that none is needed.
///
/// An engine that chooses a layout for each edge of a graph compares such costs. They are those by which plans are chosen,
/// and the time of a copy in the level of the caches that both tensors fit into: compare them, but do not take them for
/// times. Nothing is allocated, and a call takes some microseconds.
///
/// # Errors
/// The same as [`Plan::new`].
///
/// ```
/// use tensor_layout::{Layout, relayout_cost};
///
/// let pixels: Layout = "NHWC<N = 1, C = 64, H = 56, W = 56>, f16".parse()?;
/// let [planes, blocks]: [Layout; 2] = ["NCHW<1, 64, 56, 56>, f16".parse()?, "NCHW8<1, 64, 56, 56>, f16".parse()?];
/// assert_eq!(relayout_cost(&pixels, &pixels)?, 0);
/// // Two relayouts take longer than one.
/// let at_once = relayout_cost(&pixels, &planes)?;
/// assert!(at_once < relayout_cost(&pixels, &blocks)? + relayout_cost(&blocks, &planes)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn relayout_cost(source: &Layout, destination: &Layout) -> Result<u64, LayoutError> {
    let plan = Plan::const_new(source, destination)?;
    let are_same =
        source.element() == destination.element() && source.bytes() == destination.bytes();
    if are_same && source.same_map(destination) {
        return Ok(0);
    }
    let (mut cycles, mut moved, mut count) = (0u64, 0usize, 0);
    let mut boxes = Boxes::new(&plan.pair, None);
    while let Some(nest) = boxes.next() {
        cycles = cycles.saturating_add(cost_of_box(&plan, nest));
        moved += elements(nest);
        count += 1;
        if count == MOST_BOXES {
            break;
        }
    }
    let whole = cycles as u128 * source.numel() as u128 / moved.max(1) as u128;
    let padding = destination.bytes().saturating_sub(destination.moved_bytes()) as u64;
    let fill = if destination.has_padding() { padding / 1024 * PADDING } else { 0 };
    Ok(u64::try_from(whole).unwrap_or(u64::MAX).saturating_add(fill))
}

fn elements(nest: &Nest) -> usize {
    nest.levels().iter().map(|level| level.size).product()
}

fn cost_of_box(plan: &Plan, nest: &Nest) -> u64 {
    let count = elements(nest) as u64;
    if is_moved_by_rows(nest, plan.source().element()) {
        return time_by_rows(nest) as u64 * IN_ROW;
    }
    let of = lowered(nest, &plan.pair);
    match of.and_then(|of| Some((of, layout_kernels::Plan::new(&of).ok()?))) {
        Some((of, kernel)) => kernel.cycles(&of),
        None => match SwizzledMove::of(nest, &plan.pair) {
            // Blocks between swizzles are moved by a kernel each.
            Some((_, Some(_))) => count * IN_ROW,
            _ => count.saturating_mul(SWIZZLED),
        },
    }
}
