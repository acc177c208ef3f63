//! Tables of cases, with the results of others.

use super::case::Case;

/// The conversions of real networks in `targets.csv`.
pub(crate) fn cases() -> impl Iterator<Item = Case> {
    cases_of(include_str!("targets.csv"))
}

/// The cases of a table.
pub(crate) fn cases_of(table: &'static str) -> impl Iterator<Item = Case> {
    table.lines().skip(1).map(|line| {
        let fields: Vec<_> = line.split(',').collect();
        let &[conversion, shape, element, _kib, library, eff, _loops, prototype] = &fields[..]
        else {
            panic!("not a line of eight fields: {line}")
        };
        let (from, to) = conversion.split_once("->").expect("a conversion");
        // The table leaves out the first letters of filters' formats.
        let to = match to.starts_with(char::is_numeric) {
            true => format!("{from}{to}"),
            false => to.to_owned(),
        };
        Case {
            library: Some((library, eff.parse().expect("a library's eff"))),
            prototype: prototype.parse().ok(),
            ..Case::new(conversion, [from, &to], shape, element)
        }
    })
}
