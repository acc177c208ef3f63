//! Moves a photograph through four memory layouts and back.
//!
//! `cargo run --release --example pack_image [PICTURE.png [CHANNELS.png]]`

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bytemuck::Zeroable;
use image::imageops::thumbnail;
use image::{GrayImage, ImageFormat, RgbImage};
use tensor_layout::{
    Conversion, ConversionPlan, ElementType, Layout, LayoutError, Number, Plan, Relayout, convert,
    layout, relayout,
};

const DEFAULT_PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/chelsea.png");

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match run(&arguments, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pack_image: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[OsString], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (source, target) = match arguments {
        [] => (Path::new(DEFAULT_PICTURE), default_target()),
        [source] => (Path::new(source), default_target()),
        [source, target] => (Path::new(source), PathBuf::from(target)),
        _ => return Err("usage: pack_image [PICTURE.png [CHANNELS.png]]".into()),
    };
    let picture = read_picture(source)?;
    writeln!(out, "{}: {} x {} pixels\n", source.display(), picture.width(), picture.height())?;
    let channels = pack(&picture, out)?;
    pack_for_a_network(&picture, out)?;
    write_picture(&channels, &target)?;
    writeln!(out, "\nThe channels as grey pictures, side by side: {}", target.display())?;
    Ok(())
}

/// Moves a picture of any size, through layouts made at run time. Returns its channels side by side.
fn pack(picture: &RgbImage, out: &mut impl Write) -> Result<GrayImage, Box<dyn Error>> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);

    // Extents are in coordinate order, [n, c, h, w], whatever the memory order.
    let extents = [1, 3, height, width];
    let nhwc = Layout::of("NHWC", &extents, ElementType::U8)?;
    let nchw4 = Layout::builder("NCHW4", ElementType::U8).pad(0).extents(&extents)?;
    let nchw_f32 = Layout::of("NCHW", &extents, ElementType::F32)?;
    // In NHCW, each row holds the rows of all channels. As a picture, that is the channels side by side.
    let nhcw = Layout::of("NHCW", &extents, ElementType::U8)?;
    print_facts(&[nhwc, nchw4, nchw_f32, nhcw], out)?;

    // Moves bytes to blocks of four channels, and back. The fourth channel is padding.
    let pixels: &[u8] = picture.as_raw();
    let packed = moved(&nhwc, &nchw4, pixels)?;
    check_same(pixels, &moved(&nchw4, &nhwc, &packed)?)?;
    writeln!(out, "NHWC u8 -> NCHW4 u8 -> NHWC u8: identical")?;

    // Converts bytes to floats from 0 to 1, and back, each in one pass.
    let to_floats = Conversion::normalize(0.0, 1.0 / 255.0);
    let planes = converted::<u8, f32>(&nhwc, &nchw_f32, &to_floats, pixels)?;
    let to_bytes = Conversion::quantize(1.0 / 255.0, 0);
    let bytes = converted::<f32, u8>(&nchw_f32, &nhwc, &to_bytes, &planes)?;
    check_same(pixels, &bytes)?;
    writeln!(out, "NHWC u8 -> NCHW f32 -> NHWC u8: identical")?;

    let side_by_side = moved(&nchw4, &nhcw, &packed)?;
    GrayImage::from_raw(3 * picture.width(), picture.height(), side_by_side)
        .ok_or_else(|| "the channels do not make a picture".into())
}

/// Returns the tensor in `elements` moved to another layout.
fn moved<T: bytemuck::Pod>(
    from: &Layout,
    to: &Layout,
    elements: &[T],
) -> Result<Vec<T>, LayoutError> {
    let plan = Plan::new(from, to)?;
    let mut moved = vec![T::zeroed(); to.units()];
    relayout(&plan, elements, &mut moved)?;
    Ok(moved)
}

/// Returns the tensor in `elements` converted to another layout and element type.
fn converted<S: Number, D: Number>(
    from: &Layout,
    to: &Layout,
    conversion: &Conversion<'_>,
    elements: &[S::Unit],
) -> Result<Vec<D::Unit>, LayoutError> {
    let plan = ConversionPlan::<S, D>::new(from, to, conversion)?;
    let mut moved = vec![D::Unit::zeroed(); to.units()];
    convert(&plan, elements, &mut moved)?;
    Ok(moved)
}

fn check_same(before: &[u8], after: &[u8]) -> Result<(), &'static str> {
    if before == after { Ok(()) } else { Err("the way back changed the picture") }
}

// A network needs one size. With a size known at compile time, the layout is a type: offsets become plain
// arithmetic, buffers become arrays, and a mismatched layout is a compile error.
type Thumbnail = layout!(NHWC<1, 3, 64, 64>, u8);
type Input = layout!(NCHW4<1, 3, 64, 64>, u8, pad);

#[derive(Relayout)]
#[relayout(Thumbnail => Input)]
struct Pack;

fn pack_for_a_network(picture: &RgbImage, out: &mut impl Write) -> io::Result<()> {
    let small = thumbnail(picture, 64, 64);
    let mut pixels = [0; Thumbnail::LEN];
    pixels.copy_from_slice(small.as_raw());
    let mut input = [0; Input::LEN];
    Pack::run(&pixels, &mut input);

    let green_of_the_middle = input[Input::offset([0, 1, 32, 32])];
    writeln!(out, "As {}: green is {green_of_the_middle} in the middle", Input::LAYOUT)
}

/// Prints one line for each layout.
fn print_facts(layouts: &[Layout], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:33} {:>9} {:>9}  memory order: stride", "layout", "bytes", "padding")?;
    for layout in layouts {
        let padding = layout.bytes() - layout.count() * layout.element().bits() / 8;
        let name = layout.to_string();
        let order = memory_order(layout);
        writeln!(out, "{name:33} {:9} {padding:9}  {order}", layout.bytes())?;
    }
    writeln!(out)
}

/// Returns the digits from slowest to fastest with their strides in elements: `C/4: 36, H: 12, W: 4, C%4: 1`.
fn memory_order(layout: &Layout) -> String {
    let blocks = |axis| layout.digits().iter().filter(|digit| digit.axis == axis).count() > 1;
    let steps = layout.digits().iter().map(|digit| {
        let letter = layout.letters().at(digit.axis);
        match digit.weight {
            1 if blocks(digit.axis) => format!("{letter}%{}: {}", digit.size, digit.stride),
            1 => format!("{letter}: {}", digit.stride),
            weight => format!("{letter}/{weight}: {}", digit.stride),
        }
    });
    steps.collect::<Vec<_>>().join(", ")
}

/// Reads the picture in a PNG file. Gray, transparent and 16-bit pictures become 8-bit RGB.
fn read_picture(path: &Path) -> Result<RgbImage, String> {
    let bytes =
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let picture = image::load_from_memory_with_format(&bytes, ImageFormat::Png)
        .map_err(|error| format!("cannot decode {} as PNG: {error}", path.display()))?;
    Ok(picture.into_rgb8())
}

fn write_picture(picture: &GrayImage, path: &Path) -> Result<(), String> {
    let fail = |error: &dyn Error| format!("cannot write {}: {error}", path.display());
    let mut bytes = Vec::new();
    picture
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .map_err(|error| fail(&error))?;
    fs::write(path, bytes).map_err(|error| fail(&error))
}

/// In cargo's target folder, if it exists.
fn default_target() -> PathBuf {
    let built = Path::new("target");
    let folder = if built.is_dir() { built.to_path_buf() } else { std::env::temp_dir() };
    folder.join("channels.png")
}
