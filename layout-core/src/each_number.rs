//! Loops of `const fn`s over numbers, which have no `for`.

/// Runs a block for each number of a range. The end is found once: const evaluation pays for calls.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    ($i:ident, $first:literal .. $end:expr, $body:block) => {
        let mut next: usize = $first;
        let end: usize = $end;
        while next < end {
            let $i = next;
            next += 1;
            $body
        }
    };
}
