use tensor_layout::{Relayout, layout, record};

record! { Rows = MK { d: f16, q: 32k i8 } = d * q }

type Source = layout!(MK<2, 64>, Rows!);

#[derive(Relayout)]
#[relayout(records, Source => layout!(MK<2, 32>, Rows!))]
struct OtherExtents;

#[derive(Relayout)]
#[relayout(records, Source => layout!(MK<2, 64>, { q: 32k i8 }))]
struct NoScale;

#[derive(Relayout)]
#[relayout(records, layout!(MK<2, 64>, { q: 32k i8 }) => Source,)]
struct NewScale;

#[derive(Relayout)]
#[relayout(records, Source => layout!(MK<2, 64>, { d: f16, q: 32k u8 } = d * q))]
struct OtherElements;

fn main() {}
