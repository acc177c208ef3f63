//! Element access and views beside loops over raw slices and the arrays of ndarray, side by side in one run.
//!
//! `cargo bench --bench access` prints CSV: the case, ours, the loop written by hand, ndarray, and the time of each of
//! these two over ours; rates are 10^9 multiply-adds a second, times are ns an element. All are timed in turns, and
//! the fastest of many rounds counts, since only slower ones are disturbed. `cargo bench --bench access -- dynamic`
//! runs the cases of one file.

mod convolutions;
mod dynamic;
mod products;
mod views;
mod visits;
mod zips;

use cpu_time::ThreadTime;

/// Seconds that one call takes, over a batch of at least a millisecond.
fn seconds(call: &mut dyn FnMut()) -> f64 {
    let mut repeats = 1;
    loop {
        let start = ThreadTime::now();
        (0..repeats).for_each(|_| call());
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed > 1e-3 {
            return elapsed / f64::from(repeats);
        }
        repeats *= 2;
    }
}

/// What a case counts.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    /// 10^9 multiply-adds a second.
    Rate,
    /// Nanoseconds an element.
    Nanoseconds,
}

/// Prints the fastest of each, for `count` elements or multiply-adds: ours, by hand, and with ndarray where it has the
/// like.
fn compare(title: &str, per: (usize, Unit), calls: &mut [&mut dyn FnMut()]) {
    let mut calls: Vec<Call<'_>> = calls.iter_mut().map(|call| Some(&mut **call as _)).collect();
    calls.resize_with(3, || None);
    compare_some(title, per, &mut calls);
}

/// What is timed, if there is the like.
type Call<'a> = Option<&'a mut dyn FnMut()>;

/// [`compare`] of ours, by hand and with ndarray, of which there are some.
fn compare_some(title: &str, (count, unit): (usize, Unit), calls: &mut [Call<'_>]) {
    let mut least = vec![f64::MAX; calls.len()];
    for _ in 0..60 {
        for (least, call) in least.iter_mut().zip(calls.iter_mut()) {
            if let Some(call) = call {
                *least = least.min(seconds(call));
            }
        }
    }
    let dash = |least: f64, text: String| if least < f64::MAX { text } else { "-".into() };
    let shown = |seconds: f64| match unit {
        Unit::Rate => format!("{:.2}", count as f64 / seconds / 1e9),
        Unit::Nanoseconds => format!("{:.2}", seconds / count as f64 * 1e9),
    };
    let times: Vec<String> = least.iter().map(|&own| dash(own, shown(own))).collect();
    let ratio = |&peer: &f64| dash(peer, format!("{:.2}", peer / least[0]));
    let ratios: Vec<String> = least[1..].iter().map(ratio).collect();
    let name = if unit == Unit::Rate { "10^9 multiply-adds/s" } else { "ns" };
    println!("{title}, {name}; {}; {}", times.join("; "), ratios.join("; "));
}

fn main() {
    let parts: [(&str, fn()); 6] = [
        ("convolutions", convolutions::run),
        ("products", products::run),
        ("visits", visits::run),
        ("zips", zips::run),
        ("dynamic", dynamic::run),
        ("views", views::run),
    ];
    let chosen: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    println!("case; ours; by hand; ndarray; by hand / ours; ndarray / ours");
    for (name, run) in parts {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            run();
        }
    }
}
