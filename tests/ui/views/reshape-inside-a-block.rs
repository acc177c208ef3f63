use tensor_layout::{Layout, layout, view};

type Act = layout!(CW4c<12, 3>, f16);
const VIEW: Layout = view!(Act::LAYOUT, index('W', 0), slice('C', 3, 1, 8), reshape(&[('A', 4), ('B', 2)]));

fn main() {
    let _ = VIEW;
}
