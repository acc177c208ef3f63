//! `record!`: names a record, with a type and a method for each field.

use layout_core::Span;
use layout_records::{MacroField, MacroRecord};
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Token, Visibility, parse_str};

use crate::errors::{self, Errors};
use crate::expand::{broken_type, element_type};
use crate::model::TokenText;
use crate::parse::{Forwarded, expect};
use crate::record_types::on_tokens;

/// `#[attributes] pub NAME = FORMAT { FIELDS } = VALUE`
struct RecordItem {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    record: TokenStream,
}

impl Parse for RecordItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attributes, visibility) = (input.call(Attribute::parse_outer)?, input.parse()?);
        let name = expect(input, errors::RECORD_EXPECTED)?;
        expect::<Token![=]>(input, errors::RECORD_EXPECTED)?;
        Ok(Self { attributes, visibility, name, record: input.parse()? })
    }
}

pub(crate) fn record(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens: item } = syn::parse2::<Forwarded<RecordItem>>(input)?;
    let text = TokenText::of(item.record.clone());
    let record = MacroRecord::read(&text.text, &[]).map_err(|error| on_tokens(&text, &error));
    let fields = record.and_then(|record| fields(&krate, &item.name, &text, &record));
    match fields {
        Ok(fields) => Ok(expanded(&krate, &item, &text, &fields)),
        Err(errors) => {
            // A macro of this name, so that its uses cause no further errors.
            let errors = errors.into_items();
            let (name, hidden) = (&item.name, hidden(&item.name));
            let ty = broken_type(&krate, Errors::default());
            Ok(quote! {
                #errors
                macro_rules! #hidden { ($($rest:tt)*) => { #ty }; }
                #[allow(unused_imports)]
                pub(crate) use #hidden as #name;
            })
        }
    }
}

/// The name of the macro, which another name is given in the module around it.
fn hidden(name: &Ident) -> Ident {
    format_ident!("__record_{name}")
}

fn expanded(
    krate: &TokenStream,
    item: &RecordItem,
    text: &TokenText,
    fields: &[FieldItem],
) -> TokenStream {
    let RecordItem { attributes, visibility, name, record: tokens } = item;
    let hidden = hidden(name);
    let format =
        tokens.clone().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
    let format: TokenStream = format.collect();
    let content = &text.text[TokenText::of(format.clone()).text.len()..];
    let types = fields.iter().map(|field| &field.ty);
    let (whole, about) = (&text.text, format!("`{}`", text.text));
    let traits = traits(krate, fields);
    quote! {
        #(#attributes)*
        ///
        #[doc = #about]
        #[allow(non_snake_case, non_camel_case_types)]
        #visibility mod #name {
            /// The name of the record, in its types.
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct Name;

            impl Name {
                /// The record as text.
                pub const TEXT: &str = #whole;
            }

            #(#types)*

            #traits
        }
        #[allow(unused_imports)]
        #visibility use #name::{Fields as _, FieldsMut as _};
        #[allow(unused_macros)]
        macro_rules! #hidden {
            (@$door:ident [$($path:tt)*] [$($known:tt)*] $($tokens:tt)*) => {
                #krate::$door! { @record [$($known)* [[$($path)*] #content]] $($tokens)* }
            };
            ($($rest:tt)*) => {
                #krate::layout! { @record [[[#name] #content]] #format $($rest)*, #name! }
            };
        }
        #[allow(unused_imports)]
        pub(crate) use #hidden as #name;
    }
}

/// The traits with a method for each field.
fn traits(krate: &TokenStream, fields: &[FieldItem]) -> TokenStream {
    let ((reads, read), (writes, write)) =
        (methods(krate, fields, false), methods(krate, fields, true));
    quote! {
        /// The fields of a buffer with this record.
        pub trait Fields {
            /// The type of the record.
            type Record: #krate::records::RecordType;

            #(#reads)*
        }

        /// The fields of a buffer with this record, to write.
        pub trait FieldsMut: Fields {
            #(#writes)*
        }

        impl<R, B, const BUFFERS: usize> Fields for #krate::records::RecordBuffer<R, B, BUFFERS>
        where
            R: #krate::records::RecordType<Name = Name>,
            B: ::core::convert::AsRef<[u8]>,
        {
            type Record = R;

            #(#read)*
        }

        impl<R, B, const BUFFERS: usize> FieldsMut
            for #krate::records::RecordBuffer<R, B, BUFFERS>
        where
            R: #krate::records::RecordType<Name = Name>,
            B: ::core::convert::AsRef<[u8]> + ::core::convert::AsMut<[u8]>,
        {
            #(#write)*
        }
    }
}

/// A field: its name in the program, its type and what it is.
struct FieldItem {
    name: Ident,
    ty: TokenStream,
    about: String,
}

/// The methods of every buffer with a record, and the types beside those of fields.
const RESERVED: &[&str] = &[
    "Fields",
    "FieldsMut",
    "Name",
    "blocks",
    "blocks_mut",
    "buffers",
    "buffers_mut",
    "bytes",
    "bytes_mut",
    "field",
    "field_mut",
    "field_of",
    "field_of_mut",
    "into_buffers",
    "record",
    "relayout_into",
    "rows",
    "slice",
    "slice_mut",
    "tensor",
];

/// The fields, whose methods have names of their own.
fn fields(
    krate: &TokenStream,
    record: &Ident,
    text: &TokenText,
    read: &MacroRecord,
) -> Result<Vec<FieldItem>, Errors> {
    let (mut errors, mut all, mut names) = (Errors::default(), Vec::new(), Vec::new());
    if let Some((range, _)) = read.extents.iter().flatten().next() {
        let place = text.mark(Span { start: range.start, end: range.end });
        errors.on(place, errors::RECORD_EXTENTS);
    }
    for field in read.fields() {
        let name = field.name.as_str().replace('.', "_");
        // A keyword is a name after `r#`.
        let ident = parse_str::<Ident>(&name).or_else(|_| parse_str(&format!("r#{name}")));
        let is_taken = names.contains(&name) || names.contains(&format!("{name}_mut"));
        match ident {
            Ok(mut ident) if !is_taken && !RESERVED.contains(&&*name) => {
                ident.set_span(record.span());
                all.push(field_item(krate, ident, &field));
            }
            _ => errors.on(text.mark(field.span), errors::field_name(&name, is_taken)),
        }
        names.extend([format!("{name}_mut"), name]);
    }
    errors.gate(all)
}

fn field_item(krate: &TokenStream, ident: Ident, field: &MacroField<'_>) -> FieldItem {
    let value = field.value.map_or(String::new(), |value| format!(": `{value}`"));
    let (name, element) = (field.name.as_str(), field.element);
    let about = format!("Field `{name}`, elements of type `{}`{value}.", element.name());
    let element = element_type(krate, element);
    let ty = quote! {
        #[doc = #about]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct #ident;

        impl #krate::records::FieldName for #ident {
            type Element = #element;
            const NAME: &'static str = #name;
        }
    };
    FieldItem { name: ident, ty, about }
}

/// The methods of fields to read or to write: as declared, and as defined.
fn methods(
    krate: &TokenStream,
    fields: &[FieldItem],
    are_mutable: bool,
) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let methods = fields.iter().map(|FieldItem { name, about, .. }| {
        let (method, made, returned, reference) = match are_mutable {
            true => (format_ident!("{name}_mut"), "field_of_mut", "FieldOfMut", quote!(&mut self)),
            false => (name.clone(), "field_of", "FieldOf", quote!(&self)),
        };
        let (made, returned) = (format_ident!("{made}"), format_ident!("{returned}"));
        let head = quote!(fn #method(#reference));
        let declared =
            quote!(#[doc = #about] #head -> #krate::records::#returned<'_, Self::Record, #name>;);
        let defined = quote! {
            #[inline(always)]
            #head -> #krate::records::#returned<'_, R, #name> {
                self.#made()
            }
        };
        (declared, defined)
    });
    methods.unzip()
}
