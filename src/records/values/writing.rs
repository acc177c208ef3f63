//! How the values of a tile are written to a side of a conversion.

use alloc::vec::Vec;

use layout_kernels::{Work, work_on_best};

use super::codes::CodeMap;
use super::planned_side::{PlannedSide, SideTile, ValueScratch};
use super::quantizer::Quantizer;
use super::rule_form::GroupValue;
use super::side::StoredField;

impl PlannedSide {
    /// The fields that the groups of a destination have one element of, for scales, zeros and minima.
    fn grouped(&self) -> [Option<usize>; 3] {
        let (parts, mut all) = (self.form.parts(), [None; 3]);
        for (own, (value, levels)) in all.iter_mut().zip(parts.into_iter().zip(&self.levels)) {
            let field = value.and_then(GroupValue::multiple).map(|own| own.0);
            *own = levels.as_ref().map(|own| own.codes[0].0).or(field);
        }
        all
    }

    /// Whether a quantizer finds scales and sums for the groups of a tile. Sums and a search are those of values side by side.
    pub(super) fn takes_groups(&self, tile: &SideTile, quantizer: Quantizer) -> bool {
        let is_own = |field| tile.groups.elements(field).is_own();
        let levels = self.levels.iter().flatten().all(|own| own.are_own(&tile.groups));
        let are_own = match quantizer {
            Quantizer::Fitted => self.grouped().into_iter().flatten().all(is_own),
            _ => true,
        };
        levels && are_own && (self.rules.is_empty() || self.groups().all(is_own))
    }

    /// Stores the values of a tile.
    pub(super) fn write(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        quantizer: Quantizer,
        values: &[f32],
        scratch: &mut ValueScratch,
        destination: &mut [&mut [u8]],
    ) {
        let ValueScratch { held, codes, groups, levels, .. } = scratch;
        let mut stored = [Some((self.plain(), values)), None, None];
        if let Some(map) = &self.codes {
            codes.resize(values.len(), 0);
            let side = (self, tile);
            work_on_best(Encoding { map, side, quantizer, values, groups, codes, levels });
            self.write_parts((tile, firsts), &self.form.codes, codes, destination);
            let parts = self.grouped().into_iter().zip(&self.levels).zip(&mut *levels);
            for ((own, ((field, levels), (floats, codes))), list) in
                stored.iter_mut().zip(parts).zip(&mut *groups)
            {
                let mut field = field;
                if let Some(levels) = levels {
                    self.write_parts((tile, firsts), &levels.codes, codes, destination);
                    field = Some(levels.float);
                    core::mem::swap(list, floats);
                }
                if let Some(field) = field {
                    tile.groups.elements(field).reduce(list, |own, _| own);
                }
                *own = field.map(|field| (field, &list[..]));
            }
        }
        for (field, values) in stored.into_iter().flatten() {
            let own = &self.fields[field];
            held.resize(values.len() * own.held(), 0);
            work_on_best(FieldElements { field: own, values, held });
            self.store((tile, firsts), field, held, destination);
        }
    }

    /// Writes codes to fields, of which each has some of their bits.
    fn write_parts(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        parts: &[(usize, u32)],
        codes: &[u8],
        destination: &mut [&mut [u8]],
    ) {
        for &(field, shift) in parts {
            let (own, places) = (&self.fields[field], &tile.fields[field]);
            let bytes = &mut *destination[own.buffer];
            match own.bits {
                8 => places.scatter(own, bytes, firsts[field], codes),
                _ => places.write_codes(own, bytes, firsts[field], shift, codes),
            }
        }
    }

    /// Writes elements that each have bytes of their own to a field.
    pub(super) fn store(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        field: usize,
        held: &[u8],
        destination: &mut [&mut [u8]],
    ) {
        let (own, places) = (&self.fields[field], &tile.fields[field]);
        let bytes = &mut *destination[own.buffer];
        match own.bits % 8 {
            0 => places.scatter(own, bytes, firsts[field], held),
            _ => places.write_codes(own, bytes, firsts[field], 0, held),
        }
    }
}

/// The elements that are nearest to values.
struct FieldElements<'a> {
    field: &'a StoredField,
    values: &'a [f32],
    held: &'a mut [u8],
}

impl Work for FieldElements<'_> {
    #[inline(always)]
    fn run(self) {
        self.field.encode(self.values, self.held);
    }
}

/// The scales and codes of the values of a tile.
struct Encoding<'a> {
    map: &'a CodeMap,
    side: (&'a PlannedSide, &'a SideTile),
    quantizer: Quantizer,
    values: &'a [f32],
    groups: &'a mut [Vec<f32>; 4],
    codes: &'a mut [u8],
    levels: &'a mut [(Vec<f32>, Vec<u8>); 3],
}

impl Work for Encoding<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { map, side: (side, tile), quantizer, values, groups: lists, codes, levels } =
            self;
        let groups = &tile.groups;
        let shared = side.grouped().map(|field| Some(groups.elements(field?)));
        map.groups(groups, quantizer, values, shared, lists);
        let mut has_levels = false;
        for ((own, list), (floats, codes)) in side.levels.iter().zip(&mut *lists).zip(levels) {
            if let Some(own) = own {
                let elements = groups.elements(own.float);
                own.round(&side.fields[own.float], elements, list, (floats, codes));
                has_levels = true;
            }
        }
        if has_levels {
            quantizer.take_levels(lists);
        }
        map.encode(groups.run(), quantizer, values, lists, codes);
    }
}
