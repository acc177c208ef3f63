//! Plans between random layouts.

use std::collections::BTreeMap;
use std::env;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;

use tensor_layout::plain;
use tensor_layout::{Conversion, ConversionPlan, Layout, Number, Plan, f16, u1, u4};

use super::Limit;
use super::depth::depth_of;

/// The most elements of a tensor.
const MOST: usize = 1 << 17;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Returns the text of a layout of these axes: in any order, with blocks, an alignment or a swizzle.
    fn side(&mut self, axes: &[(char, usize)], element: &str) -> String {
        let mut order: Vec<char> = axes.iter().map(|(letter, _)| *letter).collect();
        for end in (1..order.len()).rev() {
            order.swap(end, self.below(end + 1));
        }
        let mut format: String = order.iter().collect();
        for _ in 0..self.below(3) {
            let block = self.one_of(axes).0.to_ascii_lowercase();
            if !format.contains(block) {
                format += &format!("{}{block}", self.one_of(&[2, 3, 4, 8, 16]));
            }
        }
        let pad = if format.len() > order.len() { ", pad" } else { "" };
        let option = match self.below(10) {
            0 => ", swizzle(2, 3, 3)".to_owned(),
            1 => ", swizzle(2, 2, 2)".to_owned(),
            2 => format!(", align({} = {})", order[0], self.one_of(&[64, 4096])),
            _ => String::new(),
        };
        let extents: Vec<_> = axes.iter().map(|(axis, size)| format!("{axis} = {size}")).collect();
        format!("{format}<{}>, {element}{pad}{option}", extents.join(", "))
    }

    /// Returns two layouts of the same axes.
    fn pair(&mut self, [from, to]: [&str; 2]) -> [Layout; 2] {
        const SIZES: [usize; 16] = [1, 2, 3, 4, 5, 7, 8, 16, 32, 33, 64, 100, 128, 224, 256, 2048];
        loop {
            let (mut axes, mut count) = (Vec::new(), 1);
            for letter in "ABCDEFGH".chars().take(1 + self.below(8)) {
                let size = self.one_of(&SIZES);
                if count * size <= MOST {
                    count *= size;
                    axes.push((letter, size));
                }
            }
            let sides = [self.side(&axes, from), self.side(&axes, to)];
            let layouts = sides.map(|text| Layout::parse(&text).ok());
            if let [Some(from), Some(to)] = layouts {
                if from.bytes().max(to.bytes()) < 16 * MOST {
                    return [from, to];
                }
            }
        }
    }
}

/// The deepest call of each function, with the most that it may take and its layouts.
#[derive(Default)]
struct Deepest(BTreeMap<&'static str, (usize, usize, String)>);

impl Deepest {
    fn measure(
        &mut self,
        name: &'static str,
        limit: Limit,
        [from, to]: [&Layout; 2],
        run: impl FnOnce() + Send,
    ) {
        let depth = depth_of(run);
        let own = self.0.entry(name).or_default();
        if depth > own.0 {
            *own = (depth, limit.bytes(), format!("{from} => {to}"));
        }
    }

    fn moves<U: Number<Unit: Send + Sync>>(&mut self, [from, to]: [&Layout; 2]) {
        let Ok(plan) = Plan::new(from, to) else { return };
        let unit = plain::zero::<U::Unit>();
        let (source, mut moved) = (vec![unit; from.units()], vec![unit; to.units()]);
        self.measure("relayout", Limit::MOVE, [from, to], || {
            plan.run(&source, &mut moved).unwrap();
        });
        self.measure("Plan::const_new, relayout", Limit::MOVE, [from, to], || {
            Plan::const_new(from, to).unwrap().run(&source, &mut moved).unwrap();
        });
        self.measure("Plan::new", Limit::CONVERT, [from, to], || {
            assert!(black_box(Plan::new(from, to)).is_ok());
        });
        self.measure("Plan: Display", Limit::CONVERT, [from, to], || {
            assert!(!plan.to_string().is_empty());
        });
        if from.units() == to.units() {
            self.measure("relayout_in_place", Limit::IN_PLACE, [from, to], || {
                let _ = plan.run_in_place(&mut moved);
            });
        }
    }

    fn converts<S, D>(&mut self, [from, to]: [&Layout; 2], conversion: &Conversion<'_>)
    where
        S: Number<Unit: Send + Sync> + Sync,
        D: Number<Unit: Send + Sync> + Sync,
    {
        let Ok(plan) = ConversionPlan::<S, D>::new(from, to, conversion) else { return };
        let source = vec![plain::zero::<S::Unit>(); from.units()];
        let mut moved = vec![plain::zero::<D::Unit>(); to.units()];
        self.measure("convert", Limit::CONVERT, [from, to], || {
            plan.run(&source, &mut moved).unwrap();
        });
        self.measure("ConversionPlan::new, convert", Limit::CONVERT, [from, to], || {
            let plan = ConversionPlan::<S, D>::new(from, to, conversion).unwrap();
            plan.run(&source, &mut moved).unwrap();
        });
        self.measure("ConversionPlan::const_new, convert", Limit::PASS_BY_PASS, [from, to], || {
            let plan = ConversionPlan::<S, D>::const_new(from, to, conversion).unwrap();
            plan.run(&source, &mut moved).unwrap();
        });
        self.measure("ConversionPlan: Display", Limit::CONVERT, [from, to], || {
            assert!(!plan.to_string().is_empty());
        });
    }
}

#[test]
fn plans_between_random_layouts_take_little_stack() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse().expect("a number"));
    let seed = number("SEED").unwrap_or_else(|| RandomState::new().hash_one(0) >> 32);
    let mut random = Random(seed);
    let mut deepest = Deepest::default();
    macro_rules! moves {
        ($($element:ty: $name:literal,)*) => {$(
            let [from, to] = random.pair([$name; 2]);
            deepest.moves::<$element>([&from, &to]);
        )*};
    }
    macro_rules! converts {
        ($($source:ty, $destination:ty: $from:literal $to:literal $conversion:expr,)*) => {$(
            let [from, to] = random.pair([$from, $to]);
            deepest.converts::<$source, $destination>([&from, &to], &$conversion);
        )*};
    }
    for _ in 0..number("CASES").unwrap_or(12) {
        moves!(u8: "u8", i16: "i16", f32: "f32", f64: "f64", u4: "u4", u1: "u1",);
        converts! {
            u8, f32: "u8" "f32" Conversion::normalize(1.0, 2.0),
            f32, u8: "f32" "u8" Conversion::quantize(1.0, 2),
            f32, f16: "f32" "f16" Conversion::cast(),
            f16, i8: "f16" "i8" Conversion::quantize(0.5, 0),
            u4, f32: "u4" "f32" Conversion::dequantize(0.5, 0),
            f64, f32: "f64" "f32" Conversion::cast(),
            f32, f64: "f32" "f64" Conversion::cast(),
        }
    }
    for (name, (depth, _, layouts)) in &deepest.0 {
        println!("{depth:7} {name}: {layouts}");
    }
    for (name, bytes) in [
        ("Layout", size_of::<Layout>()),
        ("Plan", size_of::<Plan>()),
        ("ConversionPlan", size_of::<ConversionPlan<'_, u8, f32>>()),
    ] {
        println!("{bytes:7} {name}");
    }
    for (name, (depth, most, layouts)) in deepest.0 {
        assert!(depth <= most, "SEED={seed}, {name}: {depth} bytes of stack, {layouts}");
    }
}
