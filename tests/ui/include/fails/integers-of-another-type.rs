use tensor_layout::include_tensor;

fn main() {
    let _ = include_tensor!("tests/files/image_hwc.npy", HWC => HWC<C = 3, H = 2, W = 4>, i8);
}
