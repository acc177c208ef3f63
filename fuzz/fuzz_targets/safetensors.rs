//! Files of weights: every tensor that the header names is read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::adapters::safetensors;
use tensor_layout::{Dynamic, ElementType, Format, Layout};

fuzz_target!(|file: &[u8]| {
    let Ok(file) = safetensors::File::new(file) else { return };
    for name in file.names() {
        let Some(shape) = file.shape(name) else { panic!("no shape of {name}") };
        let format = Format::parse("NCHW").expect("a format");
        let [n, c, h, w] = [0, 1, 2, 3].map(|axis| shape.get(axis).copied().unwrap_or(1));
        let Ok(layout) = Layout::of(&format, &[n, c, h, w], ElementType::F32) else { continue };
        let layout = Dynamic::<f32, 4>::new(layout).expect("four axes of the element");
        match file.read(name, layout) {
            Ok(tensor) => assert_eq!(tensor.buffer().len(), n * c * h * w),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
