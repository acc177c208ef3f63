use tensor_layout::{Layout, LayoutError, layout};

fn of<const C: usize>(batch: usize) -> Result<Layout, LayoutError> {
    Ok(<layout!(NCHW4<_, C, 3, 3>, i8)>::new([batch])?.layout())
}

fn main() {
    let _ = of::<63>(2);
}
