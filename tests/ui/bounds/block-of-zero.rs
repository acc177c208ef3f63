use tensor_layout::typed::{Extent, MultipleOf};

fn pack<const C: usize>()
where
    Extent<'C', C>: MultipleOf<0>,
{
}

fn call() {
    pack::<4>();
}

fn main() {}
