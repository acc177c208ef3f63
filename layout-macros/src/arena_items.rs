//! An arena as Rust code: structs of its memories, a struct of its steps, and the plan.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::arena::{Alive, Arena, ArenaStep, Borrow, DeclaredTensor, NamedMemory};
use crate::named_tensors::{listed, report};
use crate::tokens::span_of;

/// The items of an arena.
pub(crate) fn expand(krate: &TokenStream, arena: &Arena, lifetimes: &[Alive]) -> TokenStream {
    let items = Items { krate, arena, steps: format_ident!("{}Steps", arena.name) };
    let aliases = (0..arena.tensors.len()).map(|i| items.alias(i));
    let (own, memories) = (items.own(lifetimes), items.memories());
    let steps = items.steps();
    let reports = items.reports();
    quote! {
        #(#aliases)*
        #own
        #memories
        #steps
        #reports
    }
}

struct Items<'a> {
    krate: &'a TokenStream,
    arena: &'a Arena,
    /// The name of the struct of steps.
    steps: Ident,
}

/// Parts of a signature: the type parameter for what a step's function returns, the function, its name, and what the
/// method returns.
#[derive(Default)]
struct Signature {
    outcome: TokenStream,
    given: TokenStream,
    passed: TokenStream,
    result: TokenStream,
}

/// A tensor that a step borrows, and how.
type Borrowed = (usize, Borrow);

impl Items<'_> {
    /// The name of the layout of a tensor.
    fn layout(&self, i: usize) -> Ident {
        format_ident!("__{}_{}", self.arena.name, self.arena.tensors[i].name)
    }

    fn alias(&self, i: usize) -> TokenStream {
        let DeclaredTensor { attributes, layout, .. } = &self.arena.tensors[i];
        let name = self.layout(i);
        quote! {
            #(#attributes)*
            #[allow(non_camel_case_types)]
            type #name = #layout;
        }
    }

    /// Whether the arena's own struct is the memory.
    fn is_memory(&self) -> bool {
        self.arena.memories[0].name == self.arena.name
    }

    /// The struct of the arena with the plan, and the function that begins a run.
    fn own(&self, lifetimes: &[Alive]) -> TokenStream {
        let Self { krate, arena, steps } = self;
        let Arena { attributes, visibility, name, memories, tensors, run, .. } = arena;
        let (n, m) = (unsuffixed(tensors.len()), unsuffixed(memories.len()));
        let values = (0..tensors.len()).map(|i| self.tensor(i, lifetimes[i]));
        let limits = memories.iter().map(|memory| self.limit(memory));
        let labels = std::iter::once(run).chain(arena.steps.iter().map(|step| &step.name));
        let labels = labels.map(Ident::to_string);
        let unit = (!self.is_memory()).then(|| quote!(#(#attributes)* #visibility struct #name;));
        let Signature { outcome, given, passed, result } = self.signature(&self.parameters(), 1);
        let about =
            format!("Begins a run: writes {}. The next step follows.", named(&arena.parameters));
        let mut receivers = quote!(&'a mut self);
        let mut given_memories = quote!(self,);
        if !self.is_memory() {
            let (names, locals) = (memories.iter().map(|memory| &memory.name), self.locals());
            receivers = quote!(#(#locals: &'a mut #names),*);
            given_memories = quote!(#(#locals,)*);
        }
        quote! {
            #unit

            #[automatically_derived]
            impl #name {
                /// Where the tensors lie. Prints as a table.
                #visibility const PLAN: #krate::arena::ArenaPlan<#n, #m> = #krate::arena::ArenaPlan::new(
                    [#(#values),*],
                    [#(#limits),*],
                    &[#(#labels),*],
                );

                #[doc = #about]
                #[inline]
                #visibility fn #run<'a, #outcome>(#receivers, #given) -> #result {
                    #steps::<'a, 0> { memories: (#given_memories) }.#run(#passed)
                }
            }
        }
    }

    /// A tensor as a value.
    fn tensor(&self, i: usize, lifetime: Alive) -> TokenStream {
        let (krate, layout) = (self.krate, self.layout(i));
        let DeclaredTensor { name, layout: written, memory, address, .. } = &self.arena.tensors[i];
        let Alive { first, last, uses, in_place_of, .. } = lifetime;
        let memory = memory.as_ref().and_then(|memory| self.arena.memory(memory));
        let (memory, address, of) = (option(memory), option(address.as_ref()), option(in_place_of));
        let (first, label) = (first.unwrap_or(0), name.to_string());
        let of_layout = quote_spanned! {
            span_of(written)=> #krate::arena::ArenaTensor::of::<#layout>(#label, #first, #last)
        };
        quote! {
            #krate::arena::ArenaTensor {
                uses: #uses,
                memory: #memory,
                address: #address,
                in_place_of: #of,
                ..#of_layout
            }
        }
    }

    fn limit(&self, memory: &NamedMemory) -> TokenStream {
        let (krate, name) = (self.krate, memory.name.to_string());
        let bytes = option(memory.bytes.as_ref());
        quote!(#krate::arena::ArenaMemory { name: #name, bytes: #bytes })
    }

    /// A struct for each memory.
    fn memories(&self) -> TokenStream {
        let Self { krate, arena, .. } = self;
        let Arena { visibility, name: arena_name, .. } = arena;
        let memories = arena.memories.iter().enumerate().map(|(i, NamedMemory { name, .. })| {
            let about = format!("The bytes of memory `{name}` of [`{arena_name}`].");
            let attributes = match self.is_memory() {
                true => arena.attributes.iter().map(ToTokens::to_token_stream).collect(),
                false => quote!(#[doc = #about]),
            };
            quote! {
                #attributes
                #visibility struct #name {
                    bytes: #krate::tensor::Aligned<
                        { #arena_name::PLAN.align(#i) },
                        [::core::primitive::u8; { #arena_name::PLAN.bytes(#i) }],
                    >,
                }

                #[automatically_derived]
                #[allow(dead_code)]
                impl #name {
                    /// The number of bytes that the tensors need.
                    #visibility const BYTES: ::core::primitive::usize = #arena_name::PLAN.bytes(#i);
                    /// The number of bytes that every plan of these tensors needs.
                    #visibility const BOUND: ::core::primitive::usize = #arena_name::PLAN.bound(#i);

                    /// Returns bytes that are all 0.
                    #visibility const fn new() -> Self {
                        Self { bytes: #krate::tensor::Aligned::new([0; Self::BYTES]) }
                    }
                }

                #[automatically_derived]
                impl ::core::default::Default for #name {
                    fn default() -> Self {
                        Self::new()
                    }
                }
            }
        });
        memories.collect()
    }

    /// The struct of steps, with a method for each at its number.
    fn steps(&self) -> TokenStream {
        let Self { arena, steps, .. } = self;
        let Arena { visibility, name, .. } = arena;
        let about =
            format!("A run of [`{name}`] before step `STEP`, whose method is the only one here.");
        let memories = arena.memories.iter().map(|memory| &memory.name);
        let begin = self.method(&arena.run, 0, &self.parameters(), "Begins a run.".into());
        let methods = arena.steps.iter().enumerate().map(|(i, step)| {
            let about = format!("Step {}, which reads and writes {}.", i + 1, names_of(step));
            self.method(&step.name, i + 1, &self.borrowed(step), about)
        });
        let finish = self.finish();
        quote! {
            #[doc = #about]
            #[must_use = "the steps that follow are methods of this value"]
            #visibility struct #steps<'a, const STEP: ::core::primitive::usize> {
                memories: (#(&'a mut #memories,)*),
            }
            #begin
            #(#methods)*
            #finish
        }
    }

    fn parameters(&self) -> Vec<Borrowed> {
        let found = self.arena.parameters.iter().filter_map(|name| self.arena.tensor(name));
        found.map(|i| (i, Borrow::Write)).collect()
    }

    /// What a step borrows: its arguments, then its outputs that are in place of none.
    fn borrowed(&self, step: &ArenaStep) -> Vec<Borrowed> {
        let arguments = step.arguments.iter().map(|own| (&own.name, own.access));
        let in_place = step.arguments.iter().filter(|own| own.access == Borrow::InPlace).count();
        let outputs = step.outputs.iter().skip(in_place).map(|name| (name, Borrow::Write));
        let all = arguments.chain(outputs);
        all.filter_map(|(name, access)| Some((self.arena.tensor(name)?, access))).collect()
    }

    /// The method of a step, from one number to the next.
    fn method(
        &self,
        name: &Ident,
        step: usize,
        borrowed: &[Borrowed],
        about: String,
    ) -> TokenStream {
        let Self { krate, arena, steps } = self;
        let (visibility, number, locals) = (&arena.visibility, unsuffixed(step), self.locals());
        let Signature { outcome, given, result, .. } = self.signature(borrowed, step + 1);
        let next = quote!(#steps { memories: (#(#locals,)*) });
        let body = match borrowed {
            [] => next,
            _ => {
                let lent = self.lent(borrowed);
                let values = borrowed.iter().enumerate().map(|(k, (_, access))| {
                    let value = local(k);
                    match access {
                        Borrow::Read => quote!(&#value),
                        Borrow::Write => quote!(&mut #value),
                        Borrow::InPlace => quote!(#value),
                    }
                });
                quote! {
                    let __outcome = { #lent __step(#(#values),*) };
                    #krate::arena::Outcome::then(__outcome, #next)
                }
            }
        };
        quote! {
            #[automatically_derived]
            impl<'a> #steps<'a, #number> {
                #[doc = #about]
                #[inline]
                #visibility fn #name<#outcome>(self, #given) -> #result {
                    let (#(#locals,)*) = self.memories;
                    #body
                }
            }
        }
    }

    /// The method after the last step, which returns the results.
    fn finish(&self) -> TokenStream {
        let Self { arena, steps, .. } = self;
        let (visibility, number) = (&arena.visibility, unsuffixed(arena.steps.len() + 1));
        let found = arena.results.iter().filter_map(|name| arena.tensor(name));
        let borrowed: Vec<_> = found.map(|i| (i, Borrow::Read)).collect();
        let types = borrowed.iter().map(|&(i, access)| self.tensor_type(i, access, &quote!('a)));
        let (lent, locals) = (self.lent(&borrowed), self.locals());
        let values = (0..borrowed.len()).map(local);
        let (result, value) = match borrowed.len() {
            1 => (quote!(#(#types)*), quote!(#(#values)*)),
            _ => (quote!((#(#types),*)), quote!((#(#values),*))),
        };
        let about = format!("Ends the run: returns {}.", named(&arena.results));
        quote! {
            #[automatically_derived]
            impl<'a> #steps<'a, #number> {
                #[doc = #about]
                #[inline]
                #visibility fn finish(self) -> #result {
                    let (#(#locals,)*) = self.memories;
                    #lent
                    #value
                }
            }
        }
    }

    /// The names of memories in functions.
    fn locals(&self) -> Vec<Ident> {
        (0..self.arena.memories.len()).map(|i| format_ident!("__memory{i}")).collect()
    }

    /// The parts of the signature of a step's method. A step that borrows nothing has no function.
    fn signature(&self, borrowed: &[Borrowed], next: usize) -> Signature {
        let Self { krate, steps, .. } = self;
        let next = unsuffixed(next);
        let next = quote!(#steps<'a, #next>);
        if borrowed.is_empty() {
            return Signature { result: next, ..Signature::default() };
        }
        let types = borrowed.iter().map(|&(i, access)| {
            let ty = self.tensor_type(i, access, &quote!('_));
            match access {
                Borrow::Read => quote!(&#ty),
                Borrow::Write => quote!(&mut #ty),
                Borrow::InPlace => ty,
            }
        });
        Signature {
            outcome: quote!(__Outcome: #krate::arena::Outcome),
            given: quote!(__step: impl ::core::ops::FnOnce(#(#types),*) -> __Outcome),
            passed: quote!(__step),
            result: quote!(__Outcome::Then<#next>),
        }
    }

    /// The units of a tensor, as an expression.
    fn units(&self, i: usize) -> TokenStream {
        let (krate, layout) = (self.krate, self.layout(i));
        quote!({ <#layout as #krate::StaticLayout>::LAYOUT.units() })
    }

    fn tensor_type(&self, i: usize, access: Borrow, lifetime: &TokenStream) -> TokenStream {
        let (krate, layout, units) = (self.krate, self.layout(i), self.units(i));
        let exclusive = (access != Borrow::Read).then(|| quote!(mut));
        quote!(#krate::Tensor<#layout, &#lifetime #exclusive [#krate::UnitOf<#layout>; #units]>)
    }

    /// A statement that borrows tensors.
    fn lent(&self, borrowed: &[Borrowed]) -> TokenStream {
        let (krate, arena) = (self.krate, &self.arena.name);
        let (mut pattern, mut types) = (quote!(()), quote!(()));
        for (k, &(i, access)) in borrowed.iter().enumerate().rev() {
            let (layout, units, value) = (self.layout(i), self.units(i), local(k));
            let kind = match access {
                Borrow::Read => quote!(SharedTensor),
                Borrow::Write | Borrow::InPlace => quote!(ExclusiveTensor),
            };
            let mutable = (access == Borrow::Write).then(|| quote!(mut));
            pattern = quote!((#krate::arena::#kind(#mutable #value), #pattern));
            let place = quote!({ #arena::PLAN.memory(#i) }, { #arena::PLAN.address(#i) });
            types = quote!((#krate::arena::#kind<'_, #layout, #units, #place>, #types));
        }
        let locals = self.locals();
        quote!(let #pattern: #types = #krate::arena::lend((#(&mut #locals.bytes,)*));)
    }

    /// Constants whose evaluation fails with the errors of tensors and memories.
    fn reports(&self) -> TokenStream {
        let Self { krate, arena, .. } = self;
        let name = &arena.name;
        let tensors = arena.tensors.iter().enumerate().map(|(i, tensor)| {
            let last = match &tensor.address {
                Some(address) => span_of(address),
                None => span_of(&tensor.layout),
            };
            report(krate, tensor.name.span(), last, &quote!(#name::PLAN.check_tensor(#i)))
        });
        let memories = arena.memories.iter().enumerate().filter_map(|(i, memory)| {
            let span = span_of(memory.bytes.as_ref()?);
            Some(report(krate, span, span, &quote!(#name::PLAN.check_memory(#i))))
        });
        tensors.chain(memories).collect()
    }
}

/// The name of a borrowed tensor in a function.
fn local(i: usize) -> Ident {
    Ident::new(&format!("__tensor{i}"), Span::call_site())
}

fn unsuffixed(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn named(names: &[Ident]) -> String {
    match names {
        [] => "nothing".into(),
        names => listed(names.iter()),
    }
}

fn names_of(step: &ArenaStep) -> String {
    listed(step.arguments.iter().map(|argument| &argument.name).chain(&step.outputs))
}
