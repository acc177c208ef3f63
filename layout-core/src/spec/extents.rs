//! The order of the extents of a format, which is also the order of its coordinates.

use super::factor::Letters;

/// Families of letters, each in coordinate order: activations, where G is groups of channels; filters, with groups,
/// output and input channels; and the matrices of an M x K by K x N product.
const FAMILIES: &[&str] = &["NGCDHW", "GOIDHW", "MKN"];

/// The coordinate order of a format with these axes, if there is a conventional one: N C D H W for activations, G O I
/// D H W for filters, M K N for matrices, and oneDNN's a b c d ... in alphabetical order. A single axis has an order,
/// whatever its letter.
///
/// The order does not depend on memory: NCHW, NHWC and CHWN4 all take `[n, c, h, w]`.
#[doc(hidden)]
pub const fn coordinate_order(axes: Letters) -> Option<Letters> {
    if axes.count() == 1 {
        return Some(axes);
    }
    let mut i = 0;
    while i < FAMILIES.len() {
        if let Some(order) = picked_from(FAMILIES[i].as_bytes(), axes) {
            return Some(order);
        }
        i += 1;
    }
    picked_from(b"ABCDEFGHIJKL".split_at(axes.count()).0, axes)
}

/// `axes` in the order of `family`, or `None` if the family lacks one.
const fn picked_from(family: &[u8], axes: Letters) -> Option<Letters> {
    let mut order = Letters::EMPTY;
    let mut i = 0;
    while i < family.len() {
        if axes.position(family[i] as char).is_some() {
            order = order.with(family[i] as char);
        }
        i += 1;
    }
    if order.count() == axes.count() { Some(order) } else { None }
}

/// Whether a list without names can be read in one way only: the letter order is the coordinate order, or the letters
/// number the coordinates.
#[doc(hidden)]
pub const fn positions_allowed(letters: Letters, order: Letters) -> bool {
    let numbered = b"ABCDEFGHIJKL".split_at(order.count()).0;
    letters.same(order) || picked_from(numbered, order).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> Letters {
        text.chars().fold(Letters::EMPTY, Letters::with)
    }

    #[test]
    fn families_have_an_order_and_others_have_none() {
        for (axes, order) in [
            ("", ""),
            ("CHWN", "NCHW"),
            ("NDHWC", "NCDHW"),
            ("NGHWC", "NGCHW"),
            ("HWIO", "OIHW"),
            ("GHWIO", "GOIHW"),
            ("NK", "KN"),
            ("KM", "MK"),
            ("ACDB", "ABCD"),
            ("HGFEDCBA", "ABCDEFGH"),
            ("T", "T"),
        ] {
            assert_eq!(coordinate_order(letters(axes)), Some(letters(order)), "{axes}");
        }
        for axes in ["BSHD", "ABD", "KCRS", "MKNH", "TX"] {
            assert_eq!(coordinate_order(letters(axes)), None, "{axes}");
        }
    }
}
