//! What holds of matrices of any library. Tests of adapters inside and outside of the workspace include this file, and
//! name the module of their adapter `adapter`.

/// Views tensors of these layouts as matrices: each element is where it was.
macro_rules! assert_tensors_are_matrices {
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

/// Compares the address of each element of a matrix with that in a tensor over it.
macro_rules! assert_matrix_is_tensor {
    ($matrix:expr, $view:expr) => {{
        let (matrix, tensor) = ($matrix, adapter::tensor($view, "MK").unwrap());
        assert_eq!(tensor.extents(), [matrix.nrows(), matrix.ncols()]);
        for m in 0..matrix.nrows() {
            for k in 0..matrix.ncols() {
                assert!(std::ptr::eq(&tensor[[m, k]], &matrix[(m, k)]));
            }
        }
    }};
}

/// The layouts that each library takes.
macro_rules! assert_common_tensors_are_matrices {
    () => {
        assert_tensors_are_matrices! {
            layout!(MK<3, 4>, f64);
            layout!(KM<K = 4, M = 3>, f64);
            layout!(MK<3, 4>, f64, strides = [8, 1]);
            layout!(MK<3, 4>, f64, strides = [10, 2]);
            layout!(MK<1, 4>, f64);
        }
    };
}

/// Blocks and shared elements are errors.
macro_rules! assert_others_are_errors {
    () => {
type Blocked = layout!(MK4m<8, 2>, f64);
        let blocked = Tensor::<Blocked, _>::new([0.0; Blocked::LEN]).unwrap();
        let error = adapter::view(&blocked).unwrap_err().to_string();
        assert!(error.contains("has blocks"), "{error}");

type Shared = layout!(MK<2, 3>, f64, broadcast(M));
        let mut shared = Tensor::<Shared, _>::new([1.0, 2.0, 3.0]).unwrap();
        assert_eq!(adapter::view(&shared).unwrap()[(1, 2)], 3.0);
        let error = adapter::view_mut(&mut shared).unwrap_err().to_string();
        assert!(error.contains("share elements"), "{error}");
    };
}

/// Matrices without rows or columns.
macro_rules! assert_nothing_is_nothing {
    () => {
        for extents in [[0, 4], [3, 0], [0, 0]] {
            let layout = Layout::of("MK", &extents, ElementType::F32).unwrap();
            let layout = Dynamic::<f32, 2>::new(layout).unwrap();
            let mut tensor = Tensor::with_layout(layout, [0.0; 0]).unwrap();
            assert_eq!(adapter::view(&tensor).unwrap().shape(), (extents[0], extents[1]));
            assert_eq!(adapter::view_mut(&mut tensor).unwrap().shape(), (extents[0], extents[1]));
        }
    };
}
