//! Files in NumPy's format: a header is read or refused, and what is read has the header's shape and is written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use num_complex::Complex;
use tensor_layout::adapters::npy;
use tensor_layout::plain::as_bytes;
use tensor_layout::{Dynamic, Element, Layout, f16};

fuzz_target!(|input: &[u8]| {
    // An input without the magic string is the dictionary of a header, in front of which its length is written.
    let file = match input {
        [b'\x93', ..] => input.to_vec(),
        [version, dictionary @ ..] => {
            let length = (dictionary.len() as u32).to_le_bytes();
            let (version, length) = match version % 3 + 1 {
                1 => (1, &length[..2]),
                other => (other, &length[..]),
            };
            [b"\x93NUMPY", &[version, 0][..], length, dictionary, &[1; 256]].concat()
        }
        [] => return,
    };
    let Ok(header) = npy::File::open(&file[..]) else { return };
    let shape = header.shape().to_vec();
    let product = |product: usize, &extent: &usize| product.checked_mul(extent.max(1));
    assert!(shape.iter().try_fold(1, product).is_some());
    if let Ok(array) = header.array() {
        let count = |shape: &[usize]| shape.iter().product::<usize>();
        assert_eq!(count(array.shape()), count(&shape));
        assert!(array.element().bits() > 0);
        let read = read::<bool>(&file, &shape)
            | read::<i8>(&file, &shape)
            | read::<u8>(&file, &shape)
            | read::<i16>(&file, &shape)
            | read::<u16>(&file, &shape)
            | read::<i32>(&file, &shape)
            | read::<u32>(&file, &shape)
            | read::<i64>(&file, &shape)
            | read::<u64>(&file, &shape)
            | read::<f16>(&file, &shape)
            | read::<f32>(&file, &shape)
            | read::<f64>(&file, &shape)
            | read::<Complex<f32>>(&file, &shape)
            | read::<Complex<f64>>(&file, &shape);
        let has_layout =
            shape.len() == 2 && shape.iter().all(|&extent| extent <= isize::MAX as usize / 16);
        assert!(read || !has_layout, "an array of a type that no tensor has");
    }
});

/// Reads the file as a tensor in either order of axes. Returns whether that is one.
fn read<E: Element>(file: &[u8], shape: &[usize]) -> bool {
    let [height, width] = *shape else { return false };
    let mut is_read = false;
    for format in ["MK", "KM"] {
        let extents = [('M', height), ('K', width)];
        let extents = if format == "MK" { extents } else { [('M', width), ('K', height)] };
        let Ok(layout) = Layout::builder(format, E::TYPE).named_extents(&extents) else { continue };
        let layout = Dynamic::<E, 2>::new(layout).expect("two axes of the element");
        if let Ok(tensor) = npy::read(layout, file) {
            assert_eq!(tensor.buffer().len(), height * width);
            let mut written = Vec::new();
            npy::write(&tensor, &mut written).expect("the storage is an array");
            let again = npy::read(layout, &written[..]).expect("the file that was written");
            assert!(as_bytes(again.buffer()) == as_bytes(tensor.buffer()));
            is_read = true;
        }
    }
    is_read
}
