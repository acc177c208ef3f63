use tensor_layout::{Layout, layout};

type Act = layout!(NCHW4<2, 64, 5, 3>, f16);
const HALVES: (Layout, Layout) = match Act::LAYOUT.split('H', 6) {
    Ok(halves) => halves,
    Err(error) => error.panic(),
};

fn main() {
    let _ = HALVES;
}
