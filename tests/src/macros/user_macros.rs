use super::*;

type Reference = layout!(NCHW4<2, 8, 3, 3>, f32);

macro_rules! literals {
    ($n:literal $c:literal) => { layout!(NCHW4<$n, $c, 3, 3>, f32) };
}
macro_rules! identifiers {
    ($format:ident $n:ident $element:ident) => { layout!($format<$n, 8, 3, 3>, $element) };
}
macro_rules! expressions {
    ($n:expr, $c:expr) => { layout!(NCHW4<$n, $c, 3, 3>, f32) };
}
macro_rules! types {
    ($element:ty) => { layout!(NCHW4<2, 8, 3, 3>, $element) };
}
macro_rules! paths {
    ($n:path, $element:path) => { layout!(NCHW4<$n, 8, 3, 3>, $element) };
}
macro_rules! blocks {
    ($n:block) => { layout!(NCHW4<$n, 8, 3, 3>, f32) };
}
macro_rules! trees {
    ($format:tt $n:tt $element:tt) => { layout!($format<$n, 8, 3, 3>, $element) };
}
macro_rules! all_tokens {
    ($($tokens:tt)*) => { layout!($($tokens)*) };
}
macro_rules! lists {
    ($format:ident, [$($extent:expr),*], $element:ty $(, $option:ident = $value:expr)?) => {
        layout!($format<$($extent),*>, $element $(, $option = $value)?)
    };
}
macro_rules! names {
    ($($letter:ident = $extent:expr),*) => { layout!(NCHW4<$($letter = $extent),*>, f32) };
}
macro_rules! strides {
    ($($stride:expr),*; $axis:ident) => {
        layout!(NCHW<2, 2, 2, 2>, f32, strides = [$($stride),*], broadcast($axis))
    };
}
macro_rules! aligned {
    ($axis:ident, $bytes:expr) => { layout!(NCHW<2, 2, 2, 2>, f32, align($axis = $bytes)) };
}
macro_rules! formats {
    ($format:literal) => { layout!($format<1, 8>, f32) };
}
macro_rules! named_formats {
    ($format:path) => { layout!($format!<2, 8, 3, 3>, f32) };
    (by name $format:ident) => { layout!($format!<2, 8, 3, 3>, f32) };
}
macro_rules! whole {
    ($layout:ty) => {
        <$layout>::LEN
    };
}
macro_rules! twice {
    ($n:expr, $element:ty) => { twice!(@ $n, $element) };
    (@ $n:expr, $element:ty) => { layout!(NCHW4<$n, 8, 3, 3>, $element) };
}
/// Everything at once: items, a derive, names out of the call.
macro_rules! mover {
    ($visibility:vis $name:ident: $from:ty => $to:ty) => {
        #[derive(Relayout)]
        #[relayout($from => $to)]
        $visibility struct $name;
    };
    ($name:ident: $from:ident $to:ident <$($extent:literal),*> $element:ty) => {
        mover!($name: layout!($from<$($extent),*>, $element) => layout!($to<$($extent),*>, $element));
    };
}
macro_rules! format_named {
    ($name:ident, $format:ident) => {
        named_format!($name = $format);
    };
}

const N: usize = 2;
mod config {
    pub const N: usize = 2;
}

#[test]
fn fragments_mean_what_they_hold() {
    fn is<L: StaticLayout>()
    where
        Reference: Into<L>,
    {
    }
    is::<literals!(2 8)>();
    is::<literals!(0x2 8usize)>();
    is::<identifiers!(NCHW4c N f32)>();
    is::<expressions!(2, 8)>();
    is::<expressions!(N, 4 * N)>();
    is::<expressions!(config::N, { 4 * N })>();
    is::<expressions!((N), size_of::<u64>())>();
    is::<types!(f32)>();
    is::<types!(std::primitive::f32)>();
    is::<paths!(config::N, std::primitive::f32)>();
    is::<paths!(N, f32)>();
    is::<blocks!({ 1 + 1 })>();
    is::<blocks!({ 2 })>();
    is::<trees!(NCHW4c 2 f32)>();
    is::<trees!(NCHW4 (1 + 1) f32)>();
    is::<all_tokens!(NCHW4<2, 8, 3, 3>, f32)>();
    is::<lists!(NCHW4, [2, 8, 3, 3], f32)>();
    is::<lists!(NCHW4, [N, 4 * N, 3, 3], f32)>();
    is::<names!(C = 8, N = N, H = 3, W = 3)>();
    is::<twice!(N, f32)>();
    assert_eq!(whole!(layout!(NCHW4<2, 8, 3, 3>, f32)), 144);
    same(<formats!(4cNC)>::default(), <layout!(4cNC<1, 8>, f32)>::default());
    assert_eq!(<strides!(8, 4, -2, 0; W)>::STRIDES, Some([8, 4, -2, 0]));
    assert_eq!(<aligned!(H, 64)>::STRIDES, Some([64, 32, 16, 1]));
    assert_eq!(<aligned!(H, 8 * 8)>::STRIDES, Some([64, 32, 16, 1]));
    same(
        <lists!(NCHW4, [1, 3, 2, 2], i8, pad = -1)>::default(),
        <layout!(NCHW4<1, 3, 2, 2>, i8, pad = -1)>::default(),
    );
    same(
        <lists!(NCHW4, [1, 3, 2, 2], i8, pad = 3 - 4)>::default(),
        <layout!(NCHW4<1, 3, 2, 2>, i8, pad = -1)>::default(),
    );
}

#[test]
fn library_elements_need_no_import_as_fragments() {
    type Half = layout!(NCHW4<2, 8, 3, 3>, f16);
    same(<types!(f16)>::default(), Half::default());
    same(<paths!(N, f16)>::default(), Half::default());
    same(<twice!(2, f16)>::default(), Half::default());
    same(<identifiers!(NCHW4 N f16)>::default(), Half::default());
    same(
        <lists!(NCHW4, [2, 8, 3, 3], f16, pad = 0.0)>::default(),
        <layout!(NCHW4<2, 8, 3, 3>, f16, pad)>::default(),
    );
}

mover!(Typed: layout!(NCHW<1, 4, 2, 2>, i8) => layout!(NCHW4<1, 4, 2, 2>, i8));
mover!(Spelled: NCHW NCHW4 <1, 4, 2, 2> i8);
format_named!(QUADS, NCHW4c);
format_named!(HALVES, NCHW2c);

#[test]
fn derives_and_formats_come_out_of_macros() {
    same(<named_formats!(QUADS)>::default(), Reference::default());
    same(<named_formats!(crate::macros::named::formats::QUADS)>::default(), Reference::default());
    same(<named_formats!(by name QUADS)>::default(), Reference::default());
    let source = std::array::from_fn(|i| i as i8);
    let (mut typed, mut spelled) = ([0; 16], [0; 16]);
    Typed::run_arrays(&source, &mut typed);
    Spelled::run_arrays(&source, &mut spelled);
    assert_eq!(typed, spelled);
    assert_eq!(typed[..4], [0, 4, 8, 12]);
    same(<layout!(QUADS!<2, 8, 3, 3>, f32)>::default(), Reference::default());
    assert_eq!(<layout!(HALVES!<1, 4, 1, 1>, f32)>::offset([0, 3, 0, 0]), 3);
    mover!(Inside: layout!(QUADS!<1, 4, 2, 2>, i8) => layout!(NCHW<1, 4, 2, 2>, i8));
    let mut back = [0; 16];
    Inside::run_arrays(&typed, &mut back);
    assert_eq!(back, source);
}
