//! `layout`: explains and draws a layout or a record, or a relayout between two, given as text, and lists, compares and
//! repacks checkpoints. It also finds addresses for tensors that share memory.
//!
//! It is a library so that other packages have the program too.

mod arena_file;
mod arguments;
mod commands;
mod completions;
mod failure;
mod inspect;
mod options;
mod repack;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use arguments::{Arguments, PICTURES};
use failure::Failure;
use options::{AnswerForm, PictureOptions, PictureView, Subjects};
use tensor_layout::access::{Access, Banks};
use tensor_layout::records::RecordPlan;
use tensor_layout::show::{Color, Picture, explain};
use tensor_layout::{Layout, Plan};

/// Runs the program with these arguments, without its name, and returns its exit code: 0, 1 for a fault of a layout or the
/// output, 2 for arguments that it does not have.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match write_answer(arguments) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}

fn write_answer(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let text = match commands::run(&arguments)? {
        Some(text) => text,
        None => answer(&PictureOptions::of(&Arguments::parse(&PICTURES, &arguments)?)?)?,
    };
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // A closed pipe is not an error: the reader has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::input(format!(
            "the output cannot be written: {error}; write it to another file"
        ))),
        _ => Ok(()),
    }
}

/// Returns the requested text.
fn answer(options: &PictureOptions) -> Result<String, Failure> {
    if options.form == AnswerForm::Explanation {
        return Ok(explanation(options)? + "\n");
    }
    let mut picture = picture(options)?.fold(options.fold.0, options.fold.1);
    if let Some(color) = options.color_by {
        picture = picture.color(color);
    }
    Ok(match options.form {
        AnswerForm::Svg => picture.to_svg() + "\n",
        AnswerForm::Html => picture.to_html(),
        _ => {
            let colored = options.is_colored.unwrap_or_else(has_color);
            let text = if colored { picture.to_ansi() } else { picture.to_text() };
            // The notes explain one record.
            if matches!(&options.subject, Subjects::Records(records) if records.len() == 1) {
                return Ok(text);
            }
            let first = text.find('\n').map_or(0, |end| end + 1);
            // The title is also the explanation's first line, so it is left out here.
            format!("{}\n{}", explanation(options)?, &text[first..])
        }
    })
}

/// Whether the output is a terminal with colors: <https://no-color.org>.
fn has_color() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

fn picture(options: &PictureOptions) -> Result<Picture, Failure> {
    let layout = match &options.subject {
        Subjects::Layout(layout) => layout,
        Subjects::Relayout(source, destination) => {
            return Picture::relayout(source, destination).map_err(Failure::input);
        }
        Subjects::Records(records) => return Ok(Picture::records(records)),
    };
    match &options.view {
        PictureView::Usual => Ok(Picture::of(layout)),
        PictureView::Memory => Ok(Picture::memory(layout)),
        PictureView::Lanes => Picture::lanes(layout).ok_or_else(|| {
            Failure::input(format!("`{layout}` is not distributed over lanes; leave out --lanes"))
        }),
        PictureView::Access(lanes) => access(layout, lanes, options.color_by),
        PictureView::Axes(rows, columns) => {
            Picture::with_axes(layout, rows, columns).map_err(Failure::input)
        }
    }
}

/// Draws the banks that an instruction reads, whose lanes are the coordinates of these axes.
fn access(layout: &Layout, lanes: &str, color: Option<Color>) -> Result<Picture, Failure> {
    let access = Access::checked_of(layout, lanes).map_err(Failure::input)?;
    let banks = match color {
        None => Banks::NVIDIA,
        Some(Color::Banks(banks)) => banks,
        Some(_) => {
            return Err(Failure::usage(
                "--access shows banks; write --color-by 32x4, or leave it out",
            ));
        }
    };
    Ok(Picture::access(&access, &banks))
}

fn explanation(options: &PictureOptions) -> Result<String, Failure> {
    match &options.subject {
        Subjects::Layout(layout) => Ok(explain(layout).to_string()),
        Subjects::Relayout(source, destination) => Plan::new(source, destination)
            .map(|plan| plan.explain().to_string())
            .map_err(Failure::input),
        Subjects::Records(records) => match &records[..] {
            [source, destination] => RecordPlan::new(source, destination)
                .map(|plan| plan.to_string())
                .map_err(Failure::input),
            records => Ok(records.iter().map(|of| format!("{of}\n{}", of.explain())).collect()),
        },
    }
}
