//! Elements of tensors.

use core::hint::black_box;

use tensor_layout::tensor::zip;
use tensor_layout::{Dynamic, ElementType, Format, Layout, Tensor, layout};

use crate::{bytes, count, floats};

type Blocks = layout!(NCHW4<1, 8, 4, 8>, u8);
type Mixed = layout!(NCHW4<_, 8, _, _>, u8);
type Swizzled = layout!(MK<M = 4, K = 64>, u8, swizzle = b64);
type Planes = layout!(CHW<16, 8, 8>, f32);
type Packed = layout!(CHW4c<16, 8, 8>, f32);

/// Sums elements by their coordinates.
macro_rules! sum {
    ($tensor:expr) => {{
        let tensor = black_box($tensor);
        let mut sum = 0;
        for c in 0..8 {
            for h in 0..4 {
                for w in 0..8 {
                    sum += (c ^ w) * usize::from(tensor[[0, c, h, w]]);
                }
            }
        }
        black_box(sum);
    }};
}

pub(crate) fn run() {
    let units = bytes::<256>();
    let blocks = Tensor::<Blocks, _>::new(&units[..]).expect("a length");
    count("index", &mut || sum!(&blocks));
    let mixed = Mixed::new([1, 4, 8]).expect("extents");
    let mixed = Tensor::with_layout(mixed, &units[..]).expect("a length");
    count("index, extents at run time", &mut || sum!(&mixed));
    let format = Format::parse("NCHW4").expect("a format");
    let layout = Layout::of(format, &[1, 8, 4, 8], ElementType::U8).expect("a layout");
    let dynamic = Dynamic::<u8, 4>::new(layout).expect("4 axes");
    let dynamic = Tensor::with_layout(dynamic, &units[..]).expect("a length");
    count("index, layout at run time", &mut || sum!(&dynamic));
    let tile = Tensor::<Swizzled, _>::new(&units[..]).expect("a length");
    count("index, swizzled", &mut || {
        let tile = black_box(&tile);
        let sum: usize = (0..256).map(|i| i * usize::from(tile[[i % 4, i / 4]])).sum();
        black_box(sum);
    });
    count("iterate", &mut || {
        let mut sum = 0;
        black_box(&blocks)
            .iter()
            .for_each(|([_, c, _, w], byte)| sum += (c ^ w) * usize::from(byte));
        black_box(sum);
    });
    count("iterate, layout at run time", &mut || {
        let mut sum = 0;
        black_box(&dynamic)
            .iter()
            .for_each(|([_, c, _, w], byte)| sum += (c ^ w) * usize::from(byte));
        black_box(sum);
    });
    rows();
}

/// Several elements at once.
fn rows() {
    let (x, mut y) = (floats::<1024>(), [0.0; 1024]);
    let planes = Tensor::<Planes, _>::new(&x).expect("a length");
    let mut packed = Tensor::<Packed, _>::new(&mut y).expect("a length");
    count("rows and panels", &mut || {
        let planes = black_box(&planes);
        for c in 0..8 {
            for h in 0..4 {
                for (w, x) in planes.row([c, h]).iter().enumerate() {
                    packed[[c, h, w]] = x * 2.0;
                }
            }
        }
    });
    count("zip of two layouts", &mut || {
        zip((black_box(&planes), black_box(&mut packed)))
            .expect("extents")
            .for_each(|x, y| *y += x * 3.0);
    });
}
