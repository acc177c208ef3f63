use tensor_layout::{
    layout,
    typed::{Extent, MultipleOf},
};

const fn length<const N: usize, const C: usize>() -> usize
where
    Extent<'C', C>: MultipleOf<4>,
{
    <layout!(NCHW4<N, C, 7, 7>, f32)>::LEN
}

const LENGTH: usize = length::<64, 1>();

fn main() {}
