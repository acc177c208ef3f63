//! What `const fn`s have in place of `for` and of sorting, and structs of many parts of which one constant has none.

/// Runs a block for each number of a range, or with `rev` from the last one down: a `for` of `const fn`s.
macro_rules! each {
    (rev $i:ident, 0..$end:expr, $body:block) => {
        let mut left: usize = $end;
        while left > 0 {
            left -= 1;
            let $i = left;
            $body
        }
    };
    ($i:ident, $range:expr, $body:block) => {
        let core::ops::Range { start: mut next, end } = $range;
        while next < end {
            let $i = next;
            next += 1;
            $body
        }
    };
}

/// Sorts the first numbers of an array. The condition says which of two belongs after the other.
macro_rules! sort {
    ($all:expr, $count:expr, |$before:ident, $own:ident| $is_after:expr) => {
        each!(i, 1..$count, {
            let ($own, mut to) = ($all[i], i);
            while to > 0 {
                let $before = $all[to - 1];
                if !$is_after {
                    break;
                }
                $all[to] = $before;
                to -= 1;
            }
            $all[to] = $own;
        });
    };
}

/// Declares a struct and a constant of it: each field with its type and its value there.
macro_rules! blank {
    (
        $(#[$of:meta])* $vis:vis struct $name:ident, const $none:ident {
            $($(#[$doc:meta])* $field_vis:vis $field:ident: $type:ty = $value:expr,)*
        }
    ) => {
        $(#[$of])*
        $vis struct $name {
            $($(#[$doc])* $field_vis $field: $type,)*
        }

        impl $name {
            $vis const $none: Self = Self { $($field: $value),* };
        }
    };
}

pub(crate) use {blank, each, sort};
