use tensor_layout::layout;

// Blocks and what they cover.
type Covers = layout!(MK<2, 512>, { d: f16, s: 8k u8, q: 4k/64 32k 2k/32 u4 });
type CoversN = layout!(N<N = 16, K = 8>, { b: 8n f32, q: K 4n 4k i8 });
type Weight = layout!(MK/64<2, 64>, { d: f16, q: 32k i8 });
type RestTwice = layout!(M K<2, 64>, { d: f16, q: K 32k i8 });
type Reach = layout!(M<M = 2, K = 64>, { d: f16, q: 32k i8 });
type Below = layout!(MK<2, 64>, { d: f16, q: 16k 2k/32 u4 });
type Divisible = layout!(MK<2, 48>, { d: f16, q: 32k i8 });

// Places.
type StartBit = layout!(H W<2, 2>, { a: u5, v: f16 });
type Pieces = layout!(H W<2, 2>, { y: 2w[0] u8, u: u8, y: u8 });
type Pitch = layout!(<H = 2, W = 8>, { y: H W u8 pitch(H = 4), uv: H/2 W/2 2c u8 });
type Operand = layout!(MK<2, 64>, { d: f16, q: 4k-4m 8k i8 });

// Text.
type NoElement = layout!(MK<2, 64>, { d: f16, q: 16k 2k/16 });
type NumberAlone = layout!(MK<2, 64>, { d: f16, q: 32 i8 });
type Exponent = layout!(E<64>, { d: f16, q: 2e u8 });
type Unnamed = layout!(MK<2, 64>, { d: f16, 32k i8 });
type Orders = layout!(K<2>, { a: u4, b: u4 high_first });
type UnknownElement = layout!(MK<2, 64>, { d: half, q: 32k i8 });
type UnknownMark = layout!(MK<2, 64>, { d: f16, q: 32k i8 lanes(4) });
type Again = layout!(MK<2, 64>, { d: f16, d: f16, q: 32k i8 });
type Buffers = layout!(MK<2, 64>, { d: f16; q: 32k i8, z: u8 });
type Empty = layout!(MK<2, 64>, {});
type After = layout!(MK<2, 64>, { d: f16, q: 32k i8 }, pad);
type NoExtent = layout!(MK<M = 2>, { d: f16, q: 32k i8 });
// An extent of 0 is no mistake.

// Names.
type UnknownName = layout!(MK<2, 64>, ggml::Q9_0!);
type OtherAxis = layout!(MK<2, 64>, ggml::Q8_0!(n = d));

fn main() {}
