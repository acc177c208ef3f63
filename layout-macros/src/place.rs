//! `place!`: tensors in the local memory of a chip, as constants.

use layout_core::LayoutError;
use layout_core::chip::Chip;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Path, Token, Type, Visibility, token};

use crate::errors::Errors;
use crate::model::span_of;
use crate::named_tensors::{listed, option, repeated_tensor, report, unknown_tensor};
use crate::parse::{Forwarded, after, braces, expect, parentheses};

const PLACE_EXPECTED: &str = "expected `struct NAME in CHIP { .. }`; write it as in \
     `place! { struct Conv in bm1684x { INPUT: Input = 0x0 } }`";

const TENSOR_EXPECTED: &str = "expected a tensor or `apart`; write `NAME: LAYOUT`, \
     `NAME: LAYOUT = ADDRESS` or `apart(NAME, NAME)`, separated by commas";

const APART_OF_ONE: &str =
    "`apart` has fewer than two tensors; name the tensors to keep in different banks";

/// The input of `place!`: `#[attributes] pub struct NAME in CHIP { ITEMS }`.
struct Place {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    chip: Path,
    tensors: Vec<PlacedTensor>,
    apart: Vec<Apart>,
}

/// `#[attributes] NAME: LAYOUT = ADDRESS`
struct PlacedTensor {
    attributes: Vec<Attribute>,
    name: Ident,
    layout: Type,
    address: Option<Expr>,
}

/// `apart(NAMES)`
struct Apart {
    keyword: Ident,
    names: Vec<Ident>,
}

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attributes, visibility) = (input.call(Attribute::parse_outer)?, input.parse()?);
        expect::<Token![struct]>(input, PLACE_EXPECTED)?;
        let name = expect(input, PLACE_EXPECTED)?;
        expect::<Token![in]>(input, PLACE_EXPECTED)?;
        let expected = |_: syn::Error| syn::Error::new(input.span(), PLACE_EXPECTED);
        let chip = input.call(Path::parse_mod_style).map_err(expected)?;
        let content = braces(input, PLACE_EXPECTED)?;
        let (mut tensors, mut apart) = (Vec::new(), Vec::new());
        while !content.is_empty() {
            if content.peek(Ident) && content.peek2(token::Paren) {
                apart.push(content.parse()?);
            } else {
                tensors.push(content.parse()?);
            }
            if !content.is_empty() {
                expect::<Token![,]>(&content, TENSOR_EXPECTED)?;
            }
        }
        Ok(Self { attributes, visibility, name, chip, tensors, apart })
    }
}

impl Parse for PlacedTensor {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let name = expect(input, TENSOR_EXPECTED)?;
        expect::<Token![:]>(input, TENSOR_EXPECTED)?;
        let layout = input.parse()?;
        Ok(Self { attributes, name, layout, address: after::<Token![=], _>(input)? })
    }
}

impl Parse for Apart {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let keyword: Ident = input.parse()?;
        if keyword != "apart" {
            return Err(syn::Error::new(keyword.span(), TENSOR_EXPECTED));
        }
        let content = parentheses(input, TENSOR_EXPECTED)?;
        let names = content.parse_terminated(Ident::parse, Token![,])?;
        Ok(Self { keyword, names: names.into_iter().collect() })
    }
}

/// `place!`: a struct with a constant for each tensor, and one for the map.
pub(crate) fn place(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens: place } = syn::parse2::<Forwarded<Place>>(input)?;
    let mut errors = Errors::default();
    let chip = chip_value(&place.chip, &krate);
    let chip = chip.map_err(|error| errors.on(&place.chip, error)).ok();
    let lists = place.apart.iter().map(|apart| place.indices(apart, &mut errors)).collect();
    let expansion = chip.map(|chip| expand(&krate, &place, &chip, lists));
    errors.gate(expansion.unwrap_or_default())
}

impl Place {
    /// Returns the tensors in `apart`, as indices.
    fn indices(&self, apart: &Apart, errors: &mut Errors) -> Vec<usize> {
        let mut indices = Vec::new();
        for name in &apart.names {
            match self.tensors.iter().position(|tensor| tensor.name == *name) {
                Some(index) if indices.contains(&index) => {
                    errors.on(name, repeated_tensor(name));
                }
                Some(index) => indices.push(index),
                None => {
                    let there = listed(self.tensors.iter().map(|tensor| &tensor.name));
                    errors.on(name, unknown_tensor(name, &there));
                }
            }
        }
        if apart.names.len() < 2 {
            errors.on(&apart.keyword, APART_OF_ONE);
        }
        indices
    }
}

fn expand(
    krate: &TokenStream,
    place: &Place,
    chip: &TokenStream,
    lists: Vec<Vec<usize>>,
) -> TokenStream {
    let Place { attributes, visibility, name, tensors, .. } = place;
    let count = Literal::usize_unsuffixed(tensors.len());
    let chip_of = quote_spanned!(span_of(&place.chip)=> #chip);
    let given = tensors.iter().map(|tensor| given(krate, tensor));
    let constants =
        tensors.iter().enumerate().map(|(index, tensor)| constant(visibility, tensor, index));
    let lists_of = lists.iter().map(|list| quote!(&[#(#list),*]));
    let reports = tensors
        .iter()
        .enumerate()
        .map(|(index, tensor)| reports_of_tensor(krate, name, tensor, index));
    let members = place
        .apart
        .iter()
        .zip(&lists)
        .map(|(apart, list)| reports_of_members(krate, name, apart, list));
    let at = span_of(&place.chip);
    let check_chip = report(krate, at, at, &quote!(#name::__CHIP.check()));
    quote! {
        #(#attributes)*
        #visibility struct #name;

        #[automatically_derived]
        impl #name {
            #(#constants)*

            /// The addresses of the tensors. Prints as a map: banks across, tensors down.
            #visibility const MAP: #krate::chip::LocalMemory<#count> = match &Self::__PLACED {
                ::core::result::Result::Ok(placed) => *placed,
                // The errors are reported below, each on its line.
                ::core::result::Result::Err(_) => Self::__GIVEN,
            };

            const __CHIP: #krate::chip::Chip = #chip_of;
            const __GIVEN: #krate::chip::LocalMemory<#count> =
                #krate::chip::LocalMemory::given(&Self::__CHIP, &[#(#given),*]);
            const __PLACED: ::core::result::Result<
                #krate::chip::LocalMemory<#count>,
                #krate::chip::Misplaced,
            > = Self::__GIVEN.placed(&[#(#lists_of),*]);
        }

        #check_chip
        #(#reports)*
        #(#members)*
    }
}

/// The chip of this name as a value. A chip of the user's own is a constant, which is written in capitals.
fn chip_value(path: &Path, krate: &TokenStream) -> Result<TokenStream, LayoutError> {
    let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    if path.segments.len() > 1 || last.starts_with(|first: char| first.is_uppercase()) {
        return Ok(path.to_token_stream());
    }
    let name = Chip::named(&last)?.name;
    Ok(quote! {
        match #krate::chip::Chip::named(#name) {
            ::core::result::Result::Ok(chip) => *chip,
            ::core::result::Result::Err(error) => error.panic(),
        }
    })
}

/// Returns a tensor, as given, as a value.
fn given(krate: &TokenStream, tensor: &PlacedTensor) -> TokenStream {
    let PlacedTensor { name, layout, address, .. } = tensor;
    let (label, address) = (name.to_string(), option(address.as_ref()));
    let value = quote_spanned!(span_of(layout)=> <#layout as #krate::StaticLayout>::LAYOUT);
    quote!(#krate::chip::LocalTensor { name: #label, layout: #value, address: #address })
}

/// Returns the constant of a tensor's address.
fn constant(visibility: &Visibility, tensor: &PlacedTensor, index: usize) -> TokenStream {
    let PlacedTensor { attributes, name, .. } = tensor;
    let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
    let text = format!("Where `{name}` begins in each lane, in bytes.");
    let document = (!documented).then(|| quote!(#[doc = #text]));
    quote! {
        #(#attributes)*
        #document
        #[allow(dead_code)]
        #visibility const #name: ::core::primitive::usize = Self::MAP.address(#index);
    }
}

/// Returns the code that reports the errors of a tensor on its line.
fn reports_of_tensor(
    krate: &TokenStream,
    name: &Ident,
    tensor: &PlacedTensor,
    index: usize,
) -> TokenStream {
    let PlacedTensor { name: label, layout, address, .. } = tensor;
    let last = match address {
        Some(address) => span_of(address),
        None => span_of(layout),
    };
    let given = report(krate, label.span(), last, &quote!(#name::__GIVEN.check_tensor(#index)));
    let room = quote!(#krate::__private::room(&#name::__PLACED, #index));
    let room = report(krate, label.span(), last, &room);
    quote!(#given #room)
}

/// Returns the code that reports the errors of the members of a list, each on its name.
fn reports_of_members(
    krate: &TokenStream,
    name: &Ident,
    apart: &Apart,
    list: &[usize],
) -> TokenStream {
    let reports = apart.names.iter().enumerate().map(|(member, label)| {
        let check = quote!(#name::__GIVEN.check_member(&[#(#list),*], #member));
        report(krate, label.span(), label.span(), &check)
    });
    reports.collect()
}
