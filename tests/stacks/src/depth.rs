//! Measures the stack of a call by painting the memory below it.

use std::hint::black_box;
use std::thread;

/// The bytes of stack that a call may take while it is measured.
const FREE: usize = 1 << 20;

/// What lies between the address of a local variable and the memory that is painted: frames of functions that paint.
const BETWEEN: usize = 1 << 10;

/// Returns how many bytes of stack a call takes, at most [`BETWEEN`] more than it does.
pub(crate) fn depth_of(run: impl FnOnce() + Send) -> usize {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(2 * FREE);
        let measured = thread.spawn_scoped(scope, || measured(run)).expect("a thread");
        measured.join().expect("the call does not panic")
    })
}

#[inline(never)]
fn measured(run: impl FnOnce()) -> usize {
    const PAINT: u8 = 0xa5;
    let here = 0u8;
    let bottom = black_box(&raw const here).cast_mut().wrapping_sub(BETWEEN + FREE);
    // SAFETY: the thread has twice these bytes, of which the frames so far take less than a part.
    unsafe { black_box(bottom).write_bytes(PAINT, FREE) };
    apart(run);
    // SAFETY: as above, and all of them have been written.
    let all = unsafe { std::slice::from_raw_parts(black_box(bottom.cast_const()), FREE) };
    let lines = all.chunks_exact(16).position(|line| line != [PAINT; 16]);
    BETWEEN + lines.map_or(0, |line| FREE - 16 * line)
}

/// Runs in a frame of its own: inlined into [`measured`], the frame would lie above the paint.
#[inline(never)]
fn apart(run: impl FnOnce()) {
    run();
}

/// Runs a call in a thread with so many bytes of stack. One that takes more ends the program.
pub(crate) fn in_thread(bytes: usize, run: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes);
        thread.spawn_scoped(scope, run).expect("a thread").join().expect("the call does not panic");
    });
}
