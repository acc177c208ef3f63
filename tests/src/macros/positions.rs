use super::*;

pub type Alias = layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8);
const LEN: usize = <layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::LEN;
static ZEROS: [u8; <layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::LEN] = [0; LEN];
static NONE: [Option<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>; 2] = [None, None];

#[derive(Clone, Copy, Debug)]
struct Image(layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8));

struct Fields {
    layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8),
    tensor: Tensor<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8), [u8; LEN]>,
    array: [u8; <layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::LEN],
    function: fn(
        &layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8),
    ) -> (layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8), u8),
}

enum Either {
    Tuple(layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)),
    Struct { layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8) },
}

union Overlaid {
    layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8),
    _bytes: u64,
}

struct Defaulted<L = layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>(L);

trait Network {
    type Input: StaticLayout;
    type Both<const C: usize>: StaticLayout;
    const LEN: usize;
    fn input(&self) -> Self::Input;
}

struct Net;

impl Network for Net {
    type Input = layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8);
    type Both<const C: usize> = layout!(NHWC<N = 1, C = C, H = 4, W = 5>, u8);
    const LEN: usize = <layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::LEN;
    fn input(&self) -> layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8) {
        <layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::default()
    }
}

trait Local {
    fn name() -> &'static str;
}

impl Local for layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8) {
    fn name() -> &'static str {
        "image"
    }
}

impl From<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)> for Image {
    fn from(layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)) -> Self {
        Self(layout)
    }
}

fn parameter(
    layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8),
) -> layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8) {
    layout
}

fn bound<T>(value: T) -> layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)
where
    T: Into<Image>,
    layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8): Local + Into<T>,
    Image: From<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>,
{
    value.into().0
}

fn iterator() -> impl Iterator<Item = layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)> {
    std::iter::repeat_n(Alias::default(), 2)
}

type Object<'a> = &'a dyn Iterator<Item = layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>;

#[test]
fn a_type_stands_wherever_a_type_may_stand() {
    let layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8) = Default::default();
    let fields = Fields {
        layout,
        tensor: Tensor::<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8), _>::new([0; LEN]).unwrap(),
        array: ZEROS,
        function: |layout| (*layout, 0),
    };
    same(fields.layout, (fields.function)(&layout).0);
    same(*fields.tensor.layout_type(), NONE[1].unwrap_or_default());
    assert_eq!(fields.array.len(), LEN);
    for either in [Either::Tuple(layout), Either::Struct { layout }] {
        let (Either::Tuple(own) | Either::Struct { layout: own }) = either;
        same(own, layout);
    }
    let overlaid = Overlaid { layout };
    // SAFETY: the field that was written.
    same(unsafe { overlaid.layout }, layout);
    same(Defaulted::<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>(layout).0, layout);
    let defaulted: Defaulted = Defaulted(layout);
    same(defaulted.0, layout);
    same(Net.input(), parameter(layout));
    same(<Net as Network>::Both::<3>::default(), layout);
    assert_eq!(<Net as Network>::LEN, <<Net as Network>::Input as StaticLayout>::LAYOUT.len());
    assert_eq!(<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8) as Local>::name(), "image");
    assert_eq!(<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::name(), "image");
    same(bound(Image(layout)), layout);
    assert_eq!(iterator().count(), 2);
    let object: Object<'_> = &iterator();
    assert_eq!(object.size_hint(), (2, Some(2)));
    let closure = |layout: layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)| layout;
    same(closure(layout), layout);
    assert_eq!(size_of::<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>(), 0);
    let list = Vec::<layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, u8)>::from([layout]);
    assert_eq!(format!("{list:?}"), "[NHWC<N = 1, C = 3, H = 4, W = 5>, u8]");
}

#[test]
fn parentheses_braces_and_trailing_commas_are_a_matter_of_taste() {
    same(<layout![NHWC<N = 1, C = 3, H = 4, W = 5>, u8]>::default(), Alias::default());
    same(<layout! { NHWC<N = 1, C = 3, H = 4, W = 5>, u8, }>::default(), Alias::default());
    same(<layout!(nhwc<N = 1, C = 3, H = 4, W = 5>, u8)>::default(), Alias::default());
    same(<layout!(NHWC<W = 5, h = 4, C = 3, N = 1>, u8)>::default(), Alias::default());
    same(
        <layout!(NHWC<N = 0x1, C = 3usize, H = 4_usize, W = 0b101>, u8)>::default(),
        Alias::default(),
    );
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
    same(Literal::default(), <layout!(NCHW4<1, 3, 4, 5>, i8, pad = fill::ZERO_POINT)>::default());
    type Path = layout!(NCHW4<1, 3, 4, 5>, i8, pad = config::elements::ZERO_POINT);
    same(Literal::default(), Path::default());
    type Constant = layout!(NCHW4<1, 3, 4, 5>, f32, pad = f32::INFINITY);
    assert_eq!(Constant::LAYOUT.fill(), Some(f32::INFINITY.to_bits().into()));
    type Repeated = layout!(NCHW<8, 3, 4, 5>, f32, broadcast(N, H));
    assert_eq!(Repeated::STRIDES, Some([0, 5, 0, 1]));
}
