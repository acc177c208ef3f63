use tensor_layout::{Layout, layout, view};

type Act = layout!(NCHW8<2, 64, 5, 3>, f16);
const VIEW: Layout = view!(Act::LAYOUT, slice('C', 0, 3, 20));

fn main() {
    let _ = VIEW;
}
