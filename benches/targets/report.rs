//! Lines and tables, as CSV and as Markdown.

use crate::Measured;
use crate::candidates::NAMES;
use crate::targets::{MEANS, RIVALS};

/// What of a rival's eff is as good: 5 % are noise.
const AS_GOOD: f64 = 0.95;

/// The names of the columns.
pub(crate) fn head(markdown: bool) {
    let names = ["conversion", "shape", "type"].into_iter().chain(NAMES).map(str::to_owned);
    let names: Vec<_> = names.collect();
    fields(&names, markdown);
    if markdown {
        println!("{}|", "|---".repeat(names.len()));
    }
}

/// The line of a case.
pub(crate) fn line(measured: &Measured, markdown: bool) {
    let case = &measured.case;
    let effs = measured.effs.map(|eff| eff.map_or(String::new(), |eff| format!("{eff:.2}")));
    let name = [case.conversion, case.shape, case.element].map(str::to_owned);
    fields(&[&name[..], &effs[..]].concat(), markdown);
}

fn fields(fields: &[String], markdown: bool) {
    match markdown {
        true => println!("| {} |", fields.join(" | ")),
        false => println!("{}", fields.join(",")),
    }
}

/// The geometric means of the static pairs, each beside its floor.
pub(crate) fn means(all: &[Measured]) {
    println!("\n| geometric mean | cases | static | to reach |\n|---|---|---|---|");
    for (name, floor, holds) in MEANS {
        let effs = all.iter().filter(|measured| holds(&measured.case)).map(Measured::own);
        let logarithms: Vec<f64> = effs.map(f64::ln).collect();
        if !logarithms.is_empty() {
            let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
            println!("| {name} | {} | {mean:.2} | {floor:.2} |", logarithms.len());
        }
    }
}

/// Every case that is slower than a rival, rival by rival.
pub(crate) fn misses(all: &[Measured]) {
    for rival in RIVALS {
        let (mut compared, mut missed) = (0, Vec::new());
        for measured in all {
            let Some((name, eff)) = (rival.best)(measured) else { continue };
            let own = measured.own();
            compared += 1;
            if own < AS_GOOD * eff {
                missed.push(format!("- {}: {own:.2}, {name} {eff:.2}", measured.case));
            }
        }
        println!("\nBelow {}: {} of {compared}\n", rival.name, missed.len());
        missed.iter().for_each(|line| println!("{line}"));
    }
}
