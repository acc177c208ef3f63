//! Moves between two record types, whose passes are constants: those of one of several equal tiles.

use core::marker::PhantomData;

use layout_records::{
    BlockSteps, FieldMove, FieldUnit, MatchedFields, MovedPart, PlacedRecord, Record, RecordError,
    UseFault,
};
use layout_types::{each, ok};

use super::record_buffer::{RecordBuffer, check_record, fault};
use super::record_type::{KnownExtents, RecordType};
use crate::relayout::{HasStaticPlan, Plan, run_static_bytes};

/// The bytes of a tile, about: source and destination of one stay in the first two caches.
const TILE: usize = 32 << 10;

/// The axis that is the slowest of all buffers of two records, and its extent; the least number of rows that are whole
/// blocks of both, and those of a tile.
#[derive(Clone, Copy)]
pub(super) struct RecordTiling {
    pub(super) axis: char,
    pub(super) extent: usize,
    least: usize,
    pub(super) rows: usize,
}

impl RecordTiling {
    pub(super) const fn of(from: &Record, to: &Record) -> Option<Self> {
        const fn fits(from: &Record, to: &Record, axis: char, rows: usize) -> bool {
            from.rows(axis, 0..rows).is_ok() && to.rows(axis, 0..rows).is_ok()
        }
        each!(position, 0..to.letters().count(), {
            let (axis, extent) = (to.letters().at(position), to.extents()[position]);
            if fits(from, to, axis, extent) {
                let mut least = 1;
                while least < extent && !fits(from, to, axis, least) {
                    least = if least < 256 { least + 1 } else { extent };
                }
                if least >= extent {
                    return None;
                }
                let mut bytes = 1usize;
                each!(buffer, 0..from.buffers(), {
                    bytes = bytes.saturating_add(from.bytes(buffer))
                });
                each!(buffer, 0..to.buffers(), { bytes = bytes.saturating_add(to.bytes(buffer)) });
                let (most, tiles) = (extent / least, TILE.saturating_mul(extent / least) / bytes);
                let tiles = if tiles > most {
                    most
                } else if tiles == 0 {
                    1
                } else {
                    tiles
                };
                return Some(Self { axis, extent, least, rows: least * tiles });
            }
        });
        None
    }
}

/// The number of equal tiles of a move between two types, and the records of one.
const fn tiles<S: RecordType, D: RecordType>() -> (usize, Record, Record) {
    let (Some(from), Some(to)) = (S::STATIC, D::STATIC) else {
        panic!("the type of the record does not determine its extents")
    };
    if let Some(RecordTiling { axis, extent, least, mut rows }) = RecordTiling::of(&from, &to) {
        while extent % least == 0 && extent % rows > 0 {
            rows -= least;
        }
        if let (0, Ok(from), Ok(to)) =
            (extent % rows, from.rows(axis, 0..rows), to.rows(axis, 0..rows))
        {
            return (extent / rows, from, to);
        }
    }
    (1, from, to)
}

/// The most passes of a tile: more than fields of a record.
const MOST_PASSES: usize = 64;

/// A pass: a field of the source, the same field of the destination, the set of axes of its part, and the unit that is
/// moved, unless elements are moved one by one.
type StaticPass = ([usize; 2], usize, Option<FieldUnit>);

/// The passes and their number.
type StaticPasses = ([StaticPass; MOST_PASSES], usize);

/// How a field is moved.
struct FieldRoute {
    own: MatchedFields,
    flips: Option<Flips>,
}

impl FieldRoute {
    const fn of([from, to]: [&PlacedRecord; 2], nodes: [usize; 2]) -> Result<Self, RecordError> {
        let fields = (ok!(from.field(nodes[0])), ok!(to.field(nodes[1])));
        let own = ok!(MatchedFields::of([&from.record, &to.record], fields.0, fields.1));
        Ok(Self { flips: Flips::of(&to.record, &own), own })
    }

    /// The unit that is moved, or `None` if elements are moved one by one.
    const fn unit(&self) -> Option<FieldUnit> {
        match self.own.to.moved_unit(&self.own.from) {
            Ok(unit) if self.own.flipped == 0 || self.flips.is_some() => Some(unit),
            _ => None,
        }
    }
}

/// # Errors
/// A field is in one of the records alone, or differs, or there are too many passes.
const fn passes(from: &PlacedRecord, to: &PlacedRecord) -> Result<StaticPasses, RecordError> {
    let (mut all, mut count) = ([([0; 2], 0, None); MOST_PASSES], 0);
    let (mut node, mut first, mut left) = (0, 0, from.record.field_count());
    while let Some(own) = to.next(node) {
        node = own + 1;
        let Some(other) = from.find(to.name(own).as_str(), first) else {
            return Err(fault(UseFault::Missing(to.name(own).as_str())));
        };
        (first, left) = (other + 1, left - 1);
        let way = ok!(FieldRoute::of([from, to], [other, own]));
        let (unit, field) = (way.unit(), &way.own.to);
        if unit.is_none() {
            ok!(FieldMove::new(&to.record, field, Some(way.own.from), 0));
        }
        each!(set, 0..if field.is_padded() { 1 << field.letters().count() } else { 1 }, {
            let is_there = match unit {
                Some(unit) => {
                    ok!(MovedPart::new(&to.record, field, Ok(&way.own), unit, set)).is_some()
                }
                None => set == 0,
            };
            if is_there {
                if count == MOST_PASSES {
                    return Err(fault(UseFault::StaticPasses(field.name(), MOST_PASSES)));
                }
                all[count] = ([other, own], set, unit);
                count += 1;
            }
        });
    }
    node = 0;
    while let (1.., Some(own)) = (left, from.next(node)) {
        node = own + 1;
        let name = from.name(own);
        if to.find(name.as_str(), 0).is_none() {
            return Err(fault(UseFault::Away(name.as_str())));
        }
    }
    Ok((all, count))
}

/// The bytes of each block whose bits are flipped after a move.
#[derive(Clone, Copy)]
struct Flips {
    steps: BlockSteps,
    bytes: (usize, usize),
    mask: u8,
}

impl Flips {
    /// `None` if there are none, or elements of the field do not fill the bytes.
    const fn of(to: &Record, own: &MatchedFields) -> Option<Self> {
        let (bits @ (1 | 2 | 4 | 8), 1..) = (own.to.bits(), own.flipped) else { return None };
        let (Ok(steps), Ok(block)) = (to.block_steps(own.to.buffer()), to.template().block())
        else {
            return None;
        };
        let Ok(field) = block.field(own.to.name()) else { return None };
        let mask = own.flipped as u8 * (0xff / (0xff >> (8 - bits)));
        match field.byte_range() {
            Some(bytes) if !own.to.is_padded() => Some(Self { steps, bytes, mask }),
            _ => None,
        }
    }

    #[inline]
    fn run(&self, destination: &mut [u8]) -> Option<()> {
        for block in 0..self.steps.blocks() {
            let own = destination.get_mut(self.steps.start(block)..)?;
            own.get_mut(self.bytes.0..self.bytes.1)?.iter_mut().for_each(|own| *own ^= self.mask);
        }
        Some(())
    }
}

/// A move from one type to another.
struct Moved<S, D>(PhantomData<(S, D)>);

impl<S: RecordType, D: RecordType> Moved<S, D> {
    const TILES: (usize, Record, Record) = tiles::<S, D>();
    const SIDES: [PlacedRecord; 2] =
        [PlacedRecord::new(Self::TILES.1), PlacedRecord::new(Self::TILES.2)];
    const PASSES: Result<StaticPasses, RecordError> = passes(&Self::SIDES[0], &Self::SIDES[1]);
}

/// Pass number `INDEX` of a tile.
struct Pass<S, D, const INDEX: usize>(PhantomData<(S, D)>);

impl<S: RecordType, D: RecordType, const INDEX: usize> Pass<S, D, INDEX> {
    const TO: &'static Record = &Moved::<S, D>::SIDES[1].record;

    const OWN: Option<(FieldRoute, usize, Option<FieldUnit>)> = match &Moved::<S, D>::PASSES {
        Ok((all, count)) if INDEX < *count => {
            let [from, to] = &Moved::<S, D>::SIDES;
            let (nodes, set, unit) = all[INDEX];
            match FieldRoute::of([from, to], nodes) {
                Ok(way) => Some((way, set, unit)),
                Err(error) => error.panic(),
            }
        }
        _ => None,
    };

    const RUN: Option<Run> = if Self::OWN.is_some() { Some(Self::run) } else { None };

    const PART: Option<MovedPart> = match &Self::OWN {
        Some((FieldRoute { own, .. }, set, Some(unit))) => {
            match MovedPart::new(Self::TO, &own.to, Ok(own), *unit, *set) {
                Ok(part) => part,
                Err(error) => error.panic(),
            }
        }
        _ => None,
    };

    const EACH: Option<FieldMove> = match &Self::OWN {
        Some((FieldRoute { own, .. }, _, None)) => {
            match FieldMove::new(Self::TO, &own.to, Some(own.from), own.flipped) {
                Ok(each) => Some(each),
                Err(error) => error.panic(),
            }
        }
        _ => None,
    };

    const MADE: Option<Plan> = match &Self::PART {
        Some(own) => match Plan::of_static(&own.source, &own.destination) {
            Ok(plan) => Some(plan),
            Err(error) => error.panic(),
        },
        None => None,
    };

    /// The buffer on each side and its bytes in a tile.
    const SIDES: [(usize, usize); 2] = match &Self::OWN {
        Some((FieldRoute { own: MatchedFields { from, to, .. }, .. }, ..)) => {
            [(from.buffer(), from.buffer_bytes()), (to.buffer(), to.buffer_bytes())]
        }
        None => [(0, 0); 2],
    };

    /// The element that is written everywhere.
    const CONSTANT: Option<([u8; 8], usize)> = match &Self::PART {
        Some(MovedPart { from: None, bits, source, .. }) => {
            Some((bits.to_le_bytes(), source.units()))
        }
        _ => None,
    };

    const FLIPS: Option<Flips> = match (&Self::OWN, &Self::PART) {
        (Some((way, ..)), Some(MovedPart { from: Some(_), .. })) => way.flips,
        _ => None,
    };

    /// Runs the pass of a tile. Returns `None` if a buffer is too short.
    #[inline]
    fn run(source: &[&[u8]], destination: &mut [&mut [u8]], tile: usize) -> Option<()> {
        let [(from, length), (to, bytes)] = const { Self::SIDES };
        let to = destination.get_mut(to)?.get_mut(tile * bytes..)?.get_mut(..bytes)?;
        let from = match const { &Self::CONSTANT } {
            Some((element, count)) => element.get(..*count)?,
            None => source.get(from)?.get(tile * length..)?.get(..length)?,
        };
        match const { &Self::EACH } {
            Some(each) => each.run(from, to)?,
            None => run_static_bytes::<Self>(from, to)?,
        }
        const { Self::FLIPS }.map_or(Some(()), |flips| flips.run(to))
    }
}

type Run = fn(&[&[u8]], &mut [&mut [u8]], usize) -> Option<()>;

impl<S: RecordType, D: RecordType, const INDEX: usize> HasStaticPlan for Pass<S, D, INDEX> {
    const PLAN: Option<&'static Plan> = Self::MADE.as_ref();
}

/// Makes records whose fields differ a compile error.
#[track_caller]
pub const fn check_records<S, D>()
where
    S: RecordType<Extents: KnownExtents>,
    D: RecordType<Extents: KnownExtents>,
{
    if let Err(error) = &Moved::<S, D>::PASSES {
        error.panic()
    }
}

/// Moves all fields of a record to another one, for the derive, which has checked the types.
///
/// # Errors
/// A buffer has become shorter since it was given. Nothing is written then.
#[inline]
pub fn run_records<S, D, B, C, const FROM: usize, const TO: usize>(
    source: &RecordBuffer<S, B, FROM>,
    destination: &mut RecordBuffer<D, C, TO>,
) -> Result<(), RecordError>
where
    S: RecordType,
    D: RecordType,
    B: AsRef<[u8]>,
    C: AsMut<[u8]>,
{
    let from = source.buffers().each_ref().map(AsRef::as_ref);
    check_record("source", source.record(), from.map(<[u8]>::len))?;
    let to = *destination.record();
    let mut destination = destination.buffers_mut().each_mut().map(AsMut::as_mut);
    check_record("destination", &to, destination.each_ref().map(|own| own.len()))?;
    for tile in 0..const { Moved::<S, D>::TILES.0 } {
        macro_rules! run {
            ($($index:literal)*) => {$(
                if let Some(run) = const { Pass::<S, D, $index>::RUN } {
                    let done = run(&from, &mut destination, tile);
                    debug_assert!(done.is_some(), "a tile is as long as its record");
                }
            )*};
        }
        const { assert!(MOST_PASSES == 64) };
        run!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        run!(32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    }
    Ok(())
}
