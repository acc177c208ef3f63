use tensor_layout::{Conversion, Relayout, layout};

type Rows = layout!(MK<2, 64>, { d: f16, q: 32k i8 });

#[derive(Relayout)]
#[relayout(records, Rows => layout!(MK<_, 64>, { d: f16, q: 32k i8 }))]
struct OfRunTime;

#[derive(Relayout)]
#[relayout(records, Rows => Rows, convert = Conversion::cast())]
struct Converted;

#[derive(Relayout)]
#[relayout(records, Rows)]
struct Alone;

fn main() {}
