//! How much of a thread's stack the library takes.

mod stack;

mod random;

use std::thread;

/// Returns about how many bytes of stack a call takes.
fn depth_of(run: impl FnOnce() + Send) -> usize {
    const FREE: usize = 768 << 10;
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(FREE + (1 << 20));
        let measured = builder.spawn_scoped(scope, || stack::stack(FREE, run)).unwrap();
        measured.join().unwrap()
    })
}
