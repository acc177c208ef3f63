//! A digest of bytes: XXH64, which stays the same from one version to the next, and is as fast as memory.

use std::fmt;

const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

/// Bytes that come in pieces.
#[derive(Clone)]
pub(crate) struct Digest {
    lanes: [u64; 4],
    /// Bytes of a stripe that is not whole.
    rest: Vec<u8>,
    length: u64,
}

fn round(lane: u64, own: u64) -> u64 {
    lane.wrapping_add(own.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

impl Digest {
    pub(crate) fn new() -> Self {
        let [first, second, ..] = PRIMES;
        let lanes = [first.wrapping_add(second), second, 0, first.wrapping_neg()];
        Self { lanes, rest: Vec::new(), length: 0 }
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if !self.rest.is_empty() {
            let (own, after) = bytes.split_at(bytes.len().min(32 - self.rest.len()));
            self.rest.extend(own);
            bytes = after;
            if self.rest.len() == 32 {
                let rest = std::mem::take(&mut self.rest);
                self.stripes(&rest);
            }
        }
        let (whole, rest) = bytes.split_at(bytes.len() / 32 * 32);
        self.stripes(whole);
        self.rest.extend(rest);
    }

    fn stripes(&mut self, bytes: &[u8]) {
        for stripe in bytes.chunks_exact(32) {
            for (lane, own) in self.lanes.iter_mut().zip(stripe.chunks_exact(8)) {
                *lane = round(*lane, word(own));
            }
        }
    }

    pub(crate) fn value(&self) -> u64 {
        let [a, b, c, d, e] = PRIMES;
        let mut all = match self.length {
            0..32 => e,
            _ => {
                let turned =
                    self.lanes.iter().zip([1, 7, 12, 18]).map(|(own, by)| own.rotate_left(by));
                let sum = turned.fold(0, u64::wrapping_add);
                self.lanes
                    .iter()
                    .fold(sum, |all, &own| (all ^ round(0, own)).wrapping_mul(a).wrapping_add(d))
            }
        };
        all = all.wrapping_add(self.length);
        let words = self.rest.chunks_exact(8);
        let mut rest = words.remainder();
        for own in words {
            all = (all ^ round(0, word(own))).rotate_left(27).wrapping_mul(a).wrapping_add(d);
        }
        if let Some((own, after)) = rest.split_at_checked(4) {
            all = (all ^ word(own).wrapping_mul(a)).rotate_left(23).wrapping_mul(b).wrapping_add(c);
            rest = after;
        }
        for &byte in rest {
            all = (all ^ u64::from(byte).wrapping_mul(e)).rotate_left(11).wrapping_mul(a);
        }
        all = (all ^ all >> 33).wrapping_mul(b);
        all = (all ^ all >> 29).wrapping_mul(c);
        all ^ all >> 32
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the package `xxhash`.
    #[test]
    fn the_digest_is_xxh64() {
        let bytes: Vec<u8> = (0..100u8).map(|i| i.wrapping_mul(37)).collect();
        let cases = [
            (0, 0xef46_db37_51d8_e999u64),
            (3, 0xf5cd_310a_927f_de3e),
            (31, 0x4513_ec5e_bc46_d0d3),
            (32, 0x2c1f_2ffa_2ace_16d3),
            (63, 0x2c9d_78b9_3230_07f3),
            (100, 0x3f99_fd12_63b5_4f01),
        ];
        for (length, value) in cases {
            for pieces in [1, 7, 32, 100] {
                let mut digest = Digest::new();
                bytes[..length].chunks(pieces).for_each(|piece| digest.add(piece));
                assert_eq!(digest.value(), value, "{length} in pieces of {pieces}");
            }
        }
    }
}
