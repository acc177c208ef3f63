use tensor_layout::layout;
use tensor_layout::records::RecordBuffer;

const K: usize = 48;

type Rows = layout!(MK<2, K>, { d: f16, q: 32k i8 });

const BYTES: usize = Rows::BYTES;

fn main() {
    let _ = RecordBuffer::<layout!(MK<_, 64>, { d: f16, q: 32k i8 }), _>::new([0; 68]);
}
