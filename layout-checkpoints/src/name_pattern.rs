//! Patterns of names.

/// A name in which each `*` stands for any text.
#[derive(Clone, Debug)]
pub(crate) struct NamePattern(pub(crate) String);

impl NamePattern {
    /// Returns the text of each `*`, the shortest that fits, from left to right. `None` for another name.
    pub(crate) fn captures<'a>(&self, name: &'a str) -> Option<Vec<&'a str>> {
        let mut parts = self.0.split('*');
        let mut rest = name.strip_prefix(parts.next()?)?;
        let mut captures = Vec::new();
        let mut parts = parts.peekable();
        while let Some(part) = parts.next() {
            let at = match parts.peek() {
                Some(_) => rest.find(part)?,
                // The last one ends the name.
                None => rest.ends_with(part).then(|| rest.len() - part.len())?,
            };
            captures.push(&rest[..at]);
            rest = &rest[at + part.len()..];
        }
        rest.is_empty().then_some(captures)
    }
}

/// Returns a name with `{1}` replaced by the first of the captures, and so on. An error is the number of one that the
/// pattern does not have.
pub(crate) fn filled(name: &str, captures: &[&str]) -> Result<String, usize> {
    let mut all = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((Ok(number), end)) =
            after.split_once('}').map(|(number, end)| (number.parse::<usize>(), end))
        else {
            all += &rest[..=before.len()];
            rest = after;
            continue;
        };
        all += before;
        all += captures.get(number.wrapping_sub(1)).ok_or(number)?;
        rest = end;
    }
    Ok(all + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        let of = |pattern: &str, name| NamePattern(pattern.into()).captures(name);
        assert_eq!(of("a.*.b", "a.7.b"), Some(vec!["7"]));
        assert_eq!(of("*", ""), Some(vec![""]));
        assert_eq!(of("*.w*", "x.wy.wz"), Some(vec!["x", "y.wz"]));
        assert_eq!(of("a*b*c", "abbc"), Some(vec!["", "b"]));
        assert_eq!(of("ab*ba", "aba"), None);
        assert_eq!(of("a", "ab"), None);
        assert_eq!(filled("{2}.{1}.{x}", &["a", "b"]), Ok("b.a.{x}".into()));
        assert_eq!(filled("{3}", &["a", "b"]), Err(3));
    }
}
