//! Relayouts in the buffer that a tensor lies in.

use bytemuck::Pod;
use tensor_layout::spec::{Name, Rule};
use tensor_layout::{ElementType, Format, Layout, LayoutError, Plan, Relayout, layout};

use crate::naive::{self, Coordinate};

const EXTENTS: Coordinate = [2, 8, 3, 4];
const ELEMENTS: usize = 192;

/// Runs all tests, and returns their number. Without atomics the target is a Cortex-M0, whose 16 KiB do not hold
/// these plans and a tensor at once; there it runs the tests between types.
// A frame of its own: the stack of a Cortex-M0 does not hold all of them.
#[inline(never)]
pub(crate) fn run() -> usize {
    let between_values = if cfg!(target_has_atomic = "32") {
        between_values::<u8>(|i| i as u8)
            + between_values::<u16>(|i| i as u16 * 257)
            + between_values::<[u8; 3]>(|i| [i as u8, 1, !i as u8])
            + refused()
    } else {
        0
    };
    between_values + between_types()
}

/// Panics unless `moved` has in `to` what number `i` of each element had in `from`.
fn check<U: PartialEq>(
    from: &str,
    to: &str,
    extents: Coordinate,
    moved: &[U],
    value: fn(usize) -> U,
) {
    for coordinate in naive::coordinates(extents) {
        let [a, b] = [from, to].map(|format| naive::offset(format, extents, coordinate));
        assert!(moved[b] == value(a), "in place from {from} to {to}: {coordinate:?}");
    }
}

#[inline(never)]
fn between_values<U: Pod + PartialEq>(value: fn(usize) -> U) -> usize {
    let element = ElementType::Plain { bytes: size_of::<U>(), align: align_of::<U>() };
    let formats = ["NCHW", "NHWC", "CHWN", "WHCN", "NCHW4c", "CHWN4c", "NCHW4c2w", "NCHW8c"];
    let mut count = 0;
    for from in formats {
        for to in formats {
            let plan = plan(from, to, &EXTENTS, element);
            let mut tensor: [U; ELEMENTS] = core::array::from_fn(value);
            plan.run_in_place(&mut tensor).expect("a permutation");
            check(from, to, EXTENTS, &tensor, value);
            count += 1;
        }
    }
    count
}

/// A whole activation.
#[inline(never)]
fn between_types() -> usize {
    macro_rules! moves {
        ($($to:ident),*) => {{
            let mut count = 0;
            $({
                type From = layout!(NCHW<1, 16, 7, 7>, i8);
                type To = layout!($to<N = 1, C = 16, H = 7, W = 7>, i8);
                #[derive(Relayout)]
                #[relayout(From => To)]
                struct Move;

                let value = |i| (i * 31 + i / 251 * 17) as i8;
                let mut tensor = core::array::from_fn(value);
                Move::run_in_place(&mut tensor);
                check("NCHW", stringify!($to), [1, 16, 7, 7], &tensor, value);
                count += 1;
            })*
            count
        }};
    }
    moves!(NCHW, NHWC, NCHW4c, NCHW16c)
}

/// A relayout that is not a permutation leaves the buffer unchanged.
#[inline(never)]
fn refused() -> usize {
    let mut tensor: [u8; 48] = core::array::from_fn(|i| i as u8);
    let before = tensor;
    let padded = |side| Rule::InPlaceGaps { side: Name::new(side), bytes: 16, elements: 12 };
    refuse("NCHW4c", "NHWC", 3, &mut tensor[..16], padded("source"));
    refuse("NHWC", "NCHW4c", 3, &mut tensor[..16], padded("destination"));
    let unlike = Rule::InPlaceBlocks { letter: 'C', smaller: 4, larger: 6 };
    refuse("NCHW4c", "NCHW6c", 12, &mut tensor, unlike);
    assert_eq!(tensor, before);
    3
}

/// Expects a relayout of a tensor of 2 x 2 pixels to be refused for this reason. It is not the length
/// of the buffer, which no other one would mend.
#[inline(never)]
fn refuse(from: &str, to: &str, channels: usize, tensor: &mut [u8], reason: Rule) {
    let plan = plan(from, to, &[1, channels, 2, 2], ElementType::U8);
    let refused = plan.run_in_place(tensor);
    assert!(refused == Err(LayoutError(reason)), "{from} to {to}: {refused:?}");
}

#[inline(never)]
fn plan(from: &str, to: &str, extents: &[usize], element: ElementType) -> Plan {
    let layout = |format| {
        let format = Format::parse(format).expect("a format");
        Layout::builder(format, element).pad(0).extents(extents).expect("a layout")
    };
    Plan::new(&layout(from), &layout(to)).expect("the same tensor")
}
