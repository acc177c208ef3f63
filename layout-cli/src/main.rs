//! `layout`: explains and draws a layout, or a relayout between two layouts, given as text.

mod options;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use options::{Form, Options, Subject};
use tensor_layout::access::{Access, Banks};
use tensor_layout::show::{Color, Picture, explain};
use tensor_layout::{Layout, Plan};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = match Options::parse(&arguments) {
        Ok(Some(options)) => answer(&options),
        Ok(None) => Ok(options::HELP.into()),
        Err(error) => Err(error),
    };
    match text {
        Ok(text) => match io::stdout().lock().write_all(text.as_bytes()) {
            // A closed pipe is not an error: the reader has read enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error.to_string()),
            _ => ExitCode::SUCCESS,
        },
        Err(error) => fail(&error),
    }
}

/// Prints one line that says what is wrong.
fn fail(error: &str) -> ExitCode {
    eprintln!("layout: {}", error.replace('\n', " "));
    ExitCode::from(2)
}

/// Returns the requested text.
fn answer(options: &Options) -> Result<String, String> {
    let mut picture = picture(options)?.fold(options.fold.0, options.fold.1);
    if let Some(color) = options.color {
        picture = picture.color(color);
    }
    Ok(match options.form {
        Form::Svg => picture.to_svg() + "\n",
        Form::Html => picture.to_html(),
        Form::Explanation => explanation(options)? + "\n",
        Form::Text => {
            let colored = options.ansi.unwrap_or_else(|| io::stdout().is_terminal());
            let text = if colored { picture.to_ansi() } else { picture.to_text() };
            let first = text.find('\n').map_or(0, |end| end + 1);
            // The title is also the explanation's first line, so it is left out here.
            format!("{}\n{}", explanation(options)?, &text[first..])
        }
    })
}

fn picture(options: &Options) -> Result<Picture, String> {
    match (&options.subject, &options.axes) {
        (Subject::Layout(layout), _) if options.memory => Ok(Picture::memory(layout)),
        (Subject::Layout(layout), _) if options.lanes => Picture::lanes(layout)
            .ok_or_else(|| format!("`{layout}` is not distributed over lanes; leave out --lanes")),
        (Subject::Layout(layout), _) if options.access.is_some() => access(layout, options),
        (Subject::Layout(layout), Some((rows, columns))) => {
            Picture::with_axes(layout, rows, columns).map_err(|error| error.to_string())
        }
        (Subject::Layout(layout), None) => Ok(Picture::of(layout)),
        (Subject::Relayout(source, destination), _) => {
            Picture::relayout(source, destination).map_err(|error| error.to_string())
        }
    }
}

/// Draws the banks that an instruction reads.
fn access(layout: &Layout, options: &Options) -> Result<Picture, String> {
    let lanes = options.access.as_deref().unwrap_or_default();
    let access = Access::checked_of(layout, lanes).map_err(|error| error.to_string())?;
    let banks = match options.color {
        Some(Color::Banks(banks)) => banks,
        _ => Banks::NVIDIA,
    };
    Ok(Picture::access(&access, &banks))
}

fn explanation(options: &Options) -> Result<String, String> {
    match &options.subject {
        Subject::Layout(layout) => Ok(explain(layout).to_string()),
        Subject::Relayout(source, destination) => Plan::new(source, destination)
            .map(|plan| plan.explain().to_string())
            .map_err(|error| error.to_string()),
    }
}
