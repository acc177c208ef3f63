//! All coordinates of a tensor.

/// All coordinates below `extents`, the last axis fastest. There are at most `usize::MAX`.
pub fn coordinates(extents: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count = if extents.contains(&0) { 0 } else { extents.iter().product() };
    (0..count).map(move |mut number: usize| {
        let mut coordinate = vec![0; extents.len()];
        for (index, extent) in coordinate.iter_mut().zip(extents).rev() {
            (*index, number) = (number % extent, number / extent);
        }
        coordinate
    })
}

/// [`coordinates`] as arrays.
pub fn coordinates_of_rank<const RANK: usize>(
    extents: [usize; RANK],
) -> impl Iterator<Item = [usize; RANK]> {
    let all: Vec<_> = coordinates(&extents).collect();
    all.into_iter().map(|coordinate| coordinate.try_into().expect("one index for each extent"))
}
