use tensor_layout::{check_struct, f16, record};

record! { Points = N { x: f32, y: f32, kind: u8 } }
record! { Blocks = K { d: f16, q: 16k 2k/16 u4 } }

#[repr(C)]
struct Order {
    y: f32,
    x: f32,
    kind: u8,
}

#[repr(C)]
struct Padded {
    x: f32,
    y: f32,
    kind: u8,
}

#[repr(C)]
struct Other {
    x: u32,
    y: f32,
    kind: u8,
}

#[repr(C)]
struct More {
    x: f32,
    y: f32,
    kind: u8,
    more: u8,
}

#[repr(C)]
struct Short {
    d: f16,
    q: [u8; 8],
}

check_struct!(Order = Points { x, y, kind });
check_struct!(Padded = Points { x, y, kind });
check_struct!(Other = Points { x, y, kind });
check_struct!(More = Points { x, y, kind });
check_struct!(Padded = Points { x, y });
check_struct!(Short = Blocks { d, q });

fn main() {}
