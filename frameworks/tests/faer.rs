//! Tensors of two axes as matrices of faer and back: every element is where it was, and nothing is copied.
#![cfg(feature = "faer")]

#[macro_use]
#[path = "../../tests/src/adapters/matrices.rs"]
mod matrices;

use faer::{Mat, MatMut, MatRef};
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, layout};
use tensor_layout_frameworks::faer as adapter;

#[test]
fn tensors_are_matrices_where_they_are() {
    assert_common_tensors_are_matrices!();
    // faer takes negative strides too.
    assert_tensors_are_matrices! {
        layout!(MK<3, 4>, f64, strides = [-4, 1]);
        layout!(MK<3, 4>, f64, strides = [-1, -3]);
    }

    // A view of a part of a larger tensor.
    let image =
        Tensor::<layout!(MK<4, 6>, f64), _>::new(std::array::from_fn::<_, 24, _>(|i| i as f64));
    let image = image.unwrap();
    let part = image.view::<2>(|layout| layout.slice('M', 1, 2, 2)?.slice('K', 5, -2, 3)).unwrap();
    let view = adapter::view(&part).unwrap();
    assert_eq!((view[(0, 0)], view[(1, 2)]), (11.0, 19.0));
}

#[test]
fn matrices_are_tensors_where_they_are() {
    // Columns of 64 bytes have no gaps.
    let mut matrix = Mat::from_fn(8, 3, |m, k| (10 * m + k) as f64);
    let all = |matrix: MatRef<'_, f64>| assert_matrix_is_tensor!(matrix, matrix);
    all(matrix.as_ref());
    all(matrix.transpose());
    all(matrix.as_ref().reverse_rows());
    all(matrix.as_ref().reverse_rows_and_cols().transpose());
    all(matrix.as_ref().subcols(1, 2));
    all(matrix.as_ref().subcols(1, 0));
    all(matrix.as_ref().subrows(2, 0));
    all(MatRef::from_repeated_ref(&7.0, 3, 2));
    adapter::tensor_mut(matrix.as_mut().transpose_mut(), "KM").unwrap()[[2, 5]] = -7.0;
    assert_eq!(matrix[(5, 2)], -7.0);

    let gaps = |result: Result<_, tensor_layout_frameworks::AdapterError>| {
        let error = result.map(|_: ()| ()).unwrap_err().to_string();
        assert!(error.contains("has gaps, which may be uninitialized; "), "{error}");
    };
    gaps(adapter::tensor(matrix.as_ref().subrows(1, 3), "MK").map(|_| ()));
    gaps(adapter::tensor_mut(matrix.as_mut().subrows_mut(1, 3), "MK").map(|_| ()));
    gaps(adapter::tensor(Mat::<f64>::zeros(3, 4).as_ref(), "MK").map(|_| ()));
    assert!(adapter::tensor(matrix.as_ref(), "MM").is_err());
    assert!(adapter::tensor(matrix.as_ref(), "MKN").is_err());
}

#[test]
fn faer_multiplies_where_tensors_are() {
    type Wide = layout!(MK<3, 4>, f64, align(M = 64));
    let a = Tensor::<Wide>::from_fn(|[m, k]| (m + 2 * k) as f64);
    let b = Tensor::<layout!(NK<K = 4, N = 2>, f64)>::from_fn(|[k, n]| (3 * k + n) as f64);
    let mut c = Tensor::<layout!(NM<M = 3, N = 2>, f64)>::zeroed();
    let product = adapter::view(&a).unwrap() * adapter::view(&b).unwrap();
    let mut destination: MatMut<'_, f64> = adapter::view_mut(&mut c).unwrap();
    destination.copy_from(&product);
    for ([m, n], sum) in c.iter() {
        let wanted: f64 = (0..4).map(|k| a[[m, k]] * b[[k, n]]).sum();
        assert_eq!(sum, wanted);
    }
}

#[test]
fn nothing_goes_over_as_nothing() {
    assert_nothing_is_nothing!();
}

#[test]
fn what_is_not_a_matrix_is_an_error() {
    assert_others_are_errors!();
}
