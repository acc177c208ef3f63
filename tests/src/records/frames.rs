//! Frames of planes by plain formulas, and structs with the alignment of C by numpy.

use tensor_layout::records::{FieldLayout, Record};
use test_support::coordinates;

use super::vectors::{parsed, table};

/// Compares the byte of each element with a formula of the coordinates of the field.
fn check(record: &Record, field: &str, byte: impl Fn(&[usize]) -> usize) {
    let field = record.field(field).unwrap();
    for coordinate in coordinates(field.extents()) {
        let bit = field.bit_offset(&coordinate).unwrap();
        assert_eq!(
            bit as usize,
            8 * byte(&coordinate),
            "{record}: {} {coordinate:?}",
            field.name()
        );
    }
}

const SIZES: &[(usize, usize, usize)] =
    &[(4, 6, 6), (48, 64, 64), (5, 7, 8), (1, 1, 2), (3, 5, 16), (7, 8, 12)];

#[test]
fn frames_of_planes_lie_as_by_their_formulas() {
    for &(height, width, pitch) in SIZES {
        let (rows, columns) = (height.div_ceil(2), width.div_ceil(2));
        let luma = pitch * height;
        let record = parsed(&format!(
            "<H = {height}, W = {width}>, {{ y: H W u8 pitch(H = {pitch}), uv: H/2 W/2 2c u8 pitch(H = {pitch}) }}"
        ));
        assert_eq!(record.bytes(0), luma + rows * pitch);
        check(&record, "y", |c| c[0] * pitch + c[1]);
        // Coordinates are [c, h, w], since C stands before H and W in every format.
        check(&record, "uv", |c| luma + c[1] * pitch + 2 * c[2] + c[0]);
        assert_eq!(record.field("uv").unwrap().extents(), [2, rows, columns]);

        let half = pitch / 2;
        let record = parsed(&format!(
            "<H = {height}, W = {width}>, {{ y: H W u8 pitch(H = {pitch}), u: H/2 W/2 u8 pitch(H = {half}), v: H/2 W/2 u8 pitch(H = {half}) }}"
        ));
        check(&record, "y", |c| c[0] * pitch + c[1]);
        check(&record, "u", |c| luma + c[0] * half + c[1]);
        check(&record, "v", |c| luma + rows * half + c[0] * half + c[1]);

        let pitch = 2 * pitch;
        let record = parsed(&format!(
            "<H = {height}, W = {width}>, {{ H W {{ _: u6, y: u10 }} pitch(H = {pitch}), H/2 W/2 2c {{ _: u6, uv: u10 }} pitch(H = {pitch}) }}"
        ));
        let luma = pitch * height;
        for (field, axes) in [("y", 2), ("uv", 3)] {
            let field = record.field(field).unwrap();
            assert!(matches!(field.layout(), Ok(FieldLayout::Bits(_))) && field.bits() == 10);
            let last: Vec<usize> = field.extents().iter().map(|extent| extent - 1).collect();
            let bit = field.bit_offset(&last).unwrap() as usize;
            let byte = match axes {
                2 => last[0] * pitch + 2 * last[1],
                _ => luma + last[1] * pitch + 2 * (2 * last[2] + last[0]),
            };
            assert_eq!(bit, 8 * byte + 6);
        }

        let record = parsed(&format!("HW<{height}, {width}>, video::yuyv422"));
        let row = 4 * columns;
        check(&record, "y", |c| c[0] * row + 2 * c[1]);
        check(&record, "u", |c| c[0] * row + 4 * c[1] + 1);
        check(&record, "v", |c| c[0] * row + 4 * c[1] + 3);
        let luma = record.field("y").unwrap().elements().unwrap();
        assert_eq!(luma.strides().unwrap(), [row as isize, 2]);
    }
}

#[test]
fn structs_have_the_alignment_of_c() {
    let structs = table(include_str!("structs.json"), 60);
    let mut nested = 0;
    for own in &structs {
        let fields = own["fields"].as_str().unwrap();
        let record = parsed(&format!("N<N = 3>, {{ {fields} }}"));
        let size = own["size"].as_u64().unwrap() as usize;
        assert_eq!(record.bytes(0), 3 * size, "{fields}");
        for (name, offset) in own["offsets"].as_object().unwrap() {
            nested += usize::from(name.contains('.'));
            let offset = offset.as_u64().unwrap() as usize;
            let field = record.field(name).unwrap_or_else(|error| panic!("{fields}: {error}"));
            let mut last = vec![0; field.letters().count()];
            assert_eq!(field.bit_offset(&last), Ok(8 * offset as u64), "{fields}: {name}");
            last[0] = 2;
            assert_eq!(field.bit_offset(&last), Ok(8 * (2 * size + offset) as u64), "{fields}");
        }
    }
    assert!(nested > 40, "{nested}");
}
