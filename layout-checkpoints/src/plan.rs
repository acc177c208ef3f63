//! The outputs that rules make of a checkpoint: the checks and choices made once, before anything moves.

use std::collections::{BTreeMap, BTreeSet};

use tensor_layout::adapters::storage_shape;
use tensor_layout::{ElementType, Layout, LayoutTemplate};

use crate::checkpoint::Checkpoint;
use crate::element_moves::is_converted;
use crate::error::{CheckpointError, FileResult, refuse};
use crate::name_pattern::filled;
use crate::npy::LETTERS;
use crate::pieced_array::{PiecedArray, array_of};
use crate::quantized::QuantizedRows;
use crate::repack_rules::{RepackRule, RepackRules};
use crate::repacked_tensor::RepackedTensor;
use crate::stored_tensor::{Content, StoredTensor, check_letters};

/// What the rules make of each tensor.
pub(crate) struct RuledTensors<'a> {
    checkpoint: &'a Checkpoint,
    /// Each rule that applies, with the captures and the tensors.
    applied: Vec<(&'a RepackRule, Vec<String>, Vec<usize>)>,
    /// Rules that no tensor fits.
    pub(crate) warnings: Vec<String>,
}

impl<'a> RuledTensors<'a> {
    /// Finds the rule of each tensor.
    pub(crate) fn new(checkpoint: &'a Checkpoint, rules: &'a RepackRules) -> FileResult<Self> {
        let mut applied: Vec<(usize, Vec<String>, Vec<Option<usize>>)> = Vec::new();
        let mut fused = BTreeMap::new();
        let mut left = Vec::new();
        for (number, tensor) in checkpoint.tensors().enumerate() {
            let found = rules.rules.iter().enumerate().find_map(|(i, rule)| {
                let fits = |(part, own): (usize, &crate::name_pattern::NamePattern)| {
                    Some((i, part, own.captures(&tensor.name)?))
                };
                rule.patterns.iter().enumerate().find_map(fits)
            });
            let Some((i, part, captures)) = found else {
                left.push(tensor.name.as_str());
                continue;
            };
            let captures: Vec<String> = captures.into_iter().map(String::from).collect();
            let count = rules.rules[i].patterns.len();
            let mut add = || {
                applied.push((i, captures.clone(), vec![None; count]));
                applied.len() - 1
            };
            let at = match rules.rules[i].is_fused {
                true => *fused.entry((i, captures.clone())).or_insert_with(add),
                false => add(),
            };
            if applied[at].2[part].replace(number).is_some() {
                return refuse(format!(
                    "{}: tensor `{}` and another one fit `{}` with the same `*`; write `*` where they differ",
                    rules.rules[i].place, tensor.name, rules.rules[i].patterns[part].0
                ));
            }
        }
        if !left.is_empty() {
            return refuse(format!(
                "no rule fits {} tensors, such as `{}`; add a rule for them, or one that matches `*`",
                left.len(),
                left[0]
            ));
        }
        let unused = |(i, rule): (usize, &RepackRule)| {
            let patterns: Vec<_> = rule.patterns.iter().map(|own| own.0.as_str()).collect();
            let is_used = applied.iter().any(|(own, ..)| *own == i);
            (!is_used)
                .then(|| format!("{}: no tensor fits `{}`", rule.place, patterns.join("`, `")))
        };
        let warnings = rules.rules.iter().enumerate().filter_map(unused).collect();
        let complete = |(i, captures, tensors): (usize, Vec<String>, Vec<Option<usize>>)| {
            complete(&rules.rules[i], captures, tensors)
        };
        let applied = applied.into_iter().map(complete).collect::<FileResult<_>>()?;
        Ok(Self { checkpoint, applied, warnings })
    }

    /// The tensors of a rank's file.
    pub(crate) fn outputs(&self, rank: usize, ranks: usize) -> FileResult<Vec<RepackedTensor>> {
        let mut all = Vec::new();
        for (rule, captures, tensors) in self.applied.iter().filter(|(rule, ..)| !rule.is_dropped) {
            let of = |error| {
                let name = &self.checkpoint.tensor(tensors[0]).1.name;
                CheckpointError::of(format!("{}: tensor `{name}`", rule.place), error)
            };
            let captures: Vec<&str> = captures.iter().map(String::as_str).collect();
            all.extend(self.output(rule, &captures, tensors, (rank, ranks)).map_err(of)?);
        }
        let mut names = BTreeSet::new();
        match all.iter().find(|own| !names.insert(&own.stored.name)) {
            Some(twice) => refuse(format!(
                "two outputs are named `{}`; write another `name` in one of the rules",
                twice.stored.name
            )),
            None => Ok(all),
        }
    }

    /// The outputs of one rule.
    fn output(
        &self,
        rule: &RepackRule,
        captures: &[&str],
        tensors: &[usize],
        ranks: (usize, usize),
    ) -> FileResult<Vec<RepackedTensor>> {
        let name_of = |text: &str| {
            let of = |number| {
                CheckpointError::new(format!(
                    "`{text}`: there is no `*` number {number}; leave out `{{{number}}}`"
                ))
            };
            filled(text, captures).map_err(of)
        };
        let (_, first) = self.checkpoint.tensor(tensors[0]);
        let name = match &rule.name {
            Some(name) => name_of(name)?,
            None => first.name.clone(),
        };
        let is_kept = !rule.is_fused
            && rule.split.is_empty()
            && rule.pad.is_empty()
            && [&rule.to, &rule.element, &rule.shard, &rule.axes].iter().all(|own| own.is_none());
        if is_kept && self.checkpoint.is_usual(tensors[0]) {
            return Ok(vec![self.kept(tensors[0], name)]);
        }
        let mut letters = rule.axes.clone();
        let mut parts = Vec::new();
        for &number in tensors {
            parts.push(self.part(rule, number, &mut letters, ranks)?);
        }
        check_axes(rule, letters.as_deref())?;
        let groups = self.groups(rule, letters.as_deref(), ranks.1)?;
        let axis = |text: &Option<String>| {
            axis_of(text.as_deref().unwrap_or("0"), letters.as_deref(), parts[0].extents.len())
        };
        let arrays = if rule.is_fused {
            vec![(name, PiecedArray::fused(&parts, axis(&rule.axis)?, groups)?)]
        } else if rule.split.is_empty() {
            vec![(name, parts.swap_remove(0))]
        } else {
            let is_cut = rule.shard.is_some() && axis(&rule.shard)? == axis(&rule.axis)?;
            let cut = if is_cut { ranks.1 } else { 1 };
            let sizes: Vec<usize> = rule.sizes.iter().map(|size| size / cut).collect();
            if rule.sizes.iter().any(|size| size % cut != 0) {
                return refuse(format!(
                    "sizes {:?} are not multiples of {cut} ranks; change one of them",
                    rule.sizes
                ));
            }
            let split = parts[0].split(axis(&rule.axis)?, groups, rule.split.len(), &sizes)?;
            let names =
                rule.split.iter().map(|text| name_of(text)).collect::<FileResult<Vec<_>>>()?;
            names.into_iter().zip(split).collect()
        };
        let finished = |(name, array)| finish(rule, name, tensors, array, letters.as_deref());
        arrays.into_iter().map(finished).collect()
    }

    /// The groups of one rank.
    fn groups(&self, rule: &RepackRule, letters: Option<&str>, ranks: usize) -> FileResult<usize> {
        let groups = rule.groups.unwrap_or(1);
        let axis = |text: &Option<String>| axis_of(text.as_deref()?, letters, usize::MAX).ok();
        if groups == 1 || rule.shard.is_none() || axis(&rule.shard) != axis(&rule.axis) {
            return Ok(groups);
        }
        match groups % ranks {
            0 => Ok(groups / ranks),
            _ => refuse(format!(
                "{groups} groups are not a multiple of {ranks} ranks; change one of them"
            )),
        }
    }

    /// A tensor with the bytes and the properties that it has.
    fn kept(&self, number: usize, name: String) -> RepackedTensor {
        let stored = StoredTensor { name, ..self.checkpoint.tensor(number).1.clone() };
        let array = PiecedArray::bytes_of(number, &stored);
        RepackedTensor { sources: vec![number], array, target: None, quantized: None, stored }
    }

    /// A tensor, padded, and its share for a rank.
    fn part(
        &self,
        rule: &RepackRule,
        number: usize,
        letters: &mut Option<String>,
        (rank, ranks): (usize, usize),
    ) -> FileResult<PiecedArray> {
        let (_, tensor) = self.checkpoint.tensor(number);
        if tensor.blocks()?.is_some() && rule.to.is_none() && rule.element.is_none() {
            let what = match tensor.record()? {
                Some(_) => "blocks of a record".into(),
                None => format!("elements of {}", tensor.content),
            };
            return refuse(format!(
                "it holds {what}; write `element`, such as \"f32\", or `to`, and its values are computed, or keep, drop or rename it alone"
            ));
        }
        let (mut part, own) = tensor.values(number)?;
        let rank_of_tensor = part.extents.len();
        if let Some(own) = own.filter(|_| self.checkpoint.is_usual(number))
            && *letters.get_or_insert_with(|| own.clone()) != own
        {
            return refuse(format!(
                "its layout is `{}`, whose axes are {own}; write `axes = \"{own}\"`",
                tensor.layout.as_deref().unwrap_or_default()
            ));
        }
        if let Some(given) = letters.as_deref() {
            check_letters(given, &part.extents)?;
        }
        for (axis, multiple) in &rule.pad {
            let axis = axis_of(axis, letters.as_deref(), rank_of_tensor)?;
            part = part.padded(axis, *multiple)?;
        }
        if let Some(axis) = &rule.shard {
            let axis = axis_of(axis, letters.as_deref(), rank_of_tensor)?;
            let of = |error| CheckpointError::of(format!("{ranks} ranks"), error);
            let step = part.part(axis, ranks).map_err(of)?;
            let is_cut =
                rule.axis.as_deref().map(|own| axis_of(own, letters.as_deref(), rank_of_tensor));
            let is_cut = is_cut.transpose()? == Some(axis);
            part = share(rule, &part, (axis, is_cut), (rank, ranks), step)?;
        }
        Ok(part)
    }
}

/// The tensors of a rule, or an error if one is missing.
fn complete(
    rule: &RepackRule,
    captures: Vec<String>,
    tensors: Vec<Option<usize>>,
) -> FileResult<(&RepackRule, Vec<String>, Vec<usize>)> {
    let Some(part) = tensors.iter().position(Option::is_none) else {
        return Ok((rule, captures, tensors.into_iter().flatten().collect()));
    };
    let with = match captures.is_empty() {
        true => String::new(),
        false => format!(" with {captures:?} for `*`"),
    };
    refuse(format!(
        "{}: no tensor fits `{}`{with}; correct the pattern, or the names",
        rule.place, rule.patterns[part].0
    ))
}

/// Returns an error if neither the rule nor the file names the axes of a layout.
fn check_axes(rule: &RepackRule, letters: Option<&str>) -> FileResult<()> {
    match rule.to.is_some() && letters.is_none() {
        true => refuse("`to` needs the letters of the file's axes; write `axes`, such as \"OIHW\""),
        false => Ok(()),
    }
}

/// The share of a rank: of each part of a tensor that is split, and of all else one window.
fn share(
    rule: &RepackRule,
    part: &PiecedArray,
    (axis, is_cut): (usize, bool),
    (rank, ranks): (usize, usize),
    step: usize,
) -> FileResult<PiecedArray> {
    let is_split = !rule.split.is_empty() && rule.groups.unwrap_or(1) == 1;
    if !is_split || !is_cut {
        return Ok(part.window(axis, rank * step..(rank + 1) * step));
    }
    let parts = part.split(axis, 1, rule.split.len(), &rule.sizes)?;
    let shares = parts.iter().map(|own| {
        let step = own.part(axis, ranks)?;
        Ok(own.window(axis, rank * step..(rank + 1) * step))
    });
    PiecedArray::joined(&shares.collect::<FileResult<Vec<_>>>()?, axis)
}

/// Returns the axis of a letter or a number.
fn axis_of(text: &str, letters: Option<&str>, rank: usize) -> FileResult<usize> {
    let is_it = |letter: &str| letter == text;
    let by_letter = letters.and_then(|letters| letters.split("").skip(1).position(is_it));
    match text.parse().ok().or(by_letter.filter(|_| !text.is_empty())) {
        Some(axis) if axis < rank => Ok(axis),
        _ => refuse(format!(
            "`{text}` is not an axis of {}; write one of its letters, or a number below the number of axes",
            letters.unwrap_or("a tensor without `axes`")
        )),
    }
}

/// Finds the layout and the properties of an output.
fn finish(
    rule: &RepackRule,
    name: String,
    tensors: &[usize],
    mut array: PiecedArray,
    letters: Option<&str>,
) -> FileResult<RepackedTensor> {
    let element = element_of(rule, array.element)?;
    let (rank, shape) = (array.extents.len(), array.extents.clone());
    let mut own = letters.or(LETTERS.get(..rank)).unwrap_or_default();
    if rank == 0 && element != array.element {
        // A scalar has no letter: it is an array of one.
        own = "A";
        array.add_axis();
    }
    if let Some(to) = rule.to.as_ref().filter(|to| QuantizedRows::is_record(to)) {
        return quantized(to, rule, name, tensors, array, own);
    }
    let plain = || array_of(own, &array.extents, element);
    let target = match &rule.to {
        Some(to) => Some(target(to, rule, own, &array.extents, element)?),
        None if element != array.element => Some(plain()?),
        None => None,
    };
    if let Some(target) = target.filter(|target| !is_converted(array.element, target.element())) {
        return refuse(format!(
            "{} is not converted to {}; conversions are those between f32 and f16, bf16, f64, f8e4m3, f8e5m2, and \
             between f16 and bf16",
            array.element,
            target.element()
        ));
    }
    let layout = match (&target, letters) {
        (Some(target), Some(_)) => Some(*target),
        (None, Some(_)) if rank > 0 => Some(plain()?),
        _ => None,
    };
    let (shape, bytes, element) = match &target {
        Some(target) if rule.to.is_some() => {
            let (bytes, element) = (target.bytes(), target.element());
            match storage_shape(target) {
                Ok(shape) if is_stored(element) => (shape, bytes, element),
                _ => (vec![bytes], bytes, ElementType::U8),
            }
        }
        _ => (shape, array.extents.iter().product::<usize>() * (element.bits() / 8), element),
    };
    let stored = StoredTensor {
        name,
        content: Content::Element(element),
        shape,
        layout: layout.map(|layout| layout.to_string()),
        at: 0,
        bytes: bytes as u64,
        is_big_endian: false,
    };
    let target = target.map(|layout| (own.to_string(), Box::new(layout)));
    Ok(RepackedTensor { sources: tensors.to_vec(), array, target, quantized: None, stored })
}

/// An output that is quantized to a record.
fn quantized(
    to: &str,
    rule: &RepackRule,
    name: String,
    tensors: &[usize],
    array: PiecedArray,
    letters: &str,
) -> FileResult<RepackedTensor> {
    if rule.element.is_some() {
        return refuse(format!("`{to}` has elements of its own; leave out `element`"));
    }
    let axes = (letters, &array.extents[..]);
    let rows = QuantizedRows::read(to, rule.quantizer.as_deref(), axes, array.element)?;
    let (content, shape, text, bytes) = rows.stored(&array.extents);
    let stored = StoredTensor {
        name,
        content,
        shape,
        layout: Some(text),
        at: 0,
        bytes: bytes as u64,
        is_big_endian: false,
    };
    let (sources, quantized) = (tensors.to_vec(), Some(rows));
    Ok(RepackedTensor { sources, array, target: None, quantized, stored })
}

/// The elements that a rule asks for.
fn element_of(rule: &RepackRule, own: ElementType) -> FileResult<ElementType> {
    let Some(text) = &rule.element else { return Ok(own) };
    match ElementType::from_name(text) {
        Some(element) if element.bits() % 8 == 0 => Ok(element),
        _ => {
            refuse(format!("`{text}` is not an element type of whole bytes; write one such as f16"))
        }
    }
}

/// Reads the layout that a rule writes: whole, or a format alone.
fn target(
    to: &str,
    rule: &RepackRule,
    letters: &str,
    extents: &[usize],
    element: ElementType,
) -> FileResult<Layout> {
    let is_format = !to.contains(['<', '{']);
    let text = match is_format {
        true => {
            let axes: Vec<String> = letters.chars().map(|letter| format!("{letter} = _")).collect();
            format!("{to}<{}>, {element}", axes.join(", "))
        }
        false => to.into(),
    };
    // The text of a format shows where options stand.
    let of = |error: String| CheckpointError::of(format!("in `{text}`"), error);
    let template = LayoutTemplate::parse(&text).map_err(|error| of(error.to_string()))?;
    if !is_format && rule.element.is_some() {
        return refuse(format!("`{to}` has an element type; leave out `element`"));
    }
    let known: Vec<(char, usize)> = letters.chars().zip(extents.iter().copied()).collect();
    let open = template.unknown();
    let open = known.iter().copied().filter(|(letter, _)| open.position(*letter).is_some());
    let layout = template
        .with_extents(&open.collect::<Vec<_>>())
        .map_err(|error| of(format!("{error:#}")))?;
    for (letter, extent) in known {
        let own = layout.letters().position(letter).map(|axis| layout.extent(axis));
        if own != Some(extent) || layout.rank() != extents.len() {
            return refuse(format!(
                "`{layout}` is not a layout of {letters} with extents {extents:?}; write `_` for extents, and these letters"
            ));
        }
    }
    Ok(layout)
}

/// Whether .safetensors files have the type in whole bytes.
fn is_stored(element: ElementType) -> bool {
    element.bits() >= 8 && element.safetensors_name().is_some()
}
