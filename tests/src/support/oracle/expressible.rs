//! Whether there is a layout with given offsets, by trying all ways to cut each axis into digits.

use std::collections::HashMap;

/// Whether axes of these extents can have these offsets, which are in coordinate order, the last
/// axis fastest: digits of each axis, each a stride. Coordinates may share an offset where all that
/// is different is digits of stride 0. An axis may begin inside a block if `windows` says so.
pub(crate) fn is_a_layout(extents: &[usize], offsets: &[usize], windows: bool) -> bool {
    if offsets.is_empty() {
        return true;
    }
    let index = |coordinate: &[usize]| {
        coordinate.iter().zip(extents).fold(0, |index, (i, extent)| index * extent + i)
    };
    let coordinate = |index: usize| {
        let mut left = index;
        let mut all: Vec<usize> = extents
            .iter()
            .rev()
            .map(|extent| {
                let i = left % extent;
                left /= extent;
                i
            })
            .collect();
        all.reverse();
        all
    };
    // The axis on its own.
    let place = |axis: usize, i: usize| {
        let mut at = vec![0; extents.len()];
        at[axis] = i;
        offsets[index(&at)] as isize - offsets[0] as isize
    };
    let sum = |at: &[usize]| -> isize { at.iter().enumerate().map(|(k, &i)| place(k, i)).sum() };
    let adds_up = |i: usize| offsets[i] as isize - offsets[0] as isize == sum(&coordinate(i));
    if !(0..offsets.len()).all(adds_up) {
        return false;
    }
    let mut at_offset: HashMap<usize, Vec<Vec<usize>>> = HashMap::new();
    for (i, &offset) in offsets.iter().enumerate() {
        at_offset.entry(offset).or_default().push(coordinate(i));
    }
    (0..extents.len()).all(|axis| {
        let places: Vec<isize> = (0..extents[axis]).map(|i| place(axis, i)).collect();
        // Sharing goes from each to all others, so the first stands for them all.
        let shared: Vec<(usize, usize)> = at_offset
            .values()
            .flat_map(|all| all.iter().map(|other| (all[0][axis], other[axis])))
            .filter(|(a, b)| a != b)
            .collect();
        // Two boundaries of one weight in the window, or one and the window on either side.
        let shifts = if windows { 2 * places.len() } else { 1 };
        (0..shifts).any(|shift| has_digits(&places, &shared, shift, &mut vec![1]))
    })
}

/// Whether the offsets are those of digits with these weights and slower ones, if the first coordinate is at position
/// `shift`.
fn has_digits(
    places: &[isize],
    shared: &[(usize, usize)],
    shift: usize,
    weights: &mut Vec<usize>,
) -> bool {
    let weight = weights[weights.len() - 1];
    let positions = || (shift + 1..shift + places.len()).filter(|p| p % weight == 0);
    let step = |position: usize| places[position - shift] - places[position - shift - 1];
    let even = |mut steps: Box<dyn Iterator<Item = isize> + '_>| match steps.next() {
        Some(first) => steps.all(|step| step == first),
        None => false,
    };
    if even(Box::new(positions().map(step))) || places.len() == 1 {
        return shares_by_stride_0(places, shared, shift, weights);
    }
    (2..=(shift + places.len()) / weight).any(|size| {
        let next = weight * size;
        let faster = positions().filter(|p| p % next != 0).map(step);
        if !even(Box::new(faster)) {
            return false;
        }
        weights.push(next);
        let found = has_digits(places, shared, shift, weights);
        weights.pop();
        found
    })
}

/// Whether coordinates that share an offset differ in digits of stride 0 only.
fn shares_by_stride_0(
    places: &[isize],
    shared: &[(usize, usize)],
    shift: usize,
    weights: &[usize],
) -> bool {
    let digit = |position: usize, i: usize| match weights.get(i + 1) {
        Some(next) => position % next / weights[i],
        None => position / weights[i],
    };
    let mut strides: Vec<isize> = Vec::new();
    for (i, &weight) in weights.iter().enumerate() {
        let level =
            |p: usize| p % weight == 0 && weights.get(i + 1).is_none_or(|next| p % next > 0);
        let Some(position) = (shift + 1..shift + places.len()).find(|&p| level(p)) else {
            return places.len() == 1;
        };
        // What the faster digits fall back by.
        let back: isize =
            (0..i).map(|k| strides[k] * (weights[k + 1] / weights[k] - 1) as isize).sum();
        strides.push(places[position - shift] - places[position - shift - 1] + back);
    }
    shared.iter().all(|&(a, b)| {
        (0..strides.len()).all(|i| strides[i] == 0 || digit(shift + a, i) == digit(shift + b, i))
    })
}
