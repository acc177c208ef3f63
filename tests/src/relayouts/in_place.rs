//! Relayouts in place: in one buffer, swizzled or not, elements come to where the oracle has them.

use std::fmt::Debug;

use bytemuck::Pod;
use proptest::prelude::*;
use proptest::sample::select;
use tensor_layout::spec::{Name, Rule};
use tensor_layout::{ElementType, LayoutError, Plan, Tensor, layout};

use crate::support::oracle;
use crate::support::random::{self, Case};

/// Element types with their bits.
const ELEMENTS: [(ElementType, usize); 7] = [
    (ElementType::U8, 8),
    (ElementType::F16, 16),
    (ElementType::Plain { bytes: 3, align: 1 }, 24),
    (ElementType::F32, 32),
    (ElementType::I64, 64),
    (ElementType::Plain { bytes: 16, align: 16 }, 128),
    (ElementType::Plain { bytes: 32, align: 16 }, 256),
];

fn pairs() -> impl Strategy<Value = (Case, Case)> {
    let order = || select(vec!["M K", "K M", "M K 4k", "K M 4m 4k", "4k M K", "M 8k/4 K 4m 4k/1"]);
    let extent = || select(vec![4, 8, 12, 16]);
    let swizzles = (random::swizzle(), random::swizzle());
    let parts = (extent(), extent(), order(), order(), swizzles, select(ELEMENTS.to_vec()));
    parts.prop_map(|(m, k, from, to, swizzles, (element, bits))| {
        let axes = vec![('M', m), ('K', k * 8)];
        let case = |order, swizzle| {
            let factors = oracle::factors(order);
            Case { element, bits, axes: axes.clone(), factors, fill: None }.swizzled(swizzle)
        };
        (case(from, swizzles.0), case(to, swizzles.1))
    })
}

fn moves<U: Pod + PartialEq + Debug>(
    source: &Case,
    destination: &Case,
    value: fn(usize) -> U,
) -> Result<(), TestCaseError> {
    let (from, to) = (source.memory(), destination.memory());
    let (from_layout, to_layout) = (source.layout(), destination.layout());
    let plan = Plan::new(&from_layout, &to_layout).unwrap();
    let before: Vec<U> = (0..from.cells.len().max(to.cells.len())).map(value).collect();
    let mut buffer = before.clone();
    let outcome = plan.run_in_place(&mut buffer);
    let is_swizzled = from_layout.swizzle().or(to_layout.swizzle()).is_some();
    let gaps = [("source", &from), ("destination", &to)]
        .into_iter()
        .find(|(_, memory)| memory.cells.contains(&None));
    let refusal = match gaps {
        _ if is_swizzled && !source.bits.is_power_of_two() => {
            Some(Rule::InPlaceSwizzle { element: source.element })
        }
        Some((side, memory)) => {
            let count = memory.cells.iter().flatten().count();
            let [bytes, elements] = [memory.cells.len(), count].map(|n| n * source.bits / 8);
            Some(Rule::InPlaceGaps { side: Name::new(side), bytes, elements })
        }
        None => None,
    };
    if let Some(rule) = refusal {
        prop_assert_eq!(outcome, Err(LayoutError(rule)));
        prop_assert_eq!(buffer, before);
        return Ok(());
    }
    prop_assert_eq!(outcome, Ok(()));
    for coordinate in from.coordinates() {
        let (read, written) = (from.offset(&coordinate), to.offset(&coordinate));
        prop_assert_eq!(buffer[written], before[read], "{:?}", coordinate);
    }
    Ok(())
}

proptest! {
    #![proptest_config(random::cases(300))]

    #[test]
    fn elements_change_places((source, destination) in pairs()) {
        match source.bits {
            8 => moves(&source, &destination, |i| (i * 7 + i / 251) as u8)?,
            16 => moves(&source, &destination, |i| i as u16)?,
            24 => moves(&source, &destination, |i| [i as u8, (i >> 8) as u8, !i as u8])?,
            32 => moves(&source, &destination, |i| i as u32 * 0x0001_0001)?,
            64 => moves(&source, &destination, |i| i as u64 * 0x0001_0001_0001)?,
            128 => moves(&source, &destination, |i| i as u128 * 0x0001_0001_0001)?,
            _ => moves(&source, &destination, |i| [i as u128, !i as u128])?,
        }
    }
}

#[test]
fn tensors_are_moved_in_place_to_their_new_type() {
    type Planes = layout!(NCHW<2, 3, 2, 4>, u16);
    type Last = layout!(NHWC<N = _, H = 2, W = 4, C = 3>, u16);
    let value = |[n, c, h, w]: [usize; 4]| (1000 * n + 100 * c + 10 * h + w) as u16;
    let planes = Tensor::<Planes>::from_fn(value);
    let address = planes.buffer().as_ptr();
    let last = planes.relayout_in_place::<Last>().unwrap();
    assert_eq!((last.buffer().as_ptr(), last.extents()), (address, [2, 3, 2, 4]));
    assert_eq!(last.buffer()[..4], [0, 100, 200, 1]);
    let back = last.relayout_in_place::<Planes>().unwrap();
    assert!(back.iter().all(|(at, element)| element == value(at)));

    // What cannot be is an error, and a buffer that is lent stays as it is.
    let mut units: Vec<u16> = (0..48).collect();
    fn lent(units: &mut [u16]) -> Tensor<Planes, &mut [u16]> {
        units.try_into().unwrap()
    }
    type Padded = layout!(NCHW4<2, 3, 2, 4>, u16, pad);
    let refused = lent(&mut units[..]).relayout_in_place::<Padded>().unwrap_err();
    assert!(matches!(refused.error(), LayoutError(Rule::InPlaceGaps { .. })), "{refused}");
    assert!(refused.into_inner().buffer().iter().copied().eq(0..48));
    type Aligned = layout!(NHWC<N = 2, H = 2, W = 4, C = 3>, u16, align(N = 16));
    type Other = layout!(NCHW<_, 3, 2, 4>, u16);
    let mut memory = [0u16; 48 + 32];
    let start = (0..32).find(|start| memory[*start..].as_ptr().addr() % 16 == 2).unwrap();
    memory[start..][..48].copy_from_slice(&units);
    let refused = lent(&mut memory[start..][..48]).relayout_in_place::<Aligned>().unwrap_err();
    assert!(matches!(refused.error(), LayoutError(Rule::BufferAlignment { .. })), "{refused}");
    assert_eq!(refused.to_string(), LayoutError::from(refused).to_string());
    assert_eq!(memory[start..][..48], units[..]);
    assert_eq!(lent(&mut units[..]).relayout_in_place::<Other>().unwrap().extents(), [2, 3, 2, 4]);
}
