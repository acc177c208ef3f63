//! Pictures as HTML: a document with a table for each panel.

use alloc::format;
use alloc::string::String;

use crate::sheet::{Kind, Panel, Sheet};
use crate::style::{escaped, style};

const STYLE: &str = ".tl{background:var(--tl-paper);color:var(--tl-ink);margin:1.5rem;\
    font:13px/1.5 ui-monospace,monospace}.tl h1{font-size:15px}.tl main{display:flex;flex-wrap:wrap;gap:1.5rem}\
    .tl table{border-spacing:2px}.tl caption,.tl th,.tl p,.tl .tl-q{color:var(--tl-label)}\
    .tl caption{text-align:left}.tl th{font-weight:400;text-align:right;padding:0 .4em}\
    .tl thead th{text-align:center}.tl td{text-align:center;padding:.1em .4em;min-width:1.5em}\
    .tl .tl-q{background:repeating-linear-gradient(45deg,transparent 0 4px,var(--tl-hatch) 4px 5px)}\
    .tl p{margin:.3em 0}";

/// Writes the document.
pub(crate) fn write(sheet: &Sheet) -> String {
    let title = escaped(&sheet.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>\
         <style>{STYLE}{}</style></head>\n<body class=\"tl\"><h1>{title}</h1>\n<main>",
        style(sheet, "background")
    );
    for panel in &sheet.panels {
        write_panel(&mut out, panel);
    }
    out += "</main>\n";
    for note in &sheet.notes {
        out += &format!("<p>{}</p>\n", escaped(note));
    }
    out += "</body></html>\n";
    out
}

fn write_panel(out: &mut String, panel: &Panel) {
    *out += "<div><table>";
    if !panel.caption.is_empty() {
        *out += &format!("<caption>{}</caption>", escaped(&panel.caption));
    }
    *out += &format!("<thead><tr><th>{}</th>", panel.corner);
    for text in &panel.columns {
        *out += &format!("<th>{text}</th>");
    }
    *out += "</tr></thead>\n<tbody>";
    for (row, text) in panel.rows.iter().enumerate() {
        *out += &format!("<tr><th>{text}</th>");
        for cell in panel.row(row) {
            let text = &cell.text;
            *out += &match cell.kind {
                Kind::Element(hue) => format!("<td class=\"tl-{hue}\">{text}</td>"),
                Kind::Padding => format!("<td class=\"tl-q\">{text}</td>"),
                Kind::Nothing => "<td></td>".into(),
            };
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table>";
    if let Some(note) = panel.left_out() {
        *out += &format!("<p>{note}</p>");
    }
    *out += "</div>\n";
}
