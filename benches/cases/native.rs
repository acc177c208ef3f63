//! Plain loops with literal bounds, compiled with the vectors that the CPU has, as target-cpu=native
//! does.

use bytemuck::Pod;

/// Moves elements from one slice to another.
pub(crate) type Move<U> = fn(&[U], &mut [U]);

/// A relayout as loops that one writes by hand.
pub(crate) trait Loops<U> {
    fn run(source: &[U], destination: &mut [U]);
}

/// `name: source axes => destination axes`, each an index and the const parameter that bounds it.
/// The loops run in the order of the destination over nested arrays, so no bound is left to check.
macro_rules! loops {
    (@array $unit:ident) => { $unit };
    (@array $unit:ident $first:ident $($rest:ident)*) => {
        [loops!(@array $unit $($rest)*); $first]
    };
    (@nest $body:block) => { $body };
    (@nest $body:block $index:ident $bound:ident $($rest:ident)*) => {
        for $index in 0..$bound {
            loops!(@nest $body $($rest)*)
        }
    };
    ($(
        $(#[$about:meta])*
        $name:ident: $($i:ident $from:ident)* => $($j:ident $to:ident)*;
    )*) => {$(
        $(#[$about])*
        pub(crate) struct $name<$(const $from: usize),*>;

        impl<U: Pod, $(const $from: usize),*> Loops<U> for $name<$($from),*> {
            #[inline(always)]
            fn run(source: &[U], destination: &mut [U]) {
                let source: &loops!(@array U $($from)*) =
                    bytemuck::from_bytes(bytemuck::cast_slice(source));
                let destination: &mut loops!(@array U $($to)*) =
                    bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(destination));
                loops!(@nest { destination $([$j])* = source $([$i])*; } $($j $to)*)
            }
        }
    )*};
}

loops! {
    /// Matrices transposed.
    Transpose: m M r R c C => m M c C r R;
    /// Matrices of units of `K` elements, transposed.
    TransposeUnits: m M r R c C k K => m M c C r R k K;
    /// NCHW to CHWN4, the channels split and the pixels merged.
    NchwToChwn4: n N b B c C p P => b B p P n N c C;
    /// OIHW to OIHW16i16o.
    OihwTo16i16o: a A o O b B i I p P => a A b B p P i I o O;
    /// OIHW to OIHW4i16o4i.
    OihwTo4i16o4i: a A o O b B i I j J p P => a A b B p P i I o O j J;
}

/// Writes `fastest` for these lists of CPU features, the best first.
macro_rules! fastest {
    ($([$($feature:tt)*])*) => {
        /// The loops, compiled for each list of features; of these, those for the first list that
        /// the CPU has.
        pub(crate) fn fastest<U, L: Loops<U>>() -> Move<U> {
            $(
                #[cfg(target_arch = "x86_64")]
                if true $(&& std::is_x86_feature_detected!($feature))* {
                    #[target_feature($(enable = $feature),*)]
                    fn run<U, L: Loops<U>>(source: &[U], destination: &mut [U]) {
                        L::run(source, destination);
                    }
                    // SAFETY: the CPU was asked, it has the features.
                    return |source, destination| unsafe { run::<U, L>(source, destination) };
                }
            )*
            L::run
        }
    };
}

fastest! {
    ["avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "gfni" "fma" "bmi1" "bmi2" "lzcnt" "movbe" "popcnt"]
    ["avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "fma" "bmi1" "bmi2" "lzcnt" "movbe" "popcnt"]
    ["avx2" "fma" "bmi1" "bmi2" "lzcnt" "movbe" "popcnt"]
}
