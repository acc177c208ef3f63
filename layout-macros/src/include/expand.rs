//! A packed tensor as Rust code.

use layout_core::Layout;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::array::{EpilogueValues, Quantization};
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
    quantized: Option<Constants>,
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
    let Constants { statics, constants } = quantized.unwrap_or_default();
    quote! {
        #(#attributes)*
        #visibility struct #name;

        const _: () = {
            #definitions
            #statics

            #[automatically_derived]
            impl #name {
                /// The tensor, in read-only memory.
                #[allow(dead_code)]
                #visibility const TENSOR: #krate::Tensor<__Layout, &'static [#unit; #units]> =
                    #tensor;

                #scales
                #constants
            }
        };
    }
}

/// What a file says about quantized elements, as statics and as constants of the struct.
#[derive(Default)]
pub(super) struct Constants {
    statics: TokenStream,
    constants: TokenStream,
}

/// Returns the struct of an activation, which has a scale and a zero point alone.
pub(super) fn activation(item: &Item, stored: &Quantization, file: &str) -> TokenStream {
    let Item { attributes, visibility, name } = item;
    let constants = scales_and_zero_points(stored, None, visibility);
    quote! {
        #(#attributes)*
        #visibility struct #name;

        const _: () = {
            // Makes Cargo rebuild the program when the file changes.
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);

            #[automatically_derived]
            impl #name {
                #constants
            }
        };
    }
}

/// Returns the quantization of a tensor, whose scales may be along an axis of this letter, or why it has no epilogue.
pub(super) fn quantized(
    krate: &TokenStream,
    item: &Item,
    stored: &Quantization,
    letter: Option<char>,
) -> Result<Constants, String> {
    let visibility = &item.visibility;
    let axis = letter.filter(|_| stored.scales.len() > 1);
    let mut constants = scales_and_zero_points(stored, axis, visibility);
    let Some(epilogue) = &stored.epilogue else {
        return Ok(Constants { statics: TokenStream::new(), constants });
    };
    let EpilogueValues {
        starts,
        multipliers,
        shifts,
        input_zero_point,
        zero_point,
        range: (low, high),
    } = epilogue.as_ref().map_err(Clone::clone)?;
    let count = Literal::usize_unsuffixed(starts.len());
    let shifts = shifts.iter().map(|shift| *shift as i8);
    let statics = quote! {
        static __INCLUDED_EPILOGUE: #krate::Epilogue<#count> = #krate::Epilogue {
            starts: [#(#starts),*],
            multipliers: [#(#multipliers),*],
            shifts: [#(#shifts),*],
            input_zero_point: #input_zero_point,
            fixed_point: #krate::FixedPoint::double().zero_point(#zero_point).range(#low, #high),
        };
    };
    constants.extend(quote! {
        /// What the operator that reads these weights does after its sums of products.
        #[allow(dead_code)]
        #visibility const EPILOGUE: &'static #krate::Epilogue<#count> = &__INCLUDED_EPILOGUE;
    });
    Ok(Constants { statics, constants })
}

/// Returns `SCALE` and `ZERO_POINT`, or `SCALES` and `ZERO_POINTS` if each coordinate of an axis has one.
fn scales_and_zero_points(
    stored: &Quantization,
    axis: Option<char>,
    visibility: &syn::Visibility,
) -> TokenStream {
    let values = stored.scales.iter().map(|&scale| Literal::f32_suffixed(scale));
    let points = stored.zero_points.iter().map(|&point| Literal::i64_suffixed(point));
    match (axis, stored.scales.len()) {
        (_, 0) => TokenStream::new(),
        (Some(axis), count) => {
            let text =
                format!("The value of one step of the integers, for each coordinate of {axis}.");
            let of_points =
                format!("The integer that stands for 0, for each coordinate of {axis}.");
            quote! {
                #[doc = #text]
                #[allow(dead_code)]
                #visibility const SCALES: [::core::primitive::f32; #count] = [#(#values),*];

                #[doc = #of_points]
                #[allow(dead_code)]
                #visibility const ZERO_POINTS: [::core::primitive::i64; #count] = [#(#points),*];
            }
        }
        (None, _) => quote! {
            /// The value of one step of the integers.
            #[allow(dead_code)]
            #visibility const SCALE: ::core::primitive::f32 = #(#values)*;

            /// The integer that stands for 0.
            #[allow(dead_code)]
            #visibility const ZERO_POINT: ::core::primitive::i64 = #(#points)*;
        },
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
