//! A camera's frame, whose rows are aligned, to a small network and its mask back to the screen.

use tensor_layout::{Conversion, Relayout, Tensor, layout};

use super::{is_near, load};

type Frame = layout!(NHWC<N = 1, C = 3, H = 10, W = 12>, u8, align(H = 64));
type Input = layout!(NCHW<1, 3, 10, 12>, f32);
type Mask = layout!(NCHW<1, 1, 10, 12>, f32);
type Gray = layout!(NHWC<N = 1, C = 1, H = 10, W = 12>, u8);
type Filters = layout!(OIHW<4, 3, 3, 3>, f32);
type Mix = layout!(O<4>, f32);

const MEANS: [f32; 3] = [0.485 * 255.0, 0.456 * 255.0, 0.406 * 255.0];
const SCALES: [f32; 3] = [1.0 / (0.229 * 255.0), 1.0 / (0.224 * 255.0), 1.0 / (0.225 * 255.0)];

#[derive(Relayout)]
#[relayout(Frame => Input, convert = Conversion::normalize_per_axis('C', &MEANS, &SCALES))]
struct ToModel;

#[derive(Relayout)]
#[relayout(Mask => Gray, convert = Conversion::quantize(1.0 / 255.0, 0))]
struct ToScreen;

/// A convolution of 3 x 3 with zeros around, its positive part, and a weighted sum between 0 and 1.
fn network(input: &Tensor<Input>, filters: &Tensor<Filters>, mix: &Tensor<Mix>) -> Tensor<Mask> {
    let pixel = |c, h: usize, w: usize| match (h.checked_sub(1), w.checked_sub(1)) {
        (Some(h), Some(w)) => input.get([0, c, h, w]).unwrap_or(0.0),
        _ => 0.0,
    };
    Tensor::<Mask>::from_fn(|[_, _, h, w]| {
        let mut mask = 0.0;
        for o in 0..4 {
            let mut sum = 0.0;
            for (c, filter) in filters.row([o]).iter().enumerate() {
                for (r, filter) in filter.iter().enumerate() {
                    for (s, weight) in filter.iter().enumerate() {
                        sum += weight * pixel(c, h + r, w + s);
                    }
                }
            }
            mask += sum.max(0.0) * mix[[o]];
        }
        mask.clamp(0.0, 1.0)
    })
}

#[test]
fn frames_go_to_a_network_and_back_as_with_numpy() {
    // numpy's frame has no gaps.
    let frame = load::<Frame>("camera_frame", "NHWC");
    assert_eq!(Frame::STRIDES, Some([640, 1, 64, 3]));
    let mut input = Tensor::<Input>::zeroed();
    ToModel::run(&frame, &mut input);
    let expected = load::<Input>("camera_image", "NCHW");
    let (filters, mix) = (load("camera_filters", "OIHW"), load("camera_mix", "O"));
    assert!(input.buffer().iter().zip(expected.buffer()).all(|(a, b)| is_near(*a, *b)));

    let mask = network(&input, &filters, &mix);
    let expected = load::<Mask>("camera_mask", "NCHW");
    assert!(mask.buffer().iter().zip(expected.buffer()).all(|(a, b)| is_near(*a, *b)));

    // The same floats in, the same bytes out.
    let mut gray = Tensor::<Gray>::zeroed();
    ToScreen::run(&expected, &mut gray);
    assert_eq!(gray, load::<Gray>("camera_gray", "NCHW"));
}
