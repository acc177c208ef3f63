//! Rules: what happens to the tensors of which names, read from TOML.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::CheckpointError;
use crate::name_pattern::NamePattern;

/// Rules, the first of which that fits a tensor's name applies. The guide's page "checkpoints" lists their keys.
///
/// ```
/// use layout_checkpoints::RepackRules;
///
/// let rules = "
/// [[rule]]
/// match = '*.conv*.weight'
/// axes = 'OIHW'
/// to = 'OIHW4i16o4i'
///
/// [[rule]]
/// match = '*'
/// ";
/// assert!(RepackRules::parse(rules, "rules.toml").is_ok());
/// let error = RepackRules::parse("[[rule]]\nmatch = '*'\ndorp = true", "rules.toml").unwrap_err();
/// assert!(error.to_string().starts_with("rules.toml, line 3: `dorp` is not a key of a rule; "));
/// ```
#[derive(Clone, Debug)]
pub struct RepackRules {
    pub(crate) rules: Vec<RepackRule>,
    /// The text, which tells a run from others.
    pub(crate) text: String,
}

/// One rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepackRule {
    /// Where it stands: `rules.toml, line 3`.
    pub(crate) place: String,
    /// One pattern, or those of the tensors that become one.
    pub(crate) patterns: Vec<NamePattern>,
    pub(crate) is_fused: bool,
    pub(crate) is_dropped: bool,
    pub(crate) name: Option<String>,
    pub(crate) axes: Option<String>,
    pub(crate) to: Option<String>,
    pub(crate) element: Option<String>,
    pub(crate) quantizer: Option<String>,
    pub(crate) split: Vec<String>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) groups: Option<usize>,
    pub(crate) axis: Option<String>,
    pub(crate) shard: Option<String>,
    /// Axes, and what their extents become multiples of.
    pub(crate) pad: Vec<(String, usize)>,
}

const KEYS: &str =
    "match, fuse, drop, name, axes, to, element, quantizer, axis, groups, split, sizes, pad, shard";

/// What is wrong in a text, and where.
type RuleFault = (Range<usize>, String);

impl RepackRules {
    /// Moves all tensors to a layout, a format or a record, as `to` of a rule names it. `axes` are the letters of
    /// the files' axes, slowest first.
    pub fn one(axes: &str, to: &str) -> Self {
        let rule = RepackRule {
            place: format!("`{to}`"),
            patterns: vec![NamePattern("*".into())],
            axes: Some(axes.into()),
            to: Some(to.into()),
            ..RepackRule::default()
        };
        Self { rules: vec![rule], text: format!("{axes} {to}") }
    }

    /// Parses rules. `file` names them in errors.
    ///
    /// # Errors
    /// The text is not TOML, or not rules. The error has the line.
    pub fn parse(text: &str, file: &str) -> Result<Self, CheckpointError> {
        let place = |span: &Range<usize>| {
            let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
            format!("{file}, line {line}")
        };
        let read = || {
            let all = DeTable::parse(text).map_err(|error| {
                let span = error.span().unwrap_or_default();
                (span, format!("{}; write TOML", error.message().replace('\n', ", ")))
            })?;
            let mut rules = Vec::new();
            for (key, value) in all.get_ref() {
                let (DeValue::Array(list), "rule") = (value.get_ref(), &**key.get_ref()) else {
                    let text =
                        format!("`{}` is not a rule; write [[rule]] before each", key.get_ref());
                    return Err((key.span(), text));
                };
                for one in list {
                    rules.push(RepackRule { place: place(&one.span()), ..rule(one)? });
                }
            }
            Ok::<_, RuleFault>(rules)
        };
        match read() {
            Ok(rules) => Ok(Self { rules, text: text.into() }),
            Err((span, text)) => Err(CheckpointError::of(place(&span), text)),
        }
    }
}

fn rule(one: &Spanned<DeValue<'_>>) -> Result<RepackRule, RuleFault> {
    let DeValue::Table(table) = one.get_ref() else {
        return Err((one.span(), "a rule is a table; write [[rule]] before it".into()));
    };
    let mut new = RepackRule::default();
    for (key, value) in table {
        match &**key.get_ref() {
            "match" => new.patterns = vec![NamePattern(text(value)?)],
            "fuse" => {
                new.is_fused = true;
                new.patterns = texts(value)?.into_iter().map(NamePattern).collect();
            }
            "drop" => new.is_dropped = flag(value)?,
            "name" => new.name = Some(text(value)?),
            "axes" => new.axes = Some(text(value)?),
            "to" => new.to = Some(text(value)?),
            "element" => new.element = Some(text(value)?),
            "quantizer" => new.quantizer = Some(text(value)?),
            "split" => new.split = texts(value)?,
            "sizes" => new.sizes = list(value, |size| number(size, 0))?,
            "groups" => new.groups = Some(positive(value)?),
            "axis" => new.axis = Some(axis(value)?),
            "shard" => new.shard = Some(axis(value)?),
            "pad" => {
                let DeValue::Table(axes) = value.get_ref() else {
                    return Err(wrong(value, "a table of axes, such as { M = 64 }"));
                };
                for (axis, multiple) in axes {
                    new.pad.push((axis.get_ref().to_string(), positive(multiple)?));
                }
            }
            other => {
                return Err((
                    key.span(),
                    format!("`{other}` is not a key of a rule; the keys are {KEYS}"),
                ));
            }
        }
    }
    match check(&new, table.contains_key("match")) {
        Some(text) => Err((one.span(), text.into())),
        None => Ok(new),
    }
}

/// Says what is wrong with a rule as a whole.
fn check(new: &RepackRule, has_match: bool) -> Option<&'static str> {
    let changes = new.to.is_some() || new.element.is_some() || new.shard.is_some();
    let changes = changes || new.is_fused || !new.split.is_empty() || !new.pad.is_empty();
    let before = |at: usize| new.patterns[..at].iter().any(|own| own.0 == new.patterns[at].0);
    let is_twice = (0..new.patterns.len()).any(before);
    if new.is_fused == has_match {
        Some("a rule has one of `match` and `fuse`; write one of them")
    } else if new.is_dropped && (changes || new.name.is_some()) {
        Some("`drop` and changes exclude each other; leave out one of them")
    } else if new.is_fused && is_twice {
        Some("`fuse` has a pattern twice; leave out one of them")
    } else if new.is_fused && (new.name.is_none() || !new.split.is_empty()) {
        Some("`fuse` makes one tensor with a `name`; write it, and leave out `split`")
    } else if (new.is_fused || !new.split.is_empty()) && new.axis.is_none() {
        Some("`fuse` and `split` need an `axis`; write a letter of `axes`, or a number from 0 on")
    } else if !new.is_fused && new.split.is_empty() && (new.axis.is_some() || new.groups.is_some())
    {
        Some(
            "`axis` and `groups` belong to `fuse` or `split`; write `fuse` or `split`, or leave out `axis` and `groups`",
        )
    } else if !new.split.is_empty() && new.name.is_some() {
        Some("`split` lists the new names; leave out `name`")
    } else if new.sizes.len() != new.split.len() && !new.sizes.is_empty() {
        Some("`sizes` has one number for each name of `split`; write as many")
    } else if new.quantizer.is_some() && new.to.is_none() {
        Some(
            "`quantizer` chooses the scales of a record; write it as `to`, such as \"MK<_, _>, ggml::Q4_0\"",
        )
    } else {
        None
    }
}

fn wrong(value: &Spanned<DeValue<'_>>, needed: &str) -> RuleFault {
    let kind = match value.get_ref() {
        DeValue::Integer(own) if own.as_str().starts_with('-') || own.as_str() == "0" => {
            own.as_str()
        }
        DeValue::Array(items) if items.is_empty() => "an empty list",
        DeValue::Array(_) => "a list",
        DeValue::Integer(_) => "a number",
        DeValue::String(_) => "a text",
        DeValue::Boolean(_) => "true or false",
        DeValue::Table(_) => "a table",
        _ => "another value",
    };
    (value.span(), format!("this is {kind}; write {needed}"))
}

fn text(value: &Spanned<DeValue<'_>>) -> Result<String, RuleFault> {
    let text = value.get_ref().as_str().ok_or_else(|| wrong(value, "a text in quotes"))?;
    Ok(text.into())
}

fn number(value: &Spanned<DeValue<'_>>, least: usize) -> Result<usize, RuleFault> {
    let number = value.get_ref().as_integer();
    let number = number.and_then(|own| usize::from_str_radix(own.as_str(), own.radix()).ok());
    let number = number.filter(|&number| number >= least);
    number.ok_or_else(|| wrong(value, &format!("a number from {least} on")))
}

fn positive(value: &Spanned<DeValue<'_>>) -> Result<usize, RuleFault> {
    number(value, 1)
}

fn flag(value: &Spanned<DeValue<'_>>) -> Result<bool, RuleFault> {
    value.get_ref().as_bool().ok_or_else(|| wrong(value, "true or false"))
}

/// Reads a letter or a number.
fn axis(value: &Spanned<DeValue<'_>>) -> Result<String, RuleFault> {
    text(value).or_else(|_| number(value, 0).map(|number| number.to_string()))
}

fn texts(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, RuleFault> {
    list(value, text)
}

fn list<T>(
    value: &Spanned<DeValue<'_>>,
    item: impl Fn(&Spanned<DeValue<'_>>) -> Result<T, RuleFault>,
) -> Result<Vec<T>, RuleFault> {
    match value.get_ref() {
        DeValue::Array(items) if !items.is_empty() => items.iter().map(item).collect(),
        _ => Err(wrong(value, "a list in brackets that is not empty")),
    }
}
