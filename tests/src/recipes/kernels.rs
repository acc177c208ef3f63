//! Kernels of one's own: a convolution, an accelerator's memory, a key-value cache, frames of audio.

use std::f32::consts::PI;

use tensor_layout::tensor::{BufferIn, Space};
use tensor_layout::{Tensor, layout};

use super::{is_near, load};

type X = layout!(NCHW4<1, 8, 6, 7>, i8);
type Filters = layout!(CHW4c<8, 3, 3>, i8);
type Y = layout!(NCHW4<1, 8, { 6 - 2 }, { 7 - 2 }>, i32);

fn depthwise(x: &Tensor<X>, filters: &Tensor<Filters>) -> Tensor<Y> {
    let mut y = Tensor::<Y>::zeroed();
    for c in 0..8 / 4 {
        let filter: &[[[i8; 4]; 3]; 3] = filters.row([c]);
        for h in 0..4 {
            let rows: [&[[i8; 4]; 7]; 3] = core::array::from_fn(|r| x.row([0, c, h + r]));
            for (w, y) in y.row_mut([0, c, h]).iter_mut().enumerate() {
                for (row, filter) in rows.iter().zip(filter) {
                    for (pixel, weights) in row[w..][..3].iter().zip(filter) {
                        for i in 0..4 {
                            y[i] += i32::from(pixel[i]) * i32::from(weights[i]);
                        }
                    }
                }
            }
        }
    }
    y
}

#[test]
fn a_convolution_is_that_of_numpy() {
    let y = depthwise(&load("kernel_x", "NCHW"), &load("kernel_filters", "CHW"));
    assert_eq!(y, load::<layout!(NCHW<1, 8, 4, 5>, i32)>("kernel_y", "NCHW"));
}

struct Npu;
impl Space for Npu {}
struct Handle(usize);
impl BufferIn<Npu> for Handle {
    fn bytes(&self) -> usize {
        self.0
    }
}

#[test]
fn an_accelerator_gets_the_bytes_of_numpy() {
    type Picture = layout!(NHWC<N = 1, C = 3, H = 5, W = 7>, u8);
    type OnNpu = layout!(NCHW16c<1, 3, 5, 7>, u8, pad, align(H = 256));
    let picture = load::<Picture>("accelerator_picture", "NCHW");
    let packed = picture.to_layout::<OnNpu>().unwrap();
    // The layout ends with the last row, and nothing follows its last vector.
    let memory = load::<layout!(B<_>, u8)>("accelerator_memory", "B");
    assert_eq!(packed.buffer(), &memory.buffer()[..OnNpu::LEN]);
    let handle = Handle(OnNpu::BYTES);
    let tensor = Tensor::<OnNpu, _, Npu>::in_space(OnNpu::default(), handle).unwrap();
    assert_eq!((tensor.handle().0, tensor.layout().align()), (packed.buffer().len(), 256));
    assert_eq!(packed.to_layout::<Picture>().unwrap(), picture);
}

const IN_PAGE: usize = 4;
type Pool = layout!(PSHD<P = 6, S = IN_PAGE, H = 2, D = 8>, f32);
type Tokens = layout!(THD<T = 11, H = 2, D = 8>, f32);
type Query = layout!(HD<H = 2, D = 8>, f32);

/// The tokens in pages of a pool, in the order of `pages`.
fn paged(pages: &[usize], tokens: &Tensor<Tokens>) -> Tensor<Pool> {
    let mut pool = Tensor::zeroed();
    for t in 0..11 {
        *pool.row_mut([pages[t / IN_PAGE], t % IN_PAGE]) = *tokens.row([t]);
    }
    pool
}

#[test]
fn attention_over_pages_is_that_of_numpy() {
    let pages = [4, 0, 3];
    let keys = paged(&pages, &load("cache_keys", "THD"));
    let values = paged(&pages, &load("cache_values", "THD"));
    let query = load::<Query>("cache_query", "HD");
    let expected = load::<Query>("cache_output", "HD");
    for head in 0..2 {
        let query: &[f32; 8] = query.row([head]);
        let at = |t: usize| [pages[t / IN_PAGE], t % IN_PAGE, head];
        let weights: [f32; 11] = core::array::from_fn(|t| {
            let score: f32 = keys.row(at(t)).iter().zip(query).map(|(a, b)| a * b).sum();
            (score / 8f32.sqrt()).exp()
        });
        let total: f32 = weights.iter().sum();
        for d in 0..8 {
            let sum: f32 = (0..11).map(|t| weights[t] * values.row(at(t))[d]).sum();
            // H and D are letters of activations, height and depth: coordinates are [d, h].
            let (expected, output) = (expected[[d, head]], sum / total);
            assert!(is_near(output, expected), "{output} {expected}");
        }
    }
}

#[test]
fn frames_of_audio_have_the_magnitudes_of_numpy() {
    let signal = load::<layout!(T<T = 64>, f32)>("audio_signal", "T");
    let frames = signal.view::<2>(|signal| signal.windows('T', 16, 8, 'K')).unwrap();
    let expected = load::<layout!(TF<T = 7, F = 9>, f32)>("audio_magnitudes", "TF");
    assert_eq!(frames.extents(), [7, 16]);
    for ([frame, f], expected) in expected.iter() {
        let samples = frames.row_along('K', [frame, 0]).unwrap();
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (k, sample) in samples.iter().enumerate() {
            let hann = 0.5 - 0.5 * (2.0 * PI * k as f32 / 15.0).cos();
            let (sin, cos) = (2.0 * PI * (f * k) as f32 / 16.0).sin_cos();
            (real, imaginary) = (real + sample * hann * cos, imaginary + sample * hann * sin);
        }
        assert!(is_near(f32::hypot(real, imaginary), expected), "{frame} {f}");
    }
}
