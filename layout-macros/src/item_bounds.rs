//! `#[divisible]`: the bounds that the layouts of a generic item need.

use layout_core::Site;
use layout_core::spec::Factor;
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Generics, Ident, Item, Type, parse_quote};

use crate::errors::{self, Errors};
use crate::model::Model;
use crate::relayout::default_crate;

pub(crate) fn divisible(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    match try_divisible(arguments, item) {
        Ok(bounded) => bounded,
        Err(errors) => {
            let errors = errors.into_items();
            quote!(#errors #item)
        }
    }
}

fn try_divisible(arguments: &TokenStream, tokens: &TokenStream) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    if !arguments.is_empty() {
        errors.on(arguments, errors::DIVISIBLE_ARGUMENTS);
    }
    let mut item: Item = syn::parse2(tokens.clone())?;
    let Some(generics) = generics(&mut item) else {
        errors.on(&item, errors::DIVISIBLE_ITEM);
        return Err(errors);
    };
    let mut layouts = Vec::new();
    find_layouts(tokens, &mut layouts);
    let names: Vec<Ident> =
        generics.const_params().map(|parameter| parameter.ident.clone()).collect();
    let mut bounds: Vec<Bound> = Vec::new();
    for layout in layouts {
        let new = bounds_of(layout, &names);
        bounds.extend(new.into_iter().filter(|bound| !bounds.contains(bound)).collect::<Vec<_>>());
    }
    if bounds.is_empty() {
        errors.on(&generics, errors::DIVISIBLE_NOTHING);
    }
    let krate = default_crate();
    for Bound { letter, extent, block } in &bounds {
        let block = Literal::usize_unsuffixed(*block);
        let of: Type = parse_quote!(#krate::typed::Extent<#letter, #extent>);
        // Errors point at the extent that needs the bound.
        let spanned = |mut token: TokenTree| {
            token.set_span(extent.span());
            token
        };
        let bound = quote!(#krate::typed::MultipleOf<#block>).into_iter().map(spanned);
        let bound: TokenStream = bound.collect();
        generics.make_where_clause().predicates.push(parse_quote!(#of: #bound));
    }
    errors.gate(item.into_token_stream())
}

/// The extent of an axis is a const parameter, and must be a multiple of the axis's blocks.
struct Bound {
    letter: char,
    extent: Ident,
    block: usize,
}

impl PartialEq for Bound {
    fn eq(&self, other: &Self) -> bool {
        (self.letter, &self.extent, self.block) == (other.letter, &other.extent, other.block)
    }
}

/// Returns the generic parameters of an item that may have some.
fn generics(item: &mut Item) -> Option<&mut Generics> {
    match item {
        Item::Fn(item) => Some(&mut item.sig.generics),
        Item::Impl(item) => Some(&mut item.generics),
        Item::Struct(item) => Some(&mut item.generics),
        Item::Enum(item) => Some(&mut item.generics),
        Item::Trait(item) => Some(&mut item.generics),
        _ => None,
    }
}

/// Finds what is written in each `layout!(..)`, in signatures and bodies.
fn find_layouts(tokens: &TokenStream, found: &mut Vec<TokenStream>) {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (i, token) in all.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        match i.checked_sub(2).map(|before| &all[before..i]) {
            Some([TokenTree::Ident(name), TokenTree::Punct(mark)])
                if name == "layout" && mark.as_char() == '!' =>
            {
                found.push(group.stream());
            }
            _ => find_layouts(&group.stream(), found),
        }
    }
}

/// Returns the bounds of a layout without padding. `layout!` itself reports what is wrong with it.
fn bounds_of(layout: TokenStream, names: &[Ident]) -> Vec<Bound> {
    let Some(model) = Model::new(layout, "", &mut Errors::default()) else { return Vec::new() };
    if model.assembly.fill.is_some() {
        return Vec::new();
    }
    let bound = |letter: char| {
        let place = model.draft.written(Site::Extent(letter));
        let extent: Ident = syn::parse2(model.text.tokens(place.span)).ok()?;
        let blocks = model.assembly.factors().iter().filter_map(|factor| match *factor {
            Factor::Block(axis, size) if axis == letter => Some(size),
            _ => None,
        });
        let block = blocks.product();
        (block > 1 && names.contains(&extent)).then_some(Bound { letter, extent, block })
    };
    model.draft.template.axes().iter().filter_map(|axis| bound(axis.letter)).collect()
}
