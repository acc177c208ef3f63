//! Random layouts.
use super::depth_of;
use tensor_layout::*;

pub struct Random(pub u64);
impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

fn shuffled(r: &mut Random, letters: &[char]) -> Vec<char> {
    let mut l = letters.to_vec();
    for i in (1..l.len()).rev() {
        let j = r.below(i + 1);
        l.swap(i, j);
    }
    l
}

fn side(r: &mut Random, axes: &[(char, usize)], element: &str) -> String {
    let letters: Vec<char> = axes.iter().map(|a| a.0).collect();
    let order = shuffled(r, &letters);
    let mut format: String = order.iter().collect();
    let mut pad = "";
    for _ in 0..r.below(3) {
        let (l, _) = r.of(axes);
        let n = r.of(&[2, 3, 4, 8, 16]);
        if !format.contains(&l.to_ascii_lowercase().to_string()) {
            format += &format!("{n}{}", l.to_ascii_lowercase());
            pad = ", pad";
        }
    }
    let extents: Vec<String> = axes.iter().map(|(l, e)| format!("{l} = {e}")).collect();
    let swizzle = match r.below(8) {
        0 => ", swizzle(2, 3, 3)",
        1 => ", swizzle(2, 2, 2)",
        _ => "",
    };
    let align = match r.below(6) {
        0 if swizzle.is_empty() => format!(", align({} = {})", order[0], r.of(&[64, 4096])),
        _ => String::new(),
    };
    format!("{format}<{}>, {element}{pad}{align}{swizzle}", extents.join(", "))
}

pub fn pair(r: &mut Random, a: &str, b: &str) -> (Layout, Layout, String) {
    loop {
        let rank = 1 + r.below(8);
        let mut axes = vec![];
        let mut count = 1;
        for l in "ABCDEFGH".chars().take(rank) {
            let e = r.of(&[1, 2, 3, 4, 5, 7, 8, 9, 16, 32, 33, 64, 100, 128, 224, 256, 1024, 2048]);
            if count * e <= 1 << 18 {
                count *= e;
                axes.push((l, e));
            }
        }
        let (x, y) = (side(r, &axes, a), side(r, &axes, b));
        let (Ok(s), Ok(d)) = (Layout::parse(&x), Layout::parse(&y)) else { continue };
        if s.bytes() > 4 << 20 || d.bytes() > 4 << 20 {
            continue;
        }
        return (s, d, format!("{x} => {y}"));
    }
}

#[test]
fn probe() {
    let mut r = Random(std::env::var("SEED").map_or(12345, |s| s.parse().unwrap()));
    let n = std::env::var("N").map_or(150, |s| s.parse().unwrap());
    let mut worst: std::collections::BTreeMap<&str, Vec<(usize, String)>> = Default::default();
    macro_rules! moves {
        ($t:ty, $name:literal) => {{
            let (s, d, text) = pair(&mut r, $name, $name);
            if let Ok(plan) = Plan::new(&s, &d) {
                let a = vec![<$t>::default(); s.units()];
                let mut b = vec![<$t>::default(); d.units()];
                let depth = depth_of(|| relayout(&plan, &a, &mut b).unwrap());
                worst
                    .entry("relayout")
                    .or_default()
                    .push((depth, text.clone() + &format!("\n    {plan}")));
                let depth = depth_of(|| {
                    std::hint::black_box(Plan::new(&s, &d).is_ok());
                });
                worst.entry("Plan::new").or_default().push((depth, text.clone()));
                let depth = depth_of(|| {
                    let p = Plan::const_new(&s, &d).unwrap();
                    relayout(&p, &a, &mut b).unwrap()
                });
                worst.entry("const_new+relayout").or_default().push((depth, text.clone()));
                let depth = depth_of(|| {
                    std::hint::black_box(plan.to_string());
                });
                worst.entry("Plan: Display").or_default().push((depth, text.clone()));
                if s.len() == d.len() {
                    let depth = depth_of(|| {
                        let _ = relayout_in_place(&plan, &mut b);
                    });
                    worst.entry("in place").or_default().push((depth, text.clone()));
                }
            }
        }};
    }
    macro_rules! converts {
        ($t:ty, $u:ty, $name:literal, $other:literal, $c:expr) => {{
            let (s, d, text) = pair(&mut r, $name, $other);
            let c: Conversion = $c;
            if let Ok(plan) = ConversionPlan::<$t, $u>::new(&s, &d, &c) {
                let a = vec![Default::default(); s.units()];
                let mut b = vec![Default::default(); d.units()];
                let depth = depth_of(|| convert(&plan, &a, &mut b).unwrap());
                worst
                    .entry("convert")
                    .or_default()
                    .push((depth, text.clone() + &format!("\n    {plan}")));
                let depth = depth_of(|| {
                    let p = ConversionPlan::<$t, $u>::const_new(&s, &d, &c).unwrap();
                    convert(&p, &a, &mut b).unwrap()
                });
                worst.entry("const_new+convert").or_default().push((depth, text.clone()));
                let depth = depth_of(|| {
                    let p = ConversionPlan::<$t, $u>::new(&s, &d, &c).unwrap();
                    convert(&p, &a, &mut b).unwrap()
                });
                worst.entry("new+convert").or_default().push((depth, text.clone()));
                let depth = depth_of(|| {
                    std::hint::black_box(plan.to_string());
                });
                worst.entry("ConversionPlan: Display").or_default().push((depth, text.clone()));
            }
        }};
    }
    for _ in 0..n {
        moves!(u8, "u8");
        moves!(u16, "i16");
        moves!(f32, "f32");
        moves!(u8, "u4");
        moves!(u8, "u1");
        moves!(f64, "f64");
        converts!(u8, f32, "u8", "f32", Conversion::normalize(1.0, 2.0));
        converts!(f32, u8, "f32", "u8", Conversion::quantize(1.0, 2));
        converts!(f32, f16, "f32", "f16", Conversion::cast());
        converts!(f16, i8, "f16", "i8", Conversion::quantize(0.5, 0));
        converts!(u4, f32, "u4", "f32", Conversion::dequantize(0.5, 0));
        converts!(f64, f32, "f64", "f32", Conversion::cast());
        converts!(f32, f64, "f32", "f64", Conversion::cast());
    }
    for (name, mut list) in worst {
        list.sort();
        println!("{name}: {} cases, median {}", list.len(), list[list.len() / 2].0);
        for (depth, text) in list.iter().rev().take(3) {
            println!("  {depth}  {text}");
        }
    }
    println!(
        "Plan {} ConversionPlan {} Layout {}",
        size_of::<Plan>(),
        size_of::<ConversionPlan<u8, f32>>(),
        size_of::<Layout>()
    );
}
