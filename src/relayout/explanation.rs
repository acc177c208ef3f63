//! Why a relayout takes its path, as data and as text.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use layout_kernels::Reasons;
use layout_show::{Explanation, explain};
use layout_types::nests::{Boxes, Nest, Pair};

use super::lowering::lowered;
use super::plan::{Plan, write_moved};
use super::swizzled::SwizzledMove;

/// The maximal number of boxes that are explained.
const MOST: usize = 16;

/// What a relayout does and why, as [`Plan::explain`] returns it. Prints as lines of text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RelayoutExplanation {
    /// The source layout.
    pub source: Explanation,
    /// The destination layout.
    pub destination: Explanation,
    /// The number of bytes moved: those of all coordinates.
    pub bytes: usize,
    /// The number of padding bytes in the destination that are filled; `None` if they were not counted.
    pub filled: Option<usize>,
    /// The boxes into which the coordinates are divided, at most 16. Each box is moved on its own.
    pub boxes: Vec<BoxExplanation>,
    /// The number of further boxes.
    pub more: usize,
}

/// How a part of a relayout is moved, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoxExplanation {
    /// The path, as plans print it.
    pub path: String,
    /// The facts that decided the path; `None` if no kernel moves the box, or a kernel moves blocks between swizzles.
    pub reasons: Option<Reasons>,
    /// The reason why no kernel moves the box, if none does.
    pub without: Option<&'static str>,
}

impl Plan {
    /// Explains what the plan does and why: the bytes, the boxes, and for each box its path and the facts that
    /// decided it. Small derived relayouts may be compiled with another path, since they call no kernel.
    ///
    /// ```
    /// use tensor_layout::show::Choice;
    /// use tensor_layout::{Layout, Plan};
    ///
    /// let [planes, pixels]: [Layout; 2] =
    ///     ["NCHW<1, 64, 56, 56>, f16".parse()?, "NHWC<N = 1, C = 64, H = 56, W = 56>, f16".parse()?];
    /// let explanation = Plan::new(&planes, &pixels)?.explain();
    /// assert_eq!((explanation.bytes, explanation.boxes.len()), (401408, 1));
    /// let reasons = explanation.boxes[0].reasons.expect("a kernel moves it");
    /// assert_eq!((reasons.unit, reasons.choice), (2, Choice::Transpose));
    /// assert!(explanation.to_string().contains("\n    contiguous on both sides: 2 bytes\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self) -> RelayoutExplanation {
        let (source, destination) = (explain(self.source()), explain(self.destination()));
        let mut boxes = Vec::new();
        let (mut all, mut count) = (Boxes::new(&self.pair, None), 0usize);
        while let Some(nest) = all.next() {
            count += 1;
            if count <= MOST {
                boxes.push(self.explain_box(nest));
            } else if count > 1 << 16 {
                break;
            }
        }
        let bits = destination.element.bits();
        let filled = match destination.fill {
            Some(_) => destination.padding.map(|elements| elements.saturating_mul(bits) / 8),
            None => Some(0),
        };
        let (bytes, more) = (self.destination().moved_bytes(), count - boxes.len());
        RelayoutExplanation { source, destination, bytes, filled, boxes, more }
    }

    fn explain_box(&self, nest: &Nest) -> BoxExplanation {
        if self.moves_row_by_row(nest) {
            let without = Some("making a plan takes longer than moving the box row by row");
            return BoxExplanation { path: "row by row".into(), reasons: None, without };
        }
        let planned = lowered(nest, &self.pair)
            .and_then(|of| Some((of, layout_kernels::Plan::new(&of).ok()?)));
        match planned {
            Some((of, mut plan)) => {
                plan.set_stores(self.stores);
                let (path, reasons) = (plan.to_string(), Some(plan.reasons(&of)));
                BoxExplanation { path, reasons, without: None }
            }
            None if !nest.is_affine() => BoxExplanation {
                path: swizzled_path(nest, &self.pair),
                reasons: None,
                without: Some("a swizzle: offsets are not sums of strides"),
            },
            None => BoxExplanation {
                path: "element by element".into(),
                reasons: None,
                without: Some("more loops than a kernel has"),
            },
        }
    }
}

/// How a box between swizzles is moved.
fn swizzled_path(nest: &Nest, pair: &Pair) -> String {
    match SwizzledMove::of(nest, pair) {
        Some((swizzled, of)) => match of.map(|of| layout_kernels::Plan::new(&of)) {
            Some(Ok(kernel)) => format!("{swizzled}; each: {kernel}"),
            _ => swizzled.to_string(),
        },
        None => "element by element, between swizzles".to_string(),
    }
}

/// Prints the boxes with their reasons, then the names of both layouts in other systems. No line break follows.
impl fmt::Display for RelayoutExplanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, destination, filled, boxes, more, .. } = self;
        write_moved(formatter, &source.layout, &destination.layout)?;
        for part in boxes {
            write!(formatter, "\n  {}", part.path)?;
            let reasons = part.reasons.iter().map(|reasons| reasons.to_string());
            let without = part.without.iter().map(|reason| format!("no kernel: {reason}"));
            for line in reasons.chain(without).collect::<Vec<_>>().join("\n").lines() {
                write!(formatter, "\n    {line}")?;
            }
        }
        match (boxes.len() + more, more) {
            (0 | 1, _) => {}
            (count, 0) => write!(
                formatter,
                "\n  {count} boxes, since blocks do not divide each other or the last one is not full"
            )?,
            (count, _) => write!(
                formatter,
                "\n  {count} boxes, of which {more} are not listed, since blocks do not divide each other or the last one is not full"
            )?,
        }
        match filled {
            Some(0) => {}
            Some(bytes) => write!(formatter, "\n  {bytes} bytes of padding are filled")?,
            None => write!(formatter, "\n  padding is filled")?,
        }
        write_side(formatter, "source", source)?;
        write_side(formatter, "destination", destination)
    }
}

/// Writes the bytes of a side, and its names in other systems.
fn write_side(
    formatter: &mut fmt::Formatter<'_>,
    side: &str,
    explanation: &Explanation,
) -> fmt::Result {
    let Explanation { bytes, align, .. } = explanation;
    write!(formatter, "\n{side}\n  {bytes} bytes, alignment {align}")?;
    #[cfg(feature = "names")]
    for name in &explanation.names {
        write!(formatter, "\n  {name}")?;
    }
    Ok(())
}
