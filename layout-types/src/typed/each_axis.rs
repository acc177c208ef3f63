//! Loops over axes that are written out: the optimizer finds that the variables of loops around stay inside before it
//! unrolls loops inside, and a coordinate that no loop indexes needs no memory.

/// The statement for each axis below a rank, with its position as a literal.
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
