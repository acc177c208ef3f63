//! Lines and tables, as CSV and as Markdown.

use crate::candidates::Mover;
use crate::cases::ELEMENTS;
use crate::measure::Measured;

/// The names of the columns.
pub(crate) fn head(movers: &[Mover], markdown: bool) {
    let names = movers.iter().map(|mover| mover.name());
    let names = ["conversion", "shape", "type"].into_iter().chain(names).chain(["plan_ns"]);
    let names: Vec<_> = names.map(str::to_owned).collect();
    fields(&names, markdown);
    if markdown {
        println!("{}|", "|---".repeat(names.len()));
    }
}

/// The line of a case.
pub(crate) fn line(measured: &Measured, markdown: bool) {
    let (case, figures) = (&measured.case, &measured.figures);
    let eff = |eff: &Option<f64>| eff.map_or(String::new(), |eff| format!("{eff:.2}"));
    let mut line = vec![case.conversion.clone(), case.shape.clone(), case.element.to_owned()];
    line.extend(figures.effs.iter().map(eff));
    line.push(format!("{:.0}", figures.plan));
    fields(&line, markdown);
}

fn fields(fields: &[String], markdown: bool) {
    match markdown {
        true => println!("| {} |", fields.join(" | ")),
        false => println!("{}", fields.join(",")),
    }
}

/// What the cases of each width come to.
pub(crate) fn summary(all: &[Measured]) {
    println!(
        "\n| type | cases | geometric mean | of the best peers | below the best peer | below .95 of it \
        | below .9 of it | worst case | slowest plan |\n|---|---|---|---|---|---|---|---|---|"
    );
    for element in ELEMENTS {
        let of_width: Vec<_> = all.iter().filter(|one| one.case.element == element).collect();
        let Some(worst) = of_width.iter().min_by(|one, other| one.own().total_cmp(&other.own()))
        else {
            continue;
        };
        // This crate beside the best peer, where there is one.
        let pairs = of_width.iter().filter_map(|one| Some((one.own(), one.best_peer()?.1)));
        let pairs: Vec<_> = pairs.collect();
        let peers = geometric_mean(pairs.iter().map(|pair| pair.1));
        let peers = peers.map_or(String::new(), |mean| format!("{mean:.2}"));
        let below = |share| match pairs.len() {
            0 => String::new(),
            _ => pairs.iter().filter(|(own, peer)| *own < share * peer).count().to_string(),
        };
        let plans = of_width.iter().map(|one| one.figures.plan);
        println!(
            "| {element} | {} | {:.2} | {peers} | {} | {} | {} | {:.2} {} | {:.0} ns |",
            of_width.len(),
            geometric_mean(of_width.iter().map(|one| one.own())).expect("a case"),
            below(1.0),
            below(0.95),
            below(0.9),
            worst.own(),
            worst.case,
            plans.fold(0.0, f64::max),
        );
    }
}

/// The geometric mean, if there is one.
pub(crate) fn geometric_mean(effs: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = effs.map(f64::ln).collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (!logarithms.is_empty()).then_some(mean.exp())
}
