//! Tensors as matrices of nalgebra and back: every element is where it was, and nothing is copied.

use nalgebra::{Const, DMatrix, Matrix2x3, MatrixView};
use tensor_layout::adapters::nalgebra as adapter;
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, layout};

#[test]
fn tensors_are_matrices_where_they_are() {
    assert_common_tensors_are_matrices!();
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
    assert_matrix_is_tensor!(&matrix, &matrix);
    let fixed = Matrix2x3::new(0u8, 1, 2, 3, 4, 5);
    let columns = fixed.columns(1, 2);
    assert_matrix_is_tensor!(&columns, &columns);
    adapter::tensor_mut(&mut matrix, "MK").unwrap()[[1, 3]] = -7;
    assert_eq!(matrix[(1, 3)], -7);
    assert!(adapter::tensor(&matrix, "MM").is_err());
    assert!(adapter::tensor(&matrix, "MKN").is_err());
}

#[test]
fn nothing_goes_over_as_nothing() {
    assert_nothing_is_nothing!();
    for extents in [[0, 4], [3, 0], [0, 0]] {
        let empty = DMatrix::<f32>::zeros(extents[0], extents[1]);
        assert_eq!(adapter::tensor(&empty, "MK").unwrap().extents(), extents);
    }
}

#[test]
fn what_is_not_a_matrix_is_an_error() {
    assert_others_are_errors!();

    type Backwards = layout!(MK<2, 3>, u8, strides = [-3, 1]);
    let backwards = Tensor::<Backwards, _>::new([0; Backwards::LEN]).unwrap();
    let error = adapter::view(&backwards).unwrap_err().to_string();
    assert!(error.contains("negative strides"), "{error}");
}
