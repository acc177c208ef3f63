//! Moves between record types, which `.ci/linked` checks for panics: their plans and places are constants.
#![cfg_attr(target_os = "none", no_std, no_main)]

targets::board!(crate::board::wrong());

#[cfg(target_os = "none")]
mod board {
    use core::hint::black_box;

    use targets::stack;
    use tensor_layout::records::RecordBuffer;
    use tensor_layout::{Relayout, layout};

    /// The most bytes of stack of a move.
    const STACK: usize = 1024;

    /// A byte for a position.
    fn byte(place: usize) -> u8 {
        (place * 31 + place / 251 * 17) as u8
    }

    /// Functions that move a record. Each returns whether all bytes are those that belong there, and the stack is small.
    macro_rules! moves {
        ($($name:ident: $from:ty => $to:ty, $expected:expr;)*) => {$(
            fn $name() -> bool {
                type From = $from;
                type To = $to;

                #[derive(Relayout)]
                #[relayout(records, From => To)]
                struct Move;

                let mut source = [0; From::BYTES];
                source.iter_mut().enumerate().for_each(|(place, to)| *to = byte(place));
                let mut moved = [0; To::BYTES];
                let depth = stack(4 * STACK, || {
                    let from = RecordBuffer::<From, _>::new(black_box(&source[..]));
                    let to = RecordBuffer::<To, _>::new(&mut moved[..]);
                    if let (Ok(from), Ok(mut to)) = (from, to) {
                        let _ = Move::run(&from, &mut to);
                    }
                });
                let expected: fn(usize) -> u8 = $expected;
                depth <= STACK && moved.iter().enumerate().all(|(at, own)| *own == expected(at))
            }
        )*};
    }

    moves! {
        // Rows become blocks of eight with signed codes.
        repacks: layout!(MK<8, 64>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8))
            => layout!(MK<8, 64>, { d: 8m f16, q: 2k/8 8m 8k 2k/16 i4 } = d * q), |place| {
                let (block, at) = (place / 144, place % 144);
                if at < 16 {
                    return byte(at / 2 * 36 + block * 18 + at % 2);
                }
                let (part, row, code) = ((at - 16) / 64, (at - 16) / 8 % 8, at % 8);
                byte(row * 36 + block * 18 + 2 + part * 8 + code) ^ 0x88
            };
        // Colors of 5 and 6 bits.
        swaps: layout!(HW<4, 6>, { r: u5, g: u6, b: u5 }) => layout!(HW<4, 6>, { b: u5, g: u6, r: u5 }), |place| {
            let first = place / 2 * 2;
            let color = u16::from_le_bytes([byte(first), byte(first + 1)]);
            (color >> 11 | color & 0x7e0 | color << 11).to_le_bytes()[place % 2]
        };
        // Steps of which another digit is taken, one element at a time.
        rotates: layout!(<N = 16, K = 8>, { w: N K i8 }) => layout!(<N = 16, K = 8>, { w: N K 4k-8n 8n 2k i8 }), |place| {
            let (step, n, k) = (place / 16 % 4, place / 2 % 8, place % 2);
            byte(place / 64 * 64 + n * 8 + (step + n) % 4 * 2 + k)
        };
        // Padding of one side, and the last row again.
        pads: layout!(<N = 5, K = 6>, { w: N K i8 }) => layout!(<N = 5, K = 6>, { N { w: K 4n 4k i8 } pad(N = last, K = 3) }), |place| {
            let (n, k) = (place / 32 * 4 + place / 4 % 4, place / 16 % 2 * 4 + place % 4);
            if k < 6 { byte(n.min(4) * 6 + k) } else { 3 }
        };
    }

    /// What is wrong, a bit each.
    pub(crate) fn wrong() -> i32 {
        let wrong = [repacks(), swaps(), rotates(), pads()].map(|is_right| i32::from(!is_right));
        wrong.iter().rev().fold(0, |all, own| 2 * all + own)
    }
}
