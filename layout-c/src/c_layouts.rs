//! Functions of layouts.

use core::ffi::{CStr, c_char, c_int};

use tensor_layout::{ElementType, Layout};

use crate::c_memory::slice;
use crate::c_stored::{LayoutOfC, PlaceOfC, VERSION, exported, null};
use crate::c_text::{Fault, Status, TextOfC, print, report, report_caught, write};

const MAX_RANK: usize = 12;

/// What a layout is: `tl_facts`.
#[repr(C)]
#[derive(Debug)]
pub struct FactsOfC {
    size: usize,
    rank: usize,
    extents: [usize; MAX_RANK],
    strides: [isize; MAX_RANK],
    has_strides: c_int,
    letters: [c_char; MAX_RANK + 4],
    numel: usize,
    len: usize,
    bytes: usize,
    align: usize,
    element_bits: usize,
}

const _: () = assert!(MAX_RANK == tensor_layout::spec::MAX_RANK, "the header says how many axes");

/// The version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn tl_version() -> u32 {
    VERSION
}

/// Returns a text of the caller.
///
/// # Safety
/// `text` must be null or lead to `length` bytes that nothing changes while the result is used.
pub(crate) unsafe fn text_of<'a>(text: *const c_char, length: usize) -> Result<&'a str, Fault> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice(text.cast::<u8>(), length) }?;
    core::str::from_utf8(bytes).map_err(|_| {
        Fault::Fixed(
            Status::Text,
            "the text is not UTF-8; a layout has letters, numbers and marks of ASCII",
        )
    })
}

/// Reads a layout.
///
/// # Safety
/// The header's: arguments lead to what they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_parse(
    text: *const c_char,
    length: usize,
    layout: *mut LayoutOfC,
    error: *mut TextOfC,
) -> Status {
    let mut is_layout = true;
    // SAFETY: the caller's promise.
    let body = || match Layout::parse(unsafe { text_of(text, length) }?) {
        // SAFETY: the caller's promise.
        Ok(parsed) => unsafe { PlaceOfC::put(layout, parsed) },
        Err(wrong) => {
            is_layout = false;
            // SAFETY: the caller's promise.
            unsafe { write(error, &wrong) };
            Ok(())
        }
    };
    // SAFETY: the caller's promise.
    let status = unsafe { report_caught(body, error) };
    if is_layout { status } else { Status::Text }
}

exported! { report_caught;
    /// Makes the layout of a strided array.
    fn tl_from_strides(
        axes: *const c_char,
        rank: usize,
        extents: *const usize,
        strides: *const isize,
        element: *const c_char,
    ) -> layout: LayoutOfC {
        if element.is_null() {
            return Err(null());
        }
        // SAFETY: the caller's promise.
        let name = unsafe { CStr::from_ptr(element) }.to_str().ok();
        let element = name.and_then(ElementType::from_name).ok_or(Fault::Fixed(
            Status::Text,
            "no element type has this name; write one such as `f32`, `f16`, `i8`, `u8` or `u4`",
        ))?;
        // SAFETY: the caller's promise.
        let axes = unsafe { text_of(axes, rank) }?;
        // SAFETY: the caller's promise.
        let extents = unsafe { slice(extents, rank) }?;
        // SAFETY: the caller's promise.
        let strides = unsafe { slice(strides, rank) }?;
        Layout::from_strides(axes, extents, strides, element)
    }
}

exported! { print;
    /// Writes the layout as text.
    fn tl_print(&layout: LayoutOfC,) {
        Ok(layout)
    }

    /// Writes what the layout is, in words.
    fn tl_explain(&layout: LayoutOfC,) {
        #[cfg(feature = "std")]
        let explanation = Ok(tensor_layout::show::explain(layout));
        // The pair uses `layout`, and gives the error the type of a layout.
        #[cfg(not(feature = "std"))]
        let explanation = (Err::<&Layout, _>(crate::c_text::no_system()), layout).0;
        explanation
    }
}

/// Writes what the layout is, in numbers.
///
/// # Safety
/// The header's: arguments lead to what they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tl_describe(layout: *const LayoutOfC, facts: *mut FactsOfC) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let layout = unsafe { LayoutOfC::get(layout) }?;
        if facts.is_null() {
            return Err(null());
        }
        // SAFETY: the size is the first field, and the caller has set it. The others need not be initialized.
        let size = unsafe { facts.cast::<usize>().read() };
        if size != size_of::<FactsOfC>() {
            return Err(Fault::Fixed(
                Status::Argument,
                "`size` is not that of tl_facts; set it to `sizeof` the struct",
            ));
        }
        let (mut extents, mut strides) = ([0; MAX_RANK], [0; MAX_RANK]);
        let mut letters = [0; MAX_RANK + 4];
        let rank = layout.rank();
        extents[..rank].copy_from_slice(layout.extents());
        if let Some(list) = layout.strides() {
            strides[..rank].copy_from_slice(&list);
        }
        for (axis, letter) in letters.iter_mut().take(rank).enumerate() {
            // Letters are those of ASCII.
            *letter = layout.letters().at(axis) as u8 as c_char;
        }
        let written = FactsOfC {
            size,
            rank,
            extents,
            strides,
            has_strides: c_int::from(layout.strides().is_some()),
            letters,
            numel: layout.numel(),
            len: layout.len(),
            bytes: layout.bytes(),
            align: layout.align(),
            element_bits: layout.element().bits(),
        };
        // SAFETY: the caller's memory has room for the struct, as its size says.
        unsafe { facts.write(written) };
        Ok(())
    };
    // SAFETY: no text is written.
    unsafe { report(body, core::ptr::null_mut()) }
}

exported! { report;
    /// Finds the offset of an element.
    fn tl_offset(&layout: LayoutOfC, coordinate: *const usize, rank: usize) -> offset: usize {
        // SAFETY: the caller's promise.
        layout.checked_offset(unsafe { slice(coordinate, rank) }?)
    }

    /// Finds the element at an offset.
    fn tl_coordinate(&layout: LayoutOfC, offset: usize, coordinate: *mut usize, rank: usize) {
        if rank != layout.rank() {
            return Err(Fault::Rank { needed: layout.rank(), given: rank });
        }
        let found = layout.coordinate(offset).ok_or(Fault::Fixed(
            Status::NoElement,
            "no element lies at this offset: it is padding, a gap, or beyond the buffer",
        ))?;
        if coordinate.is_null() && rank > 0 {
            return Err(null());
        }
        // SAFETY: the caller's memory has room for `rank` numbers, which need not be initialized, and is not that of `found`.
        unsafe { core::ptr::copy_nonoverlapping(found.as_ptr(), coordinate, rank) };
        Ok(())
    }
}
