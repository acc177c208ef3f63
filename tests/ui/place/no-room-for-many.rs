use tensor_layout::{layout, place};

// Six of these fit, whatever their order.
type Act = layout!(NCHW<1, 64, 200, 200>, i8, bm1684x::aligned);
type Weights = layout!(OIHW<64, 64, 3, 3>, i8, bm1684x::ic);

place! {
    struct Network in bm1684x {
        WEIGHTS: Weights,
        A: Act,
        B: Act,
        C: Act,
        D: Act,
        E: Act,
        F: Act,
        G: Act,
        MORE: Weights,
        apart(WEIGHTS, A, B, C),
        apart(MORE, D, E, F),
    }
}

fn main() {}
