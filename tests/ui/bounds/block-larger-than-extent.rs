use tensor_layout::typed::{Extent, MultipleOf};

fn pack<const C: usize>()
where
    Extent<'C', C>: MultipleOf<16>,
{
}

fn call() {
    pack::<3>();
}

fn main() {}
