//! What `const fn`s have in place of `for` and `?`, and one form of text for two traits.

/// Runs a block for each number of a range, with `rev` from the last one down. The end is found once: const evaluation
/// pays for calls.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    (rev $i:ident, 0 .. $end:expr, $body:block) => {
        let mut left: usize = $end;
        while left > 0 {
            left -= 1;
            let $i = left;
            $body
        }
    };
    ($i:pat_param, $first:literal .. $end:expr, $body:block) => {
        let mut next: usize = $first;
        let end: usize = $end;
        while next < end {
            let $i = next;
            next += 1;
            $body
        }
    };
}

/// Unwraps a value, or returns the error from the enclosing `const fn`.
#[doc(hidden)]
#[macro_export]
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

/// Prints a type by `{:?}` as by `{}`, which a program does whose `main` returns an error.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_as_display {
    ($type:ty) => {
        /// Writes the same text as [`Display`](core::fmt::Display).
        impl core::fmt::Debug for $type {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, formatter)
            }
        }
    };
}
