//! Layouts as types: what they say of themselves, and the elements that tensors of them reach.

use bytemuck::{Pod, Zeroable};
use layout_core::{Layout, LayoutError};
use tensor_layout::plain;
use tensor_layout::tensor::zip;
use tensor_layout::typed::{ExtentList, Order};
use tensor_layout::{
    Dynamic, Element as LibraryElement, HighFirst, LayoutType, Mixed, PlainElement, Static, Tensor,
    UnitOf, bf16, f8e4m3, f8e5m2, f16, i2, i4, u1, u2, u4,
};

use super::layouts;
use crate::check::{bytes, ensure, first_difference, read, views, write};
use crate::element::Element;
use crate::guard::{Buffer, Position};
use crate::memory::Memory;
use crate::notation::Notation;
use crate::table::for_each_coordinate;
use test_support::Random;

/// An element type that the library does not know.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Own<const BYTES: usize>([u8; BYTES]);

// SAFETY: bytes may all be zero.
unsafe impl<const BYTES: usize> Zeroable for Own<BYTES> {}

// SAFETY: any bytes are bytes, without padding.
unsafe impl<const BYTES: usize> Pod for Own<BYTES> {}

impl<const BYTES: usize> PlainElement for Own<BYTES> {}

/// An element as the oracle stores it: its bytes, or one byte of its bits.
pub trait Stored: LibraryElement {
    /// The bytes of the element.
    fn stored(self) -> Vec<u8>;

    /// The element of these bytes.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! stored {
    ($($type:ty),* => $value:ident: $bytes:expr, $from:ident: $element:expr) => {$(
        impl Stored for $type {
            fn stored(self) -> Vec<u8> {
                let $value = self;
                $bytes
            }

            fn of($from: &[u8]) -> Self {
                $element
            }
        }
    )*};
}

stored!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, f16, bf16, f8e4m3, f8e5m2, Own<3>, Own<12>, Own<16> =>
    value: bytemuck::bytes_of(&value).to_vec(), bytes: bytemuck::pod_read_unaligned(bytes));
stored!(u1, u2, u4, i2, i4 =>
    value: vec![value.to_bits() & ((1 << Self::TYPE.bits()) - 1)], bytes: Self::from_bits(bytes[0]));
stored!(HighFirst<u1>, HighFirst<u2>, HighFirst<u4>, HighFirst<i2>, HighFirst<i4> =>
    value: value.0.stored(), bytes: HighFirst(Stored::of(bytes)));
stored!(bool => value: vec![u8::from(value)], bytes: bytes[0] != 0);

/// What the text of a notation is as a layout.
///
/// # Errors
/// What the library says against it, as `layout!` does.
pub fn read_text(notation: &Notation) -> Result<Layout, (LayoutError, String)> {
    Layout::parse(&notation.to_string())
        .map_err(|error| (error.error(), error.message().to_string()))
}

/// A static layout is the layout of its notation.
///
/// # Errors
/// What differs.
pub fn fixed<E, X, O, const RANK: usize>(
    _: Static<E, X, O, RANK>,
    notation: &Notation,
) -> Result<(), String>
where
    E: Stored,
    X: ExtentList<RANK>,
    O: Order,
{
    let memory = Memory::new(notation).ok_or("is larger than the campaign's tables")?;
    let facts = layouts::facts(&Static::<E, X, O, RANK>::LAYOUT);
    let strides = Static::<E, X, O, RANK>::STRIDES.map(|strides| strides.to_vec());
    ensure!(strides == facts.strides, "strides {strides:?}, not {:?}", facts.strides);
    ensure!(
        Static::<E, X, O, RANK>::LEN == memory.length,
        "length {}",
        Static::<E, X, O, RANK>::LEN
    );
    ensure!(Static::<E, X, O, RANK>::IS_UNIQUE == facts.is_unique, "`IS_UNIQUE` differs");
    ensure!(
        Static::<E, X, O, RANK>::IS_EXHAUSTIVE == facts.is_exhaustive,
        "`IS_EXHAUSTIVE` differs"
    );
    for offset in 0..memory.length {
        let found = Static::<E, X, O, RANK>::coordinate(offset).map(|found| found.to_vec());
        let expected = layouts::coordinate(&Static::<E, X, O, RANK>::LAYOUT, offset);
        ensure!(found == expected, "offset {offset} is that of {found:?}, not of {expected:?}");
    }
    places::<_, RANK>(&memory, |at| {
        (Static::<E, X, O, RANK>::offset(at), Static::<E, X, O, RANK>::checked_offset(at))
    })?;
    layout_type::<_, RANK>(Static::<E, X, O, RANK>::default(), notation, &memory)
}

/// A layout some of whose extents are known at run time alone is the layout of its notation.
///
/// # Errors
/// What differs.
pub fn mixed<E, X, O, const RANK: usize, const UNKNOWN: usize>(
    new: impl Fn([usize; UNKNOWN]) -> Result<Mixed<E, X, O, RANK, UNKNOWN>, LayoutError>,
    unknown: [usize; UNKNOWN],
    notation: &Notation,
) -> Result<(), String>
where
    E: Stored,
    X: ExtentList<RANK>,
    O: Order,
{
    let (own, read) = match (new(unknown), read_text(notation)) {
        (Ok(own), Ok(read)) => (own, read),
        (Err(error), Err((expected, _))) if error == expected => return Ok(()),
        (Ok(own), Err((error, _))) => return Err(format!("is {own}, and its text: {error}")),
        (Err(error), expected) => return Err(format!("{error}, and its text: {expected:?}")),
    };
    let memory = Memory::new(notation).ok_or("is larger than the campaign's tables")?;
    let (strides, expected) =
        (own.strides().map(|all| all.to_vec()), layouts::facts(&read).strides);
    ensure!(strides == expected, "strides {strides:?}, not {expected:?}");
    ensure!(Mixed::try_from(read) == Ok(own), "is another than that of its layout");
    places::<_, RANK>(&memory, |at| (own.offset(at), own.checked_offset(at)))?;
    layout_type::<_, RANK>(own, notation, &memory)
}

/// Offsets are those of the table.
fn places<F, const RANK: usize>(memory: &Memory, offset: F) -> Result<(), String>
where
    F: Fn([usize; RANK]) -> (usize, Result<usize, LayoutError>),
{
    let mut result = Ok(());
    for_each_coordinate(&memory.table.extents, |coordinate| {
        let at = coordinate.try_into().expect("an index for each axis");
        let (expected, (found, checked)) = (memory.table.at(coordinate), offset(at));
        if result.is_ok() && (found, &checked) != (expected, &Ok(expected)) {
            result = Err(format!("offset {at:?} is {found} or {checked:?}, not {expected}"));
        }
    });
    result
}

/// The layout as a value, all that tensors of the type read, and all that they write.
fn layout_type<L, const RANK: usize>(
    own: L,
    notation: &Notation,
    memory: &Memory,
) -> Result<(), String>
where
    L: LayoutType<Coordinate = [usize; RANK], Element: Stored> + Copy,
{
    let read = read_text(notation).map_err(|(error, _)| format!("its text: {error}"))?;
    let layout = LayoutType::layout(&own);
    ensure!(layout == read, "is {layout:?}, and its text {read:?}");
    let dynamic = Dynamic::<L::Element, RANK>::new(layout).map_err(|error| error.to_string())?;
    for other in [&own as &dyn Places<RANK>, &dynamic] {
        places::<_, RANK>(memory, |at| other.place(at))?;
    }
    let (table, element) = (memory.table.clone(), notation.element);
    let is_view = notation.is_view();
    views::inspect(&views::Built { layout, table, element, length: memory.length, is_view })?;
    accesses::<_, RANK>(own, element, memory)
}

/// Both offsets of a layout type.
trait Places<const RANK: usize> {
    fn place(&self, at: [usize; RANK]) -> (usize, Result<usize, LayoutError>);
}

impl<L: LayoutType<Coordinate = [usize; RANK]>, const RANK: usize> Places<RANK> for L {
    fn place(&self, at: [usize; RANK]) -> (usize, Result<usize, LayoutError>) {
        (self.offset_of(at), self.checked_offset_of(at))
    }
}

/// Random bytes for a layout between guard pages.
fn buffer(random: &mut Random, element: Element, memory: &Memory, align: usize) -> Buffer {
    let mut all = bytes(random, element.bytes_of(memory.length));
    if element == Element::Named("bool") {
        all.iter_mut().for_each(|byte| *byte &= 1);
    }
    Buffer::new(&all, Position { align, ..Position::END })
}

/// The tensors of a layout type reach the elements of the table and no others.
fn accesses<L, const RANK: usize>(own: L, element: Element, memory: &Memory) -> Result<(), String>
where
    L: LayoutType<Coordinate = [usize; RANK], Element: Stored> + Copy,
{
    let (mut random, align) = (Random::new(7, 7), LayoutType::layout(&own).align());
    let text = |error: LayoutError| error.to_string();
    let mut memories = [0; 2].map(|_| buffer(&mut random, element, memory, align));
    let [before, other] = memories.each_ref().map(|buffer| buffer.bytes().to_vec());
    let at = |bytes: &[u8], coordinate: &[usize]| read(bytes, element, memory.table.at(coordinate));
    let [one, two] =
        memories.each_mut().map(|buffer| plain::cast_mut::<u8, UnitOf<L>>(buffer.bytes_mut()));
    let mut one = Tensor::with_layout(own, one).map_err(text)?;
    let mut two = Tensor::with_layout(own, two).map_err(text)?;
    let coordinates = reads::<L, RANK>(&mut one, memory, |coordinate| at(&before, coordinate))?;
    // By coordinates, all at once, and together with reads of another tensor.
    let copied = |to: &[u8], from: &[u8]| {
        let mut to = to.to_vec();
        for index in &coordinates {
            write(&mut to, element, memory.table.at(index), &at(from, index));
        }
        to
    };
    for index in &coordinates {
        one.set(*index, L::Element::of(&at(&other, index))).map_err(text)?;
    }
    let set = copied(&before, &other);
    compare("`set`", one.as_bytes(), &set)?;
    let is_unique = memory.table.is_unique();
    let each = two.for_each_mut(|index, element| *element = L::Element::of(&at(&before, &index)));
    ensure!(each.is_ok() == is_unique, "`for_each_mut`: {each:?}");
    let changed = if is_unique { copied(&other, &before) } else { other };
    compare("`for_each_mut`", two.as_bytes(), &changed)?;
    let both = zip((&two, &mut one)).map(|both| both.for_each(|value, element| *element = value));
    ensure!(both.is_ok() == is_unique, "`zip`: {both:?}");
    compare(
        "`zip`",
        one.as_bytes(),
        &if is_unique { copied(&set, &changed) } else { set.clone() },
    )?;
    ensure!(memories.iter().all(Buffer::is_guarded), "writes outside");
    Ok(())
}

/// All elements are read in all ways, and none outside. Returns the coordinates.
fn reads<L, const RANK: usize>(
    tensor: &mut Tensor<L, &mut [UnitOf<L>]>,
    memory: &Memory,
    at: impl Fn(&[usize]) -> Vec<u8>,
) -> Result<Vec<[usize; RANK]>, String>
where
    L: LayoutType<Coordinate = [usize; RANK], Element: Stored>,
{
    let mut all: Vec<[usize; RANK]> = Vec::new();
    for_each_coordinate(&memory.table.extents, |at| {
        all.push(at.try_into().expect("an index for each axis"))
    });
    let mut in_memory: Vec<_> = tensor.iter_in_memory().collect();
    in_memory.sort_unstable_by_key(|(at, _)| *at);
    ensure!(
        tensor.iter().map(|(at, _)| at).eq(all.iter().copied()),
        "`iter` has other coordinates"
    );
    ensure!(in_memory.iter().map(|(at, _)| at).eq(&all), "`iter_in_memory` has other coordinates");
    let view = tensor.view::<RANK>(Ok).map_err(|error| error.to_string())?;
    for (((index, element), (_, again)), coordinate) in tensor.iter().zip(in_memory).zip(&all) {
        let found = [Some(element), Some(again), tensor.get(index), view.get(index)];
        let (found, value) = (found.map(|element| element.map(Stored::stored)), at(coordinate));
        ensure!(
            found.iter().all(|found| found.as_ref() == Some(&value)),
            "{index:?} is {found:?}, not {value:?}"
        );
    }
    for axis in (0..RANK).filter(|_| !all.is_empty()) {
        let mut outside = [0; RANK];
        outside[axis] = memory.table.extents[axis];
        let value = tensor.get([0; RANK]).ok_or("there is not a first element")?;
        let is_refused = tensor.get(outside).is_none() && tensor.set(outside, value).is_err();
        ensure!(is_refused, "{outside:?} is inside");
    }
    Ok(all)
}

fn compare(what: &str, found: &[u8], expected: &[u8]) -> Result<(), String> {
    first_difference(found, expected).map_or(Ok(()), |text| Err(format!("{what}: {text}")))
}
