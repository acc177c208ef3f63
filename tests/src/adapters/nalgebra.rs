//! Tensors as matrices of nalgebra and back: every element is where it was, and nothing is copied.

use nalgebra::{Const, DMatrix, Matrix2x3, MatrixView};
use tensor_layout::adapters::nalgebra as adapter;
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, layout};

#[test]
fn tensors_are_matrices_where_they_are() {
    macro_rules! viewed {
        ($($layout:ty;)*) => {$(
            let elements = (0..<$layout>::LEN).map(|i| i as f64).collect::<Vec<_>>();
            let mut tensor = Tensor::<$layout, _>::new(elements).unwrap();
            let view = adapter::view(&tensor).unwrap();
            assert_eq!([view.nrows(), view.ncols()], tensor.extents());
            for m in 0..view.nrows() {
                for k in 0..view.ncols() {
                    assert!(std::ptr::eq(&view[(m, k)], &tensor[[m, k]]), "{}", tensor.layout());
                }
            }
            adapter::view_mut(&mut tensor).unwrap()[(0, 0)] = -1.0;
            assert_eq!(tensor[[0, 0]], -1.0);
        )*};
    }
    viewed! {
        layout!(MK<3, 4>, f64);
        layout!(KM<K = 4, M = 3>, f64);
        layout!(MK<3, 4>, f64, strides = [8, 1]);
        layout!(MK<1, 4>, f64);
        layout!(MK<3, 4>, f64, strides = [10, 2]);
    }
}

#[test]
fn static_strides_are_types() {
    type Rows = layout!(MK<2, 3>, f32, strides = [4, 1]);
    let elements: [f32; Rows::LEN] = std::array::from_fn(|i| i as f32);
    let tensor = Tensor::<Rows, _>::new(elements).unwrap();
    let fixed: MatrixView<'_, f32, Const<2>, Const<3>, Const<4>, Const<1>> =
        adapter::static_view(&tensor);
    assert_eq!(fixed, Matrix2x3::new(0.0, 1.0, 2.0, 4.0, 5.0, 6.0));
    assert!(std::ptr::eq(&fixed[(1, 2)], &tensor[[1, 2]]));
}

#[test]
fn matrices_are_tensors_where_they_are() {
    let mut matrix = DMatrix::from_fn(3, 4, |m, k| (m * 10 + k) as i32);
    let tensor = adapter::tensor(&matrix, "MK").unwrap();
    for m in 0..3 {
        for k in 0..4 {
            assert!(std::ptr::eq(&tensor[[m, k]], &matrix[(m, k)]));
        }
    }
    let fixed = Matrix2x3::new(0u8, 1, 2, 3, 4, 5);
    let columns = fixed.columns(1, 2);
    let tensor = adapter::tensor(&columns, "MK").unwrap();
    assert!(std::ptr::eq(&tensor[[1, 1]], &fixed[(1, 2)]));
    adapter::tensor_mut(&mut matrix, "MK").unwrap()[[1, 3]] = -7;
    assert_eq!(matrix[(1, 3)], -7);
    assert!(adapter::tensor(&matrix, "MM").is_err());
    assert!(adapter::tensor(&matrix, "MKN").is_err());
}

#[test]
fn nothing_goes_over_as_nothing() {
    for extents in [[0, 4], [3, 0], [0, 0]] {
        let layout = Layout::of("MK", &extents, ElementType::F32).unwrap();
        let tensor = Tensor::with_layout(Dynamic::<f32, 2>::new(layout).unwrap(), []).unwrap();
        assert_eq!(adapter::view(&tensor).unwrap().shape(), (extents[0], extents[1]));
        let empty = DMatrix::<f32>::zeros(extents[0], extents[1]);
        assert_eq!(adapter::tensor(&empty, "MK").unwrap().extents(), extents);
    }
}

#[test]
fn what_is_no_matrix_is_an_error() {
    type Blocked = layout!(MK4m<8, 2>, u8);
    let blocked = Tensor::<Blocked, _>::new([0; Blocked::LEN]).unwrap();
    let error = adapter::view(&blocked).unwrap_err().to_string();
    assert!(error.contains("has blocks"), "{error}");

    type Backwards = layout!(MK<2, 3>, u8, strides = [-3, 1]);
    let backwards = Tensor::<Backwards, _>::new([0; Backwards::LEN]).unwrap();
    let error = adapter::view(&backwards).unwrap_err().to_string();
    assert!(error.contains("negative strides"), "{error}");

    type Shared = layout!(MK<2, 3>, u8, broadcast(M));
    let mut shared = Tensor::<Shared, _>::new([0; Shared::LEN]).unwrap();
    assert!(adapter::view(&shared).is_ok());
    let error = adapter::view_mut(&mut shared).unwrap_err().to_string();
    assert!(error.contains("share elements"), "{error}");
}
