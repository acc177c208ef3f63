//! Pictures that stand in documents.

use tensor_layout::show::Picture;
use tensor_layout::{Layout, layout, picture};

/// That a file of the repository is this picture.
fn check_file(name: &str, svg: &str) {
    let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("PICTURES").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, svg).expect("the file can be written");
    }
    let file = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(file == svg, "{name} is old; run the test with PICTURES=overwrite and look at it");
}

/// The first picture of the README.
#[test]
fn the_readme_shows_what_the_library_makes() {
    let layout = |text: &str| text.parse::<Layout>().expect("a layout");
    let (image, packed) =
        (layout("NHWC<N = 1, C = 3, H = 2, W = 4>, u8"), layout("NCHW4<1, 3, 2, 4>, u8, pad"));
    let svg = Picture::relayout(&image, &packed).expect("the same axes").to_svg() + "\n";
    check_file("docs/relayout.svg", &svg);
}

tensor_layout::place! {
    struct Conv in bm1684x {
        WEIGHTS: layout!(OIHW<64, 32, 3, 3>, f16, bm1684x::ic) = 0x3c000,
        INPUT: layout!(NCHW<1, 32, 112, 112>, f16, bm1684x::aligned),
        OUTPUT: layout!(NCHW<1, 64, 112, 112>, f16, bm1684x::aligned),
        apart(WEIGHTS, INPUT, OUTPUT),
    }
}

/// The picture of a local memory in the guide: macros cannot draw what `place!` finds.
#[test]
fn the_guide_shows_a_local_memory() {
    const { assert!(Conv::INPUT < Conv::OUTPUT && Conv::OUTPUT < Conv::WEIGHTS) };
    check_file("src/guide/local_memory.svg", &Picture::local_memory(&Conv::MAP).to_svg());
}

tensor_layout::picture! {
    /// A type and its picture are one layout.
    #[allow(dead_code)]
    pub(crate) type Drawn = NCHW4<1, 6, 2, 2>, i8, pad = -1; color = order
}

#[test]
fn a_picture_declares_a_type() {
    assert_eq!(Drawn::LAYOUT, <layout!(NCHW4<1, 6, 2, 2>, i8, pad = -1)>::LAYOUT);
}

/// `picture!` is the picture of the library, as a block that Markdown takes.
#[test]
fn the_macro_draws_what_the_library_draws() {
    let svg = |text: &str| Picture::of(&text.parse().expect("a layout")).to_svg();
    let block = |svg: String| format!("\n\n<div style=\"overflow-x:auto\">{svg}</div>\n\n\n");
    const ACT: &str = picture!(NCHW4<1, 6, 2, 2>, i8, pad = -1);
    assert_eq!(ACT, block(svg("NCHW4<1, 6, 2, 2>, i8, pad = -1")));
    const FLIPPED: &str = picture!(MK<2, 3>, f16, strides = [3, -1]);
    assert_eq!(FLIPPED, block(svg("MK<2, 3>, f16, strides = [3, -1]")));
    const LANES: &str = picture!(NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 62));
    assert_eq!(LANES, block(svg("NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 62)")));

    let layout = |text: &str| text.parse::<Layout>().expect("a layout");
    let (rows, columns) = (layout("MK<4, 4>, u8"), layout("KM<M = 4, K = 4>, u8"));
    const MOVED: &str = picture!(MK<4, 4>, u8 => KM<M = 4, K = 4>, u8);
    assert_eq!(MOVED, block(Picture::relayout(&rows, &columns).expect("the same axes").to_svg()));
    const MEMORY: &str = picture!(KM<M = 4, K = 4>, u8; memory);
    assert_eq!(MEMORY, block(Picture::memory(&columns).to_svg()));
    const TURNED: &str = picture!(MK<4, 4>, u8; rows = K, columns = M);
    assert_eq!(TURNED, block(Picture::with_axes(&rows, "K", "M").expect("axes").to_svg()));
}
