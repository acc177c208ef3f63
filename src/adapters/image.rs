//! Tensors as images of crate `image`, and back, without a copy.
//!
//! An image is a tensor with axes H, W and C in any memory order, such as interleaved `NHWC` or planar `NCHW`. The
//! axes are found by their letters.
//!
//! ```
//! use image::{ImageBuffer, Rgb};
//! use tensor_layout::adapters::{self, AdapterError};
//! use tensor_layout::{Tensor, layout};
//!
//! let photo = ImageBuffer::from_fn(4, 2, |x, y| Rgb([x as u8, y as u8, 7]));
//! let tensor = adapters::image::tensor(photo.as_flat_samples())?;
//! assert_eq!(tensor.layout().extents(), [1, 3, 2, 4]); // N, C, H, W
//! assert_eq!(tensor[[0, 0, 1, 3]], 3);
//!
//! type Camera = layout!(NHWC<N = 1, C = 3, H = 2, W = 4>, u8);
//! let camera: Tensor<Camera, _> = [0; Camera::LEN].into();
//! let pixels = adapters::image::buffer::<Rgb<u8>, _, _>(&camera)?;
//! assert_eq!(pixels.dimensions(), (4, 2));
//! # Ok::<(), AdapterError>(())
//! ```

use std::fmt;
use std::string::String;

use ::image::flat::SampleLayout;
use ::image::{FlatSamples, ImageBuffer, Pixel};
use layout_types::{Dynamic, Element, Layout, LayoutType, UnitOf, WholeElement};

use super::{AdapterError, axis_strides::strides, error::Cause};
use crate::tensor::Tensor;

/// The axes of a tensor made of an image.
const AXES: &str = "NCHW";

/// Borrows the tensor as samples. Without an axis C, there is one channel.
///
/// # Errors
/// - The layout has blocks or negative strides.
/// - The layout has no axis H or W, or another axis has an extent other than 1.
/// - The tensor is larger than an image can be.
pub fn samples<L, B>(tensor: &Tensor<L, B>) -> Result<FlatSamples<&[L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let samples = &tensor.buffer()[layout.range()];
    Ok(FlatSamples { samples, layout: sample_layout(&layout)?, color_hint: None })
}

/// The mutable version of [`samples`].
///
/// # Errors
/// The same as [`samples`].
pub fn samples_mut<L, B>(
    tensor: &mut Tensor<L, B>,
) -> Result<FlatSamples<&mut [L::Element]>, AdapterError>
where
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]> + AsMut<[UnitOf<L>]>,
{
    let layout = tensor.layout();
    let strided = sample_layout(&layout)?;
    let samples = &mut tensor.buffer_mut()[layout.range()];
    Ok(FlatSamples { samples, layout: strided, color_hint: None })
}

/// Borrows the tensor as an image of pixels `P`.
///
/// # Errors
/// - In the cases of [`samples`].
/// - The number of channels differs from that of a pixel.
/// - The pixels are not contiguous, row after row.
pub fn buffer<P, L, B>(
    tensor: &Tensor<L, B>,
) -> Result<ImageBuffer<P, &[P::Subpixel]>, AdapterError>
where
    P: Pixel<Subpixel = L::Element> + 'static,
    L: LayoutType,
    L::Element: WholeElement,
    B: AsRef<[UnitOf<L>]>,
{
    let samples = samples(tensor)?;
    let (channels, needed) = (samples.layout.channels, P::CHANNEL_COUNT);
    let refused = |problem: &dyn fmt::Display| {
        let layout = tensor.layout();
        refused(std::format!("does not take layout `{layout}` as pixels: {problem}"), INTERLEAVE)
    };
    if channels != needed {
        return Err(refused(&std::format_args!(
            "C has extent {channels}, but a pixel has {needed}"
        )));
    }
    samples.try_into_buffer().map_err(|(problem, _)| refused(&problem))
}

/// Borrows the samples as a tensor with axes N, C, H and W. The extent of N is 1.
///
/// # Errors
/// - Samples share memory.
/// - The buffer does not hold all samples.
pub fn tensor<E>(samples: FlatSamples<&[E]>) -> Result<Tensor<Dynamic<E, 4>, &[E]>, AdapterError>
where
    E: WholeElement,
{
    let layout = layout::<E>(&samples.layout)?;
    // A buffer that is too short is passed on whole, and making the tensor fails.
    let units = samples.samples.get(..layout.units()).unwrap_or(samples.samples);
    Ok(Tensor::with_layout(layout, units)?)
}

/// The mutable version of [`tensor`].
///
/// # Errors
/// The same as [`tensor`].
pub fn tensor_mut<E: WholeElement>(
    samples: FlatSamples<&mut [E]>,
) -> Result<Tensor<Dynamic<E, 4>, &mut [E]>, AdapterError> {
    let layout = layout::<E>(&samples.layout)?;
    let needed = layout.units().min(samples.samples.len());
    Ok(Tensor::with_layout(layout, &mut samples.samples[..needed])?)
}

const INTERLEAVE: &str = "relayout it to `NHWC` with the channels of a pixel";

/// Returns the extents and strides as `image` takes them.
fn sample_layout(layout: &Layout) -> Result<SampleLayout, AdapterError> {
    let strides = strides(layout)?;
    let (mut channels, mut height, mut width) = ((1, 1), None, None);
    for (axis, (extent, stride)) in layout.extents().iter().zip(&strides).enumerate() {
        let stride = match usize::try_from(*stride) {
            Ok(stride) => stride,
            // The stride of an axis of extent 1 does not matter.
            Err(_) if *extent <= 1 => 0,
            Err(_) => return Err(unfit(layout, "it has negative strides")),
        };
        match layout.letters().at(axis) {
            'C' => channels = (*extent, stride),
            'H' => height = Some((*extent, stride)),
            'W' => width = Some((*extent, stride)),
            _ if *extent == 1 => {}
            letter => {
                let problem = std::format!("axis {letter} has extent {extent}, not 1");
                return Err(unfit(layout, &problem));
            }
        }
    }
    let (Some(height), Some(width)) = (height, width) else {
        return Err(unfit(layout, "it lacks axis H or W"));
    };
    let large = |_| unfit(layout, "it has over 255 channels or 2^32 - 1 rows or columns");
    Ok(SampleLayout {
        channels: u8::try_from(channels.0).map_err(large)?,
        channel_stride: channels.1,
        width: u32::try_from(width.0).map_err(large)?,
        width_stride: width.1,
        height: u32::try_from(height.0).map_err(large)?,
        height_stride: height.1,
    })
}

/// Returns the layout of samples.
fn layout<E: Element>(samples: &SampleLayout) -> Result<Dynamic<E, 4>, AdapterError> {
    let SampleLayout { channel_stride, height_stride, width_stride, .. } = *samples;
    let large = || std::format!("holds an image too large for memory: {samples:?}");
    let extent = |extent: u32| usize::try_from(extent).map_err(|_| refused(large(), SMALLER));
    let stride = |stride: usize| isize::try_from(stride).map_err(|_| refused(large(), SMALLER));
    let extents = [1, samples.channels.into(), extent(samples.height)?, extent(samples.width)?];
    let mut strides = [1, stride(channel_stride)?, stride(height_stride)?, stride(width_stride)?];
    // The stride of N is that of the longest axis times its extent, so that an interleaved image matches `NHWC`.
    for axis in 1..4 {
        let length = isize::try_from(extents[axis]).ok().and_then(|n| n.checked_mul(strides[axis]));
        strides[0] = strides[0].max(length.unwrap_or(1));
    }
    Ok(Dynamic::new(Layout::from_strides(AXES, &extents, &strides, E::TYPE)?)?)
}

const SMALLER: &str = "pass a valid image";

fn unfit(layout: &Layout, problem: &str) -> AdapterError {
    refused(
        std::format!("does not take layout `{layout}`: {problem}"),
        "take a view of one image, or relayout the tensor to `HWC`",
    )
}

fn refused(problem: String, remedy: &'static str) -> AdapterError {
    AdapterError(Cause::Other { library: "image", problem, remedy })
}
