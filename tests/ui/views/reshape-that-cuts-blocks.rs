use tensor_layout::{Layout, layout, view};

type Act = layout!(NCHW4<2, 64, 5, 3>, f16);
const VIEW: Layout = view!(Act::LAYOUT, index('N', 0), reshape(&[('X', 80), ('Y', 12)]));

fn main() {
    let _ = VIEW;
}
