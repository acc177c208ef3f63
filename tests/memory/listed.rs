//! The listing of the public interface, so that a new function that allocates is not forgotten.

use std::collections::BTreeSet;

use tensor_layout::show::{Picture, explain};
use tensor_layout::{Layout, Plan};

use crate::allocator::measured;
use crate::cases::CASES;

/// Types that own memory.
const OWNERS: [&str; 13] = [
    "alloc::vec::Vec<",
    "alloc::string::String",
    "alloc::boxed::Box<",
    "alloc::borrow::Cow<",
    "std::collections::",
    "HeapBuffer",
    "Quantized<",
    "adapters::Array<",
    "Explanation",
    "::Dlpack",
    "ndarray::Array<",
    "FixedSizeListArray",
    "ConversionPlan<",
];

/// Functions that allocate and have no case, each with the reason.
const WITHOUT_CASE: [(&str, &str); 29] = [
    ("layout_records::Record::explain", "holds the record, and allocates nothing"),
    (
        "tensor_layout::records::RecordBuilder::text",
        "returns no `Result`, and does what `String` does",
    ),
    ("tensor_layout::tensor::Tensor::zeroed", "returns no `Result`, and does what `Vec` does"),
    ("tensor_layout::tensor::Tensor::from_fn", "returns no `Result`, and does what `Vec` does"),
    ("tensor_layout::tensor::Tensor::map", "returns no `Result`, and does what `Vec` does"),
    ("tensor_layout::tensor::Tensor::default", "returns no `Result`, and does what `Vec` does"),
    ("tensor_layout::tensor::HeapBuffer::clone", "returns no `Result`, and does what `Vec` does"),
    ("tensor_layout::adapters::safetensors::Entry::data", "borrows, except on big-endian machines"),
    ("tensor_layout::adapters::dlpack::export_device", "moves a handle of a device's memory"),
    ("tensor_layout::adapters::ndarray::into_array", "moves the caller's `Vec`"),
    ("tensor_layout::tensor::Tensor::from", "moves the caller's memory"),
    ("tensor_layout::tensor::Tensor::try_from", "moves the caller's memory"),
    ("tensor_layout::adapters::arrow::into_array", "moves the buffer of the tensor"),
    (
        "tensor_layout::ConversionPlan::new",
        "keeps at most four passes, and none if memory is short: then each run plans them",
    ),
    ("tensor_layout::ConversionPlan::const_new", "allocates nothing"),
    ("tensor_layout::ConversionPlan::streaming", "moves the plan"),
    ("layout_show::Picture::to_ansi", BOUNDED),
    ("layout_show::Picture::to_html", BOUNDED),
    ("layout_show::Picture::to_svg", BOUNDED),
    ("layout_show::Picture::to_text", BOUNDED),
    ("layout_show::explain", BOUNDED),
    ("tensor_layout::Plan::explain", BOUNDED),
    ("tensor_layout::adapters::npy::header", "returns at most the 64 KiB that NumPy reads"),
    ("layout_checkpoints::Checkpoint::find_layouts", FOUND),
    (
        "layout_checkpoints::Checkpoint::read_tensor",
        "has the memory of `Tensor::zeroed_in`, after the file has named the tensor",
    ),
    ("layout_checkpoints::Repack::table", TENSORS),
    ("layout_checkpoints::Repack::warnings", TENSORS),
    ("layout_checkpoints::compare", TENSORS),
    ("layout_checkpoints::find_layouts", FOUND),
];

/// `pictures_and_texts_of_any_layout_are_small` measures these.
const BOUNDED: &str = "returns at most some hundred KiB, whatever the layout";

/// `find_layouts` says how many it returns.
const FOUND: &str = "returns at most 64 layouts";

/// The tests of `layout-cli` measure what headers take.
const TENSORS: &str =
    "returns a line for each tensor, whose names and number are bounded as headers are read";

/// Returns the text without what stands in angle brackets.
fn without_arguments(text: &str) -> String {
    let mut depth = 0usize;
    let outside = |character: &char| {
        depth += usize::from(*character == '<');
        let is_outside = depth == 0;
        depth -= usize::from(*character == '>');
        is_outside
    };
    text.chars().filter(outside).collect::<String>().replace(['&', '\''], "")
}

/// Whether a type is a tensor whose buffer is the default one: one with a single argument.
fn is_own_tensor(text: &str) -> bool {
    text.match_indices("tensor_layout::tensor::Tensor<").any(|(start, name)| {
        let mut depth = 1;
        for character in text[start + name.len()..].chars() {
            match character {
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 1 => return false,
                _ => {}
            }
            if depth == 0 {
                return true;
            }
        }
        false
    })
}

/// The function of a line of the listing, if it returns memory.
fn returns_memory(line: &str) -> Option<String> {
    let function = line.strip_prefix("pub ")?.replace("const fn ", "fn ").replace("unsafe ", "");
    let head = function.strip_prefix("fn ")?.split(" where ").next()?;
    let (call, returned) = head.rsplit_once(") -> ")?;
    let path = call.split('(').next()?.trim_start_matches('&');
    let (of, _) = path.rsplit_once("::")?;
    let returned = match returned {
        "Self" => of,
        other => other,
    };
    let returned = returned.replace("<Self,", &format!("<{of},"));
    let owns = OWNERS.iter().any(|owner| returned.contains(owner)) || is_own_tensor(&returned);
    owns.then(|| without_arguments(path))
}

#[test]
fn functions_that_return_memory_are_found() {
    let tensor = "tensor_layout::tensor::Tensor";
    let found = |line: String| returns_memory(&line);
    let name = |name: &str| Some(format!("{tensor}::{name}"));
    let own = format!("{tensor}<tensor_layout::Dynamic<E, RANK>>");
    let borrowed = format!("{tensor}<L, &[layout_types::UnitOf<L>]>");
    assert_eq!(found(format!("pub fn {tensor}<L, B>::f<M>(&self, [u8; 2]) -> {own}")), name("f"));
    assert_eq!(found(format!("pub fn {tensor}<L, B>::f(&self) -> {borrowed}")), None);
    assert_eq!(found(format!("pub fn {tensor}<L>::f(L) -> Self where L: Fn() -> L")), name("f"));
    assert_eq!(found(format!("pub fn {tensor}<L, B>::f(self) -> Self")), None);
    let list = "core::result::Result<alloc::vec::Vec<i64>, E>";
    assert_eq!(found(format!("pub unsafe fn {tensor}<L>::f(&self) -> {list}")), name("f"));
}

#[test]
fn every_function_that_returns_memory_has_a_case() {
    let mut listed = BTreeSet::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/surface");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|end| end == "txt") {
            let text = std::fs::read_to_string(path).unwrap();
            listed.extend(text.lines().filter_map(returns_memory));
        }
    }
    let known: BTreeSet<_> =
        CASES.iter().map(|case| case.name).chain(WITHOUT_CASE.map(|(name, _)| name)).collect();
    let missing: Vec<_> = listed.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "add a case, or a reason for none: {missing:#?}");
    let gone: Vec<_> = WITHOUT_CASE.iter().filter(|(name, _)| !listed.contains(*name)).collect();
    assert!(gone.is_empty(), "not in the listing: {gone:#?}");
    assert!(listed.len() > 30, "{listed:?}");
}

#[test]
fn pictures_and_texts_of_any_layout_are_small() {
    let texts = [
        "NCHW<1, 1, 1, 1>, u8",
        "NCHW4<1048576, 1023, 1024, 1>, i8, pad",
        "ABCDEFGH<32, 32, 32, 32, 32, 32, 32, 32>, u1",
        "MK<8388608, 64>, f16, swizzle(3, 3, 3)",
        "NCHW<0, 1125899906842624, 1024, 1>, f32",
        "NCHW<64, 64, 1024, 1024>, i8, lanes(C, 64)",
    ];
    for text in texts {
        let layout = Layout::parse(text).unwrap();
        let ((), counts) = measured(|| {
            for picture in [Picture::of(&layout), Picture::memory(&layout)] {
                let picture = picture.fold(usize::MAX, usize::MAX);
                picture.to_text();
                picture.to_ansi();
                picture.to_svg();
                picture.to_html();
            }
            if let Some(picture) = Picture::lanes(&layout) {
                picture.to_svg();
            }
            explain(&layout).to_string();
            let plan = Plan::new(&layout, &layout).unwrap();
            plan.explain().to_string();
        });
        assert!(counts.peak < 8 << 20, "{text}: {counts:?}");
    }
}
