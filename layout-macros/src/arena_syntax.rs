//! The syntax of `arena!`.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Token, Type, Visibility, token};

use crate::parse::{after, braces, expect, parentheses};

const ARENA: &str = "expected `struct NAME { TENSORS }`, or `in BYTES` or `in MEMORY(BYTES), ..` before the \
     braces; write it as in `arena! { struct Arena in 65536 { input: Input, output: Output } fn run(input) -> output { \
     output = copy(input); } }`";
const TENSOR: &str = "expected a tensor; write `NAME: LAYOUT`, `NAME: LAYOUT in MEMORY`, `NAME: LAYOUT = ADDRESS`, \
     `NAME: LAYOUT in MEMORY = ADDRESS` or `static NAME: LAYOUT`, separated by commas";
const RUN: &str =
    "expected the steps; write them as in `fn run(input) -> output { output = copy(input); }`";
const STEP: &str = "expected a step; write `OUTPUT = STEP(INPUT);`, `OUTPUT = STEP(INPUT) by RELAYOUT;` or \
     `STEP(mut TENSOR);`";
const ONE_RUN: &str = "an arena has one function; write another `arena!` for other steps";
const BYTES: &str =
    "expected the bytes of the memory; write them, as in `in 65536` or `in FAST(65536)`";
const ARGUMENT: &str = "expected a tensor; write `NAME`, `mut NAME` or `NAME in place`";

/// The input of `arena!`: `#[attributes] pub struct NAME in MEMORIES { TENSORS } fn RUN(INPUTS) -> OUTPUTS { STEPS }`.
pub(crate) struct Arena {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) memories: Vec<NamedMemory>,
    pub(crate) tensors: Vec<DeclaredTensor>,
    pub(crate) run: Ident,
    pub(crate) parameters: Vec<Ident>,
    pub(crate) results: Vec<Ident>,
    pub(crate) steps: Vec<ArenaStep>,
}

/// `MEMORY(BYTES)`
pub(crate) struct NamedMemory {
    pub(crate) name: Ident,
    pub(crate) bytes: Option<Expr>,
}

/// `static NAME: LAYOUT in MEMORY = ADDRESS`. A static tensor is alive at all steps and stays between runs.
pub(crate) struct DeclaredTensor {
    pub(crate) is_static: bool,
    pub(crate) name: Ident,
    pub(crate) layout: Type,
    pub(crate) memory: Option<Ident>,
    pub(crate) address: Option<Expr>,
}

/// `OUTPUTS = NAME(ARGUMENTS) by RELAYOUT;`
pub(crate) struct ArenaStep {
    pub(crate) name: Ident,
    pub(crate) outputs: Vec<Ident>,
    pub(crate) arguments: Vec<(Ident, Borrow)>,
    pub(crate) relayout: Option<Type>,
}

/// How a step takes a tensor: `NAME`, `mut NAME` or `NAME in place`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borrow {
    Read,
    Write,
    InPlace,
}

/// One name, or several in parentheses.
fn names(input: ParseStream<'_>, text: &str) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Paren) {
        return Ok(vec![expect(input, text)?]);
    }
    let content = parentheses(input, text)?;
    let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content);
    Ok(names.map_err(|error| syn::Error::new(error.span(), text))?.into_iter().collect())
}

impl Parse for Arena {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attributes, visibility) = (input.call(Attribute::parse_outer)?, input.parse()?);
        expect::<Token![struct]>(input, ARENA)?;
        let name = expect(input, ARENA)?;
        let memories = memories(input, &name)?;
        let (content, mut tensors) = (braces(input, ARENA)?, Vec::new());
        while !content.is_empty() {
            tensors.push(content.parse()?);
            if !content.is_empty() {
                expect::<Token![,]>(&content, TENSOR)?;
            }
        }
        expect::<Token![fn]>(input, RUN)?;
        let run = expect(input, RUN)?;
        let parameters = match input.peek(token::Paren) {
            true => names(input, RUN)?,
            false => return Err(syn::Error::new(input.span(), RUN)),
        };
        let results = match input.parse::<Option<Token![->]>>()? {
            Some(_) => names(input, RUN)?,
            None => Vec::new(),
        };
        let (content, mut steps) = (braces(input, RUN)?, Vec::new());
        while !content.is_empty() {
            steps.push(content.parse()?);
        }
        if !input.is_empty() {
            return Err(syn::Error::new(input.span(), ONE_RUN));
        }
        Ok(Self {
            attributes,
            visibility,
            name,
            memories,
            tensors,
            run,
            parameters,
            results,
            steps,
        })
    }
}

/// Reads doc comments. Other attributes are errors, since nothing would apply them.
fn comments(input: ParseStream<'_>, of: &str) -> syn::Result<()> {
    for attribute in input.call(Attribute::parse_outer)? {
        if !attribute.path().is_ident("doc") {
            let text = format!("{of} takes no attributes; remove this one");
            return Err(syn::Error::new_spanned(attribute, text));
        }
    }
    Ok(())
}

/// `in BYTES` or `in MEMORY(BYTES), MEMORY(BYTES)`, if there is one. The memory without a name has one made of the
/// arena's.
fn memories(input: ParseStream<'_>, arena: &Ident) -> syn::Result<Vec<NamedMemory>> {
    let is_given = input.parse::<Option<Token![in]>>()?.is_some();
    if is_given && input.peek(token::Brace) && !input.peek2(token::Brace) {
        return Err(syn::Error::new(input.span(), BYTES));
    }
    if !(is_given && input.peek(Ident) && input.peek2(token::Paren)) {
        let bytes = if is_given { Some(Expr::parse_without_eager_brace(input)?) } else { None };
        return Ok(vec![NamedMemory { name: quote::format_ident!("{}Memory", arena), bytes }]);
    }
    let mut memories = Vec::new();
    while memories.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        let name: Ident = expect(input, ARENA)?;
        if name.to_string().starts_with(char::is_lowercase) {
            let text = format!(
                "memory `{name}` begins with a small letter, as a function does; write a name such as `SRAM`, or \
                 `in {{ {name}(..) }}` for what the function returns"
            );
            return Err(syn::Error::new(name.span(), text));
        }
        memories
            .push(NamedMemory { name, bytes: Some(expect(&parentheses(input, BYTES)?, BYTES)?) });
    }
    Ok(memories)
}

impl Parse for DeclaredTensor {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        comments(input, "a tensor")?;
        let is_static = input.parse::<Option<Token![static]>>()?.is_some();
        let name = expect(input, TENSOR)?;
        expect::<Token![:]>(input, TENSOR)?;
        let (layout, memory) = (input.parse()?, after::<Token![in], _>(input)?);
        Ok(Self { is_static, name, layout, memory, address: after::<Token![=], _>(input)? })
    }
}

impl Parse for ArenaStep {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        comments(input, "a step")?;
        let mut outputs = Vec::new();
        if input.peek(token::Paren) || input.peek2(Token![=]) {
            outputs = names(input, STEP)?;
            expect::<Token![=]>(input, STEP)?;
        }
        let (name, content) = (expect(input, STEP)?, parentheses(input, STEP)?);
        let arguments = content.parse_terminated(argument, Token![,])?.into_iter().collect();
        let mut relayout = None;
        if input.peek(Ident) && input.parse::<Ident>()? == "by" {
            relayout = Some(expect(input, STEP)?);
        }
        expect::<Token![;]>(input, STEP)?;
        Ok(Self { name, outputs, arguments, relayout })
    }
}

fn argument(input: ParseStream<'_>) -> syn::Result<(Ident, Borrow)> {
    let is_mutable = input.parse::<Option<Token![mut]>>()?.is_some();
    let name = expect(input, ARGUMENT)?;
    let Some(place) = after::<Token![in], Ident>(input)? else {
        return Ok((name, if is_mutable { Borrow::Write } else { Borrow::Read }));
    };
    match place == "place" && !is_mutable {
        true => Ok((name, Borrow::InPlace)),
        false => Err(syn::Error::new(place.span(), ARGUMENT)),
    }
}
