use tensor_layout::layout;
use tensor_layout::typed::{Panels, Rows};

type Small = layout!(HW<2, 3>, u8);

struct Mine;

impl Rows<1, Mine> for Small {
    type Row = &'static str;
    const ROW_LEN: usize = 16;
}

impl Panels<1, Mine> for Small {
    type Row = &'static str;
    const ROW_LEN: usize = 16;
}

fn main() {}
