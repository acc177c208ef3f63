//! Values in the caller's memory: opaque words with a mark that says what they hold.

use core::mem::MaybeUninit;

use tensor_layout::strided::StridedCopy;
use tensor_layout::{Layout, Plan};

use crate::c_text::{Fault, Status};

/// `TL_VERSION` of the header.
pub(crate) const VERSION: u32 = 1;

/// The value of a type in words: the first one is a mark, which holds the version of the interface and of the type.
#[repr(C)]
#[derive(Debug)]
pub struct StoredOfC<T, const WORDS: usize> {
    words: [MaybeUninit<u64>; WORDS],
    of: core::marker::PhantomData<T>,
}

/// A layout: `tl_layout`.
pub type LayoutOfC = StoredOfC<Layout, 64>;
/// A plan: `tl_plan`.
pub type PlanOfC = StoredOfC<Plan, 1024>;
/// A copy between strided arrays: `tl_copy`.
pub type CopyOfC = StoredOfC<StridedCopy, 576>;

impl<T, const WORDS: usize> StoredOfC<T, WORDS> {
    /// Marks differ between types, and between builds that may lay out their bytes in other ways, as far as their sizes tell:
    /// they have the versions of the interface and of the package, and the size of the value.
    const MARK: u64 = {
        assert!(size_of::<T>() <= 8 * (WORDS - 1), "the value fits the words of the header");
        assert!(align_of::<T>() <= align_of::<u64>(), "words have the alignment of the value");
        assert!(!core::mem::needs_drop::<T>(), "the caller may forget the value");
        let package = env!("CARGO_PKG_VERSION").as_bytes();
        let (mut mark, mut i) = (0x0074_6c61_796f_7574 ^ VERSION as u64, 0);
        while i < package.len() {
            mark = (mark ^ package[i] as u64).wrapping_mul(0x100_0000_01b3);
            i += 1;
        }
        mark ^ (size_of::<T>() as u64) << 16 ^ WORDS as u64
    };

    /// Returns a stored value.
    ///
    /// # Safety
    /// `place` must be null or lead to `WORDS` words, of which the first is initialized, and which nothing changes while
    /// the result is used. Where it is the mark, the others must be those that [`put`](PlaceOfC::put) has stored.
    pub(crate) unsafe fn get<'a>(place: *const Self) -> Result<&'a T, Fault> {
        // SAFETY: the caller's promise. The words may hold anything.
        let Some(place) = (unsafe { place.as_ref() }) else { return Err(null()) };
        let [mark, words @ ..] = place.words.as_slice() else { return Err(null()) };
        // SAFETY: the caller's promise.
        if unsafe { mark.assume_init() } != Self::MARK {
            return Err(Fault::Fixed(
                Status::Version,
                "the value was not made, or by another version of the library; make it with a function of this library",
            ));
        }
        // SAFETY: `put` has stored a value there.
        Ok(unsafe { &*words.as_ptr().cast::<T>() })
    }
}

/// The caller's memory for what a function makes.
pub(crate) trait PlaceOfC {
    /// What is made.
    type Made;

    /// Stores a value.
    ///
    /// # Safety
    /// `place` must be null or lead to memory of this type, which need not be initialized, and which nothing else accesses.
    unsafe fn put(place: *mut Self, made: Self::Made) -> Result<(), Fault>;
}

impl<T, const WORDS: usize> PlaceOfC for StoredOfC<T, WORDS> {
    type Made = T;

    unsafe fn put(place: *mut Self, made: T) -> Result<(), Fault> {
        // SAFETY: the caller's promise. The words may hold anything.
        let Some(place) = (unsafe { place.as_mut() }) else { return Err(null()) };
        let [mark, words @ ..] = place.words.as_mut_slice() else { return Err(null()) };
        mark.write(Self::MARK);
        // SAFETY: the words have the size and alignment of the value, as `MARK` asserts.
        unsafe { words.as_mut_ptr().cast::<T>().write(made) };
        Ok(())
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl PlaceOfC for $number {
            type Made = Self;

            unsafe fn put(place: *mut Self, made: Self) -> Result<(), Fault> {
                if place.is_null() {
                    return Err(null());
                }
                // SAFETY: the caller's promise, and the address is not null.
                unsafe { place.write(made) };
                Ok(())
            }
        }
    )*};
}

numbers!(u64 usize);

/// An argument is null that must not be.
pub(crate) fn null() -> Fault {
    Fault::Fixed(
        Status::Argument,
        "an argument is NULL that must not be; give memory for each, as the header says, or leave out `error` alone",
    )
}

/// Declares functions of the header, whose last argument is memory for a text. What returns the result of a body to C is
/// written first. `&layout: LayoutOfC` is a stored value, which the body gets as a reference. What a body makes for
/// `-> layout: LayoutOfC` is put there.
macro_rules! exported {
    ($report:ident; $($(#[$of:meta])* fn $name:ident(
        $(&$stored:ident: $stored_type:ident,)* $($argument:ident: $type:ty),* $(,)?
    ) $(-> $place:ident: $made:ident)? $body:block)+) => {$(
        $(#[$of])*
        ///
        /// # Safety
        /// The header's: arguments lead to what they describe.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($stored: *const $stored_type,)*
            $($argument: $type,)*
            $($place: *mut $made,)?
            text: *mut $crate::c_text::TextOfC,
        ) -> $crate::c_text::Status {
            let body = || {
                $(
                    // SAFETY: the caller's promise.
                    let $stored = unsafe { $stored_type::get($stored) }?;
                )*
                let made = $body;
                $(
                    // SAFETY: the caller's promise.
                    let made = unsafe { <$made as $crate::c_stored::PlaceOfC>::put($place, made?) };
                )?
                made
            };
            // SAFETY: the caller's promise.
            unsafe { $report(body, text) }
        }
    )+};
}

pub(crate) use exported;
