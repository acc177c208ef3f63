//! Rust types as elements, complex numbers and fields of structs too: the units of their buffers and the order of bytes.

use core::fmt;

#[cfg(feature = "half")]
use half::{bf16, f16};

use layout_core::spec::{ElementType, InBytes};

use super::plain::Plain;

/// A type that can be an element of a layout: `bool`, Rust's integers of 8 to 64 bits, `f32`, `f64`,
/// [`f16`](struct@f16), [`bf16`], the types of this crate that [`ElementType`] lists, those of less than a byte in
/// [`HighFirst`] too, integers of other widths as [`Int`](super::named::Int), and every [`PlainElement`]. This trait is
/// sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    label = "not an element type",
    note = "element types are bool, integers such as i8 and u4, and floats such as f32, f16, bf16 and f8e4m3",
    note = "for a type of your own, derive `bytemuck::Pod`, write `impl PlainElement for {Self} {{}}`, and enable feature `bytemuck` of tensor-layout"
)]
pub trait Element: Copy + sealed::Element + 'static {
    /// The unit of a buffer: the element itself, or `u8` for `bool` and for elements of less than a byte.
    type Unit: Plain;

    /// The element type as a value.
    const TYPE: ElementType;

    /// Reads the element at `offset` (in elements). Returns `None` beyond the end.
    fn read(units: &[Self::Unit], offset: usize) -> Option<Self>;

    /// Writes the element at `offset` (in elements). Returns `None` beyond the end.
    fn write(units: &mut [Self::Unit], offset: usize, element: Self) -> Option<()>;
}

/// A plain type of your own as an element, with feature `bytemuck`. One line implements it:
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use tensor_layout::PlainElement;
///
/// #[derive(Clone, Copy, Pod, Zeroable)]
/// #[repr(C)]
/// struct Complex {
///     re: f32,
///     im: f32,
/// }
///
/// impl PlainElement for Complex {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    note = "derive `bytemuck::Pod`, write `impl PlainElement for {Self} {{}}`, and enable feature `bytemuck` of tensor-layout"
)]
pub trait PlainElement: Plain {}

/// Implements [`Element`] for a type that is its own unit.
macro_rules! whole_element {
    ($({$($generics:tt)*})? $type:ty, $name:expr) => {
        impl $(<$($generics)*>)? $crate::numbers::elements::sealed::Element for $type {}

        impl $(<$($generics)*>)? Element for $type {
            type Unit = Self;
            const TYPE: ElementType = $name;

            #[inline]
            fn read(units: &[Self], offset: usize) -> Option<Self> {
                units.get(offset).copied()
            }

            #[inline]
            fn write(units: &mut [Self], offset: usize, element: Self) -> Option<()> {
                units.get_mut(offset).map(|unit| *unit = element)
            }
        }
    };
}

pub(super) use whole_element;

whole_element!(i8, ElementType::I8);
whole_element!(u8, ElementType::U8);
whole_element!(i16, ElementType::I16);
whole_element!(u16, ElementType::U16);
whole_element!(i32, ElementType::I32);
whole_element!(u32, ElementType::U32);
whole_element!(i64, ElementType::I64);
whole_element!(u64, ElementType::U64);
#[cfg(feature = "half")]
whole_element!(f16, ElementType::F16);
#[cfg(feature = "half")]
whole_element!(bf16, ElementType::BF16);
whole_element!(f32, ElementType::F32);
whole_element!(f64, ElementType::F64);
whole_element!({T: PlainElement} T, ElementType::Plain { bytes: size_of::<T>(), align: align_of::<T>() });

/// An element that is a whole unit of its buffer, so that references and slices can point to it. All elements are,
/// except `bool` and elements of less than a byte.
#[diagnostic::on_unimplemented(
    message = "a buffer holds `{Self}` as bytes, so no reference can point to an element",
    label = "not a whole unit of its buffer",
    note = "read and write such elements with `Tensor::get`, `set`, `iter` and `for_each_mut`"
)]
pub trait WholeElement: Element<Unit = Self> {}

#[diagnostic::do_not_recommend]
impl<E: Element<Unit = E>> WholeElement for E {}

impl sealed::Element for bool {}

/// Its buffers consist of `u8`, since bytes from elsewhere need not be 0 or 1. Every byte except 0 is `true`, and
/// `true` is stored as 1. `bytemuck::cast_slice` converts a slice of `bool` to a slice of `u8`.
impl Element for bool {
    type Unit = u8;
    const TYPE: ElementType = ElementType::Bool;

    #[inline]
    fn read(units: &[u8], offset: usize) -> Option<Self> {
        units.get(offset).map(|&byte| byte != 0)
    }

    #[inline]
    fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
        units.get_mut(offset).map(|unit| *unit = u8::from(element))
    }
}

/// Unsafe code relies on the implementations of `Element`, so the trait is sealed.
pub(super) mod sealed {
    pub trait Element {}
}

/// An element of less than a byte, such as [`u1`](super::named::u1) or [`u4`](super::named::u4). This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not share bytes, so its elements have no order within one",
    label = "not an element of less than a byte",
    note = "`high_first` is for elements of less than a byte, such as u1 and u4"
)]
pub trait SubByteElement: Element<Unit = u8> {
    /// The element type with the first element of a byte in its highest bits.
    #[doc(hidden)]
    const HIGH_FIRST: ElementType;

    /// Returns the element in the lowest bits.
    fn from_bits(bits: u8) -> Self;

    /// Returns the element in the lowest bits of a byte. The other bits are 0.
    fn to_bits(self) -> u8;
}

/// An element type with the first element of a byte in its highest bits. `layout!` makes it from `u4, high_first`.
/// Without this wrapper, the first element is in the lowest bits.
///
/// ```
/// use tensor_layout::{HighFirst, Tensor, layout, u4};
///
/// type Packed = layout!(MK<1, 4>, u4, high_first);
/// let packed = Tensor::<Packed, _>::new([0x12u8, 0x34])?;
/// assert_eq!(packed.get([0, 1]), Some(HighFirst(u4::from_bits(2))));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct HighFirst<E>(pub E);

impl<E> core::ops::Deref for HighFirst<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.0
    }
}

impl<E> From<E> for HighFirst<E> {
    fn from(element: E) -> Self {
        Self(element)
    }
}

/// Writes the value.
impl<E: fmt::Display> fmt::Display for HighFirst<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Writes the value.
impl<E: fmt::Debug> fmt::Debug for HighFirst<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<E: SubByteElement> sealed::Element for HighFirst<E> {}

impl<E: SubByteElement> Element for HighFirst<E> {
    type Unit = u8;
    const TYPE: ElementType = E::HIGH_FIRST;

    #[inline]
    fn read(units: &[u8], offset: usize) -> Option<Self> {
        read_bits(const { E::HIGH_FIRST.in_bytes() }, units, offset)
            .map(|bits| Self(E::from_bits(bits)))
    }

    #[inline]
    fn write(units: &mut [u8], offset: usize, element: Self) -> Option<()> {
        write_bits(const { places_of(E::HIGH_FIRST) }, units, offset, element.0.to_bits())
    }
}

/// The bits of the element at `offset`, and those above it in its byte.
#[inline(always)]
pub(super) fn read_bits(places: InBytes, units: &[u8], offset: usize) -> Option<u8> {
    let (byte, shift) = places.at(offset);
    units.get(byte).map(|unit| unit >> shift)
}

/// Stores the bits of an element at `offset`, those of `mask`. Higher bits must be 0.
#[inline(always)]
pub(super) fn write_bits(
    (places, mask): (InBytes, u8),
    units: &mut [u8],
    offset: usize,
    bits: u8,
) -> Option<()> {
    let (byte, shift) = places.at(offset);
    units.get_mut(byte).map(|unit| *unit = *unit & !(mask << shift) | bits << shift)
}

/// Where elements of less than a byte lie in bytes, and the bits of one of them.
pub(super) const fn places_of(element: ElementType) -> (InBytes, u8) {
    (element.in_bytes(), 0xff >> (8 - element.bits()))
}

/// The bits of an element, lowest bit first: what the fill of padding stores.
pub const fn bits_of<E: Element>(element: E) -> u64 {
    const { assert!(size_of::<E>() <= 8, "no fill has more than 64 bits") };
    let bits = match size_of::<E>() {
        1 => of_size::<E, u8>(&element) as u64,
        2 => of_size::<E, u16>(&element) as u64,
        4 => of_size::<E, u32>(&element) as u64,
        8 => of_size::<E, u64>(&element),
        _ => 0,
    };
    match E::TYPE.bits() {
        // Elements of less than a byte are numbers of a byte.
        width @ 1..8 => bits & ((1 << width) - 1),
        _ => bits,
    }
}

/// The bytes of an element as a number of the same size.
const fn of_size<E: Element, N: Plain>(element: &E) -> N {
    assert!(size_of::<E>() == size_of::<N>());
    #[expect(unsafe_code, reason = "no trait of bytes has functions for constants")]
    // SAFETY: both have the same size. An element has no padding: it is plain, `bool` or a wrapper of an integer, since
    // the trait is sealed. Every bit pattern is a value of `N`, which is plain.
    unsafe {
        core::mem::transmute_copy(element)
    }
}

/// Pairs of numbers, real part first.
#[cfg(feature = "num-complex")]
impl<T> PlainElement for num_complex::Complex<T> where num_complex::Complex<T>: Plain {}

/// Returns the type of both parts of complex numbers of 32-bit or 64-bit floats. `None` for all other elements.
pub fn complex_part<E: Element>() -> Option<ElementType> {
    #[cfg(feature = "num-complex")]
    {
        use core::any::TypeId;
        use num_complex::Complex;

        let element = TypeId::of::<E>();
        if element == TypeId::of::<Complex<f32>>() {
            return Some(ElementType::F32);
        }
        if element == TypeId::of::<Complex<f64>>() {
            return Some(ElementType::F64);
        }
    }
    None
}

/// A type of a field of a struct that holds elements of type `E`: `E`, an array of them, or bytes with elements of less
/// than a byte.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` does not hold elements of type `{E}`",
    label = "the record has elements of type `{E}`",
    note = "write `{E}`, an array of it, or bytes for elements of less than a byte"
)]
pub trait StructField<E> {}

impl<E: Element> StructField<E> for E {}

impl<E: Element, const N: usize> StructField<E> for [E; N] {}

impl<E: SubByteElement, const N: usize> StructField<E> for [u8; N] {}

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The lowest byte is the first.
    Little,
    /// The highest byte is the first.
    Big,
}

impl ByteOrder {
    /// The byte order of the machine that this code is compiled for.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };
}
