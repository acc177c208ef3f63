//! The lists of forms: what chooses a micro-kernel, and the micro-kernel. One macro makes of a row a function with the
//! features of an instruction set, which plans call; another makes of it the code of a constant step.

/// The list of copies, by the class of runs.
macro_rules! copies {
    // Those of numbers need no vectors, so all sets share them.
    (numbers: $then:ident! $given:tt, $($ones:ident)::+) => {
        $then! { $given
            0 => copy::any;
            1 => $($ones)::+::<u8>;
            2 => $($ones)::+::<u16>;
            3 => $($ones)::+::<u32>;
            4 => $($ones)::+::<u64>;
            5 => $($ones)::+::<u128>;
            6 => copy::twos::<u16>;
            7 => copy::twos::<u32>;
            8 => copy::twos::<u64>;
        }
    };
    (words: $then:ident! $given:tt,) => {
        $then! { $given
            9 => copy::twos::<u128>;
            10..COPY_CLASSES => copy::any;
        }
    };
    (one_lane: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            9 => copy::vectors::<$v, 1>;
            10..15 => copy::long::<$v>;
            OVERLAPPING_RUNS => copy::overlapping::<u128, u64>;
        }
    };
    (lanes: $then:ident! $given:tt, $lane:ty, $two:ty) => {
        $then! { $given
            9 => copy::vectors::<$lane, 1>;
            10 => copy::vectors::<$lane, 2>;
            11 => copy::vectors::<$two, 1>;
            12 => copy::vectors::<$two, 2>;
            13 => copy::vectors::<$two, 3>;
            14 => copy::vectors::<$two, 4>;
            OVERLAPPING_RUNS => copy::overlapping::<u128, u64>;
            LONG_OVERLAPPING_RUNS => copy::overlapping::<$two, u128>;
        }
    };
    // Without a loop.
    (more: $then:ident! $given:tt, $two:ty) => {
        $then! { $given
            15 => copy::vectors::<$two, 5>;
            16 => copy::vectors::<$two, 6>;
            17 => copy::vectors::<$two, 7>;
        }
    };
    (long: $then:ident! $given:tt, $most:ty) => {
        $then! { $given
            15..=LONG_RUNS => copy::long::<$most>;
            STREAMED_RUNS => copy::streamed::<$most>;
        }
    };
}

/// The list of byte permutes, by what chooses one.
macro_rules! networks {
    // Padding.
    (words: $then:ident! $given:tt,) => {
        $then! { $given
            (Form::Tables, 1, 1, Load::Vector) => words::pad;
        }
    };
    // One vector, of loads of vectors.
    (one_vector: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            (Form::Tables, 1, 1, Load::Vector) => network::<$v, 1, 1, VECTOR, false, 0, false>;
            (Form::Tables, 2, 1, Load::Vector) => network::<$v, 2, 1, VECTOR, false, 0, false>;
            (Form::Tables, 3, 1, Load::Vector) => network::<$v, 3, 1, VECTOR, false, 0, false>;
            (Form::Tables, 4, 1, Load::Vector) => network::<$v, 4, 1, VECTOR, false, 0, false>;
            (Form::Tables, 5, 1, Load::Vector) => network::<$v, 5, 1, VECTOR, false, 0, false>;
            (Form::Tables, 6, 1, Load::Vector) => network::<$v, 6, 1, VECTOR, false, 0, false>;
            (Form::Tables, 7, 1, Load::Vector) => network::<$v, 7, 1, VECTOR, false, 0, false>;
            (Form::Tables, 8, 1, Load::Vector) => network::<$v, 8, 1, VECTOR, false, 0, false>;
            (Form::Short, ..) => network::<$v, 1, 1, PART, false, 0, false>;
        }
    };
    // One vector, of loads in lanes.
    (in_lanes: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            (Form::Tables, 1, 1, Load::Lanes) => network::<$v, 1, 1, LANES, false, 0, false>;
            (Form::Tables, 2, 1, Load::Lanes) => network::<$v, 2, 1, LANES, false, 0, false>;
            (Form::Tables, 3, 1, Load::Lanes) => network::<$v, 3, 1, LANES, false, 0, false>;
            (Form::Tables, 4, 1, Load::Lanes) => network::<$v, 4, 1, LANES, false, 0, false>;
        }
    };
    // Several vectors.
    (several: $then:ident! $given:tt, $v:ty) => {
        $then! { $given
            (Form::Tables, 2, 2, Load::Vector) => network::<$v, 2, 2, VECTOR, false, 0, false>;
            (Form::Tables, 3, 2, Load::Vector) => network::<$v, 3, 2, VECTOR, false, 0, false>;
            (Form::Tables, 3, 3, Load::Vector) => network::<$v, 3, 3, VECTOR, false, 0, false>;
            (Form::Tables, 2, 2, Load::Lanes) => network::<$v, 2, 2, LANES, false, 0, false>;
            (Form::Tables, 3, 3, Load::Lanes) => network::<$v, 3, 3, LANES, false, 0, false>;
            (Form::Parts { before: true, after: true }, 4, _, Load::Vector | Load::Lanes) => network::<$v, 4, 4, LANES, true, 4, true>;
            (Form::Parts { before: true, after: false }, 4, _, Load::Vector | Load::Lanes) => network::<$v, 4, 4, VECTOR, true, 4, false>;
            (Form::Parts { before: true, after: false }, 8, _, Load::Vector | Load::Lanes) => network::<$v, 8, 8, VECTOR, true, 2, false>;
            (Form::Parts { before: false, .. }, 8, _, Load::Vector | Load::Lanes) => network::<$v, 8, 8, VECTOR, false, 2, true>;
        }
    };
    // Several vectors of two iterations, one in each lane: planes, then rows.
    (pairs: $then:ident! $given:tt,) => {
        $then! { $given
            (Form::Tables, 2, 2, Load::Pair) => network::<V256, 2, 2, PAIR, false, 0, false>;
            (Form::Tables, 3, 3, Load::Pair) => network::<V256, 3, 3, PAIR, false, 0, false>;
            (Form::Parts { before: true, after: true }, 4, _, Load::Pair) => network::<V256, 4, 4, PAIR, true, 4, true>;
            (Form::Parts { before: true, after: false }, 4, _, Load::Pair) => network::<V256, 4, 4, PAIR, true, 4, false>;
            (Form::Parts { before: true, after: false }, 8, _, Load::Pair) => network::<V256, 8, 8, PAIR, true, 2, false>;
            (Form::Tables, 3, 3, Load::Wide) => network::<V256, 3, 3, VECTOR, false, 0, false>;
            (Form::Parts { before: false, .. }, 8, _, Load::Wide) => network::<V256, 8, 8, VECTOR, false, 2, true>;
        }
    };
    // Those that sets with AVX2 share.
    (shared: $then:ident! $given:tt,) => {
        $then! { $given
            (Form::Zips(1), 2, _, Load::Vector) => network::<V128Ssse3, 2, 2, VECTOR, false, 1, false>;
            (Form::Zips(2), 2, _, Load::Vector) => network::<V128Ssse3, 2, 2, VECTOR, false, 2, false>;
            (Form::Zips(4), 2, _, Load::Vector) => network::<V128Ssse3, 2, 2, VECTOR, false, 4, false>;
            (Form::Zips(8), 2, _, Load::Vector) => network::<V128Ssse3, 2, 2, VECTOR, false, 8, false>;
            (Form::Zips(1), 4, _, Load::Vector) => network::<V128Ssse3, 4, 4, VECTOR, false, 1, false>;
            (Form::Zips(2), 4, _, Load::Vector) => network::<V128Ssse3, 4, 4, VECTOR, false, 2, false>;
            (Form::Zips(4), 4, _, Load::Vector) => network::<V128Ssse3, 4, 4, VECTOR, false, 4, false>;
            (Form::Zips(1), 2, _, Load::Wide) => network::<V256, 2, 2, VECTOR, false, 1, false>;
            (Form::Zips(2), 2, _, Load::Wide) => network::<V256, 2, 2, VECTOR, false, 2, false>;
            (Form::Zips(4), 2, _, Load::Wide) => network::<V256, 2, 2, VECTOR, false, 4, false>;
            (Form::Zips(8), 2, _, Load::Wide) => network::<V256, 2, 2, VECTOR, false, 8, false>;
            (Form::Zips(1), 4, _, Load::Wide) => network::<V256, 4, 4, VECTOR, false, 1, false>;
            (Form::Zips(2), 4, _, Load::Wide) => network::<V256, 4, 4, VECTOR, false, 2, false>;
            (Form::Zips(4), 4, _, Load::Wide) => network::<V256, 4, 4, VECTOR, false, 4, false>;
            (Form::Parts { before: true, after: true }, 8, _, Load::Vector | Load::Lanes) => network::<V128Ssse3, 8, 8, VECTOR, true, 2, true>;
            (Form::Lanes, ..) => units_of_lanes::<V256>;
        }
    };
}

/// Calls a macro with the features of an instruction set. A model of AVX-512 needs those of AVX2.
#[cfg(avx512)]
macro_rules! on {
    (Avx2 $name:ident! $($rest:tt)*) => { $name!("avx2" $($rest)*) };
    (Avx512 $name:ident! $($rest:tt)*) => {
        $name!("avx2,avx512f,avx512bw,avx512dq,avx512vl" $($rest)*)
    };
    (Avx512Vbmi $name:ident! $($rest:tt)*) => {
        $name!("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi" $($rest)*)
    };
}
#[cfg(all(target_arch = "x86_64", feature = "std", avx512_model))]
macro_rules! on {
    ($set:ident $name:ident! $($rest:tt)*) => { $name!("avx2" $($rest)*) };
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) use on;
pub(super) use {copies, networks};
