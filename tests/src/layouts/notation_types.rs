//! Text has the same meaning as in `layout!`.

use tensor_layout::{Layout, layout};

#[test]
fn text_means_what_the_macro_means() {
    macro_rules! each {
        ($({ $($text:tt)* })*) => {
            $(
                let expected = <layout!($($text)*)>::LAYOUT;
                let text = stringify!($($text)*);
                assert_eq!(Layout::parse(text), Ok(expected), "{text}");
                let without_space: String = text.split_whitespace().collect();
                assert_eq!(Layout::parse(&without_space), Ok(expected), "{without_space}");
                assert_eq!(expected.to_string().parse(), Ok(expected));
            )*
        };
    }
    each! {
        { SCALAR, f32 }
        { NCHW4<2, 64, 3, 3>, f16 }
        { nChw16c<2, 64, 3, 3>, f16, }
        { NHWCD4<C = 8, N = 2, H = 3, W = 5>, f16, align(H = 64) }
        { BSHD<B = 8, H = 12, S = 128, D = 64>, f32 }
        { BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(b, H, S, D) }
        { HWC<3, 4, 5>, u8, coordinates(H, W, C) }
        { HWC<H = 3, W = 4, C = 5>, u8, pitch(H = 64) }
        { NCHW4<2, 8, 3, 3>, i4, pitch(H = 16, C = 64) }
        { HW<3, 300>, u8, align(H = 512), align = 16 }
        { MK<4, 3>, i8, strides = [K = 1, M = 4], align = 8 }
        { OIHW4i16o4i<0x20, 3_2usize, 1, 2>, i8 }
        { NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2] }
        { NHWC<N = 4, C = 3, H = 2, W = 2>, i8, strides = [N = 12, C = 1, H = 6, W = 3] }
        { NCHW<2, 3, 1, 1>, i8, strides = [3, 1, 0, 0isize] }
        { MK<4, 3>, i8, strides = [0, 1], broadcast(m) }
        { MNK2m<N = 2, M = 4, K = 3>, i8, broadcast(N, K) }
        { NCHW4<2, 3, 2, 5>, u8, pad, align(H = 64, N = 4096) }
        { NCHW4<2, 3, 2, 5>, i8, pad = -7 }
        { NCHW4<2, 3, 2, 5>, i8, pad = -7i8 }
        { NCHW4<2, 3, 2, 5>, i4, pad = -8 }
        { NCHW4<2, 3, 2, 5>, f16, pad = 0.5 }
        { NCHW4<2, 3, 2, 5>, bf16, pad = -1e10 }
        { NCHW4<2, 3, 2, 5>, f32, pad = 0.1f32 }
        { NCHW4<2, 3, 2, 5>, f64, pad = 3.14159265358979323846 }
        { NCHW4<2, 3, 2, 5>, u64, pad = 0xffff_ffff_ffff_ffff }
        { NCHW4<2, 3, 2, 5>, f8e4m3, pad = 0 }
        { NCHW4<2, 3, 2, 5>, f32, pad = f32::from_bits(0x7fc00001) }
        { NCHW<2, 70, 3, 3>, f16, lanes(C, 64, start = 2), align(lanes = 32) }
        { NCHW<2, 70, 3, 3>, f16, bm1684x::aligned(start = 2) }
        { NCHW<2, 70, 3, 3>, f16, bm1684x::aligned, align(C = 128) }
        { NCHW<2, 70, 3, 3>, i8, bm1688::compact }
        { MN<5, 40>, f16, bm1684x::matrix(w = 20, start = 1) }
        { K<40>, f32, sg2380::vector(w = 16) }
        { OIHW<64, 100, 3, 3>, i8, bm1690::ic }
    }
}

/// What ends a value for a reader of text ends none inside an expression.
#[test]
fn expressions_hold_any_sign() {
    const ROW: isize = 4;
    struct Bytes<const N: usize, const M: usize>;
    impl<const N: usize, const M: usize> Bytes<N, M> {
        const ALL: usize = N * M;
    }
    type Signs =
        layout!(MK<{ b'(' as usize }, { ',' as usize }>, u8, align(M = 1 << 6), pad = b'"');
    assert_eq!((Signs::EXTENTS, Signs::STRIDES), ([40, 44], Some([64, 1])));
    assert_eq!(Signs::LAYOUT.fill(), Some(34));
    // An alignment that the macro does not know is not compared with that of the element.
    type Shifts = layout!(MK<4, 4>, f32, strides = [ROW << 2, 1], align = 1 << 4);
    assert_eq!((Shifts::STRIDES, Shifts::LAYOUT.align()), (Some([16, 1]), 16));
    type Generic = layout!(MK<4, 4>, u8, align(M = Bytes::<4, 8>::ALL), pad = 1 << 3);
    assert_eq!((Generic::STRIDES, Generic::LAYOUT.fill()), (Some([32, 1]), Some(8)));
}
