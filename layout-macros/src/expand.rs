//! A checked model as Rust code.

use layout_core::ElementType;
use layout_core::chip::Step;
use layout_core::spec::{Factor, Swizzling};
use layout_core::{Place, Site};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use crate::element_type::element_type;
use crate::errors::Errors;
use crate::model::Model;
use crate::parse::{Forwarded, NamedFormat, Written};
use crate::tokens::Text;

/// `layout!`: read, check, expand.
pub(crate) fn layout(input: TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(Forwarded { krate, tokens }) => {
            try_layout(&krate, tokens).unwrap_or_else(|errors| broken_type(&krate, errors))
        }
        Err(error) => error.into_compile_error(),
    }
}

fn try_layout(krate: &TokenStream, tokens: TokenStream) -> Result<TokenStream, Errors> {
    let tokens = match syn::parse2(tokens)? {
        Written::Macro(path, rest) => return Ok(quote!(#path! { #rest })),
        Written::Layout(tokens) => tokens,
    };
    let mut errors = Errors::default();
    let model = Model::new(tokens, "", &mut errors);
    errors.gate(model.map(|model| layout_type(krate, &model)).unwrap_or_default())
}

/// Returns a layout type that contains the errors, so that uses of the type cause no further errors.
fn broken_type(krate: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    quote!(#krate::Static::<::core::primitive::u8, (), (), { #errors 0 }>)
}

/// The most factors that a tuple has.
const MOST_OF_TUPLE: usize = 31;

/// Returns `Static`, or `Mixed` if some extents are written `_`.
pub(crate) fn layout_type(krate: &TokenStream, model: &Model) -> TokenStream {
    let element = element(krate, model);
    let axes = model.draft.axes();
    let mut unknown = 0;
    let extents = axes.iter().map(|axis| {
        let letter = axis.letter;
        match model.extent(axis) {
            None => {
                unknown += 1;
                quote!(#krate::typed::Runtime<#letter>)
            }
            Some(extent) => quote!(#krate::typed::Extent<#letter, #extent>),
        }
    });
    let extents: Vec<_> = extents.collect();
    let factors = (0..model.assembly.factors().len()).map(|i| factor(krate, model, i));
    let factors: Vec<_> = factors.collect();
    let mut order = match factors.split_at_checked(MOST_OF_TUPLE) {
        Some((slower, faster @ [_, ..])) => {
            quote!(#krate::typed::Both<(#(#slower,)*), (#(#faster,)*)>)
        }
        _ => quote!((#(#factors,)*)),
    };
    if let Some(bits) = fill(krate, model) {
        order = quote!(#krate::typed::Padded<#order, #bits>);
    }
    let rank = Literal::usize_unsuffixed(axes.len());
    // With `::` the tokens are a single path even in an expression, so there is only one error.
    if unknown == 0 {
        return quote!(#krate::Static::<#element, (#(#extents,)*), #order, #rank>);
    }
    let unknown = Literal::usize_unsuffixed(unknown);
    quote!(#krate::Mixed::<#element, (#(#extents,)*), #order, #rank, #unknown>)
}

fn element(krate: &TokenStream, model: &Model) -> TokenStream {
    let ty = low_first_element(krate, model);
    if model.draft.is_high_first() { quote!(#krate::HighFirst<#ty>) } else { ty }
}

/// The element type without the option `high_first`. The names of elements mean the types of `layout-types`, whatever is
/// in scope.
fn low_first_element(krate: &TokenStream, model: &Model) -> TokenStream {
    let written = model.text.tokens(model.draft.written(Site::Element).span);
    match model.element() {
        Some(integer @ ElementType::Integer(_)) => element_type(krate, integer),
        Some(_) => quote!(#krate::__private::elements::#written),
        None => written,
    }
}

/// The bits of the fill, if padding is allowed.
fn fill(krate: &TokenStream, model: &Model) -> Option<TokenStream> {
    let bits = model.assembly.fill?;
    let value = model.draft.fill_value();
    if !value.is_expression() {
        return Some(Literal::u64_unsuffixed(bits).to_token_stream());
    }
    // The fill is a constant of the element type; this function returns its bits.
    let (ty, value) = (element_type(krate, model.draft.element.low_first()), model.argument(value));
    Some(quote!({ #krate::__private::bits_of::<#ty>(#value) }))
}

/// The marker of factor `i`.
fn factor(krate: &TokenStream, model: &Model, i: usize) -> TokenStream {
    let factor = model.assembly.factors()[i];
    let origin = model.assembly.origin(i);
    let step = origin.step.and_then(|step| model.draft.step(step));
    let expression = match step {
        Some(step) => step_number(krate, model, step),
        None => model.expression(origin.number),
    };
    let number = |literal: usize| {
        let literal = Literal::usize_unsuffixed(literal);
        expression.clone().unwrap_or(literal.to_token_stream())
    };
    let marker = match factor {
        Factor::Axis(letter) => quote!(Axis<#letter>),
        Factor::Block(letter, size) => {
            let size = number(size);
            quote!(Block<#letter, #size>)
        }
        Factor::Weighted(letter, size, weight) => {
            let size = Literal::usize_unsuffixed(size);
            let weight = Literal::usize_unsuffixed(weight);
            quote!(Weighted<#letter, #size, #weight>)
        }
        Factor::Align(bytes) => {
            let bytes = number(bytes);
            quote!(Align<#bytes>)
        }
        Factor::Pitch(bytes) => {
            let bytes = number(bytes);
            quote!(Pitch<#bytes>)
        }
        Factor::Start(bytes) => {
            let bytes = number(bytes);
            quote!(Start<#bytes>)
        }
        Factor::Lanes(letter, lanes, start) => {
            let lanes = number(lanes);
            let literal = || Literal::usize_unsuffixed(start).to_token_stream();
            let place = model.draft.written(Site::StartLane);
            let start = match place.is_none() {
                true => literal(),
                // The start lane of a number of lanes that is not known is not checked here.
                false => model.argument(place),
            };
            quote!(Lanes<#letter, #lanes, #start>)
        }
        Factor::LaneArray(lanes) => {
            let lanes = number(lanes);
            quote!(LaneArray<#lanes>)
        }
        Factor::Broadcast(letter) => quote!(Broadcast<#letter>),
        Factor::Swizzle(swizzling) => swizzle(krate, model, swizzling),
        _ => strided(model, factor, expression),
    };
    quote!(#krate::typed::#marker)
}

/// The number of a step of a storage, if it is an expression: of a chip of the user's own, or a width.
fn step_number(krate: &TokenStream, model: &Model, step: Step) -> Option<TokenStream> {
    if let Step::Width(_) = step {
        return model.expression(Site::Width);
    }
    let chip = model.draft.chip();
    if !chip.is_expression() {
        return None;
    }
    let path = model.text.tokens(chip.span);
    match step {
        // One check for all numbers of the chip.
        Step::Lanes(_) => Some(quote!({ #path.checked().lanes })),
        Step::Aligned => Some(quote!({ #path.alignment })),
        Step::Channels(_) => {
            let ty = low_first_element(krate, model);
            let ty = quote!(<#ty as #krate::Element>::TYPE);
            Some(quote!({ #path.channels_together(#ty) }))
        }
        _ => None,
    }
}

/// The marker of a factor that only layouts with strides have. The expression is its number, if it is one.
fn strided(model: &Model, factor: Factor, expression: Option<TokenStream>) -> TokenStream {
    let unsigned = |number: usize| Literal::usize_unsuffixed(number).to_token_stream();
    let signed = |number: isize| {
        let number = Literal::isize_unsuffixed(number);
        quote!({ #number })
    };
    let part = |i: usize| {
        let place = model.draft.part_numbers()[i];
        place.is_expression().then(|| model.argument(place))
    };
    match factor {
        Factor::Stride(letter, stride) => {
            let stride = expression.unwrap_or(signed(stride));
            quote!(Stride<#letter, #stride>)
        }
        Factor::StridedBlock(letter, size, weight, stride) => {
            let (size, weight) = (unsigned(size), unsigned(weight));
            let stride = expression.unwrap_or(signed(stride));
            quote!(StridedBlock<#letter, #size, #weight, #stride>)
        }
        Factor::Shift(letter, position) => {
            let position = expression.unwrap_or(unsigned(position));
            quote!(Shift<#letter, #position>)
        }
        Factor::Part(start, length) => {
            let start = part(0).unwrap_or(signed(start));
            let length = part(1).unwrap_or(unsigned(length));
            quote!(Part<#start, #length>)
        }
        Factor::Whole(length, lane) => {
            let length = part(1).unwrap_or(unsigned(length));
            let has_lanes = matches!(model.assembly.factors()[0], Factor::Lanes(_, 2.., _));
            let lane = match has_lanes {
                true => model.expression(Site::Stride(0)).unwrap_or(signed(lane)),
                false => signed(0),
            };
            quote!(WholeBuffer<#length, #lane>)
        }
        _ => quote!(Overlap),
    }
}

/// The marker of a swizzle.
fn swizzle(krate: &TokenStream, model: &Model, swizzling: Swizzling) -> TokenStream {
    let places = model.draft.swizzle_numbers();
    let written = |place: &Place| model.argument(*place);
    let unsigned = Literal::usize_unsuffixed;
    let are_known = !places.iter().any(Place::is_expression);
    let numbers = match (swizzling, are_known) {
        // A swizzle that is a constant.
        (_, false) if places[1].is_none() => {
            let value = written(&places[0]);
            let of = |part: TokenStream| quote!({ #krate::Swizzle::#part(#value) });
            let (bits, base, shift) = (of(quote!(bits)), of(quote!(base)), of(quote!(shift)));
            quote!(#bits, #base, #shift)
        }
        (_, false) => {
            let numbers = places.iter().map(written);
            quote!(#(#numbers),*)
        }
        (Swizzling::Phases(vec, per_phase, max_phase), true) => {
            let numbers = [vec, per_phase, max_phase].map(unsigned);
            quote!(#(#numbers),*)
        }
        (Swizzling::Elements(bits, base, shift) | Swizzling::Bytes(bits, base, shift), true) => {
            let (bits, base) = (unsigned(bits), unsigned(base));
            let shift = Literal::isize_unsuffixed(shift);
            quote!(#bits, #base, { #shift })
        }
    };
    match swizzling {
        Swizzling::Elements(..) => quote!(Swizzle<#numbers>),
        Swizzling::Bytes(..) => quote!(SwizzleBytes<#numbers>),
        Swizzling::Phases(..) => quote!(SwizzlePhases<#numbers>),
    }
}

/// `named_format!`: defines a macro that puts the format, or the layout, before its input and the options after it.
/// It does so for `layout!` and for `include_tensor!`, which cannot look up the name itself.
pub(crate) fn named_format(input: TokenStream) -> TokenStream {
    try_named_format(input).unwrap_or_else(Errors::into_items)
}

fn try_named_format(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens } = syn::parse2(input)?;
    let NamedFormat { attributes, name, layout, options, has_extents } = syn::parse2(tokens)?;
    let mut errors = Errors::default();
    if has_extents {
        try_layout(&krate, layout.clone())?;
    } else {
        let text = Text::of(quote!(#layout #options));
        for (error, span) in layout_core::format_faults(&text.text) {
            errors.on(text.mark(span), error);
        }
    }
    if !errors.is_empty() {
        // A macro of this name, so that its uses cause no further errors.
        let (ty, errors) = (broken_type(&krate, Errors::default()), errors.into_items());
        return Ok(quote! {
            #errors
            #[allow(unused_macros)]
            macro_rules! #name { ($($rest:tt)*) => { #ty }; }
        });
    }
    let added = if options.is_empty() { quote!() } else { quote!(; #options) };
    Ok(quote! {
        #(#attributes)*
        #[allow(unused_macros)]
        macro_rules! #name {
            (@include [$($before:tt)*] $($rest:tt)*) => {
                #krate::include_tensor! { $($before)* #layout $($rest)* #added }
            };
            ($($rest:tt)*) => { #krate::layout! { #layout $($rest)* #added } };
        }
    })
}
