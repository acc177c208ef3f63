//! The example `pack_image`, run as a command: on its photograph, on other kinds of picture, and on a file that is
//! not a picture.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use image::{GrayImage, ImageFormat, LumaA, Rgb, Rgba};

use super::{Outcome, empty_directory, run};

const PHOTOGRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/chelsea.png");

fn pack_image(directory: &Path, arguments: &[&OsStr]) -> Outcome {
    run("pack_image", directory, arguments)
}

fn read_channels(path: &Path) -> GrayImage {
    image::open(path).expect("the channels are a picture").into_luma8()
}

#[test]
fn the_photograph_comes_back_and_its_channels_are_written() {
    let directory = empty_directory("pack_image/photograph");
    let Outcome { success, out, errors } =
        pack_image(&directory, &[PHOTOGRAPH.as_ref(), "channels.png".as_ref()]);
    assert!(success, "{errors}");
    assert_eq!(errors, "");
    for line in [
        "NHWC<N = 1, C = 3, H = 300, W = 451>, u8     405900         0  N: 405900, H: 1353, W: 3, C: 1",
        "NCHW4c<1, 3, 300, 451>, u8, pad              541200    135300  N: 541200, C/4: 541200, H: 1804, W: 4, C%4: 1",
        "NCHW<1, 3, 300, 451>, f32                   1623600         0  N: 405900, C: 135300, H: 451, W: 1",
        "NHWC u8 -> NCHW4 u8 -> NHWC u8: identical",
        "NHWC u8 -> NCHW f32 -> NHWC u8: identical",
        "The channels as grey pictures, side by side: channels.png",
    ] {
        assert!(out.lines().any(|own| own == line), "no line {line:?} in:\n{out}");
    }
    let photograph = image::open(PHOTOGRAPH).expect("the photograph is there").into_rgb8();
    let channels = read_channels(&directory.join("channels.png"));
    assert_eq!(channels.dimensions(), (3 * 451, 300));
    for (x, y, pixel) in photograph.enumerate_pixels() {
        let side_by_side = [0, 1, 2].map(|channel| channels.get_pixel(channel * 451 + x, y)[0]);
        assert_eq!(side_by_side, pixel.0, "at {x}, {y}");
    }
}

#[test]
fn the_channels_go_beside_the_build_if_there_is_one() {
    let directory = empty_directory("pack_image/target");
    fs::create_dir(directory.join("target")).expect("the directory can be made");
    assert!(pack_image(&directory, &[]).success);
    assert_eq!(read_channels(&directory.join("target/channels.png")).dimensions(), (1353, 300));
}

#[test]
fn pictures_of_every_kind_become_rgb() {
    let directory = empty_directory("pack_image/kinds");
    let path = |name: &str| directory.join(name);
    GrayImage::from_pixel(2, 3, [9].into()).save(path("grey.png")).unwrap();
    image::ImageBuffer::from_pixel(2, 3, Rgba([1u8, 2, 3, 4])).save(path("rgba.png")).unwrap();
    image::ImageBuffer::from_pixel(2, 3, Rgb([257u16, 514, 771])).save(path("deep.png")).unwrap();
    image::ImageBuffer::from_pixel(2, 3, LumaA([5u8, 6])).save(path("shade.png")).unwrap();
    for (name, rgb) in [
        ("grey.png", [9, 9, 9]),
        ("rgba.png", [1, 2, 3]),
        ("deep.png", [1, 2, 3]),
        ("shade.png", [5, 5, 5]),
    ] {
        let result = pack_image(&directory, &[name.as_ref(), "out.png".as_ref()]);
        assert!(result.success, "{name}: {}", result.errors);
        let channels = read_channels(&path("out.png"));
        assert_eq!(channels.dimensions(), (6, 3), "{name}");
        assert_eq!([0, 2, 4].map(|x| channels.get_pixel(x, 2)[0]), rgb, "{name}");
    }
}

#[test]
fn what_cannot_be_done_is_one_clear_line() {
    let directory = empty_directory("pack_image/mistakes");
    let photograph = fs::read(PHOTOGRAPH).expect("the photograph is there");
    let half = &photograph[..photograph.len() / 2];
    fs::write(directory.join("half.png"), half).unwrap();
    fs::write(directory.join("empty.png"), "").unwrap();
    fs::write(directory.join("text.png"), "not a picture\n").unwrap();
    fs::create_dir(directory.join("directory")).unwrap();
    let mut other = Vec::new();
    GrayImage::new(1, 1).write_to(&mut std::io::Cursor::new(&mut other), ImageFormat::Png).unwrap();
    // Another size than the one that the checksum is of.
    other[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    fs::write(directory.join("damaged.png"), other).unwrap();

    for (arguments, start) in [
        (&["missing.png"][..], "pack_image: cannot read missing.png: "),
        (&["directory"], "pack_image: cannot read directory: "),
        (&[""], "pack_image: cannot read : "),
        (&["text.png"], "pack_image: cannot decode text.png as PNG: "),
        (&["empty.png"], "pack_image: cannot decode empty.png as PNG: "),
        (&["half.png"], "pack_image: cannot decode half.png as PNG: "),
        (&["damaged.png"], "pack_image: cannot decode damaged.png as PNG: "),
        (&[PHOTOGRAPH, "nowhere/out.png"], "pack_image: cannot write nowhere/out.png: "),
        (&[PHOTOGRAPH, "directory"], "pack_image: cannot write directory: "),
        (&["a", "b", "c"], "pack_image: usage: "),
    ] {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        let Outcome { success, errors, .. } = pack_image(&directory, &arguments);
        assert!(!success, "{arguments:?}");
        assert!(errors.starts_with(start), "{arguments:?}: {errors:?}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors:?}");
        assert!(errors.trim_end().len() > start.len(), "{arguments:?} gave no reason: {errors:?}");
    }
    assert!(!directory.join("channels.png").exists());
}
