//! Layouts of the largest rank, against offsets that are counted up by hand.

use tensor_layout::{Dynamic, ElementType, Layout, Relayout, Tensor, layout};

const EXTENTS: [usize; 12] = [2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 2, 5];
const COUNT: usize = 2 * 3 * 2 * 2 * 2 * 3 * 2 * 2 * 5;

type Forward = layout!(ABCDEFGHIJKL<2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 2, 5>, u16);
type Backward = layout!(LKJIHGFEDCBA<2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 2, 5>, u16);
type Blocked = layout!(AJBCDFEGHIKL2l2d2h<2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 2, 5>, u16, pad = 9);
type Batch = layout!(ABCDEFGHIJKL<_, 1, 3, 2, 1, 2, 2, 3, 1, 2, _, 5>, u16);

#[derive(Relayout)]
#[relayout(Forward => Backward)]
struct Reverse;

#[derive(Relayout)]
#[relayout(Backward => Blocked)]
struct Block;

/// The number of a coordinate in C order.
fn number(coordinate: &[usize]) -> usize {
    coordinate.iter().zip(EXTENTS).fold(0, |number, (index, extent)| number * extent + index)
}

/// Coordinate number `at` where the first axis is counted fastest.
fn first_fastest(mut at: usize) -> [usize; 12] {
    EXTENTS.map(|extent| {
        let index = at % extent;
        at /= extent;
        index
    })
}

#[test]
fn types_and_tensors_have_twelve_axes() {
    let forward = Tensor::<Forward>::from_fn(|coordinate| number(&coordinate) as u16);
    assert!(forward.buffer().iter().copied().eq(0..COUNT as u16));
    let mut backward = Tensor::<Backward>::zeroed();
    Reverse::run(&forward, &mut backward);
    let mut blocked = Tensor::<Blocked>::zeroed();
    Block::run(&backward, &mut blocked);
    for at in 0..COUNT {
        let coordinate = first_fastest(at);
        assert_eq!(Backward::offset(coordinate), at);
        assert_eq!(usize::from(backward.buffer()[at]), number(&coordinate));
        assert_eq!(usize::from(blocked[coordinate]), number(&coordinate));
    }
    assert_eq!(blocked, forward);
    assert_eq!(
        blocked.buffer().iter().filter(|&&unit| unit == 9).count(),
        Blocked::LEN - COUNT + 1
    );

    let batch = forward.clone().try_into_layout::<Batch>().unwrap();
    assert_eq!(
        (batch.extents(), batch[[1, 0, 2, 1, 0, 1, 1, 2, 0, 1, 1, 4]]),
        (EXTENTS, COUNT as u16 - 1)
    );
    let mut same = forward.clone();
    same.for_each_mut(|_, element| *element += 1).unwrap();
    assert!(
        same.iter().all(|(coordinate, element)| usize::from(element) == number(&coordinate) + 1)
    );
}

#[test]
fn layouts_of_run_time_have_twelve_axes() {
    let of = |format: &str| {
        let layout = Layout::of(format, &EXTENTS, ElementType::U16).unwrap();
        assert_eq!(layout.to_string().parse(), Ok(layout));
        Dynamic::<u16, 12>::new(layout).unwrap()
    };
    let forward = Tensor::from_fn_in(of("ABCDEFGHIJKL"), |c| number(&c) as u16).unwrap();
    let mut mixed = Tensor::zeroed_in(of("GBLDAKCJEHIF")).unwrap();
    forward.relayout_into(&mut mixed).unwrap();
    assert!(mixed.iter().all(|(coordinate, element)| usize::from(element) == number(&coordinate)));
    let permuted = mixed.view::<12>(|layout| layout.permute("LKJIHGFEDCBA")).unwrap();
    assert_eq!(permuted[[4, 1, 1, 0, 2, 1, 1, 0, 1, 2, 0, 1]], COUNT as u16 - 1);
    let merged = forward.view::<1>(|layout| layout.merge("ABCDEFGHIJKL", 'X')).unwrap();
    assert_eq!((merged.extents(), merged[[77]]), ([COUNT], 77));

    let mut buffer = forward.buffer().to_vec();
    let (from, to) = (forward.layout(), of("LKJIHGFEDCBA"));
    let plan = tensor_layout::Plan::new(&from, &tensor_layout::LayoutType::layout(&to)).unwrap();
    plan.run_in_place(&mut buffer).unwrap();
    let moved = Tensor::with_layout(to, buffer).unwrap();
    assert!(moved.iter().all(|(coordinate, element)| usize::from(element) == number(&coordinate)));
}
