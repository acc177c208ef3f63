//! Extents given by name: one order of coordinates in `layout!`, in text and of builders.

use tensor_layout::{ElementType, Layout, layout};

#[test]
fn named_extents_are_sorted_into_the_coordinate_order_everywhere() {
    type Image = layout!(NHWC<C = 3, N = 1, W = 6, H = 4>, u8);
    let named = [('C', 3), ('N', 1), ('W', 6), ('h', 4)];
    let built = Layout::builder("NHWC", ElementType::U8).named_extents(&named).unwrap();
    assert_eq!(built.extents(), [1, 3, 4, 6]);
    assert_eq!(built, Image::LAYOUT);
    assert_eq!(built, Layout::parse("NHWC<C = 3, N = 1, W = 6, H = 4>, u8").unwrap());
    // Strides are in coordinate order, which is not that of the names.
    let strided = Layout::builder("NHWC", ElementType::U8).strides(&[72, 1, 18, 3]);
    assert_eq!(strided.named_extents(&named).unwrap().strides(), built.strides());

    // Other axes have the order of the letters, whatever the order of the names.
    type Heads = layout!(BSHD<D = 8, B = 1, H = 4, S = 5>, u8);
    let heads = [('D', 8), ('B', 1), ('H', 4), ('S', 5)];
    let built = Layout::builder("BSHD", ElementType::U8).named_extents(&heads).unwrap();
    assert_eq!(built.extents(), [1, 5, 4, 8]);
    assert_eq!(built, Heads::LAYOUT);
}

#[test]
fn named_extents_that_cannot_be_are_errors() {
    let heads = Layout::builder("BSHD", ElementType::F16);
    for (found, text) in [
        (
            heads.named_extents(&[('B', 2), ('H', 3), ('S', 5)]),
            "axis `D` has no extent; add `('D', ..)`",
        ),
        (
            heads.named_extents(&[('B', 2), ('H', 3), ('S', 5), ('h', 5)]),
            "axis `H` is given twice; keep one",
        ),
        (
            heads.named_extents(&[('B', 2), ('H', 3), ('S', 5), ('E', 5)]),
            "layout has no axis `E`; write one of B, S, H, D",
        ),
    ] {
        assert_eq!(found.map(|layout| layout.to_string()).unwrap_err().to_string(), text);
    }
    assert_eq!(heads.extents(&[2, 8, 3, 4]).unwrap().to_string(), "BSHD<2, 8, 3, 4>, f16");
}
