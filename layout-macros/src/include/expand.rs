//! A packed tensor as Rust code.

use layout_core::Layout;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::pack::Packed;
use super::scales::Scales;
use super::syntax::Item;
use crate::expand::layout_type;
use crate::model::Model;

/// The minimal alignment of every tensor in bytes: the width of the shortest vectors. A layout may require more.
const ALIGNMENT: usize = 16;

/// Returns a block whose value is the tensor. For an item, returns a struct with the tensor and its scales as
/// constants.
pub(super) fn expand(
    krate: &TokenStream,
    item: Option<&Item>,
    model: &Model,
    layout: &Layout,
    packed: &Packed,
    file: &str,
) -> TokenStream {
    let ty = layout_type(krate, model);
    let alignment = Literal::usize_unsuffixed(layout.align().max(ALIGNMENT));
    let count = Literal::usize_unsuffixed(packed.bytes.len());
    let units = Literal::usize_unsuffixed(layout.units());
    let bytes = Literal::byte_string(&packed.bytes);
    let unit = quote!(#krate::UnitOf<__Layout>);
    let definitions = quote! {
        type __Layout = #ty;

        #[repr(C, align(#alignment))]
        struct __Aligned(#krate::__private::Included<#unit, #count>);

        static __INCLUDED: __Aligned = __Aligned(#krate::__private::Included::new(*#bytes));

        // Makes Cargo rebuild the program when the file changes. The constant does not end up in the program.
        const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);
    };
    let tensor = quote!(#krate::__private::included::<__Layout, #count, #units>(&__INCLUDED.0));
    let Some(Item { attributes, visibility, name }) = item else {
        return quote!({ #definitions #tensor });
    };
    let scales = packed.scales.as_ref().map(|scales| constants(scales, visibility));
    quote! {
        #(#attributes)*
        #visibility struct #name;

        const _: () = {
            #definitions

            #[automatically_derived]
            impl #name {
                /// The tensor, in read-only memory.
                #[allow(dead_code)]
                #visibility const TENSOR: #krate::Tensor<__Layout, &'static [#unit; #units]> =
                    #tensor;

                #scales
            }
        };
    }
}

/// Returns `SCALE` and `SUM`, or `SCALES` and `SUMS` if each coordinate of an axis has one.
fn constants(scales: &Scales, visibility: &syn::Visibility) -> TokenStream {
    let values = scales.values.iter().map(|&scale| Literal::f32_suffixed(scale));
    let sums = scales.sums.iter().map(|&sum| Literal::i64_suffixed(sum));
    match scales.axis {
        Some(axis) => {
            let count = Literal::usize_unsuffixed(scales.values.len());
            let text =
                format!("What one step of the integers is worth, for each coordinate of {axis}.");
            let of_sums = format!("The sum of the integers at each coordinate of {axis}.");
            quote! {
                #[doc = #text]
                #[allow(dead_code)]
                #visibility const SCALES: [::core::primitive::f32; #count] = [#(#values),*];

                #[doc = #of_sums]
                #[allow(dead_code)]
                #visibility const SUMS: [::core::primitive::i64; #count] = [#(#sums),*];
            }
        }
        None => quote! {
            /// The value of one step of the integers.
            #[allow(dead_code)]
            #visibility const SCALE: ::core::primitive::f32 = #(#values)*;

            /// The sum of the integers.
            #[allow(dead_code)]
            #visibility const SUM: ::core::primitive::i64 = #(#sums)*;
        },
    }
}
