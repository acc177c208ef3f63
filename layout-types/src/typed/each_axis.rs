//! Unrolled loops over axes. The optimizer proves that loop variables stay in bounds before it unrolls inner loops, so
//! these loops are unrolled in the source. A coordinate that no loop indexes can also stay in registers.

/// Repeats the statement for each axis below a rank, with its position as a literal.
macro_rules! for_each_axis {
    ($rank:ident, $axis:ident => $statement:expr) => {
        for_each_axis!(@ $rank, $axis => $statement; 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (@ $rank:ident, $axis:ident => $statement:expr;) => { assert!($rank <= 12) };
    (@ $rank:ident, $axis:ident => $statement:expr; $i:literal $($more:literal)*) => {
        if $i < $rank {
            {
                let $axis: usize = $i;
                $statement
            }
            for_each_axis!(@ $rank, $axis => $statement; $($more)*)
        }
    };
}
