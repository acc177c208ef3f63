//! Layouts that a configuration names, and the search for a mixed-up one.

use tensor_layout::{Dynamic, ElementType, Layout, Tensor, layout};

use super::{load, path};

#[test]
fn layouts_of_a_configuration_hold_the_buffers_of_numpy() {
    let x = load::<layout!(NCHW<2, 6, 3, 4>, i16)>("config_x", "NCHW");
    let config = std::fs::read_to_string(path("config.txt")).unwrap();
    for (index, line) in config.lines().enumerate() {
        let layout: Dynamic<i16, 4> = Layout::parse(line).unwrap().try_into().unwrap();
        let mut tensor = Tensor::zeroed_in(layout).unwrap();
        x.relayout_into(&mut tensor).unwrap();
        let expected = load::<layout!(A<_>, i16)>(&format!("config_{index}"), "A");
        let units = tensor.buffer().len();
        assert_eq!(tensor.buffer(), &expected.buffer()[..units], "{line}");
        assert!(expected.buffer()[units..].iter().all(|&unit| unit == 0), "{line}");
    }
    assert_eq!(config.lines().count(), 7);
}

/// The formats under which a buffer reads as the probe.
fn formats_of(name: &str) -> Vec<&'static str> {
    let buffer = load::<layout!(A<_>, u16)>(name, "A");
    let is = |format: &str| {
        let layout = Layout::of(format, &[1, 3, 4, 5], ElementType::U16).unwrap();
        let layout = Dynamic::<u16, 4>::new(layout).unwrap();
        let tensor = Tensor::with_layout(layout, buffer.buffer()).unwrap();
        tensor
            .iter()
            .all(|([n, c, h, w], element)| usize::from(element) == 1000 * n + 100 * c + 10 * h + w)
    };
    let formats = ["NCHW", "NCWH", "NHCW", "NHWC", "NWCH", "NWHC"];
    formats.into_iter().filter(|format| is(format)).collect()
}

#[test]
fn mixed_up_layouts_are_found() {
    for format in ["NCHW", "NHWC", "NWHC"] {
        assert_eq!(formats_of(&format!("mixup_{format}")), [format]);
    }
    assert!(formats_of("mixup_none").is_empty());
}
