//! A local memory as text: one column for each bank, one row for each tensor.

use core::fmt;

use crate::local::LocalMemory;
use crate::local_tensor::{lane_bytes, lanes_used};

/// Writes each tensor with its first byte, its size in a lane and its lanes, and how much of each bank it takes: `#`
/// all, `+` a part, `.` none.
///
/// ```text
/// bm1684x: 64 lanes of 256 KiB in 16 banks
/// tensor   address   bytes  lanes   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
/// WEIGHTS  0x00000     576  0-63    +  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
/// ```
impl<const N: usize> fmt::Display for LocalMemory<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chip = &self.chip;
        let names = self.tensors.iter().map(|tensor| tensor.name.chars().count());
        let width = names.max().unwrap_or(0).max("tensor".len());
        let (lanes, kib) = (chip.lanes, Size(chip.lane_bytes));
        writeln!(formatter, "{}: {lanes} lanes of {kib} in {} banks", chip.name, chip.banks)?;
        write!(formatter, "{:width$}  address   bytes  lanes ", "tensor")?;
        (0..chip.banks).try_for_each(|bank| write!(formatter, " {bank:2}"))?;
        for (i, tensor) in self.tensors.iter().enumerate() {
            let (name, address) = (tensor.name, self.address(i));
            let bytes = lane_bytes(&tensor.layout);
            let lanes = UsedLanes { used: lanes_used(&tensor.layout), of: chip.lanes };
            write!(formatter, "\n{name:width$}  0x{address:05x} {bytes:7}  {lanes:6}")?;
            (0..chip.banks).try_for_each(|bank| write!(formatter, "  {}", self.mark(i, bank)))?;
        }
        Ok(())
    }
}

impl<const N: usize> LocalMemory<N> {
    /// How much of the bank tensor `i` takes.
    fn mark(&self, i: usize, bank: usize) -> char {
        let size = self.chip.bank_bytes();
        let start = self.address(i).max(bank * size);
        let end = self.end(i).min((bank + 1) * size);
        match end.saturating_sub(start) {
            0 => '.',
            bytes if bytes == size => '#',
            _ => '+',
        }
    }
}

/// `256 KiB`, or bytes if it is not a whole number of KiB.
struct Size(usize);

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 1024 {
            0 => write!(formatter, "{} KiB", self.0 / 1024),
            _ => write!(formatter, "{} bytes", self.0),
        }
    }
}

/// `0-63`: the first lane and the last one. `62-1` continues at lane 0.
struct UsedLanes {
    /// The first lane, and the number of lanes.
    used: (usize, usize),
    of: usize,
}

impl fmt::Display for UsedLanes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, count) = self.used;
        let text = match count {
            0 => layout_core::spec::Name::new("none"),
            _ => {
                let mut text = layout_core::spec::Name::EMPTY;
                text.push_number(first);
                if count > 1 {
                    text.push("-");
                    text.push_number((first + count - 1) % self.of);
                }
                text
            }
        };
        fmt::Display::fmt(&text, formatter)
    }
}
