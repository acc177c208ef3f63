use tensor_layout::tensor::{BufferIn, Space};
use tensor_layout::{Tensor, layout};

struct Gpu;
impl Space for Gpu {}

struct DeviceBuffer;
impl BufferIn<Gpu> for DeviceBuffer {
    fn bytes(&self) -> usize {
        96
    }
}

type Image = layout!(NCHW<1, 3, 4, 2>, f32);

fn main() {
    let image = Tensor::<Image, _, Gpu>::in_space(Image::default(), DeviceBuffer).unwrap();
    let _ = image.get([0, 0, 0, 0]);
}
