pub struct Static;
pub struct Extent;
pub struct Axis;
pub struct Block;
pub struct Stride;
pub struct Broadcast;
pub struct Padded;
pub struct Align;
pub struct Plan;
pub struct Layout;
pub struct StaticLayout;
pub struct UnitOf;
pub struct Option;
pub struct Some;
pub struct f32;
pub struct i8;
pub struct f16;
pub struct usize;
pub struct isize;
pub struct char;
pub struct u64;
pub mod core {}
pub mod std {}
pub mod tensor_layout {}
pub mod typed {}
pub mod fill {
    pub const VALUE: ::core::primitive::i8 = 1;
}
pub mod elements {}
pub mod __private {}
pub mod layout {}
pub mod spec {}

const N: ::core::primitive::usize = 2;
const C: ::core::primitive::usize = 8;
const H: ::core::primitive::usize = 3;
const W: ::core::primitive::usize = 4;
const RANK: ::core::primitive::usize = 1;
const LEN: ::core::primitive::usize = 1;
const PLAN: ::core::primitive::usize = 1;

macro_rules! layout {
    () => {};
}
macro_rules! named_format {
    () => {};
}

::tensor_layout::named_format!(QUADS = NCHW4c);

pub type Act = ::tensor_layout::layout!(QUADS!<N, C, H, W>, f32);
pub type Plain = ::tensor_layout::layout!(NHWC<N, C, H, W>, f32, align(H = 256));
pub type Padded4 = ::tensor_layout::layout!(NCHW4<N, 7, { H + RANK }, W>, i8, pad = fill::VALUE);
pub type Strides = ::tensor_layout::layout!(NCHW<N, 1, 1, 2>, f16, strides = [-8, 1, 1, 2]);
pub type Shared = ::tensor_layout::layout!(NCHW<N, C, H, W>, f16, broadcast(N));

#[derive(::tensor_layout::Relayout)]
#[relayout(Plain => Act)]
pub struct Pack;

#[test]
fn the_users_names_do_not_get_in_the_way() {
    let act: [::core::primitive::f32; Act::LEN] = Pack::constant(&[1.0; Plain::LEN]);
    let mut run = [0.0; Act::LEN];
    Pack::run_arrays(&[1.0; Plain::LEN], &mut run);
    assert_eq!((act, Act::EXTENTS), (run, [2, 8, 3, 4]));
    assert_eq!(Padded4::LAYOUT.fill(), ::core::option::Option::Some(1));
    assert_eq!((Strides::SPAN, Shared::LEN), (11, 96));
}

/// Const parameters, too, can be called whatever the expansion might be.
pub fn parameters<
    const LETTER: ::core::primitive::usize,
    const EXTENT: ::core::primitive::usize,
    const SIZE: ::core::primitive::usize,
    E: ::tensor_layout::Element,
>() -> ::core::primitive::usize {
    <::tensor_layout::layout!(NCHW4<LETTER, EXTENT, SIZE, 1>, E)>::LEN
}

#[test]
fn the_users_parameters_do_not_get_in_the_way() {
    assert_eq!(parameters::<2, 8, 3, ::core::primitive::f32>(), 48);
}
