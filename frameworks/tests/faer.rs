//! Tensors of two axes as matrices of faer and back: every element is where it was, and nothing is copied.
#![cfg(feature = "faer")]

use faer::{Mat, MatMut, MatRef};
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, layout};
use tensor_layout_frameworks::faer as adapter;

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
        layout!(MK<3, 4>, f64, strides = [10, 2]);
        layout!(MK<3, 4>, f64, strides = [-4, 1]);
        layout!(MK<3, 4>, f64, strides = [-1, -3]);
        layout!(MK<1, 4>, f64);
    }
    type Shared = layout!(MK<2, 3>, f64, broadcast(M));
    let mut shared = Tensor::<Shared, _>::new([1.0, 2.0, 3.0]).unwrap();
    assert_eq!(adapter::view(&shared).unwrap()[(1, 2)], 3.0);
    let error = adapter::view_mut(&mut shared).unwrap_err().to_string();
    assert!(error.contains("coordinates share elements"), "{error}");

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
    let all = |matrix: MatRef<'_, f64>| {
        let tensor = adapter::tensor(matrix, "MK").unwrap();
        assert_eq!(tensor.extents(), [matrix.nrows(), matrix.ncols()]);
        for m in 0..matrix.nrows() {
            for k in 0..matrix.ncols() {
                assert!(std::ptr::eq(&tensor[[m, k]], &matrix[(m, k)]));
            }
        }
    };
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
    for extents in [[0, 4], [3, 0], [0, 0]] {
        let layout = Layout::of("MK", &extents, ElementType::F32).unwrap();
        let mut tensor =
            Tensor::with_layout(Dynamic::<f32, 2>::new(layout).unwrap(), [0.0; 0]).unwrap();
        assert_eq!(adapter::view(&tensor).unwrap().shape(), (extents[0], extents[1]));
        assert_eq!(adapter::view_mut(&mut tensor).unwrap().shape(), (extents[0], extents[1]));
    }
    type Blocked = layout!(MK4m<8, 2>, f32);
    let blocked = Tensor::<Blocked, _>::new([0.0; Blocked::LEN]).unwrap();
    assert!(adapter::view(&blocked).unwrap_err().to_string().contains("has blocks"));
}
