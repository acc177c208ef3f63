//! An arena as Rust code: types of its memories, a struct of its steps, and the plan.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

use crate::arena::{Alive, checked};
use crate::arena_syntax::{Arena, ArenaStep, Borrow, DeclaredTensor, NamedMemory};
use crate::errors::Errors;
use crate::model::{last_span_of, span_of};
use crate::named_tensors::{listed, option, report};

/// `arena!`: types of the memories and the steps, and the plan.
pub(crate) fn arena(input: TokenStream) -> Result<TokenStream, Errors> {
    checked(input).map(|(krate, arena, alive)| expand(&krate, &arena, &alive))
}

/// The items of an arena.
fn expand(krate: &TokenStream, arena: &Arena, alive: &[Alive]) -> TokenStream {
    let Arena { attributes, visibility, name, memories, tensors, run, .. } = arena;
    let steps = format_ident!("{name}Steps");
    let items = Items { krate, arena, steps: &steps };
    let aliases = (0..tensors.len()).map(|i| {
        let (alias, layout) = (items.layout(i), &tensors[i].layout);
        quote!(#[allow(non_camel_case_types)] type #alias = #layout;)
    });
    let (n, m) = (unsuffixed(tensors.len()), unsuffixed(memories.len()));
    let values = alive.iter().enumerate().map(|(i, life)| items.tensor(i, life));
    let limits = memories.iter().map(|memory| {
        let (name, bytes) = (memory.name.unraw().to_string(), option(memory.bytes.as_ref()));
        quote!(#krate::arena::ArenaMemory { name: #name, bytes: #bytes })
    });
    let labels = std::iter::once(run).chain(arena.steps.iter().map(|step| &step.name));
    let labels = labels.map(|label| label.unraw().to_string());
    let (types, methods) = (items.memories(), items.methods());
    let (names, reports) = (memories.iter().map(|memory| &memory.name), items.reports());
    let about =
        format!("A run of [`{name}`] before step `STEP`, whose method is the only one here.");
    quote! {
        #(#aliases)*
        #(#attributes)*
        #visibility struct #name;
        #[automatically_derived]
        impl #name {
            /// Where the tensors lie. Prints as a table.
            #visibility const PLAN: #krate::arena::ArenaPlan<#n, #m> =
                #krate::arena::ArenaPlan::new([#(#values),*], [#(#limits),*], &[#(#labels),*]);
        }
        #types
        #[doc = #about]
        #[must_use = "the steps that follow are methods of this value"]
        #visibility struct #steps<'a, const STEP: ::core::primitive::usize> {
            memories: (#(&'a mut #names,)*),
        }
        #methods
        #reports
    }
}

struct Items<'a> {
    krate: &'a TokenStream,
    arena: &'a Arena,
    /// The name of the struct of steps.
    steps: &'a Ident,
}

/// A tensor that a step borrows, and how.
type Borrowed = (usize, Borrow);

impl Items<'_> {
    /// The name of the layout of a tensor.
    fn layout(&self, i: usize) -> Ident {
        let span = span_of(&self.arena.tensors[i].layout);
        format_ident!("__{i}_{}", self.arena.name, span = span)
    }

    /// A tensor as a value.
    fn tensor(
        &self,
        i: usize,
        Alive { first, last, uses, in_place_of, .. }: &Alive,
    ) -> TokenStream {
        let (krate, layout) = (self.krate, self.layout(i));
        let DeclaredTensor { name, layout: written, memory, address, .. } = &self.arena.tensors[i];
        let named =
            |name: &Ident| self.arena.memories.iter().position(|memory| memory.name == *name);
        let memory = option(memory.as_ref().and_then(named));
        let (address, in_place) = (option(address.as_ref()), self.in_place(i, *in_place_of));
        let (first, label) = (first.unwrap_or(0), name.unraw().to_string());
        let ty = quote!(#krate::arena::ArenaTensor);
        let base = quote_spanned!(span_of(written)=> #ty::of::<#layout>(#label, #first, #last));
        quote!(#ty { uses: #uses, memory: #memory, address: #address, in_place: #in_place, ..#base })
    }

    /// Whether a tensor is in place of another.
    fn in_place(&self, i: usize, of: Option<usize>) -> TokenStream {
        let krate = self.krate;
        let kind = quote!(#krate::arena::InPlace);
        let Some(of) = of else { return quote!(#kind::No) };
        let is_of = |step: &&ArenaStep| self.arena.moved(step) == Some((of, i));
        match self.arena.steps.iter().find(is_of).and_then(|step| step.relayout.as_ref()) {
            Some(relayout) => quote!(match #krate::__private::can_run_in_place::<#relayout>() {
                true => #kind::IfSmaller(#of),
                false => #kind::No,
            }),
            None => quote!(#kind::Of(#of)),
        }
    }

    /// A type for each memory, so that none is taken for another.
    fn memories(&self) -> TokenStream {
        let (krate, Arena { visibility, name: arena, memories, .. }) = (self.krate, self.arena);
        let memories = memories.iter().enumerate().map(|(i, NamedMemory { name, .. })| {
            let about = format!("The bytes of a memory of [`{arena}`].");
            let align = quote!(#arena::PLAN.align(#i));
            // Sizes that do not add up have an error of their own.
            let bytes = quote!(match #arena::PLAN.bytes(#i) {
                ::core::primitive::usize::MAX => 0,
                bytes => bytes,
            });
            let bytes = quote!([::core::primitive::u8; { #bytes }]);
            let ty = quote_spanned!(name.span()=> #krate::tensor::Aligned<{ #align }, #bytes>);
            quote! {
                #[doc = #about]
                #[repr(transparent)]
                #visibility struct #name(#ty);
                #[automatically_derived]
                impl #name {
                    /// Bytes that are all 0, for statics of any size.
                    #visibility const ZEROED: Self = Self(<#ty>::ZEROED);
                }
            }
        });
        memories.collect()
    }

    /// The function that begins a run, a method for each step, and the one that ends the run.
    fn methods(&self) -> TokenStream {
        let Arena { visibility, name, memories, run, parameters, results, .. } = self.arena;
        let (steps, locals) = (self.steps, self.locals());
        let names = memories.iter().map(|memory| &memory.name);
        let about = format!("Begins a run, whose function writes {}.", named(parameters.iter()));
        let written = self.borrowed(parameters, Borrow::Write);
        let taken = quote!(#(#locals: &'a mut #names,)*);
        let begin = self.method(run, 1, &written, Some(&taken));
        let methods = self.arena.steps.iter().enumerate().map(|(i, step)| {
            let ArenaStep { name, outputs, arguments, .. } = step;
            let in_place =
                arguments.iter().filter(|(_, borrow)| *borrow == Borrow::InPlace).count();
            let found =
                |(name, borrow): &(Ident, Borrow)| Some((self.arena.tensor(name)?, *borrow));
            let mut borrowed: Vec<_> = arguments.iter().filter_map(found).collect();
            borrowed.extend(self.borrowed(&outputs[in_place..], Borrow::Write));
            let all = named(arguments.iter().map(|(name, _)| name).chain(outputs));
            let (number, about) = (unsuffixed(i + 1), format!("Step {}, with {all}.", i + 1));
            let method = match (&step.relayout, self.arena.moved(step)) {
                (Some(relayout), Some(moved)) => self.move_method(name, i + 2, relayout, moved),
                _ => self.method(name, i + 2, &borrowed, None),
            };
            quote!(impl<'a> #steps<'a, #number> { #[doc = #about] #method })
        });
        let end = unsuffixed(self.arena.steps.len() + 1);
        let about_end = format!("Ends the run, and returns {}.", named(results.iter()));
        let borrowed = self.borrowed(results, Borrow::Read);
        let result = borrowed.iter().map(|&(i, _)| self.tensor_type(i, Borrow::Read, &quote!('a)));
        let lent = self.lent(&borrowed);
        let values: Vec<_> = (0..borrowed.len()).map(local).collect();
        let (result, value) = match borrowed.len() {
            1 => (quote!(#(#result)*), quote!(#(#values)*)),
            _ => (quote!((#(#result),*)), quote!((#(#values),*))),
        };
        quote! {
            impl #name { #[doc = #about] #begin }
            #(#methods)*
            impl<'a> #steps<'a, #end> {
                #[doc = #about_end]
                #[inline]
                #visibility fn finish(self) -> #result {
                    let (#(#locals,)*) = self.memories;
                    #lent
                    #value
                }
            }
        }
    }

    fn borrowed(&self, names: &[Ident], borrow: Borrow) -> Vec<Borrowed> {
        names.iter().filter_map(|name| Some((self.arena.tensor(name)?, borrow))).collect()
    }

    /// The method of a step, which returns the steps from `next` on. It takes memories or `self`. A step that borrows
    /// nothing takes no function.
    fn method(
        &self,
        name: &Ident,
        next: usize,
        borrowed: &[Borrowed],
        memories: Option<&TokenStream>,
    ) -> TokenStream {
        let Self { krate, arena: Arena { visibility, .. }, steps } = self;
        let (next, locals) = (unsuffixed(next), self.locals());
        let value = quote!(#steps { memories: (#(#locals,)*) });
        let (mut outcome, mut given) = (None, None);
        let (mut result, mut body) = (quote!(#steps<'a, #next>), value.clone());
        if !borrowed.is_empty() {
            let lent = self.lent(borrowed);
            let types = borrowed.iter().map(|&(i, borrow)| {
                let tensor = self.tensor_type(i, borrow, &quote!('_));
                reference(borrow, tensor)
            });
            let values =
                borrowed.iter().enumerate().map(|(k, (_, borrow))| reference(*borrow, local(k)));
            outcome = Some(quote!(__Outcome: #krate::arena::Outcome));
            given = Some(quote!(__step: impl ::core::ops::FnOnce(#(#types),*) -> __Outcome));
            result = quote!(__Outcome::Then<#result>);
            body = quote! {
                let __outcome = { #lent __step(#(#values),*) };
                #krate::arena::Outcome::then(__outcome, #value)
            };
        }
        let (head, taken) = match memories {
            Some(memories) => (quote!(<'a, #outcome>(#memories #given)), quote!()),
            None => {
                let taken = quote!(let (#(#locals,)*) = self.memories;);
                (quote!(<#outcome>(self, #given)), taken)
            }
        };
        quote!(#[inline] #visibility fn #name #head -> #result { #taken #body })
    }

    /// The method of a step by a relayout, which takes no function.
    fn move_method(
        &self,
        name: &Ident,
        next: usize,
        relayout: &Type,
        (source, output): (usize, usize),
    ) -> TokenStream {
        let Self { krate, arena: Arena { visibility, name: arena, .. }, steps } = self;
        let (next, locals) = (unsuffixed(next), self.locals());
        let (from, to) = (self.layout(source), self.layout(output));
        let [from_place, to_place] = [source, output].map(|i| {
            let layout = self.layout(i);
            let units = quote!({ <#layout as #krate::StaticLayout>::LAYOUT.units() });
            quote!(#units, { #arena::PLAN.memory(#i) }, { #arena::PLAN.address(#i) })
        });
        quote! {
            #[inline]
            #visibility fn #name(self) -> #steps<'a, #next> {
                let (#(#locals,)*) = self.memories;
                #krate::arena::MoveStep::<{ #arena::PLAN.is_in_place(#output) }>::run::<
                    #relayout, #from, #to, _, #from_place, #to_place
                >((#(&mut #locals.0,)*));
                #steps { memories: (#(#locals,)*) }
            }
        }
    }

    /// The names of memories in functions.
    fn locals(&self) -> Vec<Ident> {
        (0..self.arena.memories.len()).map(|i| format_ident!("__memory{i}")).collect()
    }

    fn tensor_type(&self, i: usize, borrow: Borrow, lifetime: &TokenStream) -> TokenStream {
        let (krate, layout) = (self.krate, self.layout(i));
        let mutable = (borrow != Borrow::Read).then(|| quote!(mut));
        let units = quote!({ <#layout as #krate::StaticLayout>::LAYOUT.units() });
        quote!(#krate::Tensor<#layout, &#lifetime #mutable [#krate::UnitOf<#layout>; #units]>)
    }

    /// A statement that borrows tensors.
    fn lent(&self, borrowed: &[Borrowed]) -> TokenStream {
        let (krate, arena, locals) = (self.krate, &self.arena.name, self.locals());
        let (mut pattern, mut types) = (quote!(()), quote!(()));
        for (k, &(i, borrow)) in borrowed.iter().enumerate().rev() {
            let (value, ty) = (local(k), self.tensor_type(i, borrow, &quote!('_)));
            let mutable = (borrow == Borrow::Write).then(|| quote!(mut));
            pattern = quote!((#krate::arena::LentAt(#mutable #value), #pattern));
            let place = quote!({ #arena::PLAN.memory(#i) }, { #arena::PLAN.address(#i) });
            types = quote!((#krate::arena::LentAt<#ty, #place>, #types));
        }
        quote!(let #pattern: #types = #krate::arena::lend((#(&mut #locals.0,)*));)
    }

    /// Constants whose evaluation fails with the errors of tensors and memories.
    fn reports(&self) -> TokenStream {
        let (krate, Arena { name, memories, tensors, .. }) = (self.krate, self.arena);
        let tensors = tensors.iter().enumerate().map(|(i, tensor)| {
            let last = match &tensor.address {
                Some(address) => last_span_of(address),
                None => last_span_of(&tensor.layout),
            };
            report(krate, tensor.name.span(), last, &quote!(#name::PLAN.check_tensor(#i)))
        });
        let memories =
            memories.iter().enumerate().map(|(i, NamedMemory { name: label, bytes })| {
                let (first, last) = match bytes {
                    Some(bytes) => (span_of(bytes), last_span_of(bytes)),
                    None => (label.span(), label.span()),
                };
                report(krate, first, last, &quote!(#name::PLAN.check_memory(#i)))
            });
        tensors.chain(memories).collect()
    }
}

/// A value or type as a step's function takes it.
fn reference(borrow: Borrow, of: impl ToTokens) -> TokenStream {
    match borrow {
        Borrow::Read => quote!(&#of),
        Borrow::Write => quote!(&mut #of),
        Borrow::InPlace => of.to_token_stream(),
    }
}

/// The name of a borrowed tensor in a function.
fn local(i: usize) -> Ident {
    format_ident!("__tensor{i}")
}

fn unsuffixed(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}

/// The names in a sentence.
fn named<'a>(names: impl Iterator<Item = &'a Ident>) -> String {
    match listed(names) {
        text if text.is_empty() => "nothing".into(),
        text => text,
    }
}
