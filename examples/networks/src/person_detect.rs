//! Whether there is a person in a gray picture: MobileNet v1 with a quarter of its channels.

use tensor_layout::{arena, include_tensor};

use crate::Act;
use crate::layer::layer;

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

arena! {
    /// The activations: the picture, the output of the first layer, and those of pairs of layers.
    pub struct Activations {
        picture: Act<96, 96, 1>,
        filtered: Act<48, 48, 8>,
        d1: Act<48, 48, 8>, p1: Act<48, 48, 16>,
        d2: Act<24, 24, 16>, p2: Act<24, 24, 32>,
        d3: Act<24, 24, 32>, p3: Act<24, 24, 32>,
        d4: Act<12, 12, 32>, p4: Act<12, 12, 64>,
        d5: Act<12, 12, 64>, p5: Act<12, 12, 64>,
        d6: Act<6, 6, 64>, p6: Act<6, 6, 128>,
        d7: Act<6, 6, 128>, p7: Act<6, 6, 128>,
        d8: Act<6, 6, 128>, p8: Act<6, 6, 128>,
        d9: Act<6, 6, 128>, p9: Act<6, 6, 128>,
        d10: Act<6, 6, 128>, p10: Act<6, 6, 128>,
        d11: Act<6, 6, 128>, p11: Act<6, 6, 128>,
        d12: Act<3, 3, 128>, p12: Act<3, 3, 256>,
        d13: Act<3, 3, 256>, p13: Act<3, 3, 256>,
        averages: Act<1, 1, 256>,
        logits: Act<1, 1, 2>,
        scores: Act<1, 1, 2>,
    }
    fn detect(picture) -> scores {
        filtered = filter(picture);
        d1 = depthwise1(filtered); p1 = pointwise1(d1);
        d2 = depthwise2(p1); p2 = pointwise2(d2);
        d3 = depthwise3(p2); p3 = pointwise3(d3);
        d4 = depthwise4(p3); p4 = pointwise4(d4);
        d5 = depthwise5(p4); p5 = pointwise5(d5);
        d6 = depthwise6(p5); p6 = pointwise6(d6);
        d7 = depthwise7(p6); p7 = pointwise7(d7);
        d8 = depthwise8(p7); p8 = pointwise8(d8);
        d9 = depthwise9(p8); p9 = pointwise9(d9);
        d10 = depthwise10(p9); p10 = pointwise10(d10);
        d11 = depthwise11(p10); p11 = pointwise11(d11);
        d12 = depthwise12(p11); p12 = pointwise12(d12);
        d13 = depthwise13(p12); p13 = pointwise13(d13);
        averages = average(p13);
        logits = pointwise14(averages);
        scores = softmax(logits);
    }
}

/// The bytes of a picture.
pub const INPUT: usize = 96 * 96;

/// Returns how sure the network is that there is no person in a picture, and that there is one: -128 is 0, and 127
/// almost 1. `write` writes the picture: rows of 96 gray pixels, of which -128 is black and 127 white.
///
/// `observe` gets the output of each step.
pub fn infer(
    memory: &mut ActivationsMemory,
    write: impl FnOnce(&mut [i8; INPUT]),
    mut observe: impl FnMut(&[i8]),
) -> [i8; 2] {
    let scores = Activations::detect(memory, |picture| write(picture.array_mut()))
        .filter(layer!(filters by 2, Filters, observe))
        .depthwise1(layer!(depthwise by 1, Depthwise1, observe))
        .pointwise1(layer!(pointwise, Pointwise1, observe))
        .depthwise2(layer!(depthwise by 2, Depthwise2, observe))
        .pointwise2(layer!(pointwise, Pointwise2, observe))
        .depthwise3(layer!(depthwise by 1, Depthwise3, observe))
        .pointwise3(layer!(pointwise, Pointwise3, observe))
        .depthwise4(layer!(depthwise by 2, Depthwise4, observe))
        .pointwise4(layer!(pointwise, Pointwise4, observe))
        .depthwise5(layer!(depthwise by 1, Depthwise5, observe))
        .pointwise5(layer!(pointwise, Pointwise5, observe))
        .depthwise6(layer!(depthwise by 2, Depthwise6, observe))
        .pointwise6(layer!(pointwise, Pointwise6, observe))
        .depthwise7(layer!(depthwise by 1, Depthwise7, observe))
        .pointwise7(layer!(pointwise, Pointwise7, observe))
        .depthwise8(layer!(depthwise by 1, Depthwise8, observe))
        .pointwise8(layer!(pointwise, Pointwise8, observe))
        .depthwise9(layer!(depthwise by 1, Depthwise9, observe))
        .pointwise9(layer!(pointwise, Pointwise9, observe))
        .depthwise10(layer!(depthwise by 1, Depthwise10, observe))
        .pointwise10(layer!(pointwise, Pointwise10, observe))
        .depthwise11(layer!(depthwise by 1, Depthwise11, observe))
        .pointwise11(layer!(pointwise, Pointwise11, observe))
        .depthwise12(layer!(depthwise by 2, Depthwise12, observe))
        .pointwise12(layer!(pointwise, Pointwise12, observe))
        .depthwise13(layer!(depthwise by 1, Depthwise13, observe))
        .pointwise13(layer!(pointwise, Pointwise13, observe))
        .average(layer!(average, observe))
        .pointwise14(layer!(pointwise, Pointwise14, observe))
        .softmax(layer!(softmax, Logits, observe))
        .finish();
    *scores.array()
}
