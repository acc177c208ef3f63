//! The arguments of the program.

use tensor_layout::Layout;
use tensor_layout::access::Banks;
use tensor_layout::show::Color;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Explains and draws a layout, or a relayout between two layouts.

usage: layout LAYOUT [OPTIONS]
       layout LAYOUT '=>' LAYOUT [OPTIONS]

A LAYOUT is written as in `layout!` and as layouts print: 'NCHW4<1, 8, 2, 3>, i8'

  --text              explanation and picture as text, in color on a terminal (default)
  --svg, --html       the picture alone, as SVG or HTML
  --explain           the explanation alone
  --memory            a cell for each offset of the buffer, not for each coordinate
  --lanes             a row for each lane of an accelerator
  --access AXES       the banks of shared memory that an instruction reads; the coordinates of these axes are its
                      lanes; --color 64x4 for other banks than 32 of 4 bytes
  --axes ROWS,COLUMNS the axes that count rows and columns: --axes C,HW
  --color WHAT        block (default), order (default of two), lane, or banks as 32x4
  --fold ROWS,COLUMNS maximal numbers of rows and columns in a panel (default 64,64)
  --ansi, --plain     text with escape codes for 24-bit color, or without (default: with them on a terminal, unless
                      NO_COLOR is set or TERM is dumb)

Of --memory, --lanes, --access and --axes one is written at most, and none of two layouts.
";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) subject: Subject,
    pub(crate) form: Form,
    pub(crate) view: View,
    pub(crate) color: Option<Color>,
    pub(crate) fold: (usize, usize),
    pub(crate) ansi: Option<bool>,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub(crate) enum Subject {
    Layout(Layout),
    Relayout(Layout, Layout),
}

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
    pub(crate) fn parse(arguments: &[String]) -> Result<Option<Self>, String> {
        let (mut form, mut view) = (Form::Text, None);
        let (mut color, mut fold, mut ansi) = (None, (64, 64), None);
        let mut layouts = Vec::new();
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or_else(|| format!("`{argument}` has no value; see layout --help"))
            };
            let new = match argument {
                "--memory" => Some(View::Memory),
                "--lanes" => Some(View::Lanes),
                "--access" => Some(View::Access(value()?.to_owned())),
                "--axes" => Some(axes_of(value()?)?),
                _ => None,
            };
            if let Some(new) = new {
                match view {
                    Some((before, _)) => {
                        return Err(format!(
                            "`{before}` and `{argument}` are two pictures; leave out one of them"
                        ));
                    }
                    None => view = Some((argument, new)),
                }
                continue;
            }
            match argument {
                "--help" | "-h" => return Ok(None),
                "--text" => form = Form::Text,
                "--svg" => form = Form::Svg,
                "--html" => form = Form::Html,
                "--explain" => form = Form::Explanation,
                "--ansi" => ansi = Some(true),
                "--plain" => ansi = Some(false),
                "--color" => color = Some(color_of(value()?)?),
                "--fold" => fold = fold_of(value()?)?,
                _ if argument.starts_with("--") => {
                    return Err(format!("`{argument}` is not an option; see layout --help"));
                }
                _ => layouts.push(argument),
            }
        }
        let subject = Subject::parse(&layouts)?;
        let view = match (view, &subject) {
            (None, _) => View::Usual,
            (Some((name, _)), Subject::Relayout(..)) => {
                return Err(format!(
                    "`{name}` is a picture of one layout; leave it out, or name one layout"
                ));
            }
            (Some((_, view)), Subject::Layout(_)) => view,
        };
        Ok(Some(Self { subject, form, view, color, fold, ansi }))
    }
}

impl Subject {
    fn parse(arguments: &[&str]) -> Result<Self, String> {
        let read = |text: &str| {
            text.parse::<Layout>().map_err(|error| format!("in `{}`, {error}", cut(text)))
        };
        // One argument may hold both: 'A => B'.
        let all = arguments.join(" ");
        match all.split("=>").map(str::trim).collect::<Vec<_>>()[..] {
            [""] => Err("no layout given; see layout --help".into()),
            [_] if arguments.len() > 1 => {
                Err("two layouts without `=>` between them; write LAYOUT '=>' LAYOUT".into())
            }
            [layout] => Ok(Self::Layout(read(layout)?)),
            [source, destination] => Ok(Self::Relayout(read(source)?, read(destination)?)),
            _ => Err("more than one `=>`; write LAYOUT '=>' LAYOUT".into()),
        }
    }
}

/// Text that fits into a line.
fn cut(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn color_of(text: &str) -> Result<Color, String> {
    match text {
        "block" => Ok(Color::Blocks),
        "order" => Ok(Color::Order),
        "lane" => Ok(Color::Lane),
        _ => banks_of(text).map(Color::Banks).ok_or_else(|| {
            format!("`{text}` is not a color; write block, order, lane, or banks as 32x4")
        }),
    }
}

/// Parses `32x4`: the number of banks and the bytes of a word.
fn banks_of(text: &str) -> Option<Banks> {
    let (count, width) = text.split_once('x')?;
    let (count, width) = (count.parse().ok()?, width.parse().ok()?);
    let fits = count > 0 && count <= Banks::MOST && width > 0 && width <= 1024;
    fits.then_some(Banks { count, width, phase_bytes: count * width })
}

fn axes_of(text: &str) -> Result<View, String> {
    let (rows, columns) =
        text.split_once(',').ok_or_else(|| format!("`{text}` has no `,`; write --axes C,HW"))?;
    Ok(View::Axes(rows.into(), columns.into()))
}

fn fold_of(text: &str) -> Result<(usize, usize), String> {
    let read = |(rows, columns): (&str, &str)| Some((rows.parse().ok()?, columns.parse().ok()?));
    let counts = text.split_once(',').and_then(read);
    counts.ok_or_else(|| format!("`{text}` is not two numbers; write --fold 64,64"))
}
