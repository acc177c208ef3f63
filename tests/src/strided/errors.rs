//! What is wrong with a copy, and that nothing is written then.

use tensor_layout::strided::{self, StridedCopy};

/// The text of an error.
fn text<T: core::fmt::Debug>(of: Result<T, strided::StridedError>) -> String {
    of.expect_err("this is wrong").to_string()
}

/// The text of offsets that are too large.
fn too_large(side: &str) -> String {
    let most = isize::MAX;
    format!(
        "offsets of the {side} exceed {most} bytes, half of the addresses; give a smaller offset, shape or strides"
    )
}

#[test]
fn wrong_copies() {
    let source = [1u16, 2, 3, 4, 5, 6];
    let mut destination = [9u16; 6];
    let mut copy = |shape: &[usize], from: (usize, &[isize]), to: (usize, &[isize])| {
        text(strided::copy(shape, (&source, from.0, from.1), (&mut destination, to.0, to.1)))
    };
    assert_eq!(
        copy(&[2, 3], (0, &[3]), (0, &[3, 1])),
        "the shape has 2 axes, and the list of the source's strides has length 1; give one stride for each axis"
    );
    assert_eq!(
        copy(&[2, 3], (0, &[3, 1]), (0, &[3, 0])),
        "axis 1 of the destination has 3 elements and stride 0, so they share one place; give it another stride: only \
         a source can be broadcast"
    );
    assert_eq!(
        copy(&[2, 3], (0, &[3, 1]), (0, &[2, 1])),
        "elements of the destination overlap: an axis of 2 elements has stride 2, and a step must pass over 3; give \
         strides of which each steps over all elements of the smaller ones"
    );
    assert_eq!(
        copy(&[2, 3], (0, &[-3, 1]), (0, &[3, 1])),
        "an element lies at offset -3 of the source; begin later: the offset of the first element is at least the sum \
         of all steps of negative strides"
    );
    assert_eq!(
        copy(&[2, 3], (2, &[3, 1]), (0, &[3, 1])),
        "the source has 12 bytes, and its last element ends at byte 16; give a longer slice or a smaller shape"
    );
    assert_eq!(
        copy(&[2, 3], (0, &[3, 1]), (1, &[3, 1])),
        "the destination has 12 bytes, and its last element ends at byte 14; give a longer slice or a smaller shape"
    );
    assert_eq!(copy(&[2, usize::MAX / 2], (0, &[0, 0]), (0, &[1, 2])), too_large("destination"));
    assert_eq!(
        copy(&[2; 33], (0, &[0; 33]), (0, &[1; 33])),
        "33 axes have several elements, and a copy takes 32 at most; merge axes that are adjacent in memory"
    );
    assert_eq!(destination, [9; 6]);
}

#[test]
fn wrong_elements() {
    assert_eq!(
        text(StridedCopy::of_bits(&[8], 3, (0, &[1]), (0, &[1]))),
        "elements of 3 bits are not 1, 2 or 4 bits long; give whole bytes to `of_bytes`"
    );
    let plan = StridedCopy::of::<f32>(&[2], (0, &[1]), (0, &[1])).unwrap();
    assert_eq!(
        text(plan.run(&[1u16; 4], &mut [0u16; 4])),
        "the slice has elements of 2 bytes, and the copy moves elements of 4; give slices of such elements, or of bytes"
    );
    // 14 axes of odd distances, which interleave.
    let strides: Vec<isize> = (0..14).map(|axis| 1000 + 17 * axis).collect();
    assert_eq!(
        text(StridedCopy::of::<u8>(&[3; 14], (0, &[0; 14]), (0, &strides))),
        "the strides of the destination interleave on 14 axes, too many to find out whether elements overlap; give strides \
         of which each steps over all elements of the smaller ones"
    );
}

/// Shapes without elements, without axes, and the largest offsets.
#[test]
fn corners() {
    strided::copy::<u8>(&[3, 0], (&[], 0, &[1, 1]), (&mut [], 0, &[0, 0])).unwrap();
    let mut one = [0u8];
    strided::copy(&[], (&[7], 0, &[]), (&mut one, 0, &[])).unwrap();
    assert_eq!(one, [7]);
    // An axis of one element may have any stride.
    strided::copy(&[1], (&[8], 0, &[isize::MIN]), (&mut one, 0, &[isize::MAX])).unwrap();
    assert_eq!(one, [8]);
    let far = strided::copy(&[2], (&[1, 2], 0, &[isize::MIN]), (&mut [0u8, 0], 0, &[1]));
    assert_eq!(
        text(far),
        "an element lies at offset -9223372036854775808 of the source; begin later: the offset of the first element \
         is at least the sum of all steps of negative strides"
    );
    let far = strided::copy(&[1], (&[1], usize::MAX, &[1]), (&mut [0u8], 0, &[1]));
    assert_eq!(text(far), too_large("source"));
}
