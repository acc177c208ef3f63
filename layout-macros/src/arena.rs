//! `arena!`: tensors that share memory, and the steps that use them. The lifetimes are checked here; the addresses are
//! constants of the program, since sizes are known to types alone.

use proc_macro2::TokenStream;
use syn::Ident;

use crate::arena_syntax::{Arena, ArenaStep, Borrow, DeclaredTensor, NamedMemory};
use crate::errors::Errors;
use crate::named_tensors::{listed, repeated_tensor, unknown_tensor};
use crate::parse::Forwarded;

/// The most memories of an arena, which the library lends at once.
const MEMORIES: usize = 4;

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
    let Forwarded { krate, tokens: arena } = syn::parse2::<Forwarded<Arena>>(input)?;
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
        for (i, NamedMemory { name, .. }) in memories.iter().enumerate() {
            if memories[..i].iter().any(|other| other.name == *name) {
                self.errors.on(name, format!("memory `{name}` is given twice; keep one"));
            } else if i >= MEMORIES {
                let text = format!("an arena has at most {MEMORIES} memories; remove `{name}`");
                self.errors.on(name, text);
            }
        }
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
        for (DeclaredTensor { name, is_static, .. }, life) in
            self.arena.tensors.iter().zip(&self.alive)
        {
            if life.first.is_none() {
                let text = format!(
                    "no step writes tensor `{name}`; remove it, or write it: `{name} = step();`"
                );
                self.errors.on(name, text);
            } else if life.uses < 2 && !is_static {
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
        let life = &mut self.alive[i];
        (life.last, life.uses) = (life.last.max(at), life.uses + 1);
        let text = match life {
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
        let life = &mut self.alive[i];
        life.uses += 1;
        if self.arena.tensors[i].is_static {
            let text = format!(
                "tensor `{name}` is static and has what the last run left; write `mut {name}` among the arguments of a \
                 step, or remove `static`"
            );
            self.errors.on(name, text);
        } else if life.first.is_some() {
            let text = format!(
                "tensor `{name}` is written before; write another name, or `mut {name}` among the arguments of a step"
            );
            self.errors.on(name, text);
        } else {
            (life.first, life.last) = (Some(at), at);
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
