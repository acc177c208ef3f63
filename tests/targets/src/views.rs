//! Views: where their coordinates lie, and relayouts of what they show.

use tensor_layout::{ElementType, Format, Layout, LayoutError, Plan};

use crate::naive::{self, Coordinate};

const EXTENTS: Coordinate = [2, 8, 3, 4];
const BYTES: usize = 192;
/// The axes of the view that has most.
const RANK: usize = 5;

/// A view: its axes and extents, and which coordinate of the tensor one of the view is.
struct View {
    of: fn(&Layout) -> Result<Layout, LayoutError>,
    axes: &'static str,
    extents: &'static [usize],
    coordinate: fn(&[usize]) -> Coordinate,
}

const VIEWS: [View; 13] = [
    View {
        of: |all| all.permute("WNHC"),
        axes: "WNHC",
        extents: &[4, 2, 3, 8],
        coordinate: |c| [c[1], c[3], c[2], c[0]],
    },
    View {
        of: |all| all.permute("NWHC"),
        axes: "NWHC",
        extents: &[2, 4, 3, 8],
        coordinate: |c| [c[0], c[3], c[2], c[1]],
    },
    View {
        of: |all| all.slice('H', 2, -2, 2),
        axes: "NCHW",
        extents: &[2, 8, 2, 4],
        coordinate: |c| [c[0], c[1], 2 - 2 * c[2], c[3]],
    },
    View {
        of: |all| all.flip('W'),
        axes: "NCHW",
        extents: &[2, 8, 3, 4],
        coordinate: |c| [c[0], c[1], c[2], 3 - c[3]],
    },
    View {
        of: |all| Ok(all.split('C', 4)?.1),
        axes: "NCHW",
        extents: &[2, 4, 3, 4],
        coordinate: |c| [c[0], 4 + c[1], c[2], c[3]],
    },
    View {
        of: |all| all.index('N', 1)?.unsqueeze('N', 0),
        axes: "NCHW",
        extents: &[1, 8, 3, 4],
        coordinate: |c| [1, c[1], c[2], c[3]],
    },
    View {
        of: |all| all.slice('W', 2, 1, 1)?.broadcast('W', 3)?.flip('C'),
        axes: "NCHW",
        extents: &[2, 8, 3, 3],
        coordinate: |c| [c[0], 7 - c[1], c[2], 2],
    },
    View {
        of: |all| all.tile('C', &[('A', 2), ('B', 4)]),
        axes: "NABHW",
        extents: &[2, 2, 4, 3, 4],
        coordinate: |c| [c[0], 4 * c[1] + c[2], c[3], c[4]],
    },
    View {
        of: |all| all.tile('C', &[('B', 4), ('A', 2)])?.permute("NABHW"),
        axes: "NABHW",
        extents: &[2, 2, 4, 3, 4],
        coordinate: |c| [c[0], c[1] + 2 * c[2], c[3], c[4]],
    },
    View {
        of: |all| all.merge("HW", 'P')?.merge("CN", 'M'),
        axes: "MP",
        extents: &[16, 12],
        coordinate: |c| [c[0] % 2, c[0] / 2, c[1] / 4, c[1] % 4],
    },
    View {
        of: |all| all.reshape(&[('P', 4), ('Q', 4), ('R', 12)]),
        axes: "PQR",
        extents: &[4, 4, 12],
        coordinate: |c| [c[0] / 2, c[0] % 2 * 4 + c[1], c[2] / 4, c[2] % 4],
    },
    View {
        of: |all| all.slice('N', 1, 1, 1)?.index('N', 0),
        axes: "CHW",
        extents: &[8, 3, 4],
        coordinate: |c| [1, c[0], c[1], c[2]],
    },
    View {
        of: |all| all.diagonal('C', 'W', 'D'),
        axes: "NHD",
        extents: &[2, 3, 4],
        coordinate: |c| [c[0], c[2], c[1], c[2]],
    },
];

/// The indices of coordinate `number` of these extents, the last axis the fastest.
fn indices(extents: &[usize], mut number: usize) -> [usize; RANK] {
    let mut indices = [0; RANK];
    for axis in (0..extents.len()).rev() {
        indices[axis] = number % extents[axis];
        number /= extents[axis];
    }
    indices
}

/// Runs all, and returns how many.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    let source: [u8; BYTES] = core::array::from_fn(|i| i as u8);
    let parse = |text| Format::parse(text).expect("a format");
    let mut count = 0;
    for format in ["NCHW", "NHWC", "CHWN", "NCHW4c", "CHWN4c", "NCHW4c2w"] {
        let whole = Layout::of(parse(format), &EXTENTS, ElementType::U8).expect("a layout");
        for (number, View { of, axes, extents, coordinate }) in VIEWS.into_iter().enumerate() {
            let view = of(&whole).expect("a view");
            assert!(view.extents() == extents, "view {number} of {format}: {:?}", view.extents());
            // The coordinates of the view in its own order.
            let all = view.in_format(parse(axes)).expect("a layout");
            let plan = Plan::new(&view, &all).expect("the same tensor");
            let mut moved = [0; BYTES];
            let moved = &mut moved[..extents.iter().product()];
            plan.run(&source[..view.units()], moved).expect("the lengths");
            for (place, &found) in moved.iter().enumerate() {
                let own = &indices(extents, place)[..extents.len()];
                let offset = naive::offset(format, EXTENTS, coordinate(own));
                let at = view.offset(own);
                assert!(at == offset, "view {number} of {format}: {own:?} is at {at}");
                assert!(found == source[offset], "view {number} of {format}: {own:?} is {found}");
            }
            count += 1;
        }
    }
    count
}
