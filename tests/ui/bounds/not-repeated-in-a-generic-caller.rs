use tensor_layout::typed::{Extent, MultipleOf};

fn pack<const C: usize>()
where
    Extent<'C', C>: MultipleOf<4>,
{
}

fn call<const C: usize>() {
    pack::<C>();
}

fn main() {}
