use tensor_layout::{layout, record};

record! { pub Twice = MK { d: f16, q: 16k 2k/32 u4 } = d * q }
record! { NoEquals MK { d: f16 } }
record! { Open = MK { d: f16, q: 32 i8 } }
record! { Q8 = MK { d: f16, q: 32k i8 } = d * q }

// No more errors where a wrong record is used.
type Used = layout!(MK<2, 64>, Twice!);
type Extents = layout!(MK<2, 48>, Q8!);
type Renamed = layout!(MD<2, 64>, Q8!(m = d));

fn main() {}
