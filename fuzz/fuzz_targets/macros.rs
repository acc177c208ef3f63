//! Tokens of macros: each one expands to tokens that parse, errors included.
//!
//! A crate of procedural macros has no other interface, so its modules are compiled here.
#![no_main]
#![allow(dead_code, unreachable_pub)]

#[path = "../../layout-macros/src/dependency.rs"]
mod dependency;
#[path = "../../layout-macros/src/errors.rs"]
mod errors;
#[path = "../../layout-macros/src/expand.rs"]
mod expand;
#[path = "../../layout-macros/src/item_bounds.rs"]
mod item_bounds;
#[path = "../../layout-macros/src/model.rs"]
mod model;
#[path = "../../layout-macros/src/named_tensors.rs"]
mod named_tensors;
#[path = "../../layout-macros/src/parse.rs"]
mod parse;
#[path = "../../layout-macros/src/place.rs"]
mod place;
#[path = "../../layout-macros/src/relayout.rs"]
mod relayout;
#[path = "../../layout-macros/src/relayout_items.rs"]
mod relayout_items;
#[path = "../../layout-macros/src/view.rs"]
mod view;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;
use quote::quote;

fuzz_target!(|text: &str| {
    let Ok(tokens) = text.parse::<TokenStream>() else { return };
    let forwarded = quote!([tensor_layout] #tokens);
    let ty = expand::layout(forwarded.clone());
    assert!(syn::parse2::<syn::Type>(ty.clone()).is_ok() || ty.to_string().contains("!"), "{ty}");
    for items in [expand::named_format(forwarded.clone()), place::place(forwarded.clone())] {
        let items = items.unwrap_or_else(errors::Errors::into_items);
        assert!(syn::parse2::<syn::File>(items.clone()).is_ok(), "{items}");
    }
    let _ = view::view(forwarded);
    let _ = relayout::derive(
        quote!(
            #[relayout(#tokens)]
            struct Move;
        ),
        relayout::Memory::Heap,
    );
});
