use tensor_layout::{Layout, layout, view};

type Act = layout!(HW4h3w<12, 12>, f16);
const VIEW: Layout = view!(Act::LAYOUT, diagonal('H', 'W', 'D'));

fn main() {
    let _ = VIEW;
}
