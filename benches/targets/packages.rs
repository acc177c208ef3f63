//! oneDNN and PyTorch, which `benches/peers/run` builds into a library and names in the variable `PEERS`.

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::OnceLock;

use crate::cases::Case;
use crate::nest::Nest;
use crate::timing::Candidate;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Symbols are resolved at once.
const RTLD_NOW: c_int = 2;

type New = unsafe extern "C" fn(
    *const c_char,
    *const *const c_char,
    usize,
    *const i64,
    usize,
    *const i64,
    *const i64,
    *const i64,
) -> *mut c_void;
type Run = unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void);
type Delete = unsafe extern "C" fn(*mut c_void);

/// The functions of `peers.cpp`.
#[derive(Clone, Copy)]
struct Functions {
    new: New,
    run: Run,
    delete: Delete,
}

/// Those of the library that `PEERS` names, if it does.
///
/// # Panics
/// If there is no such library.
fn functions() -> Option<Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    *FUNCTIONS.get_or_init(|| {
        let path = std::env::var("PEERS").ok()?;
        // SAFETY: the path is a text that lives during the call; loading our own library runs nothing of it.
        let library = unsafe { dlopen(text(&path).as_ptr(), RTLD_NOW) };
        assert!(!library.is_null(), "{path} is no library; run benches/peers/run");
        let symbol = |name: &str| {
            // SAFETY: the library is loaded, and the name lives during the call.
            let symbol = unsafe { dlsym(library, text(name).as_ptr()) };
            assert!(!symbol.is_null(), "{path} has no function `{name}`; run benches/peers/run");
            symbol
        };
        Some(Functions {
            // SAFETY: peers.cpp defines a function of this type by this name.
            new: unsafe { std::mem::transmute::<*mut c_void, New>(symbol("peer_new")) },
            // SAFETY: as above.
            run: unsafe { std::mem::transmute::<*mut c_void, Run>(symbol("peer_run")) },
            // SAFETY: as above.
            delete: unsafe { std::mem::transmute::<*mut c_void, Delete>(symbol("peer_delete")) },
        })
    })
}

fn text(text: &str) -> CString {
    CString::new(text).expect("no zero byte")
}

/// A move that a library has prepared.
struct Peer {
    functions: Functions,
    handle: *mut c_void,
}

impl Drop for Peer {
    fn drop(&mut self) {
        // SAFETY: `peer_new` returned it, and nobody else has it.
        unsafe { (self.functions.delete)(self.handle) };
    }
}

/// How the library of this name moves a case, if it can and `PEERS` is set.
pub(crate) fn candidate<'a, U>(
    library: &str,
    case: &Case,
    nest: &Nest,
) -> Option<Candidate<'a, U>> {
    let functions = functions()?;
    let is_forward = nest.start == 0 && nest.digits.iter().all(|digit| digit.from > 0);
    let shape: [i64; 4] = std::array::from_fn(|axis| case.source.extents()[axis] as i64);
    if !is_forward || case.source.extents().len() != 4 {
        return None;
    }
    let numbers =
        |of: fn(&crate::nest::Digit) -> i64| -> Vec<i64> { nest.digits.iter().map(of).collect() };
    let extents = numbers(|digit| digit.extent as i64);
    let (from, to) = (numbers(|digit| digit.from as i64), numbers(|digit| digit.to as i64));
    let formats = case.formats.each_ref().map(|format| text(format));
    // SAFETY: `shape` has four numbers, and the other arrays the number of loops; all live during the call.
    let handle = unsafe {
        (functions.new)(
            text(library).as_ptr(),
            formats.each_ref().map(|format| format.as_ptr()).as_ptr(),
            size_of::<U>(),
            shape.as_ptr(),
            extents.len(),
            extents.as_ptr(),
            from.as_ptr(),
            to.as_ptr(),
        )
    };
    let peer = Peer { functions, handle };
    (!handle.is_null()).then_some(())?;
    let lengths = (case.source.units(), case.destination.units());
    Some(Box::new(move |source: &[U], destination: &mut [U]| {
        assert_eq!((source.len(), destination.len()), lengths, "buffers of these layouts");
        let peer = &peer;
        // SAFETY: the loops of a nest stay within buffers of the lengths of its layouts.
        unsafe {
            (peer.functions.run)(
                peer.handle,
                source.as_ptr().cast(),
                destination.as_mut_ptr().cast(),
            );
        }
    }))
}
