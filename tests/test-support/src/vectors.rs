//! Values of JSON vectors, and what they are compared with. A value of another kind panics and is printed.

use serde_json::Value;

/// A list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

/// A whole number of at least 0.
pub fn number(value: &Value) -> usize {
    let number = value.as_u64().unwrap_or_else(|| panic!("{value} is not a whole number"));
    usize::try_from(number).unwrap_or_else(|_| panic!("{value} is too large"))
}

/// A list of whole numbers of at least 0.
pub fn numbers(value: &Value) -> Vec<usize> {
    list(value).iter().map(number).collect()
}

/// A text.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text"))
}

/// Fails unless `offsets` are those of `expected`: all of them as `offsets`, or their `count`, some `samples` and the
/// hash `fnv1a64`.
pub fn assert_offsets(offsets: &[usize], expected: &Value, id: &Value) {
    if expected["offsets"].is_array() {
        assert_eq!(offsets, numbers(&expected["offsets"]), "{id}");
        return;
    }
    assert_eq!(offsets.len(), number(&expected["count"]), "{id}");
    for sample in expected["samples"].as_array().into_iter().flatten() {
        assert_eq!(offsets[number(&sample[0])], number(&sample[1]), "{id} at {sample}");
    }
    let hash = format!("{:016x}", fnv(offsets));
    assert_eq!(hash, text(&expected["fnv1a64"]), "{id}");
}

/// The 64-bit FNV-1a over offsets as little-endian `u32`.
fn fnv(offsets: &[usize]) -> u64 {
    let bytes = offsets.iter().flat_map(|&offset| (offset as u32).to_le_bytes());
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.fold(0xcbf2_9ce4_8422_2325, step)
}
