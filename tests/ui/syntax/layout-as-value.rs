use tensor_layout::layout;

fn take() {
    let _ = layout!(NCHW<1, 3, 7, 7>, f32);
}

fn main() {}
