//! The layers. Images are rows of pixels of channels, `NHWC`.

use bytemuck::cast_slice;
use tensor_layout::Epilogue;
use tensor_layout::tensor::{add_products, same_padding, window};

/// An image without its batch axis.
pub type Image<const H: usize, const W: usize, const C: usize> = [[[i8; C]; W]; H];

/// A depthwise convolution of an image with one channel, with padding at the edges: each of `O` filters gives a
/// channel.
#[inline(never)]
pub fn filters<
    const STRIDE: usize,
    const KH: usize,
    const KW: usize,
    const H: usize,
    const W: usize,
    const O: usize,
    const OH: usize,
    const OW: usize,
>(
    input: &Image<H, W, 1>,
    weights: &[[[i8; O]; KW]; KH],
    epilogue: &Epilogue<O>,
    output: &mut Image<OH, OW, O>,
) {
    let (top, left) = const { before::<STRIDE>([H, W], [KH, KW], [OH, OW]) };
    let outside = epilogue.input_zero_point as i8;
    for (y, output) in output.iter_mut().enumerate() {
        let rows: [&[[i8; 1]]; KH] =
            window((y * STRIDE) as isize - top, |y| Some(&input.get(y)?[..]), &[]);
        for (x, output) in output.iter_mut().enumerate() {
            let mut sums = epilogue.starts;
            for (row, weights) in rows.iter().zip(weights) {
                let pixels: [[i8; 1]; KW] =
                    window((x * STRIDE) as isize - left, |x| row.get(x).copied(), [outside]);
                for ([pixel], weights) in pixels.iter().zip(weights) {
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum += i32::from(*pixel) * i32::from(*weight);
                    }
                }
            }
            for o in 0..O {
                output[o] = epilogue.output(o, sums[o]) as i8;
            }
        }
    }
}

/// A depthwise convolution of 3 x 3 pixels, with padding at the edges. Weights are in blocks of four channels.
#[inline(never)]
pub fn depthwise<
    const STRIDE: usize,
    const H: usize,
    const W: usize,
    const C: usize,
    const OH: usize,
    const OW: usize,
>(
    input: &Image<H, W, C>,
    weights: &[i8],
    epilogue: &Epilogue<C>,
    output: &mut Image<OH, OW, C>,
) {
    let (top, left) = const { before::<STRIDE>([H, W], [3, 3], [OH, OW]) };
    let weights: &[[[[i8; 4]; 3]; 3]] = cast_slice(weights);
    let outside = [epilogue.input_zero_point as i8; C];
    for (y, output) in output.iter_mut().enumerate() {
        let rows: [&[[i8; C]]; 3] =
            window((y * STRIDE) as isize - top, |y| Some(&input.get(y)?[..]), &[]);
        for (x, output) in output.iter_mut().enumerate() {
            let first = (x * STRIDE) as isize - left;
            let pixels: [[&[i8; C]; 3]; 3] =
                rows.map(|row| window(first, |x| row.get(x), &outside));
            for (block, weights) in (0..C / 4).zip(weights) {
                let mut sums: [i32; 4] = core::array::from_fn(|i| epilogue.starts[4 * block + i]);
                for (pixels, weights) in pixels.iter().zip(weights) {
                    for (pixel, weights) in pixels.iter().zip(weights) {
                        for i in 0..4 {
                            sums[i] += i32::from(pixel[4 * block + i]) * i32::from(weights[i]);
                        }
                    }
                }
                for i in 0..4 {
                    output[4 * block + i] = epilogue.output(4 * block + i, sums[i]) as i8;
                }
            }
        }
    }
}

/// The padding above and before an image of extents `[H, W]`, whose windows must be as many as the output has pixels.
const fn before<const STRIDE: usize>(
    input: [usize; 2],
    window: [usize; 2],
    output: [usize; 2],
) -> (isize, isize) {
    assert!(input[0].div_ceil(STRIDE) == output[0] && input[1].div_ceil(STRIDE) == output[1]);
    let top = same_padding(input[0], window[0], STRIDE);
    (top as isize, same_padding(input[1], window[1], STRIDE) as isize)
}

/// A convolution of each pixel alone, and a fully connected layer where there is one pixel. Weights are in blocks of
/// two outputs by four inputs.
#[inline(never)]
pub fn pointwise<const I: usize, const O: usize>(
    input: &[[i8; I]],
    weights: &[i8],
    epilogue: &Epilogue<O>,
    output: &mut [[i8; O]],
) {
    const { assert!(I % 4 == 0 && O % 2 == 0) }
    let weights: &[[[i8; 4]; 2]] = cast_slice(weights);
    let mut inputs = input.chunks_exact(2);
    let mut outputs = output.chunks_exact_mut(2);
    for (input, output) in (&mut inputs).zip(&mut outputs) {
        if let ([a, b], [to_a, to_b]) = (input, output) {
            pixels([a, b], weights, epilogue, [to_a, to_b]);
        }
    }
    if let ([input], [output]) = (inputs.remainder(), outputs.into_remainder()) {
        pixels([input], weights, epilogue, [output]);
    }
}

/// The same for some pixels at once, which share the loads of weights.
#[inline(always)]
fn pixels<const PIXELS: usize, const I: usize, const O: usize>(
    input: [&[i8; I]; PIXELS],
    weights: &[[[i8; 4]; 2]],
    epilogue: &Epilogue<O>,
    output: [&mut [i8; O]; PIXELS],
) {
    let input = input.map(|pixel| cast_slice(&pixel[..]));
    for (block, weights) in (0..O / 2).zip(weights.chunks_exact(I / 4)) {
        let start = |i| epilogue.starts[2 * block + i];
        let mut sums: [[i32; 2]; PIXELS] = [core::array::from_fn(start); PIXELS];
        add_products(&mut sums, input, weights);
        for i in 0..2 {
            for pixel in 0..PIXELS {
                output[pixel][2 * block + i] = epilogue.output(2 * block + i, sums[pixel][i]) as i8;
            }
        }
    }
}

/// The average of all pixels, halves away from zero.
#[inline(never)]
pub fn average<const H: usize, const W: usize, const C: usize>(
    input: &Image<H, W, C>,
    output: &mut [i8; C],
) {
    let count = const { (H * W) as i32 };
    for (c, output) in output.iter_mut().enumerate() {
        let sum: i32 = input.as_flattened().iter().map(|pixel| i32::from(pixel[c])).sum();
        *output = ((sum + sum.signum() * (count / 2)) / count) as i8;
    }
}
