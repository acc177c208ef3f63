//! Fragments of tensor cores: elements to lanes and registers as in other programs (`fragments.json`), the inverse,
//! copies, moves between fragments and matrices, and lanes of random layouts.

use proptest::prelude::*;
use serde_json::Value;
use tensor_layout::access::{Access, Banks, conflicts};
use tensor_layout::names::cute;
use tensor_layout::{ElementType, Layout, Plan, StaticLayout, Tensor, layout, view};
use test_support::coordinates;
use test_support::vectors::{assert_offsets, number, numbers};

use super::fragment_types::{COPIES, FRAGMENTS};
use crate::support::random::{self, cases};

fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("fragments.json")).expect("fragments.json")
}

fn letter(axis: &Value) -> char {
    axis.as_str().unwrap().to_ascii_uppercase().parse().unwrap()
}

/// The digits of a vector as a format, with copies first, and its axes with their extents.
fn written(vector: &Value) -> (String, Vec<(char, usize)>) {
    let digits = vector["digits"].as_array().unwrap();
    let rest = |axis: &Value| digits.iter().filter(|d| d[0] == *axis).map(|d| number(&d[2])).max();
    let axes = vector["axes"].as_array().unwrap().iter().map(letter);
    let mut axes: Vec<_> = axes.zip(numbers(&vector["extents"])).collect();
    let mut text = String::new();
    if number(&vector["copies"]) > 1 {
        text += "C ";
        axes.insert(0, ('C', number(&vector["copies"])));
    }
    for digit in digits {
        let (axis, weight) = (letter(&digit[0]), number(&digit[2]));
        text += &match Some(weight) == rest(&digit[0]) {
            true => format!("{axis} "),
            false => format!("{}{}/{weight} ", digit[1], axis.to_ascii_lowercase()),
        };
    }
    (text, axes)
}

/// The layout of a vector at run time, of this element type.
fn fragment(vector: &Value, element: ElementType) -> Layout {
    let (format, axes) = written(vector);
    let lanes = number(&vector["lanes"]) * number(&vector["copies"]);
    let builder = Layout::builder(format.as_str(), element).over_lanes(lanes);
    let letters: String = axes.iter().map(|axis| axis.0).collect();
    builder.coordinates(&letters).named_extents(&axes).unwrap()
}

/// The same from text, with the axes in their usual order.
fn as_text(vector: &Value, element: ElementType) -> Layout {
    let (format, axes) = written(vector);
    let lanes = number(&vector["lanes"]) * number(&vector["copies"]);
    let order: Vec<_> = axes.iter().map(|axis| axis.0.to_string()).collect();
    let axes: Vec<_> = axes.iter().map(|(axis, extent)| format!("{axis} = {extent}")).collect();
    let (axes, order, element) = (axes.join(", "), order.join(", "), element.name());
    let text = format!("{format}<{axes}>, {element}, lanes({lanes}), coordinates({order})");
    Layout::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn elements_are_in_lanes_and_registers() {
    let mut count = 0;
    for vector in vectors().iter().filter(|vector| vector.get("digits").is_some()) {
        let (id, copies) = (&vector["id"], number(&vector["copies"]));
        let (_, named) = FRAGMENTS.iter().find(|own| *id == own.0).unwrap();
        let layout = as_text(vector, named.element());
        // Letters without a usual order have the order of the type.
        match layout.letters() == named.letters() {
            true => assert_eq!(layout, *named, "{id}"),
            false => assert!(layout.same_map(named), "{id}"),
        }
        assert_eq!(layout.to_string().parse(), Ok(layout), "{id}");
        assert!(layout.same_map(&fragment(vector, named.element())), "{id}");
        let lanes = layout.lanes().unwrap();
        let registers = number(&vector["registers"]);
        assert_eq!((lanes.count(), lanes.len()), (number(&vector["lanes"]) * copies, registers));
        assert_eq!((lanes.axis(), lanes.used()), (None, (0, lanes.count())));
        let axes: Vec<_> = vector["axes"].as_array().unwrap().iter().map(letter).collect();
        // Vectors have the axes in another order than the layout.
        let own = |c: &[usize], copy: usize| -> Vec<usize> {
            let index = |axis| match axes.iter().position(|own| *own == axis) {
                Some(position) => c[position],
                None => copy,
            };
            (0..layout.rank()).map(|axis| index(layout.letters().at(axis))).collect()
        };
        for copy in 0..copies {
            let offsets: Vec<usize> = coordinates(&numbers(&vector["extents"]))
                .map(|c| {
                    let c = own(&c, copy);
                    let place = lanes.place(&c).unwrap();
                    let bits = layout.element().bits();
                    assert_eq!(place.byte, place.offset * bits / 8, "{id} at {c:?}");
                    assert_eq!(lanes.coordinate(place.lane, place.offset).as_deref(), Some(&c[..]));
                    // Each copy is a number of lanes further.
                    (place.lane - copy * (lanes.count() / copies)) * registers + place.offset
                })
                .collect();
            assert_offsets(&offsets, &vector["expected"], &vector["id"]);
        }
        assert_eq!(lanes.coordinate(lanes.count(), 0), None);
        assert_eq!(lanes.coordinate(0, registers), None);
        count += 1;
    }
    assert_eq!((count, FRAGMENTS.len()), (24, 24));
}

/// CuTe writes lanes and values as two modes.
#[test]
fn lanes_and_values_are_coordinates_of_bits() {
    let mut count = 0;
    for vector in vectors().iter().filter(|vector| vector.get("cute_tv").is_some()) {
        let (id, text) = (&vector["id"], vector["cute_tv"].as_str().unwrap());
        let read = cute::parse(text, ElementType::U8).unwrap();
        let (_, named) = COPIES.iter().find(|own| *id == own.0).unwrap();
        let own = read.rename('A', 'L').unwrap().rename('B', 'V').unwrap();
        assert!(own.same_map(named), "{own} and {named}");
        let (lanes, values) = (named.extents()[0], named.extents()[1]);
        let all = (0..values).flat_map(|value| (0..lanes).map(move |lane| [lane, value]));
        let offsets: Vec<usize> = all.map(|c| named.offset(&c)).collect();
        assert_offsets(&offsets, &vector["expected"], &vector["id"]);
        count += 1;
    }
    assert_eq!((count, COPIES.len()), (4, 4));
}

/// A matrix moves to the registers of lanes and back.
#[test]
fn matrices_move_to_fragments_and_back() {
    for vector in vectors().iter().filter(|vector| vector.get("digits").is_some()) {
        let (id, copies) = (&vector["id"], number(&vector["copies"]));
        let layout = fragment(vector, ElementType::U16);
        let extents = numbers(&vector["extents"]);
        let axes: Vec<_> = vector["axes"].as_array().unwrap().iter().map(letter).collect();
        let axes: Vec<_> = axes.into_iter().zip(extents.iter().copied()).collect();
        let rows: String = axes.iter().map(|axis| axis.0).collect();
        let matrix = Layout::builder(rows.as_str(), ElementType::U16).named_extents(&axes).unwrap();
        // Each copy holds the whole matrix.
        let source = if copies > 1 { matrix.unsqueeze('C', 0).unwrap() } else { matrix };
        let source = if copies > 1 { source.broadcast('C', copies).unwrap() } else { source };
        let values: Vec<u16> = (0..matrix.len() as u16).map(|i| i * 3 + 1).collect();
        let mut registers = vec![0u16; layout.len()];
        Plan::new(&source, &layout).unwrap().run(&values, &mut registers).unwrap();
        for (i, c) in coordinates(&extents).enumerate() {
            for copy in 0..copies {
                let index = |axis| match axes.iter().position(|own| own.0 == axis) {
                    Some(position) => c[position],
                    None => copy,
                };
                let own: Vec<_> =
                    (0..layout.rank()).map(|axis| index(layout.letters().at(axis))).collect();
                let place = layout.lanes().unwrap().place(&own).unwrap();
                let lane_len = layout.lanes().unwrap().len();
                assert_eq!(registers[place.lane * lane_len + place.offset], values[i], "{id}");
            }
        }
        let first = if copies > 1 { layout.index('C', 0).unwrap() } else { layout };
        let mut back = vec![0u16; matrix.len()];
        Plan::new(&first, &matrix).unwrap().run(&registers, &mut back).unwrap();
        assert_eq!(back, values, "{id}");
    }
}

/// The same as types: tensors of registers.
#[test]
fn registers_are_tensors() {
    type Matrix = layout!(MK<M = 16, K = 16>, u16);
    type A = layout!(8m4k KM2k<M = 16, K = 16>, u16, lanes(32));
    const _: () = assert!(A::LEN == 256 && A::offset([9, 5]) == 6 * 8 + 3);
    let matrix =
        Tensor::<Matrix, _>::new(core::array::from_fn::<u16, 256, _>(|i| i as u16)).unwrap();
    let mut a = Tensor::<A, _>::new([0; 256]).unwrap();
    matrix.relayout_into(&mut a).unwrap();
    // The registers of a lane, which is m % 8 and k / 2 % 4: k / 8, m / 8 and k % 2.
    assert_eq!(a.part([1, 2]), [20, 21, 148, 149, 28, 29, 156, 157]);
    type B = layout!(KN 4k<K = 8, N = 32>, u16, lanes(64));
    let b = Tensor::<B, _>::new([7; 256]).unwrap();
    let registers: &[u16; 4] = b.row([1, 31]);
    assert_eq!(*registers, [7; 4]);
    assert_eq!(a[[9, 5]], matrix[[9, 5]]);
    // A number of lanes may be a constant expression, and extents may be found at run time.
    const LANES: usize = 4 * 8;
    type Open = layout!(8m4k KM2k<M = _, K = 16>, u16, lanes(LANES));
    let open = Open::new([32]).unwrap();
    assert_eq!(open.layout().lanes().map(|lanes| lanes.len()), Some(16));
    assert!(Layout::parse("MK<3, 3>, u8, lanes(2)").is_err());
    assert_eq!(<A as StaticLayout>::LAYOUT.to_string(), "8m4kKM2k<M = 16, K = 16>, u16, lanes(32)");
}

/// Copies read the same words of a tile at no extra cost.
#[test]
fn copies_read_one_element() {
    type Tile = layout!(NK<N = 16, K = 16>, i8);
    type B = layout!(CNK<C = 2, N = 16, K = 16>, i8, lanes(32));
    const READ: Access = Access::of_fragment(&Tile::LAYOUT, &[0, 0], &B::LAYOUT, 0..16);
    assert_eq!((READ.lanes(), READ.bytes()), (32, 16));
    assert!((0..32).all(|lane| READ.start(lane) == lane % 16 * 16));
    assert_eq!(conflicts(&READ, &Banks::NVIDIA).degree(), 1);
    let wide = view!(Tile::LAYOUT, unsqueeze('X', 0));
    let error =
        Access::checked_of_fragment(&wide, &[0, 0, 0], &B::LAYOUT, 0..16).unwrap_err().to_string();
    assert!(error.contains("no axis `X`"), "{error}");
}

proptest! {
    #![proptest_config(cases(500))]

    /// The storage of any layout is an array of lanes if its length is a multiple of their number: elements keep
    /// their offsets.
    #[test]
    fn any_storage_is_an_array_of_lanes(
        case in (random::axes(), random::element())
            .prop_flat_map(|(axes, element)| random::layout_of(axes, element, true)),
        lanes in 0..9usize,
    ) {
        let layout = case.layout();
        let bits = layout.element().bits();
        if let Some(axis) = layout.lanes().and_then(|lanes| lanes.axis()) {
            let error = layout.over_lanes(lanes).unwrap_err().to_string();
            prop_assert!(error.starts_with(&format!("axis `{axis}` is already distributed")), "{}", error);
            return Ok(());
        }
        let shared = lanes > 0 && layout.len() % lanes == 0
            && (lanes == 1 || layout.len() / lanes.max(1) * bits % 8 == 0);
        let over = layout.over_lanes(lanes);
        prop_assert_eq!(over.is_ok(), shared, "{} over {}", layout, lanes);
        let Ok(over) = over else { return Ok(()) };
        let memory = case.memory();
        let seen = over.lanes().unwrap();
        prop_assert_eq!((seen.count(), seen.len() * lanes), (lanes, layout.len()));
        for c in memory.coordinates() {
            let position = memory.offset(&c);
            let place = seen.place(&c).unwrap();
            prop_assert_eq!((place.lane, place.offset), (position / seen.len(), position % seen.len()));
            if layout.is_unique() {
                let back = seen.coordinate(place.lane, place.offset).unwrap();
                prop_assert_eq!(&back[..], &c[..]);
            }
        }
        prop_assert!(over.same_map(&layout));
        prop_assert_eq!(over.to_string().parse(), Ok(over), "{}", over);
        // Operations on axes ignore lanes.
        if over.rank() > 0 {
            let flipped = over.flip('0').unwrap();
            prop_assert_eq!(flipped.lanes(), None);
            let again = flipped.over_lanes(lanes).unwrap();
            prop_assert_eq!(again.to_string().parse(), Ok(again), "{}", again);
        }
    }
}
