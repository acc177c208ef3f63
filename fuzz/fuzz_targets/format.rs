//! Texts of formats: what is read prints as a text that is read as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::{ElementType, Format, Layout};

fuzz_target!(|text: &str| match Format::parse(text) {
    Ok(format) => {
        assert_eq!(Format::parse(&format.to_string()), Ok(format));
        let extents = [1, 2, 3, 4, 5, 6, 7, 8];
        for rank in 0..=extents.len() {
            if let Ok(layout) =
                Layout::builder(&format, ElementType::U8).pad(0).extents(&extents[..rank])
            {
                assert!(layout.matches(&format), "{layout} in {format}");
            }
        }
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
