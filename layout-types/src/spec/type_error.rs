//! What can keep a layout from being one of a type, and the text for it.

use super::element::ElementType;
use super::factor::Letters;
use super::phrases::{push_axis, push_count, push_letters};
use super::text::{Message, Name, same_text};

use TypeError::*;

/// A layout that is not one of a layout type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TypeError {
    /// A layout of other elements than its type.
    Element {
        /// The element type of the type.
        needed: ElementType,
        /// The element type of the layout.
        given: ElementType,
    },
    /// A layout with other axes than its type, or in another coordinate order.
    Axes {
        /// The axes of the type in coordinate order.
        needed: Letters,
        /// The axes of the layout.
        given: Letters,
    },
    /// A layout with another extent than its type.
    Extent {
        /// The axis.
        letter: char,
        /// The extent in the type.
        needed: usize,
        /// The extent in the layout.
        given: usize,
    },
    /// A layout of the axes and extents of its type that places elements elsewhere.
    Order {
        /// The format of the type.
        needed: Name,
        /// The format of the layout.
        given: Name,
    },
    /// A layout of the map of its type in a buffer of another length.
    Length {
        /// The elements that the type takes.
        needed: usize,
        /// The elements that the layout takes.
        given: usize,
    },
    /// A layout of another rank than its type.
    Rank {
        /// The rank of the type.
        needed: usize,
        /// The axes of the layout.
        given: Letters,
    },
}

impl TypeError {
    /// The fact, then what to write instead.
    pub(super) const fn write(&self, m: &mut Message) {
        match *self {
            Element { needed, given } => {
                m.push("layout holds `");
                m.push(given.name().as_str());
                m.push("` but its type says `");
                m.push(needed.name().as_str());
                m.push(
                    "`; make the layout of the type's elements, or write the other element type",
                );
            }
            Axes { needed, given } => {
                m.push("layout has axes ");
                push_letters(m, given);
                m.push(" but its type says ");
                push_letters(m, needed);
                m.push("; make a layout of those axes in that order, or write the other ones in the type");
            }
            Extent { letter, needed, given } => {
                push_axis(m, letter);
                m.push(" has extent ");
                m.push_number(given);
                m.push(" but its type says ");
                m.push_number(needed);
                m.push("; make a layout of that extent, or write `_` in the type");
            }
            Order { needed, given } if same_text(needed.as_str(), given.as_str()) => {
                m.push("layout and its type are both `");
                m.push(needed.as_str());
                m.push("` but differ in padding, alignment or strides; move the tensor with a relayout, or write the layout's options in the type");
            }
            Order { needed, given } => {
                m.push("layout `");
                m.push(given.as_str());
                m.push("` places elements elsewhere than its type `");
                m.push(needed.as_str());
                m.push("`, by its order, padding, alignment or strides; move the tensor with a relayout, or write the other format or option in the type");
            }
            Length { needed, given } => {
                m.push("layout is that of a buffer of ");
                push_count(m, given, "element", "elements");
                m.push(" but its type of one of ");
                m.push_number(needed);
                m.push("; move the tensor to a buffer of its own with a relayout, or write the padding or alignment that it has in the type");
            }
            Rank { needed, given } => {
                m.push("layout has ");
                push_count(m, given.count(), "axis", "axes");
                m.push(" (");
                push_letters(m, given);
                m.push(") but its type says ");
                m.push_number(needed);
                m.push("; make a layout of that rank, or write rank ");
                m.push_number(given.count());
            }
        }
    }
}
