//! Cuts a tensor into bands that follow one another in its file, each the coordinates of a box.

use std::ops::Range;

use tensor_layout::Layout;

/// A digit of a tensor in its file.
#[derive(Clone, Copy, Debug)]
struct BandDigit {
    axis: usize,
    size: usize,
    stride: usize,
    weight: usize,
}

/// The bands of a tensor. Each step of the digits before the last, and `count` steps of the last, are one.
#[derive(Clone, Debug)]
pub(crate) struct Bands {
    digits: Vec<BandDigit>,
    /// The steps of the last digit in a band.
    count: usize,
    extents: Vec<usize>,
    /// The elements of the tensor in its file.
    length: usize,
}

/// The coordinates of a band, and its elements in the file. A range of coordinates may be empty where the elements are
/// padding.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Band {
    pub(crate) ranges: Vec<Range<usize>>,
    pub(crate) region: Range<usize>,
}

impl Bands {
    /// The bands of an array in C order, of which each takes at most `budget` by `cost`.
    pub(crate) fn of_array(
        extents: &[usize],
        budget: usize,
        cost: impl Fn(&Band) -> usize,
    ) -> Option<Self> {
        let mut stride = 1usize;
        let mut digits = Vec::new();
        for (axis, &size) in extents.iter().enumerate().rev() {
            digits.insert(0, BandDigit { axis, size, stride, weight: 1 });
            stride *= size;
        }
        Self::new(digits, extents.to_vec(), stride, budget, cost)
    }

    /// The bands of an array in C order of a multiple of `step` rows each, of which each takes at most `budget` by `cost`.
    pub(crate) fn of_rows(
        extents: &[usize],
        step: usize,
        budget: usize,
        cost: impl Fn(&Band) -> usize,
    ) -> Option<Self> {
        let (rows, length) = (*extents.first()?, extents.iter().product::<usize>());
        let stride = step * (length / rows.max(1));
        let digit = BandDigit { axis: 0, size: rows.div_ceil(step), stride, weight: step };
        Self::new(vec![digit], extents.to_vec(), length, budget, cost)
    }

    /// The bands of a layout, whose axes are those of `letters`, in their order.
    pub(crate) fn of_layout(
        layout: &Layout,
        letters: &str,
        budget: usize,
        cost: impl Fn(&Band) -> usize,
    ) -> Option<Self> {
        let own = layout.letters();
        let axis_of = |axis: usize| letters.chars().position(|letter| letter == own.at(axis));
        let mut extents = vec![0; letters.chars().count()];
        for axis in 0..layout.rank() {
            extents[axis_of(axis)?] = layout.extent(axis);
        }
        let mut digits = Vec::new();
        for digit in layout.digits().iter() {
            let (axis, stride) = (axis_of(digit.axis)?, usize::try_from(digit.stride).ok()?);
            digits.push(BandDigit { axis, size: digit.size, stride, weight: digit.weight });
        }
        let bands = Self::new(digits, extents, layout.len(), budget, cost)?;
        // Bands are places of coordinates: each band holds all elements of its box, and the library says where those lie.
        let joins = |band: Band| view_of(layout, letters, &band).is_some();
        (joins(bands.band(0)) && joins(bands.band(bands.len() - 1))).then_some(bands)
    }

    /// `None` if no cut takes as little as that.
    fn new(
        digits: Vec<BandDigit>,
        extents: Vec<usize>,
        length: usize,
        budget: usize,
        cost: impl Fn(&Band) -> usize,
    ) -> Option<Self> {
        let mut bands = Self { digits: Vec::new(), count: 1, extents, length };
        if cost(&bands.band(0)) <= budget || length == 0 {
            return Some(bands);
        }
        let mut room = length;
        for digit in &digits {
            // The coordinates of a step are a box if the digit is the slowest that is left of its axis.
            let is_slowest = !digits[bands.digits.len()..]
                .iter()
                .any(|other| other.axis == digit.axis && other.weight > digit.weight);
            // The last step may be shorter, as that of a pitch.
            let last = digit.size.saturating_sub(1).checked_mul(digit.stride)?;
            if !is_slowest || digit.stride == 0 || last >= room {
                return None;
            }
            bands.digits.push(*digit);
            bands.count = 1;
            if cost(&bands.band(0)) <= budget {
                // The most steps that fit: the cost grows with them.
                let (mut fits, mut above) = (1, digit.size + 1);
                while above - fits > 1 {
                    bands.count = fits + (above - fits) / 2;
                    match cost(&bands.band(0)) <= budget {
                        true => fits = bands.count,
                        false => above = bands.count,
                    }
                }
                bands.count = fits;
                return Some(bands);
            }
            room = digit.stride;
        }
        None
    }

    /// The number of bands.
    pub(crate) fn len(&self) -> usize {
        match self.digits.split_last() {
            None => 1,
            Some((last, before)) => {
                before.iter().map(|digit| digit.size).product::<usize>()
                    * last.size.div_ceil(self.count)
            }
        }
    }

    /// The band of this number.
    pub(crate) fn band(&self, mut number: usize) -> Band {
        let mut ranges: Vec<_> = self.extents.iter().map(|&extent| 0..extent).collect();
        let mut region = 0..self.length;
        let mut steps = Vec::new();
        for (i, digit) in self.digits.iter().enumerate().rev() {
            let count = if i + 1 == self.digits.len() { self.count } else { 1 };
            let of = digit.size.div_ceil(count).max(1);
            steps.push((digit, (number % of) * count, count));
            number /= of;
        }
        for (digit, step, count) in steps.into_iter().rev() {
            let range = &mut ranges[digit.axis];
            let start = range.start + step * digit.weight;
            *range = start.min(range.end)..(start + count * digit.weight).min(range.end);
            let start = region.start + step * digit.stride;
            // What follows the last step, such as padding of a pitch, belongs to its band.
            let is_last = step + count >= digit.size;
            region = start..if is_last { region.end } else { start + count * digit.stride };
        }
        Band { ranges, region }
    }
}

impl Band {
    /// The extents of the box.
    pub(crate) fn extents(&self) -> Vec<usize> {
        self.ranges.iter().map(ExactSizeIterator::len).collect()
    }

    /// The number of coordinates.
    pub(crate) fn numel(&self) -> usize {
        self.extents().iter().product()
    }
}

/// The elements of a band as a layout of its region. `None` if they do not lie there.
pub(crate) fn view_of(layout: &Layout, letters: &str, band: &Band) -> Option<Layout> {
    let mut view = *layout;
    for (letter, range) in letters.chars().zip(&band.ranges) {
        view = view.slice(letter, range.start, 1, range.len()).ok()?;
    }
    view.part(band.region.start, band.region.len()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each element of the file lies in one band, and each coordinate in that of its element.
    fn check(text: &str, letters: &str, budget: usize) -> usize {
        let layout: Layout = text.parse().unwrap();
        let bands = Bands::of_layout(&layout, letters, budget, |band| band.region.len()).unwrap();
        let mut end = 0;
        let mut numel = 0;
        for number in 0..bands.len() {
            let band = bands.band(number);
            assert_eq!(band.region.start, end, "{text}");
            assert!(band.region.len() <= budget, "{text}");
            end = band.region.end;
            numel += band.numel();
            let view = view_of(&layout, letters, &band).unwrap();
            let mut coordinate: Vec<usize> = band.ranges.iter().map(|range| range.start).collect();
            if band.numel() > 0 {
                assert_eq!(
                    layout.offset(&coordinate),
                    view.offset(&vec![0; coordinate.len()]) + band.region.start
                );
                coordinate = band.ranges.iter().map(|range| range.end - 1).collect();
                assert!(band.region.contains(&layout.offset(&coordinate)), "{text}");
            }
        }
        assert_eq!((end, numel), (layout.len(), layout.numel()), "{text}");
        bands.len()
    }

    #[test]
    fn bands_join() {
        assert_eq!(check("MK<5, 7>, f32", "MK", 14), 3);
        assert_eq!(check("MK<5, 7>, f32", "MK", 3), 15);
        assert_eq!(check("MK4m<7, 6>, f32, pad", "MK", 24), 2);
        assert_eq!(check("MK4m<7, 6>, f32, pad", "MK", 8), 6);
        assert_eq!(check("OIHW4i16o4i<32, 16, 3, 3>, f32", "OIHW", 600), 12);
        assert_eq!(check("OIHW4i16o4i<20, 8, 1, 3>, i8, pad", "OIHW", 64), 24);
        assert_eq!(check("MK<5, 7>, i8, pitch(M = 16)", "MK", 40), 3);
        assert_eq!(check("M<9>, i8", "M", 1), 9);
    }

    #[test]
    fn bands_are_as_long_as_they_may() {
        // Part of the cost is that of any band.
        let bands = Bands::of_array(&[3, 1000], 150, |band| 100 + band.region.len()).unwrap();
        assert_eq!((bands.len(), bands.band(1).region), (60, 50..100));
    }

    #[test]
    fn some_layouts_have_no_bands() {
        let layout: Layout = "MK<8, 8>, f16, swizzle(3, 0, 3)".parse().unwrap();
        let bands = Bands::of_layout(&layout, "MK", 4, |band| band.region.len());
        assert!(bands.is_none());
    }
}
