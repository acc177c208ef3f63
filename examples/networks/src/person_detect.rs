//! Whether there is a person in a gray picture: MobileNet v1 with a quarter of its channels.

use tensor_layout::include_tensor;

use crate::operators;
use crate::softmax::Softmax;
use crate::steps::{Act, ends, steps};

include_tensor! {
    /// The first layer: 8 filters of 3 x 3 pixels.
    struct Filters = "models/person_detect.tflite", 0, IHWO => IHWO<O = 8, I = 1, H = 3, W = 3>, i8
}

/// The weights of depthwise layers: index in the file and channels.
macro_rules! depthwise_weights {
    ($($name:ident = $index:tt, $channels:tt;)*) => {$(
        include_tensor! {
            struct $name = "models/person_detect.tflite", $index, IHWO => OIHW4o<$channels, 1, 3, 3>, i8
        }
    )*};
}

/// The weights of layers of single pixels: index in the file, outputs and inputs.
macro_rules! pointwise_weights {
    ($($name:ident = $index:tt, $outputs:tt, $inputs:tt;)*) => {$(
        include_tensor! {
            struct $name = "models/person_detect.tflite", $index,
                OHWI => OIHW2o4i<$outputs, $inputs, 1, 1>, i8
        }
    )*};
}

depthwise_weights! {
    Depthwise1 = 9, 8;
    Depthwise2 = 11, 16;
    Depthwise3 = 13, 32;
    Depthwise4 = 15, 32;
    Depthwise5 = 17, 64;
    Depthwise6 = 19, 64;
    Depthwise7 = 21, 128;
    Depthwise8 = 23, 128;
    Depthwise9 = 25, 128;
    Depthwise10 = 1, 128;
    Depthwise11 = 3, 128;
    Depthwise12 = 5, 128;
    Depthwise13 = 7, 256;
}

pointwise_weights! {
    Pointwise1 = 10, 16, 8;
    Pointwise2 = 12, 32, 16;
    Pointwise3 = 14, 32, 32;
    Pointwise4 = 16, 64, 32;
    Pointwise5 = 18, 64, 64;
    Pointwise6 = 20, 128, 64;
    Pointwise7 = 22, 128, 128;
    Pointwise8 = 24, 128, 128;
    Pointwise9 = 26, 128, 128;
    Pointwise10 = 2, 128, 128;
    Pointwise11 = 4, 128, 128;
    Pointwise12 = 6, 256, 128;
    Pointwise13 = 8, 256, 256;
    Pointwise14 = 30, 2, 256;
}

include_tensor! {
    /// The input of softmax.
    struct Logits = "models/person_detect.tflite", 31, NC => NC<1, 2>, i8
}

/// The most bytes that the input and the output of a step take together.
pub const ARENA: usize = 48 * 48 * (8 + 16);

/// A depthwise layer as a step.
macro_rules! depthwise {
    ($stride:literal, $name:ident) => {
        |x, mut y| {
            operators::depthwise::<$stride, _, _, _, _, _>(
                x.row([0]),
                $name::TENSOR.buffer(),
                $name::EPILOGUE,
                y.row_mut([0]),
            )
        }
    };
}

/// A layer of single pixels as a step.
macro_rules! pointwise {
    ($name:ident) => {
        |x, mut y| {
            operators::pointwise(
                x.row([0]).as_flattened(),
                $name::TENSOR.buffer(),
                $name::EPILOGUE,
                y.row_mut([0]).as_flattened_mut(),
            )
        }
    };
}

/// Borrows the input in the arena: rows of 96 gray pixels, of which -128 is black and 127 white.
pub fn picture(arena: &mut [i8; ARENA]) -> &mut [i8; 96 * 96] {
    ends::<0, _, _>(arena).1
}

/// Returns how sure the network is that there is no person in the [`picture`], and that there is one: -128 is 0, and
/// 127 almost 1. The picture is overwritten.
///
/// `observe` gets the output of each step, with its index in the file.
pub fn infer(arena: &mut [i8; ARENA], mut observe: impl FnMut(usize, &[i8])) -> [i8; 2] {
    const SOFTMAX: Softmax = Softmax::new(Logits::SCALE);
    steps! { @back arena observe;
        34: Act<96, 96, 1> => Act<48, 48, 8> = |x, mut y| operators::filters::<2, _, _, _, _, _, _, _>(
            x.row([0]), Filters::TENSOR.row([0]), Filters::EPILOGUE, y.row_mut([0]));
        51: Act<48, 48, 8> => Act<48, 48, 8> = depthwise!(1, Depthwise1);
        54: Act<48, 48, 8> => Act<48, 48, 16> = pointwise!(Pointwise1);
        55: Act<48, 48, 16> => Act<24, 24, 16> = depthwise!(2, Depthwise2);
        58: Act<24, 24, 16> => Act<24, 24, 32> = pointwise!(Pointwise2);
        59: Act<24, 24, 32> => Act<24, 24, 32> = depthwise!(1, Depthwise3);
        62: Act<24, 24, 32> => Act<24, 24, 32> = pointwise!(Pointwise3);
        63: Act<24, 24, 32> => Act<12, 12, 32> = depthwise!(2, Depthwise4);
        66: Act<12, 12, 32> => Act<12, 12, 64> = pointwise!(Pointwise4);
        67: Act<12, 12, 64> => Act<12, 12, 64> = depthwise!(1, Depthwise5);
        70: Act<12, 12, 64> => Act<12, 12, 64> = pointwise!(Pointwise5);
        71: Act<12, 12, 64> => Act<6, 6, 64> = depthwise!(2, Depthwise6);
        74: Act<6, 6, 64> => Act<6, 6, 128> = pointwise!(Pointwise6);
        75: Act<6, 6, 128> => Act<6, 6, 128> = depthwise!(1, Depthwise7);
        78: Act<6, 6, 128> => Act<6, 6, 128> = pointwise!(Pointwise7);
        79: Act<6, 6, 128> => Act<6, 6, 128> = depthwise!(1, Depthwise8);
        82: Act<6, 6, 128> => Act<6, 6, 128> = pointwise!(Pointwise8);
        83: Act<6, 6, 128> => Act<6, 6, 128> = depthwise!(1, Depthwise9);
        86: Act<6, 6, 128> => Act<6, 6, 128> = pointwise!(Pointwise9);
        35: Act<6, 6, 128> => Act<6, 6, 128> = depthwise!(1, Depthwise10);
        38: Act<6, 6, 128> => Act<6, 6, 128> = pointwise!(Pointwise10);
        39: Act<6, 6, 128> => Act<6, 6, 128> = depthwise!(1, Depthwise11);
        42: Act<6, 6, 128> => Act<6, 6, 128> = pointwise!(Pointwise11);
        43: Act<6, 6, 128> => Act<3, 3, 128> = depthwise!(2, Depthwise12);
        46: Act<3, 3, 128> => Act<3, 3, 256> = pointwise!(Pointwise12);
        47: Act<3, 3, 256> => Act<3, 3, 256> = depthwise!(1, Depthwise13);
        50: Act<3, 3, 256> => Act<3, 3, 256> = pointwise!(Pointwise13);
        27: Act<3, 3, 256> => Act<1, 1, 256> = |x, mut y| operators::average(x.row([0]), &mut y.row_mut([0])[0][0]);
        28: Act<1, 1, 256> => Act<1, 1, 2> = pointwise!(Pointwise14);
        87: Act<1, 1, 2> => Act<1, 1, 2> = |x, mut y| SOFTMAX.run(&x.row([0])[0][0], &mut y.row_mut([0])[0][0]);
        return Act<1, 1, 2>;
    }
}
