//! Other crates, and plain loops with strides that are found at run time.

use fast_transpose::{FlipMode, FlopMode};
use ndarray::{
    ArrayView, ArrayViewMut, Axis, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, ShapeBuilder,
};
use strided_view::{StridedView, StridedViewMut};

use crate::nest::{Digit, Nest};
use crate::timing::Candidate;

/// An element as `fast_transpose` takes it.
pub(crate) trait Unit: bytemuck::Pod {
    fn fast_transpose(source: &[Self], destination: &mut [Self], columns: usize, rows: usize);
}

macro_rules! units {
    ($($unit:ty as $bits:ty => $function:ident;)*) => {$(
        impl Unit for $unit {
            fn fast_transpose(
                source: &[Self],
                destination: &mut [Self],
                columns: usize,
                rows: usize,
            ) {
                fast_transpose::$function(
                    bytemuck::cast_slice::<_, $bits>(source),
                    columns,
                    bytemuck::cast_slice_mut::<_, $bits>(destination),
                    rows,
                    columns,
                    rows,
                    FlipMode::NoFlip,
                    // Without it the matrix is rotated.
                    FlopMode::Flop,
                )
                .expect("a matrix");
            }
        }
    )*};
}

units! {
    i8 as u8 => transpose_plane;
    tensor_layout::f16 as u16 => transpose_plane16;
    f32 as f32 => transpose_plane_f32;
}

/// Transposes matrices of these numbers of columns and rows, if the case is one transpose or one for each image.
pub(crate) fn transposes<'a, U: Unit>(
    nest: &Nest,
    transpose: fn(&[U], &mut [U], usize, usize),
) -> Option<Candidate<'a, U>> {
    let (column, row) = match *nest.digits {
        [column, row] => (column, row),
        [image, column, row] if image.from == image.to as isize => (column, row),
        _ => return None,
    };
    let (columns, rows) = (column.extent, row.extent);
    let is_matrix = (column.from, row.from) == (1, columns as isize)
        && (column.to, row.to) == (rows, 1)
        && nest.start == 0;
    is_matrix.then_some(Box::new(move |source, destination| {
        let images = source.chunks(rows * columns).zip(destination.chunks_mut(rows * columns));
        images.for_each(|(from, to)| transpose(from, to, columns, rows));
    }))
}

/// ndarray, with one axis of its view for each loop.
pub(crate) fn ndarray<'a, U: Unit>(nest: &Nest) -> Candidate<'a, U> {
    match nest.digits.len() {
        1 => assigned::<U, Ix1>(nest),
        2 => assigned::<U, Ix2>(nest),
        3 => assigned::<U, Ix3>(nest),
        4 => assigned::<U, Ix4>(nest),
        5 => assigned::<U, Ix5>(nest),
        6 => assigned::<U, Ix6>(nest),
        _ => assigned::<U, IxDyn>(nest),
    }
}

fn assigned<'a, U: Unit, D: Dimension + 'a>(nest: &Nest) -> Candidate<'a, U> {
    let dimension = |of: fn(&Digit) -> usize| {
        let mut dimension = D::zeros(nest.digits.len());
        let numbers = dimension.slice_mut().iter_mut();
        numbers.zip(&nest.digits).for_each(|(number, digit)| *number = of(digit));
        dimension
    };
    let extents = dimension(|digit| digit.extent);
    // What is repeated has one element in the source.
    let read = dimension(|digit| if digit.from == 0 { 1 } else { digit.extent });
    let (from, to) = (dimension(|digit| digit.from.unsigned_abs()), dimension(|digit| digit.to));
    let flipped: Vec<usize> =
        (0..nest.digits.len()).filter(|&axis| nest.digits[axis].from < 0).collect();
    // The lowest element is the last one of flipped axes.
    let before: usize = flipped.iter().map(|&axis| (read[axis] - 1) * from[axis]).sum();
    let start = nest.start - before;
    Box::new(move |source, destination| {
        let shape = read.clone().strides(from.clone());
        let mut source = ArrayView::from_shape(shape, &source[start..]).expect("a view");
        flipped.iter().for_each(|&axis| source.invert_axis(Axis(axis)));
        let source = source.broadcast(extents.clone()).expect("equal extents");
        let destination =
            ArrayViewMut::from_shape(extents.clone().strides(to.clone()), destination);
        destination.expect("a view").assign(&source);
    })
}

/// strided-perm.
pub(crate) fn strided_perm<'a, U: Unit>(nest: &Nest) -> Candidate<'a, U> {
    let strides = |of: fn(&Digit) -> isize| -> Vec<isize> { nest.digits.iter().map(of).collect() };
    let start = nest.start as isize;
    let extents: Vec<usize> = nest.digits.iter().map(|digit| digit.extent).collect();
    let (from, to) = (strides(|digit| digit.from), strides(|digit| digit.to as isize));
    Box::new(move |source, destination| {
        let source = StridedView::<U>::new(source, &extents, &from, start).expect("a view");
        let mut destination = StridedViewMut::new(destination, &extents, &to, 0).expect("a view");
        strided_perm::copy_into(&mut destination, &source).expect("equal extents");
    })
}

/// Loops as one writes them by hand, the first of `digits` outermost.
pub(crate) fn strided_loops<'a, U: Unit>(digits: Vec<Digit>, start: usize) -> Candidate<'a, U> {
    Box::new(move |source, destination| outer_loops(&digits, source, destination, [start, 0]))
}

/// All but the three innermost; `start` is where source and destination begin.
fn outer_loops<U: Copy>(digits: &[Digit], source: &[U], destination: &mut [U], start: [usize; 2]) {
    const ONCE: Digit = Digit { extent: 1, from: 0, to: 0 };
    match *digits {
        [] => inner_loops([ONCE; 3], source, destination, start),
        [a] => inner_loops([ONCE, ONCE, a], source, destination, start),
        [a, b] => inner_loops([ONCE, a, b], source, destination, start),
        [a, b, c] => inner_loops([a, b, c], source, destination, start),
        [first, ref rest @ ..] => {
            for i in 0..first.extent {
                let start = [first.at(start[0], i), start[1] + i * first.to];
                outer_loops(rest, source, destination, start);
            }
        }
    }
}

/// Strides are in registers, and what is contiguous on both sides is copied.
fn inner_loops<U: Copy>(
    [a, b, c]: [Digit; 3],
    source: &[U],
    destination: &mut [U],
    [from, to]: [usize; 2],
) {
    for i in 0..a.extent {
        for j in 0..b.extent {
            let (at, mut put) = (b.at(a.at(from, i), j), to + i * a.to + j * b.to);
            if c.from == 1 && c.to == 1 {
                let row = &source[at..at + c.extent];
                destination[put..put + c.extent].copy_from_slice(row);
                continue;
            }
            let mut at = at as isize;
            for _ in 0..c.extent {
                destination[put] = source[at as usize];
                at += c.from;
                put += c.to;
            }
        }
    }
}
