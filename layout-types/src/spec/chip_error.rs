//! Everything that can be wrong with chips, storages and places in local memory, and its text.

use super::element::ElementType;
use super::phrases::push_count;
use super::text::{Message, Name};

use ChipError::*;

/// What is wrong with a chip, a storage or a place in local memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChipError {
    /// The name of a chip that nobody knows.
    UnknownChip {
        /// The name as written.
        name: Name,
        /// The names that there are.
        known: &'static [&'static str],
    },
    /// A chip whose numbers describe no memory.
    NoMemory {
        /// Its name.
        name: Name,
        /// What it needs.
        remedy: &'static str,
    },
    /// The name of a storage that nobody knows.
    UnknownStorage {
        /// The name as written.
        name: Name,
        /// The names that there are.
        known: &'static [&'static str],
    },
    /// A format that a storage is not for.
    StorageFormat {
        /// The storage.
        storage: &'static str,
        /// The format.
        format: Name,
        /// The format that it is for; `""` for any of so many axes.
        expected: &'static str,
        /// How many axes that has.
        axes: usize,
    },
    /// An element type that a storage does not take.
    StorageElement {
        /// The storage.
        storage: &'static str,
        /// The name of the type.
        name: Name,
        /// The types that it takes.
        known: &'static [ElementType],
    },
    /// An argument that a storage needs and that is not there, or the other way round.
    StorageArgument {
        /// The storage.
        storage: &'static str,
        /// The argument.
        argument: &'static str,
        /// Whether the storage takes it.
        takes: bool,
    },
    /// A tensor for local memory that is not dealt over the chip's lanes.
    LaneCount {
        /// The tensor.
        tensor: Name,
        /// The chip.
        chip: Name,
        /// Over how many lanes it is dealt; 0 where it is not.
        lanes: usize,
        /// How many lanes the chip has.
        needed: usize,
    },
    /// A tensor that does not fit in a lane.
    LaneCapacity {
        /// The tensor.
        tensor: Name,
        /// Where it begins in the lane, in bytes.
        address: usize,
        /// The bytes that it takes of the lane.
        needs: usize,
        /// The bytes of a lane.
        has: usize,
        /// The first lane that it lies in.
        lane: usize,
    },
    /// A tensor at an address that its storage does not allow.
    AddressAlignment {
        /// The tensor.
        tensor: Name,
        /// Where it begins in the lane, in bytes.
        address: usize,
        /// What that must be a multiple of.
        alignment: usize,
    },
    /// Two tensors in the same bytes of a lane.
    LocalOverlap {
        /// The tensor.
        tensor: Name,
        /// The one that lies there.
        other: Name,
        /// The first byte that both take.
        start: usize,
        /// The byte behind the last.
        end: usize,
    },
    /// Two tensors in one bank that are to be kept apart.
    SharedBank {
        /// The tensor.
        tensor: Name,
        /// The other.
        other: Name,
        /// The first bank that both take.
        bank: usize,
    },
    /// A tensor for which no address was found.
    NoRoom {
        /// The tensor.
        tensor: Name,
        /// The bytes that it takes of a lane.
        needs: usize,
        /// The bytes of a lane.
        has: usize,
    },
    /// A transfer whose local side is not dealt over lanes, or whose global side is.
    TransferLanes {
        /// Whether it is the local side.
        local: bool,
    },
    /// A tensor that ends past the last address there can be.
    AddressRange {
        /// The tensor.
        tensor: Name,
        /// Where it begins, in bytes.
        address: u64,
        /// The bytes that it takes.
        bytes: u64,
        /// The last address there can be.
        last: u64,
    },
    /// A transfer of 4-bit elements that would have to take pairs apart.
    TransferNibbles {
        /// The element type.
        element: ElementType,
    },
}

impl ChipError {
    /// Appends the fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message) {
        match *self {
            UnknownChip { name, known } => {
                m.push("unknown chip `");
                m.push(name.as_str());
                m.push("`; write ");
                push_names(m, known);
                m.push(", or the path of a `Chip` constant of your own");
            }
            NoMemory { name, remedy } => {
                m.push("chip `");
                m.push(name.as_str());
                m.push("` describes no memory; give it ");
                m.push(remedy);
            }
            UnknownStorage { name, known } => {
                m.push("unknown storage `");
                m.push(name.as_str());
                m.push("`; write ");
                push_names(m, known);
            }
            StorageFormat { storage, format, expected, axes } => {
                m.push("storage `");
                m.push(storage);
                m.push("` is not for format `");
                m.push(format.as_str());
                m.push("`; write ");
                if expected.is_empty() {
                    m.push("a format of ");
                    push_count(m, axes, "axis", "axes");
                    m.push(" and no blocks, such as `");
                    m.push(if axes == 1 { "N" } else { "MN" });
                } else {
                    m.push("`");
                    m.push(expected);
                }
                m.push("`");
            }
            StorageElement { storage, name, known } => {
                m.push("storage `");
                m.push(storage);
                m.push("` does not take elements of type `");
                m.push(name.as_str());
                m.push("`; write ");
                let mut i = 0;
                while i < known.len() {
                    push_separator(m, i, known.len());
                    m.push(known[i].name().as_str());
                    i += 1;
                }
            }
            StorageArgument { storage, argument, takes: true } => {
                m.push("storage `");
                m.push(storage);
                m.push("` needs `");
                m.push(argument);
                m.push("`; write `");
                m.push(storage);
                m.push("(");
                m.push(argument);
                m.push(" = ..)`");
            }
            StorageArgument { storage, argument, takes: false } => {
                m.push("storage `");
                m.push(storage);
                m.push("` has no `");
                m.push(argument);
                m.push("`; remove it");
            }
            LaneCount { tensor, chip, lanes, needed } => {
                push_tensor(m, tensor);
                if lanes == 0 {
                    m.push(" is not dealt over lanes");
                } else {
                    m.push(" is dealt over ");
                    push_count(m, lanes, "lane", "lanes");
                }
                m.push(", but `");
                m.push(chip.as_str());
                m.push("` has ");
                m.push_number(needed);
                m.push("; give its layout a storage of that chip, such as `");
                m.push(chip.as_str());
                m.push("::aligned`");
            }
            LaneCapacity { tensor, address, needs, has, lane } => {
                push_tensor(m, tensor);
                m.push(" needs ");
                push_count(m, needs, "byte", "bytes");
                m.push(" of lane ");
                m.push_number(lane);
                if address > 0 {
                    m.push(" from ");
                    m.push_number(address);
                    m.push(" on");
                }
                m.push(", but a lane has ");
                m.push_number(has);
                m.push("; split the tensor, or deal it over more lanes");
                if address > 0 {
                    m.push(", or place it lower");
                }
            }
            AddressAlignment { tensor, address, alignment } => {
                push_tensor(m, tensor);
                m.push(" begins at byte ");
                m.push_number(address);
                m.push(", but its storage needs a multiple of ");
                m.push_number(alignment);
                m.push("; write ");
                let below = address / alignment * alignment;
                m.push_number(below);
                if let Some(above) = below.checked_add(alignment) {
                    m.push(" or ");
                    m.push_number(above);
                }
            }
            LocalOverlap { tensor, other, start, end } => {
                push_tensor(m, tensor);
                m.push(" and tensor `");
                m.push(other.as_str());
                m.push("` both take bytes ");
                m.push_number(start);
                m.push(" to ");
                m.push_number(end - 1);
                m.push("; write another address, or none to have one chosen");
            }
            SharedBank { tensor, other, bank } => {
                push_tensor(m, tensor);
                m.push(" and tensor `");
                m.push(other.as_str());
                m.push("` share bank ");
                m.push_number(bank);
                m.push(
                    " but are to be kept apart; write another address, or none to have one chosen",
                );
            }
            NoRoom { tensor, needs, has } => {
                m.push("no room was found for tensor `");
                m.push(tensor.as_str());
                m.push("`, which needs ");
                m.push_number(needs);
                m.push(" of the ");
                push_count(m, has, "byte", "bytes");
                m.push(" of a lane, beside the others; make tensors smaller, or keep fewer apart");
            }
            TransferLanes { local: true } => {
                m.push("the local side of a transfer is not dealt over lanes; give its layout a storage of the chip, such as `bm1684x::aligned`");
            }
            TransferLanes { local: false } => {
                m.push("the global side of a transfer is dealt over lanes; give it a layout without them");
            }
            AddressRange { tensor, address, bytes, last } => {
                m.push("tensor `");
                m.push(tensor.as_str());
                m.push("` begins at byte ");
                m.push_wide(address);
                m.push(" and takes ");
                m.push_wide(bytes);
                m.push(" bytes, which end past the last address; write at most ");
                m.push_wide(last - (bytes - 1));
            }
            TransferNibbles { element } => {
                m.push("a transfer moves whole bytes, but pairs of `");
                m.push(element.name().as_str());
                m.push("` elements do not stay together; move them on the host, or into a global layout with the same blocks");
            }
        }
    }
}

const fn push_tensor(m: &mut Message, tensor: Name) {
    m.push("tensor `");
    m.push(tensor.as_str());
    m.push("`");
}

/// `` `a`, `b` or `c` ``
const fn push_names(m: &mut Message, names: &[&str]) {
    let mut i = 0;
    while i < names.len() {
        push_separator(m, i, names.len());
        m.push("`");
        m.push(names[i]);
        m.push("`");
        i += 1;
    }
}

/// What stands before item `i` of `count`.
const fn push_separator(m: &mut Message, i: usize, count: usize) {
    if i > 0 {
        m.push(if i + 1 == count { " or " } else { ", " });
    }
}
