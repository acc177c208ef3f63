//! The words that an instruction reads from a memory with banks: a panel for each phase, banks across.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_access::{Access, Banks, conflicts};

use crate::color::distinct;
use crate::grid::Limits;
use crate::sheet::{Cell, Kind, Panel, Sheet, counted};

/// Draws an access. A cell shows the lanes that read a word. Its color says how many words the bank serves before it.
pub(crate) fn sheet(access: &Access, banks: &Banks, limits: Limits) -> Sheet {
    let mut panels = Vec::new();
    let (mut phase, mut left_out, mut cells) = (0, 0, 0usize);
    loop {
        let (first, end) = banks.phase(access, phase);
        if first >= end {
            break;
        }
        let panel = panel(access, banks, (phase, first, end), limits);
        cells += panel.cells.len();
        match cells <= limits.cells || panels.is_empty() {
            true => panels.push(panel),
            false => left_out += 1,
        }
        phase += 1;
    }
    let found = conflicts(access, banks);
    let mut notes = Vec::from([
        "cells show lanes; the words of a bank differ in color, and each takes one wavefront"
            .to_string(),
    ]);
    notes.push(match found.bank() {
        Some(bank) => format!(
            "{}-way bank conflict in bank {bank}; {} in {}",
            found.degree(),
            counted(found.wavefronts(), "wavefront"),
            counted(found.groups(), "phase")
        ),
        None => format!("no bank conflicts; {}", counted(found.wavefronts(), "wavefront")),
    });
    let is_folded = |panel: &Panel| panel.rows_left_out > 0 || panel.columns_left_out > 0;
    if left_out > 0 || panels.iter().any(is_folded) {
        let rest = if left_out > 0 {
            format!(", {} left out", counted(left_out, "phase"))
        } else {
            String::new()
        };
        notes.push(format!("folded: {} shown{rest}", counted(panels.len(), "phase")));
    }
    let title = format!(
        "{} of {} from {} banks of {}",
        counted(access.lanes(), "lane"),
        counted(access.bytes(), "byte"),
        banks.count,
        counted(banks.width, "byte")
    );
    Sheet { title, panels, notes }
}

/// Returns the words of one phase. A row has one word of each bank.
fn panel(
    access: &Access,
    banks: &Banks,
    (phase, first, end): (usize, usize, usize),
    limits: Limits,
) -> Panel {
    // The lanes that read each word.
    let mut words: Vec<(usize, Vec<usize>)> = Vec::new();
    for lane in (first..end).filter(|&lane| access.is_active(lane)) {
        let start = access.start(lane);
        for word in start / banks.width..=start.saturating_add(access.bytes() - 1) / banks.width {
            match words.binary_search_by_key(&word, |entry| entry.0) {
                Ok(found) => words[found].1.push(lane),
                Err(at) => words.insert(at, (word, Vec::from([lane]))),
            }
        }
    }
    let mut rows: Vec<usize> = words.iter().map(|entry| entry.0 / banks.count).collect();
    rows.dedup();
    let (shown, columns) = limits.panel(rows.len(), banks.count);
    let cell = |row: usize, bank: usize| match words
        .binary_search_by_key(&(row * banks.count + bank), |entry| entry.0)
    {
        Ok(found) => {
            let before = words[..found].iter().filter(|entry| entry.0 % banks.count == bank);
            let kind = Kind::Element(distinct(before.count()));
            Cell { text: ranges(&words[found].1), kind }
        }
        Err(_) => Cell { text: String::new(), kind: Kind::Nothing },
    };
    let places = rows[..shown].iter().flat_map(|&row| (0..columns).map(move |bank| (row, bank)));
    Panel {
        caption: format!("phase {phase}: lanes {first}-{}", end - 1),
        corner: "byte\u{2193} bank\u{2192}".into(),
        rows: rows[..shown]
            .iter()
            .map(|row| (row * banks.count * banks.width).to_string())
            .collect(),
        columns: (0..columns).map(|bank| bank.to_string()).collect(),
        cells: places.map(|(row, bank)| cell(row, bank)).collect(),
        rows_left_out: rows.len() - shown,
        columns_left_out: banks.count - columns,
    }
}

/// `0-3,8`
fn ranges(lanes: &[usize]) -> String {
    let mut text = String::new();
    for run in lanes.chunk_by(|a, b| a + 1 == *b) {
        let comma = if text.is_empty() { "" } else { "," };
        text += &match run {
            [first, .., last] => format!("{comma}{first}-{last}"),
            _ => format!("{comma}{}", run[0]),
        };
    }
    text
}
