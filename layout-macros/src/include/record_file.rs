//! Records from files: each field is moved from the field of that name in the file's blocks, or from its one array.

use layout_core::{ElementType, Span};
use layout_records::{FieldMove, MatchedFields, Record, RecordError, UseFault};
use layout_types::numbers::ByteOrder;
use layout_types::plain::zeros;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::array::FileArray;
use super::expand::{ALIGNMENT, wrapped};
use super::form::FileForm;
use super::pack::reorder;
use super::syntax::{Include, Item};
use super::{file, texts};
use crate::errors::Errors;
use crate::model::TokenText;
use crate::record_types::{Input, expanded};

/// Returns a buffer with the record of `input`, or a struct with it as a constant.
#[allow(clippy::result_large_err, reason = "each is reported at once")]
pub(super) fn included(
    krate: &TokenStream,
    include: &Include,
    input: &Input,
) -> Result<TokenStream, Errors> {
    let (text, record, to) = input.whole()?;
    let fields: Vec<_> = record.fields().collect();
    let all = (0..to.buffers()).fold(0usize, |all, i| all.saturating_add(to.bytes(i)));
    let (path, absolute, bytes) = file::read(&include.path, all)?;
    let array = file::array_of(include, &path, &bytes, None, fields[0].element)?;
    let (from, mut errors) = (stored(include, &array, &to)?, Errors::default());
    let mut source = array.bytes.to_vec();
    reorder(&mut source, array.element, array.order, ByteOrder::Little);
    let buffers: Result<Vec<_>, _> =
        (0..to.buffers()).map(|buffer| zeros::<u8>(to.bytes(buffer))).collect();
    let mut buffers = buffers.map_err(|error| Errors::one(&include.path, error))?;
    for field in &fields {
        let matched = MatchedFields::new([&from, &to], field.name.as_str());
        let moved = matched.and_then(|MatchedFields { from, to: target, flipped }| {
            let moved = FieldMove::new(&to, &target, Some(from), flipped)?;
            Ok(moved.run(&source, &mut buffers[target.buffer()]))
        });
        match moved {
            Ok(done) => assert!(done.is_some(), "a record is as long as its bytes"),
            Err(error) => errors.on(text.mark(field.span), error.message()),
        }
    }
    for name in (0..from.field_count()).map(|field| from.field_name(field)) {
        if to.field(name.as_str()).is_err() {
            let error = RecordError::of_use(UseFault::Away(name.as_str()));
            errors.on(text.mark(Span { start: 0, end: text.text.len() }), error.message());
        }
    }
    let ty = expanded(krate, &text, &record, input.only_name());
    errors.gate(value(krate, include, &ty, &buffers, &absolute))
}

/// The record of a file that is moved to another: blocks by their name, or elements as a field with the name of the first one.
fn stored(include: &Include, array: &FileArray<'_>, to: &Record) -> Result<Record, Errors> {
    let of_path = |message: String| Errors::one(&include.path, message);
    let (format, element) = (&include.source.format, &include.source.element);
    let (mut letters, held) = (format.text.text.clone(), array.element.name().to_string());
    let written = element.as_ref().map(|ty| TokenText::of(ty.to_token_stream()).text);
    let (has_shape, is_u8) = (array.shape.is_some(), array.element == ElementType::U8);
    let is_blocks = written.as_ref().is_some_and(|text| text.contains("::"));
    let like = |array: &FileArray<'_>| {
        let (axes, mut errors) = (to.template().axes().to_vec(), Errors::default());
        let form = FileForm::new(format, axes, array.is_fortran, &mut errors);
        let Some(form) = form else { return Err(errors) };
        let like = form.layout(ElementType::U8);
        let like = like.map_err(|error| Errors::one(&format.tokens, error))?;
        array.check_shape(&format.text.text, &like, to).map_err(of_path)
    };
    let content = match written {
        written if array.blocks.is_some() => {
            let blocks = array.blocks.unwrap_or_default();
            if let Some(other) = written.filter(|name| name != blocks) {
                return Err(of_path(texts::element(array.path, blocks, other)));
            }
            like(array)?;
            let found = along_last(blocks, &letters);
            found.ok_or_else(|| Errors::one(&format.tokens, texts::LAST_OF_BLOCKS))?
        }
        Some(blocks) if is_blocks => match (is_u8 || !has_shape, array.is_fortran) {
            (false, _) => return Err(of_path(texts::blocks(array.path, &held))),
            (true, true) => return Err(Errors::one(&format.tokens, texts::FORTRAN_OF_BLOCKS)),
            (true, false) => blocks,
        },
        Some(other) if has_shape && other != held => {
            return Err(of_path(texts::element(array.path, held, other)));
        }
        written => {
            like(array)?;
            if array.is_fortran {
                letters = letters.chars().rev().collect();
            }
            let (name, held) = (to.field_name(0), written.unwrap_or(held));
            let ends = " }".repeat(name.as_str().matches('.').count());
            format!("{{ {}: {held}{ends} }}", name.as_str().replace('.', ": { "))
        }
    };
    let from = Record::parse(&with_extents_of(to, &letters, &content));
    let at = element.as_ref().map_or(format.tokens.clone(), ToTokens::to_token_stream);
    let from = from.map_err(|error| Errors::one(at, error.message()))?;
    if from.buffers() != 1 {
        let error = RecordError::of_use(UseFault::BufferCount("file", from.buffers(), 1));
        return Err(of_path(error.message().to_string()));
    }
    if let Some(shape) = array.shape.as_ref().filter(|_| is_blocks && array.blocks.is_none()) {
        check_blocks(shape, &from, array.path, &letters).map_err(of_path)?;
    }
    match array.bytes.len() {
        given if given == from.bytes(0) => Ok(from),
        given => Err(of_path(texts::length(array.path, given, &from, from.bytes(0), !has_shape))),
    }
}

/// A record of the library whose blocks lie along the last axis of a format, unless that is a block itself.
fn along_last(blocks: &str, letters: &str) -> Option<String> {
    match letters.chars().last()? {
        'K' => Some(blocks.into()),
        last @ 'A'..='Z' => Some(format!("{blocks}(k = {})", last.to_ascii_lowercase())),
        _ => None,
    }
}

/// The text of a record of these letters and contents with the extents of another one.
fn with_extents_of(other: &Record, letters: &str, content: &str) -> String {
    let extent = |axis: usize| format!("{} = {}", other.letters().at(axis), other.extents()[axis]);
    let extents: Vec<String> = (0..other.extents().len()).map(extent).collect();
    format!("{letters}<{}>, {content}", extents.join(", "))
}

/// Returns an error unless the axes of bytes end where those of the record do, or inside a block.
fn check_blocks(shape: &[usize], from: &Record, path: &str, letters: &str) -> Result<(), String> {
    let Ok(block) = from.template().block() else { return Ok(()) };
    let extent = |of: &Record, letter| of.letters().position(letter).map(|at| of.extents()[at]);
    let (mut needed, mut ends, mut blocks) = (Vec::new(), vec![1], 1usize);
    for letter in letters.chars().filter(char::is_ascii_uppercase) {
        let step = extent(&block, letter).unwrap_or(1).max(1);
        needed.push(extent(from, letter).unwrap_or(1).div_ceil(step));
        blocks = needed[needed.len() - 1].saturating_mul(blocks);
        ends.push(blocks);
    }
    needed.pop();
    needed.push(from.bytes(0) / ends[needed.len()].max(1));
    let mut at = 1usize;
    let is_like = shape.iter().all(|size| {
        at = at.saturating_mul(*size);
        ends.contains(&at) || at % blocks.max(1) == 0
    });
    is_like.then_some(()).ok_or_else(|| texts::shape(path, shape, &needed, letters, from))
}

/// The code of buffers with a record of this type.
fn value(
    krate: &TokenStream,
    include: &Include,
    ty: &TokenStream,
    buffers: &[Vec<u8>],
    file: &str,
) -> TokenStream {
    let alignment = Literal::usize_unsuffixed(ALIGNMENT);
    let number = Literal::usize_unsuffixed;
    let (counts, places) =
        (buffers.iter().map(|buffer| number(buffer.len())), (0..buffers.len()).map(number));
    let (bytes, count) =
        (buffers.iter().map(|buffer| Literal::byte_string(buffer)), number(buffers.len()));
    let definitions = quote! {
        type __Record = #ty;

        #[repr(C, align(#alignment))]
        struct __Aligned<const BYTES: ::core::primitive::usize>([::core::primitive::u8; BYTES]);

        static __INCLUDED: (#(__Aligned<#counts>,)*) = (#(__Aligned(*#bytes),)*);
    };
    let value = quote!(__Record::included([#(&__INCLUDED.#places.0),*]));
    let bytes = quote!(&'static [::core::primitive::u8]);
    let constant = include.item.as_ref().map(|Item { visibility, .. }| quote! {
        /// The record, in read-only memory.
        #[allow(dead_code)]
        #visibility const BUFFER: #krate::records::RecordBuffer<__Record, #bytes, #count> = #value;
    });
    wrapped(include.item.as_ref(), file, &definitions, &constant.unwrap_or(value))
}
