//! Memory layouts of tensors as types: checked when the program compiles, indexed by plain
//! arithmetic, moved by vector kernels.
//!
//! A neural network's data lies in memory in some *format*: NCHW, NHWC, NCHW4, OIHW4i16o4i,
//! padded, aligned. Code that gets the index arithmetic wrong still runs and scrambles its result.
//! Here the layout is part of the type, so the compiler does that arithmetic, and finds the
//! mistakes.
//!
//! # A first layout
//!
//! ```
//! use tensor_layout::{f16, layout};
//!
//! // 2 images of 64 channels, 3 x 3 pixels; channels lie in blocks of 4.
//! type Act = layout!(NCHW4<2, 64, 3, 3>, f16);
//!
//! const _: () = assert!(Act::LEN == 1152 && Act::BYTES == 2304);
//! // [n, c, h, w], whatever the format: PyTorch's order.
//! const AT: usize = Act::offset([1, 5, 2, 0]);
//! assert_eq!(AT, 576 + 36 + 24 + 1);
//! assert_eq!(Act::coordinate(AT), Some([1, 5, 2, 0]));
//! ```
//!
//! `layout!` stands wherever a type may stand. What it expands to has no size and no code of its
//! own: [`offset`](Static::offset) compiles to the expression that one writes by hand.
//! [`Static`] lists all that a layout knows: [`STRIDES`](Static::STRIDES), [`SPAN`](Static::SPAN),
//! [`IS_UNIQUE`](Static::IS_UNIQUE), [`coordinates`](Static::coordinates) and more.
//!
//! # A mistake
//!
//! A layout that cannot be does not compile, and the error stands on the guilty token:
//!
//! ```compile_fail
//! type Act = tensor_layout::layout!(NCHW4<2, 63, 3, 3>, tensor_layout::f16);
//! ```
//!
//! ```text
//! error: axis `C` has extent 63, which is not a multiple of its block 4; write 60 or 64, or add
//!        the option `pad` to store the rest of the last block as padding
//!   |
//! 1 | type Act = layout!(NCHW4<2, 63, 3, 3>, f16);
//!   |                             ^^
//! ```
//!
//! The same format, extents, element and options are the same type, so handing an NHWC tensor to a
//! function that takes NCHW4 is a type error.
//!
//! # A tensor
//!
//! A [`Tensor`] is a buffer, be it an array, a slice or a `Vec`, with a layout:
//!
//! ```
//! use tensor_layout::{Tensor, layout};
//!
//! type Image = layout!(NHWC<1, 3, 4, 4>, u8);
//!
//! let mut image = Tensor::<Image, _>::new([0; Image::LEN])?;
//! image[[0, 2, 1, 0]] = 255;
//! assert_eq!(image.get([0, 2, 1, 0]), Some(255));
//! assert_eq!(image.get([0, 3, 1, 0]), None); // there are 3 channels
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! # A relayout
//!
//! [`#[derive(Relayout)]`](derive@Relayout) names two layouts and gives functions that move a
//! tensor from one to the other. Lengths are part of the types, so nothing is left that could
//! fail:
//!
//! ```
//! use tensor_layout::{Relayout, layout};
//!
//! type Image = layout!(NHWC<1, 3, 4, 4>, u8);
//! // 3 channels in blocks of 4: the fourth is padding and holds 128.
//! type Packed = layout!(NCHW4<1, 3, 4, 4>, u8, pad = 128);
//!
//! #[derive(Relayout)]
//! #[relayout(Image => Packed)]
//! struct Pack;
//!
//! #[derive(Relayout)]
//! #[relayout(Packed => Image)]
//! struct Unpack;
//!
//! let image: [u8; Image::LEN] = core::array::from_fn(|i| i as u8);
//! let mut packed = [0; Packed::LEN];
//! Pack::run(&image, &mut packed);
//! assert_eq!(packed[..8], [0, 1, 2, 128, 3, 4, 5, 128]);
//!
//! // The true extents are part of the layout: the way back drops the padding by itself.
//! let mut back = [0; Image::LEN];
//! Unpack::run(&packed, &mut back);
//! assert_eq!(back, image);
//!
//! // The same while the program compiles, for tables in read-only memory.
//! static TABLE: [u8; Packed::LEN] = Pack::constant(&[7; Image::LEN]);
//! assert_eq!(TABLE[..4], [7, 7, 7, 128]);
//! ```
//!
//! For layouts that are known only at run time there is [`relayout()`], with a [`Plan`] between
//! two [`Layout`] values. A plan prints what it will do:
//!
//! ```
//! use tensor_layout::{Relayout, layout};
//!
//! #[derive(Relayout)]
//! #[relayout(layout!(NCHW<1, 64, 56, 56>, i8) => layout!(NHWC<1, 64, 56, 56>, i8))]
//! struct ToLast;
//!
//! assert_eq!(
//!     ToLast::PLAN.to_string(),
//!     "NCHW<1, 64, 56, 56>, i8 -> NHWC<1, 64, 56, 56>, i8: 200704 bytes\n  \
//!      transpose 64 rows by 3136 columns of 1 bytes",
//! );
//! ```
//!
//! With feature `rayon`, `par_relayout` does the same on several threads, above 8 MiB.
//!
//! # A conversion
//!
//! Where the two sides have different elements, a [`Conversion`] says what happens to them on the
//! way: [`cast`](Conversion::cast), [`quantize`](Conversion::quantize),
//! [`dequantize`](Conversion::dequantize) or [`normalize`](Conversion::normalize), for the whole
//! tensor or with parameters for each coordinate of an axis.
//!
//! ```
//! use tensor_layout::{Conversion, Relayout, layout};
//!
//! type Camera = layout!(NHWC<1, 3, 2, 2>, u8);
//! type Input = layout!(NCHW<1, 3, 2, 2>, f32);
//!
//! const MEANS: [f32; 3] = [100.0, 110.0, 120.0];
//! const SCALES: [f32; 3] = [0.5, 0.25, 0.125];
//!
//! #[derive(Relayout)]
//! #[relayout(Camera => Input, convert = Conversion::normalize_per_axis('C', &MEANS, &SCALES))]
//! struct Prepare;
//!
//! let frame = [104, 110, 120, 100, 118, 120, 100, 110, 128, 98, 110, 120];
//! let mut input = [0.0; Input::LEN];
//! Prepare::run(&frame, &mut input);
//! assert_eq!(input, [2.0, 0.0, 0.0, -1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
//! ```
//!
//! Scales that are read from a file, or layouts that are, go into a [`ConversionPlan`], which
//! [`convert()`] runs.
//!
//! # Run time
//!
//! An extent written `_` is found at run time: the type is then a [`Mixed`], whose value stores
//! that extent and nothing else. All that does not depend on it is checked by the compiler, and
//! strides that do not are literals:
//!
//! ```
//! use tensor_layout::{Tensor, layout};
//!
//! type Batch = layout!(NHWC<_, 3, 4, 4>, u8);
//!
//! let batch = Batch::new([2])?; // checks the extent
//! assert_eq!(batch.offset([1, 2, 3, 0]), 48 + 3 * 12 + 2);
//! let mut images = Tensor::with_layout(batch, vec![0; 96])?;
//! images[[1, 2, 3, 0]] = 255;
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! The types only carry a value, [`Layout`], and run-time code can make one from a format's name:
//!
//! ```
//! use tensor_layout::{ElementType, Format, Layout, Plan, relayout};
//!
//! let (height, width) = (2, 3); // out of a file
//! let image = Layout::of(&Format::parse("NHWC")?, &[1, 2, height, width], ElementType::U8)?;
//! let planes = Layout::of(&Format::parse("NCHW")?, &[1, 2, height, width], ElementType::U8)?;
//! assert_eq!(image.to_string(), "NHWC<1, 2, 2, 3>, u8");
//!
//! let mut moved = [0u8; 12];
//! relayout(&Plan::new(&image, &planes)?, &[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1u8], &mut moved)?;
//! assert_eq!(moved, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
//!
//! // The rules and their messages are the same ones.
//! let error = Layout::of(&Format::parse("NCHW4")?, &[1, 63, 3, 3], ElementType::U8).unwrap_err();
//! assert!(error.to_string().starts_with("axis `C` has extent 63, which is not a multiple of"));
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! Options are at run time those of [`Layout::builder`], which names axes too where a format's letters
//! have no order of their own.
//!
//! A tensor has such a layout as a [`Dynamic`], a type that knows the elements and the rank.
//! `from` turns layouts of all other types into a `Dynamic`; `try_from` turns a [`Layout`] into a
//! layout of any type, or says why it is none:
//!
//! ```
//! use tensor_layout::{Dynamic, ElementType, Format, Layout, Tensor};
//!
//! let format: Format = "nChw4c".parse()?;
//! let layout = Layout::of(&format, &[1, 8, 1, 2], ElementType::F32)?;
//! let mut tensor = Tensor::with_layout(Dynamic::<f32, 4>::try_from(layout)?, [0.0; 16])?;
//! tensor[[0, 5, 0, 1]] = 1.0;
//! assert_eq!(tensor.buffer()[8 + 4 + 1], 1.0);
//!
//! type Act = tensor_layout::layout!(NCHW4<_, 8, _, _>, f32);
//! assert_eq!(Act::try_from(layout), Act::new([1, 1, 2]));
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! Tensors of any two layouts are moved into one another with
//! [`relayout_into`](Tensor::relayout_into).
//!
//! # Views
//!
//! What changes only axes, extents and strides moves no data: a view is a [`Layout`] again, over the
//! same buffer. Axes are named by their letters, or by their positions as digits, and blocked
//! layouts have views too. In constants [`view!`] strings operations together, and a wrong one does
//! not compile; at run time each gives the same error as a value.
//!
//! ```
//! use tensor_layout::{Layout, Tensor, layout, view};
//!
//! // Tokens by heads, as a projection leaves them.
//! type Tokens = layout!(BSHD<B = 2, S = 5, H = 4, D = 8>, f32);
//! const HEADS: Layout = view!(Tokens::LAYOUT, permute("BHSD"), slice('H', 1, 1, 2));
//! const _: () = assert!(matches!(HEADS.extents(), [2, 2, 5, 8]));
//!
//! let buffer: Vec<f32> = (0..Tokens::LEN).map(|i| i as f32).collect();
//! let tokens = Tensor::<Tokens, _>::new(buffer)?;
//! let heads = tokens.view::<4>(|_| Ok(HEADS))?;
//! assert_eq!(heads[[1, 0, 4, 7]], tokens[[1, 4, 1, 7]]);
//!
//! let row = heads.view::<1>(|layout| layout.index('B', 0)?.index('H', 1)?.index('S', 2))?;
//! assert_eq!(row.to_string(), "[80, 81, 82, 83, 84, 85, 86, 87]");
//! let error = heads.view::<4>(|layout| layout.slice('S', 3, 1, 4)).unwrap_err();
//! assert!(error.to_string().starts_with("slice of 4 coordinates from 3 in steps of 1 is out of"));
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! An [`offset`](Layout::offset) in a constant view compiles to the arithmetic that is left. A tensor
//! over a view carries the view as a value, so that indexing it goes through its axes and blocks, at
//! about 12 ns an element: where that counts, index the buffer, as in
//! `tokens.buffer()[HEADS.offset(&[1, 0, 4, 7])]`.
//!
//! [`iter`](Tensor::iter) goes through all elements with their coordinates, the last axis fastest;
//! [`iter_in_memory`](Tensor::iter_in_memory) through the same from the first address to the last;
//! [`for_each_mut`](Tensor::for_each_mut) changes them.
//!
//! A relayout goes from and to any view, and writes nothing but its elements. [`Layout::matches`]
//! says whether the elements lie as a format places them: of NHWC, it is what PyTorch answers to
//! `is_contiguous(memory_format=torch.channels_last)`. An axis of extent 1 has no say in that, so a
//! layout may match several formats: [`Layout::formats`] lists them. [`Layout::contiguous`] is what
//! the same axes look like in a format of their own. [`Layout::from_strides`] takes what other
//! libraries have.
//!
//! [`Layout::compose`], [`Layout::complement`] and [`Layout::divide`] are those of CuTe, where a tile
//! that does not divide is an error:
//!
//! ```
//! use tensor_layout::{ElementType, Format, Layout};
//!
//! // A tile of every third of 24 elements, and where each of the six tiles begins.
//! let row = Layout::of(&Format::parse("M")?, &[24], ElementType::F32)?;
//! let thirds = Layout::from_strides("T", &[4], &[3], ElementType::F32)?;
//! let tiles = row.divide(&thirds, 'R')?;
//! assert_eq!((tiles.extents(), tiles.offset(&[1, 4])), (&[4, 6][..], 3 + 13));
//!
//! let fifths = Layout::from_strides("T", &[4], &[5], ElementType::F32)?;
//! let error = row.divide(&fifths, 'R').unwrap_err();
//! assert!(error.to_string().starts_with("tile takes 20 elements, which do not divide"));
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! Parts of a tensor that have no element in common can be changed at once:
//!
//! ```
//! use tensor_layout::{Tensor, layout};
//!
//! type Batch = layout!(NHWC<4, 3, 2, 2>, f32);
//!
//! let mut batch = Tensor::<Batch, _>::new([0.0; Batch::LEN])?;
//! let (mut first, rest) = batch.view_mut::<4>(Ok)?.split('N', 1)?;
//! first[[0, 2, 0, 0]] = 1.0;
//! let images = rest.chunks('N', 1)?;
//! std::thread::scope(|scope| {
//!     for mut image in images {
//!         scope.spawn(move || image[[0, 2, 0, 0]] = 2.0);
//!     }
//! });
//! assert_eq!((batch[[0, 2, 0, 0]], batch[[3, 2, 0, 0]]), (1.0, 2.0));
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! # Memory spaces
//!
//! Where a buffer lies is a type as well, and one of your own takes a few lines. Such a tensor has a
//! layout and views; what reads elements is for the host's alone:
//!
//! ```
//! use tensor_layout::tensor::{BufferIn, Space};
//! use tensor_layout::{Tensor, layout};
//!
//! struct Gpu;
//! impl Space for Gpu {}
//!
//! /// What the driver gives.
//! struct DeviceBuffer { address: u64, bytes: usize }
//! impl BufferIn<Gpu> for DeviceBuffer {
//!     fn bytes(&self) -> usize { self.bytes }
//! }
//!
//! type Image = layout!(NCHW<1, 3, 4, 4>, f32);
//! let buffer = DeviceBuffer { address: 4096, bytes: 192 };
//! let image = Tensor::<Image, _, Gpu>::in_space(Image::default(), buffer)?;
//! let green = image.into_view::<3>(|layout| layout.index('C', 1))?;
//! assert_eq!(green.handle().address, 4096); // `green.get([0, 0, 0])` does not compile
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! # Memory and files of others
//!
//! [`from_bytes`](Tensor::from_bytes) makes a tensor of bytes, if they are aligned and as many as the
//! layout takes. Module `adapters` goes on from there, with a feature for each of these:
//!
//! | feature | what it does |
//! |---|---|
//! | `ndarray` | tensors as arrays of ndarray and back, without a copy |
//! | `dlpack` | tensors over DLPack, to and from deep-learning frameworks, without a copy |
//! | `npy` | reads and writes NumPy's .npy files |
//! | `safetensors` | reads and writes .safetensors files |
//!
//! Element type and shape are checked against the layout; what does not fit is an error that names
//! both.
//!
//! # Notation
//!
//! `layout!(FORMAT<EXTENTS>, ELEMENT, OPTIONS)`
//!
//! **FORMAT** lists the memory order, slowest first. A letter with no number before it is an axis;
//! a number with a letter is a block, so many consecutive positions of that axis: `NCHW4c`,
//! `OIHW4i16o4i`. An axis may have several blocks, the outer before the inner. Case says nothing,
//! so oneDNN's `aBcd16b` and `nChw16c` and TVM's `NCHW4c` mean what they mean there. Axes are their
//! letters, though: a relayout is between `abcd` and `aBcd16b`, or `NCHW` and `nChw16c`, not across.
//! [`NAMED_FORMATS`](spec::NAMED_FORMATS) lists names such as `NCHW4` and `CHWN4`;
//! [`named_format!`] adds one. `SCALAR` is the format of rank 0.
//!
//! **EXTENTS** are in *coordinate order*, whatever the format: N C D H W for activations (with G
//! before C where channels come in groups), G O I D H W for filters, M K N for matrices, a b c d
//! ... for oneDNN's letters. Other letters need names, `BSHD<B = 8, H = 12, S = 128, D = 64>`, and
//! the order of the names is the coordinate order. Names are welcome everywhere, and worth writing
//! where a format has a few letters of a family in another order: `NK<128, 64>` has K = 128. An extent is a
//! literal, a const parameter, a const, `{ a const expression }`, or `_` if it is found at run time.
//!
//! **ELEMENT** is one of i8 to i64, u8 to u64, f16, bf16, f32, f64, f8e4m3, f8e5m2, i4, u4 (two
//! per byte, the even offset in the low half), with no import needed, or a type of your own that
//! implements [`PlainElement`].
//!
//! **OPTIONS**, each at most once:
//!
//! | option | meaning |
//! |---|---|
//! | `pad` | an axis may end inside a block; the rest of the block is stored and holds 0. Rows of 4-bit elements are rounded up to whole bytes |
//! | `pad = VALUE` | the same, and padding holds the value: a literal, or a const of the element type |
//! | `align(AXIS = BYTES)` | what is faster than the axis is rounded up, so that the axis' stride is a multiple of so many bytes; several axes with commas |
//! | `strides = [..]` | one stride in elements for each axis, in coordinate order, in place of the memory order; may be negative |
//! | `broadcast(AXIS)` | the axis takes no memory: all its coordinates share one element |
//! | `lanes(AXIS, LANES, start = LANE)` | the axis is dealt over the lanes of an accelerator, from lane 0 or the start lane on; with it `align(lanes = BYTES)` rounds up what lies in each lane |
//! | `CHIP::STORAGE(..)` | a [storage](chip::STORAGES) of a [chip](chip::CHIPS) in place of the memory order: `bm1684x::aligned(start = 2)`, also `compact`, `line_aligned`, `continuous` (global memory), `matrix(w = 20)` and `vector(w = 20)` in pieces of w elements, and `ic` for convolution kernels |
//!
//! # Accelerator memory
//!
//! The local memory of an accelerator is cut into lanes, one for each processing unit. Such a
//! layout knows where each element lies, and its buffer on the host is an array of lanes:
//!
//! ```
//! use tensor_layout::chip::Chip;
//! use tensor_layout::layout;
//!
//! // Channels are dealt over 64 lanes, from lane 62 on; each lane's part begins at 64 bytes.
//! type Act = layout!(NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 62));
//!
//! let place = Act::LAYOUT.place(&[1, 2, 0, 3])?;
//! assert_eq!((place.lane, place.byte), (0, (64 + 32 + 3) * 2)); // around, so in the second row
//! assert_eq!(Act::LAYOUT.lane_strides().map(|all| [all[0], all[1]]), Some([64, 32]));
//! assert_eq!(Act::LAYOUT.lane_bytes(), 256);
//!
//! // A chip of one's own works the same.
//! const MINE: Chip = Chip {
//!     name: "mine", lanes: 16, lane_bytes: 64 << 10, banks: 8, alignment: 32, kernel_bytes: 32,
//! };
//! type Weights = layout!(OIHW<64, 3, 7, 7>, i8, MINE::ic);
//! assert_eq!(Weights::LAYOUT.rows(), 4);
//! # Ok::<(), tensor_layout::LayoutError>(())
//! ```
//!
//! The [table of storages](chip::STORAGES) says what each is for and which strides it has;
//! [`Layout::lane_tensor`] gives them in four dimensions, as instructions take them.
//!
//! [`place!`] gives tensors their addresses in that memory, each checked when the program compiles,
//! and [`chip::Transfer`] lists the DMA descriptors that move one between global memory and the
//! lanes. `examples/tpu_local.rs` does both for a convolution.
//!
//! # Generic code
//!
//! Extents can be const parameters. A wrong one is found when the function is instantiated, with
//! the same message; as a bound, [`MultipleOf`](typed::MultipleOf), it is found at the call:
//!
//! ```
//! use tensor_layout::layout;
//! use tensor_layout::typed::{Extent, MultipleOf};
//!
//! fn blocks<const C: usize, const HW: usize>() -> usize
//! where
//!     Extent<'C', C>: MultipleOf<4>,
//! {
//!     <layout!(NCHW4<1, C, HW, HW>, i8)>::LEN / (4 * HW * HW)
//! }
//!
//! assert_eq!(blocks::<64, 56>(), 16);
//! ```
//!
//! # Weights in the program
//!
//! With feature `include`, `include_tensor!` reads an array out of a .npy, .safetensors or raw file
//! while the program compiles, packs it into any layout, quantizes it if asked, and leaves it in
//! read-only memory.
//!
//! # Where it runs
//!
//! The crate is `no_std`, and without the features `dlpack`, `npy`, `rayon` and `safetensors` it never
//! allocates. With feature `std`, relayouts ask the CPU which vector instructions it has (SSE2, AVX2,
//! AVX-512 on x86-64); without it they use those that the program is compiled for, NEON on aarch64 and
//! simd128 on wasm32 among them. Where there are no vectors, as on Cortex-M and RISC-V, bytes are moved
//! as whole machine words. Debug assertions check coordinates in [`offset`](Static::offset); release
//! builds do not.
//!
//! What firmware needs is written by `#[derive(Relayout)]`. Where its [`Plan`] prints as kernels, a
//! relayout takes less than 512 bytes of stack, no float unit and no panic handler; so does
//! `run_in_place`. A plan that prints `element by element, or in more than four boxes` is taken apart as
//! it runs, and one that is made at run time when it is made: both take more stack and may bring a panic
//! handler.
//! A conversion from or to floats works in floats, which a Cortex-M0 and a RISC-V without them do in
//! software; any looks into slices by index, which may bring a panic handler too, and takes some 10 KiB
//! of stack ([`convert`]).
#![no_std]

#[cfg(feature = "std")]
extern crate std;

#[cfg(any(feature = "dlpack", feature = "ndarray", feature = "npy", feature = "safetensors"))]
pub mod adapters;

/// Functions that move a tensor from one static layout to another.
///
/// ```
/// use tensor_layout::{Relayout, layout};
///
/// #[derive(Relayout)]
/// #[relayout(layout!(NCHW<1, 8, 2, 2>, i8) => layout!(NCHW4<1, 8, 2, 2>, i8))]
/// struct Pack;
///
/// let source: [i8; 32] = core::array::from_fn(|i| i as i8);
/// let mut destination = [0; 32];
/// Pack::run(&source, &mut destination);
/// assert_eq!(destination[..4], [0, 4, 8, 12]);
/// ```
///
/// On a type without generic parameters, with `#[relayout(Source => Destination)]` beside it, the
/// derive writes
///
/// - `fn run(source: &[Unit; _], destination: &mut [Unit; _])`, which moves the tensor. It cannot
///   fail and does not allocate;
/// - `fn run_in_place(buffer: &mut [Unit; _])`, which moves the tensor in the buffer that it lies in,
///   with room for one more element; a pair that does not just permute elements, for one side is
///   padded, is a compile error where this is called. See [`relayout_in_place`];
/// - `const fn constant(source: &[Unit; _]) -> [Unit; _]`, which does so while the program
///   compiles, for up to about 1.9 million elements where rows of many elements stay together,
///   180,000 where rows of four do, and 230,000 and 100,000 elements of 4 bits. At 3 to 20
///   microseconds an element it is for small tables; `include_tensor!` packs large ones;
/// - `const PLAN: Plan`, how the tensor is moved;
/// - an implementation of the trait [`Relayout`](trait@Relayout), with a function over slices.
///
/// Units are elements, or bytes for 4-bit elements. Both sides must have the same axes, extents
/// and element type: anything else is a compile error. Padding of the destination is filled as
/// its layout declares.
///
/// `#[relayout(Source => Destination, convert = CONVERSION)]` is for element types that differ: a
/// constant [`Conversion`] says what happens to the elements. The same is derived but `constant`,
/// with a [`ConversionPlan`] as `PLAN`.
///
/// Where the dependency on `tensor-layout` has another name, name it first:
/// `#[relayout(crate = other_name, Source => Destination)]`.
pub use layout_macros::Relayout;
#[cfg(feature = "rayon")]
pub use layout_types::par_relayout;
pub use layout_types::{
    Conversion, ConversionPlan, Coordinates, Digit, Dynamic, Element, ElementType, Format, Formats,
    LaneImage, LanePlace, LaneTensor, Layout, LayoutBuilder, LayoutError, LayoutType, Mixed,
    Number, PlainElement, Plan, Relayout, Rounding, Static, StaticLayout, Tensor, UnitOf, bf16,
    chip, convert, f8e4m3, f8e5m2, f16, i4, relayout, relayout_in_place, spec, tensor, typed, u4,
};

/// A layout as a type: `layout!(FORMAT<EXTENTS>, ELEMENT, OPTIONS)`.
///
/// The [notation](crate#notation) is on the front page. Everything that is wrong with a layout is
/// reported at once, each error on its token.
///
/// ```
/// use tensor_layout::layout;
///
/// type Last = layout!(NHWC<1, 64, 5, 4>, f32);
/// assert_eq!(Last::STRIDES, Some([1280, 1, 256, 64]));
///
/// type Weights = layout!(OIHW4i16o4i<64, 64, 3, 3>, i8);
/// assert_eq!(Weights::offset([1, 5, 0, 0]), 64 + 4 + 1);
///
/// type Heads = layout!(BSHD<B = 8, H = 12, S = 128, D = 64>, f32);
/// assert_eq!(Heads::EXTENTS, [8, 12, 128, 64]);
/// ```
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => { $crate::__private::layout! { [$crate] $($tokens)* } };
}

/// A format with a name of one's own.
///
/// ```
/// use tensor_layout::{layout, named_format};
///
/// named_format!(TILED = NCHW4h4w4c);
///
/// type Act = layout!(TILED!<1, 64, 8, 8>, i8);
/// assert_eq!(Act::offset([0, 5, 6, 7]), 256 + 128 + 64 + 2 * 16 + 3 * 4 + 1);
/// ```
///
/// What it makes is a macro, visible as macros are: below its line, and in other modules and
/// crates with `pub(crate) use TILED;` or `named_format!(#[macro_export] TILED = NCHW4h4w4c)`.
#[macro_export]
macro_rules! named_format {
    ($($tokens:tt)*) => { $crate::__private::named_format! { [$crate] $($tokens)* } };
}

/// A view of a layout in a constant: operations of [`Layout`] after one another, each with its
/// arguments. A wrong one does not compile, and says on its place what [`LayoutError`] says at run
/// time.
///
/// ```
/// use tensor_layout::{Layout, layout, view};
///
/// type Act = layout!(NCHW4<1, 64, 56, 56>, i8);
/// const CROP: Layout = view!(Act::LAYOUT, slice('H', 8, 1, 40), slice('W', 55, -1, 40));
/// assert_eq!(CROP.offset(&[0, 5, 0, 0]), Act::offset([0, 5, 8, 55]));
/// ```
///
/// All that it names is constant, or the compiler says `attempt to use a non-constant value` (E0435).
/// Where a layout or a number is found at run time, call the operations, which return errors:
///
/// ```
/// # use tensor_layout::{LayoutError, layout};
/// # type Act = layout!(NCHW4<1, 64, 56, 56>, i8);
/// # fn first_row() -> usize { 8 }
/// let top = first_row();
/// let crop = Act::LAYOUT.slice('H', top, 1, 40)?.slice('W', 55, -1, 40)?;
/// # assert_eq!(crop.extents(), [1, 64, 40, 40]);
/// # Ok::<(), LayoutError>(())
/// ```
#[macro_export]
macro_rules! view {
    ($($tokens:tt)*) => { $crate::__private::view! { [$crate] $($tokens)* } };
}

/// Tensors in the local memory of a chip, as constants.
///
/// ```
/// use tensor_layout::{layout, place};
///
/// type Weights = layout!(OIHW<64, 64, 3, 3>, i8, bm1684x::ic);
/// type Act = layout!(NCHW<1, 64, 56, 56>, i8, bm1684x::aligned);
///
/// place! {
///     /// One convolution.
///     pub struct Conv in bm1684x {
///         WEIGHTS: Weights = 0x3c000, // bytes from the start of each lane
///         INPUT: Act,                 // wherever there is room
///         OUTPUT: Act,
///         apart(WEIGHTS, INPUT, OUTPUT), // operands of one instruction: no bank in common
///     }
/// }
///
/// assert_eq!((Conv::WEIGHTS, Conv::INPUT, Conv::OUTPUT), (0x3c000, 0, 0x4000));
/// println!("{}", Conv::MAP); // banks across, tensors down
/// ```
///
/// The tensors' layouts are dealt over the lanes of the chip, which has a name in
/// [`CHIPS`](chip::CHIPS) or is a constant of type [`Chip`](chip::Chip). What does not fit in a
/// lane, overlaps another tensor in a lane that both use, begins at an address that its storage does
/// not allow, or shares a bank with a tensor that it is to be kept `apart` from is a compile error
/// on its line. Tensors without an address are placed as low as there is room, in the order in
/// which they are written, or in another where that leaves no room.
///
/// It makes a struct with an address for each tensor, a `usize`, and `MAP`, a
/// [`LocalMemory`](chip::LocalMemory), which knows the rest.
#[macro_export]
macro_rules! place {
    ($($tokens:tt)*) => { $crate::__private::place! { [$crate] $($tokens)* } };
}

/// A tensor out of a file, packed while the program compiles: `include_tensor!(PATH, FORMAT =>
/// LAYOUT, OPTIONS)`.
///
/// ```
/// use tensor_layout::{Tensor, include_tensor, layout};
///
/// // The file holds a NumPy array of 8 x 4 x 3 x 3.
/// type Conv = layout!(OIHW4i4o<8, 4, 3, 3>, f32);
/// static CONV: Tensor<Conv, &[f32; Conv::LEN]> =
///     include_tensor!("tests/files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, f32);
///
/// assert_eq!(CONV[[0, 0, 0, 1]], 1f64.sin() as f32);
///
/// include_tensor! {
///     /// The same in 8 bits, with a scale for each filter.
///     pub struct Small = "tests/files/weights_f32.npy",
///         OIHW => OIHW4i4o<8, 4, 3, 3>, i8, quantize(O)
/// }
///
/// let about = f32::from(Small::TENSOR[[5, 3, 2, 1]]) * Small::SCALES[5];
/// assert!((about - CONV[[5, 3, 2, 1]]).abs() <= Small::SCALES[5] / 2.0);
/// ```
///
/// The value is a [`Tensor`] over a `&'static` array, which lies in read-only memory once, at an
/// address that is a multiple of 16 bytes, or of what the layout asks for. Nothing is left to do at
/// run time, and neither `std` nor memory is needed there. Behind `struct NAME =` it becomes the
/// constant `TENSOR` of that struct.
///
/// **PATH** begins at the directory of the package's `Cargo.toml`. The ending of the file's name, in
/// capitals or not, says what it is:
///
/// | file | what it holds |
/// |---|---|
/// | `.npy` | an array as NumPy saves it, of either byte order, in C or Fortran order |
/// | `.safetensors` | many; the name of one follows the path: `"model.safetensors", "conv1.weight", OIHW => ..` |
/// | any other | elements and nothing else, in C and little-endian order |
///
/// **FORMAT** names the axes of the array as its shape lists them, slowest first; blocks are welcome.
/// `FORMAT, ELEMENT =>` says too what the elements are; raw bytes hold those of the layout otherwise.
///
/// **LAYOUT** is written as for [`layout!`], options included, with literal numbers.
///
/// | option | meaning |
/// |---|---|
/// | `cast` | [`Conversion::cast`] from the elements of the file |
/// | `quantize(scale = 0.05, zero_point = 3)` | [`Conversion::quantize`]; without a zero point it is 0 |
/// | `quantize` | the same with a scale that is found: the largest magnitude becomes the largest integer, 0 stays 0 |
/// | `quantize(O)` | the same with a scale for each coordinate of the axis |
///
/// `rounding = half_away` may be added to the last three: `quantize(O, rounding = half_away)`. The
/// scales of a struct are its constants `SCALE: f32`, or `SCALES`, one for each coordinate.
///
/// A file that is missing, cut short, or of another shape or element type is an error on the path
/// that names both sides. The program is compiled again when the file changes.
///
/// # Cost
///
/// 8 MiB of weights add about .9 s of processor time to a build, 8 Mi weights quantized from `f32`
/// 2.2 s, in debug and release builds alike (`benches/builds.md`).
#[cfg(feature = "include")]
#[macro_export]
macro_rules! include_tensor {
    ($($tokens:tt)*) => { $crate::__private::include_tensor! { [$crate] $($tokens)* } };
}

/// What the macros refer to: not for use by hand, and free to change.
#[doc(hidden)]
pub mod __private {
    #[cfg(all(feature = "include", target_endian = "big"))]
    pub use layout_macros::include_tensor_big as include_tensor;
    #[cfg(all(feature = "include", target_endian = "little"))]
    pub use layout_macros::include_tensor_little as include_tensor;
    pub use layout_macros::{layout, named_format, place, view};
    pub use layout_types::chip::{report, room};
    pub use layout_types::relayout::{
        Converts, constant, conversion_plan, plan, run, run_conversion, run_in_place,
    };
    pub use layout_types::tensor::{Included, included};
    pub use layout_types::view as __view;

    /// Element types by the names that `layout!` knows.
    pub mod elements {
        pub use core::primitive::{f32, f64, i8, i16, i32, i64, u8, u16, u32, u64};
        pub use layout_types::{bf16, f8e4m3, f8e5m2, f16, i4, u4};
    }
}

/// Runs the example on the first page of the repository.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
