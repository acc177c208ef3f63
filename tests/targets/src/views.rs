//! Views: where their coordinates lie, and relayouts of what they show.

use tensor_layout::{ElementType, Format, Layout, LayoutError, Plan, relayout};

use crate::naive::{self, Coordinate};

const EXTENTS: Coordinate = [2, 8, 3, 4];
const BYTES: usize = 192;

/// A view: which axis of N, C, H, W each of its own is, how long those are, and which coordinate of
/// the tensor one of the view is.
struct View {
    of: fn(&Layout) -> Result<Layout, LayoutError>,
    axes: Coordinate,
    extents: Coordinate,
    coordinate: fn(Coordinate) -> Coordinate,
}

const ORDER: Coordinate = [0, 1, 2, 3];

const VIEWS: [View; 7] = [
    View { of: |all| all.permute("WNHC"), axes: [3, 0, 2, 1], extents: EXTENTS, coordinate: |c| c },
    View {
        of: |all| all.transpose('C', 'W'),
        axes: [0, 3, 2, 1],
        extents: EXTENTS,
        coordinate: |c| c,
    },
    View {
        of: |all| all.slice('H', 2, -2, 2),
        axes: ORDER,
        extents: [2, 8, 2, 4],
        coordinate: |[n, c, h, w]| [n, c, 2 - 2 * h, w],
    },
    View {
        of: |all| all.flip('W'),
        axes: ORDER,
        extents: EXTENTS,
        coordinate: |[n, c, h, w]| [n, c, h, 3 - w],
    },
    View {
        of: |all| Ok(all.split('C', 4)?.1),
        axes: ORDER,
        extents: [2, 4, 3, 4],
        coordinate: |[n, c, h, w]| [n, 4 + c, h, w],
    },
    View {
        of: |all| all.index('N', 1)?.unsqueeze('N', 0),
        axes: ORDER,
        extents: [1, 8, 3, 4],
        coordinate: |[_, c, h, w]| [1, c, h, w],
    },
    View {
        of: |all| all.slice('W', 2, 1, 1)?.broadcast('W', 3)?.flip('C'),
        axes: ORDER,
        extents: [2, 8, 3, 3],
        coordinate: |[n, c, h, _]| [n, 7 - c, h, 2],
    },
];

/// Runs all, and returns how many.
pub(crate) fn run() -> usize {
    let source: [u8; BYTES] = core::array::from_fn(|i| i as u8);
    let layout = |format, extents: Coordinate| {
        Layout::of(&Format::parse(format)?, &extents, ElementType::U8)
    };
    let mut count = 0;
    for format in ["NCHW", "NHWC", "CHWN", "NCHW4c", "CHWN4c", "NCHW4c2w"] {
        let whole = layout(format, EXTENTS).expect("a layout");
        for (number, View { of, axes, extents, coordinate }) in VIEWS.into_iter().enumerate() {
            let view = of(&whole).expect("a view");
            let planes = layout("NCHW", extents).expect("a layout");
            let plan = Plan::new(&view, &planes).expect("the same tensor");
            let mut moved = [0; BYTES];
            let moved = &mut moved[..planes.units()];
            relayout(&plan, &source[..view.units()], moved).expect("the lengths");
            for own in naive::coordinates(extents) {
                let offset = naive::offset(format, EXTENTS, coordinate(own));
                let found = view.offset(&axes.map(|axis| own[axis]));
                assert!(found == offset, "view {number} of {format}: {own:?} is at {found}");
                let found = moved[naive::offset("NCHW", extents, own)];
                assert!(found == source[offset], "view {number} of {format}: {own:?} is {found}");
            }
            count += 1;
        }
    }
    count
}
