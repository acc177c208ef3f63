use tensor_layout::typed::divisible;
use tensor_layout::{Tensor, layout};

#[divisible]
fn pack<const C: usize>(
    image: &Tensor<layout!(NHWC<N = 1, C, H = 8, W = 8>, u8), &[u8]>,
    packed: &mut Tensor<layout!(NCHW4<1, C, 8, 8>, u8), &mut [u8]>,
) {
    packed.buffer_mut()[0] = image.buffer()[0];
}

fn main() {
    let mut bytes = [0; 6 * 64];
    let image = Tensor::new(&[0; 6 * 64][..]).unwrap();
    pack::<6>(&image, &mut Tensor::new(&mut bytes[..]).unwrap());
}
