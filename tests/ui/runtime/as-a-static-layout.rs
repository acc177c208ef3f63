use tensor_layout::layout;

type Batch = layout!(NCHW<_, 3, 4, 4>, u8);

fn main() {
    let _ = Batch::LEN;
}
