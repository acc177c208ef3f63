use tensor_layout::spec::{AxisExtent, Factor};
use tensor_layout::typed::{Coordinate, ExtentList, Order};

struct Extents;

impl ExtentList<0> for Extents {
    const AXES: [AxisExtent; 0] = [];
}

struct Factors;

impl Order for Factors {
    const FACTORS: &'static [Factor] = &[];
    const FILL: Option<u64> = None;
    type List = ();
}

#[derive(Clone, Copy)]
struct Index;

impl AsRef<[usize]> for Index {
    fn as_ref(&self) -> &[usize] {
        &[]
    }
}

impl AsMut<[usize]> for Index {
    fn as_mut(&mut self) -> &mut [usize] {
        &mut []
    }
}

impl From<&[usize]> for Index {
    fn from(_: &[usize]) -> Self {
        Self
    }
}

impl Coordinate for Index {
    const ORIGIN: Self = Self;
}

fn main() {}
