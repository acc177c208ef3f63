//! Relayouts between views and of large tensors, with every set of kernels forced: reversed axes,
//! steps, broadcast sources, random shapes.

use layout_types::Layout;

use super::forced::{bytes, check_plan, layout};
use super::pairs::Plan;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // Knuth's multiplier; the low bits of the state repeat soon.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const FORMATS: [&str; 4] = ["NCHW", "NHWC", "CHWN", "HCNW"];

/// Views of extents 2, c, 3, w with an axis or two reversed, or every second or third of an axis.
fn views(c: usize, w: usize, width: usize) -> impl Iterator<Item = Layout> {
    let part = move |format, axis, start, step| {
        let mut extents = [2, c, 3, w];
        let own = if axis == 'C' { 1 } else { 3 };
        let length = extents[own];
        extents[own] = 3 * length + 4;
        let whole = layout(format, extents, bytes(width));
        whole.slice(axis, start, step, length).unwrap()
    };
    FORMATS.into_iter().flat_map(move |format| {
        let whole = layout(format, [2, c, 3, w], bytes(width));
        [
            whole.flip('C').unwrap(),
            whole.flip('W').unwrap(),
            whole.flip('W').unwrap().flip('H').unwrap(),
            part(format, 'C', 3, 2),
            part(format, 'W', 2, 3),
            part(format, 'W', 3 * w + 1, -2),
        ]
    })
}

#[test]
fn reversed_and_every_second() {
    for width in [1, 2, 4, 8, 16] {
        for (c, w) in [(3, 40), (4, 33), (66, 7), (18, 35)] {
            for (i, source) in views(c, w, width).enumerate() {
                let format = FORMATS[i % FORMATS.len()];
                let plain = layout(format, [2, c, 3, w], bytes(width));
                check_plan(&Plan::new(&source, &plain).unwrap(), false);
                check_plan(&Plan::new(&plain, &source).unwrap(), false);
            }
        }
    }
}

/// Steps that lie near each other in the source: channels left out or in another order, pixels that run backwards,
/// rows that take turns; as many as make less than a vector, whole ones, and a few more.
#[test]
fn steps_near_each_other() {
    let counts = (1..=24).chain([31, 32, 33, 47, 63, 64, 65, 127, 128, 129, 192, 257]);
    for width in [1, 2, 4, 8] {
        for pixels in counts.clone() {
            let image = |channels| layout("NHWC", [1, channels, 2, pixels], bytes(width));
            let one = layout("NHWC", [1, 1, 1, 1], bytes(width));
            let planes = |channels| layout("NCHW", [2, channels, 1, pixels], bytes(width));
            for (view, to) in [
                (image(3).flip('C').unwrap(), "NHWC"),
                (image(3).flip('W').unwrap(), "NHWC"),
                (image(3).flip('W').unwrap(), "NCHW"),
                (image(4).slice('C', 0, 1, 3).unwrap(), "NHWC"),
                (image(4).slice('C', 3, -1, 3).unwrap(), "NHWC"),
                (image(4).slice('C', 1, 2, 2).unwrap(), "NCHW"),
                (image(2), "NCHW"),
                (image(1).broadcast('C', 3).unwrap(), "NHWC"),
                (image(3).slice('W', 0, 1, 1).unwrap().broadcast('W', pixels).unwrap(), "NHWC"),
                (
                    image(3).slice('W', pixels - 1, 1, 1).unwrap().broadcast('W', pixels).unwrap(),
                    "NCHW",
                ),
                (one.broadcast('W', pixels).unwrap(), "NCHW"),
                (planes(2), "NHWC"),
                (planes(5), "NHWC"),
                (planes(6).flip('C').unwrap(), "NHWC"),
                (planes(6).slice('W', 0, 2, pixels.div_ceil(2)).unwrap(), "NHWC"),
                (planes(1).flip('W').unwrap(), "NCHW"),
                (planes(2).slice('C', 1, 1, 1).unwrap(), "NCHW"),
            ] {
                let [n, c, h, w] = [0, 1, 2, 3].map(|axis| view.extents()[axis]);
                let plain = layout(to, [n, c, h, w], bytes(width));
                check_plan(&Plan::new(&view, &plain).unwrap(), false);
            }
            for (step, start) in [(2, 0), (3, 1), (4, 3), (5, 0), (-2, 2 * pixels - 2)] {
                let length = pixels * isize::unsigned_abs(step);
                let whole = layout("NCHW", [1, 2, 3, length], bytes(width));
                let view = whole.slice('W', start, step, pixels).unwrap();
                let plain = layout("NCHW", [1, 2, 3, pixels], bytes(width));
                check_plan(&Plan::new(&view, &plain).unwrap(), false);
            }
        }
    }
}

/// Steps of 16 bytes that come from farther than a long vector reaches.
#[test]
fn steps_from_afar() {
    for (width, step) in [(2, 5), (1, 5), (2, 4), (4, 3)] {
        let size = 16 / width;
        for rows in [1, 40, 300] {
            let whole = layout("NCHW", [1, 1, rows, 3 * step * size], bytes(width));
            let view = whole.slice('W', 0, step as isize, size).unwrap();
            let plain = layout("NCHW", [1, 1, rows, size], bytes(width));
            check_plan(&Plan::new(&view, &plain).unwrap(), false);
        }
    }
}

/// Rows of which a long vector takes several or a whole one: backwards, from every second or fifth place, the same ones
/// over and over, and into places that do not follow one another.
#[test]
fn rows_that_are_steps() {
    for (width, size) in [(1, 56), (1, 21), (2, 28), (2, 9), (4, 14)] {
        let whole = layout("NCHW", [1, 3, 50, 5 * size], bytes(width));
        let plain = layout("NCHW", [1, 3, 50, size], bytes(width));
        let one = layout("NCHW", [1, 3, 1, size], bytes(width)).flip('W').unwrap();
        for view in [
            plain.flip('W').unwrap(),
            plain.flip('W').unwrap().flip('H').unwrap(),
            one.broadcast('H', 50).unwrap(),
            whole.slice('W', 0, 2, size).unwrap(),
            whole.slice('W', 1, 5, size).unwrap(),
        ] {
            for to in [plain, whole.slice('W', 0, 1, size).unwrap(), plain.flip('H').unwrap()] {
                check_plan(&Plan::new(&view, &to).unwrap(), false);
            }
        }
    }
    let pixels = layout("NHWC", [1, 3, 300, 15], bytes(1));
    check_plan(&Plan::new(&pixels.flip('W').unwrap(), &pixels).unwrap(), false);
}

/// Columns in groups of 2, 4 and 8, of few rows too, forwards and backwards.
#[test]
fn columns_in_groups() {
    for (width, format, c) in
        [(1, "CHWN2c", 4), (4, "CHWN2c", 4), (2, "CHWN4", 8), (1, "CHWN8c", 16)]
    {
        for (n, h, w) in [(16, 3, 5), (9, 7, 10)] {
            let source = layout(format, [n, c, h, w], bytes(width));
            let plain = layout("NCHW", [n, c, h, w], bytes(width));
            let backwards = plain.flip('N').unwrap();
            for to in [plain, backwards, plain.flip('C').unwrap(), plain.flip('W').unwrap()] {
                let plan = Plan::new(&source, &to).unwrap();
                check_plan(&plan, false);
                check_plan(&plan, true);
            }
        }
    }
}

#[test]
fn broadcast_sources() {
    for width in [1, 2, 4, 8, 16] {
        for (c, w) in [(3, 40), (4, 33), (70, 7), (18, 35)] {
            for from in FORMATS {
                let row = layout(from, [2, c, 3, 1], bytes(width)).broadcast('W', w).unwrap();
                let column = layout(from, [2, 1, 3, w], bytes(width)).broadcast('C', c).unwrap();
                let one = layout(from, [1, 1, 1, 1], bytes(width));
                let one = one.broadcast('N', 2).unwrap().broadcast('C', c).unwrap();
                let one = one.broadcast('H', 3).unwrap().broadcast('W', w).unwrap();
                for source in [row, column, one] {
                    for to in FORMATS {
                        let plain = layout(to, [2, c, 3, w], bytes(width));
                        check_plan(&Plan::new(&source, &plain).unwrap(), false);
                    }
                }
            }
        }
    }
}

/// Whole lines past the caches: backwards, from every second, and the same ones over and over.
#[test]
fn lines_past_the_caches() {
    for width in [1, 4, 16] {
        let line = 64 / width;
        let plain = layout("NCHW", [20, 18, 2, line], bytes(width));
        let across = layout("CHNW", [20, 18, 2, line], bytes(width));
        let longer = layout("CNHW", [41, 18, 2, line], bytes(width));
        let one = layout("NCHW", [1, 18, 2, line], bytes(width));
        for view in [
            across,
            across.flip('N').unwrap(),
            across.flip('C').unwrap(),
            longer.slice('N', 1, 2, 20).unwrap(),
            longer.slice('N', 39, -2, 20).unwrap(),
            one.broadcast('N', 20).unwrap(),
        ] {
            check_plan(&Plan::new(&view, &plain).unwrap(), true);
            if view.is_unique() {
                check_plan(&Plan::new(&plain, &view).unwrap(), true);
            }
        }
    }
}

#[test]
fn large_and_random() {
    let formats = ["NCHW", "NHWC", "CHWN", "HCNW", "NCHW4", "CHWN4", "NCHW32"];
    let mut random = Random(7);
    for _ in 0..16 {
        let width = random.of(&[1, 2, 4, 8, 16]);
        let (from, to) = (random.of(&formats), random.of(&formats));
        let n = 1 + random.below(3);
        let c = 32 * (1 + random.below(3))
            + if from.len() + to.len() > 8 { 0 } else { random.below(9) };
        let (h, w) = (1 + random.below(20), 1 + random.below(70));
        let (from, to) =
            (layout(from, [n, c, h, w], bytes(width)), layout(to, [n, c, h, w], bytes(width)));
        let plan = Plan::new(&from, &to).unwrap();
        check_plan(&plan, false);
        check_plan(&plan, true);
    }
}
