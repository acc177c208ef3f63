//! The functions. `NAME_base` does the same without a check that can fail at run time.

use core::hint::black_box;

use tensor_layout::typed::{At, Window};
use tensor_layout::{Conversion, ElementType, Layout, Plan, Relayout, Tensor, layout};

type Act = layout!(NCHW4<1, 64, 7, 7>, i8);
type Floats = layout!(NCHW<1, 3, 8, 8>, f32);
type Bytes = layout!(NHWC<N = 1, C = 3, H = 8, W = 8>, i8);
type Words = layout!(NHWC<N = 1, C = 3, H = 8, W = 8>, i16);

#[derive(Relayout)]
#[relayout(Floats => Bytes, convert = Conversion::quantize(0.05, 3))]
struct Quantize;

#[derive(Relayout)]
#[relayout(layout!(NCHW<1, 16, 7, 7>, u8) => layout!(NHWC<N = 1, C = 16, H = 7, W = 7>, u8))]
struct Transpose;

type Units = [i8; Act::LEN];

macro_rules! cases {
    ($($name:ident($($argument:ident: $type:ty),*) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) -> usize {
            $body
        }
    )*};
}

/// A tensor over a slice, whose length is checked when it is indexed too.
#[inline(always)]
fn tensor(units: &Units) -> Option<Tensor<Act, &[i8]>> {
    Tensor::new(&units[..]).ok()
}

#[inline(always)]
fn tensor_mut(units: &mut Units) -> Option<Tensor<Act, &mut [i8]>> {
    Tensor::new(&mut units[..]).ok()
}

// With a slice's own index, whose panic has numbers too.
cases! {
    slice(i: usize, units: &Units) { units[i] as usize }
    slice_base(i: usize, units: &Units) { units[i % 49] as usize }
}

// Indices that the compiler cannot bound.
cases! {
    index(i: usize, units: &Units) { tensor(units).map_or(0, |act| act[[0, 1, 2, i]] as usize) }
    index_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act[[0, 1, 2, i % 7]] as usize) }
    index_mut(i: usize, units: &mut Units) { tensor_mut(units).map_or(0, |mut act| { act[[0, 1, 2, i]] = 1; 0 }) }
    index_mut_base(i: usize, units: &mut Units) { tensor_mut(units).map_or(0, |mut act| { act[[0, 1, 2, i % 7]] = 1; 0 }) }
    row(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.row([0, 1, i])[2][1] as usize) }
    row_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.row([0, 1, i % 7])[2][1] as usize) }
    panel(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.panel([0, i])[2][1][3] as usize) }
    panel_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.row([0, 1, i % 7])[2][3] as usize) }
    part(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.part([0, 1, i])[9] as usize) }
    part_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.part([0, 1, i % 7])[9] as usize) }
    window(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.viewed(Window::<'H', 3>(i))[[0, 1, 1, 2]] as usize) }
    window_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.viewed(Window::<'H', 3>(i % 5))[[0, 1, 1, 2]] as usize) }
    at(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.viewed(At::<'H'>(i))[[0, 1, 2]] as usize) }
    at_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.viewed(At::<'H'>(i % 7))[[0, 1, 2]] as usize) }
    get(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.get([0, 1, 2, i]).unwrap() as usize) }
    get_base(i: usize, units: &Units) { tensor(units).map_or(0, |act| act.get([0, 1, 2, i % 7]).unwrap() as usize) }
    set(i: usize, units: &mut Units) { tensor_mut(units).map_or(0, |mut act| act.set([0, 1, 2, i], 1).is_ok() as usize) }
    set_base(i: usize, units: &mut Units) { tensor_mut(units).map_or(0, |mut act| act.set([0, 1, 2, i % 7], 1).is_ok() as usize) }
    offset(i: usize) { Act::offset([0, 1, 2, i]) }
    offset_base(i: usize) { Act::offset([0, 1, 2, i % 7]) }
}

/// A buffer whose length the compiler does not know, as a `Vec`'s.
struct Grown<'a>(&'a mut [u8]);

impl AsRef<[u8]> for Grown<'_> {
    fn as_ref(&self) -> &[u8] {
        black_box(&*self.0)
    }
}

impl AsMut<[u8]> for Grown<'_> {
    fn as_mut(&mut self) -> &mut [u8] {
        black_box(&mut *self.0)
    }
}

// Relayouts and conversions.
cases! {
    tensors(from: &[u8; 784], bytes: *mut u8, length: usize) {
        // SAFETY: the program is linked, not run.
        let to = unsafe { core::slice::from_raw_parts_mut(bytes, length) };
        let Ok(mut to) = Tensor::new(Grown(to)) else { return 1 };
        Transpose::run(&from.into(), &mut to);
        0
    }
    tensors_base(from: &[u8; 784], to: &mut [u8; 784]) {
        Transpose::run_arrays(from, to);
        0
    }
    quantize(from: &[f32; Floats::LEN], to: &mut [i8; Bytes::LEN]) {
        Quantize::run_arrays(from, to);
        0
    }
    quantize_base(from: &[f32; Floats::LEN], to: &mut [i8; Bytes::LEN]) {
        for pixel in 0..64 {
            for channel in 0..3 {
                let scaled = from[channel * 64 + pixel] * 20.0 + 3.0;
                to[pixel * 3 + channel] = scaled as i8;
            }
        }
        0
    }
    convert_base(scale: f32, from: &[f32; Floats::LEN], to: &mut [i16; Words::LEN]) {
        let (from, mut to) = (Tensor::<Floats, _>::from(from), Tensor::<Words, _>::from(to));
        from.convert_into(&mut to, &Conversion::quantize(scale, 0)).is_ok() as usize
    }
    // Elements of another size than in `quantize`: with the same, both would share code that does all that either does.
    convert(scale: f32, from: &[f32; Floats::LEN], to: &mut [i16; Words::LEN]) {
        let (from, mut to) = (Tensor::<Floats, _>::from(from), Tensor::<Words, _>::from(to));
        from.convert_into(&mut to, &Conversion::quantize(scale, 0)).unwrap();
        0
    }
    plan_base(side: usize, from: &[u8; 784], to: &mut [u8; 784]) {
        let of = |format: &str| Layout::of(format, &[1, 16, side, side], ElementType::U8);
        let (Ok(planes), Ok(last)) = (of("NCHW"), of("NHWC")) else { return 1 };
        let Ok(plan) = Plan::new(&planes, &last) else { return 2 };
        plan.run(&from[..], &mut to[..]).is_ok() as usize
    }
    plan(side: usize, from: &[u8; 784], to: &mut [u8; 784]) {
        let of = |format: &str| Layout::of(format, &[1, 16, side, side], ElementType::U8).unwrap();
        let plan = Plan::new(&of("NCHW"), &of("NHWC")).unwrap();
        plan.run(&from[..], &mut to[..]).unwrap();
        0
    }
}
