//! A 3 x 3 convolution of bytes, without padding at the edges, over one block of input channels.

/// Four channels of each pixel.
type Plane<const SIDE: usize> = [[[i8; 4]; SIDE]; SIDE];

/// Computes 1 / 1024 of the sum of products, rounded down and clamped to the range of a byte.
///
/// `input` is NCHW4, `weights` are OIHW4i4o, `output` is NCHW4.
#[inline(never)]
pub(crate) fn convolve(
    input: &Plane<16>,
    weights: &[[[[[i8; 4]; 4]; 3]; 3]; 2],
    output: &mut [Plane<14>; 2],
) {
    for (weights, output) in weights.iter().zip(output) {
        for y in 0..14 {
            for x in 0..14 {
                let mut sums = [0i32; 4];
                for ky in 0..3 {
                    for kx in 0..3 {
                        let pixel = &input[y + ky][x + kx];
                        for (channel, filters) in pixel.iter().zip(&weights[ky][kx]) {
                            for (sum, weight) in sums.iter_mut().zip(filters) {
                                *sum += i32::from(*channel) * i32::from(*weight);
                            }
                        }
                    }
                }
                output[y][x] = sums.map(|sum| (sum >> 10).clamp(-128, 127) as i8);
            }
        }
    }
}
