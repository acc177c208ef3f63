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
                        broken::$rule { $($($field: *$field),+)? }.append_to(&mut message, reader)
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
                        &["macro", $($(stringify!($name),)+)? $($(stringify!($field),)+)?];
                    const COUNT: usize = Steps::<0>::of($text, Self::NAMES).count;
                    const STEPS: &'static [Step] =
                        &Steps::<{ Self::COUNT }>::of($text, Self::NAMES).list;

                    pub(in crate::spec) const fn append_to(&self, message: &mut Message, reader: Reader) {
                        let Self { $($($field),+)? } = self;
                        Pieces::new(Self::STEPS, &[
                            Value::Flag(matches!(reader, Reader::Macro)),
                            $($($value,)+)?
                            $($(value!($kind, $field),)+)?
                        ]).append_to(message)
                    }

                    /// Panics with the message, in const evaluation too. At run time, `panic!("{}", ..)` needs less code.
                    #[inline]
                    #[track_caller]
                    pub const fn panic(&self) -> ! {
                        let mut message = Message::EMPTY;
                        self.append_to(&mut message, Reader::Function);
                        panic!("{}", message.as_str())
                    }
                }

                /// Writes the message.
                impl fmt::Display for $rule {
                    #[inline]
                    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        let Self { $($($field),+)? } = self;
                        Pieces::new(Self::STEPS, &[
                            Value::Flag(false),
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
