//! Transfers: their descriptors, executed on a model of the chip's memories, leave the same bytes as the
//! relayout on the host and change nothing else.

use tensor_layout::chip::{Chip, Transfer};
use tensor_layout::spec::{AxisExtent, Factor, Length, Rule, Spec};
use tensor_layout::{ElementType, Layout, LayoutError, Plan};

use super::descriptors::{BEFORE, GLOBAL, LOCAL, SMALL, descriptors, global, local, source_bytes};
use crate::support::device::Device;

/// The tensor in `bytes`, moved by the host.
fn moved(from: &Layout, to: &Layout, bytes: &[u8]) -> Vec<u8> {
    let plan = Plan::new(from, to).unwrap();
    let mut moved = vec![BEFORE; to.bytes()];
    fn run<U: bytemuck::Pod>(plan: &Plan, from: &[u8], to: &mut [u8]) {
        let units: Vec<U> = bytemuck::pod_collect_to_vec(from);
        let mut moved: Vec<U> = bytemuck::pod_collect_to_vec(to);
        plan.run(&units, &mut moved).unwrap();
        to.copy_from_slice(bytemuck::cast_slice(&moved));
    }
    match from.element().bits() {
        4 | 8 => run::<u8>(&plan, bytes, &mut moved),
        16 => run::<u16>(&plan, bytes, &mut moved),
        32 => run::<u32>(&plan, bytes, &mut moved),
        bits => panic!("{bits} bits"),
    }
    moved
}

/// The half bytes of every coordinate: of the layout's own buffer, and on the device.
fn halves(layout: &Layout) -> Vec<usize> {
    let extents = layout.extents();
    let count: usize = extents.iter().product();
    let bits = layout.element().bits();
    let mut halves = Vec::new();
    for index in 0..count {
        let mut rest = index;
        let mut coordinate = vec![0; extents.len()];
        for (own, extent) in coordinate.iter_mut().zip(extents).rev() {
            *own = rest % extent;
            rest /= extent;
        }
        let first = layout.offset(&coordinate) * bits / 4;
        halves.extend(first..first + bits / 4);
    }
    halves
}

/// Moves a tensor both ways, on the host and on the device, and compares all memory. Blocks of the
/// global and of the local layout are `cut` short, or are not.
fn check(chip: &Chip, global: &Layout, local: &Layout, cut: (bool, bool)) -> (usize, usize) {
    let at = format!("{global} and {local}");
    let load = Transfer::load(global, GLOBAL, local, LOCAL).unwrap_or_else(|e| panic!("{e}: {at}"));
    let store = Transfer::store(local, LOCAL, global, GLOBAL).unwrap();
    let lane_bytes = local.lanes().unwrap().bytes();

    // There.
    let source = source_bytes(global.bytes());
    let image = moved(global, local, &source);
    let mut device = Device::new(chip, GLOBAL, global.bytes(), BEFORE);
    device.global.copy_from_slice(&source);
    device.run(&descriptors(&load));
    let mut expected = Device::new(chip, GLOBAL, global.bytes(), BEFORE);
    expected.global.copy_from_slice(&source);
    let image_of = |lane: usize| &image[lane * lane_bytes..][..lane_bytes];
    for lane in 0..chip.lanes {
        if cut.1 && local.lanes().unwrap().rows_in(lane) > 0 {
            expected.lanes[lane][LOCAL..][..lane_bytes].copy_from_slice(image_of(lane));
        }
    }
    for half in halves(local) {
        let (lane, byte) = (half / 2 / lane_bytes, half / 2 % lane_bytes);
        expected.lanes[lane][LOCAL + byte] = image_of(lane)[byte];
    }
    assert!(device == expected, "load: {at}");

    // And back.
    device.global.fill(BEFORE);
    device.run(&descriptors(&store));
    let back = moved(local, global, &image);
    let mut expected = vec![BEFORE; global.bytes()];
    if cut.0 {
        expected.copy_from_slice(&back);
    }
    for half in halves(global) {
        expected[half / 2] = back[half / 2];
    }
    assert!(device.global == expected, "store: {at}");
    (load.count(), store.count())
}

const ELEMENTS: [ElementType; 3] = [ElementType::I8, ElementType::BF16, ElementType::F32];

#[test]
fn activations() {
    for storage in ["aligned", "compact", "line_aligned"] {
        for element in ELEMENTS {
            for extents in [[1, 1, 1, 1], [2, 3, 4, 5], [1, 9, 3, 3], [3, 8, 1, 7], [2, 13, 2, 8]] {
                for start in 0..4 {
                    let local = local(&SMALL, storage, "NCHW", &extents, element, start, None);
                    for format in ["NCHW", "NHWC", "CHWN", "NCHW4", "NCHW6c", "NHWC4c2n"] {
                        let global = global(format, &extents, element);
                        let (load, store) =
                            check(&SMALL, &global, &local, (global.fill().is_some(), false));
                        if let "NCHW" | "NHWC" | "CHWN" = format {
                            assert_eq!((load, store), (1, 1), "{global} and {local}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn strides_in_global_memory() {
    let axes: Vec<AxisExtent> = "NCHW"
        .chars()
        .zip([2, 9, 3, 5])
        .map(|(letter, extent)| AxisExtent { letter, extent: Length::Runtime(extent) })
        .collect();
    for strides in [[360, 40, 10, 2], [-360, 40, -10, 2], [7, 14, 130, 1000]] {
        let factors: Vec<Factor> =
            "NCHW".chars().zip(strides).map(|(letter, s)| Factor::Stride(letter, s)).collect();
        for element in ELEMENTS {
            let spec = Spec { element, axes: &axes, factors: &factors, fill: None };
            let global = Layout::new(&spec).unwrap();
            for start in 0..4 {
                let local = local(&SMALL, "aligned", "NCHW", &[2, 9, 3, 5], element, start, None);
                assert_eq!(
                    check(&SMALL, &global, &local, (global.fill().is_some(), false)),
                    (1, 1)
                );
            }
        }
    }
}

/// The global side may be a view: the second half of a batch, every other row from the last.
#[test]
fn views_of_global_memory() {
    let batch = global("NCHW", &[4, 9, 6, 5], ElementType::BF16);
    let view = batch.slice('N', 2, 1, 2).and_then(|half| half.slice('H', 5, -2, 3)).unwrap();
    for start in 0..4 {
        let extents = [2, 9, 3, 5];
        let local = local(&SMALL, "compact", "NCHW", &extents, ElementType::BF16, start, None);
        assert_eq!(check(&SMALL, &view, &local, (false, false)), (1, 1));
    }
}

#[test]
fn matrices_and_vectors() {
    for element in ELEMENTS {
        for (n, m) in [(1, 1), (2, 7), (3, 12), (2, 40)] {
            for w in [1, 3, 5, 8, m].into_iter().filter(|w| *w <= m) {
                for start in 0..4 {
                    let matrix = local(&SMALL, "matrix", "MN", &[n, m], element, start, Some(w));
                    for format in ["MN", "NM", "MN4n"] {
                        let global = global(format, &[n, m], element);
                        let (load, _) =
                            check(&SMALL, &global, &matrix, (global.fill().is_some(), m % w != 0));
                        if format != "MN4n" {
                            // Whole pieces, or the padding, whole pieces and the rest of the last.
                            assert_eq!(load, if m % w == 0 { 1 } else { 3 }, "{matrix}");
                        }
                    }
                    let vector = local(&SMALL, "vector", "N", &[m], element, start, Some(w));
                    check(&SMALL, &global("N", &[m], element), &vector, (false, m % w != 0));
                }
            }
        }
    }
}

#[test]
fn kernels() {
    let elements = [ElementType::I8, ElementType::F16, ElementType::F32];
    for element in elements {
        for extents in [[1, 1, 1, 1], [5, 3, 3, 3], [9, 4, 1, 1], [4, 8, 3, 3], [6, 11, 2, 3]] {
            for start in 0..4 {
                let local = local(&SMALL, "ic", "OIHW", &extents, element, start, None);
                for format in ["OIHW", "OHWI", "OIHW4i", "OIHW2i4o", "HWIO"] {
                    let cut = extents[1] % SMALL.channels_together(element) != 0;
                    let global = global(format, &extents, element);
                    // `global` pads where it has to.
                    check(&SMALL, &global, &local, (global.fill().is_some(), cut));
                }
            }
        }
    }
}

#[test]
fn pairs_of_4_bit_elements() {
    // 8 input channels in 4 bytes.
    for extents in [[1, 8, 1, 1], [5, 16, 3, 3], [9, 8, 2, 3]] {
        let local = local(&SMALL, "ic", "OIHW", &extents, ElementType::I4, 1, None);
        for format in ["OIHW8i", "OHWI"] {
            check(&SMALL, &global(format, &extents, ElementType::I4), &local, (false, false));
        }
    }
    let extents = [5, 16, 4, 4];
    let local = local(&SMALL, "ic", "OIHW", &extents, ElementType::I4, 0, None);
    let global = global("OIHW", &extents, ElementType::I4);
    let error = Transfer::load(&global, 0, &local, 0).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::TransferSubByte { .. })), "{error}");
    let fact = "pairs of `i4` elements do not stay adjacent;";
    assert!(error.to_string().contains(fact), "{error}");
}
