//! Tensors as images and back: every sample is where it was, and nothing is copied.

use image::flat::SampleLayout;
use image::{FlatSamples, ImageBuffer, Rgb, Rgba};
use tensor_layout::adapters::{AdapterError, Cause, image as adapter};
use tensor_layout::{Tensor, layout};

/// That every sample of the image is the element of the tensor, by pointers.
macro_rules! assert_seen {
    ($layout:ty, |$c:ident, $h:ident, $w:ident| $coordinate:expr, $extents:expr) => {{
        let elements = (0..<$layout>::LEN).map(|i| i as u8).collect::<Vec<_>>();
        let mut tensor = Tensor::<$layout, _>::new(elements).unwrap();
        let samples = adapter::samples(&tensor).unwrap();
        let [channels, height, width]: [usize; 3] = $extents;
        assert_eq!(samples.extents(), (channels, width, height));
        for $c in 0..channels {
            for $h in 0..height {
                for $w in 0..width {
                    let sample = samples.get_sample($c as u8, $w as u32, $h as u32).unwrap();
                    assert!(std::ptr::eq(sample, &tensor[$coordinate]), "{}", tensor.layout());
                }
            }
        }
        let back = adapter::tensor(samples).unwrap();
        assert!(std::ptr::eq(
            &back[[0, channels - 1, height - 1, width - 1]],
            samples_last(&tensor, [channels, height, width])
        ));
        let mut changed = adapter::samples_mut(&mut tensor).unwrap();
        *changed.get_mut_sample(0, 1, 1).unwrap() = 255;
        let ($c, $h, $w) = (0, 1, 1);
        assert_eq!(tensor[$coordinate], 255);
    }};
}

/// The last sample by the image's own arithmetic.
fn samples_last<L>(tensor: &Tensor<L, Vec<u8>>, [c, h, w]: [usize; 3]) -> &u8
where
    L: tensor_layout::LayoutType<Element = u8>,
{
    let samples = adapter::samples(tensor).unwrap();
    let SampleLayout { channel_stride, height_stride, width_stride, .. } = samples.layout;
    let place = (c - 1) * channel_stride + (h - 1) * height_stride + (w - 1) * width_stride;
    &samples.samples[place]
}

#[test]
fn tensors_are_images_where_they_are() {
    assert_seen!(layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8), |c, h, w| [0, c, h, w], [3, 4, 5]);
    assert_seen!(layout!(NCHW<1, 3, 4, 5>, u8), |c, h, w| [0, c, h, w], [3, 4, 5]);
    assert_seen!(layout!(HWC<C = 2, H = 3, W = 4>, u8), |c, h, w| [c, h, w], [2, 3, 4]);
    assert_seen!(layout!(CHW<3, 4, 5>, u8, strides = [1, 32, 4]), |c, h, w| [c, h, w], [3, 4, 5]);
    assert_seen!(layout!(HW<4, 5>, u8), |_c, h, w| [h, w], [1, 4, 5]);
    assert_seen!(layout!(WH<W = 5, H = 4>, u8), |_c, h, w| [h, w], [1, 4, 5]);
}

#[test]
fn images_are_tensors_where_they_are() {
    let mut photo = ImageBuffer::from_fn(5, 4, |x, y| Rgb([x as u16, y as u16, 9]));
    let tensor = adapter::tensor(photo.as_flat_samples()).unwrap();
    assert_eq!(tensor.layout().strides().unwrap(), [60, 1, 15, 3]);
    assert_eq!(tensor.layout().extents(), [1, 3, 4, 5]);
    for (x, y, pixel) in photo.enumerate_pixels() {
        for c in 0..3 {
            assert!(std::ptr::eq(&pixel.0[c], &tensor[[0, c, y as usize, x as usize]]));
        }
    }
    adapter::tensor_mut(photo.as_flat_samples_mut()).unwrap()[[0, 2, 3, 1]] = 77;
    assert_eq!(photo.get_pixel(1, 3).0, [1, 3, 77]);
}

#[test]
fn pixels_are_interleaved() {
    type Camera = layout!(NHWC<N = 1, C = 3, H = 2, W = 4>, u8);
    let camera = Tensor::<Camera, _>::new([5; Camera::LEN]).unwrap();
    let pixels: ImageBuffer<Rgb<u8>, _> = adapter::buffer(&camera).unwrap();
    assert_eq!(pixels.as_raw().as_ptr(), camera.buffer().as_ptr());

    type Planar = layout!(NCHW<1, 3, 2, 4>, u8);
    let planar = Tensor::<Planar, _>::new([5; Planar::LEN]).unwrap();
    let error = adapter::buffer::<Rgb<u8>, _, _>(&planar).unwrap_err().to_string();
    assert!(error.contains("relayout it to `NHWC`"), "{error}");
    let error = adapter::buffer::<Rgba<u8>, _, _>(&camera).unwrap_err().to_string();
    assert!(error.contains("as pixels: C has extent 3, but a pixel has 4; relayout"), "{error}");
}

#[test]
fn what_is_not_an_image_is_an_error() {
    macro_rules! refused {
        ($($layout:ty => $says:literal;)*) => {$(
            let tensor = Tensor::<$layout, _>::new(vec![0; <$layout>::LEN]).unwrap();
            let error = adapter::samples(&tensor).unwrap_err().to_string();
            assert!(error.contains($says), "{error}");
        )*};
    }
    refused! {
        layout!(NHWC<N = 2, C = 3, H = 2, W = 4>, u8) => "axis N has extent 2, not 1";
        layout!(NCHW4<1, 8, 2, 4>, u8) => "has blocks";
        layout!(HC<C = 3, H = 2>, u8) => "lacks axis H or W";
        layout!(HW<2, 4>, u8, strides = [-4, 1]) => "negative strides";
        layout!(HWC<C = 256, H = 2, W = 2>, u8) => "over 255 channels";
    }
    // Samples that the buffer does not hold.
    let layout = SampleLayout::row_major_packed(3, 4, 5);
    let mut buffer = [0u8; 59];
    let short = FlatSamples { samples: &buffer[..], layout, color_hint: None };
    assert!(matches!(adapter::tensor(short), Err(AdapterError(Cause::Layout(_)))));
    let short = FlatSamples { samples: &mut buffer[..], layout, color_hint: None };
    assert!(adapter::tensor_mut(short).is_err());
    // Strides beyond any memory, and none at all.
    let huge = SampleLayout { height_stride: usize::MAX, ..layout };
    let samples = FlatSamples { samples: &buffer[..], layout: huge, color_hint: None };
    assert!(adapter::tensor(samples).is_err());
    let empty = SampleLayout { width: 0, ..layout };
    let samples = FlatSamples { samples: &buffer[..], layout: empty, color_hint: None };
    let none = adapter::tensor(samples).unwrap();
    assert_eq!(none.layout().extents(), [1, 3, 5, 0]);
    assert_eq!(adapter::samples(&none).unwrap().layout.width, 0);
}
