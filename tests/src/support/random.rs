//! Random layouts: axes in any order, blocks nested in any order, padding, alignments, lanes, strides of either
//! sign, broadcasts, elements of 1 to 128 bits; small enough to look at every coordinate.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tensor_layout::spec::{AxisExtent, Factor, Length, Spec, SubByte, Swizzling};
use tensor_layout::{ElementType, Layout, LayoutError};

use super::oracle::Memory;

/// The most coordinates of a random tensor.
const COORDINATES: usize = 500;

/// The maximal number of positions of its memory, except for a few more.
const POSITIONS: usize = 4000;

/// Element types with their bits.
#[allow(dead_code, reason = "conversions have their own")]
const ELEMENTS: [(ElementType, usize); 14] = [
    (ElementType::U1, 1),
    (ElementType::I2, 2),
    (ElementType::HighFirst(SubByte::U1), 1),
    (ElementType::HighFirst(SubByte::U2), 2),
    (ElementType::HighFirst(SubByte::I4), 4),
    (ElementType::I4, 4),
    (ElementType::U4, 4),
    (ElementType::U8, 8),
    (ElementType::F16, 16),
    (ElementType::F32, 32),
    (ElementType::I64, 64),
    (ElementType::Plain { bytes: 3, align: 1 }, 24),
    (ElementType::Plain { bytes: 12, align: 4 }, 96),
    (ElementType::Plain { bytes: 16, align: 16 }, 128),
];

/// This number of random cases. A failure prints its case in one line; no file is kept.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    super::config(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() })
}

/// A layout as it is written down.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) element: ElementType,
    pub(crate) bits: usize,
    /// Letters and extents in coordinate order.
    pub(crate) axes: Vec<(char, usize)>,
    /// The memory order, slowest first.
    pub(crate) factors: Vec<Factor>,
    pub(crate) fill: Option<u64>,
}

impl Case {
    /// What the library makes of it.
    pub(crate) fn try_layout(&self) -> Result<Layout, LayoutError> {
        let axis = |&(letter, extent): &(char, usize)| AxisExtent {
            letter,
            // What a swizzle of fixed extents must change, one of others need not.
            extent: match self.factors.last() {
                Some(Factor::Swizzle(_)) => Length::Runtime(extent),
                _ if extent == 0 => Length::Runtime(0),
                _ => Length::Fixed(extent),
            },
        };
        let axes: Vec<AxisExtent> = self.axes.iter().map(axis).collect();
        let Self { element, factors, fill, .. } = self;
        Layout::new(&Spec { element: *element, axes: &axes, factors, fill: *fill })
    }

    /// The same where the case breaks no rule.
    pub(crate) fn layout(&self) -> Layout {
        self.try_layout().unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The same with a swizzle, unless it is distributed over lanes.
    pub(crate) fn swizzled(mut self, swizzle: Option<(usize, usize, isize)>) -> Self {
        let lanes = self.factors.iter().any(|factor| matches!(factor, Factor::Lanes(..)));
        if let Some((bits, base, shift)) = swizzle.filter(|_| !lanes) {
            self.factors.push(Factor::Swizzle(Swizzling::Elements(bits, base, shift)));
        }
        self
    }

    /// What the oracle makes of it.
    pub(crate) fn memory(&self) -> Memory {
        Memory::new(&self.axes, &self.factors, self.bits)
    }
}

/// One line, to be read in a failure.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { element, axes, factors, fill, .. } = self;
        write!(f, "{element:?}, axes {axes:?}, factors {factors:?}, fill {fill:?}")
    }
}

/// Up to twelve axes in coordinate order.
pub(crate) fn axes() -> impl Strategy<Value = Vec<(char, usize)>> {
    let letters = Just(('A'..='Z').collect::<Vec<char>>()).prop_shuffle();
    let extent = prop_oneof![
        1 => Just(0usize),
        40 => select(vec![1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16, 24, 31]),
    ];
    (letters, vec(extent, 0..=12)).prop_map(|(letters, extents)| {
        let mut count = 1;
        let small = |extent: usize| {
            let extent = if count * extent.max(1) > COORDINATES { 1 } else { extent };
            count *= extent.max(1);
            extent
        };
        letters.into_iter().zip(extents.into_iter().map(small)).collect()
    })
}

/// An element type and its bits.
#[allow(dead_code, reason = "conversions have their own")]
pub(crate) fn element() -> impl Strategy<Value = (ElementType, usize)> {
    select(ELEMENTS.to_vec())
}

/// Bits, base and shift of a swizzle, or none.
pub(crate) fn swizzle() -> impl Strategy<Value = Option<(usize, usize, isize)>> {
    let some =
        (0..4usize, 0..4usize, 0..4usize, any::<bool>()).prop_map(|(bits, base, far, back)| {
            let shift = (bits + far) as isize;
            (bits, base, if back { -shift } else { shift })
        });
    prop::option::weighted(0.6, some)
}

/// Any layout of these axes; with `broadcast`, some take no memory.
pub(crate) fn layout_of(
    axes: Vec<(char, usize)>,
    element: (ElementType, usize),
    broadcast: bool,
) -> impl Strategy<Value = Case> {
    let order = order_of(axes.clone(), element, broadcast);
    prop_oneof![3 => order, 1 => strided(axes, element, broadcast)]
}

/// Inserts alignments from `first` on, each a position and a multiple of elements, while the layout takes few
/// positions.
fn align(
    factors: &mut Vec<Factor>,
    aligns: Vec<(usize, usize)>,
    first: usize,
    mut positions: usize,
    bits: usize,
) {
    for (at, multiple) in aligns {
        positions *= multiple * 8usize.div_ceil(bits);
        if positions <= POSITIONS {
            let bytes = multiple * bits.div_ceil(8);
            factors.insert(at.clamp(first, factors.len()), Factor::Align(bytes));
        }
    }
}

/// A memory order of these axes.
fn order_of(
    axes: Vec<(char, usize)>,
    (element, bits): (ElementType, usize),
    broadcast: bool,
) -> impl Strategy<Value = Case> {
    let rank = axes.len();
    let blocks = vec((any::<prop::sample::Index>(), select(vec![1, 2, 2, 3, 4, 4, 5, 6, 8])), 0..6);
    let keys = vec(any::<u32>(), 16);
    let aligns = vec((0..17usize, select(vec![1, 2, 3, 4, 8, 16])), 0..=2);
    let shared = prop::option::weighted(0.2, any::<prop::sample::Index>());
    let distributed = prop::option::weighted(0.3, (any::<prop::sample::Index>(), lanes()));
    let fill = prop::option::of(any::<u64>());
    let nesting = prop::option::weighted(0.4, vec(any::<u32>(), 16));
    let parts = (blocks, keys, aligns, shared, distributed, fill, nesting);
    parts.prop_map(move |(blocks, keys, aligns, shared, distributed, fill, nesting)| {
        let mut block_of = vec![1; rank];
        let stored = |block_of: &[usize]| -> usize {
            axes.iter().zip(block_of).map(|(axis, block)| axis.1.div_ceil(*block) * block).product()
        };
        let mut factors: Vec<Factor> = axes.iter().map(|axis| Factor::Axis(axis.0)).collect();
        // A layout has at most 16 axes, blocks and lanes.
        for (axis, size) in blocks.into_iter().filter(|_| rank > 0).take(15 - rank) {
            let axis = axis.index(rank);
            block_of[axis] *= size;
            if stored(&block_of) > POSITIONS {
                block_of[axis] /= size;
            } else {
                factors.push(Factor::Block(axes[axis].0, size));
            }
        }
        let shared = shared.filter(|_| rank > 0).map(|axis| axis.index(rank));
        if let Some(axis) = shared.filter(|_| broadcast) {
            let letter = axes[axis].0;
            factors.retain(|factor| factor.letter() != Some(letter));
            factors.push(Factor::Broadcast(letter));
            block_of[axis] = 1;
        }
        let mut keyed: Vec<_> = keys.into_iter().zip(factors).collect();
        keyed.sort_by_key(|(key, _)| *key);
        let mut factors: Vec<Factor> = keyed.into_iter().map(|(_, factor)| factor).collect();
        if let Some(keys) = nesting {
            weigh(&mut factors, &keys);
        }
        let mut positions = stored(&block_of);
        let distributed =
            distributed.filter(|_| rank > 0).map(|(axis, lanes)| (axis.index(rank), lanes));
        let wide = |axis: usize| axes[axis].1 > 0 && block_of[axis] > axes[axis].1;
        let distributed = distributed.filter(|&(axis, _)| Some(axis) != shared && !wide(axis));
        let first = usize::from(distributed.is_some());
        if let Some((axis, (lanes, start))) = distributed {
            let rows = axes[axis].1.div_ceil(block_of[axis]);
            positions = positions / rows.max(1) * (rows + start + lanes);
            factors.insert(0, Factor::Lanes(axes[axis].0, lanes, start));
        }
        align(&mut factors, aligns, first, positions, bits);
        let pads = axes.iter().zip(&block_of).any(|(axis, block)| axis.1 % block != 0) || bits < 8;
        let fill = fill.or(pads.then_some(0xd)).map(|fill| fill_of(element, bits, fill));
        Case { element, bits, axes: axes.clone(), factors, fill }
    })
}

/// These bits as far as the element has them. A type of the user's own is filled with zero bytes.
fn fill_of(element: ElementType, bits: usize, fill: u64) -> u64 {
    match element {
        ElementType::Plain { .. } => 0,
        _ => fill & (u64::MAX >> (64 - bits.min(64))),
    }
}

/// Nests the blocks of each axis in the order of `keys`, one for each factor, whatever their order in memory.
/// A block of weight 1 may be without it.
fn weigh(factors: &mut [Factor], keys: &[u32]) {
    let weight_of = |i: usize| {
        let inner = factors.iter().zip(keys).enumerate().filter(|&(k, (factor, key))| {
            factor.letter() == factors[i].letter() && (*key, k) < (keys[i], i)
        });
        let size = |(_, (factor, _)): (usize, (&Factor, _))| match *factor {
            Factor::Block(_, size) => size,
            _ => 1,
        };
        inner.map(size).product::<usize>()
    };
    let weights: Vec<usize> = (0..factors.len()).map(weight_of).collect();
    for (i, factor) in factors.iter_mut().enumerate() {
        match *factor {
            Factor::Block(letter, size) if weights[i] > 1 || (size > 1 && keys[i] % 2 == 0) => {
                *factor = Factor::Weighted(letter, size, weights[i]);
            }
            _ => {}
        }
    }
}

/// How many lanes, and the one to begin at.
fn lanes() -> impl Strategy<Value = (usize, usize)> {
    (1..=6usize).prop_flat_map(|lanes| (Just(lanes), 0..lanes))
}

/// Strides of either sign with gaps, each larger than the span of all smaller ones.
fn strided(
    axes: Vec<(char, usize)>,
    (element, bits): (ElementType, usize),
    broadcast: bool,
) -> impl Strategy<Value = Case> {
    let rank = axes.len();
    let order = Just((0..rank).collect::<Vec<usize>>()).prop_shuffle();
    let steps = vec((select(vec![0usize, 0, 0, 1, 2, 5]), any::<bool>()), rank);
    let shared = prop::option::weighted(0.2, any::<prop::sample::Index>());
    (order, steps, shared).prop_map(move |(order, steps, shared)| {
        let shared = shared.filter(|_| rank > 0 && broadcast).map(|axis| axis.index(rank));
        let mut strides = vec![Factor::Axis('?'); rank];
        let mut reach = 0;
        for (&axis, (gap, negative)) in order.iter().zip(steps) {
            let (letter, extent) = axes[axis];
            let mut stride = reach + 1 + gap;
            if bits < 8 && stride > 1 {
                stride = stride.next_multiple_of(8 / bits);
            }
            let sign = if negative { -1 } else { 1 };
            if shared == Some(axis) {
                strides[axis] = Factor::Broadcast(letter);
            } else {
                strides[axis] = Factor::Stride(letter, sign * stride as isize);
                reach += extent.saturating_sub(1) * stride;
            }
        }
        Case { element, bits, axes: axes.clone(), factors: strides, fill: None }
    })
}
