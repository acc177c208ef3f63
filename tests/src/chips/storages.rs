//! The storages of every chip against their vendors' formulas, written down directly: where each
//! element lies, strides, rows and sizes, for all start lanes and element types.

use tensor_layout::chip::{CHIPS, Chip, LaneTensor, Storage};
use tensor_layout::{ElementType, Format, Layout};

/// A chip of our own, so small that shapes of a few elements wrap around its lanes.
pub(super) const SMALL: Chip =
    Chip { name: "small", lanes: 4, lane_bytes: 1024, banks: 4, alignment: 8, kernel_bytes: 4 };

/// The table of chips as their documents print it: lanes, KiB of a lane, banks, bytes of alignment,
/// and P for int8.
#[test]
fn chips() {
    let printed = [
        ("bm1684x", 64, 256, 16, 64, 64),
        ("bm1688", 32, 128, 16, 16, 32),
        ("cv186x", 32, 128, 16, 16, 32),
        ("bm1690", 64, 256, 16, 64, 64),
        ("sg2380", 32, 128, 16, 16, 32),
    ];
    assert_eq!(CHIPS.len(), printed.len());
    for (name, lanes, kib, banks, alignment, p) in printed {
        let chip = Chip::named(name).unwrap();
        assert_eq!((chip.name, chip.lanes, chip.lane_bytes), (name, lanes, kib * 1024));
        assert_eq!((chip.banks, chip.alignment), (banks, alignment));
        assert_eq!(chip.channels_together(ElementType::I8), p);
        assert_eq!(chip.check(), Ok(()));
        let bank = kib * 1024 / banks;
        for (address, number) in
            [(0, 0), (bank - 1, 0), (bank, 1), (chip.lane_bytes - 1, banks - 1)]
        {
            assert_eq!(chip.bank_of(address), number, "{name}: {address}");
        }
        assert_eq!(chip.banks_of(bank - 1, 2), (0, 2));
    }
}

const NUMBERS: [(ElementType, usize); 9] = [
    (ElementType::I8, 1),
    (ElementType::U8, 1),
    (ElementType::I16, 2),
    (ElementType::U16, 2),
    (ElementType::F16, 2),
    (ElementType::BF16, 2),
    (ElementType::I32, 4),
    (ElementType::U32, 4),
    (ElementType::F32, 4),
];

/// `x` rounded up to a multiple of `a`.
fn al(x: usize, a: usize) -> usize {
    x.div_ceil(a) * a
}

fn all_chips() -> impl Iterator<Item = &'static Chip> {
    CHIPS.iter().chain([&SMALL])
}

/// All start lanes for one element type of each size; for the others the first, the last and one
/// between.
fn starts(chip: &Chip, element: ElementType) -> Vec<usize> {
    match element {
        ElementType::I8 | ElementType::F16 | ElementType::F32 | ElementType::I4 => {
            (0..chip.lanes).collect()
        }
        _ => vec![0, chip.lanes / 2 + 1, chip.lanes - 1],
    }
}

/// A tensor on the chip as its vendor sees it: shape and strides of N, C, H, W, where C is distributed
/// over the lanes, and strides count elements.
struct Vendor {
    chip: &'static Chip,
    start: usize,
    shape: [usize; 4],
    strides: [usize; 4],
    itemsize: usize,
}

impl Vendor {
    fn rows(&self) -> usize {
        (self.start + self.shape[1]).div_ceil(self.chip.lanes)
    }

    /// Lane and byte.
    fn place(&self, [n, c, h, w]: [usize; 4]) -> (usize, usize) {
        let [ns, cs, hs, ws] = self.strides;
        let lane = (self.start + c) % self.chip.lanes;
        let row = (self.start + c) / self.chip.lanes;
        (lane, (n * ns + row * cs + h * hs + w * ws) * self.itemsize)
    }

    /// Compares everything that `layout` says about itself with the formulas. `logical` returns the coordinate of the
    /// layout at a position of the vendor's tensor, or `None` if it has none.
    fn check(
        &self,
        layout: &Layout,
        base: usize,
        logical: impl Fn([usize; 4]) -> Option<Vec<usize>>,
    ) {
        let at = format!("{layout} on {} from lane {}", self.chip.name, self.start);
        let [n, c, h, w] = self.shape;
        let lanes = layout.lanes().unwrap();
        let mut count = 0;
        for place in 0..n * c * h * w {
            let place = [place / (c * h * w), place / (h * w) % c, place / w % h, place % w];
            let Some(coordinate) = logical(place) else { continue };
            let own = lanes.place(&coordinate).unwrap();
            assert_eq!((own.lane, own.byte), self.place(place), "{at}: {coordinate:?}");
            count += 1;
        }
        assert_eq!(layout.numel(), count, "{at}");
        assert_eq!(lanes.rows(), self.rows(), "{at}");
        assert_eq!(layout.align(), base, "{at}: alignment");
        assert_eq!(lanes.bytes(), al(n * self.strides[0] * self.itemsize, base), "{at}");
        assert_eq!(layout.bytes(), self.chip.lanes * lanes.bytes(), "{at}");
        assert_eq!(lanes.start(), self.start, "{at}");
        let strides = self.strides.map(|stride| stride as isize);
        let tensor = LaneTensor { shape: self.shape, strides, together: 1 };
        assert_eq!(lanes.tensor(), Some(tensor), "{at}");
        for lane in 0..self.chip.lanes + 1 {
            let distributed = (self.start..self.start + c).filter(|p| p % self.chip.lanes == lane);
            assert_eq!(lanes.rows_in(lane), distributed.count(), "{at}: lane {lane}");
        }
    }
}

/// Every activation of the four axes in a storage with these strides of C, H and W.
fn activations(
    name: &str,
    base: impl Fn(&Chip) -> usize,
    cs_hs: impl Fn(usize, usize, usize) -> [usize; 2],
) {
    let storage = Storage::named(name).unwrap();
    let format = Format::parse("NCHW").unwrap();
    for chip in all_chips() {
        let lanes = chip.lanes;
        let shapes: Vec<[usize; 4]> = if lanes == 4 {
            let shape = |i: usize| [1 + i % 2, 1 + i / 2 % 9, 1 + i / 18 % 3, 1 + i / 54];
            (0..2 * 9 * 3 * 9).map(shape).collect()
        } else {
            let few = [[1, 1, 1, 1], [2, 1, 3, 5], [2, 3, 4, 5], [1, 5, 1, 17]];
            let many = [[1, lanes, 1, 1], [2, lanes + 1, 2, 3], [1, 2 * lanes + 3, 1, 2]];
            few.into_iter().chain(many).collect()
        };
        for (element, itemsize) in NUMBERS {
            for start in starts(chip, element) {
                for shape in &shapes {
                    let [n, c, h, w] = *shape;
                    let layout =
                        Layout::builder(format, element).storage(chip, storage, start, None);
                    let layout = layout.extents(shape).unwrap();
                    let [cs, hs] = cs_hs(h, w, base(chip) / itemsize);
                    let rows = (start + c).div_ceil(lanes);
                    let strides = [rows * cs, cs, hs, 1];
                    let vendor = Vendor { chip, start, shape: [n, c, h, w], strides, itemsize };
                    vendor.check(&layout, base(chip), |place| Some(place.to_vec()));
                    let own = layout.lanes().and_then(|lanes| lanes.strides()).unwrap();
                    assert_eq!(own, strides.map(|stride| stride as isize), "{layout}");
                }
            }
        }
    }
}

#[test]
fn aligned() {
    activations("aligned", |chip| chip.alignment, |h, w, e| [al(h * w, e), w]);
}

#[test]
fn compact() {
    activations("compact", |_| 4, |h, w, _| [h * w, w]);
}

#[test]
fn line_aligned() {
    activations("line_aligned", |chip| chip.alignment, |h, w, e| [h * al(w, e), al(w, e)]);
}

/// Matrices of n rows and m columns in pieces of w columns, as tensors of shape
/// (n, div_up(m, w), 1, w); vectors are matrices of one row.
#[test]
fn matrices_and_vectors() {
    for chip in all_chips() {
        for (element, itemsize) in NUMBERS {
            for start in starts(chip, element) {
                for (n, m) in [(1, 1), (1, 9), (2, 7), (3, 12), (2, 40), (1, 3 * chip.lanes + 2)] {
                    for w in [1, 2, 3, 5, 7, 8, 20, m].into_iter().filter(|w| *w <= m) {
                        let pieces = m.div_ceil(w);
                        let cs = al(w, chip.alignment / itemsize);
                        let ns = (start + pieces).div_ceil(chip.lanes) * cs;
                        let vendor = Vendor {
                            chip,
                            start,
                            shape: [n, pieces, 1, w],
                            strides: [ns, cs, w, 1],
                            itemsize,
                        };
                        let column = |c: usize, x: usize| Some(c * w + x).filter(|j| *j < m);
                        let of = |name: &str, format: &str, extents: &[usize]| {
                            let storage = Storage::named(name).unwrap();
                            let built = Layout::builder(format, element);
                            built.storage(chip, storage, start, Some(w)).extents(extents).unwrap()
                        };
                        let matrix = of("matrix", "MN", &[n, m]);
                        vendor.check(&matrix, chip.alignment, |[n, c, _, x]| {
                            column(c, x).map(|j| vec![n, j])
                        });
                        if n == 1 {
                            let vector = of("vector", "N", &[m]);
                            vendor.check(&vector, chip.alignment, |[_, c, _, x]| {
                                column(c, x).map(|j| vec![j])
                            });
                        }
                    }
                }
            }
        }
    }
}

/// Kernels (oc, ic, kh, kw): oc distributed over the lanes, groups of P input channels.
#[test]
fn kernels() {
    // P of BM1684X, as its documents print it.
    let p_of_bm1684x = [
        (ElementType::I8, 1, 64),
        (ElementType::U8, 1, 64),
        (ElementType::F16, 2, 32),
        (ElementType::BF16, 2, 32),
        (ElementType::F32, 4, 1),
        (ElementType::I4, 0, 128),
        (ElementType::U4, 0, 128),
    ];
    let (storage, format) = (Storage::named("ic").unwrap(), Format::parse("OIHW").unwrap());
    for chip in all_chips() {
        for (element, itemsize, p) in p_of_bm1684x {
            let p = if p == 1 { 1 } else { p * chip.kernel_bytes / 64 };
            for (oc, kh, kw) in [(1, 1, 1), (3, 3, 3), (chip.lanes + 1, 1, 3), (9, 2, 5)] {
                for ic in [1, 3, p, p + 1, 2 * p + 3] {
                    for start in starts(chip, element) {
                        let shape = [oc, ic, kh, kw];
                        let layout = Layout::builder(format, element);
                        let layout = layout.storage(chip, storage, start, None);
                        let layout = layout.extents(&shape).unwrap();
                        let own = layout.lanes().unwrap();
                        let row = al(ic, p) * kh * kw;
                        for i in 0..oc * ic * kh * kw {
                            let [o, i, h, w] =
                                [i / (ic * kh * kw), i / (kh * kw) % ic, i / kw % kh, i % kw];
                            let offset = (start + o) / chip.lanes * row
                                + i / p * (p * kh * kw)
                                + h * (p * kw)
                                + w * p
                                + i % p;
                            let place = own.place(&[o, i, h, w]).unwrap();
                            let byte = if itemsize == 0 { offset / 2 } else { offset * itemsize };
                            assert_eq!(place.lane, (start + o) % chip.lanes, "{layout}");
                            assert_eq!(place.byte, byte, "{layout}: {:?}", [o, i, h, w]);
                        }
                        let strides = [p * kh * kw, row, p * kw, p].map(|stride| stride as isize);
                        let shape = [ic.div_ceil(p), oc, kh, kw];
                        let tensor = LaneTensor { shape, strides, together: p };
                        assert_eq!(own.tensor(), Some(tensor), "{layout}");
                        let rows = (start + oc).div_ceil(chip.lanes);
                        let bytes = if itemsize == 0 { row / 2 } else { row * itemsize };
                        assert_eq!(own.rows(), rows, "{layout}");
                        assert_eq!(own.bytes(), al(rows * bytes, chip.alignment));
                        assert_eq!(layout.align(), chip.alignment, "{layout}");
                        assert_eq!(layout.fill(), Some(0), "{layout}: padding is defined");
                    }
                }
            }
        }
    }
}

/// W = 1, H = W', C = H*W', N = C*H*W', on every chip.
#[test]
fn global_memory_is_continuous() {
    let (storage, format) = (Storage::named("continuous").unwrap(), Format::parse("NCHW").unwrap());
    for chip in all_chips() {
        for (element, bits) in NUMBERS
            .map(|(element, bytes)| (element, bytes * 8))
            .into_iter()
            .chain([(ElementType::I4, 4), (ElementType::U4, 4)])
        {
            for shape in [[1, 1, 1, 2], [2, 3, 4, 6], [1, 5, 1, 8], [3, 1, 7, 4], [2, 65, 3, 2]] {
                let layout = Layout::builder(format, element).storage(chip, storage, 0, None);
                let layout = layout.extents(&shape).unwrap();
                let [n, c, h, w] = shape;
                for i in 0..n * c * h * w {
                    let at = [i / (c * h * w), i / (h * w) % c, i / w % h, i % w];
                    let offset = at[0] * (c * h * w) + at[1] * (h * w) + at[2] * w + at[3];
                    assert_eq!(layout.offset(&at), offset, "{layout}: {at:?}");
                }
                assert_eq!(layout.bytes(), n * c * h * w * bits / 8, "{layout}");
                assert_eq!(layout.lanes(), None, "{layout}");
            }
        }
    }
}
