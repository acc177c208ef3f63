//! Tensors over views: parts that are changed at once, elements in either order, what prints, and
//! memory that the host cannot read.

use tensor_layout::tensor::{BufferIn, Space};
use tensor_layout::{Dynamic, ElementType, Layout, Tensor, i4, layout, u4, view};

type Act = layout!(NCHW4<3, 8, 2, 2>, u16);

fn numbered() -> Tensor<Act, Vec<u16>> {
    Tensor::new((0..Act::LEN as u16).collect()).unwrap()
}

#[test]
fn views_share_the_buffer() {
    const LAST: Layout = view!(Act::LAYOUT, permute("NHWC"), slice('C', 6, -2, 3));
    let mut act = numbered();
    let last = act.view::<4>(|_| Ok(LAST)).unwrap();
    assert_eq!(last.get([2, 1, 0, 1]), act.get([2, 4, 1, 0]));
    assert_eq!(last.get([2, 1, 0, 3]), None);
    let mut last = act.view_mut::<4>(|_| Ok(LAST)).unwrap();
    last[[2, 1, 0, 1]] = 999;
    assert_eq!(act[[2, 4, 1, 0]], 999);
    // A view may be moved like any tensor, and nothing else is.
    let mut copy = act.clone();
    let mut marked = copy.view_mut::<4>(|_| Ok(LAST)).unwrap();
    let ones = [7u16; 36];
    let dense = LAST.in_format("NHWC").unwrap();
    let plan = tensor_layout::Plan::new(&dense, &LAST).unwrap();
    plan.run(&ones, marked.buffer_mut()).unwrap();
    for (c, element) in copy.iter() {
        let moved = [2, 4, 6].contains(&c[1]);
        assert_eq!(element, if moved { 7 } else { act[c] }, "{c:?}");
    }
}

#[test]
fn views_of_other_buffers_and_ranks_are_refused() {
    let act = numbered();
    let error = act.view::<3>(Ok).unwrap_err();
    assert!(error.to_string().contains("N, C, H, W"), "{error}");
    let other = Layout::of("NCHW", &[1, 8, 2, 2], ElementType::U16).unwrap();
    let error = act.view::<4>(|_| Ok(other)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "buffer has length 96 but its layout takes 32; pass a buffer of length 32",
    );
    let other = Layout::of("NCHW", &[3, 8, 2, 2], ElementType::F16).unwrap();
    assert!(act.view::<4>(|_| Ok(other)).is_err());
}

#[test]
fn parts_can_be_changed_at_once() {
    let mut act = numbered();
    let before = act.clone();
    let (mut first, mut rest) = act.borrow_mut().split('N', 1).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| first[[0, 5, 1, 1]] = 1000);
        scope.spawn(|| rest[[1, 5, 1, 1]] = 2000);
    });
    for (c, element) in act.iter() {
        let expected = match c {
            [0, 5, 1, 1] => 1000,
            [2, 5, 1, 1] => 2000,
            _ => before[c],
        };
        assert_eq!(element, expected, "{c:?}");
    }
    // In a reversed tensor, the first part comes second in memory.
    let mut act = before.clone();
    let flipped = act.view_mut::<4>(|layout| layout.flip('N')).unwrap();
    let (first, rest) = flipped.split('N', 1).unwrap();
    assert_eq!((first[[0, 0, 0, 0]], rest[[1, 0, 0, 0]]), (before[[2, 0, 0, 0]], 0));
    // Nothing on either side.
    for at in [0, 3] {
        let (first, rest) = act.borrow_mut().split('N', at).unwrap();
        assert_eq!((first.iter().count(), rest.iter().count()), (at * 32, (3 - at) * 32));
    }
}

#[test]
fn chunks_cover_the_tensor() {
    // Two channels of one image are blocks of four, so images must be chosen first.
    let mut act = numbered();
    let before = act.clone();
    let image = act.view_mut::<3>(|layout| layout.index('N', 1)).unwrap();
    for (i, mut chunk) in image.chunks('C', 4).unwrap().enumerate() {
        assert_eq!(chunk.layout().extents(), [4, 2, 2]);
        assert_eq!(chunk.get([1, 1, 1]), before.get([1, 4 * i + 1, 1, 1]));
        chunk[[1, 1, 1]] = 500 + i as u16;
    }
    assert_eq!((act[[1, 1, 1, 1]], act[[1, 5, 1, 1]]), (500, 501));
    let sizes = |size| -> Vec<usize> {
        let mut act = numbered();
        let chunks = act.borrow_mut().chunks('0', size).unwrap();
        let count = chunks.len();
        let extents: Vec<usize> = chunks.map(|chunk| chunk.layout().extents()[0]).collect();
        assert_eq!(count, extents.len());
        extents
    };
    assert_eq!(
        [sizes(1), sizes(2), sizes(3), sizes(9)],
        [vec![1; 3], vec![2, 1], vec![3], vec![3]]
    );
    // So many chunks that splitting all at once would take minutes.
    let none = Layout::of("NC", &[1 << 40, 0], ElementType::U16).unwrap();
    let mut none = Tensor::with_layout(Dynamic::<u16, 2>::new(none).unwrap(), vec![]).unwrap();
    let mut chunks = none.borrow_mut().chunks('N', 1).unwrap();
    assert_eq!(chunks.by_ref().take(9).count(), 9);
    assert_eq!(chunks.len(), (1 << 40) - 9);
    let long = Layout::of("N", &[1 << 26], ElementType::U4).unwrap();
    let mut long =
        Tensor::with_layout(Dynamic::<u4, 1>::new(long).unwrap(), vec![0u8; 1 << 25]).unwrap();
    assert_eq!(long.borrow_mut().chunks('N', 2).unwrap().take(9).count(), 9);
    assert!(long.borrow_mut().chunks('N', 3).is_err());
    let mut act = numbered();
    let mut error = |axis, size| {
        let view = act.borrow_mut();
        view.chunks(axis, size).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(error('N', 0), "chunks of axis `N` have 0 coordinates; write at least 1");
    assert_eq!(
        error('C', 2),
        "parts of axis `C` interleave in memory, so two slices cannot hold them; split the slowest axis, or move the tensor to another format first",
    );
    assert!(error('X', 2).starts_with("layout has no axis `X`"));
}

#[test]
fn nibbles_of_one_byte_stay_together() {
    type Nibbles = layout!(MK<2, 6>, i4);
    let mut nibbles = Tensor::<Nibbles, _>::new([0x10u8, 0x32, 0x54, 0x76, 0x98, 0xba]).unwrap();
    let row = |nibbles: &mut Tensor<Nibbles, [u8; 6]>, at| {
        let row = nibbles.view_mut::<1>(|layout| layout.index('M', 1)).unwrap();
        row.split('K', at).map(|(low, high)| (low.get([at - 1]), high.get([0])))
    };
    assert_eq!(row(&mut nibbles, 2).unwrap(), (i4::new(7), i4::new(-8)));
    assert!(
        row(&mut nibbles, 3).unwrap_err().to_string().starts_with("parts of axis `K` interleave")
    );
}

#[test]
fn elements_come_in_either_order() {
    let act = numbered();
    let logical: Vec<_> = act.iter().collect();
    assert!(logical.is_sorted_by_key(|(c, _)| *c) && logical.len() == Act::LAYOUT.numel());
    assert!(act.iter_in_memory().map(|(_, element)| element).eq(0..Act::LEN as u16));
    assert!(logical.iter().all(|&(c, element)| act[c] == element));
    // A clone goes on from where the iterator is.
    let (mut some, mut in_memory) = (act.iter(), act.iter_in_memory());
    for _ in 0..5 {
        assert!(some.next().is_some() && in_memory.next().is_some());
    }
    assert_eq!((some.len(), in_memory.len()), (act.buffer().len() - 5, act.buffer().len() - 5));
    assert!(some.clone().eq(logical[5..].iter().copied()) && some.eq(act.iter().skip(5)));
    assert!(in_memory.clone().eq(act.iter_in_memory().skip(5)));
    let reversed = act.view::<2>(|layout| layout.index('N', 0)?.index('H', 1)?.flip('W')).unwrap();
    assert_eq!(reversed.iter().len(), 16);
    let memory: Vec<u16> = reversed.iter_in_memory().map(|(_, element)| element).collect();
    assert!(memory.is_sorted() && memory.len() == 16);
    let none = act.view::<4>(|layout| layout.slice('H', 2, 1, 0)).unwrap();
    assert_eq!((none.iter().next(), none.iter_in_memory().next()), (None, None));
}

#[test]
fn elements_are_changed_where_they_are() {
    let mut act = numbered();
    let before = act.clone();
    let mut some = act.view_mut::<3>(|all| all.index('N', 1)?.slice('C', 6, -2, 3)).unwrap();
    let mut seen = Vec::new();
    some.for_each_mut(|c, element| {
        seen.push(c);
        *element += 1000;
    })
    .unwrap();
    assert!(seen.is_sorted() && seen.len() == 12);
    for (c, element) in act.iter() {
        let changed = c[0] == 1 && [2, 4, 6].contains(&c[1]);
        assert_eq!(element, before[c] + if changed { 1000 } else { 0 }, "{c:?}");
    }
    // Those that lie in the same byte stay as they are.
    let mut nibbles = Tensor::<layout!(MK<2, 4>, i4), _>::new([0x21u8, 0x43, 0x65, 0x07]).unwrap();
    let mut odd = nibbles.view_mut::<2>(|layout| layout.slice('K', 1, 2, 2)).unwrap();
    odd.for_each_mut(|_, element| *element = i4::new(-1).unwrap()).unwrap();
    assert_eq!(nibbles.buffer(), [0xf1, 0xf3, 0xf5, 0xf7]);
    let mut none = act.view_mut::<4>(|layout| layout.slice('H', 2, 1, 0)).unwrap();
    none.for_each_mut(|_, _| panic!()).unwrap();
    // Groups that share elements, and a part of one that does not.
    let groups = |layout: Layout| {
        let rows = layout.merge("NCHW", 'X')?.slice('X', 0, 1, 4)?.unsqueeze('G', 1)?;
        rows.broadcast('G', 3)?.merge("XG", 'X')
    };
    let mut shared = act.view_mut::<1>(groups).unwrap();
    let error = shared.for_each_mut(|_, _| panic!()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "coordinates along axis `X` share elements, so each would change more than once; index the axis, or change the elements before `broadcast` or `windows`",
    );
    let mut two = act.view_mut::<1>(|layout| groups(layout)?.slice('X', 2, 1, 2)).unwrap();
    two.for_each_mut(|_, element| *element = 777).unwrap();
    assert_eq!(act.iter().filter(|(_, element)| *element == 777).count(), 2);
}

#[test]
fn what_is_empty_has_nothing_to_index() {
    let act = numbered();
    let none = act.view::<4>(|layout| layout.slice('H', 2, 1, 0)).unwrap();
    let layout = none.layout();
    assert_eq!(
        layout.checked_offset(&[0; 4]).unwrap_err().to_string(),
        "coordinate 0 is out of bounds for axis `H` of extent 0, in coordinates [n, c, h, w]; index only tensors whose `numel()` is not 0",
    );
    assert_eq!(
        layout.slice('H', 0, 1, 1).unwrap_err().to_string(),
        "slice of 1 coordinate from 0 in steps of 1 is out of bounds for axis `H` of extent 0; take 0 coordinates from 0",
    );
}

/// An empty swizzled tensor can be split, although its start lies at no period of the swizzle.
#[test]
fn empty_swizzled_tensors_are_cut() {
    let layout = Layout::parse("MK<1, 3>, f32, swizzle(1, 1, -2)").unwrap();
    let none = layout.slice('M', 0, 1, 0).unwrap();
    let mut buffer = vec![1.0f32; none.len()];
    let none = Tensor::with_layout(Dynamic::<f32, 2>::new(none).unwrap(), &mut buffer[..]).unwrap();
    let chunks: Vec<_> = none.chunks('K', 1).unwrap().collect();
    assert!(chunks.len() == 3 && chunks.iter().all(|chunk| chunk.layout().numel() == 0));
}

#[test]
fn tensors_print_by_their_axes() {
    let act = numbered();
    let image = act.view::<3>(|layout| layout.index('N', 0)?.slice('C', 3, 1, 2)).unwrap();
    assert_eq!(image.to_string(), "[[[3, 7],\n  [11, 15]],\n\n [[16, 20],\n  [24, 28]]]");
    assert_eq!(
        format!("{image:?}"),
        "CHW<2, 2, 2>, u16, strides = [13, 8, 4], from 3 of 96\n\
         [[[3, 7],\n  [11, 15]],\n\n [[16, 20],\n  [24, 28]]]",
    );
    let one = act.view::<0>(|layout| layout.reshape(&[('A', 96)])?.index('A', 5)).unwrap();
    assert_eq!(one.to_string(), act[[0, 1, 0, 1]].to_string());
    let none =
        act.view::<2>(|layout| layout.merge("NCHW", 'A')?.slice('A', 0, 1, 0)?.unsqueeze('B', 0));
    assert_eq!(none.unwrap().to_string(), "[]");
    type Nibbles = layout!(MK<2, 2>, i4);
    let nibbles = Tensor::<Nibbles, _>::new([0xf7u8, 0x80]).unwrap();
    assert_eq!(nibbles.to_string(), "[[7, -1],\n [0, -8]]");
    // An extent of 0 empties the tensor, whatever the other extents are.
    type Long = layout!(NHWC<N = _, C = _, H = _, W = 0x4000>, u8);
    let long = Tensor::with_layout(
        Long::with_extents([('N', 0x4000_0000), ('H', 7), ('C', 0)]).unwrap(),
        [],
    )
    .unwrap();
    assert_eq!(format!("{long}{long:?}").matches("[]").count(), 2);
    type Wide = layout!(MK<2, 1000>, f32);
    let wide = Tensor::<Wide, _>::new(vec![0.5f32; Wide::LEN]).unwrap();
    assert_eq!(
        format!("{wide:.1}"),
        "[[0.5, 0.5, 0.5, ..., 0.5, 0.5, 0.5],\n [0.5, 0.5, 0.5, ..., 0.5, 0.5, 0.5]]",
    );
    let short = wide.view::<1>(|layout| layout.index('M', 1)).unwrap();
    assert_eq!(short.to_string().matches("0.5").count(), 1000);
}

struct Gpu;
impl Space for Gpu {}

struct DeviceBuffer(usize);
impl BufferIn<Gpu> for DeviceBuffer {
    fn bytes(&self) -> usize {
        self.0
    }
}

#[test]
fn device_buffers_have_layouts_and_views() {
    let error = Tensor::<Act, _, Gpu>::in_space(Act::default(), DeviceBuffer(96)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "buffer has 96 bytes but its layout takes 192; pass exactly 192 bytes",
    );
    let act = Tensor::<Act, _, Gpu>::in_space(Act::default(), DeviceBuffer(192)).unwrap();
    let view: Tensor<Dynamic<u16, 3>, DeviceBuffer, Gpu> =
        act.into_view(|layout| layout.index('N', 2)).unwrap();
    assert_eq!((view.layout().offset(&[0, 0, 0]), view.handle().0), (64, 192));
}

/// A buffer that is shorter at each borrow.
struct Shrinking(std::cell::Cell<usize>, [u8; 9]);

impl AsRef<[u8]> for Shrinking {
    fn as_ref(&self) -> &[u8] {
        &self.1[..self.0.replace(self.0.get() - 1)]
    }
}

#[test]
#[should_panic = "buffer has length 5 but its layout takes 6"]
fn elements_of_a_buffer_that_shrinks_do_not_end_in_silence() {
    let buffer = Shrinking(std::cell::Cell::new(6), [0; 9]);
    let tensor = Tensor::<layout!(HW<2, 3>, u8), _>::new(buffer).unwrap();
    assert_eq!(tensor.iter().count(), 6);
}
