//! Tensors over views: elements, order, moves, parts.

use bytemuck::{Pod, cast_slice, cast_slice_mut, try_cast_slice};
use tensor_layout::{
    Dynamic, Element as LibraryElement, HighFirst, Layout, LayoutType, Tensor, f16, i4, u1, u2,
};

use super::layouts::with_rank;
use super::threads::for_each;
use crate::element::Element;

/// Calls `$function::<TYPE, RANK>` for an element type, or gives `None` for others.
macro_rules! with_element {
    ($element:expr, $rank:expr, $function:ident($($argument:expr),*)) => {
        match $element {
            Element::Named("u8") => Some(with_rank!($rank, $function[u8]($($argument),*))),
            Element::Named("f16") => Some(with_rank!($rank, $function[f16]($($argument),*))),
            Element::Named("f32") => Some(with_rank!($rank, $function[f32]($($argument),*))),
            Element::Named("i4") => Some(with_rank!($rank, $function[i4]($($argument),*))),
            Element::Named("u2") => Some(with_rank!($rank, $function[u2]($($argument),*))),
            Element::HighFirst("u1") => {
                Some(with_rank!($rank, $function[HighFirst<u1>]($($argument),*)))
            }
            _ => None,
        }
    };
}

/// An element as bits, lowest first.
trait Bits {
    fn bits(self) -> u64;
}

impl Bits for u8 {
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Bits for f16 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for i4 {
    fn bits(self) -> u64 {
        (self.to_bits() & 0xf).into()
    }
}

impl Bits for u2 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for HighFirst<u1> {
    fn bits(self) -> u64 {
        self.0.to_bits().into()
    }
}

/// What a tensor over `buffer` says that its elements are, in coordinate order: by coordinates, by its
/// iterator, and by coordinates through its iterator in memory order. `None` for element types that
/// the campaign has no tensors of.
///
/// # Errors
/// Three that are not the same, and what the library says against the tensor.
pub fn reads(layout: &Layout, element: Element, buffer: &[u8]) -> Option<Result<Vec<u64>, String>> {
    with_element!(element, layout.rank(), elements(layout, buffer))
}

fn elements<E, const RANK: usize>(layout: &Layout, buffer: &[u8]) -> Result<Vec<u64>, String>
where
    E: LibraryElement<Unit: Pod> + Bits,
{
    let units: &[E::Unit] = try_cast_slice(buffer).map_err(|error| error.to_string())?;
    let dynamic = Dynamic::<E, RANK>::new(*layout).map_err(|error| error.to_string())?;
    let copy = aligned_copy(dynamic, units)?;
    let units = copy.as_ref().map_or(units, |copy| copy.buffer());
    let tensor = Tensor::with_layout(dynamic, units).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for (coordinate, element) in tensor.iter() {
        let bits = element.bits();
        if tensor.get(coordinate).map(Bits::bits) != Some(bits) {
            return Err(format!("`get` and `iter` differ at {coordinate:?}"));
        }
        found.push(bits);
    }
    let mut in_memory = vec![None; found.len()];
    for (coordinate, element) in tensor.iter_in_memory() {
        let at = crate::table::position(layout.extents(), &coordinate);
        in_memory[at] = Some(element.bits());
    }
    if in_memory.iter().copied().ne(found.iter().copied().map(Some)) {
        return Err("`iter` and `iter_in_memory` differ".to_string());
    }
    Ok(found)
}

/// `relayout_into` from one layout to another; `None` for element types that the campaign has no
/// tensors of.
pub fn into(
    source: (&Layout, &[u8]),
    destination: (&Layout, &mut [u8]),
    element: Element,
) -> Option<Result<(), String>> {
    with_element!(element, source.0.rank(), move_into(source, destination))
}

fn move_into<E, const RANK: usize>(
    (from, source): (&Layout, &[u8]),
    (to, destination): (&Layout, &mut [u8]),
) -> Result<(), String>
where
    E: LibraryElement<Unit: Pod>,
{
    let dynamic =
        |layout: &Layout| Dynamic::<E, RANK>::new(*layout).map_err(|error| error.to_string());
    let source: &[E::Unit] = cast_slice(source);
    let destination: &mut [E::Unit] = cast_slice_mut(destination);
    let (from, to) = (dynamic(from)?, dynamic(to)?);
    let copy = aligned_copy(from, source)?;
    let source = copy.as_ref().map_or(source, |copy| copy.buffer());
    let source = Tensor::with_layout(from, source).map_err(|error| error.to_string())?;
    if let Some(mut copy) = aligned_copy(to, destination)? {
        let moved = source.relayout_into(&mut copy).map_err(|error| error.to_string());
        destination.copy_from_slice(copy.buffer());
        return moved;
    }
    let mut destination =
        Tensor::with_layout(to, destination).map_err(|error| error.to_string())?;
    source.relayout_into(&mut destination).map_err(|error| error.to_string())
}

/// A copy of the units in a buffer that is aligned as the layout asks, where they are not.
///
/// # Errors
/// Units that are not aligned so and yet become a tensor.
pub(super) fn aligned_copy<E: LibraryElement, const RANK: usize>(
    layout: Dynamic<E, RANK>,
    units: &[E::Unit],
) -> Result<Option<Tensor<Dynamic<E, RANK>>>, String>
where
    E::Unit: Pod,
{
    let align = LayoutType::layout(&layout).align();
    if units.is_empty() || units.as_ptr() as usize % align == 0 {
        return Ok(None);
    }
    if Tensor::with_layout(layout, units).is_ok() {
        return Err("a tensor over a buffer that is not aligned".to_string());
    }
    let mut copy = Tensor::zeroed_in(layout).map_err(|error| error.to_string())?;
    if copy.buffer().len() == units.len() {
        copy.buffer_mut().copy_from_slice(units);
    }
    Ok(Some(copy))
}

/// Cuts a tensor of 32-bit elements into chunks of an axis and writes to each element the number of
/// its chunk, the chunks on several threads where there are threads. Says how many chunks there are.
///
/// # Errors
/// What the library says against it.
pub fn parts(layout: &Layout, buffer: &mut [u8], axis: char, size: usize) -> Result<usize, String> {
    with_rank!(layout.rank(), number_parts[](layout, buffer, axis, size))
}

/// Cuts a tensor of 32-bit elements into chunks of an axis, and looks at the first few: there may be more
/// than there is time for.
///
/// # Errors
/// What the library says against it.
pub fn first_parts(layout: &Layout, axis: char, size: usize) -> Result<usize, String> {
    with_rank!(layout.rank(), count_first[](layout, axis, size))
}

fn count_first<const RANK: usize>(
    layout: &Layout,
    axis: char,
    size: usize,
) -> Result<usize, String> {
    let dynamic = Dynamic::<f32, RANK>::new(*layout).map_err(|error| error.to_string())?;
    let units: &mut [f32] = &mut [];
    let tensor = Tensor::with_layout(dynamic, units).map_err(|error| error.to_string())?;
    Ok(tensor.chunks(axis, size).map_err(|error| error.to_string())?.take(3).count())
}

fn number_parts<const RANK: usize>(
    layout: &Layout,
    buffer: &mut [u8],
    axis: char,
    size: usize,
) -> Result<usize, String> {
    // No bytes may begin anywhere.
    let units: &mut [f32] = if buffer.is_empty() { &mut [] } else { cast_slice_mut(buffer) };
    let dynamic = Dynamic::<f32, RANK>::new(*layout).map_err(|error| error.to_string())?;
    if let Some(mut copy) = aligned_copy(dynamic, units)? {
        let parts = write_numbers(dynamic, copy.buffer_mut(), axis, size)?;
        units.copy_from_slice(copy.buffer());
        return Ok(parts);
    }
    write_numbers(dynamic, units, axis, size)
}

fn write_numbers<const RANK: usize>(
    dynamic: Dynamic<f32, RANK>,
    units: &mut [f32],
    axis: char,
    size: usize,
) -> Result<usize, String> {
    let tensor = Tensor::with_layout(dynamic, units).map_err(|error| error.to_string())?;
    let chunks = tensor.chunks(axis, size).map_err(|error| error.to_string())?;
    let mut chunks: Vec<_> = chunks.collect();
    let number = |(number, chunk): (usize, &mut Tensor<Dynamic<f32, RANK>, &mut [f32]>)| {
        chunk.for_each_mut(|_, element| *element = number as f32).map_err(|error| error.to_string())
    };
    for_each(&mut chunks, number)?;
    Ok(chunks.len())
}
