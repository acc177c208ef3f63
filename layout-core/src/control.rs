//! What `const fn`s have in place of `for` and `?`, one form of text for two traits, errors as a list of texts, and
//! structs of many parts of which one constant has none.

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

/// Unwraps a value, or returns the error from the enclosing `const fn`: without its place after `placed`.
#[doc(hidden)]
#[macro_export]
macro_rules! ok {
    (placed $result:expr) => {
        match $result {
            Ok(value) => value,
            Err((error, _)) => return Err(error),
        }
    };
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
    ($({$($generics:tt)*})? $type:ty) => {
        /// Writes the same text as [`Display`](core::fmt::Display).
        impl $(<$($generics)*>)? core::fmt::Debug for $type {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, formatter)
            }
        }
    };
}

/// Declares an enum of errors, a row each: the fields, and the text, in which their names stand for their values, and other
/// names for the values after it. Before the rows are the errors of others, which print as they are, and after them the
/// rows whose texts functions write.
#[doc(hidden)]
#[macro_export]
macro_rules! error_texts {
    (
        $(#[$of:meta])* $vis:vis enum $name:ident
        ($($(#[$held_doc:meta])* $held:ident($inner:ty)),*)
        {$(
            $(#[$doc:meta])* $row:ident $({ $($(#[$field_doc:meta])* $field:ident: $type:ty),+ $(,)? })? =>
                $text:literal $(, $value:ident = $with:expr)*;
        )*}
        [$(
            $(#[$other_doc:meta])* $other:ident { $($(#[$part_doc:meta])* $part:ident: $kind:ty),+ $(,)? } => $write:ident;
        )*]
    ) => {
        $(#[$of])* $vis enum $name {
            $($(#[$held_doc])* $held($inner),)*
            $($(#[$doc])* $row $({ $($(#[$field_doc])* $field: $type),+ })?,)*
            $($(#[$other_doc])* $other { $($(#[$part_doc])* $part: $kind),+ },)*
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(Self::$held(error) => core::fmt::Display::fmt(error, formatter),)*
                    $(Self::$row $({ $($field),+ })? => write!(formatter, $text $(, $value = $with)*),)*
                    $(Self::$other { $($part),+ } => $write(formatter, $($part),+),)*
                }
            }
        }
    };
}

/// Declares a struct and a constant of it: each field with its type and its value there.
macro_rules! blank {
    (
        $(#[$of:meta])* $vis:vis struct $name:ident, $(#[$none_of:meta])* $none_vis:vis const $none:ident {
            $($(#[$doc:meta])* $field_vis:vis $field:ident: $type:ty = $value:expr,)*
        }
    ) => {
        $(#[$of])*
        $vis struct $name {
            $($(#[$doc])* $field_vis $field: $type,)*
        }

        impl $name {
            $(#[$none_of])*
            $none_vis const $none: Self = Self { $($field: $value),* };
        }
    };
}
