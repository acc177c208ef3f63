//! Conversions between random layouts and all element types agree with the oracle.

use std::fmt::Debug;

use proptest::prelude::*;
use tensor_layout::plain;
use tensor_layout::spec::Rule;
use tensor_layout::{
    Conversion, ConversionPlan, ElementType, FixedPoint, Layout, LayoutError, Relayout, Rounding,
    Tensor, bf16, f4e2m1, f8e4m3, f8e5m2, f16, i2, i4, layout, u1, u4,
};

use crate::support::arithmetic::{
    self, Element, HighF4, HighI4, HighU2, Operation, Requantize, elements,
};
use crate::support::oracle::{self, Origin};
use crate::support::random::{self, Case};

/// A buffer of these elements.
fn buffer<E: Element>(elements: &[E], units: usize) -> Vec<E::Unit> {
    let mut buffer = vec![plain::zero::<E::Unit>(); units];
    for (offset, &element) in elements.iter().enumerate() {
        E::write(&mut buffer, offset, element).unwrap();
    }
    buffer
}

/// The parameters of a test: those of the tensor, or those of each coordinate of an axis.
#[derive(Clone, Debug)]
struct Parameters {
    axis: Option<char>,
    scales: Vec<f32>,
    zero_points: Vec<i32>,
    means: Vec<f32>,
    multipliers: Vec<i32>,
    shifts: Vec<i32>,
    /// The zero points of both sides and the range of requantization.
    how: [i32; 4],
    /// Which conversion: 0 to 6.
    operation: usize,
    /// Whether halves go away from zero, or products are rounded twice, or sums wrap around.
    away: bool,
}

impl Parameters {
    fn conversion(&self) -> Conversion<'_> {
        let Self { axis, scales, zero_points, means, multipliers, shifts, operation, away, .. } =
            self;
        let [from, to, low, high] = self.how;
        let how = if *away { FixedPoint::double() } else { FixedPoint::single() };
        let how = how.source_zero_point(from).zero_point(to).range(low, high);
        let conversion = match (operation, *axis) {
            (0, _) => Conversion::cast(),
            (1, None) => Conversion::quantize(scales[0], zero_points[0]),
            (1, Some(axis)) => Conversion::quantize_per_axis(axis, scales, zero_points),
            (2, None) => Conversion::dequantize(scales[0], zero_points[0]),
            (2, Some(axis)) => Conversion::dequantize_per_axis(axis, scales, zero_points),
            (3, None) => Conversion::normalize(means[0], scales[0]),
            (3, Some(axis)) => Conversion::normalize_per_axis(axis, means, scales),
            (4, None) => Conversion::requantize(multipliers[0], shifts[0], how),
            (4, Some(axis)) => Conversion::requantize_per_axis(axis, multipliers, shifts, how),
            (5, _) if *away => Conversion::offset(from).wrapping(),
            (5, _) => Conversion::offset(from),
            _ => Conversion::cast().wrapping(),
        };
        if *away { conversion.rounding(Rounding::HalfAway) } else { conversion }
    }

    fn operation(&self, coordinate: usize) -> Operation {
        let at = if self.axis.is_some() { coordinate } else { 0 };
        match self.operation {
            0 => Operation::Cast,
            1 => Operation::Quantize { scale: self.scales[at], zero_point: self.zero_points[at] },
            2 => Operation::Dequantize { scale: self.scales[at], zero_point: self.zero_points[at] },
            3 => Operation::Normalize { mean: self.means[at], scale: self.scales[at] },
            4 => Operation::Requantize(Requantize {
                multiplier: self.multipliers[at],
                shift: self.shifts[at],
                zero_points: (self.how[0], self.how[1]),
                range: (self.how[2], self.how[3]),
                single: !self.away,
            }),
            5 => Operation::Offset { offset: self.how[0], wraps: self.away },
            _ => Operation::Offset { offset: 0, wraps: true },
        }
    }
}

/// Converts between two layouts and compares every element with the oracle.
fn converts<S: Element, D: Element>(
    source: &Case,
    destination: &Case,
    parameters: &Parameters,
) -> Result<(), TestCaseError> {
    let (from, to) = (source.memory(), destination.memory());
    let (from_layout, to_layout) = (source.layout(), destination.layout());
    let conversion = parameters.conversion();
    let plan = ConversionPlan::<S, D>::new(&from_layout, &to_layout, &conversion).unwrap();
    let inputs = elements::<S>(from.cells.len());
    let before = elements::<D>(to.cells.len());
    // One unit before and one after, so that buffers begin at any address and a write outside them is seen.
    let (first, last) = (plain::zero::<S::Unit>(), plain::zero::<D::Unit>());
    let input = [&[first], &*buffer(&inputs, from_layout.units())].concat();
    let mut output = [&*buffer(&before, to_layout.units()), &[last]].concat();
    let end = to_layout.units();
    plan.run(&input[1..], &mut output[..end]).unwrap();
    prop_assert_eq!(output[end], last);
    let index_of = |letter| to.axes.iter().position(|axis| axis.0 == letter).unwrap();
    let axis = parameters.axis.map(index_of);
    for (offset, origin) in oracle::relayout(&from, &to).iter().enumerate() {
        let expected = match *origin {
            Origin::Element(at) => {
                let coordinate = to.cells[offset].as_ref().unwrap();
                let operation = parameters.operation(axis.map_or(0, |axis| coordinate[axis]));
                let value = inputs[at].scalar();
                arithmetic::converted(value, S::KIND, D::KIND, operation, parameters.away)
            }
            Origin::Fill => D::of_bits(destination.fill.unwrap_or(0)).scalar(),
            Origin::Untouched => before[offset].scalar(),
        };
        let own = D::read(&output, offset).unwrap();
        prop_assert!(
            arithmetic::same(own.scalar(), expected),
            "{own:?} is not {expected:?}, at {offset} from {origin:?} by {parameters:?}",
        );
    }
    Ok(())
}

/// A pair of element types, and [`converts`] for it.
#[derive(Clone, Copy)]
struct Pair {
    source: ElementType,
    destination: ElementType,
    converts: fn(&Case, &Case, &Parameters) -> Result<(), TestCaseError>,
}

impl Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} to {:?}", self.source, self.destination)
    }
}

macro_rules! pairs {
    ($($source:ident $destination:ident)*) => {
        &[$(Pair {
            source: <$source as tensor_layout::Element>::TYPE,
            destination: <$destination as tensor_layout::Element>::TYPE,
            converts: converts::<$source, $destination>,
        }),*]
    };
}

macro_rules! all_pairs {
    ($($source:ident)*) => { all_pairs!(@ [$($source)*] $($source)*) };
    (@ $all:tt $($source:ident)*) => {
        [$(all_pairs!(@@ $source $all)),*]
    };
    (@@ $source:ident [$($destination:ident)*]) => {
        pairs!($($source $destination)*)
    };
}

/// By source type.
const ALL: [&[Pair]; 14] = all_pairs!(i4 u4 i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64);

/// Elements of less than a byte that all others become, and that become others.
const SHARED: &[Pair] = pairs!(
    u1 f32 f32 u1 i2 i8 i8 i2 i2 f64 HighU2 f32 f32 HighU2 HighU2 i2 HighI4 f32 f32 HighI4 i4 HighI4
    HighI4 i4 HighI4 u1 f16 HighI4 f8e4m3 f32 f32 f8e4m3 f16 f8e4m3 f8e5m2 bf16 i8 f8e5m2 f64 f8e4m3
    f8e4m3 f8e5m2 i32 f8e4m3 f8e4m3 u8 f4e2m1 f32 HighF4 i8
);

/// The conversions that there are between two element types.
fn operations(pair: &Pair) -> Vec<usize> {
    let float = |element: ElementType| element.integer_range().is_none();
    let quantized = |element: ElementType| !float(element) && element.bits() <= 32;
    let mut operations = vec![0];
    if float(pair.source) && quantized(pair.destination) {
        operations.push(1);
    }
    if quantized(pair.source) && float(pair.destination) {
        operations.push(2);
    }
    if float(pair.destination) {
        operations.push(3);
    }
    if float(pair.source) || float(pair.destination) {
        return operations;
    }
    operations.push(6);
    let [source, destination] = [pair.source, pair.destination]
        .map(|element| element.bits() <= 32 && element != ElementType::U32);
    if source && destination {
        operations.push(5);
    }
    if (source || pair.source == ElementType::I64) && destination {
        operations.push(4);
    }
    operations
}

/// Parameters for this number of coordinates, with zero points in the range of the pair's integer.
fn parameters(
    pair: &Pair,
    axis: Option<(char, usize)>,
    operation: usize,
    away: bool,
) -> Parameters {
    let count = axis.map_or(1, |axis| axis.1);
    let range = pair.destination.integer_range().or(pair.source.integer_range());
    let (low, high) = range.map_or((0, 0), |(low, high)| {
        (low.max(i32::MIN.into()) as i32, high.min(i32::MAX.into()) as i32)
    });
    let scales = [0.05, 1.0, 2.0, 0.1, 3.7, 1e-3, 0.5, 1e6];
    let zero_points =
        [3.clamp(low, high), 0, low, high, (low / 2 + high / 2) | 1, 1.clamp(low, high)];
    let means = [0.0, 123.675, -7.5, 1e-3, 3.0];
    let within = |value: i32, element: ElementType| {
        element.integer_range().map_or(0, |(low, high)| i128::from(value).clamp(low, high) as i32)
    };
    let (source, destination) = (pair.source, pair.destination);
    // The range leaves out an end of each.
    let how = [
        within(-3 + count as i32 % 7, source),
        within(5 - count as i32 % 11, destination),
        within(if away { -100 } else { i32::MIN }, destination),
        within(if away { i32::MAX } else { 90 }, destination),
    ];
    let most = if source.bits() == 64 { 14 } else { 31 };
    let multipliers = [0x5a82_799a, 1 << 30, i32::MAX, 0, 0x4000_0001, 0x7654_3210];
    // Some periods have negative shifts alone.
    let shifts: &[i32] = match count % 2 {
        0 => &[-1, -7, 0, -31, 3, 1, 14, -20, most, -2],
        _ => &[-1, -7, -2, -31, -13, -3, -26, -4],
    };
    Parameters {
        axis: axis.map(|axis| axis.0),
        scales: (0..count).map(|i| scales[i % scales.len()]).collect(),
        zero_points: (0..count).map(|i| zero_points[i % zero_points.len()]).collect(),
        means: (0..count).map(|i| means[i % means.len()]).collect(),
        multipliers: (0..count).map(|i| multipliers[i % multipliers.len()]).collect(),
        shifts: (0..count).map(|i| shifts[i % shifts.len()]).collect(),
        how,
        operation,
        away,
    }
}

/// Converts between two orders of the same axes in coordinate order.
fn check(pair: &Pair, axes: &[(char, usize)], from: &str, to: &str, parameters: &Parameters) {
    let case = |element: ElementType, order| Case {
        element,
        bits: element.bits(),
        axes: axes.to_vec(),
        factors: oracle::factors(order),
        fill: Some(1),
    };
    let (source, destination) = (case(pair.source, from), case(pair.destination, to));
    (pair.converts)(&source, &destination, parameters)
        .unwrap_or_else(|error| panic!("{pair:?}, {from} to {to}: {error}"));
}

/// All pairs of element types, all operations, all samples.
#[test]
fn every_pair_of_element_types() {
    let axes = [('N', 3), ('C', 5), ('W', 80)];
    for pair in ALL.into_iter().flatten().chain(SHARED) {
        for operation in operations(pair) {
            for away in [false, true] {
                // Between integers there are more of them.
                if operation < 4 {
                    let whole = parameters(pair, None, operation, away);
                    check(pair, &axes, "N C W", "N C W", &whole);
                } else if away && operation > 4 {
                    continue;
                }
                let each = parameters(pair, Some(axes[1]), operation, away);
                check(pair, &axes, "N W C", "N C W", &each);
                check(pair, &axes, "N C W", "N W C", &each);
            }
        }
    }
}

/// More than one tile, more than one table of parameters, ends that are shorter.
#[test]
fn tensors_larger_than_a_tile() {
    let orders = ["C W", "W C", "C W 4c", "W C 6w"];
    let pairs: &[Pair] = pairs! { u8 f32 f32 i8 i4 f32 f32 f16 i32 i8 };
    for axes in [[('C', 3), ('W', 4001)], [('C', 300), ('W', 30)]] {
        for (i, pair) in pairs.iter().enumerate() {
            for (j, from) in orders.into_iter().enumerate() {
                for (k, to) in orders.into_iter().enumerate() {
                    let operation = *operations(pair).last().unwrap();
                    let axis = [None, Some(axes[0]), Some(axes[1])][(i + j + k) % 3];
                    check(pair, &axes, from, to, &parameters(pair, axis, operation, false));
                }
            }
        }
    }
}

/// Two random layouts of the same axes, the second unique, some with swizzles, and a conversion between them.
fn random_conversion() -> impl Strategy<Value = (Pair, Case, Case, Parameters)> {
    let listed =
        (0..14usize, 0..14usize).prop_map(|(source, destination)| ALL[source][destination]);
    let pair = prop_oneof![4 => listed, 1 => prop::sample::select(SHARED)];
    (random::axes(), pair).prop_flat_map(|(axes, pair)| {
        let shuffled = Just(axes.clone()).prop_shuffle();
        let element = |element: ElementType| (element, element.bits());
        let destination = shuffled
            .prop_flat_map(move |axes| random::layout_of(axes, element(pair.destination), false));
        let source = random::layout_of(axes.clone(), element(pair.source), true);
        let axis = prop::option::of(prop::sample::select(if axes.is_empty() {
            vec![None]
        } else {
            axes.into_iter().map(Some).collect()
        }));
        let operation = prop::sample::select(operations(&pair));
        let swizzles = (random::swizzle(), random::swizzle());
        let swizzles = prop::option::weighted(0.3, swizzles);
        (source, destination, axis, operation, any::<bool>(), swizzles).prop_map(
            move |(source, destination, axis, operation, away, swizzles)| {
                let parameters = parameters(&pair, axis.flatten(), operation, away);
                let (own, other) = swizzles.unwrap_or_default();
                (pair, source.swizzled(own), destination.swizzled(other), parameters)
            },
        )
    })
}

proptest! {
    #![proptest_config(random::cases(1000))]

    /// Every element of the destination is the oracle's result for the matching element of the source. Padding
    /// holds the fill. Gaps between strides are unchanged.
    #[test]
    fn a_conversion_is_the_oracles((pair, source, destination, parameters) in random_conversion()) {
        (pair.converts)(&source, &destination, &parameters)?;
    }
}

fn of(format: &str, extents: &[usize], element: ElementType) -> Layout {
    Layout::builder(format, element).pad(0).extents(extents).unwrap()
}

#[test]
fn what_cannot_be_converted() {
    let image = of("NHWC", &[1, 3, 4, 4], ElementType::U8);
    let input = of("NCHW", &[1, 3, 4, 4], ElementType::F32);
    let refused = |conversion: Conversion<'_>, text: &str| {
        let error = ConversionPlan::<u8, f32>::new(&image, &input, &conversion).unwrap_err();
        assert_eq!(error.to_string(), text);
    };
    refused(
        Conversion::normalize_per_axis('C', &[1.0; 3], &[1.0; 4]),
        "axis `C` has extent 3 but the number of scales is 4; write one for each coordinate of the axis",
    );
    refused(
        Conversion::normalize_per_axis('C', &[1.0], &[1.0; 3]),
        "axis `C` has extent 3 but the number of means is 1; write one for each coordinate of the axis",
    );
    refused(
        Conversion::dequantize_per_axis('C', &[1.0; 3], &[]),
        "axis `C` has extent 3 but the number of zero points is 0; write one for each coordinate of the axis",
    );
    let small = Conversion::normalize_per_axis('c', &[1.0; 3], &[1.0; 3]);
    assert!(ConversionPlan::<u8, f32>::new(&image, &input, &small).is_ok(), "cases mean nothing");
    refused(
        Conversion::normalize_per_axis('K', &[1.0; 3], &[1.0; 3]),
        "layout has no axis `K`; write one of N, C, H, W",
    );
    refused(
        Conversion::quantize(1.0, 0),
        "`quantize` converts floats to integers of up to 32 bits, not `u8` to `f32`; change one of the two types, or use `cast`",
    );
    refused(
        Conversion::dequantize_per_axis('C', &[1.0, 0.0, 1.0], &[0; 3]),
        "scale at index 1 is not a positive finite number; write the size of one step of the quantized integer",
    );
    for scale in [-1.0, f32::NAN, f32::INFINITY] {
        refused(
            Conversion::dequantize(scale, 0),
            "scale at index 0 is not a positive finite number; write the size of one step of the quantized integer",
        );
    }
    refused(
        Conversion::dequantize(1.0, -1),
        "zero point -1 is out of range for `u8`; write the integer that represents 0.0",
    );
    let error = ConversionPlan::<u8, f16>::new(&image, &input, &Conversion::cast()).unwrap_err();
    let needed =
        LayoutError(Rule::TypeElement { needed: ElementType::F16, given: ElementType::F32 });
    assert_eq!(error, needed);
    let error = ConversionPlan::<u8, f32>::new(&input, &input, &Conversion::cast()).unwrap_err();
    let needed =
        LayoutError(Rule::TypeElement { needed: ElementType::U8, given: ElementType::F32 });
    assert_eq!(error, needed);
    let other = of("NCHW", &[1, 3, 4, 5], ElementType::F32);
    let error = ConversionPlan::<u8, f32>::new(&image, &other, &Conversion::cast()).unwrap_err();
    let (letter, source, destination, permuted) = ('W', 4, 5, false);
    let needed = LayoutError(Rule::RelayoutExtent { letter, source, destination, permuted });
    assert_eq!(error, needed);
}

#[test]
fn buffers_of_wrong_lengths_are_refused() {
    let bytes = of("NHWC", &[1, 3, 4, 4], ElementType::U8);
    let floats = of("NCHW", &[1, 3, 4, 4], ElementType::F32);
    let plan = ConversionPlan::<u8, f32>::new(&bytes, &floats, &Conversion::cast()).unwrap();
    let mut output = [7.0; 48];
    let error = plan.run(&[0; 47], &mut output).unwrap_err();
    assert_eq!(
        error.to_string(),
        "source has length 47 but its layout takes 48; pass a buffer of length 48"
    );
    let error = plan.run(&[0; 48], &mut output[1..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "destination has length 47 but its layout takes 48; pass a buffer of length 48"
    );
    assert_eq!(output, [7.0; 48]);
}

#[test]
fn halves_go_where_they_are_asked_to() {
    let floats = of("N", &[4], ElementType::F32);
    let bytes = of("N", &[4], ElementType::I8);
    for (rounding, expected) in
        [(Rounding::HalfEven, [0, 2, -2, 0]), (Rounding::HalfAway, [1, 2, -3, -1])]
    {
        let conversion = Conversion::cast().rounding(rounding);
        let plan = ConversionPlan::<f32, i8>::new(&floats, &bytes, &conversion).unwrap();
        let mut output = [0; 4];
        plan.run(&[0.5, 1.5, -2.5, -0.5], &mut output).unwrap();
        assert_eq!(output, expected);
    }
}

type Camera = layout!(NHWC<N = 1, C = 3, H = 5, W = 7>, u8);
type Input = layout!(NCHW4<1, 3, 5, 7>, f32, pad = -1.0);
const MEANS: [f32; 3] = [1.5, 2.5, 3.5];
const SCALES: [f32; 3] = [2.0, 4.0, 8.0];

#[derive(Relayout)]
#[relayout(Camera => Input, convert = Conversion::normalize_per_axis('C', &MEANS, &SCALES))]
struct Prepare;

type Quantized = layout!(CHW<3, 1, 2>, i4, pad);

#[derive(Relayout)]
#[relayout(
    layout!(HWC<C = 3, H = 1, W = 2>, f16) => Quantized,
    convert = Conversion::quantize(0.5, 1).rounding(Rounding::HalfAway),
)]
struct Quantize;

#[test]
fn static_layouts() {
    let frame: [u8; Camera::LEN] = core::array::from_fn(|i| i as u8);
    let mut input = [7.0; Input::LEN];
    Prepare::run_arrays(&frame, &mut input);
    for (offset, &own) in input.iter().enumerate() {
        let expected = Input::coordinate(offset).map_or(-1.0, |[n, c, h, w]| {
            (f32::from(frame[Camera::offset([n, c, h, w])]) - MEANS[c]) * SCALES[c]
        });
        assert_eq!(own, expected, "at {offset}");
    }
    let mut other = [7.0; Input::LEN];
    Prepare::run_slices(&frame, &mut other).unwrap();
    assert_eq!(other, input);
    other = [7.0; Input::LEN];
    Prepare::PLAN.run(&frame, &mut other).unwrap();
    assert_eq!(other, input);
    assert!(Prepare::run_slices(&frame[1..], &mut other).is_err());

    // Rows of one channel are two nibbles: 0.25 and 100 are 1 + 1 and more than 7.
    let floats = [0.25, 0.5, 0.75, 100.0, -0.25, f32::NAN].map(f16::from_f32);
    let mut quantized = [0; Quantized::UNITS];
    Quantize::run_arrays(&floats, &mut quantized);
    let quantized = Tensor::<Quantized, _>::new(quantized).unwrap();
    let own = Quantized::coordinates().map(|coordinate| quantized.get(coordinate).unwrap().get());
    assert_eq!(own.collect::<Vec<i8>>(), [2, 7, 2, 0, 3, 1]);
}
