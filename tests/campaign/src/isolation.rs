//! Checks in a process of their own, which may die or hang without the campaign doing so.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread will be caught, and what the last one said, and where.
    static PANIC: RefCell<(bool, String)> = const { RefCell::new((false, String::new())) };
}

/// What a check found, panics included.
///
/// # Errors
/// Those of the check, and what a panic says.
pub fn caught<T>(check: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let text = info.to_string();
            let is_caught = PANIC.with_borrow_mut(|last| {
                last.1 = text;
                last.0
            });
            if !is_caught {
                print(info);
            }
        }));
    });
    PANIC.with_borrow_mut(|last| last.0 = true);
    let caught = panic::catch_unwind(AssertUnwindSafe(check));
    PANIC.with_borrow_mut(|last| last.0 = false);
    caught.unwrap_or_else(|_| Err(PANIC.with_borrow(|last| last.1.clone())))
}

/// Runs `check` in a process of its own, for at most `seconds`.
///
/// # Errors
/// What the check found, and the signal that ended it: 11 where it touched a guard page, 14 where it
/// took too long.
#[cfg(unix)]
pub fn run(seconds: u32, check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::FromRawFd;

    let mut ends = [0; 2];
    // SAFETY: `ends` has space for the two numbers that the call writes.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0, "a pipe");
    // SAFETY: the number is that of a new pipe's end, which nobody else owns.
    let mut reader = unsafe { File::from_raw_fd(ends[0]) };
    // SAFETY: as above.
    let mut writer = unsafe { File::from_raw_fd(ends[1]) };
    // SAFETY: the campaign has one thread where it isolates checks, so that the child finds all
    // locks open.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "a process");
    if child == 0 {
        drop(reader);
        limit(seconds);
        let found = caught(check);
        let status = i32::from(found.is_err());
        let _ = writer.write_all(found.err().unwrap_or_default().as_bytes());
        // SAFETY: the process ends here, and nothing of it is needed any more.
        unsafe { libc::_exit(status) }
    }
    drop(writer);
    let mut text = Vec::new();
    reader.read_to_end(&mut text).expect("what the check found");
    let mut status = 0;
    // SAFETY: `child` is a process of this one, and `status` has space for what the call writes.
    unsafe { libc::waitpid(child, &mut status, 0) };
    if libc::WIFSIGNALED(status) {
        return Err(match libc::WTERMSIG(status) {
            libc::SIGALRM | libc::SIGPROF => "takes longer than it may".to_string(),
            libc::SIGSEGV | libc::SIGBUS => "touches a guard page: signal 11".to_string(),
            signal => format!("is ended by signal {signal}"),
        });
    }
    match libc::WEXITSTATUS(status) {
        0 => Ok(()),
        1 => Err(String::from_utf8_lossy(&text).into_owned()),
        status => Err(format!("ends with status {status}")),
    }
}

/// Runs `check` here, where processes cannot be divided.
///
/// # Errors
/// What the check found.
#[cfg(not(unix))]
pub fn run(_seconds: u32, check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    caught(check)
}

/// Ends the process unless this is called again before it has computed for `seconds`, or for twenty
/// times as long in all, since other processes may take the CPU; 0 is forever.
pub fn limit(seconds: u32) {
    #[cfg(unix)]
    {
        let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
        let computed = libc::timeval { tv_sec: seconds as _, ..never };
        let timer = libc::itimerval { it_interval: never, it_value: computed };
        // SAFETY: `timer` is read, and nothing is written.
        unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, std::ptr::null_mut()) };
        // SAFETY: the call takes a number and returns one.
        unsafe { libc::alarm(seconds.saturating_mul(20)) };
    }
    #[cfg(not(unix))]
    let _ = seconds;
}

/// A value that this process and those that it runs checks in have in common.
pub fn shared<T: Default>() -> &'static T {
    #[cfg(unix)]
    {
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, at an address that the system chooses.
        let mapped =
            unsafe { libc::mmap(std::ptr::null_mut(), size_of::<T>(), protection, flags, -1, 0) };
        assert_ne!(mapped, libc::MAP_FAILED, "a page");
        let value: *mut T = mapped.cast();
        // SAFETY: a page is aligned for all types, and has space for a value that takes less.
        unsafe { value.write(T::default()) };
        // SAFETY: the value was written, and the page is mapped for as long as the process lives.
        unsafe { &*value }
    }
    #[cfg(not(unix))]
    Box::leak(Box::default())
}
