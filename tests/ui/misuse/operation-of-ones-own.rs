use tensor_layout::typed::Operation;

struct Part;

impl Operation<[usize; 2]> for Part {
    type Coordinate = [usize; 2];
}

fn main() {}
