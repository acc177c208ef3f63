//! Formats that have a name, one entry each.

/// Names and memory orders. Names are not case-sensitive.
///
/// Names with a number and no letter are MegEngine's (`dnn/include/megdnn/basic_types.h`). `NCHW44` and `NCHW88`
/// differ from `NCHW4` and `NCHW8` only in their filters.
pub const NAMED_FORMATS: &[(&str, &str)] = &[
    ("SCALAR", ""),
    ("NCHW4", "NCHW4c"),
    ("NCHW8", "NCHW8c"),
    ("NCHW16", "NCHW16c"),
    ("NCHW32", "NCHW32c"),
    ("NCHW64", "NCHW64c"),
    ("NCHW44", "NCHW4c"),
    ("NCHW88", "NCHW8c"),
    ("CHWN4", "CHWN4c"),
    ("NHWCD4", "NHCW4c"),
];
