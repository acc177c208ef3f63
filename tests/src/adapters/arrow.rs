//! Tensors as Arrow's arrays of fixed-shape tensors and back: every element is where it was, and nothing is
//! copied.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{Float32Type, Int32Type, UInt8Type};
use arrow_array::{Array, FixedSizeListArray, Int32Array};
use arrow_schema::{DataType, Field};
use tensor_layout::adapters::arrow;
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, layout};

const METADATA: &str = "ARROW:extension:metadata";

/// Rows of `size` elements, which count from 0, with the metadata of a fixed-shape tensor.
fn counted(metadata: &str, size: i32, rows: usize) -> (Field, FixedSizeListArray) {
    let values = Int32Array::from_iter_values(0..size * rows as i32);
    let item = Arc::new(Field::new("item", DataType::Int32, true));
    let values = Arc::new(values);
    let array = FixedSizeListArray::try_new_with_length(item, size, values, None, rows).unwrap();
    let name = ("ARROW:extension:name".to_string(), "arrow.fixed_shape_tensor".to_string());
    let entries = HashMap::from([name, (METADATA.to_string(), metadata.to_string())]);
    (Field::new("x", array.data_type().clone(), true).with_metadata(entries), array)
}

/// The address of the first element of an array.
fn address(array: &FixedSizeListArray) -> *const i32 {
    array.values().as_any().downcast_ref::<Int32Array>().unwrap().values().as_ptr()
}

#[test]
fn rows_are_tensors_where_they_are() {
    // What PyArrow 26 writes of `fixed_shape_tensor(int32(), [2, 3, 4], ["H", "W", "C"], [2, 0, 1])`.
    let text = r#"{"shape":[2,3,4],"permutation":[2,0,1],"dim_names":["H","W","C"]}"#;
    let (field, array) = counted(text, 24, 2);
    let tensor = arrow::tensor::<Int32Type, 4>(&field, &array, "NCHW").unwrap();
    assert_eq!(tensor.extents(), [2, 4, 2, 3]);
    assert_eq!(tensor.buffer().as_ptr(), address(&array));
    for ([n, c, h, w], element) in tensor.iter() {
        assert_eq!(element as usize, 24 * n + 12 * h + 4 * w + c);
    }
    type Images = layout!(NHWC<N = _, C = 4, H = 2, W = 3>, i32);
    let layout = Images::new([array.len()]).unwrap();
    let images = arrow::tensor_in::<Int32Type, _>(layout, &field, &array).unwrap();
    assert_eq!(images, tensor);
    assert_eq!(images.buffer().as_ptr(), address(&array));

    // A part of the rows, and the key of arrow-schema 60.
    let text = text.replace("permutation", "permutations");
    let (field, array) = counted(&text, 24, 5);
    let array = array.slice(2, 2);
    let part = arrow::tensor::<Int32Type, 4>(&field, &array, "NCHW").unwrap();
    assert_eq!((part[[0, 0, 0, 0]], part.extents()), (48, [2, 4, 2, 3]));
    assert_eq!(part.buffer().as_ptr(), address(&array));
    drop((array, tensor));
    assert_eq!(part[[1, 3, 1, 2]], 95, "the tensor keeps the memory");
}

#[test]
fn rows_of_one_axis_need_no_metadata() {
    let (field, array) = counted("", 3, 4);
    let plain = field.with_metadata(HashMap::new());
    let rows = arrow::tensor::<Int32Type, 2>(&plain, &array, "NK").unwrap();
    assert_eq!((rows.extents(), rows[[3, 1]]), ([4, 3], 10));
    let (field, array) = counted(r#"{"shape":[0,3]}"#, 0, 4);
    let empty = arrow::tensor::<Int32Type, 3>(&field, &array, "NKM").unwrap();
    assert_eq!(empty.extents(), [4, 0, 3]);
    // Names of several letters are not compared with ours.
    let (field, array) = counted(r#"{"shape":[3],"dim_names":["height"]}"#, 3, 0);
    let none = arrow::tensor::<Int32Type, 2>(&field, &array, "NK").unwrap();
    assert_eq!(none.extents(), [0, 3]);
}

#[test]
fn tensors_are_rows_where_they_are() {
    macro_rules! handed {
        ($($layout:ty, $metadata:literal;)*) => {$(
            let elements = (0..<$layout>::LEN).map(|i| i as f32).collect::<Vec<_>>();
            let tensor = Tensor::<$layout, _>::new(elements).unwrap();
            let (same, address) = (tensor.clone(), tensor.buffer().as_ptr());
            let (field, array) = arrow::into_array::<Float32Type, _, _>(tensor, "x").unwrap();
            assert_eq!(field.metadata()[METADATA], $metadata);
            assert_eq!(field.data_type(), array.data_type());
            let layout = <$layout>::default();
            let back = arrow::tensor_in::<Float32Type, _>(layout, &field, &array).unwrap();
            assert_eq!(back.buffer().as_ptr(), address);
            assert_eq!(back, same);
        )*};
    }
    handed! {
        layout!(NCHW<2, 3, 4, 5>, f32), r#"{"dim_names":["C","H","W"],"shape":[3,4,5]}"#;
        // The first axis of a row, in the order of coordinates, is the last in memory.
        layout!(NHWC<N = 2, C = 3, H = 4, W = 5>, f32),
            r#"{"dim_names":["H","W","C"],"permutation":[2,0,1],"shape":[4,5,3]}"#;
        layout!(CHWN<N = 2, C = 3, H = 1, W = 5>, f32),
            r#"{"dim_names":["H","W","N"],"permutation":[2,0,1],"shape":[1,5,2]}"#;
        layout!(NCHW4c<2, 8, 1, 3>, f32), r#"{"dim_names":["C","H","W","4c"],"shape":[2,1,3,4]}"#;
        layout!(N<N = 3>, f32), r#"{"dim_names":[],"shape":[]}"#;
    }
}

#[test]
fn buffers_of_any_kind_are_kept() {
    type Rows = layout!(HW<4, 16>, u8, align(H = 16));
    let rows = Tensor::<Rows>::from_fn(|[h, w]| (16 * h + w) as u8);
    let address = rows.buffer().as_ptr();
    let (field, array) = arrow::into_array::<UInt8Type, _, _>(rows, "x").unwrap();
    let back = arrow::tensor::<UInt8Type, 2>(&field, &array, "HW").unwrap();
    assert_eq!((back.buffer().as_ptr(), back[[3, 15]]), (address, 63));
    // An array in its tensor moves to the heap with it.
    let (field, array) = {
        let rows: Tensor<layout!(HW<2, 3>, u8), _> = [0, 1, 2, 3, 4, 5].into();
        arrow::into_array::<UInt8Type, _, _>(rows, "x").unwrap()
    };
    let back = arrow::tensor::<UInt8Type, 2>(&field, &array, "HW").unwrap();
    assert_eq!(back.buffer(), [0, 1, 2, 3, 4, 5]);
    for extents in [[0, 4], [3, 0]] {
        let layout = Layout::of("MK", &extents, ElementType::U8).unwrap();
        let tensor = Tensor::with_layout(Dynamic::<u8, 2>::new(layout).unwrap(), vec![]).unwrap();
        let (field, array) = arrow::into_array::<UInt8Type, _, _>(tensor, "x").unwrap();
        let back = arrow::tensor::<UInt8Type, 2>(&field, &array, "MK").unwrap();
        assert_eq!(back.extents(), extents);
    }
}

#[test]
fn what_does_not_fit_says_so() {
    let fails = |metadata: &str, axes: &str, text: &str| {
        let (field, array) = counted(metadata, 6, 2);
        let error = arrow::tensor::<Int32Type, 3>(&field, &array, axes).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    };
    let names = r#"{"shape":[2,3],"dim_names":["H","W"],"permutation":[1,0]}"#;
    fails(names, "NHW", "field `x` has axes WH in a row, not HW; ");
    fails(r#"{"shape":[2,3]}"#, "NWHC", "array has shape [2, 2, 3] but the axes are `NWHC`; ");
    for wrong in [
        "",
        "{}",
        "[2,3]",
        r#"{"shape":[2,2]}"#,
        r#"{"shape":[-2,-3]}"#,
        r#"{"shape":[2,3],"permutation":[0,0]}"#,
        r#"{"shape":[2,3],"permutation":[0]}"#,
        r#"{"shape":[2,3],"dim_names":["H"]}"#,
        r#"{"shape":[4294967296,4294967296,6]}"#,
    ] {
        fails(wrong, "NHW", "which is not that of a tensor of 6 elements; ");
    }

    let (field, array) = counted(r#"{"shape":[2,3]}"#, 6, 2);
    let error = arrow::tensor::<Float32Type, 3>(&field, &array, "NHW").unwrap_err().to_string();
    assert!(error.starts_with("Arrow array holds `Int32` but layout `NHW<2, 2, 3>"), "{error}");
    let planes = <layout!(NWH<N = 2, W = 3, H = 2>, i32)>::default();
    let error = arrow::tensor_in::<Int32Type, _>(planes, &field, &array).unwrap_err().to_string();
    assert!(error.starts_with("array has shape [2, 2, 3] but layout"), "{error}");

    let values = Arc::new(Int32Array::from(vec![Some(1), None, Some(3), Some(4)]));
    let item = Arc::new(Field::new("item", DataType::Int32, true));
    let array = FixedSizeListArray::new(item, 2, values, None);
    let field = Field::new("y", array.data_type().clone(), true);
    let error = arrow::tensor::<Int32Type, 2>(&field, &array, "NK").unwrap_err().to_string();
    assert!(error.starts_with("Arrow field `y` has 1 nulls, which no layout has; "), "{error}");
}

#[test]
fn tensors_that_are_not_rows_say_so() {
    type Blocks = layout!(CH4c<8, 2>, u8);
    let blocks = Tensor::<Blocks, _>::new([0; Blocks::LEN]).unwrap();
    let error = arrow::into_array::<UInt8Type, _, _>(blocks, "x").unwrap_err().to_string();
    assert!(error.contains("its slowest axis has blocks"), "{error}");
    let scalar = Tensor::<layout!(SCALAR, u8), _>::new([1]).unwrap();
    assert!(arrow::into_array::<UInt8Type, _, _>(scalar, "x").is_err());
    type Gaps = layout!(HW<2, 3>, u8, align(H = 4));
    let error = arrow::into_array::<UInt8Type, _, _>(Tensor::<Gaps>::zeroed(), "x").unwrap_err();
    assert!(error.to_string().contains("it has gaps"), "{error}");
}
