//! The search for addresses: the lowest free address for each buffer in several orders, then changes of the best order,
//! and of others where the plan is far above the bound.

/// The most iterations of loops in the searches of an arena, so that a constant stays below the compiler's limit of two
/// million.
const EFFORT: usize = 800_000;

/// The number of orders.
const ORDERS: usize = 4;

/// The order in which memories are chosen, and the one from the last step to the first.
const BY_USE: usize = 0;
const BY_END: usize = ORDERS;

/// Bytes that are taken from one step to another.
#[derive(Clone, Copy)]
pub(super) struct LiveBytes {
    pub(super) bytes: usize,
    pub(super) align: usize,
    /// The first step at which the bytes are taken, and the last.
    pub(super) first: usize,
    pub(super) last: usize,
    /// How many times steps read or write it.
    pub(super) uses: usize,
    /// The memory that has it, and whether that is given.
    pub(super) memory: usize,
    pub(super) is_given: bool,
    /// The address, where it is given.
    pub(super) address: Option<usize>,
}

impl LiveBytes {
    /// No bytes, in no memory.
    pub(super) const NONE: Self = Self {
        bytes: 0,
        align: 1,
        first: 0,
        last: 0,
        uses: 0,
        memory: usize::MAX,
        is_given: true,
        address: None,
    };
}

/// Addresses in one memory: the bytes that they need, and the bytes that every plan needs.
#[derive(Clone, Copy)]
pub(super) struct PlacedBytes<const N: usize> {
    pub(super) addresses: [usize; N],
    pub(super) bytes: usize,
    pub(super) bound: usize,
}

/// Buffers on their way to addresses.
pub(super) struct AddressSearch<'a, const N: usize> {
    buffers: &'a [LiveBytes; N],
    /// The buffers that get addresses, in this order.
    order: [usize; N],
    count: usize,
    /// The bytes that every plan needs.
    bound: usize,
    /// `usize::MAX` for buffers without an address.
    addresses: [usize; N],
    /// The addresses that are given.
    given: [usize; N],
    /// The buffers of the order that are alive at a step of each buffer, and their number.
    near: [[u16; N]; N],
    near_count: [usize; N],
    effort: usize,
    random: u32,
}

impl<'a, const N: usize> AddressSearch<'a, N> {
    /// The search for the buffers of a memory, or for all.
    const fn new(buffers: &'a [LiveBytes; N], memory: Option<usize>) -> Self {
        let (order, addresses, given) = ([0; N], [usize::MAX; N], [usize::MAX; N]);
        let (near, near_count) = ([[0; N]; N], [0; N]);
        let (count, bound, effort, random) = (0, 0, 0, 1);
        let mut new = Self {
            buffers,
            order,
            count,
            bound,
            addresses,
            given,
            near,
            near_count,
            effort,
            random,
        };
        layout_types::each!(i, 0..N, {
            match buffers[i].address {
                Some(address) => new.given[i] = address,
                None if buffers[i].bytes == 0 => new.given[i] = 0,
                None => {}
            }
            let is_of = match memory {
                Some(memory) => buffers[i].memory == memory,
                None => true,
            };
            if is_of && buffers[i].bytes > 0 {
                new.order[new.count] = i;
                new.count += 1;
            }
        });
        new.sort(BY_END);
        new.relate();
        new
    }

    /// Finds the buffers that are alive at a step of each, and the bytes that every plan needs: the most that are alive
    /// at one step, with the gaps that the alignment of all leaves between them, or the end of the last buffer whose
    /// address is given. Only steps at which a buffer ends are looked at, from the last one on, since others have no
    /// more bytes.
    const fn relate(&mut self) {
        let (mut alive, mut count, mut k) = ([0; N], 0, 0);
        while k < self.count {
            let i = self.order[k];
            let LiveBytes { last, bytes, address, mut align, .. } = self.buffers[i];
            alive[count] = i;
            count += 1;
            let (mut kept, mut p) = (0, 0);
            while p < count {
                let other = alive[p];
                if self.buffers[other].first <= last {
                    alive[kept] = other;
                    kept += 1;
                    if self.buffers[other].align < align {
                        align = self.buffers[other].align;
                    }
                    if other != i {
                        self.near[i][self.near_count[i]] = other as u16;
                        self.near_count[i] += 1;
                        self.near[other][self.near_count[other]] = i as u16;
                        self.near_count[other] += 1;
                    }
                }
                p += 1;
            }
            count = kept;
            let (mut sum, mut gap) = (0, 0);
            p = 0;
            while p < count {
                let bytes = self.buffers[alive[p]].bytes;
                let rounded = bytes.next_multiple_of(align);
                sum += rounded;
                gap = larger(gap, rounded - bytes);
                p += 1;
            }
            self.bound = larger(self.bound, sum - gap);
            if let Some(address) = address {
                self.bound = larger(self.bound, address + bytes);
            }
            k += 1;
        }
    }

    /// The bytes that the buffers need in every plan of one memory.
    pub(super) const fn least(buffers: &'a [LiveBytes; N]) -> usize {
        Self::new(buffers, None).bound
    }

    /// Finds addresses for the buffers of one of `memories`.
    pub(super) const fn run(
        buffers: &'a [LiveBytes; N],
        memory: usize,
        memories: usize,
    ) -> PlacedBytes<N> {
        let mut new = Self::new(buffers, Some(memory));
        let (bound, effort) = (new.bound, EFFORT / memories);
        let mut best = PlacedBytes { addresses: new.addresses, bytes: usize::MAX, bound };
        let (mut kind, mut best_order) = (0, new.order);
        while kind < ORDERS && best.bytes > bound && new.effort < effort {
            new.sort(kind);
            let bytes = new.place(best.bytes);
            if bytes < best.bytes {
                (best.bytes, best.addresses, best_order) = (bytes, new.addresses, new.order);
            }
            kind += 1;
        }
        new.order = best_order;
        new.change(&mut best, effort * 3 / 8);
        kind = 0;
        while best.bytes.saturating_sub(bound) > bound / 20 && new.effort < effort {
            new.sort(kind % (ORDERS + 1));
            let mut other =
                PlacedBytes { bytes: new.place(usize::MAX), addresses: new.addresses, bound };
            new.change(&mut other, new.effort + effort / 16);
            if other.bytes < best.bytes {
                best = other;
            }
            kind += 1;
        }
        best
    }

    /// Chooses memories: each buffer in turn, the most used first, gets the first memory that has a free address.
    /// `sizes` are the bytes of the memories.
    pub(super) const fn memories<const M: usize>(
        buffers: &'a [LiveBytes; N],
        sizes: &[Option<usize>; M],
    ) -> [LiveBytes; N] {
        let mut chosen = *buffers;
        let mut new = Self::new(buffers, None);
        new.sort(BY_USE);
        layout_types::each!(k, 0..new.count, {
            let i = new.order[k];
            let mut memory = if buffers[i].is_given { buffers[i].memory } else { 0 };
            loop {
                chosen[i].memory = memory;
                let address = match buffers[i].address {
                    Some(address) => address,
                    None => new.lowest(&chosen, i),
                };
                new.addresses[i] = address;
                let fits = match sizes[memory] {
                    Some(size) => address + buffers[i].bytes <= size,
                    None => true,
                };
                if fits || buffers[i].is_given || memory + 1 == M {
                    break;
                }
                memory += 1;
            }
        });
        chosen
    }

    /// What an order sorts by, the largest first, and the first of the list among equals. Given memories come before
    /// all where memories are chosen.
    const fn key(&self, kind: usize, i: usize) -> [usize; 3] {
        let LiveBytes { bytes, first, last, uses, is_given, address, .. } = self.buffers[i];
        let steps = last - first + 1;
        match kind {
            BY_USE if is_given || address.is_some() => [usize::MAX, bytes, N - i],
            BY_USE => [uses.saturating_mul(1 << 12) / steps, bytes, N - i],
            BY_END => [last, first, N - i],
            1 => [bytes, steps, N - i],
            2 => [bytes.saturating_mul(steps), bytes, N - i],
            _ => [steps, bytes, N - i],
        }
    }

    /// Sorts by insertion among every second half, quarter and so on, so that an order of many takes little time.
    const fn sort(&mut self, kind: usize) {
        let (mut keys, mut gap, mut i) = ([[0; 3]; N], self.count, 0);
        while i < self.count {
            keys[i] = self.key(kind, self.order[i]);
            i += 1;
        }
        while gap > 1 {
            gap = gap.div_ceil(3);
            i = gap;
            while i < self.count {
                let (key, moved, mut at) = (keys[i], self.order[i], i);
                while at >= gap && is_below(&keys[at - gap], &key) {
                    (keys[at], self.order[at]) = (keys[at - gap], self.order[at - gap]);
                    at -= gap;
                }
                (keys[at], self.order[at]) = (key, moved);
                i += 1;
            }
        }
    }

    /// Gives each buffer its address or the lowest free one, in order. Returns the bytes that all need, or
    /// `usize::MAX` as soon as they are more than `most`.
    const fn place(&mut self, most: usize) -> usize {
        self.addresses = self.given;
        let (mut k, mut end) = (0, 0);
        while k < self.count {
            let i = self.order[k];
            if self.given[i] == usize::MAX {
                self.addresses[i] = self.lowest(self.buffers, i);
            }
            end = larger(end, self.addresses[i] + self.buffers[i].bytes);
            if end > most {
                return usize::MAX;
            }
            k += 1;
        }
        end
    }

    /// The lowest address at which a buffer shares no byte with those that have an address in its memory and are alive
    /// at the same time. The loop calls nothing, since the compiler's limit counts calls too.
    const fn lowest(&mut self, buffers: &[LiveBytes; N], i: usize) -> usize {
        let LiveBytes { bytes, align, memory, .. } = buffers[i];
        let (count, near) = (self.near_count[i], &self.near[i]);
        let (mut address, mut p, mut free) = (0, 0, 0);
        while free < count {
            let other = near[p] as usize;
            p = if p + 1 == count { 0 } else { p + 1 };
            free += 1;
            let start = self.addresses[other];
            if start < address + bytes && buffers[other].memory == memory {
                let end = start + buffers[other].bytes;
                if address < end {
                    address = end.div_ceil(align) * align;
                    free = 1;
                }
            }
            self.effort += 1;
        }
        address
    }

    /// Moves one buffer at a time to another place in the order, and keeps what is not worse: one that ends last to an
    /// earlier place, or one that is alive at about the same time to any. Stops at a plan of less than 1/512 above the
    /// bound, or after this effort.
    const fn change(&mut self, best: &mut PlacedBytes<N>, effort: usize) {
        let mut random = self.random;
        while best.bytes.saturating_sub(best.bound) > best.bound / 512 && self.effort < effort {
            let mut from = self.last(best);
            let mut to;
            (to, random) = below(2, random);
            if to == 0 {
                (from, random) = self.neighbor(from, random);
                (to, random) = below(self.count, random);
            } else {
                (to, random) = below(from + 1, random);
            }
            let before = self.order;
            self.shift(from, to);
            self.effort += 2 * self.count;
            let bytes = self.place(best.bytes);
            if bytes <= best.bytes {
                (best.bytes, best.addresses) = (bytes, self.addresses);
            } else {
                self.order = before;
            }
        }
        self.random = random;
    }

    /// The place in the order of a buffer that ends last.
    const fn last(&self, best: &PlacedBytes<N>) -> usize {
        let mut at = 0;
        while at + 1 < self.count {
            let i = self.order[at];
            if best.addresses[i] + self.buffers[i].bytes == best.bytes {
                break;
            }
            at += 1;
        }
        at
    }

    /// The place in the order of a buffer that is alive at about the same time as the one at a place, if one is found
    /// soon, and the next random state.
    const fn neighbor(&self, at: usize, mut random: u32) -> (usize, u32) {
        let of = &self.buffers[self.order[at]];
        let (reach, mut place) = (of.last - of.first + 1, at);
        layout_types::each!(_, 0..16, {
            (place, random) = below(self.count, random);
            let buffer = &self.buffers[self.order[place]];
            if buffer.first <= of.last + reach && of.first <= buffer.last + reach {
                break;
            }
        });
        (place, random)
    }

    /// Moves the buffer at one place of the order to another.
    const fn shift(&mut self, mut from: usize, to: usize) {
        let moved = self.order[from];
        while from > to {
            self.order[from] = self.order[from - 1];
            from -= 1;
        }
        while from < to {
            self.order[from] = self.order[from + 1];
            from += 1;
        }
        self.order[to] = moved;
    }
}

pub(super) const fn larger(a: usize, b: usize) -> usize {
    if a < b { b } else { a }
}

const fn is_below(a: &[usize; 3], b: &[usize; 3]) -> bool {
    a[0] < b[0] || a[0] == b[0] && (a[1] < b[1] || a[1] == b[1] && a[2] < b[2])
}

/// A number below `count`, and the next random state.
const fn below(count: usize, state: u32) -> (usize, u32) {
    let state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (((state as u64 * count as u64) >> 32) as usize, state)
}
