//! Tensors as arrays of ndarray and back: every element is where it was, and nothing is copied.

use ndarray::{
    Array, Array0, Array2, Array3, Array4, ArrayView2, ArrayViewMut2, Axis, ShapeBuilder, s,
};
use tensor_layout::adapters::{AdapterError, Cause, ndarray as adapter};
use tensor_layout::spec::Rule;
use tensor_layout::{Dynamic, ElementType, Layout, LayoutError, Static, Tensor, layout, typed};

/// That the view has every element of the tensor at its coordinate, in the tensor's memory.
fn assert_viewed<E, X, O>(tensor: &Tensor<Static<E, X, O, 4>, Vec<E>>)
where
    E: tensor_layout::Element<Unit = E> + PartialEq + std::fmt::Debug,
    X: typed::ExtentList<4>,
    O: typed::Order,
{
    let layout = tensor.layout();
    let view = adapter::view(tensor).unwrap();
    assert_eq!(view.shape(), layout.extents());
    for ((n, c, h, w), element) in view.indexed_iter() {
        let place = &tensor.buffer()[layout.offset(&[n, c, h, w])];
        assert!(std::ptr::eq(element, place), "{layout} at {:?}", [n, c, h, w]);
    }
}

#[test]
fn tensors_are_viewed_where_they_are() {
    macro_rules! viewed {
        ($($layout:ty;)*) => {$(
            let elements = (0..<$layout>::LEN).map(|i| i as _).collect();
            assert_viewed(&Tensor::<$layout, Vec<_>>::new(elements).unwrap());
        )*};
    }
    viewed! {
        layout!(NCHW<2, 3, 4, 5>, f32);
        layout!(NHWC<N = 2, C = 3, H = 4, W = 5>, u8);
        layout!(CHWN<N = 2, C = 3, H = 1, W = 5>, i16);
        layout!(NCHW<2, 3, 4, 5>, u16, align(H = 16));
        layout!(NCHW<2, 3, 4, 5>, i32, strides = [-96, 32, -8, 1]);
        layout!(NCHW<2, 3, 4, 5>, u8, broadcast(C));
    }
}

#[test]
fn tensors_are_changed_through_their_arrays() {
    type Image = layout!(HWC<C = 3, H = 2, W = 4>, u8);
    let mut image = Tensor::<Image, _>::new([0; Image::LEN]).unwrap();
    let mut view = adapter::view_mut(&mut image).unwrap();
    for ((c, h, w), element) in view.indexed_iter_mut() {
        *element = (c * 100 + h * 10 + w) as u8;
    }
    assert_eq!(image[[2, 1, 3]], 213);
    assert_eq!(image.buffer()[..4], [0, 100, 200, 1]);

    type Shared = layout!(MK<3, 4>, u8, broadcast(M));
    let mut shared = Tensor::<Shared, _>::new([0; Shared::LEN]).unwrap();
    let error = adapter::view_mut(&mut shared).unwrap_err();
    assert!(matches!(error, AdapterError(Cause::Ndarray { .. })), "{error}");
}

#[test]
fn blocks_are_not_strides() {
    type Blocked = layout!(NCHW4<1, 8, 2, 2>, u8);
    let blocked = Tensor::<Blocked, _>::new([0; Blocked::LEN]).unwrap();
    let error = adapter::view(&blocked).unwrap_err().to_string();
    let says =
        "layout `NCHW4c<1, 8, 2, 2>, u8` has blocks, so its axes have more than one stride each; ";
    assert!(error.starts_with(says), "{error}");
}

#[test]
fn nothing_goes_over_as_nothing() {
    let layout = Layout::of("CAB", &[2, 0, 3], ElementType::F64).unwrap();
    let mut empty = Tensor::with_layout(Dynamic::<f64, 3>::new(layout).unwrap(), vec![]).unwrap();
    assert_eq!(adapter::view(&empty).unwrap().shape(), [2, 0, 3]);
    assert_eq!(adapter::view_mut(&mut empty).unwrap().shape(), [2, 0, 3]);
    // An empty view of a tensor that is not empty.
    type Image = layout!(CHW<2, 3, 4>, u8);
    let image = Tensor::<Image, _>::new([0; Image::LEN]).unwrap();
    let none = image.view::<3>(|layout| layout.slice('H', 3, 1, 0)).unwrap();
    let array = adapter::view(&none).unwrap();
    assert_eq!(array.shape(), [2, 0, 4]);
    let again = adapter::tensor(array, "CHW").unwrap();
    assert_eq!(again.layout().extents(), [2, 0, 4]);
}

#[test]
fn arrays_are_tensors_where_they_are() {
    let array = Array4::from_shape_fn((2, 3, 4, 5), |(n, c, h, w)| (n, c, h, w))
        .map(|&(n, c, h, w)| (n * 1000 + c * 100 + h * 10 + w) as u16);
    let fortran = Array::from_shape_fn((2, 3, 4, 5).f(), |i| array[i]);
    let mut flipped = array.clone();
    flipped.invert_axis(Axis(2));
    for (view, what) in [
        (array.view(), "C order"),
        (fortran.view(), "Fortran order"),
        (array.view().permuted_axes([0, 2, 3, 1]), "permuted"),
        (flipped.view(), "flipped"),
        (array.slice(s![..1, .., .., ..]), "the first"),
        (array.slice(s![.., ..0, .., ..]), "none"),
    ] {
        let tensor = adapter::tensor(view, "NCHW").unwrap();
        assert_eq!(tensor.layout().extents(), view.shape(), "{what}");
        for ((n, c, h, w), element) in view.indexed_iter() {
            assert!(std::ptr::eq(element, &tensor[[n, c, h, w]]), "{what} at {:?}", [n, c, h, w]);
        }
    }
    let scalar = Array0::from_elem((), 7u8);
    assert_eq!(adapter::tensor(scalar.view(), "").unwrap()[[]], 7);
}

#[test]
fn arrays_are_changed_through_their_tensors() {
    let mut array = Array2::<i32>::zeros((3, 4));
    let mut tensor = adapter::tensor_mut(array.view_mut().reversed_axes(), "KM").unwrap();
    tensor[[3, 1]] = 5;
    assert_eq!(array[[1, 3]], 5);
    assert!(adapter::tensor_mut(array.slice_mut(s![.., ..0]), "MK").is_ok());
}

#[test]
fn arrays_that_no_tensor_can_borrow_are_errors() {
    let mut array = Array2::<i32>::zeros((3, 4));
    let gaps = |result: Result<_, AdapterError>| match result {
        Err(AdapterError(Cause::Gaps { .. })) => {}
        other => panic!("{:?}", other.map(|_: ()| ())),
    };
    let columns: ArrayView2<'_, i32> = array.slice(s![.., ..2]);
    gaps(adapter::tensor(columns, "MK").map(|_| ()));
    let row = Array2::<i32>::zeros((1, 4));
    gaps(adapter::tensor(row.broadcast((3, 4)).unwrap(), "MK").map(|_| ()));
    let columns: ArrayViewMut2<'_, i32> = array.slice_mut(s![.., ..2]);
    gaps(adapter::tensor_mut(columns, "MK").map(|_| ()));

    let error = adapter::tensor(array.view(), "MKN").unwrap_err();
    assert!(matches!(error, AdapterError(Cause::Axes { .. })));
    let error = adapter::tensor(array.view(), "MM").unwrap_err();
    assert!(matches!(
        error,
        AdapterError(Cause::Layout(LayoutError(Rule::RepeatedName { letter: 'M' })))
    ));
}

#[test]
fn owned_arrays_keep_their_memory() {
    let array = || Array2::from_shape_fn((4, 5), |(m, k)| (m * 10 + k) as i32);
    let mut flipped = array();
    flipped.invert_axis(Axis(0));
    for (array, what) in [
        (array(), "C order"),
        (array().reversed_axes(), "Fortran order"),
        (array().slice_move(s![1..3, 1..4]), "with gaps"),
        (array().slice_move(s![1..4;2, ..;-2]), "with steps"),
        (flipped, "flipped"),
    ] {
        let (expected, first) = (array.clone(), array.as_ptr());
        let mut tensor = adapter::from_array(array, "MK").unwrap();
        assert!(std::ptr::eq(first, &tensor[[0, 0]]), "{what}");
        for ((m, k), element) in expected.indexed_iter() {
            assert_eq!(tensor[[m, k]], *element, "{what} at {:?}", [m, k]);
        }
        tensor[[1, 1]] = -1;
        assert_eq!(tensor.get([1, 1]), Some(-1));
    }
    let none = adapter::from_array(array().slice_move(s![2..2, ..]), "MK").unwrap();
    assert_eq!(none.extents(), [0, 5]);
    assert!(adapter::from_array(array(), "MM").is_err());
}

#[test]
fn owned_tensors_become_arrays_where_they_are() {
    macro_rules! owned {
        ($($layout:ty;)*) => {$(
            let elements = (0..<$layout>::LEN as u16).collect::<Vec<_>>();
            let tensor = Tensor::<$layout, _>::new(elements).unwrap();
            let (same, address) = (tensor.clone(), &raw const tensor[[0, 0, 0]]);
            let array = adapter::into_array(tensor).unwrap();
            assert_eq!(array.as_ptr(), address, "{}", same.layout());
            for ((c, h, w), element) in array.indexed_iter() {
                assert_eq!(*element, same[[c, h, w]]);
            }
        )*};
    }
    owned! {
        layout!(CHW<2, 3, 4>, u16);
        layout!(HWC<C = 2, H = 3, W = 4>, u16);
        layout!(CHW<2, 3, 4>, u16, strides = [48, 16, 1]);
        layout!(CHW<2, 3, 4>, u16, strides = [12, -4, 1]);
    }
    let layout = Layout::of("HW", &[3, 4], ElementType::U8).unwrap();
    let tensor = Tensor::with_layout(Dynamic::<u8, 2>::new(layout).unwrap(), vec![0; 12]).unwrap();
    let lower = tensor.into_view::<2>(|layout| layout.slice('H', 1, 1, 2)).unwrap();
    let error = adapter::into_array(lower).unwrap_err().to_string();
    assert!(error.contains("begin 4 elements after its buffer"), "{error}");
}

#[test]
fn any_number_of_axes_goes_over() {
    let layout = Layout::of("ABCDEFGH", &[2, 1, 2, 1, 2, 1, 2, 3], ElementType::U8).unwrap();
    let mut tensor =
        Tensor::with_layout(Dynamic::<u8, 8>::new(layout).unwrap(), vec![0; 48]).unwrap();
    let place = [1, 0, 0, 0, 1, 0, 1, 2];
    adapter::view_mut_dyn(&mut tensor).unwrap()[&place[..]] = 9;
    let view = adapter::view_dyn(&tensor).unwrap();
    assert!(std::ptr::eq(&view[&place[..]], &tensor[place]));
    let again = adapter::tensor_dyn::<_, 8>(view, "ABCDEFGH").unwrap();
    assert!(std::ptr::eq(&again[place], &tensor[place]));

    let mut array = Array2::<i32>::zeros((3, 4)).into_dyn();
    adapter::tensor_mut_dyn::<_, 2>(array.view_mut(), "MK").unwrap()[[2, 1]] = 5;
    assert_eq!(array[[2, 1]], 5);
    assert!(adapter::tensor_dyn::<_, 3>(array.view(), "MKN").is_err());
    assert!(adapter::tensor_dyn::<_, 3>(array.view(), "MK").is_err());
}

#[test]
fn a_swizzle_is_refused_as_one() {
    let tensor = Tensor::<layout!(MK<8, 64>, f32, swizzle(3, 2, 3))>::zeroed();
    let error = adapter::view_dyn(&tensor).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "cannot take a layout with a swizzle; move the tensor to a layout without one first"
        ),
        "{error}"
    );
}

#[test]
fn letters_are_those_of_the_axes_of_the_array() {
    let array = Array3::<f32>::zeros((2, 3, 6));
    for axes in ["HW", "HWCN", ""] {
        let error = adapter::tensor(array.view(), axes).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "array has shape [2, 3, 6] but the axes are `{axes}`; write one letter for each axis of the array, in \
                 the order of its shape"
            )
        );
    }
}
