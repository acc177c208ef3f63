//! Buffers: from arrays, slices and the heap, aligned as layouts ask.

use tensor_layout::tensor::Aligned;
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, i4, layout, tensor};

type Act = layout!(NCHW4<1, 3, 2, 2>, u16, pad = 7);
type Rows = layout!(HW<4, 12>, f32, align(H = 64));

#[test]
fn arrays_become_tensors_without_a_check() {
    let array = [5u16; Act::LEN];
    let by_value: Tensor<Act, [u16; 16]> = array.into();
    let borrowed: Tensor<Act, &[u16; 16]> = (&array).into();
    let boxed: Tensor<Act, Box<[u16]>> = Box::new(array).into();
    assert!(by_value == borrowed && borrowed == boxed);
    let mut array = array;
    let mut changed: Tensor<Act, &mut [u16; 16]> = (&mut array).into();
    changed[[0, 2, 1, 1]] = 6;
    assert_eq!(array[12 + 2], 6);
    // Two elements in a byte.
    let nibbles: Tensor<layout!(MK<2, 4>, i4), _> = [0x21, 0x43, 0x65, 0x07].into();
    assert_eq!(nibbles.get([1, 1]), i4::new(6));
    let empty: Tensor<layout!(HW<2, 3>, f64), Vec<f64>> = vec![0.5; 6].try_into().unwrap();
    assert_eq!(empty.into_buffer(), [0.5; 6]);
}

#[test]
fn slices_and_vectors_become_tensors_if_they_are_as_long() {
    let mut long = vec![0u16; 17];
    let error = Tensor::<Act, _>::try_from(&long[..]).unwrap_err();
    assert!(error.to_string().starts_with("buffer has length 17 but its layout takes 16"));
    assert!(Tensor::<Act, _>::try_from(&mut long[1..]).is_ok());
    assert!(Tensor::<Act, _>::try_from(long.clone()).is_err());
    long.pop();
    assert!(Tensor::<Act, _>::try_from(long.clone().into_boxed_slice()).is_ok());
    assert_eq!(Tensor::<Act, _>::try_from(long).unwrap().extents(), [1, 3, 2, 2]);
}

#[test]
fn a_buffer_that_is_not_aligned_as_its_layout_asks_is_refused() {
    let mut long = vec![1.0f32; 64 + 16];
    let first = (0..16).find(|i| long[*i..].as_ptr().addr() % 64 == 0).unwrap();
    for i in 0..16 {
        let slice = &mut long[i..][..64];
        let address = slice.as_ptr().addr();
        let tensor = Tensor::<Rows, _>::new(&mut *slice);
        if i == first {
            assert_eq!(tensor.unwrap()[[3, 11]], 1.0);
            continue;
        }
        assert_eq!(
            tensor.unwrap_err().to_string(),
            format!(
                "buffer begins at address {address:#x}, which is not a multiple of 64 bytes, the alignment of \
                 its layout; copy it to an aligned tensor of `tensor!(..)` or `Tensor::zeroed`, or write `pitch(..)` in \
                 place of `align(..)` if only the distance of rows is given"
            ),
        );
        let layout = Dynamic::<f32, 2>::from(Rows::default());
        assert!(Tensor::with_layout(layout, slice).is_err());
    }
    // An array inside a value moves with the value, so its current address does not count.
    for _ in 0..20 {
        let error = Tensor::<Rows, _>::new([0.0f32; 64]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "buffer is in a value that may move and is aligned to 4 bytes, but its layout needs an alignment \
             of 64; use an aligned tensor of `tensor!(..)` or `Tensor::zeroed`",
        );
    }
    assert!(Tensor::<Rows, _>::new(Aligned::<64, _>::new([0.0f32; 64])).is_ok());
    assert!(Tensor::<Rows, _>::new(Aligned::<128, _>::new([0.0f32; 64])).is_ok());
    assert!(Tensor::<Rows, _>::new(Aligned::<32, _>::new([0.0f32; 64])).is_err());
    // A layout without an alignment of its own accepts any buffer aligned for its elements.
    assert!(Tensor::<layout!(HW<4, 16>, f32), _>::new(&long[first + 1..][..64]).is_ok());
    // An empty buffer needs no aligned start.
    let none = Layout::parse("HW<0, 12>, f32, align(H = 64)").unwrap();
    let none = Dynamic::<f32, 2>::new(none).unwrap();
    assert!(Tensor::with_layout(none, []).is_ok());
}

#[test]
fn bytes_are_aligned_as_the_layout_asks() {
    let mut aligned = <tensor!(Rows)>::default();
    aligned[[1, 1]] = 4.0;
    let bytes: &[u8] = bytemuck::cast_slice(aligned.buffer());
    assert_eq!(aligned.as_bytes(), bytes);
    assert_eq!(Tensor::from_bytes(Rows::default(), bytes).unwrap()[[1, 1]], 4.0);
    aligned.as_bytes_mut()[4..8].copy_from_slice(&0.5f32.to_ne_bytes());
    assert_eq!(aligned[[0, 1]], 0.5);
    let nibbles: Tensor<layout!(MK<2, 2>, i4), _> = [0x21, 0x43].into();
    assert_eq!(nibbles.as_bytes(), [0x21, 0x43]);
    let mut longer = vec![0u8; 4 * 64 + 64];
    let start = (0..64).find(|i| longer[*i..].as_ptr().addr() % 64 == 4).unwrap();
    let error = Tensor::from_bytes_mut(Rows::default(), &mut longer[start..][..256]).unwrap_err();
    assert!(error.to_string().contains("which is not a multiple of 64 bytes"), "{error}");
}

#[test]
fn tensors_own_their_elements_where_layouts_ask() {
    let heap = Tensor::<Rows>::zeroed();
    assert_eq!((heap.buffer().as_ptr().addr() % 64, heap.buffer()), (0, &[0.0; 64][..]));
    assert_eq!(Tensor::<Rows>::default(), heap);
    let copy = heap.clone();
    assert!(copy == heap && copy.buffer().as_ptr() != heap.buffer().as_ptr());
    static ZEROED: tensor!(Rows) = <tensor!(Rows)>::ZEROED;
    assert_eq!(ZEROED.buffer().as_ptr().addr() % 64, 0);
    assert_eq!(ZEROED, heap);
    for align in [1usize, 2, 64, 4096, 65536] {
        let rows = Layout::builder("HW", ElementType::U16).align('H', 2 * align);
        let layout = Dynamic::<u16, 2>::new(rows.extents(&[3, 5]).unwrap()).unwrap();
        let mut tensor = Tensor::zeroed_in(layout).unwrap();
        assert_eq!(tensor.buffer().as_ptr().addr() % (2 * align), 0);
        tensor[[2, 4]] = 9;
        assert_eq!(tensor.buffer()[2 * 5usize.next_multiple_of(align) + 4], 9);
    }
    let none = Layout::of("HW", &[0, 3], ElementType::F64).unwrap();
    let none = Tensor::zeroed_in(Dynamic::<f64, 2>::new(none).unwrap()).unwrap();
    assert_eq!((none.clone().buffer().len(), none.iter().count()), (0, 0));
    let large = Layout::of("HW", &[1 << 31, 1 << 31], ElementType::U8).unwrap();
    let error = Tensor::zeroed_in(Dynamic::<u8, 2>::new(large).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("could not allocate 4611686018427387904 bytes aligned"));
}

#[test]
fn functions_of_coordinates_fill_tensors() {
    let act = Tensor::<Act>::from_fn(|[_, c, h, w]| (100 * c + 10 * h + w) as u16);
    let expected: Vec<u16> =
        (0..4).flat_map(|pixel| [0, 100, 200].map(|c| c + pixel / 2 * 10 + pixel % 2)).collect();
    assert!(expected.chunks(3).eq(act.buffer().chunks(4).map(|block| &block[..3])));
    assert!(act.buffer().chunks(4).all(|block| block[3] == 7));
    let nibbles = Layout::of("MK", &[2, 6], ElementType::I4).unwrap();
    let nibbles = Dynamic::<i4, 2>::new(nibbles).unwrap();
    let nibbles = Tensor::from_fn_in(nibbles, |[m, k]| i4::new((k + m) as i8).unwrap()).unwrap();
    assert_eq!(nibbles.buffer(), [0x10, 0x32, 0x54, 0x21, 0x43, 0x65]);
    let shared = Layout::of("MK", &[1, 2], ElementType::F32).unwrap().broadcast('M', 3).unwrap();
    let error = Tensor::from_fn_in(Dynamic::<f32, 2>::new(shared).unwrap(), |_| 1.0).unwrap_err();
    assert!(error.to_string().starts_with("coordinates along axis `M` share elements"), "{error}");
}

#[test]
fn elements_are_mapped_to_another_type() {
    let act =
        Tensor::<layout!(NCHW4<1, 3, 2, 2>, u16, pad)>::from_fn(|[_, c, h, w]| (c + h + w) as u16);
    let halves: Tensor<layout!(NCHW4<1, 3, 2, 2>, f32, pad)> =
        act.map(|element| f32::from(element) / 2.0);
    for (c, element) in &halves {
        assert_eq!(element, (c[1] + c[2] + c[3]) as f32 / 2.0);
    }
    let some = act.view::<2>(|layout| layout.index('N', 0)?.index('C', 1)).unwrap();
    let wide = some.layout().with_element(ElementType::U64).unwrap();
    let wide = Dynamic::<u64, 2>::new(wide).unwrap();
    let doubled = some.map_in(wide, |element| 2 * u64::from(element)).unwrap();
    assert!(doubled.iter().eq([([0, 0], 2), ([0, 1], 4), ([1, 0], 4), ([1, 1], 6)]));
    // To another format, whose padding is filled.
    type Padded = layout!(NHWC4c<N = _, H = 2, W = 2, C = 3>, i32, pad = -1);
    let moved = act.map_in(Padded::new([1]).unwrap(), |element| -i32::from(element) - 5).unwrap();
    assert!(moved.iter().all(|(c, element)| element == -i32::from(act[c]) - 5));
    assert!(moved.buffer().chunks(4).all(|pixel| pixel[3] == -1));
    type Wider = layout!(NCHW<1, 3, 2, 5>, f32);
    let error = act.map_in(Wider::default(), f32::from).unwrap_err().to_string();
    assert!(error.starts_with("axis `W` has extent "), "{error}");
    let shared = Layout::of("HW", &[2, 2], ElementType::F32).unwrap().unsqueeze('K', 0).unwrap();
    let shared = Dynamic::<f32, 3>::new(shared.broadcast('K', 2).unwrap()).unwrap();
    let two = act.view::<3>(|layout| layout.index('N', 0)?.slice('C', 0, 1, 2)?.rename('C', 'K'));
    let error = two.unwrap().map_in(shared, f32::from).unwrap_err().to_string();
    assert!(error.starts_with("coordinates along axis `"), "{error}");
}

#[test]
fn tensors_are_equal_where_their_elements_are() {
    let act = Tensor::<Act>::from_fn(|[_, c, h, w]| (100 * c + 10 * h + w) as u16);
    let mut other = act.to_layout::<layout!(NHWC<N = 1, C = 3, H = 2, W = 2>, u16)>().unwrap();
    assert!(act == other);
    // Padding does not count, and every element does.
    let mut padded = act.clone();
    padded.buffer_mut()[3] = 12345;
    assert_eq!(padded, act);
    other[[0, 2, 1, 1]] += 1;
    assert_ne!(act, other);
    let turned = act.view::<4>(|layout| layout.permute("NCWH")).unwrap();
    assert!(turned != act.view::<4>(Ok).unwrap());
    let fewer = act.view::<4>(|layout| layout.slice('W', 0, 1, 1)).unwrap();
    assert!(fewer != act.view::<4>(Ok).unwrap());
    let nothing = [f32::NAN];
    let nothing = Tensor::<layout!(W<1>, f32), _>::from(&nothing);
    assert!(nothing != nothing);
}

#[test]
fn parts_of_an_aligned_tensor_are_aligned_as_far_as_they_can_be() {
    let mut rows = Tensor::<Rows>::from_fn(|[h, w]| (12 * h + w) as f32);
    let (low, high) = rows.borrow_mut().split('H', 1).unwrap();
    assert_eq!((low.layout().align(), high.layout().align()), (64, 64));
    assert_eq!((low[[0, 1]], high[[2, 11]]), (1.0, 47.0));
    let row = rows.view_mut::<1>(|layout| layout.index('H', 2)).unwrap();
    let (low, high) = row.split('W', 2).unwrap();
    assert_eq!((low.layout().align(), high.layout().align()), (64, 8));
    assert_eq!((low[[1]], high[[0]]), (25.0, 26.0));
}
