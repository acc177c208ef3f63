use tensor_layout::{Layout, layout, view};

type Act = layout!(NCHW4<2, 64, 5, 3>, f16);
const VIEW: Layout = view!(Act::LAYOUT, index('H', 5));

fn main() {
    let _ = VIEW;
}
