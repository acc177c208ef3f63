//! The jobs of the cookbook at other sizes, against what numpy computes: `files/recipes.py` wrote the files. `packed`
//! has jobs with a table of what is expected.

mod camera;
mod formats;
mod kernels;
mod packed;
mod weights;

use std::fs::File;
use std::io::BufReader;

use tensor_layout::adapters::npy;
use tensor_layout::{FormatType, Tensor};

fn path(name: &str) -> String {
    format!("{}/files/recipes/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn open(name: &str) -> npy::File<BufReader<File>> {
    let path = path(&format!("{name}.npy"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    npy::File::open(BufReader::new(file)).unwrap()
}

/// An array whose axes, slowest first, are those of `format`, in another layout.
fn load<L: FormatType>(name: &str, format: &str) -> Tensor<L> {
    open(name).array().unwrap().to_layout(format).unwrap()
}

/// Whether floats are as near to one another as two orders of summation.
fn is_near(ours: f32, expected: f32) -> bool {
    (ours - expected).abs() <= 1e-5 * expected.abs().max(1.0)
}
