use tensor_layout::{Relayout, Tensor, layout};

type Low = layout!(HW<2, 4>, u4);
type High = layout!(HW<2, 4>, u4, high_first);

#[derive(Relayout)]
#[relayout(High => Low)]
struct Reorder;

fn main() {
    let low = Tensor::<Low, _>::new([0u8; 4]).unwrap();
    let _ = Reorder::array(&low);
}
