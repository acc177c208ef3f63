//! Inputs that other libraries got wrong, or that are read in two ways.

use tensor_layout::{ElementType, Layout, Plan, Tensor, layout};

fn strided(axes: &str, extents: &[usize], strides: &[isize]) -> Layout {
    Layout::from_strides(axes, extents, strides, ElementType::F32).unwrap()
}

#[test]
fn one_coordinate_has_its_place_in_each_format() {
    type Planes = layout!(NCHW<1, 4, 4, 4>, f32);
    type Pixels = layout!(NHWC<N = 1, C = 4, H = 4, W = 4>, f32);
    assert_eq!((Planes::offset([0, 1, 2, 3]), Pixels::offset([0, 1, 2, 3])), (27, 45));
    assert_eq!(Pixels::STRIDES, Some([64, 1, 16, 4]));
    // From a layout to itself, nothing is copied.
    let buffer = vec![0.5f32; 64];
    let address = buffer.as_ptr();
    let tensor = Tensor::<Planes, _>::try_from(buffer).unwrap();
    let same = tensor.try_into_layout::<Planes>().unwrap();
    assert_eq!(same.buffer().as_ptr(), address);
    let plan = Plan::new(&Planes::LAYOUT, &Planes::LAYOUT).unwrap();
    assert!(plan.to_string().contains("copy"), "{plan}");
}

#[test]
fn strides_say_the_format_unless_extents_of_1_leave_it_open() {
    let planes = strided("NCHW", &[1, 4, 4, 4], &[64, 16, 4, 1]);
    assert!(planes.to_string().starts_with("NCHW<1, 4, 4, 4>, f32"), "{planes}");
    assert!(planes.matches("NCHW") && !planes.matches("NHWC"));
    let open = strided("NCHW", &[1, 1, 2, 3], &[6, 1, 3, 1]);
    assert!(open.matches("NCHW") && open.matches("NHWC"));
    let pixels = strided("NCHW", &[1, 2, 1, 5], &[10, 1, 10, 2]);
    assert!(pixels.matches("NHWC") && !pixels.matches("NCHW"));
    let [one, other] = [[1, 4], [1, 1]].map(|strides| strided("MK", &[4, 1], &strides));
    assert!(one.same_map(&other));
}

#[test]
fn input_and_output_channels_are_named() {
    type Filter = layout!(IOHW<I = 3, O = 1, H = 2, W = 2>, f32);
    assert_eq!(Filter::EXTENTS, [1, 3, 2, 2]);
    assert_eq!(Filter::offset([0, 2, 1, 0]), 2 * 4 + 2);
    let error = Layout::parse("IOHW<3, 1, 2, 2>, f32").unwrap_err().to_string();
    let both = "write `IOHW<I = 3, O = 1, H = 2, W = 2>` or `IOHW<O = 3, I = 1, H = 2, W = 2>`";
    assert!(error.ends_with(both), "{error}");
}

/// C and H of an image are mixed up: the index error names the order, and the error of two layouts says so.
#[test]
fn mixed_up_extents_are_named() {
    type Image = layout!(HWC<C = 3, H = 480, W = 640>, u8);
    let error = Image::checked_offset([479, 639, 2]).unwrap_err().to_string();
    let words =
        "coordinate 479 is out of bounds for axis `C` of extent 3, in coordinates [c, h, w];";
    assert!(error.starts_with(words), "{error}");
    assert_eq!(Image::LAYOUT.checked_offset(&[479, 639, 2]).unwrap_err().to_string(), error);
    let given = Layout::builder("HWC", ElementType::U8).extents(&[480, 640, 3]).unwrap();
    let words = "whose extents are the same in another order; name the extents";
    let error = Plan::new(&given, &Image::LAYOUT).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    let error = tensor_layout::Dynamic::<u8, 3>::new(given).unwrap();
    let error = <layout!(HWC<C = 3, H = 480, W = 640>, u8)>::try_from(error).unwrap_err();
    assert!(error.to_string().contains(words), "{error}");
}
