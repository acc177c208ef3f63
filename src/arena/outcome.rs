//! What the function of a step returns.

/// `()`, or a `Result` that ends the run on an error.
#[diagnostic::on_unimplemented(
    message = "the function of a step returns `{Self}`",
    label = "not `()` or a `Result`",
    note = "end the function with `;`, or return `Result<(), _>`"
)]
pub trait Outcome {
    /// What the method of the step returns in place of `T`.
    type Then<T>;

    /// Returns the value if nothing went wrong.
    #[doc(hidden)]
    fn then<T>(self, value: T) -> Self::Then<T>;
}

impl Outcome for () {
    type Then<T> = T;

    #[inline(always)]
    fn then<T>(self, value: T) -> T {
        value
    }
}

impl<E> Outcome for Result<(), E> {
    type Then<T> = Result<T, E>;

    #[inline(always)]
    fn then<T>(self, value: T) -> Result<T, E> {
        self.map(|()| value)
    }
}
