//! What `#[derive(Relayout)]` writes: the plan of a pair, and its functions.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Expr, Path, Type};

use crate::parse::span_of;

/// The content of `#[relayout(..)]`.
pub(crate) struct Pair {
    pub(crate) krate: Path,
    pub(crate) source: Type,
    pub(crate) destination: Type,
    /// What happens to elements that change their type.
    pub(crate) conversion: Option<Expr>,
    /// `Source => Destination`, to point at.
    pub(crate) tokens: TokenStream,
}

/// The pieces that all functions of a pair are made of.
struct Parts<'a> {
    input: &'a DeriveInput,
    krate: &'a Path,
    /// The two layouts, where a side that is not a layout is what to point at.
    from: TokenStream,
    to: TokenStream,
    /// The call that makes the plan, with the span of the pair.
    plan: TokenStream,
    /// What only pairs of static layouts have: of others the bounds do not hold, so that a call is the error.
    if_static: TokenStream,
}

pub(crate) fn expand(input: &DeriveInput, pair: &Pair) -> TokenStream {
    let ident = &input.ident;
    let Pair { krate, source, destination, conversion, tokens } = pair;
    // A constant that no one uses is evaluated all the same: a mismatch of the two layouts is an
    // error even if nothing is ever moved, and stands on the pair.
    let (first, _) = ends_of(tokens);
    // Where a side is not a layout, its tokens are what to point at.
    let from = quote_spanned!(span_of(source)=> __Source);
    let to = quote_spanned!(span_of(destination)=> __Destination);
    let parts = Parts {
        input,
        krate,
        plan: quote_spanned!(first=> __plan::<__Source, __Destination>),
        if_static: quote! {
            for<'__any> __Source: #krate::StaticLayout, for<'__any> __Destination: #krate::StaticLayout
        },
        from,
        to,
    };
    let (definitions, functions) = match conversion {
        None => (define_move(&parts, tokens), expand_move(&parts)),
        Some(conversion) => (define_conversion(&parts, conversion), expand_conversion(&parts)),
    };
    let tensor = expand_tensor(&parts);
    let try_tensors = expand_try_tensors(&parts, conversion.is_some());
    let Parts { from, to, if_static, .. } = &parts;
    quote! {
        const _: () = {
            type __Source = #source;
            type __Destination = #destination;
            const __SOURCE: ::core::primitive::usize = #krate::__private::units_of::<#from>();
            const __DESTINATION: ::core::primitive::usize = #krate::__private::units_of::<#to>();
            const __ALIGN: ::core::primitive::usize = #krate::__private::array_align_of::<#to>();

            #definitions

            #[automatically_derived]
            #[allow(trivial_bounds)]
            impl #ident
            where
                #if_static
            {
                #functions
                #tensor
            }

            #try_tensors
        };
    }
}

/// The function that makes the destination.
fn expand_tensor(Parts { input, krate, from, to, .. }: &Parts<'_>) -> TokenStream {
    let vis = &input.vis;
    quote! {
        /// The tensor, moved to an array of its own that is aligned as the layout asks.
        ///
        /// # Panics
        /// If the buffer is no longer as long as it was when the tensor was made; arrays and slices are.
        #[inline]
        #[allow(dead_code)]
        #[must_use]
        #vis fn tensor<__B>(source: &#krate::Tensor<#from, __B>) -> #krate::Tensor<
            #to,
            #krate::tensor::Aligned<__ALIGN, [#krate::UnitOf<#to>; __DESTINATION]>,
        >
        where
            __B: ::core::convert::AsRef<[#krate::UnitOf<#from>]>,
        {
            let mut destination = ::core::default::Default::default();
            Self::tensors(source, &mut destination);
            destination
        }
    }
}

/// The plan of a pair whose elements keep their type.
fn define_move(
    Parts { input, krate, from, to, plan, if_static }: &Parts<'_>,
    tokens: &TokenStream,
) -> TokenStream {
    let ident = &input.ident;
    let (_, last) = ends_of(tokens);
    let call = quote_spanned!(last=> ());
    quote! {
        use #krate::__private::checked_plan as __plan;
        const __CHECKED: ::core::option::Option<#krate::Plan> = #plan #call;

        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #krate::Relayout for #ident
        where
            #if_static
        {
            type Source = #from;
            type Destination = #to;
            const PLAN: &'static #krate::Plan = #krate::__private::known(const { &__CHECKED });
        }
    }
}

/// The functions of a pair whose elements keep their type.
fn expand_move(parts: &Parts<'_>) -> TokenStream {
    let Parts { input, krate, from, to, .. } = parts;
    let vis = &input.vis;
    let tensors = expand_tensors(
        parts,
        "Moves one tensor to the other, padding included. It cannot fail: the layouts are part of the types.",
        &quote!(#krate::__private::run_tensors::<Self, __B, __C>(source, destination)),
    );
    quote! {
        /// How the tensor is moved.
        #[allow(dead_code)]
        #vis const PLAN: #krate::Plan = *#krate::__private::known(const { &__CHECKED });

        #tensors

        /// Moves the tensor in `source` to `destination`, padding included. Nothing can
        /// fail: the lengths, in units, are part of the types.
        #[inline]
        #[allow(dead_code)]
        #vis fn run(
            source: &[#krate::UnitOf<#from>; __SOURCE],
            destination: &mut [#krate::UnitOf<#to>; __DESTINATION],
        ) {
            #krate::__private::run::<Self, __SOURCE, __DESTINATION>(source, destination)
        }

        /// Moves the tensor in `buffer` to the other layout in the same place. A pair that does
        /// not just permute elements is a compile error.
        #[inline]
        #[allow(dead_code)]
        #vis fn run_in_place(buffer: &mut [#krate::UnitOf<#to>; __DESTINATION]) {
            #krate::__private::run_in_place::<Self, __DESTINATION>(buffer)
        }

        /// The tensor in `source`, moved while the program compiles.
        #[inline]
        #[allow(dead_code)]
        #vis const fn constant(
            source: &[#krate::UnitOf<#from>; __SOURCE],
        ) -> [#krate::UnitOf<#to>; __DESTINATION] {
            #krate::__private::constant::<Self, __SOURCE, __DESTINATION>(source)
        }
    }
}

/// The plan of a pair with a conversion.
fn define_conversion(
    Parts { input, krate, from, to, plan, if_static }: &Parts<'_>,
    conversion: &Expr,
) -> TokenStream {
    let ident = &input.ident;
    let call = quote_spanned!(span_of(conversion)=> (&__CONVERSION));
    quote! {
        use #krate::__private::checked_conversion_plan as __plan;
        type __From = <__Source as #krate::LayoutType>::Element;
        type __To = <__Destination as #krate::LayoutType>::Element;
        const __CONVERSION: #krate::Conversion<'static> = #conversion;
        const __CHECKED: ::core::option::Option<#krate::ConversionPlan<'static, __From, __To>> =
            #plan #call;

        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #krate::__private::Converts<__From, __To> for #ident
        where
            #if_static
        {
            const PLAN: #krate::ConversionPlan<'static, __From, __To> =
                *#krate::__private::known(const { &__CHECKED });
        }

        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #krate::Relayout for #ident
        where
            #if_static
        {
            type Source = #from;
            type Destination = #to;

            fn run_slices(
                source: &[#krate::UnitOf<#from>],
                destination: &mut [#krate::UnitOf<#to>],
            ) -> ::core::result::Result<(), #krate::LayoutError> {
                #krate::convert(const { &Self::PLAN }, source, destination)
            }
        }
    }
}

/// The functions of a pair with a conversion.
fn expand_conversion(parts: &Parts<'_>) -> TokenStream {
    let Parts { input, krate, from, to, .. } = parts;
    let vis = &input.vis;
    let tensors = expand_tensors(
        parts,
        "Moves one tensor to the other and converts its elements, padding included. It cannot fail: the layouts \
         are part of the types.",
        &quote! {
            #krate::__private::run_conversion_of_tensors::<Self, #from, #to, __B, __C>(
                source,
                destination,
            )
        },
    );
    quote! {
        /// How the tensor is moved and its elements converted.
        #[allow(dead_code)]
        #vis const PLAN: #krate::ConversionPlan<'static, __From, __To> =
            *#krate::__private::known(const { &__CHECKED });

        #tensors

        /// Moves the tensor in `source` to `destination` and converts its elements, padding
        /// included. Nothing can fail: the lengths, in units, are part of the types.
        #[inline]
        #[allow(dead_code)]
        #vis fn run(
            source: &[#krate::UnitOf<#from>; __SOURCE],
            destination: &mut [#krate::UnitOf<#to>; __DESTINATION],
        ) {
            #krate::__private::run_conversion::<Self, __From, __To, __SOURCE, __DESTINATION>(
                source,
                destination,
            )
        }
    }
}

/// The function from one tensor to the other.
fn expand_tensors(
    Parts { input, krate, from, to, .. }: &Parts<'_>,
    summary: &str,
    call: &TokenStream,
) -> TokenStream {
    let vis = &input.vis;
    let buffers = buffers(krate, from, to);
    quote! {
        #[doc = #summary]
        ///
        /// # Panics
        /// If a buffer is no longer as long as it was when its tensor was made; arrays and slices are.
        #[inline]
        #[allow(dead_code)]
        #vis fn tensors<__B, __C>(
            source: &#krate::Tensor<#from, __B>,
            destination: &mut #krate::Tensor<#to, __C>,
        )
        #buffers
        {
            #call
        }
    }
}

/// The function of all pairs, of extents that run time knows too.
fn expand_try_tensors(
    Parts { input, krate, from, to, .. }: &Parts<'_>,
    converts: bool,
) -> TokenStream {
    let DeriveInput { ident, vis, .. } = input;
    let buffers = buffers(krate, from, to);
    let call = match converts {
        true => quote!(#krate::__private::try_convert_tensors(source, destination, &__CONVERSION)),
        false => quote!(#krate::__private::try_tensors(source, destination)),
    };
    quote! {
        #[automatically_derived]
        impl #ident {
            /// Does what `tensors` does, for extents that run time knows too.
            ///
            /// # Errors
            /// Extents that differ, or a buffer that no longer has the length of its layout. Nothing is
            /// written then.
            #[inline]
            #[allow(dead_code)]
            #vis fn try_tensors<__B, __C>(
                source: &#krate::Tensor<#from, __B>,
                destination: &mut #krate::Tensor<#to, __C>,
            ) -> ::core::result::Result<(), #krate::LayoutError>
            #buffers
            {
                #call
            }
        }
    }
}

/// What buffers of tensors are.
fn buffers(krate: &Path, from: &TokenStream, to: &TokenStream) -> TokenStream {
    quote! {
        where
            __B: ::core::convert::AsRef<[#krate::UnitOf<#from>]>,
            __C: ::core::convert::AsRef<[#krate::UnitOf<#to>]>
                + ::core::convert::AsMut<[#krate::UnitOf<#to>]>,
    }
}

/// The spans of the first token and of the last.
fn ends_of(tokens: &TokenStream) -> (Span, Span) {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}
