//! The arguments of the program.

use tensor_layout::Layout;
use tensor_layout::access::Banks;
use tensor_layout::records::Record;
use tensor_layout::show::Color;

use crate::failure::Failure;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Explains and draws a layout or a record, or a relayout between two of them.

usage: layout LAYOUT [OPTIONS]
       layout LAYOUT '=>' LAYOUT [OPTIONS]
       layout inspect, diff or repack FILE..: checkpoints; see layout repack --help
       layout arena FILE: addresses of tensors that share memory; see layout arena --help

A LAYOUT is written as in `layout!` and as layouts and records print: 'NCHW4<1, 8, 2, 3>, i8',
'MK<2, 64>, { d: f16, q: 32k i8 }'

  --text              explanation and picture as text, in color on a terminal (default)
  --svg, --html       the picture alone, as SVG or HTML
  --explain           the explanation alone
  --memory            a cell for each offset of the buffer, not for each coordinate
  --lanes             a row for each lane of an accelerator
  --access AXES       the banks of shared memory that an instruction reads; the coordinates of these axes are its
                      lanes; --color-by 64x4 for other banks than 32 of 4 bytes
  --axes ROWS,COLUMNS the axes that count rows and columns: --axes C,HW
  --color-by WHAT     block (default), order (default of two), lane, or banks as 32x4
  --fold ROWS,COLUMNS maximal numbers of rows and columns in a panel (default 64,64)
  --color WHEN        always or never text with escape codes for 24-bit color, or auto (default): on a terminal, unless
                      NO_COLOR is set or TERM is dumb
  -                   the standard input has the text
  --version           prints the version
  --                  the arguments after it are layouts

Of --memory, --lanes, --access and --axes one is written at most, and none of two layouts or of records, which have a
color for each field.
The program exits with 0, with 1 if a layout or the output is at fault, and with 2 if the arguments are.
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) subject: Subject,
    pub(crate) form: Form,
    pub(crate) view: View,
    pub(crate) color_by: Option<Color>,
    pub(crate) fold: (usize, usize),
    /// `None` where the output decides.
    pub(crate) is_colored: Option<bool>,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub(crate) enum Subject {
    Layout(Layout),
    Relayout(Layout, Layout),
    /// One, or source and destination.
    Records(Vec<Record>),
}

/// The names of all options.
pub(crate) const OPTIONS: [&str; 13] = [
    "--help",
    "--version",
    "--text",
    "--svg",
    "--html",
    "--explain",
    "--memory",
    "--lanes",
    "--access",
    "--axes",
    "--color",
    "--color-by",
    "--fold",
];

/// What the cells of a picture are.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// Coordinates, of two layouts offsets.
    Usual,
    Memory,
    Lanes,
    Access(String),
    Axes(String, String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Text,
    Svg,
    Html,
    Explanation,
}

impl Options {
    /// Parses the options. Returns `None` if help is requested.
    pub(crate) fn parse(arguments: &[String]) -> Result<Option<Self>, Failure> {
        let (mut form, mut view, mut color_by) = (Choice(None), Choice(None), Choice(None));
        let (mut fold, mut is_colored) = (Choice(None), Choice(None));
        let mut layouts = Vec::new();
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let missing = || format!("`{argument}` has no value; see layout --help");
                arguments.next().ok_or_else(|| Failure::usage(missing()))
            };
            match argument {
                "--help" | "-h" => return Ok(None),
                "--text" => form.take(argument, Form::Text)?,
                "--svg" => form.take(argument, Form::Svg)?,
                "--html" => form.take(argument, Form::Html)?,
                "--explain" => form.take(argument, Form::Explanation)?,
                "--memory" => view.take(argument, View::Memory)?,
                "--lanes" => view.take(argument, View::Lanes)?,
                "--access" => view.take(argument, View::Access(value()?.to_owned()))?,
                "--axes" => view.take(argument, axes_of(value()?)?)?,
                "--color-by" => color_by.take(argument, color_of(value()?)?)?,
                "--color" => is_colored.take(argument, when_of(value()?)?)?,
                "--fold" => fold.take(argument, fold_of(value()?)?)?,
                "--" => layouts.extend(arguments.by_ref()),
                _ if argument.starts_with('-') => {
                    let unknown =
                        format!("`{}` is not an option; see layout --help", cut(argument));
                    return Err(Failure::Usage(unknown));
                }
                _ => layouts.push(argument),
            }
        }
        let subject = Subject::parse(&layouts)?;
        let is_layout = matches!(subject, Subject::Layout(_));
        if let (Some((name, _)), false) = (&view.0, is_layout) {
            return Err(Failure::Usage(format!(
                "`{name}` is a picture of one layout; leave it out, or name one layout"
            )));
        }
        if let (Some((name, _)), Subject::Records(_)) = (&color_by.0, &subject) {
            return Err(Failure::Usage(format!(
                "records have a color for each field; leave out `{name}`"
            )));
        }
        Ok(Some(Self {
            subject,
            form: form.or(Form::Text),
            view: view.or(View::Usual),
            color_by: color_by.0.map(|(_, color)| color),
            fold: fold.or((64, 64)),
            is_colored: is_colored.or(None),
        }))
    }
}

/// An option that is written once at most, with its name.
struct Choice<'a, T>(Option<(&'a str, T)>);

impl<'a, T> Choice<'a, T> {
    fn take(&mut self, name: &'a str, value: T) -> Result<(), Failure> {
        match self.0.replace((name, value)) {
            None => Ok(()),
            Some((before, _)) if before == name => {
                Err(Failure::Usage(format!("`{name}` is written twice; leave out one of them")))
            }
            Some((before, _)) => Err(Failure::Usage(format!(
                "`{before}` and `{name}` exclude each other; leave out one of them"
            ))),
        }
    }

    fn or(self, usual: T) -> T {
        self.0.map_or(usual, |(_, value)| value)
    }
}

impl Subject {
    fn parse(arguments: &[&str]) -> Result<Self, Failure> {
        let read = |text: &str| {
            text.parse::<Layout>().map_err(|error| match std::path::Path::new(text).is_file() {
                true => {
                    let name = cut(text);
                    Failure::usage(format!("`{name}` is a file; write layout inspect FILE"))
                }
                false => Failure::text(text, error.message(), error.range()),
            })
        };
        let read_record = |text: &&str| {
            Record::parse(text).map_err(|error| {
                Failure::text(text, error.message(), error.range().unwrap_or(0..text.len()))
            })
        };
        // One argument may hold both: 'A => B'.
        let all = arguments.join(" ");
        match all.split("=>").map(bare_layout).collect::<Vec<_>>()[..] {
            ref sides if sides.len() < 3 && sides.iter().any(|text| is_record(text)) => {
                sides.iter().map(read_record).collect::<Result<_, _>>().map(Self::Records)
            }
            [""] => Err(Failure::usage("no layout given; see layout --help")),
            [_] if arguments.len() > 1 => {
                let text = "two layouts without `=>` between them; write LAYOUT '=>' LAYOUT";
                Err(Failure::usage(text))
            }
            [layout] => Ok(Self::Layout(read(layout)?)),
            [source, destination] => Ok(Self::Relayout(read(source)?, read(destination)?)),
            _ => Err(Failure::usage("more than one `=>`; write LAYOUT '=>' LAYOUT")),
        }
    }
}

/// The text of a layout, which `layout inspect` prints in `layout!(..)`.
fn bare_layout(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix("layout!(").and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

/// Whether a text has fields, or the name of a record after its extents.
fn is_record(text: &str) -> bool {
    let content = text.split_once('>').map_or("", |(_, rest)| rest);
    let first = content.trim_start_matches([',', ' ']).split(['(', ',']).next().unwrap_or("");
    text.contains('{') || first.contains("::")
}

/// Reads a number of bytes.
pub(crate) fn bytes_of(text: &str) -> Result<usize, Failure> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
    let units =
        units.into_iter().chain([("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("", 1)]);
    let number = { units }.find_map(|(unit, bytes): (&str, usize)| {
        text.strip_suffix(unit)?.trim().parse::<usize>().ok()?.checked_mul(bytes)
    });
    number.ok_or_else(|| {
        Failure::usage(format!(
            "`{}` is not a size; write a number and MiB, GiB, MB or GB",
            cut(text)
        ))
    })
}

/// Text that fits into a line.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// `None` for auto.
fn when_of(text: &str) -> Result<Option<bool>, Failure> {
    match text {
        "always" => Ok(Some(true)),
        "never" => Ok(Some(false)),
        "auto" => Ok(None),
        _ => Err(Failure::usage(format!(
            "`{}` says not when; write auto, always or never, or --color-by {0}",
            cut(text)
        ))),
    }
}

fn color_of(text: &str) -> Result<Color, Failure> {
    match text {
        "block" => Ok(Color::Blocks),
        "order" => Ok(Color::Order),
        "lane" => Ok(Color::Lane),
        _ => banks_of(text).map(Color::Banks).ok_or_else(|| {
            Failure::usage(format!(
                "`{}` is not a color; write block, order, lane, or banks as 32x4, up to {} of up to {} bytes",
                cut(text),
                Banks::MOST,
                Banks::MOST_BYTES
            ))
        }),
    }
}

/// Parses `32x4`: the number of banks and the bytes of a word. A phase reads a word of each bank.
fn banks_of(text: &str) -> Option<Banks> {
    let (count, width) = text.split_once('x')?;
    let read =
        |number: &str, most| number.parse().ok().filter(|number| (1..=most).contains(number));
    let (count, width) = (read(count, Banks::MOST)?, read(width, Banks::MOST_BYTES)?);
    Some(Banks { count, width, phase_bytes: count * width })
}

fn axes_of(text: &str) -> Result<View, Failure> {
    let (rows, columns) = text
        .split_once(',')
        .ok_or_else(|| Failure::usage(format!("`{}` has no `,`; write --axes C,HW", cut(text))))?;
    Ok(View::Axes(rows.into(), columns.into()))
}

fn fold_of(text: &str) -> Result<(usize, usize), Failure> {
    let read = |(rows, columns): (&str, &str)| Some((rows.parse().ok()?, columns.parse().ok()?));
    let counts = text.split_once(',').and_then(read).filter(|own| own.0 > 0 && own.1 > 0);
    counts.ok_or_else(|| {
        Failure::usage(format!("`{}` is not two numbers from 1 on; write --fold 64,64", cut(text)))
    })
}
