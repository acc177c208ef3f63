//! Elements of random layouts, one after the other and several tensors at once, against offsets of the oracle.

use proptest::prelude::*;
use tensor_layout::tensor::zip;
use tensor_layout::{Dynamic, ElementType, Layout, LayoutType, Tensor, UnitOf, i4, layout};

use crate::support::random::{Case, axes, cases, layout_of};

type Units<L> = Vec<UnitOf<L>>;

/// Three layouts of the same axes: one that may share elements, one of 4-bit elements, and one that shares none.
fn three() -> impl Strategy<Value = [Case; 3]> {
    axes().prop_flat_map(|axes| {
        (
            layout_of(axes.clone(), (ElementType::U8, 8), true),
            layout_of(axes.clone(), (ElementType::I4, 4), true),
            layout_of(axes, (ElementType::F32, 32), false),
        )
            .prop_map(|(a, b, c)| [a, b, c])
    })
}

fn nibble(bytes: &[u8], offset: usize) -> i8 {
    let bits = bytes[offset / 2] >> (offset % 2 * 4) & 15;
    if bits > 7 { bits as i8 - 16 } else { bits as i8 }
}

fn tensor<L: LayoutType>(layout: L, units: Units<L>) -> Tensor<L> {
    let mut tensor = Tensor::zeroed_in(layout).unwrap();
    tensor.buffer_mut().copy_from_slice(&units);
    tensor
}

fn dynamic<E: tensor_layout::Element, const RANK: usize>(layout: Layout) -> Dynamic<E, RANK> {
    Dynamic::new(layout).unwrap()
}

/// Numbers that repeat after a prime number of them.
fn numbers(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

fn check<const RANK: usize>([a, b, c]: &[Case; 3]) {
    let memories = [a.memory(), b.memory(), c.memory()];
    let layouts = [a.layout(), b.layout(), c.layout()];
    let (a_units, b_units) = (numbers(layouts[0].units()), numbers(layouts[1].units()));
    let c_units: Vec<f32> = (0..layouts[2].units()).map(|i| i as f32 * 1000.0).collect();
    let a = tensor(dynamic::<u8, RANK>(layouts[0]), a_units.clone());
    let mut b = tensor(dynamic::<i4, RANK>(layouts[1]), b_units.clone());
    let mut c = tensor(dynamic::<f32, RANK>(layouts[2]), c_units.clone());

    let coordinates: Vec<[usize; RANK]> =
        memories[0].coordinates().iter().map(|c| c[..].try_into().unwrap()).collect();
    let at = |which: usize, coordinate: &[usize; RANK]| memories[which].offset(coordinate);
    let elements: Vec<_> = coordinates.iter().map(|c| (*c, a_units[at(0, c)])).collect();
    let nibbles: Vec<_> = coordinates.iter().map(|c| (*c, nibble(&b_units, at(1, c)))).collect();

    // By `next`, by `fold`, and by both.
    assert!(a.iter().eq(elements.iter().copied()));
    let mut folded = Vec::new();
    a.iter().for_each(|element| folded.push(element));
    assert_eq!(folded, elements);
    let (mut both, mut iter) = (Vec::new(), b.iter());
    both.extend(iter.by_ref().take(nibbles.len() / 3));
    assert_eq!(iter.len(), nibbles.len() - both.len());
    iter.for_each(|element| both.push(element));
    assert!(both.iter().map(|(c, e)| (*c, e.get())).eq(nibbles.iter().copied()));

    // In memory, every coordinate once, by offsets that do not fall.
    let mut in_memory: Vec<_> = c.iter_in_memory().collect();
    assert!(in_memory.is_sorted_by_key(|(coordinate, _)| at(2, coordinate)));
    assert!(in_memory.iter().all(|(coordinate, e)| c_units[at(2, coordinate)] == *e));
    in_memory.sort_by_key(|(coordinate, _)| *coordinate);
    assert!(in_memory.iter().map(|(coordinate, _)| coordinate).eq(&coordinates));

    // Several at once: every coordinate once, and nothing else.
    zip((&a, &b, &mut c)).unwrap().for_each(|a, b, c| {
        *c += f32::from(a) + f32::from(b.get()) / 16.0;
    });
    let mut expected = c_units;
    for (c, element) in &elements {
        expected[at(2, c)] += f32::from(*element) + f32::from(nibble(&b_units, at(1, c))) / 16.0;
    }
    assert_eq!(c.buffer(), expected);
    if zip((&mut b,)).map(|b| b.for_each(|b| *b = i4::new(-b.get() / 2).unwrap())).is_ok() {
        assert!(
            coordinates
                .iter()
                .all(|c| { nibble(b.buffer(), at(1, c)) == -nibble(&b_units, at(1, c)) / 2 })
        );
    } else {
        let shared =
            coordinates.iter().map(|c| at(1, c)).collect::<std::collections::BTreeSet<_>>();
        assert!(shared.len() < coordinates.len());
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn visits_are_those_of_naive_loops(three in three()) {
        match three[0].axes.len() {
            0 => check::<0>(&three),
            1 => check::<1>(&three),
            2 => check::<2>(&three),
            3 => check::<3>(&three),
            4 => check::<4>(&three),
            5 => check::<5>(&three),
            6 => check::<6>(&three),
            7 => check::<7>(&three),
            8 => check::<8>(&three),
            9 => check::<9>(&three),
            10 => check::<10>(&three),
            11 => check::<11>(&three),
            12 => check::<12>(&three),
            rank => panic!("{rank} axes"),
        }
    }
}

#[test]
fn static_layouts_are_visited_as_dynamic_ones() {
    macro_rules! visits {
        ($($layout:ty),*) => {$({
            type L = $layout;
            let units: Vec<u16> = (0..L::LEN as u16).collect();
            let fixed = tensor(L::default(), units.clone());
            let dynamic = tensor(Dynamic::from(L::default()), units);
            assert!(fixed.iter().eq(dynamic.iter()));
            let (mut sum, mut expected) = (0, 0);
            let number = |c: [usize; 4], e: u16| c[3] * usize::from(e) + c[1];
            fixed.iter().for_each(|(c, e)| sum = (sum * 31 + number(c, e)) % 65521);
            for (c, e) in dynamic.iter() {
                expected = (expected * 31 + number(c, e)) % 65521;
            }
            assert_eq!(sum, expected);
            for (c, e) in dynamic.iter() {
                assert_eq!((fixed[c], fixed.get(c)), (e, Some(e)));
            }
        })*};
    }
    visits!(
        layout!(NCHW4<2, 8, 3, 5>, u16),
        layout!(NCHW4<2, 6, 3, 5>, u16, pad),
        layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u16),
        layout!(NCHW4w<1, 2, 3, 10>, u16, pad),
        layout!(NCHW2w3w<1, 2, 3, 12>, u16),
        layout!(NCHW<1, 2, 3, 5>, u16, align(H = 32)),
        layout!(NCHW<1, 2, 3, 5>, u16, strides = [90, 40, -10, 2])
    );
}

#[test]
fn static_layouts_are_zipped_as_naive_loops() {
    macro_rules! zips {
        ($($from:ty => $to:ty),*) => {$({
            type From = $from;
            type To = $to;
            let numbers = |length: usize| (1..=length as i32).collect::<Vec<i32>>();
            let from = tensor(From::default(), numbers(From::LEN));
            let dynamic = tensor(Dynamic::from(From::default()), numbers(From::LEN));
            let mut to = tensor(To::default(), numbers(To::LEN));
            let mut expected = to.clone();
            // Coordinates are in the order of the letters of both.
            let [a, b, c, d] = From::EXTENTS;
            for coordinate in (0..a * b * c * d).map(|i| [i / (b * c * d), i / (c * d) % b, i / d % c, i % d]) {
                expected[coordinate] += from[coordinate] * 1000;
            }
            let mut all_dynamic = to.clone();
            zip((&from, &mut to)).unwrap().for_each(|from, to| *to += from * 1000);
            assert_eq!(to.buffer(), expected.buffer(), "{} => {}", From::LAYOUT, To::LAYOUT);
            // With one layout known only at run time.
            zip((&dynamic, &mut all_dynamic)).unwrap().for_each(|from, to| *to += from * 1000);
            assert_eq!(all_dynamic.buffer(), expected.buffer());
        })*};
    }
    zips!(
        layout!(NCHW<2, 8, 3, 5>, i32) => layout!(NCHW4<2, 8, 3, 5>, i32),
        layout!(NCHW4<2, 8, 3, 5>, i32) => layout!(NCHW4<2, 8, 3, 5>, i32),
        layout!(NHWC<N = 2, C = 6, H = 3, W = 5>, i32) => layout!(NCHW4<2, 6, 3, 5>, i32, pad),
        layout!(NCHW2w3w<1, 2, 3, 12>, i32) => layout!(NCHW4w<1, 2, 3, 12>, i32),
        // More boxes than are constants.
        layout!(NCHW3c<1, 36, 2, 2>, i32, pad) => layout!(NCHW4c<1, 36, 2, 2>, i32),
        layout!(NCHW<1, 2, 3, 5>, i32, strides = [90, 40, -10, 2]) =>
            layout!(NHWC<N = 1, C = 2, H = 3, W = 5>, i32, align(H = 64)),
        layout!(NCHW<2, 4, 1, 16>, i32, broadcast(C)) => layout!(NCHW<2, 4, 1, 16>, i32),
        layout!(NCHW<1, 1, 16, 32>, i32, swizzle = b128) => layout!(NCHW<1, 1, 16, 32>, i32),
        layout!(NCHW<1, 1, 16, 32>, i32, swizzle = b128) => layout!(NCHW<1, 1, 16, 32>, i32, swizzle = b128),
        layout!(NCHW<1, 1, 32, 32>, i32, swizzle = b64) =>
            layout!(NCWH<N = 1, C = 1, H = 32, W = 32>, i32, swizzle = b128)
    );
}

#[test]
fn a_borrowed_tensor_has_the_length_of_its_layout() {
    /// A buffer that is one element shorter at each borrow.
    struct Shrinking(std::cell::Cell<usize>, [u8; 6]);
    impl AsRef<[u8]> for Shrinking {
        fn as_ref(&self) -> &[u8] {
            self.0.set(self.0.get() - 1);
            &self.1[..self.0.get()]
        }
    }
    type Rows = layout!(HW<2, 3>, u8);
    let shrinking = Shrinking(7.into(), [1, 2, 3, 4, 5, 6]);
    let tensor = Tensor::<Rows, _>::new(shrinking).unwrap();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tensor.borrow()[[0, 0]]));
    let message = *caught.unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("buffer has length 5"), "{message}");
    let mut whole = Tensor::<Rows, _>::new([1, 2, 3, 4, 5, 6]).unwrap();
    whole.borrow_mut()[[1, 2]] = 9;
    assert_eq!(whole.borrow()[[1, 2]], 9);
}

#[test]
fn zipped_tensors_have_the_same_axes() {
    let a = Tensor::<layout!(NCHW<1, 2, 2, 3>, u8), _>::new([0; 12]).unwrap();
    let mut b = Tensor::<layout!(NCHW<1, 2, 3, 2>, u8), _>::new([0; 12]).unwrap();
    let error = zip((&a, &mut b)).err().unwrap().to_string();
    assert_eq!(
        error,
        "axis `H` has extent 2 in tensor 1 of the zip but 3 in the last, whose extents are the same in another order; \
         name the extents of tensor 1, which are those of N, C, W, H, or list them in coordinate order"
    );
    let mut longer = Tensor::<layout!(NCHW<1, 2, 2, 4>, u8), _>::new([0; 16]).unwrap();
    assert_eq!(
        zip((&a, &mut longer)).err().unwrap().to_string(),
        "axis `W` has extent 3 in tensor 1 of the zip but 4 in the last; `slice` the longer one"
    );
    // Axes are matched by letter, whatever the order of coordinates.
    let turned = a.view::<4>(|layout| layout.permute("WHCN")).unwrap();
    let mut c = Tensor::<layout!(NHWC<N = 1, C = 2, H = 2, W = 3>, u8), _>::new([5; 12]).unwrap();
    zip((&turned, &mut c)).unwrap().for_each(|a, c| *c += a);
    assert_eq!(c.buffer(), [5; 12]);
}
