//! Structs of many parts, of which one constant has none.

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
