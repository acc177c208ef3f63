//! The arguments of the program.

use std::ffi::OsString;

use tensor_layout::Layout;
use tensor_layout::access::Banks;
use tensor_layout::records::Record;
use tensor_layout::show::Color;

use crate::arguments::{Arguments, COMMANDS, input_text, text_of};
use crate::failure::{Failure, cut};

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
pub(crate) struct PictureOptions {
    pub(crate) subject: Subjects,
    pub(crate) form: AnswerForm,
    pub(crate) view: PictureView,
    pub(crate) color_by: Option<Color>,
    pub(crate) fold: (usize, usize),
    /// `None` where the output decides.
    pub(crate) is_colored: Option<bool>,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub(crate) enum Subjects {
    Layout(Layout),
    Relayout(Layout, Layout),
    /// One, or source and destination.
    Records(Vec<Record>),
}

/// What the cells of a picture are.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum PictureView {
    /// Coordinates, of two layouts offsets.
    Usual,
    Memory,
    Lanes,
    Access(String),
    Axes(String, String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerForm {
    Text,
    Svg,
    Html,
    Explanation,
}

impl PictureOptions {
    /// Reads the options of a picture.
    pub(crate) fn of(arguments: &Arguments) -> Result<Self, Failure> {
        let form = arguments.one_of(&["--text", "--svg", "--html", "--explain"])?;
        let view = arguments.one_of(&["--memory", "--lanes", "--access", "--axes"])?;
        let value = |name| Ok(arguments.value(name)?.unwrap_or_default());
        let new = Self {
            subject: Subjects::parse(&arguments.files)?,
            form: match form {
                Some("--svg") => AnswerForm::Svg,
                Some("--html") => AnswerForm::Html,
                Some("--explain") => AnswerForm::Explanation,
                _ => AnswerForm::Text,
            },
            view: match view {
                Some("--memory") => PictureView::Memory,
                Some("--lanes") => PictureView::Lanes,
                Some("--access") => PictureView::Access(value("--access")?.into()),
                Some("--axes") => axes_of(value("--axes")?)?,
                _ => PictureView::Usual,
            },
            color_by: arguments.value("--color-by")?.map(color_of).transpose()?,
            fold: arguments.value("--fold")?.map_or(Ok((64, 64)), fold_of)?,
            is_colored: arguments.value("--color")?.map_or(Ok(None), when_of)?,
        };
        let wrong = match (&new.subject, view) {
            (Subjects::Relayout(..) | Subjects::Records(_), Some(name)) => {
                format!("`{name}` is a picture of one layout; leave it out, or name one layout")
            }
            (Subjects::Records(_), _) if new.color_by.is_some() => {
                "records have a color for each field; leave out `--color-by`".into()
            }
            _ => return Ok(new),
        };
        Err(Failure::Usage(wrong))
    }
}

impl Subjects {
    fn parse(arguments: &[OsString]) -> Result<Self, Failure> {
        let text = |argument: &OsString| match argument == "-" {
            true => input_text(),
            false => text_of(argument).map(String::from),
        };
        let arguments = arguments.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        if let [word, _, ..] = &arguments[..]
            && !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
        {
            let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
            return Err(Failure::usage(format!(
                "no command is named `{}`; write {}, or the layout first: layout LAYOUT --explain",
                cut(word),
                names.join(", ")
            )));
        }
        let read = |text: &str| {
            text.parse::<Layout>().map_err(|error| match std::path::Path::new(text).is_file() {
                true => {
                    let name = cut(text);
                    Failure::usage(format!("`{name}` is a file; write layout inspect FILE, or layout FILE '=>' LAYOUT -o OUTPUT"))
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
pub(crate) fn is_record(text: &str) -> bool {
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

fn axes_of(text: &str) -> Result<PictureView, Failure> {
    let (rows, columns) = text
        .split_once(',')
        .ok_or_else(|| Failure::usage(format!("`{}` has no `,`; write --axes C,HW", cut(text))))?;
    Ok(PictureView::Axes(rows.into(), columns.into()))
}

fn fold_of(text: &str) -> Result<(usize, usize), Failure> {
    let read = |(rows, columns): (&str, &str)| Some((rows.parse().ok()?, columns.parse().ok()?));
    let counts = text.split_once(',').and_then(read).filter(|sizes| sizes.0 > 0 && sizes.1 > 0);
    counts.ok_or_else(|| {
        Failure::usage(format!("`{}` is not two numbers from 1 on; write --fold 64,64", cut(text)))
    })
}
