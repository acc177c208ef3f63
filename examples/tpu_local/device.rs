//! A byte-level model of a chip's memories, and of the DMA engine that moves bytes between them.

use tensor_layout::chip::{Chip, Descriptor, Direction};

/// Global memory and the lanes of a chip.
#[derive(Clone, PartialEq)]
pub(crate) struct Device {
    /// The address of the first byte of `global`.
    pub(crate) base: u64,
    pub(crate) global: Vec<u8>,
    pub(crate) lanes: Vec<Vec<u8>>,
}

impl Device {
    /// Makes memories in which every byte is `byte`.
    pub(crate) fn new(chip: &Chip, base: u64, global: usize, byte: u8) -> Self {
        let lanes = vec![vec![byte; chip.lane_bytes]; chip.lanes];
        Self { base, global: vec![byte; global], lanes }
    }

    /// Executes the descriptors in order.
    pub(crate) fn run(&mut self, descriptors: &[Descriptor]) {
        descriptors.iter().for_each(|descriptor| self.step(descriptor));
    }

    /// Executes one descriptor, element by element.
    fn step(&mut self, d: &Descriptor) {
        let [n, c, h, w] = d.shape;
        for index in 0..n * c * h * w {
            let [n, c, h, w] = [index / (c * h * w), index / (h * w) % c, index / w % h, index % w];
            let lane = (d.lane + c) % self.lanes.len();
            let row = (d.lane + c) / self.lanes.len();
            let way = |index: [usize; 4], strides: [isize; 4]| -> isize {
                index.iter().zip(strides).map(|(&i, stride)| i as isize * stride).sum()
            };
            let bytes = d.bytes as isize;
            let global = d.global.wrapping_sub(self.base) as isize
                + bytes * way([n, c, h, w], d.global_strides);
            let local = d.local as isize + bytes * way([n, row, h, w], d.local_strides);
            for byte in 0..d.bytes {
                let global = (global as usize).wrapping_add(byte);
                let local = local as usize + byte;
                match d.direction {
                    Direction::Load => self.lanes[lane][local] = self.global[global],
                    Direction::Store => self.global[global] = self.lanes[lane][local],
                    Direction::FillLocal(bits) => {
                        self.lanes[lane][local] = u128::from(bits).to_le_bytes()[byte];
                    }
                    Direction::FillGlobal(bits) => {
                        self.global[global] = u128::from(bits).to_le_bytes()[byte];
                    }
                }
            }
        }
    }
}
