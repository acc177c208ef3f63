//! Views of layouts that run time decides, alone and of a tensor, and the bytes that these values take.

use std::hint::black_box;

use ndarray::{ArrayView4, Axis, Slice};
use tensor_layout::{Dynamic, Layout, LayoutError, Tensor};

use crate::{Unit, compare_some};

type D = Tensor<Dynamic<i8, 4>, &'static [i8]>;
type Array = ArrayView4<'static, i8>;

const EXTENTS: [usize; 4] = [8, 64, 14, 14];

/// Times a view of a layout and of a tensor with it, which has a rank, and of an array.
macro_rules! views {
    ($tensor:ident, $format:ident, $array:ident: $($name:literal, $rank:literal, $view:expr, $viewed:expr;)*) => {$(
        let view: fn(&Layout) -> Result<Layout, LayoutError> = $view;
        let (layout, viewed) = ($tensor.layout(), $viewed);
        let title = format!("{} of {}", $name, $format);
        compare_some(&title, (1, Unit::Nanoseconds), &mut [
            Some(&mut || _ = black_box(&view(black_box(&layout)))),
            None,
            Some(&mut || _ = black_box(&viewed(black_box($array)))),
        ]);
        compare_some(&format!("{title}, tensor"), (1, Unit::Nanoseconds), &mut [
            Some(&mut || _ = black_box(&black_box(&$tensor).view::<$rank>(|layout| view(&layout)))),
            None,
            Some(&mut || _ = black_box(&viewed(black_box($array)))),
        ]);
    )*};
}

pub(crate) fn run() {
    println!(
        "bytes; {} of a `Layout`, {} of a `Tensor<Dynamic<..>, &[_]>`, {} of a `LayoutError`, {} of an `ArrayView4`",
        size_of::<Layout>(),
        size_of::<D>(),
        size_of::<LayoutError>(),
        size_of::<Array>()
    );
    let units: &[i8] = vec![0; EXTENTS.iter().product()].leak();
    let array = Array::from_shape(EXTENTS, units).expect("a length");
    for format in ["NCHW", "NCHW4"] {
        let layout = Layout::parse(&format!("{format}<8, 64, 14, 14>, i8")).expect("a layout");
        let dynamic = Dynamic::<i8, 4>::new(layout).expect("4 axes");
        let tensor: D = Tensor::with_layout(dynamic, units).expect("a length");
        views! { tensor, format, array:
            "permute", 4, |all| all.permute("NHWC"),
                |all: Array| all.permuted_axes([0, 2, 3, 1]);
            "slice", 4, |all| all.slice('H', 1, 2, 5),
                |all: Array| all.slice_axis_move(Axis(2), Slice::new(1, Some(10), 2));
            "index", 3, |all| all.index('C', 5),
                |all: Array| all.index_axis_move(Axis(1), 5);
            "flip", 4, |all| all.flip('W'),
                |mut all: Array| {
                    all.invert_axis(Axis(3));
                    all
                };
        }
    }
}
