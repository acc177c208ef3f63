//! What the guide and the recipes call, with images as large as models take.

use std::hint::black_box;

use tensor_layout::adapters::npy;
use tensor_layout::{
    Conversion, Dynamic, ElementType, Layout, Relayout, Rounding, Tensor, algebra, layout, tensor,
    view,
};

use super::Limit;
use super::depth::{depth_of, in_thread};

/// Names a function and measures it, with the limit of its kind, then runs it in a thread of just so many bytes.
fn measure(name: &str, limit: Limit, run: impl Fn() + Send + Sync) {
    let depth = depth_of(&run);
    println!("{depth:7} {name}");
    assert!(depth <= limit.bytes(), "{name}: {depth} bytes of stack");
    // What the thread takes besides: a guard page, and what is local to threads.
    in_thread(limit.bytes() + (8 << 10), run);
}

/// Calls each function with images of this size.
macro_rules! images {
    ($name:ident, $size:literal) => {
        #[test]
        fn $name() {
            type Frame = layout!(NHWC<N = 1, C = 3, H = $size, W = $size>, u8, align(H = 64));
            type Image = layout!(NHWC<N = 1, C = 3, H = $size, W = $size>, f32);
            type Input = layout!(NCHW<1, 3, $size, $size>, f32);
            type Packed = layout!(NCHW4<1, 3, $size, $size>, i8, pad);
            type Batch = layout!(NCHW<_, 3, $size, $size>, f32);

            #[derive(Relayout)]
            #[relayout(Frame => Input, convert = Conversion::normalize(127.5, 1.0 / 127.5))]
            struct ToModel;

            #[derive(Relayout)]
            #[relayout(Input => Image)]
            struct ToImage;

            const QUANTIZED: Conversion = Conversion::quantize(0.5, 3);
            /// A static of any size: it lies on no stack.
            static ZEROED: tensor!(Input) = <tensor!(Input)>::ZEROED;

            let frame = Tensor::<Frame>::from_fn(|[_, c, h, w]| (c + h + w) as u8);
            let input = ToModel::tensor(&frame);
            assert!((input[[0, 2, 5, 7]] - (14.0 - 127.5) / 127.5).abs() < 1e-6);
            let named = |function: &str| format!("{}: {function}", $size);
            macro_rules! calls {
                ($limit:ident: $run:expr) => { measure(&named(stringify!($run)), Limit::$limit, || { black_box($run); }) };
            }
            calls!(CONVERT: Tensor::<Input>::zeroed());
            calls!(CONVERT: Tensor::<Frame>::from_fn(|[_, c, h, w]| (c + h + w) as u8));
            calls!(CONVERT: ToModel::tensor(&frame));
            calls!(CONVERT: ToModel::run(&frame, &mut Tensor::zeroed()));
            calls!(CONVERT: ToModel::try_run(&frame, &mut Tensor::zeroed()).unwrap());
            calls!(MOVE: ToImage::tensor(&input));
            calls!(MOVE: ToImage::try_run(&input, &mut Tensor::zeroed()).unwrap());
            calls!(CONVERT: input.convert_to::<Packed>(&QUANTIZED).unwrap());
            calls!(CONVERT: input.convert_into(&mut Tensor::<Packed>::zeroed(), &QUANTIZED).unwrap());
            calls!(CONVERT: input.quantize_to::<Packed>(None, Rounding::HalfEven).unwrap());
            calls!(CONVERT: input.quantize_to::<Packed>('C', Rounding::HalfEven).unwrap());
            calls!(CONVERT: input.convert_to::<Packed>(&QUANTIZED).unwrap().sums('C').unwrap());
            calls!(MOVE: input.to_layout::<Batch>().unwrap());
            calls!(MOVE: input.to_format("NHWC").unwrap());
            calls!(MOVE: input.relayout_into(&mut Tensor::<Image>::zeroed()).unwrap());
            calls!(CONVERT: input.map(|value| value as f64));
            calls!(CONVERT: input.iter().count());
            calls!(CONVERT: input.clone());
            calls!(CONVERT: input == ZEROED);
            calls!(CONVERT: Tensor::<Input, _>::try_from(vec![0.0; Input::LEN]).unwrap());
            calls!(CONVERT: ZEROED.view::<4>(|layout| layout.slice('H', 8, 1, 40)?.flip('W')).unwrap());
            let file = {
                let mut file = Vec::new();
                npy::write(&input, &mut file).unwrap();
                file
            };
            let read = || npy::File::open(&file[..]).unwrap().array().unwrap();
            calls!(CONVERT: read());
            calls!(CONVERT: npy::read(Input::default(), &file[..]).unwrap());
            calls!(MOVE: read().to_layout::<Image>("NCHW").unwrap());
            calls!(MOVE: read().convert_to::<Packed>("NCHW", &QUANTIZED).unwrap());
            calls!(MOVE: read().quantize::<Packed>("NCHW", 'C', Rounding::HalfEven).unwrap());
        }
    };
}

images!(images_of_224, 224);
images!(images_of_640, 640);

#[test]
fn layouts_views_and_algebra() {
    macro_rules! calls {
        ($($run:expr;)*) => {$( measure(stringify!($run), Limit::CONVERT, || { black_box($run).unwrap(); }); )*};
    }
    let text = "ABCDEFGH4a8b2c<4, 8, 2, 3, 3, 3, 3, 3>, f16, pad, swizzle(2, 3, 3)";
    let blocked = Layout::parse("NCHW4n8c<16, 64, 5, 7>, f32").unwrap();
    let row = Layout::of("M", &[24], ElementType::F32).unwrap();
    let tile = Layout::from_strides("T", &[4], &[3], ElementType::F32).unwrap();
    const CROP: Layout = view!(<layout!(NCHW4<1, 64, 56, 56>, i8)>::LAYOUT, slice('H', 8, 1, 40));
    calls! {
        Layout::parse(text);
        Layout::parse("NCHW4<1, 64>, f32").map_or_else(|error| Ok::<_, ()>(error.to_string()), |_| Err(()));
        Layout::of("NCHW16c", &[1, 64, 7, 7], ElementType::F32);
        Dynamic::<f32, 4>::new(blocked);
        blocked.slice('C', 8, 1, 40).and_then(|view| view.permute("WHCN"));
        blocked.in_format("NHWC");
        CROP.slice('W', 55, -1, 40);
        algebra::divide(&row, &tile, 'R');
        algebra::compose(&row, &row);
        algebra::complement(&tile, 24, 'R');
        algebra::right_inverse(&blocked, 'R');
        algebra::coalesce(&blocked, 'R');
    }
}
