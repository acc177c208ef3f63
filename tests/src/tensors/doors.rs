//! Typed functions: derived relayouts and conversions between tensors over any buffers, and with extents known only
//! at run time.

use tensor_layout::{Conversion, Dynamic, Layout, Relayout, Tensor, layout, tensor};

type Image = layout!(NHWC<N = 2, C = 3, H = 4, W = 5>, u8);
type Packed = layout!(NCHW4<2, 3, 4, 5>, u8, pad = 77);
type Input = layout!(NCHW<2, 3, 4, 5>, f32, align(H = 64));

#[derive(Relayout)]
#[relayout(Image => Packed)]
struct Pack;

#[derive(Relayout)]
#[relayout(Image => Input, convert = Conversion::normalize(3.0, 0.5))]
struct Prepare;

type Images = layout!(NHWC<N = _, C = 3, H = 4, W = _>, u8);
type Batch = layout!(NCHW4<_, 3, _, 5>, u8, pad = 77);

#[derive(Relayout)]
#[relayout(Images => Batch)]
struct PackBatch;

#[derive(Relayout)]
#[relayout(Images => layout!(NCHW<_, 3, 4, 5>, f32), convert = Conversion::normalize(3.0, 0.5))]
struct PrepareBatch;

/// The pixel at a coordinate, and its offset in the buffer, by a loop nest written here.
fn pixels() -> Vec<([usize; 4], u8)> {
    let mut all = Vec::new();
    for n in 0..2 {
        for h in 0..4 {
            for w in 0..5 {
                for c in 0..3 {
                    all.push(([n, c, h, w], (all.len() * 7 % 251) as u8));
                }
            }
        }
    }
    all
}

/// Channels in a block of four, the last of which is padding.
fn packed(fill: u8) -> Vec<u8> {
    let mut buffer = vec![fill; 2 * 4 * 5 * 4];
    for ([n, c, h, w], pixel) in pixels() {
        buffer[((n * 4 + h) * 5 + w) * 4 + c] = pixel;
    }
    buffer
}

fn image() -> Tensor<Image, Vec<u8>> {
    Tensor::new(pixels().into_iter().map(|(_, pixel)| pixel).collect()).unwrap()
}

#[test]
fn a_derived_relayout_takes_tensors_of_any_buffers() {
    let image = image();
    let mut array = <tensor!(Packed)>::default();
    Pack::run(&image, &mut array);
    assert_eq!(array.buffer(), packed(77));
    let mut heap = Tensor::<Packed>::zeroed();
    Pack::run(&image.borrow(), &mut heap);
    assert_eq!(heap.buffer(), packed(77));
    let mut slice = [0; Packed::LEN];
    Pack::run(&image, &mut Tensor::from(&mut slice));
    assert_eq!(slice.as_slice(), packed(77));
    assert_eq!(Pack::tensor(&image).buffer(), packed(77));
    assert_eq!(image.to_layout::<Packed>().unwrap().buffer(), packed(77));
    let mut tried = Tensor::<Packed>::zeroed();
    Pack::try_run(&image, &mut tried).unwrap();
    assert_eq!(tried, image);
}

#[test]
fn a_derived_conversion_takes_tensors_of_any_buffers() {
    const NORMALIZED: Conversion = Conversion::normalize(3.0, 0.5);
    let image = image();
    let is_normalized = |input: &Tensor<layout!(NCHW<2, 3, 4, 5>, f32), &[f32]>| {
        pixels().into_iter().all(|(at, pixel)| input[at] == (f32::from(pixel) - 3.0) * 0.5)
    };
    let mut input = Tensor::<Input>::zeroed();
    Prepare::run(&image, &mut input);
    let dense = |input: &Tensor<Input>| {
        let dense = input.to_layout::<layout!(NCHW<2, 3, 4, 5>, f32)>().unwrap();
        is_normalized(&dense.borrow())
    };
    assert!(dense(&input));
    assert_eq!(Prepare::tensor(&image), input);
    let mut converted = Tensor::<Input>::zeroed();
    image.convert_into(&mut converted, &NORMALIZED).unwrap();
    assert_eq!(converted, input);
    assert_eq!(image.convert_to::<Input>(&NORMALIZED).unwrap(), input);
    let mut converted = Tensor::<layout!(NCHW<2, 3, 4, 5>, f32)>::zeroed();
    Prepare::try_run(&image, &mut Tensor::<Input>::zeroed()).unwrap();
    image.convert_into(&mut converted, &NORMALIZED).unwrap();
    assert!(is_normalized(&converted.borrow()));
    // The functions over slices do the same.
    let mut slices = Tensor::<Input>::zeroed();
    Prepare::run_slices(image.buffer(), slices.buffer_mut()).unwrap();
    assert_eq!(slices, input);
}

#[test]
fn extents_that_run_time_knows_are_checked_when_they_are_known() {
    let images = image().try_into_layout::<Images>().unwrap();
    let mut batch = Tensor::<Batch>::zeroed_in(Batch::new([2, 4]).unwrap()).unwrap();
    PackBatch::try_run(&images, &mut batch).unwrap();
    assert_eq!(batch.buffer(), packed(77));
    assert_eq!(images.to_layout::<Batch>().unwrap().buffer(), packed(77));
    let mut other = Tensor::<Batch>::zeroed_in(Batch::new([3, 4]).unwrap()).unwrap();
    let error = PackBatch::try_run(&images, &mut other).unwrap_err();
    assert!(error.to_string().starts_with("axis `N` has extent 2 in the source but 3 in the"));
    assert!(other.buffer().iter().all(|&unit| unit == 0));

    let input = images.convert_to::<layout!(NCHW<_, 3, 4, 5>, f32)>(&Conversion::cast()).unwrap();
    assert_eq!(input.extents(), [2, 3, 4, 5]);
    let mut prepared = Tensor::zeroed_in(*input.layout_type()).unwrap();
    PrepareBatch::try_run(&images, &mut prepared).unwrap();
    let expected = pixels().into_iter().map(|(at, pixel)| (at, (f32::from(pixel) - 3.0) * 0.5));
    assert!(expected.into_iter().all(|(at, element)| prepared[at] == element));

    // Axes of the source in another coordinate order find theirs by letter.
    let turned = images.view::<4>(|layout| layout.permute("WHNC")).unwrap();
    assert_eq!(turned.to_layout::<Batch>().unwrap().buffer(), packed(77));
    let error = turned.to_layout::<layout!(NCHW<_, 4, _, _>, u8)>().unwrap_err();
    assert!(error.to_string().starts_with("axis `C` has extent 3 but its type has 4"), "{error}");
    let formatted = turned.to_format("NCHW").unwrap();
    assert!(pixels().into_iter().all(|([n, c, h, w], pixel)| formatted[[w, h, n, c]] == pixel));
}

#[test]
fn a_tensor_becomes_one_of_another_layout_where_the_maps_are_equal() {
    type Gray = layout!(NHWC<N = 2, C = 1, H = 3, W = 4>, u8);
    type Planes = layout!(NCHW<2, 1, 3, 4>, u8);
    type Open = layout!(NCHW<_, 1, _, 4>, u8);
    let gray = Tensor::<Gray, _>::from([9; Gray::LEN]);
    let planes = gray.into_layout::<Planes>();
    assert_eq!(planes, gray);
    let open = planes.try_into_layout::<Open>().unwrap();
    assert_eq!((open.extents(), open.buffer()), ([2, 1, 3, 4], &[9; 24][..]));
    let back = open.try_into_layout::<Gray>().unwrap();
    assert_eq!(back.into_layout::<Gray>(), gray);

    let error = image().try_into_layout::<layout!(NCHW<2, 3, 4, 5>, u8)>().unwrap_err();
    assert!(error.to_string().contains("place elements differently"), "{error}");
    let error =
        image().try_into_layout::<layout!(NHWC<N = 2, C = 3, H = 4, W = 6>, u8)>().unwrap_err();
    assert!(error.to_string().starts_with("axis `W` has extent 5 but its type has 6"), "{error}");
    // The same offsets of a buffer of the same length, with other padding.
    type Zero = layout!(NCHW4<2, 3, 4, 5>, u8, pad);
    let error = image().to_layout::<Packed>().unwrap().try_into_layout::<Zero>().unwrap_err();
    assert!(error.to_string().contains("differ in padding"), "{error}");
    // The same offsets, and an alignment that this buffer does not have.
    type Rows = layout!(HW<2, 64>, u8, align(H = 64));
    let bytes = [0u8; 64 + 2 * 64];
    let past = (64 - bytes.as_ptr().addr() % 64) % 64 + 1;
    let rows = &bytes[past..][..128];
    let rows = Tensor::<layout!(HW<2, 64>, u8), &[u8]>::new(rows).unwrap();
    let error = rows.try_into_layout::<Rows>().unwrap_err();
    assert!(error.to_string().contains("which is not a multiple of 64 bytes"), "{error}");

    let layout = Layout::parse("NHWC<N = 2, C = 3, H = 4, W = 5>, u8").unwrap();
    let dynamic = Tensor::with_layout(Dynamic::<u8, 4>::new(layout).unwrap(), vec![0; 120]);
    assert!(dynamic.unwrap().try_into_layout::<Image>().is_ok());
}
