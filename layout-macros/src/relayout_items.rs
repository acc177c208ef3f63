//! The items that `#[derive(Relayout)]` generates: the plan of two layouts, and its functions.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Expr, Path, Type};

use crate::model::span_of;

/// The content of `#[relayout(..)]`.
pub(crate) struct RelayoutSides {
    pub(crate) krate: Path,
    pub(crate) source: Type,
    pub(crate) destination: Type,
    /// The conversion, if the element types differ.
    pub(crate) conversion: Option<Expr>,
    /// Whether the types are those of records.
    pub(crate) are_records: bool,
    /// `Source => Destination`, for errors.
    pub(crate) tokens: TokenStream,
}

/// The tokens shared by all functions of a pair.
struct RelayoutParts<'a> {
    input: &'a DeriveInput,
    krate: &'a Path,
    /// The two layouts, with the spans of their sides, so that an error about a type that is not a layout points
    /// there.
    from: TokenStream,
    to: TokenStream,
    /// The call that makes the plan, with the span of the pair.
    plan: TokenStream,
    /// The bounds of functions for static layouts alone. For other layouts the bounds do not hold, so calling the
    /// function is an error.
    if_static: TokenStream,
}

/// Where the function `tensor` makes the destination.
#[derive(Clone, Copy)]
pub(crate) enum Memory {
    Heap,
    /// There is no heap, and no such function.
    Array,
}

pub(crate) fn expand(input: &DeriveInput, pair: &RelayoutSides, memory: Memory) -> TokenStream {
    let ident = &input.ident;
    let RelayoutSides { krate, source, destination, conversion, tokens, are_records } = pair;
    // An unused constant is evaluated too. So two layouts that do not match are an error on the pair, even if nothing
    // is ever moved.
    let (first, _) = ends_of(tokens);
    if *are_records {
        return expand_records(input, pair);
    }
    // If a side is not a layout, its tokens get the error.
    let from = quote_spanned!(span_of(source)=> __Source);
    let to = quote_spanned!(span_of(destination)=> __Destination);
    let parts = RelayoutParts {
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
    let tensor = expand_tensor(&parts, memory);
    let try_run = expand_try_run(&parts, conversion.is_some());
    let RelayoutParts { from, to, if_static, .. } = &parts;
    quote! {
        const _: () = {
            type __Source = #source;
            type __Destination = #destination;
            const __SOURCE: ::core::primitive::usize = #krate::__private::units_of::<#from>();
            const __DESTINATION: ::core::primitive::usize = #krate::__private::units_of::<#to>();
            const __ALIGN: ::core::primitive::usize = #krate::__private::array_align_of::<#to>();
            // Here the compiler evaluates the lengths once, and in functions with bounds once more for each.
            type __SourceArray = [#krate::UnitOf<#from>; __SOURCE];
            type __DestinationArray = [#krate::UnitOf<#to>; __DESTINATION];
            type __Aligned = #krate::tensor::Aligned<__ALIGN, __DestinationArray>;

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

            #try_run
        };
    }
}

/// Generates the function that moves a record to another one, and the check that it can.
fn expand_records(input: &DeriveInput, pair: &RelayoutSides) -> TokenStream {
    let RelayoutSides { krate, source, destination, tokens, .. } = pair;
    let DeriveInput { ident, vis, .. } = input;
    let (first, last) = ends_of(tokens);
    let (from, to) = (
        quote_spanned!(span_of(source)=> __Source),
        quote_spanned!(span_of(destination)=> __Destination),
    );
    let check = quote_spanned!(first=> __check::<#from, #to>);
    let call = quote_spanned!(last=> ());
    quote! {
        const _: () = {
            use #krate::records::check_records as __check;
            type __Source = #source;
            type __Destination = #destination;
            const _: () = #check #call;

            #[automatically_derived]
            impl #ident {
                /// Moves all fields of a record to the other one, and writes the padding of its fields as their marks say.
                ///
                /// # Errors
                /// A buffer has become shorter since its record got it. Arrays and slices never do. Nothing is written then.
                #[inline]
                #[allow(dead_code)]
                #vis fn run<__B, __C, const __FROM: ::core::primitive::usize, const __TO: ::core::primitive::usize>(
                    source: &#krate::records::RecordBuffer<#from, __B, __FROM>,
                    destination: &mut #krate::records::RecordBuffer<#to, __C, __TO>,
                ) -> ::core::result::Result<(), #krate::records::RecordError>
                where
                    __B: ::core::convert::AsRef<[::core::primitive::u8]>,
                    __C: ::core::convert::AsMut<[::core::primitive::u8]>,
                {
                    #krate::records::run_records(source, destination)
                }
            }
        };
    }
}

/// Generates the functions that make the destination.
fn expand_tensor(parts: &RelayoutParts<'_>, memory: Memory) -> TokenStream {
    let RelayoutParts { input, krate, from, to, .. } = parts;
    let vis = &input.vis;
    let tensor = match memory {
        Memory::Heap => quote! {
            /// Moves the tensor to a new tensor on the heap with the layout's alignment. If memory cannot be allocated,
            /// it does what `Vec` does.
            ///
            /// # Panics
            /// If the buffer has become shorter since the tensor was made. Arrays and slices never do.
            #[inline]
            #[allow(dead_code)]
            #[must_use]
            #vis fn tensor<__B>(source: &#krate::Tensor<#from, __B>) -> #krate::Tensor<#to>
            where
                __B: ::core::convert::AsRef<[#krate::UnitOf<#from>]>,
            {
                let mut destination = #krate::Tensor::zeroed();
                Self::run(source, &mut destination);
                destination
            }
        },
        // The name stays taken, so that no program depends on the feature being absent.
        Memory::Array => quote! {
            /// Needs feature `alloc` of tensor-layout.
            #[allow(dead_code)]
            #vis fn tensor<__B>(_: &#krate::Tensor<#from, __B>) -> #krate::Tensor<#to, __Aligned>
            where
                __B: #krate::__private::Allocates,
            {
                ::core::unreachable!()
            }
        },
    };
    quote! {
        #tensor

        /// Moves the tensor to a new array with the layout's alignment. The array is returned on the stack; it is a
        /// compile error if it has more than 64 KiB.
        ///
        /// # Panics
        /// If the buffer has become shorter since the tensor was made. Arrays and slices never do.
        #[inline]
        #[allow(dead_code)]
        #[must_use]
        #vis fn array<__B>(source: &#krate::Tensor<#from, __B>) -> #krate::Tensor<#to, __Aligned>
        where
            __B: ::core::convert::AsRef<[#krate::UnitOf<#from>]>,
        {
            let mut destination = ::core::default::Default::default();
            Self::run(source, &mut destination);
            destination
        }
    }
}

/// Generates the plan of a pair whose elements keep their type.
fn define_move(parts: &RelayoutParts<'_>, tokens: &TokenStream) -> TokenStream {
    let RelayoutParts { krate, plan, .. } = parts;
    let (_, last) = ends_of(tokens);
    let call = quote_spanned!(last=> ());
    let checked = define_checked(&quote!(#krate::Plan));
    let constant = quote!(const PLAN: &'static #krate::Plan = #krate::__private::expect_static(__checked::<Self>()););
    let relayout = implement(parts, &constant);
    quote! {
        use #krate::__private::checked_plan as __plan;
        const __CHECKED: ::core::option::Option<#krate::Plan> = #plan #call;
        #checked
        #relayout
    }
}

/// Generates the impl of `Relayout`, which has this item.
fn implement(
    RelayoutParts { input, krate, from, to, if_static, .. }: &RelayoutParts<'_>,
    item: &TokenStream,
) -> TokenStream {
    let ident = &input.ident;
    quote! {
        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #krate::Relayout for #ident
        where
            #if_static
        {
            type Source = #from;
            type Destination = #to;
            #item
        }
    }
}

/// Generates the function that returns the checked plan.
///
/// The functions of a pair have bounds, and the compiler keeps the constants that they name apart from all others: it
/// would evaluate the plan and its layouts a second time. A function without bounds names the plan for them. It has a
/// parameter, so a plan that is an error has no second error where the function is.
fn define_checked(plan: &TokenStream) -> TokenStream {
    quote! {
        const fn __checked<__Relayout>() -> &'static ::core::option::Option<#plan> {
            const { &__CHECKED }
        }
    }
}

/// Generates the functions of a pair whose elements keep their type.
fn expand_move(parts: &RelayoutParts<'_>) -> TokenStream {
    let RelayoutParts { input, krate, .. } = parts;
    let vis = &input.vis;
    let run = expand_run(
        parts,
        ("How the tensor is moved.", &quote!(#krate::Plan)),
        "Moves one tensor to the other, padding included. It cannot fail: the layouts are part of the types.",
        "Moves the tensor in `source` to `destination` and fills padding. The lengths, in units, are part of the \
         types, so it cannot fail.",
        [
            quote!(#krate::__private::run::<Self, __B, __C>(source, destination)),
            quote!(#krate::__private::run_arrays::<Self, _, _>(source, destination)),
        ],
    );
    quote! {
        #run

        /// Moves the tensor to the other layout within `buffer`. It is a compile error if the relayout does more than
        /// permute elements.
        #[inline]
        #[allow(dead_code)]
        #vis fn run_in_place(buffer: &mut __DestinationArray) {
            #krate::__private::run_in_place::<Self, _>(buffer)
        }

        /// Moves the tensor in `source` at compile time.
        #[inline]
        #[allow(dead_code)]
        #vis const fn constant(source: &__SourceArray) -> __DestinationArray {
            #krate::__private::constant::<Self, _, _>(source)
        }
    }
}

/// Generates the plan of a pair with a conversion.
fn define_conversion(parts: &RelayoutParts<'_>, conversion: &Expr) -> TokenStream {
    let RelayoutParts { input: DeriveInput { ident, .. }, krate, from, to, plan, if_static } =
        parts;
    let call = quote_spanned!(span_of(conversion)=> (&__CONVERSION));
    let checked = define_checked(&quote!(#krate::ConversionPlan<'static, __From, __To>));
    let function = quote! {
        fn run_slices(
            source: &[#krate::UnitOf<#from>],
            destination: &mut [#krate::UnitOf<#to>],
        ) -> ::core::result::Result<(), #krate::LayoutError> {
            #krate::__private::run_conversion_of_slices(Self::PLAN, source, destination)
        }
    };
    let relayout = implement(parts, &function);
    quote! {
        use #krate::__private::checked_conversion_plan as __plan;
        type __From = <__Source as #krate::LayoutType>::Element;
        type __To = <__Destination as #krate::LayoutType>::Element;
        const __CONVERSION: #krate::Conversion<'static> = #conversion;
        const __CHECKED: ::core::option::Option<#krate::ConversionPlan<'static, __From, __To>> =
            #plan #call;
        #checked

        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #krate::__private::Converts<__From, __To> for #ident
        where
            #if_static
        {
            const PLAN: &'static #krate::ConversionPlan<'static, __From, __To> =
                #krate::__private::expect_static(__checked::<Self>());
        }

        #relayout
    }
}

/// Generates the functions of a pair with a conversion.
fn expand_conversion(parts: &RelayoutParts<'_>) -> TokenStream {
    let RelayoutParts { krate, from, to, .. } = parts;
    expand_run(
        parts,
        (
            "How the tensor is moved and its elements are converted.",
            &quote!(#krate::ConversionPlan<'static, __From, __To>),
        ),
        "Moves one tensor to the other and converts its elements, padding included. It cannot fail: the layouts \
         are part of the types.",
        "Moves the tensor in `source` to `destination`, converts its elements and fills padding. The lengths, in \
         units, are part of the types, so it cannot fail.",
        [
            quote!(#krate::__private::run_conversion::<Self, #from, #to, __B, __C>(source, destination)),
            quote!(#krate::__private::run_conversion_of_arrays::<Self, __From, __To, _, _>(source, destination)),
        ],
    )
}

/// Generates the plan, and the functions from one tensor and from one array to the other, with what they are.
fn expand_run(
    RelayoutParts { input, krate, from, to, .. }: &RelayoutParts<'_>,
    (of_plan, plan): (&str, &TokenStream),
    of_run: &str,
    of_arrays: &str,
    [run, arrays]: [TokenStream; 2],
) -> TokenStream {
    let vis = &input.vis;
    let buffers = buffers(krate, from, to);
    quote! {
        #[doc = #of_plan]
        #[allow(dead_code)]
        #vis const PLAN: &'static #plan = #krate::__private::expect_static(__checked::<Self>());

        #[doc = #of_run]
        ///
        /// # Panics
        /// If a buffer has become shorter since its tensor was made. Arrays and slices never do.
        #[inline]
        #[allow(dead_code)]
        #vis fn run<__B, __C>(
            source: &#krate::Tensor<#from, __B>,
            destination: &mut #krate::Tensor<#to, __C>,
        )
        #buffers
        {
            #run
        }

        #[doc = #of_arrays]
        #[inline]
        #[allow(dead_code)]
        #vis fn run_arrays(source: &__SourceArray, destination: &mut __DestinationArray) {
            #arrays
        }
    }
}

/// Generates the function for all pairs, including those with extents known only at run time.
fn expand_try_run(
    RelayoutParts { input, krate, from, to, .. }: &RelayoutParts<'_>,
    converts: bool,
) -> TokenStream {
    let DeriveInput { ident, vis, .. } = input;
    let buffers = buffers(krate, from, to);
    let call = match converts {
        true => quote!(#krate::__private::try_run_conversion(source, destination, &__CONVERSION)),
        false => quote!(#krate::__private::try_run(source, destination)),
    };
    quote! {
        #[automatically_derived]
        impl #ident {
            /// Does what `run` does, also for extents known only at run time.
            ///
            /// # Errors
            /// - The extents differ.
            /// - A buffer has become shorter than its layout.
            ///
            /// On an error, nothing is written.
            #[inline]
            #[allow(dead_code)]
            #vis fn try_run<__B, __C>(
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

/// Returns the bounds on buffers of tensors.
fn buffers(krate: &Path, from: &TokenStream, to: &TokenStream) -> TokenStream {
    quote! {
        where
            __B: ::core::convert::AsRef<[#krate::UnitOf<#from>]>,
            __C: ::core::convert::AsRef<[#krate::UnitOf<#to>]>
                + ::core::convert::AsMut<[#krate::UnitOf<#to>]>,
    }
}

/// Returns the spans of the first and the last token.
fn ends_of(tokens: &TokenStream) -> (Span, Span) {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}
