//! Accelerators whose memory consists of lanes and banks, their storages of tensors, and the placement of tensors.

#[cfg(feature = "chip")]
#[doc(inline)]
pub use layout_chip::{Descriptor, Direction, LocalMemory, LocalTensor, Misplaced, Transfer};
#[doc(inline)]
pub use layout_types::chip::*;

/// Tensors in the local memory of a chip, as constants.
///
/// ```
/// use tensor_layout::{layout, place};
///
/// type Weights = layout!(OIHW<64, 64, 3, 3>, i8, bm1684x::ic);
/// type Act = layout!(NCHW<1, 64, 56, 56>, i8, bm1684x::aligned);
///
/// place! {
///     /// One convolution.
///     pub struct Conv in bm1684x {
///         WEIGHTS: Weights = 0x3c000, // bytes from the start of each lane
///         INPUT: Act,                 // at a free address
///         OUTPUT: Act,
///         apart(WEIGHTS, INPUT, OUTPUT), // operands of one instruction: no bank in common
///     }
/// }
///
/// assert_eq!((Conv::WEIGHTS, Conv::INPUT, Conv::OUTPUT), (0x3c000, 0, 0x4000));
/// println!("{}", Conv::MAP); // banks across, tensors down
/// ```
///
/// The chip is a name in [`CHIPS`] or a constant of type [`Chip`]. The layouts of the
/// tensors are distributed over its lanes. Each of these mistakes is a compile error on the line of the tensor:
///
/// - The tensor does not fit in a lane.
/// - The tensor overlaps another tensor in a lane that both use.
/// - The storage of the tensor does not allow its address.
/// - The tensor shares a bank with a tensor that it must be `apart` from.
///
/// A tensor without an address gets the lowest free one, in the order of the lines. If that leaves no space for
/// a later tensor, the macro tries other orders.
///
/// The macro generates a struct with an address of type `usize` for each tensor, and the constant `MAP`, a
/// [`LocalMemory`].
#[cfg(feature = "chip")]
#[macro_export]
macro_rules! place {
    ($($tokens:tt)*) => { $crate::__private::place! { [$crate] $($tokens)* } };
}
