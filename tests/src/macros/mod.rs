//! The macros wherever a user may put them: every position, inside other macros, without imports,
//! and among names that look like the library's own.

#![allow(
    clippy::type_complexity,
    reason = "clippy counts what a macro expands to; outside of tests an alias is better anyway"
)]
#![allow(unreachable_pub, reason = "items are written as a user's public modules have them")]

mod include;
mod include_rebuild;

use bytemuck::{Pod, Zeroable};
use tensor_layout::{Element, PlainElement, Relayout, StaticLayout, Tensor, layout, named_format};

/// Compiles only where both layouts are one type.
fn same<L: StaticLayout>(_: L, _: L) {}

mod positions {
    use super::*;

    pub type Alias = layout!(NHWC<1, 3, 4, 5>, u8);
    const LEN: usize = <layout!(NHWC<1, 3, 4, 5>, u8)>::LEN;
    static ZEROS: [u8; <layout!(NHWC<1, 3, 4, 5>, u8)>::LEN] = [0; LEN];
    static NONE: [Option<layout!(NHWC<1, 3, 4, 5>, u8)>; 2] = [None, None];

    #[derive(Clone, Copy, Debug)]
    struct Image(layout!(NHWC<1, 3, 4, 5>, u8));

    struct Fields {
        layout: layout!(NHWC<1, 3, 4, 5>, u8),
        tensor: Tensor<layout!(NHWC<1, 3, 4, 5>, u8), [u8; LEN]>,
        array: [u8; <layout!(NHWC<1, 3, 4, 5>, u8)>::LEN],
        function: fn(&layout!(NHWC<1, 3, 4, 5>, u8)) -> (layout!(NHWC<1, 3, 4, 5>, u8), u8),
    }

    enum Either {
        Tuple(layout!(NHWC<1, 3, 4, 5>, u8)),
        Struct { layout: layout!(NHWC<1, 3, 4, 5>, u8) },
    }

    union Overlaid {
        layout: layout!(NHWC<1, 3, 4, 5>, u8),
        _bytes: u64,
    }

    struct Defaulted<L = layout!(NHWC<1, 3, 4, 5>, u8)>(L);

    trait Network {
        type Input: StaticLayout;
        type Both<const C: usize>: StaticLayout;
        const LEN: usize;
        fn input(&self) -> Self::Input;
    }

    struct Net;

    impl Network for Net {
        type Input = layout!(NHWC<1, 3, 4, 5>, u8);
        type Both<const C: usize> = layout!(NHWC<1, C, 4, 5>, u8);
        const LEN: usize = <layout!(NHWC<1, 3, 4, 5>, u8)>::LEN;
        fn input(&self) -> layout!(NHWC<1, 3, 4, 5>, u8) {
            <layout!(NHWC<1, 3, 4, 5>, u8)>::default()
        }
    }

    trait Local {
        fn name() -> &'static str;
    }

    impl Local for layout!(NHWC<1, 3, 4, 5>, u8) {
        fn name() -> &'static str {
            "image"
        }
    }

    impl From<layout!(NHWC<1, 3, 4, 5>, u8)> for Image {
        fn from(layout: layout!(NHWC<1, 3, 4, 5>, u8)) -> Self {
            Self(layout)
        }
    }

    fn parameter(layout: layout!(NHWC<1, 3, 4, 5>, u8)) -> layout!(NHWC<1, 3, 4, 5>, u8) {
        layout
    }

    fn bound<T>(value: T) -> layout!(NHWC<1, 3, 4, 5>, u8)
    where
        T: Into<Image>,
        layout!(NHWC<1, 3, 4, 5>, u8): Local + Into<T>,
        Image: From<layout!(NHWC<1, 3, 4, 5>, u8)>,
    {
        value.into().0
    }

    fn iterator() -> impl Iterator<Item = layout!(NHWC<1, 3, 4, 5>, u8)> {
        std::iter::repeat_n(Alias::default(), 2)
    }

    type Object<'a> = &'a dyn Iterator<Item = layout!(NHWC<1, 3, 4, 5>, u8)>;

    #[test]
    fn a_type_stands_wherever_a_type_may_stand() {
        let layout: layout!(NHWC<1, 3, 4, 5>, u8) = Default::default();
        let fields = Fields {
            layout,
            tensor: Tensor::<layout!(NHWC<1, 3, 4, 5>, u8), _>::new([0; LEN]).unwrap(),
            array: ZEROS,
            function: |layout| (*layout, 0),
        };
        same(fields.layout, (fields.function)(&layout).0);
        same(*fields.tensor.layout(), NONE[1].unwrap_or_default());
        assert_eq!(fields.array.len(), LEN);
        for either in [Either::Tuple(layout), Either::Struct { layout }] {
            let (Either::Tuple(own) | Either::Struct { layout: own }) = either;
            same(own, layout);
        }
        let overlaid = Overlaid { layout };
        // SAFETY: the field that was written.
        same(unsafe { overlaid.layout }, layout);
        same(Defaulted::<layout!(NHWC<1, 3, 4, 5>, u8)>(layout).0, layout);
        let defaulted: Defaulted = Defaulted(layout);
        same(defaulted.0, layout);
        same(Net.input(), parameter(layout));
        same(<Net as Network>::Both::<3>::default(), layout);
        assert_eq!(
            <Net as Network>::LEN,
            <<Net as Network>::Input as StaticLayout>::LAYOUT.length()
        );
        assert_eq!(<layout!(NHWC<1, 3, 4, 5>, u8) as Local>::name(), "image");
        assert_eq!(<layout!(NHWC<1, 3, 4, 5>, u8)>::name(), "image");
        same(bound(Image(layout)), layout);
        assert_eq!(iterator().count(), 2);
        let object: Object<'_> = &iterator();
        assert_eq!(object.size_hint(), (2, Some(2)));
        let closure = |layout: layout!(NHWC<1, 3, 4, 5>, u8)| layout;
        same(closure(layout), layout);
        assert_eq!(size_of::<layout!(NHWC<1, 3, 4, 5>, u8)>(), 0);
        let list = Vec::<layout!(NHWC<1, 3, 4, 5>, u8)>::from([layout]);
        assert_eq!(format!("{list:?}"), "[NHWC<1, 3, 4, 5>, u8]");
    }

    #[test]
    fn parentheses_braces_and_trailing_commas_are_a_matter_of_taste() {
        same(<layout![NHWC<1, 3, 4, 5>, u8]>::default(), Alias::default());
        same(<layout! { NHWC<1, 3, 4, 5,>, u8, }>::default(), Alias::default());
        same(<layout!(nhwc<1, 3, 4, 5>, u8)>::default(), Alias::default());
        same(<layout!(NHWC<W = 5, h = 4, C = 3, N = 1>, u8)>::default(), Alias::default());
        same(<layout!(NHWC<0x1, 3usize, 4_usize, 0b101>, u8)>::default(), Alias::default());
        type Tiled = layout!(4cNCHW<1, 64, 2, 2>, i8);
        assert_eq!(Tiled::offset([0, 1, 0, 0]), 64);
        type Point = layout!(SCALAR, f32);
        assert_eq!((Point::LEN, Point::RANK), (1, 0));
        type Empty = layout!(SCALAR, f32);
        same(Point::default(), Empty::default());
    }

    #[test]
    fn options_take_constants_and_expressions() {
        const ROW: usize = 64;
        const ZERO_POINT: i8 = -3;
        const STEP: isize = 16;
        mod config {
            pub const STEP: isize = 16;
            pub mod fill {
                pub const ZERO_POINT: i8 = -3;
            }
            pub use fill as elements;
        }
        use config::fill;
        type Rows = layout!(NCHW<1, 3, 4, 5>, u8, align(H = ROW, C = { 4 * ROW }));
        assert_eq!(Rows::STRIDES, Some([768, 256, 64, 1]));
        type Strides = layout!(NCHW<1, 2, 2, 2>, i8, strides = [STEP * 2, config::STEP, 4, -1]);
        assert_eq!(Strides::STRIDES, Some([32, 16, 4, -1]));
        type Literal = layout!(NCHW4<1, 3, 4, 5>, i8, pad = -3);
        same(Literal::default(), <layout!(NCHW4<1, 3, 4, 5>, i8, pad = ZERO_POINT)>::default());
        same(Literal::default(), <layout!(NCHW4<1, 3, 4, 5>, i8, pad = { -1 - 2 })>::default());
        same(Literal::default(), <layout!(NCHW4<1, 3, 4, 5>, i8, pad = -1 - 2)>::default());
        same(
            Literal::default(),
            <layout!(NCHW4<1, 3, 4, 5>, i8, pad = fill::ZERO_POINT)>::default(),
        );
        type Path = layout!(NCHW4<1, 3, 4, 5>, i8, pad = config::elements::ZERO_POINT);
        same(Literal::default(), Path::default());
        type Constant = layout!(NCHW4<1, 3, 4, 5>, f32, pad = f32::INFINITY);
        assert_eq!(Constant::LAYOUT.fill(), Some(f32::INFINITY.to_bits().into()));
        type Repeated = layout!(NCHW<8, 3, 4, 5>, f32, broadcast(N, H));
        assert_eq!(Repeated::STRIDES, Some([0, 5, 0, 1]));
    }
}

mod generics {
    use super::*;

    pub const CHANNELS: usize = 8;

    struct Layer<const N: usize, const C: usize, const HW: usize> {
        activations: layout!(NCHW4<N, C, HW, { HW }>, i8),
    }

    impl<const N: usize, const C: usize, const HW: usize> Layer<N, C, HW> {
        const LEN: usize = <layout!(NCHW4<N, C, HW, HW>, i8)>::LEN;
    }

    trait Sized2 {
        const CHANNELS: usize;
    }

    impl<const C: usize> Sized2 for layout!(NCHW<1, C, 2, 2>, f32) {
        const CHANNELS: usize = C;
    }

    /// The same letters for parameters as for axes, in another order.
    fn swapped<const H: usize, const W: usize>() -> [usize; 4] {
        <layout!(NCHW<1, 1, W, H>, f32)>::EXTENTS
    }

    fn named<const H: usize, const W: usize>() -> [usize; 4] {
        <layout!(NCHW<N = 1, C = 1, H = H, W = W>, f32)>::EXTENTS
    }

    fn of_element<E: Element, const C: usize>() -> usize {
        <layout!(NCHW4<1, C, 3, 3>, E, pad)>::BYTES
    }

    fn of_associated<E: Iterator<Item: Element>>() -> usize {
        <layout!(NCHW<1, 2, 3, 3>, E::Item)>::BYTES
            + <layout!(MK<2, 1>, <E as Iterator>::Item)>::BYTES
    }

    struct Weights<E: Element>(layout!(OIHW<8, 8, 3, 3>, E));

    #[test]
    fn extents_and_elements_can_be_parameters() {
        let layer = Layer::<2, 8, 3> { activations: Default::default() };
        same(layer.activations, <layout!(NCHW4<2, 8, 3, 3>, i8)>::default());
        assert_eq!(Layer::<2, 8, 3>::LEN, 144);
        assert_eq!(<layout!(NCHW<1, 7, 2, 2>, f32) as Sized2>::CHANNELS, 7);
        assert_eq!((swapped::<5, 6>(), named::<5, 6>()), ([1, 1, 6, 5], [1, 1, 5, 6]));
        assert_eq!((of_element::<f64, 3>(), of_element::<tensor_layout::i4, 5>()), (288, 36));
        assert_eq!(of_associated::<std::vec::IntoIter<u16>>(), 40);
        same(Weights::<f32>(Default::default()).0, Default::default());
    }

    #[test]
    fn extents_can_be_constants_and_expressions() {
        const N: usize = 2;
        type Reference = layout!(NCHW<2, 8, 16, 3>, f32);
        type Constants = layout!(NCHW<N, CHANNELS, { CHANNELS * N }, { N + 1 }>, f32);
        type Paths = layout!(NCHW<N, super::generics::CHANNELS, CHANNELS * 2, N + 1>, f32);
        type Calls = layout!(NCHW<{ size_of::<u16>() }, usize::pow(2, 3), (8 + 8), { Paths::EXTENTS[3] }>, f32);
        same(Reference::default(), Constants::default());
        same(Reference::default(), Paths::default());
        same(Reference::default(), Calls::default());
    }
}

mod user_macros {
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
        same(
            <named_formats!(crate::macros::named::formats::QUADS)>::default(),
            Reference::default(),
        );
        same(<named_formats!(by name QUADS)>::default(), Reference::default());
        let source = std::array::from_fn(|i| i as i8);
        let (mut typed, mut spelled) = ([0; 16], [0; 16]);
        Typed::run(&source, &mut typed);
        Spelled::run(&source, &mut spelled);
        assert_eq!(typed, spelled);
        assert_eq!(typed[..4], [0, 4, 8, 12]);
        same(<layout!(QUADS!<2, 8, 3, 3>, f32)>::default(), Reference::default());
        assert_eq!(<layout!(HALVES!<1, 4, 1, 1>, f32)>::offset([0, 3, 0, 0]), 3);
        mover!(Inside: layout!(QUADS!<1, 4, 2, 2>, i8) => layout!(NCHW<1, 4, 2, 2>, i8));
        let mut back = [0; 16];
        Inside::run(&typed, &mut back);
        assert_eq!(back, source);
    }
}

mod no_imports {
    pub type Act = tensor_layout::layout!(NCHW4<2, 64, 3, 3>, bf16);
    pub type Plain = ::tensor_layout::layout!(NCHW<2, 64, 3, 3>, bf16, pad = 0.5);
    pub type Nibbles = tensor_layout::layout!(NCHW64<1, 64, 7, 7>, u4);
    pub type Small = tensor_layout::layout!(MK<4, 4>, f8e4m3);

    tensor_layout::named_format!(PAIRS = NCHW2c);
    pub type Pairs = tensor_layout::layout!(PAIRS!<2, 64, 3, 3>, i4);

    #[derive(tensor_layout::Relayout)]
    #[relayout(tensor_layout::layout!(NCHW<2, 64, 3, 3>, bf16) => Act)]
    pub struct Pack;

    #[test]
    fn a_full_path_is_enough() {
        assert_eq!((Act::LEN, Plain::LEN, Nibbles::BYTES, Pairs::BYTES), (1152, 1152, 1568, 576));
        assert_eq!(Small::BYTES, 16);
        let source = [tensor_layout::bf16::ONE; Plain::LEN];
        assert_eq!(Pack::constant(&source), source);
    }
}

mod elements {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
    #[repr(C)]
    pub struct Complex {
        pub re: f32,
        pub im: f32,
    }
    impl PlainElement for Complex {}

    #[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
    #[repr(transparent)]
    pub struct Tagged<T>(T);
    impl<T: Pod> PlainElement for Tagged<T> {}

    type Spectrum = layout!(NCHW4<1, 3, 2, 2>, Complex, pad);
    type Path = layout!(NCHW4<1, 3, 2, 2>, super::elements::Complex, pad);
    type Frame = layout!(HW<2, 3>, Tagged<[u8; 3]>);

    #[derive(Relayout)]
    #[relayout(layout!(NHWC<1, 3, 2, 2>, Complex) => Spectrum)]
    struct Pack;

    #[test]
    fn a_type_of_the_users_own_is_an_element() {
        same(Spectrum::default(), Path::default());
        assert_eq!((Spectrum::BYTES, Frame::BYTES), (128, 18));
        let source: [Complex; 12] = std::array::from_fn(|i| Complex { re: i as f32, im: 1.0 });
        let packed = Pack::constant(&source);
        assert_eq!(packed[Spectrum::offset([0, 2, 1, 0])], source[8]);
        assert_eq!(packed[3], Complex::zeroed());
        let mut frame = Tensor::<Frame, _>::new([Tagged([0; 3]); Frame::LEN]).unwrap();
        frame[[1, 2]] = Tagged([1, 2, 3]);
        assert_eq!(frame.buffer()[5], Tagged([1, 2, 3]));
    }
}

mod named {
    use super::*;

    named_format!(TILED = NCHW4h4w4c);
    named_format! {
        /// Attributes and comments are welcome.
        #[rustfmt::skip]
        LEADING = 4cNCHW;
    }

    /// Formats that the whole crate sees, by path.
    pub mod formats {
        tensor_layout::named_format!(PAIRS = NCHW2c);
        tensor_layout::named_format!(QUADS = NCHW4c);
        tensor_layout::named_format!(HEADS = BSHD);
        pub(crate) use {HEADS, PAIRS, QUADS};
    }

    named_format!(
        /// Blocks of 16 channels.
        #[macro_export]
        EXPORTED = NCHW16c
    );

    type Tiled = layout!(TILED!<1, 64, 8, 8>, i8);
    type Heads = layout!(formats::HEADS!<B = 8, H = 12, S = 128, D = 64>, f32);

    #[derive(Relayout)]
    #[relayout(layout!(NCHW<1, 64, 8, 8>, i8) => layout!(TILED!<1, 64, 8, 8>, i8))]
    struct Tile;

    fn generic<const C: usize>(_: layout!(formats::PAIRS!<1, C, 1, 1>, f32)) -> usize {
        C
    }

    #[test]
    fn formats_have_names_at_every_scope() {
        same(Tiled::default(), <layout!(NCHW4h4w4c<1, 64, 8, 8>, i8)>::default());
        assert_eq!(<layout!(LEADING!<1, 8, 1, 1>, i8)>::offset([0, 1, 0, 0]), 2);
        assert_eq!(Heads::EXTENTS, [8, 12, 128, 64]);
        assert_eq!(generic::<6>(Default::default()), 6);
        same(
            <layout!(self::formats::PAIRS!<1, 6, 1, 1>, f32)>::default(),
            <layout!(crate::macros::named::formats::PAIRS!<1, 6, 1, 1>, f32)>::default(),
        );
        assert_eq!(<layout!(EXPORTED!<1, 16, 1, 1>, f32)>::LEN, 16);
        assert_eq!(Tile::constant(&[1; 4096]), [1; 4096]);

        named_format!(LOCAL = NHCW2w);
        assert_eq!(<layout!(LOCAL!<1, 2, 2, 4>, i8)>::offset([0, 1, 0, 1]), 5);
        assert_eq!(<layout!(LOCAL!<1, 2, 2, 3>, i8, pad)>::LEN, 16);
    }
}

/// The user's own names for what the macros expand to.
#[allow(non_camel_case_types, dead_code, unused_macros)]
mod shadowed {
    pub struct Static;
    pub struct Extent;
    pub struct Axis;
    pub struct Block;
    pub struct Stride;
    pub struct Broadcast;
    pub struct Padded;
    pub struct Align;
    pub struct Plan;
    pub struct Layout;
    pub struct StaticLayout;
    pub struct UnitOf;
    pub struct Option;
    pub struct Some;
    pub struct f32;
    pub struct i8;
    pub struct f16;
    pub struct usize;
    pub struct isize;
    pub struct char;
    pub struct u64;
    pub mod core {}
    pub mod std {}
    pub mod tensor_layout {}
    pub mod typed {}
    pub mod fill {
        pub const VALUE: ::core::primitive::i8 = 1;
    }
    pub mod elements {}
    pub mod __private {}
    pub mod layout {}
    pub mod spec {}

    const N: ::core::primitive::usize = 2;
    const C: ::core::primitive::usize = 8;
    const H: ::core::primitive::usize = 3;
    const W: ::core::primitive::usize = 4;
    const RANK: ::core::primitive::usize = 1;
    const LEN: ::core::primitive::usize = 1;
    const PLAN: ::core::primitive::usize = 1;

    macro_rules! layout {
        () => {};
    }
    macro_rules! named_format {
        () => {};
    }

    ::tensor_layout::named_format!(QUADS = NCHW4c);

    pub type Act = ::tensor_layout::layout!(QUADS!<N, C, H, W>, f32);
    pub type Plain = ::tensor_layout::layout!(NHWC<N, C, H, W>, f32, align(H = 256));
    pub type Padded4 =
        ::tensor_layout::layout!(NCHW4<N, 7, { H + RANK }, W>, i8, pad = fill::VALUE);
    pub type Strides = ::tensor_layout::layout!(NCHW<N, 1, 1, 2>, f16, strides = [-8, 1, 1, 2]);
    pub type Shared = ::tensor_layout::layout!(NCHW<N, C, H, W>, f16, broadcast(N));

    #[derive(::tensor_layout::Relayout)]
    #[relayout(Plain => Act)]
    pub struct Pack;

    #[test]
    fn the_users_names_do_not_get_in_the_way() {
        let act: [::core::primitive::f32; Act::LEN] = Pack::constant(&[1.0; Plain::LEN]);
        let mut run = [0.0; Act::LEN];
        Pack::run(&[1.0; Plain::LEN], &mut run);
        assert_eq!((act, Act::EXTENTS), (run, [2, 8, 3, 4]));
        assert_eq!(Padded4::LAYOUT.fill(), ::core::option::Option::Some(1));
        assert_eq!((Strides::SPAN, Shared::LEN), (11, 96));
    }

    /// Const parameters, too, can be called whatever the expansion might be.
    pub fn parameters<
        const LETTER: ::core::primitive::usize,
        const EXTENT: ::core::primitive::usize,
        const SIZE: ::core::primitive::usize,
        E: ::tensor_layout::Element,
    >() -> ::core::primitive::usize {
        <::tensor_layout::layout!(NCHW4<LETTER, EXTENT, SIZE, 1>, E)>::LEN
    }

    #[test]
    fn the_users_parameters_do_not_get_in_the_way() {
        assert_eq!(parameters::<2, 8, 3, ::core::primitive::f32>(), 48);
    }
}

mod derives {
    use super::*;

    type Image = layout!(NHWC<1, 3, 2, 2>, u8);
    type Packed = layout!(NCHW4<1, 3, 2, 2>, u8, pad = 9);

    #[derive(Relayout, Clone, Copy, PartialEq, Eq, Debug, Default)]
    #[relayout(Image => Packed)]
    pub struct Unit;

    #[derive(Relayout)]
    #[relayout(Image => Packed,)]
    pub(crate) struct Fields {
        _name: &'static str,
    }

    #[derive(Relayout)]
    #[relayout(crate = tensor_layout, Packed => Image)]
    pub(super) struct Tuple(#[allow(dead_code)] u8, #[allow(dead_code)] pub u8);

    #[derive(Relayout)]
    #[relayout(crate = ::tensor_layout, super::derives::Image => self::Packed)]
    enum Never {}

    #[derive(Relayout)]
    #[relayout(crate = crate::macros::derives::facade::inner, layout!(SCALAR, f16) => layout!(SCALAR, f16))]
    struct Reexported;

    pub mod facade {
        pub use tensor_layout as inner;
    }

    mod inner {
        use super::{Image, Packed};
        #[derive(tensor_layout::Relayout)]
        #[relayout(Image => Packed)]
        pub(in crate::macros::derives) struct Restricted;
    }

    #[derive(Relayout)]
    #[relayout(<Never as Relayout>::Destination => <Never as Relayout>::Source)]
    struct Projected;

    const IMAGE: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    const PACKED: [u8; 16] = [0, 1, 2, 9, 3, 4, 5, 9, 6, 7, 8, 9, 9, 10, 11, 9];
    static AT_COMPILE_TIME: [u8; Packed::LEN] = Never::constant(&IMAGE);

    #[test]
    fn every_kind_of_type_moves() {
        assert_eq!(AT_COMPILE_TIME, PACKED);
        for run in [Unit::run, Fields::run, Never::run, inner::Restricted::run] {
            let mut packed = [0; 16];
            run(&IMAGE, &mut packed);
            assert_eq!(packed, PACKED);
        }
        for run in [Tuple::run, Projected::run] {
            let mut image = [0; 12];
            run(&PACKED, &mut image);
            assert_eq!(image, IMAGE);
        }
        assert_eq!(Reexported::constant(&[tensor_layout::f16::ONE]), [tensor_layout::f16::ONE]);
        let _ = (Unit, Fields { _name: "" }, Tuple(0, 0));
    }

    #[test]
    fn a_function_can_have_its_own() {
        type Image = layout!(NCHW<1, 2, 1, 2>, i4);
        #[derive(Relayout)]
        #[relayout(Image => layout!(NHWC<1, 2, 1, 2>, i4))]
        struct Pack;
        #[derive(Relayout)]
        #[relayout(layout!(NHWC<1, 2, 1, 2>, i4) => Image)]
        struct Unpack;
        let packed = Pack::constant(&[0x21, 0x43]);
        assert_eq!(packed, [0x31, 0x42]);
        let mut back = [0; 2];
        Unpack::run(&packed, &mut back);
        assert_eq!(back, [0x21, 0x43]);
    }

    #[test]
    fn a_relayout_is_a_bound() {
        fn move_all<
            R: Relayout<Source: tensor_layout::LayoutType<Element = u8>, Destination = Packed>,
        >(
            source: &[u8],
        ) -> [u8; Packed::LEN] {
            let mut destination = [0; Packed::LEN];
            R::run_slices(source, &mut destination).unwrap();
            destination
        }
        assert_eq!(move_all::<Unit>(&IMAGE), PACKED);
    }
}
