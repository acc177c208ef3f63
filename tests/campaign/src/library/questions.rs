//! Questions about a layout whose answers are not in a table: each is answered or refused, without a panic
//! and soon, and the answers that there are follow their laws at the ends of the coordinates.

use layout_access::{Access, Banks, Segments, coalescing, conflicts, padding, swizzle};
use layout_core::ElementType::{F32, Plain, U1, U4, U8};
use layout_core::{Format, Layout, MemoryOrder, Swizzle, algebra};

/// Asks everything.
///
/// # Errors
/// An answer that breaks its law.
pub fn questions(layout: &Layout) -> Result<(), String> {
    // Eight axes leave some of these letters.
    let free: Vec<char> = ('K'..='Z').filter(|own| !has(layout, *own)).collect();
    inverses(layout, free[0])?;
    products(layout, free[0])?;
    views(layout, free[0])?;
    accesses(layout);
    recasts(layout, free[0])?;
    places(layout)?;
    built(layout);
    super::chips::chips(layout)?;
    for format in ["NCHW", "NHWC", "NC4c", "ABCD", "DCBA", "AB7b"] {
        let _ =
            (layout.matches(format), layout.in_format(format).map(|other| layout.same_map(&other)));
    }
    let formats = layout.formats().take(9).filter(|format| !layout.matches(format)).count();
    if formats > 0 {
        return Err(format!("{layout} lists a format that it does not match"));
    }
    let mut order = MemoryOrder::new(*layout);
    for _ in 0..3 {
        // More coordinates than numbers are counted by nobody. Between two may lie the padding of a whole storage.
        if layout.len() < 1 << 20 && order.cursor.left() > 0 && count(layout).is_some() {
            let run = order.run();
            order.skip(&run);
        }
    }
    #[cfg(feature = "texts")]
    super::texts::texts(layout);
    Ok(())
}

/// The same storage with elements of another size.
fn recasts(layout: &Layout, letter: char) -> Result<(), String> {
    for element in
        [U1, U4, U8, F32, Plain { bytes: 3, align: 1 }, Plain { bytes: 1 << 20, align: 1 }]
    {
        let own = (0..layout.rank()).map(|axis| layout.letters().at(axis));
        for axis in own.chain([letter]) {
            let Ok(recast) = layout.recast(element, axis) else { continue };
            let _ = (
                recast.is_unique(),
                recast.is_exhaustive(),
                recast.is_contiguous(),
                recast.strides(),
            );
            let range = recast.range();
            if range.end > recast.len() || recast.bytes() > layout.bytes() {
                return Err(format!("{layout} as {recast}: {range:?}"));
            }
        }
    }
    Ok(())
}

/// Coordinates of offsets, and offsets of no coordinates.
fn places(layout: &Layout) -> Result<(), String> {
    let range = layout.range();
    let ends = [
        range.start,
        range.end.wrapping_sub(1),
        range.end,
        layout.len(),
        usize::MAX >> 1,
        usize::MAX,
    ];
    for offset in ends.into_iter().chain(some(layout.len())) {
        if let Some(found) = layout.coordinate(offset)
            && layout.checked_offset(&found) != Ok(offset)
        {
            return Err(format!("{layout}: {offset} is not of {found:?}"));
        }
    }
    let largest = vec![usize::MAX; layout.rank()];
    if layout.rank() > 0 && layout.checked_offset(&largest).is_ok() {
        return Err(format!("{layout} has a coordinate {largest:?}"));
    }
    for axis in 0..layout.rank() {
        for size in [1, 2, 1 << 20, usize::MAX >> 1, usize::MAX] {
            let _ = layout.different_cuts(axis, size);
        }
    }
    match Layout::parse(&layout.to_string()) {
        Ok(read) if read != *layout => Err(format!("{layout} is read as {read}")),
        _ => Ok(()),
    }
}

/// Layouts of the same extents with options of any size.
fn built(layout: &Layout) {
    let (element, rank) = (layout.element(), layout.rank());
    let axes: Vec<(char, usize)> =
        (0..rank).map(|axis| (layout.letters().at(axis), layout.extents()[axis])).collect();
    let name: String = axes.iter().map(|axis| axis.0).collect();
    let Ok(format) = Format::parse(&name) else { return };
    let plain = Layout::builder(format, element);
    let all: Vec<char> = axes.iter().map(|axis| axis.0).collect();
    for number in [1, 3, 128, 1 << 20, usize::MAX >> 1, (usize::MAX >> 1) + 1, usize::MAX] {
        let signed = number as isize;
        let mut options = vec![
            plain.strides(&vec![signed; rank]),
            plain.byte_strides(&vec![signed; rank]),
            plain.over_lanes(number),
            plain.swizzle_phases(number, 1, 8),
            plain.swizzle_phases(1, number, 8),
            plain.swizzle_phases(8, 2, number),
            plain.pad(number as u64),
        ];
        for &axis in &all {
            options.push(plain.align(axis, number));
            options.push(plain.lanes(axis, number, number - 1));
            options.push(plain.lanes(axis, 3, 1).align_lanes(number));
        }
        for built in options.iter().filter_map(|option| option.named_extents(&axes).ok()) {
            let _ =
                (built.is_unique(), built.range(), built.to_string(), built.bytes(), built.align());
        }
    }
    for swizzle in [Swizzle::B128, Swizzle::B32] {
        let _ = plain.swizzle_bytes(swizzle).named_extents(&axes);
    }
    if let Some(strides) = layout.strides() {
        let _ = Layout::from_strides(&name, layout.extents(), &strides, element);
    }
}

fn has(layout: &Layout, letter: char) -> bool {
    layout.letters().position(letter).is_some()
}

/// The coordinate that `number` others come before, the last axis fastest.
fn coordinate(layout: &Layout, mut number: usize) -> Vec<usize> {
    let mut coordinate = layout.extents().to_vec();
    for index in coordinate.iter_mut().rev() {
        (*index, number) = (number % *index, number / *index);
    }
    coordinate
}

/// How many coordinates there are, if a number can say it.
fn count(layout: &Layout) -> Option<usize> {
    layout.extents().iter().try_fold(1usize, |count, extent| count.checked_mul(*extent))
}

/// Some numbers below `count`: the ends and a few between.
fn some(count: usize) -> Vec<usize> {
    let mut all =
        vec![0, 1, 2, 3, count / 3, count / 2, count.wrapping_sub(2), count.wrapping_sub(1)];
    all.retain(|number| *number < count);
    all
}

fn inverses(layout: &Layout, letter: char) -> Result<(), String> {
    let own = count(layout).filter(|count| *count > 0);
    if let (Ok(inverse), Some(own)) = (algebra::right_inverse(layout, letter), own) {
        for i in some(inverse.numel()) {
            let number = inverse.checked_offset(&[i]).map_err(|error| error.to_string())?;
            let offset = (number < own).then(|| layout.offset(&coordinate(layout, number)));
            if offset != Some(i) {
                return Err(format!("right inverse {inverse}: {i} is {number}, of {offset:?}"));
            }
        }
    }
    if let (Ok(inverse), Some(own)) = (algebra::left_inverse(layout, letter), own) {
        for number in some(own) {
            let offset = layout.offset(&coordinate(layout, number));
            if inverse.checked_offset(&[offset]) != Ok(number) {
                return Err(format!("left inverse {inverse}: {offset} is not {number}"));
            }
        }
    }
    if let (Ok(all), Some(own)) = (algebra::coalesce(layout, letter), own) {
        for number in some(own) {
            if all.checked_offset(&[number]) != Ok(layout.offset(&coordinate(layout, number))) {
                return Err(format!("coalesced {all}: {number} is elsewhere"));
            }
        }
    }
    Ok(())
}

fn products(layout: &Layout, letter: char) -> Result<(), String> {
    let name: String = letter.into();
    let element = layout.element();
    for (extent, stride) in [(3, 1), (2, 5), (0, 1), (usize::MAX, 1), (1 << 20, isize::MAX)] {
        let Ok(other) = Layout::from_strides(&name, &[extent], &[stride], element) else {
            continue;
        };
        for product in [algebra::product(layout, &other), algebra::blocked_product(layout, &other)]
            .into_iter()
            .flatten()
        {
            let first = vec![0; product.rank()];
            if product.numel() > 0
                && product.offset(&first) != layout.offset(&first[..layout.rank()])
            {
                return Err(format!("product {product} begins elsewhere than {layout}"));
            }
        }
        let _ = (
            algebra::raked_product(layout, &other),
            algebra::product(&other, layout),
            algebra::raked_product(&other, layout),
        );
        let _ = (
            algebra::divide(layout, &other, 'Z'),
            algebra::compose(layout, &other),
            algebra::compose(&other, layout),
        );
        for axis in 0..layout.rank() {
            let _ = algebra::divide_axes(layout, &[(layout.letters().at(axis), &other, 'Z')]);
        }
    }
    for count in [0, 1, 6, usize::MAX >> 23, usize::MAX] {
        let _ = algebra::complement(layout, count, letter);
    }
    Ok(())
}

fn views(layout: &Layout, letter: char) -> Result<(), String> {
    for (start, length) in
        [(0, layout.len()), (1, usize::MAX), (usize::MAX, 0), (64, usize::MAX >> 23)]
    {
        let Ok(within) = layout.within(start, length) else { continue };
        let first = vec![0; layout.rank()];
        if layout.numel() > 0 && within.offset(&first) != layout.offset(&first) + start {
            return Err(format!("{within} does not begin {start} after {layout}"));
        }
    }
    for axis in 0..layout.rank() {
        let own = layout.letters().at(axis);
        for (size, step) in
            [(1, 1), (3, 1), (2, usize::MAX), (usize::MAX, 1), (5, usize::MAX >> 23)]
        {
            if let Ok(windows) = layout.windows(own, size, step, letter) {
                let _ = (windows.is_unique(), windows.is_exhaustive(), windows.range());
            }
        }
        let _ = (layout.rename(own, letter), layout.different_cuts(axis, 3));
    }
    Ok(())
}

/// Accesses of the layout's axes and of any addresses.
fn accesses(layout: &Layout) {
    let mut all = Vec::new();
    for axis in 0..layout.rank() {
        let lanes: String = layout.letters().at(axis).into();
        all.extend(Access::checked_of(layout, &lanes));
    }
    let origin = vec![0; layout.rank()];
    if let Ok(fragment) = layout.over_lanes(32) {
        all.extend(Access::checked_of_fragment(layout, &origin, &fragment, 0..2));
    }
    let starts = [0, 1, layout.len(), usize::MAX - 7, usize::MAX];
    for bytes in [1, 3, 16, 1 << 20, usize::MAX] {
        all.extend(Access::checked_at(&starts, bytes));
    }
    for access in all.into_iter().flat_map(|access| [access, access.based(usize::MAX - 3)]) {
        for banks in [Banks::NVIDIA, Banks { count: 3, width: 1, phase_bytes: usize::MAX }] {
            let _ = conflicts(&access, &banks).to_string();
            for row in [1, 128, usize::MAX] {
                let _ = padding(&[access], row, &banks);
            }
            let _ = swizzle(&[access], &banks);
        }
        for memory in [Segments::NVIDIA, Segments { sector: 1, line: usize::MAX }] {
            let _ = coalescing(&access, &memory).to_string();
        }
    }
}
