//! Tensors that share memory: [`arena!`](crate::arena!) and the plan that it makes.

mod lend;
mod plan;
mod print;
mod search;
mod step;
#[cfg(target_has_atomic = "8")]
mod take_once;

#[doc(hidden)]
pub use lend::{LentAt, lend};
pub use plan::{ArenaMemory, ArenaPlan, ArenaTensor, InPlace};
#[doc(hidden)]
pub use step::MoveStep;
pub use step::Outcome;
#[cfg(target_has_atomic = "8")]
pub use take_once::TakeOnce;

/// Tensors that share memory, each alive from the step that writes it to the last one that reads it.
///
/// ```
/// use tensor_layout::{Tensor, arena, layout};
///
/// type Image = layout!(NHWC<N = 1, C = 1, H = 8, W = 8>, i8);
/// type Half = layout!(NHWC<N = 1, C = 2, H = 4, W = 4>, i8);
///
/// arena! {
///     /// Activations of a network.
///     pub struct Activations in 1024 { // bytes at most
///         image: Image = 0,            // at this address
///         half: Half,
///         scaled: Half,
///         sum: Half,
///     }
///     fn infer(image) -> sum {
///         half = pool(image);
///         scaled = scale(half);
///         clamp(mut scaled);
///         sum = add(half, scaled);
///     }
/// }
///
/// let mut memory = ActivationsMemory::ZEROED; // in a static, in firmware
/// let sum = Activations::infer(&mut memory, |image| image.for_each_mut(|_, element| *element = 3))?
///     .pool(|image, half| half.for_each_mut(|[_, c, h, w], out| *out = image[[0, 0, 2 * h, 2 * w + c]]))?
///     .scale(|half, scaled| scaled.for_each_mut(|at, out| *out = 40 * half[at]))?
///     .clamp(|scaled| scaled.for_each_mut(|_, element| *element = (*element).min(6)))?
///     .add(|half, scaled, sum| sum.for_each_mut(|at, out| *out = half[at] + scaled[at]))?
///     .finish();
/// assert_eq!(sum[[0, 1, 3, 3]], 3 + 6);
/// // Not 64 + 32 + 32 + 32 bytes, and no plan takes fewer.
/// assert_eq!((Activations::PLAN.bytes(0), Activations::PLAN.bound(0)), (96, 96));
/// println!("{}", Activations::PLAN); // a line for each tensor
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
///
/// The [guide](crate::guide::arena) explains it. After `struct NAME` come the memories, then the tensors:
///
/// | memories | |
/// |---|---|
/// | nothing, `in BYTES` | one, `NAMEMemory`, of the size that the tensors need, or of at most this size |
/// | `in FAST(BYTES), SLOW(BYTES)` | up to four of these names, which begin with capital letters; the first one has the tensors that are used most for their lifetime |
///
/// | tensor | |
/// |---|---|
/// | `NAME: LAYOUT` | a layout type, alive from the step that writes it to the last one that reads it |
/// | `NAME: LAYOUT in MEMORY`, `NAME: LAYOUT = ADDRESS`, `NAME: LAYOUT in MEMORY = ADDRESS` | in this memory; at this byte of it |
/// | `static NAME: LAYOUT` | alive at all steps; it keeps its elements from one run to the next |
///
/// | step | its function takes |
/// |---|---|
/// | `OUTPUT = STEP(INPUT, OTHER);` | `&Tensor` of each input and `&mut Tensor` of the output; several outputs in parentheses |
/// | `STEP(mut TENSOR, INPUT);` | `&mut Tensor` of a tensor that is changed |
/// | `OUTPUT = STEP(INPUT in place);` | `Tensor` of the input over a mutable array; what the function leaves there is the output |
/// | `OUTPUT = STEP(INPUT) by RELAYOUT;` | nothing: the step runs a [`Relayout`](crate::Relayout) from one layout to the other, in place if the arena needs more bytes otherwise |
///
/// `fn RUN(INPUTS) -> OUTPUTS` begins a run. Its function writes the inputs, and `finish` returns the outputs. Each
/// step is a method of what the step before returns, so another order does not compile. A function returns `()`, or a
/// `Result`, which the method returns too. It has the tensors over arrays, so it has no lengths to check.
///
/// These mistakes are compile errors on their tokens: a step that reads what no step has written or what another tensor
/// has replaced, a tensor that is written twice or never, or that nothing reads, unknown names, given addresses that
/// overlap or are not aligned, and a memory that is too small.
///
/// The macro makes a struct with the constant `PLAN`, an [`ArenaPlan`](crate::arena::ArenaPlan), a struct `NAMESteps`,
/// and a type for each memory. The address of each tensor is a multiple of 16 bytes.
#[macro_export]
macro_rules! arena {
    ($($tokens:tt)*) => { $crate::__private::arena! { [$crate] $($tokens)* } };
}
