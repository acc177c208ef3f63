//! A layer as the function of a step: it computes the rows of its output, and shows that to `observe`.

/// Writes the function of a step: the layer with its stride, then its weights, then what gets the output.
macro_rules! layer {
    (filters by $stride:literal, $weights:ident, $observe:ident) => {
        $crate::layer::layer!($observe, |x, y| $crate::operators::filters::<
            $stride,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
        >(
            x.row([0]),
            $weights::TENSOR.row([0]),
            $weights::EPILOGUE,
            y.row_mut([0]),
        ))
    };
    (depthwise by $stride:literal, $weights:ident, $observe:ident) => {
        $crate::layer::layer!(
            $observe,
            |x, y| $crate::operators::depthwise::<$stride, _, _, _, _, _>(
                x.row([0]),
                $weights::TENSOR.buffer(),
                $weights::EPILOGUE,
                y.row_mut([0]),
            )
        )
    };
    (pointwise, $weights:ident, $observe:ident) => {
        $crate::layer::layer!($observe, |x, y| $crate::operators::pointwise(
            x.row([0]).as_flattened(),
            $weights::TENSOR.buffer(),
            $weights::EPILOGUE,
            y.row_mut([0]).as_flattened_mut(),
        ))
    };
    (fully_connected, $weights:ident, $observe:ident) => {
        $crate::layer::layer!($observe, |x, y| $crate::operators::pointwise(
            core::slice::from_ref(x.array()),
            $weights::TENSOR.buffer(),
            $weights::EPILOGUE,
            core::slice::from_mut(y.array_mut()),
        ))
    };
    (average, $observe:ident) => {
        $crate::layer::layer!($observe, |x, y| $crate::operators::average(
            x.row([0]),
            y.array_mut()
        ))
    };
    (softmax, $input:ident, $observe:ident) => {
        $crate::layer::layer!($observe, |x, y| {
            const SOFTMAX: $crate::softmax::Softmax = $crate::softmax::Softmax::new($input::SCALE);
            SOFTMAX.run(x.array(), y.array_mut())
        })
    };
    ($observe:ident, |$x:ident, $y:ident| $run:expr) => {
        |$x, $y| {
            $run;
            $observe($y.buffer());
        }
    };
}

pub(crate) use layer;
