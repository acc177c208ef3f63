use tensor_layout::layout;

type Batch = layout!(NCHW<_, 3, 4, 4>, u8);
type Last = layout!(NHWC<N = _, C = 3, H = 4, W = 4>, u8);

fn takes(_: Last) {}

fn main() {
    if let Ok(batch) = Batch::new([2]) {
        takes(batch);
    }
}
