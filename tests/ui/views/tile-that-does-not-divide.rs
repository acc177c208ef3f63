use tensor_layout::{Layout, layout, view};

type Act = layout!(NCHW4<2, 64, 5, 3>, f16);
const VIEW: Layout = view!(Act::LAYOUT, tile('C', &[('C', 5), ('T', 12)]));

fn main() {
    let _ = VIEW;
}
