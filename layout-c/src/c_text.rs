//! Texts in the caller's memory, and statuses.

use core::ffi::c_char;
use core::fmt::{self, Write};

use tensor_layout::LayoutError;
use tensor_layout::strided::StridedError;

/// What a function returns: `tl_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// An argument is null, or a struct has another size.
    Argument = 1,
    /// A value was not made by this version.
    Version = 2,
    /// A text is not UTF-8, or not a layout.
    Text = 3,
    /// A rule is broken.
    Rule = 4,
    /// A buffer has another length, or buffers overlap.
    Memory = 5,
    /// This build lacks what was asked for.
    Unsupported = 6,
    /// No element lies at an offset.
    NoElement = 7,
    /// A file of tensors cannot be read or written, or rules for it are wrong.
    File = 8,
    /// The library is at fault.
    Panic = 9,
}

/// Memory for a text: `tl_text`.
#[repr(C)]
#[derive(Debug)]
pub struct TextOfC {
    data: *mut c_char,
    capacity: usize,
    length: usize,
}

/// Writes bytes to the caller's memory, and counts all of them.
struct Writer {
    data: *mut u8,
    /// The bytes that fit before the final 0.
    room: usize,
    written: usize,
    length: usize,
}

impl Write for Writer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_whole = self.written == self.length;
        self.length += text.len();
        if !is_whole {
            return Ok(());
        }
        let mut fits = text.len().min(self.room - self.written);
        while !text.is_char_boundary(fits) {
            fits -= 1;
        }
        // SAFETY: `written` is at most `room`, and the data has one byte more.
        let place = unsafe { self.data.add(self.written) };
        // SAFETY: `fits` bytes of room follow. The text is not in the caller's memory for it.
        unsafe { core::ptr::copy_nonoverlapping(text.as_ptr(), place, fits) };
        self.written += fits;
        Ok(())
    }
}

/// Writes a text. Does nothing if there is no memory for it.
///
/// # Safety
/// `place` must be null or lead to a `tl_text`, whose data is null or has `capacity` bytes, all of which nothing else
/// accesses.
pub(crate) unsafe fn write(place: *mut TextOfC, text: &dyn fmt::Display) {
    // SAFETY: the caller's promise.
    let Some(place) = (unsafe { place.as_mut() }) else { return };
    let mut nowhere = 0;
    let (data, room) = match place.capacity.checked_sub(1) {
        Some(room) if !place.data.is_null() => (place.data.cast(), room),
        _ => (&raw mut nowhere, 0),
    };
    let mut writer = Writer { data, room, written: 0, length: 0 };
    // Neither this nor a value of ours fails to write.
    let _ = write!(writer, "{text}");
    place.length = writer.length;
    // SAFETY: `written` is at most `room`, and the data has one byte more.
    let end = unsafe { data.add(writer.written) };
    // SAFETY: it is the byte after what was written.
    unsafe { end.write(0) };
}

/// What is wrong.
#[derive(Debug)]
pub enum Fault {
    /// Without numbers.
    Fixed(Status, &'static str),
    /// A rule is broken.
    Rule(LayoutError),
    /// A record breaks a rule, or buffers are not those of a record.
    #[cfg(feature = "std")]
    Record(Box<tensor_layout::records::RecordError>),
    /// A file of tensors is wrong, or rules for it.
    #[cfg(feature = "std")]
    Checkpoint(layout_checkpoints::CheckpointError),
    /// A copy by strides is not possible.
    Strided(StridedError),
    /// A coordinate has another number of indices than the layout has axes.
    Rank {
        /// The axes of the layout.
        needed: usize,
        /// The indices of the coordinate.
        given: usize,
    },
    /// A buffer has not the bytes of its layout.
    Length {
        /// The name of the side.
        side: &'static str,
        /// The bytes of the layout.
        needed: usize,
        /// The bytes of the buffer.
        given: usize,
    },
}

impl Fault {
    fn status(&self) -> Status {
        match self {
            Self::Fixed(status, _) => *status,
            Self::Rule(_) | Self::Strided(_) | Self::Rank { .. } => Status::Rule,
            #[cfg(feature = "std")]
            Self::Record(_) => Status::Rule,
            #[cfg(feature = "std")]
            Self::Checkpoint(_) => Status::File,
            Self::Length { .. } => Status::Memory,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(_, text) => f.write_str(text),
            Self::Rule(error) => error.fmt(f),
            Self::Strided(error) => error.fmt(f),
            #[cfg(feature = "std")]
            Self::Record(error) => error.fmt(f),
            #[cfg(feature = "std")]
            Self::Checkpoint(error) => error.fmt(f),
            Self::Rank { needed, given } => write!(
                f,
                "the coordinate has {given} indices, and the layout {needed} axes; give memory for {needed}"
            ),
            Self::Length { side, needed, given } => write!(
                f,
                "the {side} has {given} bytes, and its layout {needed}; give a buffer of as many bytes as tl_describe \
                 says"
            ),
        }
    }
}

macro_rules! from {
    ($($(#[$of:meta])? $error:ty => $fault:expr;)*) => {$(
        $(#[$of])?
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                $fault(error)
            }
        }
    )*};
}

from! {
    LayoutError => Self::Rule;
    StridedError => Self::Strided;
    #[cfg(feature = "std")]
    tensor_layout::records::RecordError => |error| Self::Record(Box::new(error));
    #[cfg(feature = "std")]
    layout_checkpoints::CheckpointError => Self::Checkpoint;
}

/// What a build without an operating system lacks.
#[cfg(not(feature = "std"))]
pub(crate) fn no_system() -> Fault {
    Fault::Fixed(
        Status::Unsupported,
        "this library was built without an operating system; build it with its default features",
    )
}

/// Returns the status of a function, and writes what is wrong.
///
/// # Safety
/// That of [`write`].
#[inline]
pub(crate) unsafe fn report(
    body: impl FnOnce() -> Result<(), Fault>,
    error: *mut TextOfC,
) -> Status {
    match body() {
        Ok(()) => Status::Ok,
        // SAFETY: the caller's promise.
        Err(fault) => unsafe { refuse(&fault, error) },
    }
}

/// [`report`] of a function that returns a value, whose text is written in the same memory.
///
/// # Safety
/// That of [`write`].
pub(crate) unsafe fn print<T: fmt::Display>(
    body: impl FnOnce() -> Result<T, Fault>,
    text: *mut TextOfC,
) -> Status {
    // SAFETY: the caller's promise.
    let body = || body().map(|value| unsafe { write(text, &value) });
    // SAFETY: the caller's promise.
    unsafe { report(body, text) }
}

/// Writes what is wrong, and returns its status. A function of its own, so that a move of few bytes is not slower for it.
///
/// # Safety
/// That of [`write`].
#[cold]
#[inline(never)]
unsafe fn refuse(fault: &Fault, error: *mut TextOfC) -> Status {
    // SAFETY: the caller's promise.
    unsafe { write(error, fault) };
    fault.status()
}

// A build without an operating system has nothing that catches a panic.
#[cfg(not(feature = "std"))]
pub(crate) use report as report_caught;

/// [`report`] of a function, whose panic is a status too: C has no way to go on after one.
///
/// # Safety
/// That of [`write`].
#[cfg(feature = "std")]
pub(crate) unsafe fn report_caught(
    body: impl FnOnce() -> Result<(), Fault>,
    error: *mut TextOfC,
) -> Status {
    // Nothing of the caller is used afterwards but the error's memory, and destinations may have any values.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    let result = result.unwrap_or(Err(Fault::Fixed(
        Status::Panic,
        "the library is at fault, and what it wrote is not whole; report the arguments to its authors",
    )));
    // SAFETY: the caller's promise.
    unsafe { report(|| result, error) }
}
