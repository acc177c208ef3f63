//! `arena!`: tensors that share memory, and the steps that use them. The lifetimes are checked here; the addresses are
//! constants of the program, since sizes are known to types alone.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseBuffer, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Token, Type, Visibility, braced, parenthesized, token};

use crate::errors::Errors;
use crate::named_tensors::{listed, repeated_tensor, unknown_tensor};
use crate::parse::Forwarded;

const ARENA: &str = "expected `struct NAME { TENSORS }`, or `in BYTES` or `in MEMORY(BYTES), ..` before the \
     braces; write it as in `arena! { struct Arena in 65536 { input: Input, output: Output } fn run(input) -> output { \
     output = copy(input); } }`";
const TENSOR: &str = "expected a tensor; write `NAME: LAYOUT`, `NAME: LAYOUT in MEMORY`, `NAME: LAYOUT = ADDRESS` or \
     `static NAME: LAYOUT`, separated by commas";
const RUN: &str =
    "expected the steps; write them as in `fn run(input) -> output { output = copy(input); }`";
const STEP: &str = "expected a step; write `OUTPUT = STEP(INPUT);`, `OUTPUT = STEP(INPUT) by RELAYOUT;` or \
     `STEP(mut TENSOR);`";
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
    is_static: bool,
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

/// Parses, or returns an error with this text.
fn expect<T: Parse>(input: ParseStream<'_>, text: &str) -> syn::Result<T> {
    let span = input.span();
    input.parse().map_err(|_| syn::Error::new(span, text))
}

fn braces<'a>(input: &ParseBuffer<'a>, text: &str) -> syn::Result<ParseBuffer<'a>> {
    let content;
    match input.peek(token::Brace) {
        true => braced!(content in input),
        false => return Err(syn::Error::new(input.span(), text)),
    };
    Ok(content)
}

fn parentheses<'a>(input: &ParseBuffer<'a>, text: &str) -> syn::Result<ParseBuffer<'a>> {
    let content;
    match input.peek(token::Paren) {
        true => parenthesized!(content in input),
        false => return Err(syn::Error::new(input.span(), text)),
    };
    Ok(content)
}

/// One name, or several in parentheses.
fn names(input: ParseStream<'_>, text: &str) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Paren) {
        return Ok(vec![expect(input, text)?]);
    }
    let content = parentheses(input, text)?;
    Ok(Punctuated::<Ident, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// What follows a token, if that is there.
fn after<S: Parse + token::Token, T: Parse>(input: ParseStream<'_>) -> syn::Result<Option<T>> {
    input.parse::<Option<S>>()?.map(|_| input.parse()).transpose()
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

/// `in BYTES` or `in MEMORY(BYTES), MEMORY(BYTES)`, if there is one. The memory without a name has one made of the
/// arena's.
fn memories(input: ParseStream<'_>, arena: &Ident) -> syn::Result<Vec<NamedMemory>> {
    let is_given = input.parse::<Option<Token![in]>>()?.is_some();
    if !(is_given && input.peek(Ident) && input.peek2(token::Paren)) {
        let bytes = if is_given { Some(Expr::parse_without_eager_brace(input)?) } else { None };
        return Ok(vec![NamedMemory { name: quote::format_ident!("{arena}Memory"), bytes }]);
    }
    let mut memories = Vec::new();
    while memories.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        let name = expect(input, ARENA)?;
        memories.push(NamedMemory { name, bytes: Some(parentheses(input, ARENA)?.parse()?) });
    }
    Ok(memories)
}

impl Parse for DeclaredTensor {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(Attribute::parse_outer)?;
        let is_static = input.parse::<Option<Token![static]>>()?.is_some();
        let name = expect(input, TENSOR)?;
        expect::<Token![:]>(input, TENSOR)?;
        let (layout, memory) = (input.parse()?, after::<Token![in], _>(input)?);
        Ok(Self { is_static, name, layout, memory, address: after::<Token![=], _>(input)? })
    }
}

impl Parse for ArenaStep {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
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

/// When a tensor is alive, and where its bytes come from.
#[derive(Clone, Copy, Default)]
pub(crate) struct Alive {
    /// The step that writes it, if one does so far.
    pub(crate) first: Option<usize>,
    pub(crate) last: usize,
    pub(crate) uses: usize,
    /// The tensor in whose place it is, or may be.
    pub(crate) in_place_of: Option<usize>,
    /// Whether another tensor is in its place.
    is_dead: bool,
}

/// The path of the library, an arena, and when each of its tensors is alive.
pub(crate) fn checked(input: TokenStream) -> Result<(TokenStream, Arena, Vec<Alive>), Errors> {
    let Forwarded { krate, tokens } = syn::parse2(input)?;
    let arena: Arena = syn::parse2(tokens)?;
    let alive = vec![Alive::default(); arena.tensors.len()];
    let mut checked = StepCheck { arena: &arena, alive, errors: Errors::default() };
    checked.run();
    let StepCheck { alive, errors, .. } = checked;
    errors.gate(()).map(|()| (krate, arena, alive))
}

/// An arena whose steps are followed one after another.
struct StepCheck<'a> {
    arena: &'a Arena,
    alive: Vec<Alive>,
    errors: Errors,
}

impl StepCheck<'_> {
    /// Follows all steps. Step 0 writes the parameters, and the step after the last reads the results.
    fn run(&mut self) {
        let Arena { memories, tensors, parameters, results, steps, .. } = self.arena;
        let end = steps.len() + 1;
        for (i, DeclaredTensor { name, memory, is_static, .. }) in tensors.iter().enumerate() {
            if tensors[..i].iter().any(|other| other.name == *name) {
                self.errors.on(name, repeated_tensor(name));
            }
            let is_unknown = |name: &&Ident| memories.iter().all(|memory| memory.name != **name);
            if let Some(memory) = memory.as_ref().filter(is_unknown) {
                let there = listed(memories.iter().map(|memory| &memory.name));
                let text = format!("memory `{memory}` does not exist; write one of {there}");
                self.errors.on(memory, text);
            }
            if *is_static {
                (self.alive[i].first, self.alive[i].last) = (Some(0), end);
            }
        }
        for name in parameters {
            self.write(name, 0);
        }
        for (i, step) in steps.iter().enumerate() {
            self.step(step, i + 1);
        }
        for name in results {
            self.read(name, end);
        }
        if self.errors.is_empty() {
            self.check_uses();
            self.offer_places();
        }
    }

    /// Offers the output of a relayout the place of its input, if that is not read later.
    fn offer_places(&mut self) {
        let Arena { tensors, steps, .. } = self.arena;
        for (i, step) in steps.iter().enumerate() {
            let Some((source, output)) = self.arena.moved(step) else { continue };
            let is_given = tensors[output].memory.is_some() || tensors[output].address.is_some();
            if !is_given && !tensors[source].is_static && self.alive[source].last == i + 1 {
                self.alive[output].in_place_of = Some(source);
            }
        }
    }

    fn check_uses(&mut self) {
        for (DeclaredTensor { name, is_static, .. }, own) in
            self.arena.tensors.iter().zip(&self.alive)
        {
            if own.first.is_none() {
                let text = format!(
                    "no step writes tensor `{name}`; remove it, or write it: `{name} = step();`"
                );
                self.errors.on(name, text);
            } else if own.uses < 2 && !is_static {
                let text =
                    format!("no step reads tensor `{name}`; remove it, or return it: `-> {name}`");
                self.errors.on(name, text);
            }
        }
    }

    fn step(
        &mut self,
        ArenaStep { name: step, outputs, arguments, relayout }: &ArenaStep,
        at: usize,
    ) {
        let is_move = outputs.len() == 1 && matches!(arguments[..], [(_, Borrow::Read)]);
        if relayout.is_some() && !is_move {
            let text = "a relayout takes one tensor and writes another; write `OUTPUT = STEP(INPUT) by RELAYOUT;`";
            self.errors.on(step, text);
        }
        let mut outputs = outputs.iter();
        for (i, (name, borrow)) in arguments.iter().enumerate() {
            let both_read = |other: Borrow| (other, *borrow) == (Borrow::Read, Borrow::Read);
            if arguments[..i].iter().any(|(before, other)| before == name && !both_read(*other)) {
                let text = format!(
                    "step `{step}` takes tensor `{name}` twice and changes it; name it once"
                );
                self.errors.on(name, text);
            }
            let Some(source) = self.read(name, at) else { continue };
            if *borrow != Borrow::InPlace {
                continue;
            }
            let output = outputs.next();
            if output.is_none() || self.arena.tensors[source].is_static {
                let text = format!(
                    "nothing may take the place of tensor `{name}`; write an output that is not static, or `mut {name}`"
                );
                self.errors.on(name, text);
            }
            let Some(output) = output.and_then(|output| self.write(output, at)) else { continue };
            self.alive[source].is_dead = true;
            self.alive[output].in_place_of = Some(source);
            let DeclaredTensor { name, memory, address, .. } = &self.arena.tensors[output];
            if memory.is_some() || address.is_some() {
                let text = format!(
                    "tensor `{name}` is in place of another; remove its memory and address"
                );
                self.errors.on(name, text);
            }
        }
        for name in outputs {
            self.write(name, at);
        }
    }

    fn find(&mut self, name: &Ident) -> Option<usize> {
        let found = self.arena.tensor(name);
        if found.is_none() {
            let there = listed(self.arena.tensors.iter().map(|tensor| &tensor.name));
            self.errors.on(name, unknown_tensor(name, &there));
        }
        found
    }

    /// Notes that a step reads a tensor.
    fn read(&mut self, name: &Ident, at: usize) -> Option<usize> {
        let i = self.find(name)?;
        let own = &mut self.alive[i];
        (own.last, own.uses) = (own.last.max(at), own.uses + 1);
        let text = match own {
            Alive { is_dead: true, .. } => format!(
                "tensor `{name}` is dead, since another is in its place; read that one, or remove `in place`"
            ),
            Alive { first: None, .. } => format!(
                "no step before this one writes tensor `{name}`; write it first, or make it a parameter of `{}`",
                self.arena.run
            ),
            _ => return Some(i),
        };
        self.errors.on(name, text);
        Some(i)
    }

    /// Notes that a step writes a tensor.
    fn write(&mut self, name: &Ident, at: usize) -> Option<usize> {
        let i = self.find(name)?;
        let own = &mut self.alive[i];
        own.uses += 1;
        if own.first.is_some() {
            let text = format!(
                "tensor `{name}` is written before; write another name, or `mut {name}` among the arguments of a step"
            );
            self.errors.on(name, text);
        } else {
            (own.first, own.last) = (Some(at), at);
        }
        Some(i)
    }
}

impl Arena {
    /// The tensors that a step by a relayout reads and writes.
    pub(crate) fn moved(&self, step: &ArenaStep) -> Option<(usize, usize)> {
        step.relayout.as_ref()?;
        Some((self.tensor(&step.arguments.first()?.0)?, self.tensor(step.outputs.first()?)?))
    }

    /// The tensor of a name.
    pub(crate) fn tensor(&self, name: &Ident) -> Option<usize> {
        self.tensors.iter().position(|tensor| tensor.name == *name)
    }
}
