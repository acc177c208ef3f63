//! Addresses for the tensors of an arena, and the rules about them.

use super::search::{AddressSearch, LiveBytes, larger};
use layout_types::spec::{LayoutError, Name, Rule};
use layout_types::{Layout, StaticLayout, UnitOf};

/// A tensor of an arena: its size, and the steps at which it is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaTensor {
    /// The name, for errors and pictures.
    pub name: &'static str,
    /// The size in bytes.
    pub bytes: usize,
    /// The number of bytes of which its address is a multiple; a power of two.
    pub align: usize,
    /// The step that writes it first. Step 0 writes what exists before all steps.
    pub first: usize,
    /// The last step that reads or writes it, at least `first`.
    pub last: usize,
    /// The number of steps that read or write it.
    pub uses: usize,
    /// The memory that has it, or `None` to have one chosen.
    pub memory: Option<usize>,
    /// Its address in bytes from the start of the memory, or `None` to have one chosen. Those in its place have it too.
    pub address: Option<usize>,
    /// Whether the bytes of another tensor of the list become this one's.
    pub in_place: InPlace,
}

/// Whether a tensor is in place of another, given by its position in the list of tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InPlace {
    /// It has bytes of its own while the other is alive.
    No,
    /// The bytes of the other become this one's.
    Of(usize),
    /// As [`Of`](Self::Of) where every plan takes more bytes otherwise, and as [`No`](Self::No) elsewhere.
    IfSmaller(usize),
}

impl InPlace {
    /// The other tensor.
    const fn other(self) -> Option<usize> {
        match self {
            Self::No => None,
            Self::Of(other) | Self::IfSmaller(other) => Some(other),
        }
    }
}

impl ArenaTensor {
    /// The least alignment of tensors of a layout in bytes, so that every kernel finds them aligned.
    const ALIGN: usize = 16;

    /// A tensor of a layout that is alive from one step to another. It begins at a multiple of 16 bytes, or of what its
    /// layout requires if that is more.
    pub const fn of<L: StaticLayout>(name: &'static str, first: usize, last: usize) -> Self {
        let tensor = Self::of_layout(name, &L::LAYOUT, first, last);
        Self { align: larger(tensor.align, align_of::<UnitOf<L>>()), ..tensor }
    }

    /// [`of`](Self::of) for a layout as a value.
    pub const fn of_layout(name: &'static str, layout: &Layout, first: usize, last: usize) -> Self {
        let tensor = Self::of_bytes(name, layout.bytes(), first, last);
        Self { align: larger(tensor.align, layout.align()), ..tensor }
    }

    /// Bytes without a layout that are alive from one step to another, at a multiple of 16 bytes.
    pub const fn of_bytes(name: &'static str, bytes: usize, first: usize, last: usize) -> Self {
        let (align, uses) = (Self::ALIGN, 0);
        let (memory, address, in_place) = (None, None, InPlace::No);
        Self { name, bytes, align, first, last, uses, memory, address, in_place }
    }

    /// The byte after the last one of a tensor at an address.
    const fn end(&self, address: usize) -> usize {
        address.saturating_add(self.bytes)
    }
}

/// A memory of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaMemory {
    /// The name, for errors and pictures.
    pub name: &'static str,
    /// The size in bytes, if it is limited.
    pub bytes: Option<usize>,
}

/// Addresses for `N` tensors in `M` memories, which [`arena!`](crate::arena!) has as the constant `PLAN`. Prints as a
/// table.
///
/// No two tensors that are alive at the same step share a byte. The plan is the best of several orders and of changes
/// of them; [`bound`](Self::bound) says how good any plan could be.
///
/// ```
/// use tensor_layout::arena::{ArenaMemory, ArenaPlan, ArenaTensor};
/// use tensor_layout::layout;
///
/// type Row = layout!(C<C = 100>, i8);
///
/// let tensors = [
///     ArenaTensor::of::<Row>("input", 0, 1),
///     ArenaTensor::of::<Row>("hidden", 1, 2),
///     ArenaTensor::of::<Row>("output", 2, 3), // where the input was
/// ];
/// let memory = ArenaMemory { name: "SRAM", bytes: None };
/// let plan = ArenaPlan::new(tensors, [memory], &["load", "hide", "show"]);
/// assert_eq!((plan.address(0), plan.address(1), plan.address(2)), (0, 112, 0));
/// assert_eq!((plan.bytes(0), plan.bound(0)), (212, 212));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ArenaPlan<const N: usize, const M: usize> {
    pub(super) tensors: [ArenaTensor; N],
    pub(super) memories: [ArenaMemory; M],
    steps: &'static [&'static str],
    /// The memory and the address of each tensor.
    places: [(usize, usize); N],
    bytes: [usize; M],
    bounds: [usize; M],
}

impl<const N: usize, const M: usize> ArenaPlan<N, M> {
    /// Chooses a memory for each tensor, the first one for the most used tensors, and an address. `steps` are the names
    /// of the steps from step 0 on, for pictures.
    ///
    /// A memory that is too small and given addresses that are wrong are not errors here: [`check`](Self::check) finds
    /// them.
    ///
    /// # Panics
    /// If there is no memory.
    pub const fn new(
        tensors: [ArenaTensor; N],
        memories: [ArenaMemory; M],
        steps: &'static [&'static str],
    ) -> Self {
        assert!(M > 0, "an arena has no memory; write at least one");
        let (places, bytes, bounds) = ([(0, 0); N], [usize::MAX; M], [usize::MAX; M]);
        let mut new = Self { tensors, memories, steps, places, bytes, bounds };
        new.choose_in_place();
        let (buffers, roots, is_large) = new.buffers();
        if is_large {
            return new;
        }
        let mut sizes = [None; M];
        let mut memory = 0;
        while memory < M {
            sizes[memory] = memories[memory].bytes;
            memory += 1;
        }
        let buffers = AddressSearch::memories(&buffers, &sizes);
        memory = 0;
        while memory < M {
            let found = AddressSearch::run(&buffers, memory, M);
            (new.bytes[memory], new.bounds[memory]) = (found.bytes, found.bound);
            layout_types::each!(i, 0..N, {
                if buffers[roots[i]].memory == memory {
                    new.places[i] = (memory, found.addresses[roots[i]]);
                }
            });
            memory += 1;
        }
        new
    }

    /// Chooses the tensors that are in place of others: all that may be but those that every plan has room for. For
    /// very many, it is all that may be, since constants have a limit of time.
    const fn choose_in_place(&mut self) {
        const EFFORT: usize = 16_000;
        let (mut least, mut effort) = (None, 0);
        layout_types::each!(i, 0..N, {
            if let InPlace::IfSmaller(other) = self.tensors[i].in_place {
                let most = match least {
                    Some(bytes) => bytes,
                    None => self.least_bytes(),
                };
                least = Some(most);
                self.tensors[i].in_place = InPlace::No;
                effort += N * N;
                if effort > EFFORT || self.least_bytes() > most {
                    self.tensors[i].in_place = InPlace::Of(other);
                }
            }
        });
    }

    /// The bytes that every plan of one memory takes.
    const fn least_bytes(&self) -> usize {
        match self.buffers() {
            (_, _, true) => usize::MAX,
            (buffers, ..) => AddressSearch::least(&buffers),
        }
    }

    /// The tensor whose bytes a tensor has: itself, or the first of those in whose place it is.
    const fn root(&self, i: usize) -> usize {
        let mut root = i;
        layout_types::each!(_, 0..N, {
            match self.tensors[root].in_place.other() {
                Some(other) if other < N => root = other,
                _ => return root,
            }
        });
        i
    }

    /// The buffers of the tensors, those in place of others joined, and the buffer of each tensor. Also whether they
    /// are too large to add up.
    const fn buffers(&self) -> ([LiveBytes; N], [usize; N], bool) {
        let (mut buffers, mut roots) = ([LiveBytes::NONE; N], [0; N]);
        let mut sum = 0usize;
        layout_types::each!(i, 0..N, {
            let tensor = &self.tensors[i];
            let root = self.root(i);
            let joined = buffers[root];
            let is_first = joined.memory == LiveBytes::NONE.memory;
            let memory = match tensor.memory {
                Some(memory) if memory < M => Some(memory),
                _ => None,
            };
            roots[i] = root;
            buffers[root] = LiveBytes {
                bytes: larger(joined.bytes, tensor.bytes),
                align: larger(joined.align, tensor.align),
                first: if is_first || tensor.first < joined.first {
                    tensor.first
                } else {
                    joined.first
                },
                last: larger(joined.last, larger(tensor.first, tensor.last)),
                uses: joined.uses + tensor.uses,
                memory: match memory {
                    Some(memory) => memory,
                    None if is_first => 0,
                    None => joined.memory,
                },
                is_given: memory.is_some() || joined.is_given && !is_first,
                address: match tensor.address {
                    None => joined.address,
                    address => address,
                },
            };
            sum = sum.saturating_add(tensor.end(tensor.align));
            if let Some(address) = tensor.address {
                sum = sum.saturating_add(address);
            }
        });
        (buffers, roots, sum > isize::MAX as usize)
    }

    /// The names of the steps from step 0 on.
    pub const fn steps(&self) -> &'static [&'static str] {
        self.steps
    }

    /// The memory of tensor `i`.
    ///
    /// # Panics
    /// If there is no tensor `i`.
    pub const fn memory(&self, i: usize) -> usize {
        self.places[i].0
    }

    /// Whether tensor `i` is in place of another.
    ///
    /// # Panics
    /// If there is no tensor `i`.
    pub const fn is_in_place(&self, i: usize) -> bool {
        self.tensors[i].in_place.other().is_some()
    }

    /// Where tensor `i` begins, in bytes from the start of its memory.
    ///
    /// # Panics
    /// If there is no tensor `i`.
    pub const fn address(&self, i: usize) -> usize {
        self.places[i].1
    }

    /// The number of bytes that the tensors in a memory need.
    ///
    /// # Panics
    /// If there is no such memory.
    pub const fn bytes(&self, memory: usize) -> usize {
        self.bytes[memory]
    }

    /// The number of bytes that every plan with the same tensors in this memory needs: the most that are alive at one
    /// step, or where the last given address ends.
    ///
    /// # Panics
    /// If there is no such memory.
    pub const fn bound(&self, memory: usize) -> usize {
        self.bounds[memory]
    }

    /// The alignment of a memory in bytes: the largest of its tensors.
    ///
    /// # Panics
    /// If there is no such memory.
    pub const fn align(&self, memory: usize) -> usize {
        let mut align = 1;
        layout_types::each!(i, 0..N, {
            if self.places[i].0 == memory {
                align = larger(align, self.tensors[i].align);
            }
        });
        align
    }

    /// Returns the first error of the tensors, then of the memories.
    ///
    /// # Errors
    /// - A given address does not have the alignment of its tensor, or of one that is in its place.
    /// - Two tensors share a byte while both are alive, since their addresses are given, or those of tensors in whose
    ///   place they are.
    /// - A tensor does not fit in the bytes that become its own.
    /// - A memory is too small, or the sizes of the tensors do not add up.
    pub const fn check(&self) -> Result<(), LayoutError> {
        let mut i = 0;
        while i < N {
            layout_types::ok!(self.check_tensor(i));
            i += 1;
        }
        i = 0;
        while i < M {
            layout_types::ok!(self.check_memory(i));
            i += 1;
        }
        Ok(())
    }

    /// The error of tensor `i`.
    #[doc(hidden)]
    pub const fn check_tensor(&self, i: usize) -> Result<(), LayoutError> {
        let declared = &self.tensors[i];
        let tensor = Name::new(declared.name);
        match declared.in_place.other() {
            Some(of) if of < N && self.tensors[of].bytes < declared.bytes => {
                let (other, has) = (Name::new(self.tensors[of].name), self.tensors[of].bytes);
                let needs = declared.bytes;
                return Err(LayoutError(Rule::InPlaceBytes { tensor, other, needs, has }));
            }
            _ => {}
        }
        if let Some(address) = declared.address {
            let (buffers, roots, _) = self.buffers();
            let alignment = buffers[roots[i]].align;
            if address % alignment != 0 {
                return Err(LayoutError(Rule::AddressAlignment { tensor, address, alignment }));
            }
        }
        layout_types::each!(j, 0..i, {
            if let Some((start, end)) = self.shared(i, j) {
                let other = Name::new(self.tensors[j].name);
                return Err(LayoutError(Rule::LocalOverlap { tensor, other, start, end }));
            }
        });
        Ok(())
    }

    /// The bytes that two tensors share while both are alive, unless one is in place of the other: the first, and the
    /// one after the last. Only given addresses make tensors share bytes.
    const fn shared(&self, i: usize, j: usize) -> Option<(usize, usize)> {
        let (tensor, other) = (&self.tensors[i], &self.tensors[j]);
        let ((memory, address), (of, there)) = (self.places[i], self.places[j]);
        let is_placed = memory == of && self.bytes[memory] != usize::MAX;
        if !is_placed || tensor.first > other.last || other.first > tensor.last {
            return None;
        }
        let start = larger(address, there);
        let (a, b) = (tensor.end(address), other.end(there));
        let end = if a < b { a } else { b };
        if start < end && self.root(i) != self.root(j) { Some((start, end)) } else { None }
    }

    /// The error of a memory.
    #[doc(hidden)]
    pub const fn check_memory(&self, memory: usize) -> Result<(), LayoutError> {
        let (needs, bound) = (self.bytes[memory], self.bounds[memory]);
        let has = match self.memories[memory].bytes {
            Some(has) => has,
            None => isize::MAX as usize,
        };
        if needs <= has {
            return Ok(());
        }
        let (memory, several) = (Name::new(self.memories[memory].name), M > 1);
        Err(LayoutError(Rule::MemoryBytes { memory, has, needs, bound, several }))
    }
}
