//! A checked model as Rust code.

use layout_core::ElementType;
use layout_core::chip::Step;
use layout_core::spec::{Factor, Swizzling};
use layout_core::{Place, Site, Writing};
use proc_macro2::{Ident, Literal, Span as TokenSpan, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use crate::errors::{self, Errors};
use crate::model::Model;
use crate::model::TokenText;
use crate::parse::{Forwarded, NamedFormat, WrittenLayout};

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
    #[cfg(feature = "records")]
    if let Some(record) = crate::record_types::record_type(krate, &tokens) {
        return record;
    }
    let tokens = match syn::parse2(tokens)? {
        WrittenLayout::Macro(path, rest) => return Ok(quote!(#path! { #rest })),
        WrittenLayout::Layout(tokens) => tokens,
    };
    let mut errors = Errors::default();
    let model = Model::new(tokens, "", &mut errors);
    errors.gate(model.map(|model| layout_type(krate, &model)).unwrap_or_default())
}

/// Returns a layout type that contains the errors, so that uses of the type cause no further errors.
pub(crate) fn broken_type(krate: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    quote!(#krate::Static::<::core::primitive::u8, (), (), { #errors 0 }>)
}

/// The most factors that a tuple has.
const MOST_OF_TUPLE: usize = 31;

/// Returns `Static`, or `Mixed` if some extents or pitches are written `_`.
pub(crate) fn layout_type(krate: &TokenStream, model: &Model) -> TokenStream {
    let element = element(krate, model);
    let axes = model.draft.template.axes();
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
    unknown += (0..factors.len()).filter(|&i| is_open_pitch(model, i)).count();
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

/// The element type without the option `high_first`. The names of elements mean the types of `layout-types`, whatever
/// is in scope.
fn low_first_element(krate: &TokenStream, model: &Model) -> TokenStream {
    let written = model.text.tokens(model.draft.written(Site::Element).span);
    match model.element() {
        Some(integer @ ElementType::Integer(_)) => element_type(krate, integer),
        Some(_) => quote!(#krate::__private::elements::#written),
        None => errors::unless::<Type>(&written, errors::NOT_A_TYPE).unwrap_or(written),
    }
}

/// The type of an element that has a name.
pub(crate) fn element_type(krate: &TokenStream, element: ElementType) -> TokenStream {
    let name = |text: &str| Ident::new(text, TokenSpan::call_site());
    match element {
        ElementType::Integer(_) => {
            let sign =
                if element.integer_range().is_some_and(|(low, _)| low < 0) { "i" } else { "u" };
            let (stored, bits) = (name(&format!("{sign}{}", element.bits())), element.value_bits());
            quote!(#krate::__private::elements::Int<#krate::__private::elements::#stored, #bits>)
        }
        _ => {
            let name = name(element.name().as_str());
            quote!(#krate::__private::elements::#name)
        }
    }
}

/// The bits of the fill, if padding is allowed.
fn fill(krate: &TokenStream, model: &Model) -> Option<TokenStream> {
    let bits = model.assembly.fill?;
    let value = model.draft.places.fill_value;
    if !value.is_expression() {
        return Some(Literal::u64_unsuffixed(bits).to_token_stream());
    }
    // The fill is a constant of the element type; this function returns its bits.
    let (ty, value) =
        (element_type(krate, model.draft.template.element().low_first()), model.argument(value));
    Some(quote!({ #krate::__private::bits_of::<#ty>(#value) }))
}

/// Whether factor `i` is a pitch that is known at run time.
fn is_open_pitch(model: &Model, i: usize) -> bool {
    let place = model.draft.written(model.assembly.site_of(i));
    matches!(model.assembly.factors()[i], Factor::Pitch(_)) && place.writing == Writing::Open
}

/// The marker of factor `i`.
fn factor(krate: &TokenStream, model: &Model, i: usize) -> TokenStream {
    let factor = model.assembly.factors()[i];
    let expression = match model.assembly.site_of(i) {
        Site::Storage(step) => step_number(krate, model, step),
        site => model.expression(site),
    };
    let number = |literal: usize| expression.clone().unwrap_or(unsigned(literal));
    let stride = |literal: isize| expression.clone().unwrap_or(signed(literal));
    let part = |i: usize| {
        let place = model.draft.places.part_numbers[i];
        place.is_expression().then(|| model.argument(place))
    };
    let letter = |letter: char| letter.to_token_stream();
    let (name, arguments) = match factor {
        Factor::Axis(axis) => ("Axis", vec![letter(axis)]),
        Factor::Block(axis, size) => ("Block", vec![letter(axis), number(size)]),
        Factor::Weighted(axis, size, weight) => {
            ("Weighted", vec![letter(axis), unsigned(size), unsigned(weight)])
        }
        Factor::Align(bytes) => ("Align", vec![number(bytes)]),
        Factor::Pitch(_) if is_open_pitch(model, i) => ("RuntimePitch", vec![]),
        Factor::Pitch(bytes) => ("Pitch", vec![number(bytes.value().unwrap_or(0))]),
        Factor::Start(bytes) => ("Start", vec![number(bytes)]),
        Factor::Lanes(axis, lanes, start) => {
            // The start lane of a number of lanes that is not known is not checked here.
            let place = Some(model.draft.written(Site::StartLane)).filter(|place| !place.is_none());
            let start = place.map_or(unsigned(start), |place| model.argument(place));
            ("Lanes", vec![letter(axis), number(lanes), start])
        }
        Factor::LaneArray(lanes) => ("LaneArray", vec![number(lanes)]),
        Factor::Broadcast(axis) => ("Broadcast", vec![letter(axis)]),
        Factor::Stride(axis, elements) => ("Stride", vec![letter(axis), stride(elements)]),
        Factor::StridedBlock(axis, size, weight, elements) => {
            ("StridedBlock", vec![letter(axis), unsigned(size), unsigned(weight), stride(elements)])
        }
        Factor::Shift(axis, position) => ("Shift", vec![letter(axis), number(position)]),
        Factor::Overlap => ("Overlap", vec![]),
        Factor::Part(start, length) => {
            let length = part(1).unwrap_or(unsigned(length));
            ("Part", vec![part(0).unwrap_or(signed(start)), length])
        }
        Factor::Whole(length, lane) => {
            let has_lanes = matches!(model.assembly.factors()[0], Factor::Lanes(_, 2.., _));
            let written = model.expression(Site::Stride(0)).filter(|_| has_lanes);
            let lane = written.unwrap_or(signed(if has_lanes { lane } else { 0 }));
            ("WholeBuffer", vec![part(1).unwrap_or(unsigned(length)), lane])
        }
        Factor::Swizzle(swizzling) => swizzle(krate, model, swizzling),
    };
    let name = Ident::new(name, TokenSpan::call_site());
    match arguments.is_empty() {
        true => quote!(#krate::typed::#name),
        false => quote!(#krate::typed::#name<#(#arguments),*>),
    }
}

fn unsigned(number: usize) -> TokenStream {
    Literal::usize_unsuffixed(number).to_token_stream()
}

/// A number that may have a sign, as an argument of a const parameter.
fn signed(number: isize) -> TokenStream {
    let number = Literal::isize_unsuffixed(number);
    quote!({ #number })
}

/// The number of a step of a storage, if it is an expression: of a chip of the user's own.
fn step_number(krate: &TokenStream, model: &Model, step: usize) -> Option<TokenStream> {
    let chip = model.draft.places.chip;
    if !chip.is_expression() {
        return None;
    }
    let path = model.text.tokens(chip.span);
    match model.draft.step(step)? {
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

/// The marker of a swizzle, and its numbers.
fn swizzle(
    krate: &TokenStream,
    model: &Model,
    swizzling: Swizzling,
) -> (&'static str, Vec<TokenStream>) {
    let places = model.draft.places.swizzle_numbers;
    let (name, numbers) = match swizzling {
        Swizzling::Phases(vec, per_phase, max_phase) => {
            ("SwizzlePhases", [vec, per_phase, max_phase].map(unsigned))
        }
        Swizzling::Elements(bits, base, shift) => {
            ("Swizzle", [unsigned(bits), unsigned(base), signed(shift)])
        }
        Swizzling::Bytes(bits, base, shift) => {
            ("SwizzleBytes", [unsigned(bits), unsigned(base), signed(shift)])
        }
    };
    if !places.iter().any(Place::is_expression) {
        return (name, numbers.to_vec());
    }
    // A swizzle that is a constant.
    if places[1].is_none() {
        let value = model.argument(places[0]);
        let of = |part: TokenStream| quote!({ #krate::Swizzle::#part(#value) });
        return (name, [quote!(bits), quote!(base), quote!(shift)].map(of).to_vec());
    }
    (name, places.iter().map(|place| model.argument(*place)).collect())
}

/// `named_format!`: defines a macro that puts the format, or the layout, before its input and the options after it.
/// It does so for `layout!` and for `include_tensor!`, which cannot look up the name itself.
pub(crate) fn named_format(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens } = syn::parse2(input)?;
    let NamedFormat { attributes, name, layout, options, has_extents } = tokens;
    let mut errors = Errors::default();
    if has_extents {
        try_layout(&krate, layout.clone())?;
    } else {
        let text = TokenText::of(quote!(#layout #options));
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
