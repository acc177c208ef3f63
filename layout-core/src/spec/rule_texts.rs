//! From a line of [`rules`](super::rules) to the code that prints its text.

macro_rules! rules {
    ($(
        $(#[$panics:ident])?
        $rule:ident $({ $($field:ident: $kind:ident),+ })?
        $(where { $($name:ident: $value:expr),+ })? =>
        $text:literal;
    )+) => {
        /// A broken rule with the values of its text.
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the texts say what rules and fields are")]
        pub enum Rule {
            $($rule $({ $($field: $kind),+ })?,)+
        }

        impl Rule {
            /// The text for `reader`.
            pub(super) const fn message(&self, reader: Reader) -> Message {
                let mut message = Message::EMPTY;
                match self {
                    $(Self::$rule $({ $($field),+ })? => Template {
                        text: $text,
                        names: &[$($(stringify!($name),)+)? $($(stringify!($field),)+)?],
                    }.append_to(&mut message, reader, &[
                        $($($value,)+)?
                        $($(value!($kind, $field),)+)?
                    ]),)+
                }
                message
            }
        }

        /// Rules that panic, each as a type of its own, for code that knows which rule is broken. A program that prints
        /// a [`LayoutError`](crate::spec::LayoutError) has the texts of all rules, and one that prints such a type has
        /// one.
        #[allow(missing_docs, reason = "the texts say what rules and fields are")]
        pub mod broken {
            use super::*;

            $(own_type! {
                [$($panics)?] $rule { $($($field: $kind,)+)? }
                [$($(stringify!($name),)+)? $($(stringify!($field),)+)?]
                [$($($value,)+)? $($(value!($kind, $field),)+)?]
                $text
            })+
        }

        /// The templates.
        #[cfg(test)]
        pub(super) const TEMPLATES: &[Template] = &[$(Template {
            text: $text,
            names: &[$($(stringify!($name),)+)? $($(stringify!($field),)+)?],
        },)+];
    };
}

/// The type of a rule that panics. The names and values of its template are those of [`rules`].
macro_rules! own_type {
    ([] $($rest:tt)*) => {};
    ([panics] $rule:ident { $($field:ident: $kind:ident,)+ } [$($names:tt)*] [$($values:tt)*] $text:literal) => {
        #[derive(Clone, Copy)]
        pub struct $rule { $(pub $field: $kind,)+ }

        impl $rule {
            const READ: Steps = Template { text: $text, names: &[$($names)*] }.checked();
            const STEPS: &'static [Step] = &Self::READ.first::<{ Self::READ.count }>();

            /// Panics with the message, in const evaluation too. In a function that is not `const`, `panic!("{}", ..)`
            /// makes the message only if the program prints it.
            #[inline]
            #[track_caller]
            pub const fn panic(&self) -> ! {
                let mut message = Message::EMPTY;
                let Self { $($field),+ } = self;
                Pieces::new(Self::STEPS, Reader::Function, &[$($values)*]).append_to(&mut message);
                panic!("{}", message.as_str())
            }
        }

        /// Writes the message.
        impl fmt::Display for $rule {
            #[inline]
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self { $($field),+ } = self;
                Pieces::new(Self::STEPS, Reader::Function, &[$($values)*]).write(formatter)
            }
        }
    };
}

pub(super) use own_type;
pub(super) use rules;

#[cfg(test)]
mod tests {
    use super::super::error::LayoutError;
    use super::super::factor::Letters;
    use super::super::rules::{Rule, broken};
    use std::string::ToString;

    #[test]
    fn a_rule_of_its_own_type_prints_as_the_error_does() {
        for extent in [0, 3] {
            let (axes, letter, coordinate) = (Letters::EMPTY.with('C').with('H'), 'C', 480);
            let broken_rule = broken::Coordinate { axes, letter, extent, coordinate };
            let error = LayoutError(Rule::Coordinate { axes, letter, extent, coordinate });
            assert_eq!(broken_rule.to_string(), error.to_string());
            let panic = std::panic::catch_unwind(|| broken_rule.panic()).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&error.to_string()));
        }
    }
}
