//! Layouts keep nothing of what their digits left.

use super::Layout;
use crate::spec::ElementType;

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Layout>() <= 400);
const _: () = assert!(size_of::<Option<Layout>>() == size_of::<Layout>());

/// The layout, made anew from its list of digits.
fn rebuilt(layout: &Layout) -> Layout {
    let mut new = Layout::blank(layout.element(), layout.letters());
    for (axis, &extent) in layout.extents().iter().enumerate() {
        new.set_extent(axis, extent);
    }
    new.buffer = layout.buffer;
    new.set_digits(&layout.digits().list, layout.digit_count());
    new
}

/// Two neighboring axes with `blocks`, which change places, become shorter, and leave.
fn check(text: &str) -> usize {
    let (layout, mut checked): (Layout, _) = (text.parse().unwrap(), 0);
    let letters = layout.letters();
    for axis in 0..layout.rank() {
        let (letter, extent) = (letters.at(axis), layout.extent(axis));
        let views = [
            Ok(layout),
            layout.index(letter, extent - 1),
            layout.flip(letter),
            layout.slice(letter, 0, 1, extent - 1),
            layout.slice(letter, extent - 1, -1, 2),
            layout.slice(letter, 1, 1, 1),
            layout.slice(letter, 0, 2, extent.div_ceil(2)),
            layout.tile(letter, &[('X', 2), ('Y', extent / 2)]),
            layout.merge(letters.as_str(), 'Z'),
            layout.unsqueeze('X', axis),
            layout.diagonal(letters.as_str().chars().next().unwrap(), letter, 'D'),
            layout.rename(letter, 'X'),
        ];
        for view in views.into_iter().flatten() {
            assert_eq!(rebuilt(&view), view, "{view:?} of {text}");
            let order: std::string::String = view.letters().as_str().chars().rev().collect();
            let turned = view.permute(&order).unwrap();
            assert_eq!(rebuilt(&turned), turned, "{turned:?} of {text}");
            assert!(rebuilt(&turned).permute(view.letters().as_str()) == Ok(view_of(&view)));
            checked += 1;
        }
    }
    checked
}

fn view_of(layout: &Layout) -> Layout {
    let mut view = *layout;
    view.buffer.become_view();
    view
}

#[test]
fn what_digits_leave_is_zero() {
    let texts = [
        "NCHW<N = 2, C = 4, H = 6, W = 4>, u8",
        "NCHW4c<N = 2, C = 8, H = 6, W = 4>, u8",
        "CNHW2h4c2h<N = 2, C = 10, H = 6, W = 4>, i8, pad",
        "OIHW4i2o4i<O = 4, I = 32, H = 4, W = 2>, i8",
        "BA2b3a2a<A = 12, B = 6>, f32",
        "AB2b<A = 4, B = 4>, u4, broadcast(A)",
    ];
    let checked: usize = texts.into_iter().map(check).sum();
    assert!(checked > 150, "{checked}");
}

/// An alignment to one byte changes nothing, but such a layout is not one of axes and blocks alone.
#[test]
fn layouts_without_options_are_placed_as_all_others() {
    const HUGE: usize = 1 << 31;
    let formats = ["A", "AB", "BA", "AB2b", "B2aA2b", "AB2b1a3b2a", "CBA2b2c", "2aA3b2aBC"];
    let mut placed = 0;
    for format in formats {
        let rank = format.chars().filter(char::is_ascii_uppercase).count();
        for kind in 0..5usize.pow(rank as u32) {
            let extent = |axis| [0, 1, 12, 24, HUGE * 12][kind / 5usize.pow(axis as u32) % 5];
            let extents: std::vec::Vec<usize> = (0..rank).map(extent).collect();
            for fill in [None, Some(0)] {
                let mut plain = Layout::builder(format, ElementType::U8);
                let mut other = Layout::builder(format, ElementType::U8).align('A', 1);
                if let Some(fill) = fill {
                    (plain, other) = (plain.pad(fill), other.pad(fill));
                }
                let (plain, other) = (plain.extents(&extents), other.extents(&extents));
                assert_eq!(plain, other, "{format} of {extents:?}");
                placed += plain.is_ok() as usize;
            }
        }
    }
    assert!(placed > 500, "{placed}");
}
