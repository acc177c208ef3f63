//! The table of the README: a few conversions as a reader may have them, and the slowest one.

use crate::candidates::Mover;
use crate::cases::{Case, cases};
use crate::measure::Measured;

/// What a reader calls a case, and its name.
const ROWS: [(&str, &str); 6] = [
    ("image, 3 x 224 x 224 `f32`, NHWC to NCHW", "NHWC->NCHW,1x3x224x224,f32"),
    ("the same of bytes", "NHWC->NCHW,1x3x224x224,i8"),
    ("activations, 64 x 56 x 56 `f32`, NCHW to NHWC", "NCHW->NHWC,1x64x56x56,f32"),
    ("weights, 256 x 256 x 3 x 3 bytes, OIHW to OIHW4i16o4i", "OIHW->4i16o4i,256x256x3x3,i8"),
    ("small, 2 x 64 x 3 x 3 `f32`, NCHW to NHWC", "NCHW->NHWC,2x64x3x3,f32"),
    ("the same of bytes, the slowest of all conversions", "NCHW->NHWC,2x64x3x3,i8"),
];

/// Other crates.
const CRATES: [Mover; 4] =
    [Mover::Transpose, Mover::FastTranspose, Mover::Ndarray, Mover::StridedPerm];

/// The cases, in the order of the rows.
pub(crate) fn of_readme() -> Vec<Case> {
    let case = |(_, name): (&str, &str)| cases().find(|case| case.to_string() == name);
    ROWS.iter().map(|&row| case(row).expect("a conversion of targets.csv")).collect()
}

/// Libraries of other languages.
const PACKAGES: [Mover; 2] = [Mover::OneDnn, Mover::PyTorch];

/// Prints the table: the time of memcpy over that of each. Libraries have columns where they were measured.
pub(crate) fn table(all: &[Measured]) {
    let of = |measured: &Measured, wanted: Mover| {
        let at = measured.movers.iter().position(|&mover| mover == wanted)?;
        measured.figures.effs[at]
    };
    let cell = |eff: Option<f64>| eff.map_or("-".to_owned(), |eff| format!("{eff:.2}"));
    let mut packages = PACKAGES.to_vec();
    packages.retain(|&own| all.iter().any(|measured| of(measured, own).is_some()));
    let mut heads = vec!["move", "derived", "plan", "plain loops", "best other crate"];
    heads.extend(packages.iter().map(|own| own.name()));
    println!("\n| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for measured in all {
        let row = ROWS.iter().find(|row| row.1 == measured.case.to_string());
        let crates = CRATES.into_iter().filter_map(|own| Some((own.name(), of(measured, own)?)));
        let best = crates.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let mut cells = vec![row.map_or("", |row| row.0).to_owned()];
        let own = [Mover::Static, Mover::Planned, Mover::BaselineLoops];
        cells.extend(own.map(|own| cell(of(measured, own))));
        cells.push(best.map_or("-".to_owned(), |(name, eff)| format!("{eff:.2} ({name})")));
        cells.extend(packages.iter().map(|&own| cell(of(measured, own))));
        println!("| {} |", cells.join(" | "));
    }
}
