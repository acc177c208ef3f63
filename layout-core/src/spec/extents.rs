//! The order of the extents of a format, and which lists of extents say what they mean.
//!
//! A format has two orders of its axes. The *letter order* is that of its letters, slowest first: NumPy, OpenCV,
//! TensorFlow and JAX list a shape so. The *coordinate order* is that of the index of an element. PyTorch, oneDNN and
//! cuDNN list extents so, whatever the format. A list without names means the same in both only if the two are equal.

use super::check::Spec;
use super::error::LayoutError;
use super::factor::Letters;
use super::rules::Rule;
use super::text::{ListText, Name};

/// Families of letters, each in coordinate order: activations, where G is groups of channels; filters, with groups,
/// output and input channels; and the matrices of an M x K by K x N product.
const FAMILIES: &[&str] = &["NGCDHW", "GOIDHW", "MKN"];

/// oneDNN's letters, which number the extents.
const NUMBERED: &[u8] = b"ABCDEFGHIJKL";

/// The coordinate order of a format with these letters, slowest first, unless the layout says another one: N C D H W
/// for activations, G O I D H W for filters, M K N for matrices, alphabetical order for oneDNN's a b c d ..., and the
/// order of the letters for all others.
#[doc(hidden)]
pub const fn coordinate_order(letters: Letters) -> Letters {
    each!(i, 0..FAMILIES.len(), {
        if let Some(order) = picked_from(FAMILIES[i].as_bytes(), letters) {
            return order;
        }
    });
    match picked_from(NUMBERED.split_at(letters.count()).0, letters) {
        Some(order) => order,
        None => letters,
    }
}

/// `axes` in the order of `family`, or `None` if the family lacks one.
const fn picked_from(family: &[u8], axes: Letters) -> Option<Letters> {
    let mut order = Letters::EMPTY;
    each!(i, 0..family.len(), {
        if axes.position(family[i] as char).is_some() {
            order = order.with(family[i] as char);
        }
    });
    if order.count() == axes.count() { Some(order) } else { None }
}

/// Whether a list without names can be read in one way only: the letter order is the coordinate order, or the letters
/// number the coordinates.
#[doc(hidden)]
pub const fn positions_allowed(letters: Letters, order: Letters) -> bool {
    letters.same(order) || are_numbers(order)
}

/// Whether the letters are oneDNN's a b c d ... in this order.
const fn are_numbers(order: Letters) -> bool {
    match picked_from(NUMBERED.split_at(order.count()).0, order) {
        Some(numbers) => numbers.same(order),
        None => false,
    }
}

/// The axes of unknown extent in letter order and in coordinate order, if these differ. A list of their extents without
/// names could be read in both.
#[doc(hidden)]
pub const fn unknown_in_two_orders(spec: &Spec<'_>) -> Option<(Letters, Letters)> {
    let (mut letters, mut order) = (Letters::EMPTY, Letters::EMPTY);
    each!(i, 0..spec.axes.len(), {
        if spec.axes[i].extent.value().is_none() {
            order = order.with(spec.axes[i].letter);
        }
    });
    each!(i, 0..spec.factors.len(), {
        match spec.factors[i].letter() {
            Some(letter)
                if spec.factors[i].is_rest_of(letter) && order.position(letter).is_some() =>
            {
                letters = letters.with(letter);
            }
            _ => {}
        }
    });
    if letters.same(order) || are_numbers(spec.letters()) { None } else { Some((letters, order)) }
}

/// A value of a list with one value for each axis, by its form alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    /// `H = 4`
    Named(char),
    /// A word that is the letter of an axis: `H`.
    Bare(char),
    /// `_`, a literal, a path, an expression.
    Other,
}

/// What is wrong with a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misread {
    /// Only some values have names; this one has none.
    Mixed(usize),
    /// The value names an axis that a value before it names.
    Repeated(usize, char),
    /// No value names this axis.
    Missing(char),
    /// There is not one value for each axis.
    Count,
    /// The value is the letter of an axis other than the one of its position.
    Place(usize, char, char),
    /// The list could be read in two orders. These are the two.
    TwoOrders(Letters, Letters),
}

/// The axis of each value of a list, for a format of these letters, slowest first, and this coordinate order.
pub(crate) const fn axes_of_list(
    letters: Letters,
    order: Letters,
    list: &[Argument],
) -> Result<Letters, Misread> {
    let (mut named, mut bare) = (false, list.len() == order.count());
    each!(i, 0..list.len(), {
        named |= matches!(list[i], Argument::Named(_));
        bare &= matches!(list[i], Argument::Bare(_));
    });
    if named {
        return by_name(order, list);
    }
    let positional = positions_allowed(letters, order);
    if bare && list.len() > 1 {
        match by_name(order, list) {
            Ok(names) if positional && !names.same(order) => {
                return Err(Misread::TwoOrders(names, order));
            }
            Ok(names) => return Ok(names),
            Err(_) => {}
        }
    }
    if list.len() != order.count() {
        return Err(Misread::Count);
    }
    if !positional {
        return Err(Misread::TwoOrders(letters, order));
    }
    each!(i, 0..list.len(), {
        match list[i] {
            Argument::Bare(letter) if letter as u32 != order.at(i) as u32 => {
                return Err(Misread::Place(i, letter, order.at(i)));
            }
            _ => {}
        }
    });
    Ok(order)
}

/// The axes that the values name, each once.
const fn by_name(order: Letters, list: &[Argument]) -> Result<Letters, Misread> {
    let mut names = Letters::EMPTY;
    each!(i, 0..list.len(), {
        let (Argument::Named(letter) | Argument::Bare(letter)) = list[i] else {
            return Err(Misread::Mixed(i));
        };
        if names.position(letter).is_some() {
            return Err(Misread::Repeated(i, letter));
        }
        if names.count() == order.count() {
            return Err(Misread::Count);
        }
        names = names.with(letter);
    });
    each!(i, 0..order.count(), {
        if names.position(order.at(i)).is_none() {
            return Err(Misread::Missing(order.at(i)));
        }
    });
    Ok(names)
}

impl Misread {
    /// The error of a list of `given` values, for axes with these letters and this coordinate order: of the extents of
    /// a format, or of strides. `list` has their texts.
    pub(crate) const fn error(
        self,
        format: Option<Name>,
        (letters, axes): (Letters, Letters),
        given: usize,
        list: Listed,
    ) -> LayoutError {
        let named = !positions_allowed(letters, axes);
        LayoutError(match (self, format) {
            (Self::Repeated(_, letter), _) => Rule::RepeatedName { letter },
            (Self::Place(_, letter, place), _) => Rule::ExtentPlace { letter, place },
            (Self::Mixed(_), Some(_)) => Rule::MixedNames { what: "extents", named },
            (Self::Mixed(_), None) => Rule::MixedNames { what: "strides", named },
            (Self::Missing(letter), Some(_)) => Rule::MissingNumber { what: "extent", letter },
            (Self::Missing(letter), None) => Rule::MissingNumber { what: "stride", letter },
            (Self::Count, Some(format)) if named => Rule::NamedExtentCount { format, axes, given },
            (Self::Count, Some(format)) => Rule::ExtentCount { format, axes, given },
            (Self::Count, None) if named => Rule::NamedStrideCount { axes, given },
            (Self::Count, None) => Rule::StrideCount { axes, given },
            (Self::TwoOrders(first, second), Some(_)) => {
                Rule::ExtentOrder { list: list.text, first, second }
            }
            (Self::TwoOrders(first, second), None) => {
                Rule::StrideOrder { list: list.text, first, second }
            }
        })
    }
}

/// The most bytes of a value that an error repeats.
const LONGEST_VALUE: usize = 24;

/// A format and the values of a list as an error repeats them, separated by commas.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    text: ListText,
}

impl Listed {
    /// The values of a format, or of none.
    pub(crate) const fn of(format: &str) -> Self {
        Self { text: ListText::new(format) }
    }

    /// Adds a value. One that has a comma itself is left out, and so is a long one.
    pub(crate) const fn push(&mut self, value: &str) {
        self.text.push(",");
        let bytes = value.as_bytes();
        let mut i = 0;
        while i < bytes.len() && bytes[i] != b',' {
            i += 1;
        }
        let is_left_out = i < bytes.len() || i == 0 || bytes.len() > LONGEST_VALUE;
        self.text.push(if is_left_out { ".." } else { value });
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::{String, ToString};
    use std::vec::Vec;

    use super::super::format::Format;
    use super::super::rule_values::value_of;
    use super::*;

    fn letters(text: &str) -> Letters {
        text.chars().fold(Letters::EMPTY, Letters::with)
    }

    #[test]
    fn families_have_an_order_and_others_have_that_of_their_letters() {
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
            ("BSHD", "BSHD"),
            ("ABD", "ABD"),
            ("KCRS", "KCRS"),
            ("MKNH", "MKNH"),
            ("TX", "TX"),
        ] {
            assert_eq!(coordinate_order(letters(axes)), letters(order), "{axes}");
        }
    }

    #[test]
    fn positions_are_allowed_where_both_orders_are_one() {
        let of = |format: &str| {
            let axes = Format::parse(format).unwrap().axes();
            positions_allowed(axes, coordinate_order(axes))
        };
        let positional =
            "SCALAR T NCHW NCHW4 NCHW16c nChw16c OIHW4i16o4i GOIHW MK BSHD acdb BA16a64b";
        assert!(positional.split(' ').all(of) && of("RC32r4r/32 4c"));
        let named = "NHWC HWC CHWN4 HWIO KM NK CN WH NHWC4c MNK NHWCD4";
        assert!(!named.split(' ').any(of));
        // With another coordinate order.
        assert!(positions_allowed(letters("HWC"), letters("HWC")));
        assert!(!positions_allowed(letters("NCHW"), letters("NHWC")));
        assert!(!positions_allowed(letters("ABC"), letters("BAC")));
    }

    /// The extents as names, or the error.
    fn read(format: &str, list: &str) -> Result<String, String> {
        let axes = Format::parse(format).unwrap().axes();
        let order = coordinate_order(axes);
        let mut listed = Listed::of(format);
        let arguments = list.split("; ").map(|text| {
            let (name, value) = text.split_once(" = ").map_or((None, text), |(a, b)| (Some(a), b));
            listed.push(value);
            let first = |text: &str| text.chars().next().unwrap().to_ascii_uppercase();
            match name {
                Some(name) => Argument::Named(first(name)),
                None if text.len() == 1 && axes.position(first(text)).is_some() => {
                    Argument::Bare(first(text))
                }
                None => Argument::Other,
            }
        });
        let arguments: Vec<_> = arguments.collect();
        match axes_of_list(axes, order, &arguments) {
            Ok(names) => Ok((0..names.count())
                .map(|i| format!("{}={}", names.at(i), value_of(&listed.text, i + 1)))
                .collect::<Vec<_>>()
                .join(" ")),
            Err(misread) => {
                let name = Name::new(format);
                let error = misread.error(Some(name), (axes, order), arguments.len(), listed);
                Err(format!("{error:#}"))
            }
        }
    }

    #[test]
    fn lists_are_read_by_the_form_of_their_values() {
        for (format, list, expected) in [
            ("NCHW", "2; 64; 3; 3", "N=2 C=64 H=3 W=3"),
            ("NHWC", "N = 1; C = 3; H = 2; W = 5", "N=1 C=3 H=2 W=5"),
            ("NHWC", "W = 5; N; C; H = 2", "W=5 N=N C=C H=2"),
            ("NHWC", "N; H; W; C", "N=N H=H W=W C=C"),
            ("NCHW", "N; C; H; W", "N=N C=C H=H W=W"),
            ("NCHW", "1; C; h; W", "N=1 C=C H=h W=W"),
            ("T", "T", "T=T"),
            ("BSHD", "1; 2; 3; 4", "B=1 S=2 H=3 D=4"),
            ("acdb", "1; 2; 3; 4", "A=1 B=2 C=3 D=4"),
        ] {
            assert_eq!(read(format, list), Ok(expected.to_string()), "{format}<{list}>");
        }
        let two = |format: &str, first: &str, second: &str| {
            let format_and = format!("write `{format}<{first}>` or `{format}<{second}>`");
            format!("extents of `{format}` could be read in two orders; {format_and}")
        };
        let hwc = "HWC";
        for (format, list, expected) in [
            ("MK", "K; M", two("MK", "K = K, M = M", "M = K, K = M")),
            (
                "NCHW",
                "N; C; W; H",
                two("NCHW", "N = N, C = C, W = W, H = H", "N = N, C = C, H = W, W = H"),
            ),
            (
                "NCHW",
                "1; 1; W; H",
                "`W` stands at the place of H; write `H = W`, or `{ W }`".to_string(),
            ),
            (
                "NCHW",
                "N; N; 7; 7",
                "`N` stands at the place of C; write `C = N`, or `{ N }`".to_string(),
            ),
            (hwc, "480; 640; 3", two(hwc, "H = 480, W = 640, C = 3", "C = 480, H = 640, W = 3")),
            (
                "NHWC",
                "_; _; _; _",
                two("NHWC", "N = _, H = _, W = _, C = _", "N = _, C = _, H = _, W = _"),
            ),
            ("KM", "64; 64", two("KM", "K = 64, M = 64", "M = 64, K = 64")),
            (hwc, "{ f(1, 2) }; W; 4", two(hwc, "H = .., W = W, C = 4", "C = .., H = W, W = 4")),
            (
                "NCHW",
                "N = 1; 2; 3; 4",
                "named and positional extents are mixed; name all of them or none".to_string(),
            ),
            ("NHWC", "N = 1; N; H; W", "axis `N` is given twice; keep one".to_string()),
            ("NHWC", "N = 1; H; W", "axis `C` has no extent; add `C = ..`".to_string()),
        ] {
            assert_eq!(read(format, list), Err(expected), "{format}<{list}>");
        }
    }
}
