//! Records as types: what `layout!` makes of braces.

use core::fmt;
use core::marker::PhantomData;

use layout_records::{Record, RecordError, RecordField, RecordTemplate, UseFault};
use layout_types::Element;
use layout_types::spec::Length;
use layout_types::typed::ExtentList;

/// A record: a type, or a [`Record`] as a value.
pub trait RecordType: Copy {
    /// The name that [`record!`](crate::record) gave, or `()`.
    type Name;

    /// Where the elements of a field lie.
    type Places<F: FieldName>: FieldPlaces;

    /// The record of a block.
    type Block: RecordType<Name = Self::Name>;

    /// [`AllKnown`] if the type determines all extents.
    type Extents;

    /// The record, if the type alone determines it.
    const STATIC: Option<Record> = None;

    /// The only value of such a type.
    #[doc(hidden)]
    const ONLY: Option<Self> = None;

    /// The record of a block, as far as the type determines it.
    #[doc(hidden)]
    const BLOCK: Result<Record, RecordError>;

    /// Returns the record.
    fn record(&self) -> Record;

    /// Where the elements of a field lie. Panics if there is no such field.
    #[doc(hidden)]
    fn places<F: FieldName>(&self) -> Self::Places<F>;

    /// The record of a block, which is `block` as a value.
    #[doc(hidden)]
    fn block(&self, block: &Record) -> Self::Block;
}

/// What [`RecordType::Extents`] is if the type of a record determines it. Types of records are long, so no error names one.
#[diagnostic::on_unimplemented(
    message = "the type of this record does not determine its extents",
    label = "an extent is written `_`",
    note = "make the record by `new` of its type, and the buffer by `RecordBuffer::with_record`"
)]
pub trait KnownExtents: sealed::KnownExtents {}

/// All extents of a record are constants.
#[derive(Clone, Copy, Debug)]
pub struct AllKnown;

impl KnownExtents for AllKnown {}

impl sealed::KnownExtents for AllKnown {}

impl RecordType for Record {
    type Name = ();
    type Places<F: FieldName> = RecordField;
    type Block = Record;
    type Extents = ();

    const BLOCK: Result<Record, RecordError> =
        Err(RecordError::of_use(UseFault::BufferCount("record", 1, 0)));

    fn record(&self) -> Record {
        *self
    }

    fn places<F: FieldName>(&self) -> RecordField {
        field(self, F::NAME)
    }

    fn block(&self, block: &Record) -> Record {
        *block
    }
}

/// A field by its name. Panics if there is none.
pub(super) const fn field(record: &Record, name: &str) -> RecordField {
    match record.field(name) {
        Ok(field) => field,
        Err(error) => error.panic(),
    }
}

/// Numbers of a tree, after those of `Before`. `layout!` writes them.
#[derive(Clone, Copy, Debug)]
pub struct TreeWords<
    Before,
    const A: u128,
    const B: u128,
    const C: u128,
    const D: u128,
    const E: u128,
    const F: u128,
    const G: u128,
    const H: u128,
>(PhantomData<Before>);

/// A list of [`TreeWords`]. This trait is sealed.
pub trait RecordWords: sealed::RecordWords {
    /// The numbers, and how many there are.
    #[doc(hidden)]
    const WORDS: WordList;
}

/// Numbers in a constant.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct WordList {
    words: [u128; 112],
    count: usize,
}

impl WordList {
    const fn with(mut self, words: [u128; 8]) -> Self {
        let mut i = 0;
        while i < 8 {
            self.words[self.count + i] = words[i];
            i += 1;
        }
        self.count += 8;
        self
    }

    const fn all(&self) -> &[u128] {
        self.words.split_at(self.count).0
    }
}

mod sealed {
    pub trait KnownExtents {}
    pub trait RecordWords {}
}

impl sealed::RecordWords for () {}

impl RecordWords for () {
    const WORDS: WordList = WordList { words: [0; 112], count: 0 };
}

macro_rules! list {
    ($($word:ident)*) => {
        impl<P: RecordWords, $(const $word: u128),*> sealed::RecordWords for TreeWords<P, $($word),*> {}

        impl<P: RecordWords, $(const $word: u128),*> RecordWords for TreeWords<P, $($word),*> {
            const WORDS: WordList = P::WORDS.with([$($word),*]);
        }
    };
}

list!(A B C D E F G H);

/// A record as a type without a size: what `layout!` makes of braces whose extents are all constants.
///
/// ```
/// use tensor_layout::{layout, records};
///
/// type Weights = layout!(MK<4096, 4096>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8));
///
/// assert_eq!(Weights::BYTES, 4096 * 4096 / 32 * 18);
/// assert_eq!(Weights::RECORD, records::Record::parse("MK<4096, 4096>, ggml::Q4_0")?);
/// # Ok::<(), records::RecordError>(())
/// ```
///
/// A record that breaks a rule is a compile error. [`record!`](crate::record) gives a record a name, and its fields
/// types and methods.
pub struct StaticRecord<N, Extents, Tree, const RANK: usize>(PhantomData<(N, Extents, Tree)>);

/// A record whose extents are in part known only at run time, which are its value: `layout!(MK<_, 4096>, Q4_0!)`.
pub struct MixedRecord<N, Extents, Tree, const RANK: usize, const UNKNOWN: usize> {
    unknown: [usize; UNKNOWN],
    parts: PhantomData<(N, Extents, Tree)>,
}

impl<N, X: ExtentList<RANK>, T: RecordWords, const RANK: usize> StaticRecord<N, X, T, RANK> {
    /// The only value of the type.
    pub const VALUE: Self = Self(PhantomData);

    /// The record as a value.
    pub const RECORD: Record = match Record::of_type(T::WORDS.all(), &X::AXES) {
        Ok(record) => record,
        Err(error) => error.panic(),
    };

    /// The number of bytes of the first buffer, or of the only one.
    pub const BYTES: usize = Self::RECORD.bytes(0);

    /// The extents in coordinate order, without padding.
    pub const EXTENTS: [usize; RANK] = {
        let mut extents = [0; RANK];
        let mut axis = 0;
        while axis < RANK {
            extents[axis] = Self::RECORD.extents()[axis];
            axis += 1;
        }
        extents
    };
}

impl<N, X: ExtentList<RANK>, T: RecordWords, const RANK: usize, const UNKNOWN: usize>
    MixedRecord<N, X, T, RANK, UNKNOWN>
{
    /// The record without the extents that are known at run time.
    pub const TEMPLATE: RecordTemplate = RecordTemplate::of_type(T::WORDS.all(), &X::AXES);

    /// Returns the record with these extents for the axes written `_`, in coordinate order.
    ///
    /// # Errors
    /// An extent breaks a rule.
    pub const fn new(unknown: [usize; UNKNOWN]) -> Result<Self, RecordError> {
        match Self::of(&unknown) {
            Ok(_) => Ok(Self { unknown, parts: PhantomData }),
            Err(error) => Err(error),
        }
    }

    const fn of(unknown: &[usize]) -> Result<Record, RecordError> {
        let (mut axes, mut axis, mut next) = (X::AXES, 0, 0);
        while axis < RANK {
            if axes[axis].extent.value().is_none() {
                axes[axis].extent = Length::Runtime(unknown[next]);
                next += 1;
            }
            axis += 1;
        }
        Record::of_type(T::WORDS.all(), &axes)
    }
}

impl<N, X: ExtentList<RANK>, T: RecordWords, const RANK: usize> RecordType
    for StaticRecord<N, X, T, RANK>
{
    type Name = N;
    type Places<F: FieldName> = StaticPlaces<Self, F>;
    type Block = BlockOf<Self>;
    type Extents = AllKnown;

    const STATIC: Option<Record> = Some(Self::RECORD);
    const ONLY: Option<Self> = Some(Self::VALUE);
    const BLOCK: Result<Record, RecordError> = Self::RECORD.template().block();

    fn record(&self) -> Record {
        Self::RECORD
    }

    #[inline(always)]
    fn places<F: FieldName>(&self) -> Self::Places<F> {
        StaticPlaces::NEW
    }

    #[inline(always)]
    fn block(&self, _: &Record) -> BlockOf<Self> {
        BlockOf::NEW
    }
}

impl<N, X: ExtentList<RANK>, T: RecordWords, const RANK: usize, const UNKNOWN: usize> RecordType
    for MixedRecord<N, X, T, RANK, UNKNOWN>
{
    type Name = N;
    type Places<F: FieldName> = RecordField;
    type Block = BlockOf<Self>;
    type Extents = ();

    const BLOCK: Result<Record, RecordError> = Self::TEMPLATE.block();

    fn record(&self) -> Record {
        match Self::of(&self.unknown) {
            Ok(record) => record,
            // It is checked when the value is made.
            Err(_) => unreachable!(),
        }
    }

    fn places<F: FieldName>(&self) -> RecordField {
        field(&self.record(), F::NAME)
    }

    #[inline(always)]
    fn block(&self, _: &Record) -> BlockOf<Self> {
        BlockOf::NEW
    }
}

macro_rules! copied {
    ($([$($generics:tt)*] $type:ty)+) => {$(
        impl<$($generics)*> Clone for $type {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($generics)*> Copy for $type {}
    )+};
}

copied! {
    [N, X, T, const RANK: usize] StaticRecord<N, X, T, RANK>
    [N, X, T, const RANK: usize, const UNKNOWN: usize] MixedRecord<N, X, T, RANK, UNKNOWN>
    [R] BlockOf<R>
}

impl<N, X, T, const RANK: usize> Default for StaticRecord<N, X, T, RANK> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

macro_rules! printed {
    ($([$($generics:tt)*] $type:ty)+) => {$(
        /// Writes the record in the notation of `layout!`.
        impl<N, X: ExtentList<RANK>, T: RecordWords, $($generics)*> fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.record(), formatter)
            }
        }
    )+};
}

printed! {
    [const RANK: usize] StaticRecord<N, X, T, RANK>
    [const RANK: usize, const UNKNOWN: usize] MixedRecord<N, X, T, RANK, UNKNOWN>
}

/// The name of a field as a type. [`record!`](crate::record) declares one for each field.
pub trait FieldName {
    /// The type of the elements.
    type Element: Element;

    /// The name.
    const NAME: &'static str;
}

/// Where the elements of a field lie.
pub trait FieldPlaces {
    /// Where the element at a coordinate of the record begins in its buffer, in bits, or `None` outside of the extents.
    fn bit(&self, coordinate: &[usize]) -> Option<u64>;

    /// The bytes from the first element to the last one, if elements fill them.
    fn byte_range(&self) -> Option<(usize, usize)>;

    /// The field.
    fn field(&self) -> &RecordField;
}

impl FieldPlaces for RecordField {
    #[inline(always)]
    fn bit(&self, coordinate: &[usize]) -> Option<u64> {
        self.bit_of(coordinate)
    }

    fn byte_range(&self) -> Option<(usize, usize)> {
        self.byte_range()
    }

    fn field(&self) -> &RecordField {
        self
    }
}

/// The places of a field of a type, which are constants.
#[derive(Clone, Copy, Debug)]
pub struct StaticPlaces<R, F>(PhantomData<(R, F)>);

impl<R, F> StaticPlaces<R, F> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<R: RecordType, F: FieldName> StaticPlaces<R, F> {
    const FIELD: RecordField = match R::STATIC {
        Some(record) => field(&record, F::NAME),
        None => panic!("the type of the record does not determine its extents"),
    };
}

impl<R: RecordType, F: FieldName> FieldPlaces for StaticPlaces<R, F> {
    #[inline(always)]
    fn bit(&self, coordinate: &[usize]) -> Option<u64> {
        const { &Self::FIELD }.bit_of(coordinate)
    }

    #[inline(always)]
    fn byte_range(&self) -> Option<(usize, usize)> {
        const { Self::FIELD.byte_range() }
    }

    #[inline(always)]
    fn field(&self) -> &RecordField {
        const { &Self::FIELD }
    }
}

/// The record of a block of a record of type `R`. Its coordinates are those of the record within a block; axes that only
/// count blocks are gone.
#[derive(Debug)]
pub struct BlockOf<R>(PhantomData<R>);

impl<R> BlockOf<R> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<R: RecordType> BlockOf<R> {
    /// The record as a value.
    pub const RECORD: Record = match R::BLOCK {
        Ok(record) => record,
        Err(error) => error.panic(),
    };

    /// The number of bytes of a block.
    pub const BYTES: usize = Self::RECORD.bytes(0);
}

impl<R: RecordType> RecordType for BlockOf<R> {
    type Name = R::Name;
    type Places<F: FieldName> = StaticPlaces<Self, F>;
    type Block = Self;
    type Extents = AllKnown;

    const STATIC: Option<Record> = Some(Self::RECORD);
    const ONLY: Option<Self> = Some(Self::NEW);
    const BLOCK: Result<Record, RecordError> = Ok(Self::RECORD);

    fn record(&self) -> Record {
        Self::RECORD
    }

    #[inline(always)]
    fn places<F: FieldName>(&self) -> Self::Places<F> {
        StaticPlaces::NEW
    }

    #[inline(always)]
    fn block(&self, _: &Record) -> Self {
        *self
    }
}
