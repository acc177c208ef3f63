//! A packed tensor as Rust code.

use layout_core::Layout;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::array::{EpilogueValues, Quantization};
use super::pack::PackedArray;
use super::syntax::Item;
use crate::expand::layout_type;
use crate::model::Model;

/// The minimal alignment of every tensor in bytes: the width of the shortest vectors. A layout may require more.
pub(super) const ALIGNMENT: usize = 16;

/// Returns a block whose value is the tensor. For an item, returns a struct with the tensor and its scales as
/// constants.
pub(super) fn expand(
    krate: &TokenStream,
    item: Option<&Item>,
    model: &Model,
    layout: &Layout,
    packed: &PackedArray,
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
    };
    let tensor = quote!(#krate::__private::included::<__Layout, #count, #units>(&__INCLUDED.0));
    let Some(Item { visibility, .. }) = item else {
        return wrapped(None, file, &definitions, &tensor);
    };
    let scales = packed.scales.as_ref().map(|quantized| {
        let sums = ("SUM", "The sum of the integers", &quantized.sums[..]);
        constants(&quantized.values, sums, quantized.axis, visibility)
    });
    let Constants { statics, constants } = quantized.unwrap_or_default();
    let constants = quote! {
        /// The tensor, in read-only memory.
        #[allow(dead_code)]
        #visibility const TENSOR: #krate::Tensor<__Layout, &'static [#unit; #units]> = #tensor;

        #scales
        #constants
    };
    wrapped(item, file, &quote!(#definitions #statics), &constants)
}

/// Returns a struct with constants after definitions, or without an item a block with its value.
pub(super) fn wrapped(
    item: Option<&Item>,
    file: &str,
    definitions: &TokenStream,
    value: &TokenStream,
) -> TokenStream {
    let definitions = quote! {
        #definitions

        // Makes Cargo rebuild the program when the file changes. The constant does not end up in the program.
        const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);
    };
    let Some(Item { attributes, visibility, name }) = item else {
        return quote!({ #definitions #value });
    };
    quote! {
        #(#attributes)*
        #visibility struct #name;

        const _: () = {
            #definitions

            #[automatically_derived]
            impl #name {
                #value
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
    let constants = scales_and_zero_points(stored, None, &item.visibility);
    wrapped(Some(item), file, &TokenStream::new(), &constants)
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
    let points = ("ZERO_POINT", "The integer that stands for 0", &stored.zero_points[..]);
    constants(&stored.scales, points, axis, visibility)
}

/// Returns `SCALE` and integers beside it, by their name and what they are, as lists if each coordinate of an axis has one.
fn constants(
    scales: &[f32],
    (name, about, integers): (&str, &str, &[i64]),
    axis: Option<char>,
    visibility: &syn::Visibility,
) -> TokenStream {
    if scales.is_empty() {
        return TokenStream::new();
    }
    let (plural, each) = match axis {
        Some(axis) => ("S", format!(", for each coordinate of {axis}.")),
        None => ("", ".".into()),
    };
    let constant = |name: &str, about: &str, ty: &TokenStream, values: Vec<Literal>| {
        let (name, about) = (format_ident!("{name}{plural}"), format!("{about}{each}"));
        let (count, all) = (Literal::usize_unsuffixed(values.len()), quote!(#(#values),*));
        let (ty, all) = match axis {
            Some(_) => (quote!([::core::primitive::#ty; #count]), quote!([#all])),
            None => (quote!(::core::primitive::#ty), all),
        };
        quote! {
            #[doc = #about]
            #[allow(dead_code)]
            #visibility const #name: #ty = #all;
        }
    };
    let values = scales.iter().map(|scale| Literal::f32_suffixed(*scale)).collect();
    let scale = constant("SCALE", "The value of one step of the integers", &quote!(f32), values);
    let values = integers.iter().map(|value| Literal::i64_suffixed(*value)).collect();
    let other = constant(name, about, &quote!(i64), values);
    quote!(#scale #other)
}
