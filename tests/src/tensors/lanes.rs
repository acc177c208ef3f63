//! Lanes along an axis, and folds over them, compared with loops over all coordinates.

use tensor_layout::typed::Reduced;
use tensor_layout::{
    Dynamic, ElementType, Layout, LayoutError, LayoutType, Tensor, i4, layout, u1,
};

/// A number of each coordinate that tells it from all others.
fn number(coordinate: &[usize]) -> i64 {
    coordinate.iter().fold(1, |number, &index| number * 17 + index as i64)
}

/// All coordinates of these extents, the last one the fastest.
fn coordinates(extents: &[usize]) -> Vec<Vec<usize>> {
    extents.iter().fold(vec![Vec::new()], |all, &extent| {
        let longer =
            |from: Vec<usize>| (0..extent).map(move |index| [&from[..], &[index]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// Compares folds and lanes along each axis of a tensor of [`number`]s, whose gaps and padding hold -1.
fn check<L, const RANK: usize>(layout: L)
where
    L: LayoutType<Element = i64, Coordinate = [usize; RANK]> + Clone,
    [usize; RANK]: Reduced,
{
    let value = layout.layout();
    let mut tensor = Tensor::zeroed_in(layout).unwrap();
    tensor.buffer_mut().fill(-1);
    tensor.for_each_mut(|at, place| *place = number(&at)).unwrap();
    for (axis, letter) in value.letters().as_str().chars().enumerate() {
        // The numbers of each lane, in the order of the other axes.
        let extent = value.extents()[axis];
        let mut others = value.extents().to_vec();
        others.remove(axis);
        let lanes: Vec<Vec<i64>> = coordinates(&others)
            .into_iter()
            .map(|rest| {
                let at = |index| [&rest[..axis], &[index], &rest[axis..]].concat();
                (0..extent).map(|index| number(&at(index))).collect()
            })
            .collect();

        let folded = tensor.fold_axis(letter, 3i64, |sum, x| sum.wrapping_mul(31) + x).unwrap();
        let fold =
            |numbers: &Vec<i64>| numbers.iter().fold(3i64, |sum, x| sum.wrapping_mul(31) + x);
        assert!(folded.buffer().iter().copied().eq(lanes.iter().map(fold)), "{value}, {letter}");
        assert_eq!(folded.extents().as_ref(), others);
        let sums = tensor.sum_axis(letter).unwrap();
        let expected = lanes.iter().map(|numbers| numbers.iter().sum::<i64>());
        assert!(sums.buffer().iter().copied().eq(expected), "{value}, {letter}");

        check_changes(&tensor, letter, &lanes);
    }
}

/// Changes each lane, and compares its elements before, and all elements after it.
fn check_changes<L, const RANK: usize>(tensor: &Tensor<L>, letter: char, lanes: &[Vec<i64>])
where
    L: LayoutType<Element = i64, Coordinate = [usize; RANK]> + Clone,
{
    let value = tensor.layout();
    let axis = value.axis(letter).unwrap();
    let mut changed = tensor.clone();
    let iterator = changed.lanes_mut(letter).unwrap();
    assert_eq!(iterator.len(), lanes.len(), "{value}, {letter}");
    for (mut lane, numbers) in iterator.zip(lanes) {
        assert!(lane.iter().eq(numbers), "{value}, {letter}");
        let slice = lane.as_slice_mut().map(|slice| slice.to_vec());
        assert!(slice.is_none_or(|slice| slice == *numbers), "{value}, {letter}");
        for (index, x) in lane.iter_mut().enumerate() {
            *x = x.wrapping_mul(2) + index as i64;
        }
        if let Some(last) = numbers.len().checked_sub(1) {
            lane[last] += 1000;
            assert_eq!(lane[last], 2 * numbers[last] + last as i64 + 1000);
        }
    }
    for at in coordinates(value.extents()) {
        let more = if at[axis] + 1 == value.extents()[axis] { 1000 } else { 0 };
        let place: [usize; RANK] = std::array::from_fn(|axis| at[axis]);
        assert_eq!(changed[place], 2 * number(&at) + at[axis] as i64 + more, "{value}, {letter}");
    }
    // Nothing else has changed.
    let others = |tensor: &Tensor<L>| tensor.buffer().iter().filter(|x| **x == -1).count();
    assert_eq!(others(&changed), value.len() - value.numel(), "{value}");
}

#[test]
fn lanes_are_those_of_the_coordinates() {
    check(<layout!(M<M = 5>, i64)>::default());
    check(<layout!(MK<3, 4>, i64)>::default());
    check(<layout!(NCHW4<2, 8, 3, 2>, i64)>::default());
    check(<layout!(NCHW4<1, 6, 2, 3>, i64, pad)>::default());
    check(<layout!(NHWC<N = 2, H = 2, W = 3, C = 3>, i64)>::default());
    check(<layout!(O4o2o/4 I<16, 3>, i64)>::default());
    check(<layout!(MK<4, 6>, i64, swizzle(1, 1, 2))>::default());
    for text in [
        "NCHW<2, 3, 2, 2>, i64",
        "HWC<H = 3, W = 2, C = 4>, i64, align(H = 128)",
        "KM4k<K = 8, M = 3>, i64",
        "MK<3, 0>, i64",
        "MK<0, 3>, i64",
        "MK<1, 1>, i64",
    ] {
        let layout = Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        match layout.rank() {
            2 => check(Dynamic::<i64, 2>::new(layout).unwrap()),
            3 => check(Dynamic::<i64, 3>::new(layout).unwrap()),
            _ => check(Dynamic::<i64, 4>::new(layout).unwrap()),
        }
    }
    // Views, one of which begins inside a block and runs backwards.
    let blocked = Layout::parse("NCHW4<1, 12, 3, 2>, i64").unwrap();
    let view = blocked.slice('C', 2, 1, 7).unwrap().flip('H').unwrap();
    check(Dynamic::<i64, 4>::new(view).unwrap());
    check(Dynamic::<i64, 4>::new(blocked.slice('C', 9, -2, 4).unwrap()).unwrap());
}

#[test]
fn slices_are_given_where_a_lane_is_one() {
    let mut rows = Tensor::<layout!(MK<2, 8>, f32)>::from_fn(|[m, k]| (8 * m + k) as f32);
    assert!(rows.lanes_mut('K').unwrap().all(|mut lane| lane.as_slice_mut().is_some()));
    assert!(rows.lanes_mut('M').unwrap().all(|mut lane| lane.as_slice_mut().is_none()));
}

#[test]
fn elements_of_less_than_a_byte_are_folded() {
    let bits =
        Tensor::<layout!(MK<2, 8>, u1)>::from_fn(|[m, k]| u1::from_bits(((m + k) % 3 == 0) as u8));
    let counts = bits.fold_axis('K', 0u32, |count, bit| count + u32::from(bit.to_bits())).unwrap();
    assert_eq!(counts.buffer(), [3, 2]);
    let nibbles =
        Tensor::<layout!(MK<2, 2>, i4)>::from_fn(|[m, k]| i4::new((m + k) as i8).unwrap());
    let most = nibbles.fold_axis('M', i4::new(-8).unwrap(), |most, one| most.max(one)).unwrap();
    assert_eq!(most.buffer(), [0x21]);
}

#[test]
fn lanes_that_share_elements_or_have_no_axis_are_refused() {
    let says = |error: LayoutError, text: &str| {
        assert!(error.to_string().starts_with(text), "{error}");
    };
    let mut rows = Tensor::<layout!(MK<2, 3>, f32)>::zeroed();
    says(rows.lanes_mut('X').map(|_| ()).unwrap_err(), "layout has no axis `X`; ");
    says(rows.sum_axis('X').map(|_| ()).unwrap_err(), "layout has no axis `X`; ");
    let shared = Layout::of("K", &[3], ElementType::F32).unwrap().unsqueeze('M', 0).unwrap();
    let shared = Dynamic::<f32, 2>::new(shared.broadcast('M', 2).unwrap()).unwrap();
    let mut shared = Tensor::with_layout(shared, [1.0, 2.0, 3.0]).unwrap();
    says(
        shared.lanes_mut('K').map(|_| ()).unwrap_err(),
        "coordinates along axis `M` share elements, ",
    );
    // Reading them is not an error.
    assert_eq!(shared.sum_axis('K').unwrap().buffer(), [6.0, 6.0]);
}

#[test]
#[should_panic = "coordinate 3 is out of bounds for axis `K` of extent 3; write 0 to 2"]
fn indices_lie_inside_the_lane() {
    let mut rows = Tensor::<layout!(MK<2, 3>, f32)>::zeroed();
    let lane = rows.lanes_mut('K').unwrap().next().unwrap();
    let _ = lane[3];
}
