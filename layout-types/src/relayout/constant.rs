//! A relayout in const evaluation: tables packed while the program compiles.

use super::boxes::Boxes;
use super::run::Relayout;
use crate::kernel;
use crate::typed::UnitOf;

/// The tensor in `source`, moved. For a `const` or a `static`; at run time
/// [`run`](super::run) is the fast way.
pub const fn constant<R: Relayout, const SOURCE: usize, const DESTINATION: usize>(
    source: &[UnitOf<R::Source>; SOURCE],
) -> [UnitOf<R::Destination>; DESTINATION] {
    let plan = const { R::PLAN };
    if let Err(error) = plan.check_lengths(SOURCE, DESTINATION) {
        error.panic()
    }
    let source: &[UnitOf<R::Destination>] = kernel::same_units(source);
    let nibbles = plan.source().element().bits() < 8;
    let fill = kernel::unit_from_bits(plan.destination().unit_of_fill());
    let mut moved = [fill; DESTINATION];
    let mut boxes = Boxes::new(&plan);
    while let Some(nest) = boxes.next() {
        let mut rows = nest.rows();
        while let Some(row) = rows.next() {
            if nibbles {
                let (from, to) = (kernel::as_bytes(source), kernel::as_bytes_mut(&mut moved));
                kernel::copy_nibbles(from, to, row);
                continue;
            }
            // Indexing instead of a kernel: const evaluation counts calls, and a lint stops it
            // after two million of them.
            let (mut from, mut to) = (row.source as isize, row.destination as isize);
            let mut i = 0;
            while i < row.size {
                moved[to as usize] = source[from as usize];
                from += row.source_step;
                to += row.destination_step;
                i += 1;
            }
        }
    }
    moved
}
