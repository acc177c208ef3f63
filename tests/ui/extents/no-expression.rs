use tensor_layout::layout;

type Sign = layout!(NCHW<2, 64, #, 3>, f16);
type Half = layout!(NCHW<2, 64, 1 +, 3>, f16);
type Aligned = layout!(NCHW<2, 64, 3, 3>, f16, align(W = 16 *));
type Element = layout!(NCHW<2, 64, 3, 3>, #);

fn main() {}
