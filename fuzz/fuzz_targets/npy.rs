//! Files in NumPy's format: a header is read or refused, and what is read has the header's shape.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::adapters::npy;
use tensor_layout::{Dynamic, Element, ElementType, Format, Layout};

fuzz_target!(|file: &[u8]| {
    let Ok(header) = npy::File::open(file) else { return };
    let shape = header.shape().to_vec();
    let _ = header.element().len();
    read::<u8>(file, &shape, ElementType::U8);
    read::<f32>(file, &shape, ElementType::F32);
});

fn read<E: Element>(file: &[u8], shape: &[usize], element: ElementType) {
    let [height, width] = *shape else { return };
    for format in ["MK", "KM"] {
        let format = Format::parse(format).expect("a format");
        let Ok(layout) = Layout::of(&format, &[height, width], element) else { continue };
        let layout = Dynamic::<E, 2>::new(layout).expect("two axes of the element");
        if let Ok(tensor) = npy::read(layout, file) {
            assert_eq!(tensor.buffer().len(), height * width);
        }
    }
}
