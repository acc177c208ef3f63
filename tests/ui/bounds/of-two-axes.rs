use tensor_layout::typed::{Extent, MultipleOf};

fn pack<const C: usize, const N: usize>()
where
    Extent<'C', C>: MultipleOf<4>,
    Extent<'N', N>: MultipleOf<16>,
{
}

fn call() {
    pack::<3, 17>();
}

fn main() {}
