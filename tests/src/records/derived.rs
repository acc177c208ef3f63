//! Moves between record types, against bits that are moved one by one.

use tensor_layout::records::{Record, RecordBuffer};
use tensor_layout::{Relayout, f16, layout, record};

use super::moves::expected;

/// `NAME: BUFFERS SOURCE => BUFFERS DESTINATION, PADDED, FLIPPED BITS, what lies beyond extents`
macro_rules! moves {
    ($($name:ident: $from_buffers:literal $from:ty => $to_buffers:literal $to:ty, $padded:ty, $flip:literal, $rule:expr;)*) => {$(
        #[test]
        fn $name() {
            type From = $from;
            type To = $to;

            #[derive(Relayout)]
            #[relayout(records, From => To)]
            struct Move;

            let records: [Record; 3] = [From::RECORD, To::RECORD, <$padded>::RECORD];
            let [before, blank, expected] = expected(records.each_ref(), $flip, &$rule);
            let before: [Vec<u8>; $from_buffers] = before.try_into().unwrap();
            let blank: [Vec<u8>; $to_buffers] = blank.try_into().unwrap();
            let source = RecordBuffer::<From, _, $from_buffers>::of_buffers(before).unwrap();
            let mut moved = RecordBuffer::<To, _, $to_buffers>::of_buffers(blank).unwrap();
            Move::run(&source, &mut moved).unwrap();
            for (i, (moved, expected)) in moved.buffers().iter().zip(&expected).enumerate() {
                let place = moved.iter().zip(expected).position(|(a, b)| a != b);
                assert!(place.is_none(), "buffer {i}, byte {place:?}");
            }
        }
    )*};
}

record! { Rows = MK { d: f16, q: 16k 2k/16 u4 } = d * (q - 8) }
record! { Eights = MK { d: 8m f16, q: 2k/8 8m 8k 2k/16 i4 } = d * q }
record! { Int8 = NK { d: f16, q: 32k u8 } = d * (q - 128) }

type Tensors = layout!(<M = 8, K = 64>, { q: M K i4; d: M K/32 f16 } = d * q);
type Odd = layout!(<N = 5, K = 6>, { w: N K i8 });
type Last = layout!(<N = 5, K = 6>, { N { w: K 4n 4k i8 } pad(N = last, K = 3) });
type Kept = layout!(<N = 5, K = 6>, { N { b: 4n f32, w: K 4n 4k i8 } pad(N = keep, K = 0) });
type Floats = layout!(<N = 5, K = 6>, { b: N f32, w: N K i8 });

moves! {
    one_tile: 1 layout!(MK<8, 64>, Rows!) => 1 layout!(MK<8, 64>, Eights!), layout!(MK<8, 64>, Eights!), 8, |_| None;
    several_tiles: 1 layout!(MK<1000, 256>, Rows!) => 1 layout!(MK<1000, 256>, Eights!), layout!(MK<1000, 256>, Eights!), 8, |_| None;
    back: 1 layout!(MK<24, 64>, Eights!) => 1 layout!(MK<24, 64>, Rows!), layout!(MK<24, 64>, Rows!), 8, |_| None;
    tensors: 1 layout!(MK<8, 64>, Rows!) => 2 Tensors, Tensors, 8, |_| None;
    of_tensors: 2 Tensors => 1 layout!(MK<8, 64>, Eights!), layout!(MK<8, 64>, Eights!), 8, |_| None;
    bytes: 1 layout!(NK<N = 3, K = 64>, Int8!) => 1 layout!(<N = 3, K = 64>, { d: N K/32 f16, q: N K i8 } = d * q), layout!(<N = 3, K = 64>, { d: N K/32 f16, q: N K i8 } = d * q), 128, |_| None;
    planes: 1 layout!(<H = 5, W = 7>, { y: H W u8 pitch(H = 16), uv: H/2 W/2 2c u8 pitch(H = 16) })
        => 2 layout!(<H = 5, W = 7>, { y: H W u8; uv: 2c H/2 W/2 u8 }), layout!(<H = 5, W = 7>, { y: H W u8; uv: 2c H/2 W/2 u8 }), 0, |_| None;
    odd_widths: 1 layout!(HW<3, 5>, { r: u5, g: u6, b: u5 } high_first) => 1 layout!(HW<3, 5>, { b: u5, g: u6, r: u5 }), layout!(HW<3, 5>, { b: u5, g: u6, r: u5 }), 0, |_| None;
    rotated: 1 layout!(<N = 16, K = 8>, { w: N K i8 }) => 1 layout!(<N = 16, K = 8>, { w: N K 4k-8n 8n 2k i8 }), layout!(<N = 16, K = 8>, { w: N K 4k-8n 8n 2k i8 }), 0, |_| None;
    pieces: 1 layout!(HW<4, 8>, { y: 2w[0] u8, u: u8, y: 2w[1] u8, v: u8 }) => 3 layout!(<H = 4, W = 8>, { y: H W u8; u: H W/2 u8; v: H W/2 u8 }), layout!(<H = 4, W = 8>, { y: H W u8; u: H W/2 u8; v: H W/2 u8 }), 0, |_| None;
    many: 1 Many => 1 Turned, Turned, 0, |_| None;
    empty: 1 layout!(<M = 0, K = 4>, { q: M K i8, s: i8 }) => 1 layout!(<M = 0, K = 4>, { s: i8, q: K M i8 }), layout!(<M = 0, K = 4>, { s: i8, q: K M i8 }), 0, |_| None;
    last: 1 Odd => 1 Last, layout!(<N = 8, K = 8>, { N { w: K 4n 4k i8 } }), 0, |at| {
        let last = at.iter().map(|own| own.1.min(own.2 - 1)).collect();
        Some(if is_beyond(at, 'K') { Err(3) } else { Ok(last) })
    };
    kept: 1 Floats => 1 Kept, layout!(<N = 8, K = 8>, { N { b: 4n f32, w: K 4n 4k i8 } }), 0, |at| {
        if is_beyond(at, 'N') { None } else { Some(Err(0)) }
    };
}

/// As many fields as a record has, in another order.
type Many = layout!(N<N = 3>, { a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8, m: u8, n: u8, o: u8, p: u8, q: u8, r: u8, s: u8, t: u8, aa: u8, ab: u8, ac: u8, ad: u8, ae: u8, af: u8, ag: u8, ah: u8, ai: u8, aj: u8, ak: u8, al: u8, am: u8, an: u8, ao: u8, ap: u8, aq: u8, ar: u8, as_: u8, at: u8, au: u8, av: u8 });
type Turned = layout!(N<N = 3>, { av: u8, au: u8, at: u8, as_: u8, ar: u8, aq: u8, ap: u8, ao: u8, an: u8, am: u8, al: u8, ak: u8, aj: u8, ai: u8, ah: u8, ag: u8, af: u8, ae: u8, ad: u8, ac: u8, ab: u8, aa: u8, t: u8, s: u8, r: u8, q: u8, p: u8, o: u8, n: u8, m: u8, l: u8, k: u8, j: u8, i: u8, h: u8, g: u8, f: u8, e: u8, d: u8, c: u8, b: u8, a: u8 });

fn is_beyond(at: &[(char, usize, usize)], axis: char) -> bool {
    at.iter().any(|own| own.0 == axis && own.1 >= own.2)
}

/// A buffer that has become shorter is an error, and nothing is written.
#[test]
fn short_buffers() {
    struct Shrinking(std::cell::Cell<bool>);

    impl AsRef<[u8]> for Shrinking {
        fn as_ref(&self) -> &[u8] {
            if self.0.replace(true) { &[1] } else { &[1; 2] }
        }
    }

    type From = layout!(K<1>, { d: f16 });

    #[derive(Relayout)]
    #[relayout(records, From => From,)]
    struct Move;

    let source = RecordBuffer::<From, _>::new(Shrinking(false.into())).unwrap();
    let mut moved = RecordBuffer::<From, _>::new([7; 2]).unwrap();
    let error = Move::run(&source, &mut moved).unwrap_err().to_string();
    assert!(error.starts_with("buffer 0 of the source has 1 byte and needs 2; "), "{error}");
    assert_eq!(moved.field::<f16>("d").unwrap().get([0]).map(f16::to_bits), Some(0x0707));
}
