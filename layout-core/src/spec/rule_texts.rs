//! From a line of [`rules`](super::rules) to the code that prints its text.

macro_rules! rules {
    ($(
        $rule:ident $({ $($field:ident: $kind:ident),+ })?
        $(where { $($name:ident: $value:expr),+ })? =>
        $text:literal;
    )+) => {
        /// A broken rule with the values of its text.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
                    $(Self::$rule $({ $($field),+ })? => {
                        broken::$rule::append_to(&mut message, reader $($(, $field)+)?)
                    })+
                }
                message
            }
        }

        /// Each rule as a type of its own, for code that knows which rule is broken. A program that prints
        /// a [`LayoutError`](crate::spec::LayoutError) has the texts of all rules, and one that prints such a type has one.
        #[allow(missing_docs, reason = "the texts say what rules and fields are")]
        pub mod broken {
            use super::*;

            $(
                #[derive(Clone, Copy)]
                pub struct $rule { $($(pub $field: $kind),+)? }

                impl $rule {
                    const NAMES: &'static [&'static str] =
                        &[$($(stringify!($name),)+)? $($(stringify!($field),)+)?];
                    const READ: Steps = Steps::of($text, Self::NAMES);
                    const STEPS: &'static [Step] = &Self::READ.first::<{ Self::READ.count }>();

                    /// Takes references, since copies of all fields of all rules are much code.
                    #[allow(clippy::too_many_arguments, reason = "one for each field of the rule")]
                    pub(in crate::spec) const fn append_to(
                        message: &mut Message,
                        reader: Reader,
                        $($($field: &$kind),+)?
                    ) {
                        Pieces::new(Self::STEPS, reader, &[
                            $($($value,)+)?
                            $($(value!($kind, $field),)+)?
                        ]).append_to(message)
                    }

                    /// Panics with the message, in const evaluation too. In a function that is not `const`,
                    /// `panic!("{}", ..)` makes the message only if the program prints it.
                    #[inline]
                    #[track_caller]
                    pub const fn panic(&self) -> ! {
                        let mut message = Message::EMPTY;
                        let Self { $($($field),+)? } = self;
                        Self::append_to(&mut message, Reader::Function $($(, $field)+)?);
                        panic!("{}", message.as_str())
                    }
                }

                /// Writes the message.
                impl fmt::Display for $rule {
                    #[inline]
                    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        let Self { $($($field),+)? } = self;
                        Pieces::new(Self::STEPS, Reader::Function, &[
                            $($($value,)+)?
                            $($(value!($kind, $field),)+)?
                        ]).write(formatter)
                    }
                }
            )+
        }

        /// The templates.
        #[cfg(test)]
        pub(super) const TEMPLATES: &[&str] = &[$($text),+];
    };
}

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
            let own = broken::Coordinate { axes, letter, extent, coordinate };
            let error = LayoutError(Rule::Coordinate { axes, letter, extent, coordinate });
            assert_eq!(own.to_string(), error.to_string());
            let panic = std::panic::catch_unwind(|| own.panic()).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&error.to_string()));
        }
    }
}
