//! The order in which the extents of a format are written, and its coordinates with them.

use super::factor::Letters;

/// Families of letters, each in coordinate order: activations, where G stands for groups of
/// channels; filters, with groups, output and input channels; and the matrices of M x K by K x N.
const FAMILIES: &[&str] = &["NGCDHW", "GOIDHW", "MKN"];

/// The coordinate order of a format with these axes, if it is known: N C D H W for activations,
/// G O I D H W for filters, M K N for matrices, and oneDNN's a b c d ... by the alphabet. One axis alone
/// has an order, whatever it is called.
///
/// The order says nothing about memory: NCHW, NHWC and CHWN4 all take `[n, c, h, w]`.
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

/// `axes` in the order in which `family` has them, if it has them all.
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
