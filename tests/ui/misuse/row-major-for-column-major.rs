use tensor_layout::layout;

type RowMajor = layout!(MK<4, 8>, f32);
type ColumnMajor = layout!(KM<M = 4, K = 8>, f32);

fn multiply(_: RowMajor) {}

fn call(weights: ColumnMajor) {
    multiply(weights);
}

fn main() {}
