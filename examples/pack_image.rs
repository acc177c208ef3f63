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

use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use tensor_layout::plain::{self, Plain};
use tensor_layout::{
    Conversion, ConversionPlan, ElementType, Layout, LayoutError, Number, Plan, Relayout, layout,
    tensor,
};

const DEFAULT_PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/chelsea.png");
/// Larger pictures are refused: a damaged file may ask for any size.
const LARGEST: usize = 1 << 30;

/// Rows of pixels, each of which has one byte (gray) or three (red, green, blue).
struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

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
    writeln!(out, "{}: {} x {} pixels\n", source.display(), picture.width, picture.height)?;
    let channels = pack(&picture, out)?;
    pack_for_a_network(&picture, out)?;
    write_picture(&channels, &target)?;
    writeln!(out, "\nThe channels as grey pictures, side by side: {}", target.display())?;
    Ok(())
}

/// Moves a picture of any size, through layouts made at run time. Returns its channels side by side.
fn pack(picture: &Picture, out: &mut impl Write) -> Result<Picture, Box<dyn Error>> {
    let &Picture { width, height, .. } = picture;

    // Extents are in coordinate order, [n, c, h, w], whatever the memory order.
    let extents = [1, 3, height, width];
    let nhwc = Layout::of("NHWC", &extents, ElementType::U8)?;
    let nchw4 = Layout::builder("NCHW4", ElementType::U8).pad(0).extents(&extents)?;
    let nchw_f32 = Layout::of("NCHW", &extents, ElementType::F32)?;
    // In NHCW, each row holds the rows of all channels. As a picture, that is the channels side by side.
    let nhcw = Layout::of("NHCW", &extents, ElementType::U8)?;
    print_facts(&[nhwc, nchw4, nchw_f32, nhcw], out)?;

    // Moves bytes to blocks of four channels, and back. The fourth channel is padding.
    let pixels = &picture.bytes[..];
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

    Ok(Picture { width: 3 * width, height, bytes: moved(&nchw4, &nhcw, &packed)? })
}

/// Returns the tensor in `elements` moved to another layout.
fn moved<T: Plain>(from: &Layout, to: &Layout, elements: &[T]) -> Result<Vec<T>, LayoutError> {
    let plan = Plan::new(from, to)?;
    let mut moved = vec![plain::zero(); to.units()];
    plan.run(elements, &mut moved)?;
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
    let mut moved = vec![plain::zero::<D::Unit>(); to.units()];
    plan.run(elements, &mut moved)?;
    Ok(moved)
}

fn check_same(before: &[u8], after: &[u8]) -> Result<(), &'static str> {
    if before == after { Ok(()) } else { Err("the way back changed the picture") }
}

// A network needs one size. With a size known at compile time, the layout is a type: offsets become plain
// arithmetic, buffers become arrays, and a mismatched layout is a compile error.
type Thumbnail = layout!(NHWC<N = 1, C = 3, H = 64, W = 64>, u8);
type Input = layout!(NCHW4<1, 3, 64, 64>, u8, pad);

#[derive(Relayout)]
#[relayout(Thumbnail => Input)]
struct Pack;

fn pack_for_a_network(picture: &Picture, out: &mut impl Write) -> io::Result<()> {
    let mut small = <tensor!(Thumbnail)>::default();
    for [n, c, h, w] in Thumbnail::coordinates() {
        let (y, x) = (h * picture.height / 64, w * picture.width / 64);
        small[[n, c, h, w]] = picture.bytes[3 * (y * picture.width + x) + c];
    }
    let mut input = <tensor!(Input)>::default();
    Pack::run(&small, &mut input);

    let green_of_the_middle = input[[0, 1, 32, 32]];
    writeln!(out, "As {}: green is {green_of_the_middle} in the middle", Input::LAYOUT)
}

/// Prints one line for each layout.
fn print_facts(layouts: &[Layout], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:41} {:>9} {:>9}  memory order: stride", "layout", "bytes", "padding")?;
    for layout in layouts {
        let padding = layout.bytes() - layout.numel() * layout.element().bits() / 8;
        let name = layout.to_string();
        let order = memory_order(layout);
        writeln!(out, "{name:41} {:9} {padding:9}  {order}", layout.bytes())?;
    }
    writeln!(out)
}

/// Returns the digits from slowest to fastest with their strides in elements: `C/4: 36, H: 12, W: 4, C%4: 1`.
fn memory_order(layout: &Layout) -> String {
    let digits = layout.digits();
    let blocks = |axis| digits.iter().filter(|digit| digit.axis == axis).count() > 1;
    let steps = digits.iter().map(|digit| {
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
fn read_picture(path: &Path) -> Result<Picture, String> {
    let bytes =
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    decode(&bytes).map_err(|error| format!("cannot decode {} as PNG: {error}", path.display()))
}

fn decode(bytes: &[u8]) -> Result<Picture, Box<dyn Error>> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let size = reader.output_buffer_size().filter(|&size| size <= LARGEST);
    let mut bytes = vec![0; size.ok_or("the picture has more than 1 GiB")?];
    let info = reader.next_frame(&mut bytes)?;
    bytes.truncate(info.buffer_size());

    let samples = info.color_type.samples();
    if samples != 3 {
        // One gray sample or four of color; two are one and transparency.
        let color = |pixel: &[u8]| {
            if samples == 4 { [pixel[0], pixel[1], pixel[2]] } else { [pixel[0]; 3] }
        };
        bytes = bytes.chunks_exact(samples).flat_map(color).collect();
    }
    Ok(Picture { width: info.width as usize, height: info.height as usize, bytes })
}

fn write_picture(gray: &Picture, path: &Path) -> Result<(), String> {
    let fail = |error: &dyn Error| format!("cannot write {}: {error}", path.display());
    let bytes = encode(gray).map_err(|error| fail(&*error))?;
    fs::write(path, bytes).map_err(|error| fail(&error))
}

fn encode(gray: &Picture) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, gray.width.try_into()?, gray.height.try_into()?);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    encoder.write_header()?.write_image_data(&gray.bytes)?;
    Ok(bytes)
}

/// In cargo's target folder, if it exists.
fn default_target() -> PathBuf {
    let built = Path::new("target");
    let folder = if built.is_dir() { built.to_path_buf() } else { std::env::temp_dir() };
    folder.join("channels.png")
}
