pub type Act = tensor_layout::layout!(NCHW4<2, 64, 3, 3>, bf16);
pub type Plain = ::tensor_layout::layout!(NCHW<2, 64, 3, 3>, bf16, pad = 0.5);
pub type Nibbles = tensor_layout::layout!(NCHW64<1, 64, 7, 7>, u4);
pub type Small = tensor_layout::layout!(MK<4, 4>, f8e4m3);

tensor_layout::named_format!(PAIRS = NCHW2c);
pub type Pairs = tensor_layout::layout!(PAIRS!<2, 64, 3, 3>, i4);

#[derive(tensor_layout::Relayout)]
#[relayout(tensor_layout::layout!(NCHW<2, 64, 3, 3>, bf16) => Act)]
pub struct Pack;

#[test]
fn a_full_path_is_enough() {
    assert_eq!((Act::LEN, Plain::LEN, Nibbles::BYTES, Pairs::BYTES), (1152, 1152, 1568, 576));
    assert_eq!(Small::BYTES, 16);
    let source = [tensor_layout::bf16::ONE; Plain::LEN];
    assert_eq!(Pack::constant(&source), source);
}
