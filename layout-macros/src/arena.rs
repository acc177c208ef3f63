//! `arena!`: tensors that share memory, and the steps that use them. The lifetimes are checked here; the addresses are
//! constants of the program, since sizes are known to types alone.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Token, Type, Visibility, braced, parenthesized, token};

use crate::arena_items::expand;
use crate::errors::Errors;
use crate::named_tensors::{listed, repeated_tensor, unknown_tensor};
use crate::parse::Forwarded;

const ARENA_EXPECTED: &str = "expected `struct NAME { TENSORS }`, or `in BYTES` or `in MEMORY(BYTES), ..` before the \
     braces; write it as in `arena! { struct Arena in 65536 { input: Input, output: Output } fn run(input) -> output { \
     output = copy(input); } }`";

const TENSOR_EXPECTED: &str = "expected a tensor; write `NAME: LAYOUT`, `NAME: LAYOUT in MEMORY`, \
     `NAME: LAYOUT = ADDRESS` or `static NAME: LAYOUT`, separated by commas";

const RUN_EXPECTED: &str =
    "expected the steps; write them as in `fn run(input) -> output { output = copy(input); }`";

const STEP_EXPECTED: &str = "expected a step; write `OUTPUT = STEP(INPUT);` or `STEP(mut TENSOR);`";

const IN_PLACE_WITHOUT_OUTPUT: &str = "no output takes the place of this tensor; write `OUTPUT = ` before the step, or \
     `mut` in place of `in place`";

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

/// `MEMORY(BYTES)`. The memory of an arena without names of memories has the name of the arena.
pub(crate) struct NamedMemory {
    pub(crate) name: Ident,
    pub(crate) bytes: Option<Expr>,
}

/// `#[attributes] NAME: LAYOUT in MEMORY = ADDRESS`
pub(crate) struct DeclaredTensor {
    pub(crate) attributes: Vec<Attribute>,
    /// Whether it is alive at all steps and keeps its elements between runs: `static` before the name.
    pub(crate) is_static: bool,
    pub(crate) name: Ident,
    pub(crate) layout: Type,
    pub(crate) memory: Option<Ident>,
    pub(crate) address: Option<Expr>,
}

/// `OUTPUTS = NAME(ARGUMENTS);`
pub(crate) struct ArenaStep {
    pub(crate) name: Ident,
    pub(crate) outputs: Vec<Ident>,
    pub(crate) arguments: Vec<StepArgument>,
}

/// A tensor that a step takes.
pub(crate) struct StepArgument {
    pub(crate) name: Ident,
    pub(crate) access: Borrow,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borrow {
    Read,
    /// `mut NAME`
    Write,
    /// `NAME in place`
    InPlace,
}

impl Parse for Arena {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let expected = |_: syn::Error| syn::Error::new(input.span(), ARENA_EXPECTED);
        input.parse::<Token![struct]>().map_err(expected)?;
        let name: Ident = input.parse().map_err(expected)?;
        let memories = memories(input, &name)?;
        if !input.peek(token::Brace) {
            return Err(syn::Error::new(input.span(), ARENA_EXPECTED));
        }
        let content;
        braced!(content in input);
        let mut tensors = Vec::new();
        while !content.is_empty() {
            tensors.push(content.parse()?);
            if !content.is_empty() && content.parse::<Token![,]>().is_err() {
                return Err(syn::Error::new(content.span(), TENSOR_EXPECTED));
            }
        }
        let expected = |_: syn::Error| syn::Error::new(input.span(), RUN_EXPECTED);
        input.parse::<Token![fn]>().map_err(expected)?;
        let run = input.parse().map_err(expected)?;
        if !input.peek(token::Paren) {
            return Err(syn::Error::new(input.span(), RUN_EXPECTED));
        }
        let parameters = names(input)?;
        let results = match input.parse::<Option<Token![->]>>()? {
            Some(_) => names(input)?,
            None => Vec::new(),
        };
        if !input.peek(token::Brace) {
            return Err(syn::Error::new(input.span(), RUN_EXPECTED));
        }
        let content;
        braced!(content in input);
        let mut steps = Vec::new();
        while !content.is_empty() {
            steps.push(content.parse()?);
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

/// `in BYTES` or `in MEMORY(BYTES), MEMORY(BYTES)`, if there is one.
fn memories(input: ParseStream<'_>, arena: &Ident) -> syn::Result<Vec<NamedMemory>> {
    let mut memories = Vec::new();
    if input.parse::<Option<Token![in]>>()?.is_none() {
        memories.push(NamedMemory { name: arena.clone(), bytes: None });
        return Ok(memories);
    }
    if !(input.peek(Ident) && input.peek2(token::Paren)) {
        let bytes = Some(Expr::parse_without_eager_brace(input)?);
        memories.push(NamedMemory { name: arena.clone(), bytes });
        return Ok(memories);
    }
    loop {
        let name = input
            .parse()
            .map_err(|error: syn::Error| syn::Error::new(error.span(), ARENA_EXPECTED))?;
        let content;
        parenthesized!(content in input);
        memories.push(NamedMemory { name, bytes: Some(content.parse()?) });
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Ok(memories);
        }
    }
}

/// One name, or several in parentheses.
fn names(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Paren) {
        return Ok(vec![input.parse()?]);
    }
    let content;
    parenthesized!(content in input);
    Ok(content.parse_terminated(Ident::parse, Token![,])?.into_iter().collect())
}

impl Parse for DeclaredTensor {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let expected = |_| syn::Error::new(input.span(), TENSOR_EXPECTED);
        let is_static = input.parse::<Option<Token![static]>>()?.is_some();
        let name = input.parse().map_err(expected)?;
        input.parse::<Token![:]>().map_err(expected)?;
        let layout = input.parse()?;
        let memory = match input.parse::<Option<Token![in]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        let address = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { attributes, is_static, name, layout, memory, address })
    }
}

impl Parse for ArenaStep {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let expected = |_: syn::Error| syn::Error::new(input.span(), STEP_EXPECTED);
        let has_outputs = input.peek(token::Paren) || input.peek2(Token![=]);
        let outputs = if has_outputs { names(input).map_err(expected)? } else { Vec::new() };
        if has_outputs {
            input.parse::<Token![=]>().map_err(expected)?;
        }
        let name = input.parse().map_err(expected)?;
        if !input.peek(token::Paren) {
            return Err(syn::Error::new(input.span(), STEP_EXPECTED));
        }
        let content;
        parenthesized!(content in input);
        let arguments =
            content.parse_terminated(StepArgument::parse, Token![,])?.into_iter().collect();
        input.parse::<Token![;]>().map_err(expected)?;
        Ok(Self { name, outputs, arguments })
    }
}

impl Parse for StepArgument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_mutable = input.parse::<Option<Token![mut]>>()?.is_some();
        let name = input.parse()?;
        let access = match input.parse::<Option<Token![in]>>()? {
            None if is_mutable => Borrow::Write,
            None => Borrow::Read,
            Some(_) => {
                let place: Ident = input.parse()?;
                if is_mutable || place != "place" {
                    return Err(syn::Error::new(
                        place.span(),
                        "expected `NAME in place`; write it without `mut`",
                    ));
                }
                Borrow::InPlace
            }
        };
        Ok(Self { name, access })
    }
}

/// When a tensor is alive, and where its bytes come from.
#[derive(Clone, Copy, Default)]
pub(crate) struct Alive {
    /// The step that writes it, if one does so far.
    pub(crate) first: Option<usize>,
    pub(crate) last: usize,
    pub(crate) uses: usize,
    /// The tensor in whose place it is.
    pub(crate) in_place_of: Option<usize>,
    /// Whether another tensor is in its place.
    is_dead: bool,
}

/// `arena!`: structs for the memories and the steps, and the plan.
pub(crate) fn arena(input: TokenStream) -> TokenStream {
    try_arena(input).unwrap_or_else(Errors::into_items)
}

fn try_arena(input: TokenStream) -> Result<TokenStream, Errors> {
    let Forwarded { krate, tokens } = syn::parse2(input)?;
    let arena: Arena = syn::parse2(tokens)?;
    let mut errors = Errors::default();
    let lifetimes = arena.lifetimes(&mut errors);
    let expansion =
        if errors.is_empty() { expand(&krate, &arena, &lifetimes) } else { TokenStream::new() };
    errors.gate(expansion)
}

impl Arena {
    /// The tensor of a name.
    pub(crate) fn tensor(&self, name: &Ident) -> Option<usize> {
        self.tensors.iter().position(|tensor| tensor.name == *name)
    }

    /// The memory of a name.
    pub(crate) fn memory(&self, name: &Ident) -> Option<usize> {
        self.memories.iter().position(|memory| memory.name == *name)
    }

    fn find(&self, name: &Ident, errors: &mut Errors) -> Option<usize> {
        let found = self.tensor(name);
        if found.is_none() {
            let there = listed(self.tensors.iter().map(|tensor| &tensor.name));
            errors.on(name, unknown_tensor(name, &there));
        }
        found
    }

    /// When each tensor is alive. ArenaStep 0 writes the parameters, and the step after the last reads the results.
    fn lifetimes(&self, errors: &mut Errors) -> Vec<Alive> {
        let mut of = vec![Alive::default(); self.tensors.len()];
        let end = self.steps.len() + 1;
        self.check_declarations(errors);
        for (tensor, own) in self.tensors.iter().zip(&mut of) {
            if tensor.is_static {
                (own.first, own.last) = (Some(0), end);
            }
        }
        for name in &self.parameters {
            self.write(name, 0, &mut of, errors);
        }
        for (i, step) in self.steps.iter().enumerate() {
            self.step(step, i + 1, &mut of, errors);
        }
        for name in &self.results {
            self.read(name, end, &mut of, errors);
        }
        let is_clean = errors.is_empty();
        for (tensor, own) in self.tensors.iter().zip(&of).filter(|_| is_clean) {
            let name = &tensor.name;
            if own.first.is_none() {
                errors.on(name, format!("no step writes tensor `{name}`; remove it, or write it as in `{name} = step();`"));
            } else if own.uses < 2 && !tensor.is_static {
                errors.on(
                    name,
                    format!("no step reads tensor `{name}`; remove it, or return it: `-> {name}`"),
                );
            }
        }
        of
    }

    fn check_declarations(&self, errors: &mut Errors) {
        for (i, tensor) in self.tensors.iter().enumerate() {
            if self.tensors[..i].iter().any(|other| other.name == tensor.name) {
                errors.on(&tensor.name, repeated_tensor(&tensor.name));
            }
            if let Some(memory) =
                tensor.memory.as_ref().filter(|memory| self.memory(memory).is_none())
            {
                let there = listed(self.memories.iter().map(|memory| &memory.name));
                errors
                    .on(memory, format!("memory `{memory}` does not exist; write one of {there}"));
            }
        }
    }

    fn step(&self, step: &ArenaStep, at: usize, of: &mut [Alive], errors: &mut Errors) {
        let mut outputs = step.outputs.iter();
        for (i, StepArgument { name, access }) in step.arguments.iter().enumerate() {
            let is_shared = |other: &StepArgument| {
                other.name == *name && (other.access, *access) != (Borrow::Read, Borrow::Read)
            };
            if step.arguments[..i].iter().any(is_shared) {
                errors.on(
                    name,
                    format!(
                        "step `{}` takes tensor `{name}` twice and changes it; name it once",
                        step.name
                    ),
                );
            }
            let Some(source) = self.read(name, at, of, errors) else { continue };
            if *access != Borrow::InPlace {
                continue;
            }
            let Some(output) = outputs.next() else {
                errors.on(name, IN_PLACE_WITHOUT_OUTPUT);
                continue;
            };
            if self.tensors[source].is_static {
                errors.on(
                    name,
                    format!(
                        "tensor `{name}` is static, so nothing takes its place; write `mut {name}`"
                    ),
                );
            }
            if let Some(output) = self.write(output, at, of, errors) {
                of[source].is_dead = true;
                of[output].in_place_of = Some(source);
                let DeclaredTensor { name, memory, address, .. } = &self.tensors[output];
                if memory.is_some() || address.is_some() {
                    errors.on(name, format!("tensor `{name}` is in place of another; remove its memory and its address"));
                }
            }
        }
        for name in outputs {
            self.write(name, at, of, errors);
        }
    }

    /// Notes that a step reads a tensor.
    fn read(
        &self,
        name: &Ident,
        at: usize,
        of: &mut [Alive],
        errors: &mut Errors,
    ) -> Option<usize> {
        let i = self.find(name, errors)?;
        let own = &mut of[i];
        if own.is_dead {
            errors.on(name, format!("tensor `{name}` is dead, since another is in its place; read that one, or remove `in place`"));
        }
        if own.first.is_none() {
            errors.on(name, format!("no step before this one writes tensor `{name}`; write it first, or make it a parameter of `{}`", self.run));
        }
        own.last = own.last.max(at);
        own.uses += 1;
        Some(i)
    }

    /// Notes that a step writes a tensor.
    fn write(
        &self,
        name: &Ident,
        at: usize,
        of: &mut [Alive],
        errors: &mut Errors,
    ) -> Option<usize> {
        let i = self.find(name, errors)?;
        let own = &mut of[i];
        if self.tensors[i].is_static {
            errors.on(name, format!("tensor `{name}` is static, so no step writes it first; write `mut {name}` among the arguments of the step"));
        } else if own.first.is_some() {
            errors.on(name, format!("tensor `{name}` is written twice; give the second another name, or write `mut {name}` among the arguments of the step"));
        } else {
            (own.first, own.last) = (Some(at), at);
        }
        own.uses += 1;
        Some(i)
    }
}
