//! A program without std or alloc. The panic handler is what proves it: with std in the tree
//! there would be two.
#![no_std]

use tensor_layout::{Relayout, layout};

type Image = layout!(NHWC<N = 1, C = 3, H = 8, W = 8>, u8);
type Packed = layout!(NCHW4<1, 3, 8, 8>, u8, pad);

#[derive(Relayout)]
#[relayout(Image => Packed)]
struct Pack;

/// Packs an image, as firmware would.
#[unsafe(no_mangle)]
pub extern "C" fn pack(image: &[u8; Image::LEN], packed: &mut [u8; Packed::LEN]) {
    Pack::run_arrays(image, packed);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
