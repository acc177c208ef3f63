//! Inputs made from a seed, and what TensorFlow Lite for Microcontrollers computes of them. `networks.py` of
//! `tests/conformance` wrote the results.

use crate::{person_detect, speech};

/// An input and its result.
pub struct Case<const OUTPUTS: usize> {
    kind: u32,
    seed: u32,
    outputs: [i8; OUTPUTS],
    /// The FNV-1a hash of the outputs of all steps, one after another.
    hash: u64,
}

// The statics `DATA_PERSON_DETECT` and `DATA_SPEECH`, arrays of cases.
include!(concat!(env!("VECTORS"), "/person_detect.in"));
include!(concat!(env!("VECTORS"), "/speech.in"));

impl<const OUTPUTS: usize> Case<OUTPUTS> {
    /// Writes the input of this case.
    pub fn write_input(&self, input: &mut [i8]) {
        let mut state = self.seed;
        for (i, byte) in input.iter_mut().enumerate() {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            let (i, random) = (i as u32, state >> 24);
            let value = match self.kind {
                0 => random,
                1 => self.seed,
                2 => i.wrapping_mul(self.seed),
                3 => {
                    if (i / 8 + i / 480) % 2 == 0 {
                        self.seed
                    } else {
                        !self.seed
                    }
                }
                _ => (random >> 4).wrapping_add(self.seed),
            };
            *byte = value as i8;
        }
    }

    /// Whether a network returns the outputs, and passes what hashes to the hash.
    fn holds(&self, infer: impl FnOnce(&mut dyn FnMut(&[i8])) -> [i8; OUTPUTS]) -> bool {
        let mut hash = 0xcbf29ce484222325u64;
        let outputs = infer(&mut |bytes| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte as u8)).wrapping_mul(0x100000001b3);
            }
        });
        outputs == self.outputs && hash == self.hash
    }
}

/// Returns the number of the first of all cases whose result differs.
pub fn check_person_detect(memory: &mut person_detect::ActivationsMemory) -> Option<usize> {
    DATA_PERSON_DETECT.iter().position(|case| {
        let write = |picture: &mut [i8; _]| case.write_input(picture);
        !case.holds(|observe| person_detect::infer(memory, write, observe))
    })
}

/// The same for [`speech`].
pub fn check_speech(memory: &mut speech::ActivationsMemory) -> Option<usize> {
    DATA_SPEECH.iter().position(|case| {
        let write = |spectrum: &mut [i8; _]| case.write_input(spectrum);
        !case.holds(|observe| speech::infer(memory, write, observe))
    })
}

#[test]
fn outputs_of_all_steps_are_those_of_tflite_micro() {
    let mut spectra = speech::ActivationsMemory::ZEROED;
    assert_eq!(check_speech(&mut spectra), None);
    let mut pictures = person_detect::ActivationsMemory::ZEROED;
    assert_eq!(check_person_detect(&mut pictures), None);
}

/// The bytes of the largest pair of activations, one of which is computed from the other.
#[test]
fn arenas_take_little_more_than_the_largest_pair() {
    let pairs = [48 * 48 * (8 + 16), 49 * 40 + 25 * 20 * 8];
    let taken = [person_detect::Activations::PLAN.bytes(0), speech::Activations::PLAN.bytes(0)];
    for (taken, pair) in taken.into_iter().zip(pairs) {
        assert!(taken >= pair && taken * 100 <= pair * 105, "{taken} bytes, and {pair} at least");
    }
}
