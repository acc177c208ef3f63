//! Views whose layout is a type against the elements that they are views of.

use tensor_layout::typed::{At, Flip, Slice, Transpose, Window};
use tensor_layout::{Tensor, layout};

type Act = layout!(NCHW4<2, 8, 4, 6>, u16);

fn act() -> Tensor<Act, Vec<u16>> {
    Tensor::new((0..Act::LEN as u16).collect()).unwrap()
}

#[test]
fn views_have_the_elements_of_their_tensor() {
    let act = act();
    for (c, element) in act.iter() {
        let [n, channel, h, w] = c;
        let image = act.viewed(At::<'N'>(n));
        assert_eq!(image[[channel, h, w]], element);
        let plane = image.viewed(At::<'C'>(channel));
        assert_eq!((plane[[h, w]], plane.get([h, 6])), (element, None));
        assert_eq!(plane.viewed(Transpose::<'H', 'W'>)[[w, h]], element);
        assert_eq!(plane.viewed(At::<'H'>(h)).viewed(At::<'W'>(w))[[]], element);
        assert_eq!(image.viewed(Flip::<'C'>)[[7 - channel, h, w]], element);
        if h > 0 && w % 2 == 1 {
            let crop = act.viewed(Slice::<'H', 1, 1, 3>);
            assert_eq!(
                crop.viewed(Slice::<'W', 5, -2, 3>)[[n, channel, h - 1, (5 - w) / 2]],
                element
            );
        }
        if h <= 2 {
            assert_eq!(act.viewed(Window::<'H', 2>(h))[[n, channel, 0, w]], element);
            assert_eq!(
                act.viewed(Window::<'H', 2>(h))[[n, channel, 1, w]],
                act[[n, channel, h + 1, w]]
            );
        }
        let block = act.viewed(Window::<'C', 4>(channel / 4 * 4));
        assert_eq!(block[[n, channel % 4, h, w]], element);
    }
    let image = act.viewed(At::<'N'>(1));
    assert_eq!(image.buffer().len(), 8 * 4 * 6);
    assert!(image.iter().all(|([c, h, w], element)| act[[1, c, h, w]] == element));
}

#[test]
fn views_are_changed() {
    let mut changed = act();
    let before = changed.clone();
    changed.viewed_mut(At::<'C'>(5)).for_each_mut(|_, element| *element += 1000).unwrap();
    changed.viewed_mut(Window::<'W', 2>(3))[[0, 0, 0, 1]] = 7;
    changed.viewed_mut(Flip::<'W'>)[[0, 0, 1, 0]] = 9;
    for (c, element) in changed.iter() {
        let expected = match c {
            [0, 0, 0, 4] => 7,
            [0, 0, 1, 5] => 9,
            [_, 5, ..] => before[c] + 1000,
            _ => before[c],
        };
        assert_eq!(element, expected, "{c:?}");
    }
}

#[test]
#[should_panic = "window of 3 coordinates from 2 on is out of bounds for axis `H` of extent 4; begin at 1 or lower"]
fn windows_lie_inside_the_axis() {
    act().viewed(Window::<'H', 3>(2));
}

#[test]
#[should_panic = "coordinate 2 of axis `C` is inside a block of 4; begin at a multiple of 4, or use `view`"]
fn windows_begin_with_a_block() {
    act().viewed(Window::<'C', 4>(2));
}

#[test]
#[should_panic = "coordinate 2 is out of bounds for axis `N` of extent 2; write 0 to 1"]
fn coordinates_lie_inside_the_axis() {
    act().viewed(At::<'N'>(2));
}
