//! What `main` prints of an error that it returns is the error's sentence.

use std::error::Error;

use tensor_layout::access::{Access, Banks, padding};
use tensor_layout::adapters::AdapterError;
use tensor_layout::names::onednn;
use tensor_layout::{ElementType, Layout};

#[test]
fn errors_of_main_are_sentences() {
    let short = Layout::of("NHWC", &[1], ElementType::U8).unwrap_err();
    let adapter = AdapterError::from(Layout::of("NHWC", &[1], ElementType::U8).unwrap_err());
    let notation = Layout::parse("NCHW4<1, 3, 2, 2>, u8").unwrap_err();
    let name = onednn::parse("nchw3x", &[1, 3, 2, 2], ElementType::U8).unwrap_err();
    // Two lanes want one bank of one row, which padding does not part.
    let bank = padding(&[Access::at(&[0, 128], 4)], 256, &Banks::NVIDIA).unwrap_err();
    let all: [Box<dyn Error>; 5] =
        [short.into(), adapter.into(), notation.into(), name.into(), bank.into()];
    for error in all {
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(error.to_string().contains("; "), "{error} has a remedy");
    }
}
