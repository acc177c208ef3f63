use tensor_layout::layout;

fn of(channels: usize) {
    let _ = <layout!(NCHW<1, channels, 7, 7>, f32)>::LEN;
}

fn main() {}
