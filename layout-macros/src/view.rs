//! `view!`: operations on a layout, applied in order, as a constant.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, Token};

use crate::errors::{self, Errors};
use crate::parse::{Forwarded, expect};

/// The input of `view!`: `LAYOUT, OPERATION(ARGUMENTS), ..`.
struct ViewCall {
    layout: Expr,
    operations: Vec<ViewOperation>,
}

/// `OPERATION(ARGUMENTS)`
struct ViewOperation {
    name: Ident,
    arguments: Group,
}

impl Parse for ViewCall {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let layout = input.parse()?;
        let mut operations = Vec::new();
        while !input.is_empty() {
            expect::<Token![,]>(input, errors::OPERATION_EXPECTED)?;
            if !input.is_empty() {
                operations.push(input.parse()?);
            }
        }
        Ok(Self { layout, operations })
    }
}

impl Parse for ViewOperation {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = expect(input, errors::OPERATION_EXPECTED)?;
        match input.parse() {
            Ok(TokenTree::Group(arguments)) if arguments.delimiter() == Delimiter::Parenthesis => {
                Ok(Self { name, arguments })
            }
            _ => Err(syn::Error::new(name.span(), errors::OPERATION_EXPECTED)),
        }
    }
}

/// Returns a constant whose evaluation fails on the invalid operation.
pub(crate) fn view(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens: ViewCall { layout, operations } } = syn::parse2(input)?;
    let steps = operations.iter().map(|ViewOperation { name, arguments }| {
        // An error points at the call that fails, from the operation's name to its last argument.
        let function = quote_spanned!(name.span()=> __view);
        let receiver = quote_spanned!(name.span().resolved_at(Span::call_site())=> __layout.);
        let mut call = Group::new(Delimiter::Parenthesis, quote!(#receiver #name #arguments));
        call.set_span(arguments.span());
        quote!(let __layout = #function #call;)
    });
    Ok(quote! {
        const {
            #[allow(unused_imports, reason = "there may be no operation")]
            use #krate::__private::__view;
            let __layout: #krate::Layout = #layout;
            #(#steps)*
            __layout
        }
    })
}
