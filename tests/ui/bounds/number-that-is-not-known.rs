use tensor_layout::typed::{Extent, MultipleOf};

fn pack<const C: usize>()
where
    Extent<'C', C>: MultipleOf<4>,
{
}

fn call() {
    pack::<99999>();
}

fn main() {}
