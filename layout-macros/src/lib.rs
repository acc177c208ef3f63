//! The procedural macros of `tensor-layout`, which re-exports them. Depend on that crate instead.
//!
//! `layout!` goes through `model` (tokens as text, which layout-core reads, and its draft, with the errors on their tokens)
//! and `expand` (a type). This crate has no rules of its own.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "arena")]
mod arena;
#[cfg(feature = "arena")]
mod arena_items;
#[cfg(feature = "arena")]
mod arena_syntax;
mod dependency;
#[cfg(feature = "pictures")]
mod drawing;
mod errors;
mod expand;
#[cfg(feature = "include")]
mod include;
mod item_bounds;
mod model;
#[cfg(any(feature = "arena", feature = "chip"))]
mod named_tensors;
mod parse;
#[cfg(feature = "chip")]
mod place;
#[cfg(feature = "records")]
mod record_item;
#[cfg(feature = "records")]
mod record_types;
mod relayout;
mod relayout_items;
#[cfg(feature = "source")]
mod source_text;
#[cfg(test)]
mod tests;
mod view;

use proc_macro::TokenStream;

/// Items or statements, or the errors in their place.
fn items(made: Result<proc_macro2::TokenStream, errors::Errors>) -> TokenStream {
    made.unwrap_or_else(errors::Errors::into_items).into()
}

/// A layout as a type. Use `tensor_layout::layout!`, which passes the crate's path.
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    expand::layout(input.into()).into()
}

/// The bounds that the layouts of a generic item need. Use `tensor_layout::divisible`.
#[proc_macro_attribute]
pub fn divisible(arguments: TokenStream, item: TokenStream) -> TokenStream {
    item_bounds::divisible(&arguments.into(), &item.into()).into()
}

/// Defines a macro for a format. Use `tensor_layout::named_format!`.
#[proc_macro]
pub fn named_format(input: TokenStream) -> TokenStream {
    items(expand::named_format(input.into()))
}

/// A tensor from a file, for little-endian targets. Use `tensor_layout::include_tensor!`.
#[cfg(feature = "include")]
#[proc_macro]
pub fn include_tensor_little(input: TokenStream) -> TokenStream {
    include::include_tensor(input.into(), include::ByteOrder::Little).into()
}

/// A tensor from a file, for big-endian targets. Use `tensor_layout::include_tensor!`.
#[cfg(feature = "include")]
#[proc_macro]
pub fn include_tensor_big(input: TokenStream) -> TokenStream {
    include::include_tensor(input.into(), include::ByteOrder::Big).into()
}

/// A picture of a layout as a string literal. Use `tensor_layout::picture!`.
#[cfg(feature = "pictures")]
#[proc_macro]
pub fn picture(input: TokenStream) -> TokenStream {
    drawing::picture(input.into()).into()
}

/// Index functions of a layout as a string literal. Use `tensor_layout::source!`.
#[cfg(feature = "source")]
#[proc_macro]
pub fn source(input: TokenStream) -> TokenStream {
    source_text::source(input.into()).into()
}

/// Tensors that share memory. Use `tensor_layout::arena!`.
#[cfg(feature = "arena")]
#[proc_macro]
pub fn arena(input: TokenStream) -> TokenStream {
    items(arena_items::arena(input.into()))
}

/// Tensors in the local memory of a chip. Use `tensor_layout::place!`.
#[cfg(feature = "chip")]
#[proc_macro]
pub fn place(input: TokenStream) -> TokenStream {
    items(place::place(input.into()))
}

/// Names a record. Use `tensor_layout::record!`, which passes the crate's path.
#[cfg(feature = "records")]
#[proc_macro]
pub fn record(input: TokenStream) -> TokenStream {
    items(record_item::record(input.into()))
}

/// A view of a layout in a constant. Use `tensor_layout::view!`.
#[proc_macro]
pub fn view(input: TokenStream) -> TokenStream {
    items(view::view(input.into()))
}

/// Functions that move a tensor between two static layouts; see `tensor_layout::Relayout`.
#[proc_macro_derive(Relayout, attributes(relayout))]
pub fn relayout(input: TokenStream) -> TokenStream {
    items(relayout::derive(input.into(), relayout::Memory::Heap))
}

/// The same where tensor-layout has no feature `alloc`, which exports it as `Relayout`.
#[proc_macro_derive(RelayoutWithoutHeap, attributes(relayout))]
pub fn relayout_without_heap(input: TokenStream) -> TokenStream {
    items(relayout::derive(input.into(), relayout::Memory::Array))
}
