//! Where a format puts an element, worked out factor by factor from its text.

/// One index for each of the axes N, C, H, W.
pub(crate) type Coordinate = [usize; 4];

/// The offset of `coordinate` in a tensor of these extents in a format of the axes N, C, H, W,
/// such as `NCHW4c`. With the extents as the coordinate: the length of the tensor.
pub(crate) fn offset(format: &str, extents: Coordinate, coordinate: Coordinate) -> usize {
    let text = format.as_bytes();
    let is_length = coordinate == extents;
    // What is left of each axis when the factors to the right have had their part.
    let (mut left, mut extent) = (coordinate, extents);
    let (mut offset, mut stride) = (0, 1);
    let mut end = text.len();
    while end > 0 {
        let axis = match text[end - 1].to_ascii_uppercase() {
            b'N' => 0,
            b'C' => 1,
            b'H' => 2,
            b'W' => 3,
            other => panic!("axis {other}"),
        };
        end -= 1;
        let (mut block, mut ten) = (0, 1);
        while end > 0 && text[end - 1].is_ascii_digit() {
            block += usize::from(text[end - 1] - b'0') * ten;
            ten *= 10;
            end -= 1;
        }
        let size = if block > 0 { block } else { extent[axis] };
        offset += left[axis] % size * stride;
        stride *= size;
        left[axis] /= size;
        extent[axis] = extent[axis].div_ceil(size);
    }
    if is_length { stride } else { offset }
}

/// Every coordinate of a tensor.
pub(crate) fn coordinates([n, c, h, w]: Coordinate) -> impl Iterator<Item = Coordinate> {
    (0..n * c * h * w).map(move |i| [i / (c * h * w), i / (h * w) % c, i / w % h, i % w])
}
