use tensor_layout::{layout, record};

record! { pub Twice = MK { d: f16, q: 16k 2k/32 u4 } = d * q }
record! { NoEquals MK { d: f16 } }
record! { Open = MK { d: f16, q: 32 i8 } }
record! { Q8 = MK { d: f16, q: 32k i8 } = d * q }

// Methods of fields have names of their own.
record! { pub Taken = MK { bytes: u8, a: u8 } }
record! { pub Mutable = MK { a: u8, a_mut: u8 } }
record! { pub Joined = MK { k: { d: u8 }, k_d: u8 } }
record! { pub Unnamed = MK u8 }
record! { pub Sized = MK<2, 2>, { a: u8 } }
record! { pub Rule = MK { a: u8 } = a * }
record! { pub Keyword = MK { type: u8, r#fn: u8 } }
record! { pub Receiver = MK { self: u8 } }

// No more errors where a wrong record is used.
type Used = layout!(MK<2, 64>, Twice!);
type Extents = layout!(MK<2, 48>, Q8!);
type Renamed = layout!(MD<2, 64>, Q8!(m = d));

fn main() {}
