//! Relayouts of bytes.

use bytemuck::{cast_slice, cast_slice_mut};
pub use tensor_layout::Plan;
use tensor_layout::{Conversion, ConversionPlan, ElementType, Format, Layout, LayoutError};

use super::threads::Threads;

/// How a tensor is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// As the plan chooses.
    Plain,
    /// With non-temporal stores where kernels have them, or without.
    Streaming(bool),
    /// On several threads.
    #[cfg(feature = "rayon")]
    Threads,
    /// On so many threads in small parts, with non-temporal stores or without.
    Divided(Threads, bool),
}

impl How {
    /// All of them that do not say which threads.
    pub const ALL: &[Self] = &[
        Self::Plain,
        Self::Streaming(true),
        Self::Streaming(false),
        #[cfg(feature = "rayon")]
        Self::Threads,
    ];
}

/// The instruction sets that [`with_instruction_set`] can force.
///
/// The library has no interface that forces one from outside its own tests, so there is one: that
/// which the library chooses. `.ci/campaign` builds the campaign without run-time detection for
/// each set that the compiler can be asked for, and runs it on other machines under emulators.
pub fn instruction_sets() -> Vec<&'static str> {
    vec!["chosen"]
}

/// Runs `run` with one of [`instruction_sets`].
pub fn with_instruction_set<T>(set: &str, run: impl FnOnce() -> T) -> T {
    assert_eq!(set, "chosen", "an instruction set that can be forced");
    run()
}

/// The plan between two layouts.
///
/// # Errors
/// What the library says against it.
pub fn plan(source: &Layout, destination: &Layout) -> Result<Plan, String> {
    Plan::new(source, destination).map_err(|error| error.to_string())
}

/// Plans between a layout and others of its axes, and between their elements as other numbers; those of tensors without
/// elements run.
pub fn plans(layout: &Layout) {
    let axes: Vec<(char, usize)> =
        (0..layout.rank()).map(|at| (layout.letters().at(at), layout.extents()[at])).collect();
    let forward: String = axes.iter().map(|axis| axis.0).collect();
    let backward: String = axes.iter().rev().map(|axis| axis.0).collect();
    let mut others = vec![*layout];
    for name in [forward, backward] {
        for element in [layout.element(), ElementType::F32, ElementType::I8] {
            let Ok(format) = Format::parse(&name) else { continue };
            others.extend(Layout::builder(format, element).named_extents(&axes));
        }
    }
    let cast = Conversion::cast();
    for other in others {
        for (from, to) in [(layout, &other), (&other, layout)] {
            if let Ok(plan) = Plan::new(from, to) {
                let _ = (plan.to_string(), plan.clone().streaming(true));
                if from.len() == 0 && to.len() == 0 {
                    let _ = of_units::<1>(&plan, How::Plain, &[], &mut []);
                    let _ = in_place(&plan, 1, &mut []);
                }
            }
            let _ = ConversionPlan::<u8, f32>::new(from, to, &cast).map(|plan| plan.to_string());
            let _ = ConversionPlan::<f32, i8>::new(from, to, &cast).map(|plan| plan.to_string());
        }
    }
}

/// Moves a tensor as bytes, at any address, in units of this number of bytes.
///
/// # Errors
/// What the library says against it.
pub fn relayout(
    plan: &Plan,
    how: How,
    unit: usize,
    source: &[u8],
    destination: &mut [u8],
) -> Result<(), String> {
    match unit {
        1 => of_units::<1>(plan, how, source, destination),
        2 => of_units::<2>(plan, how, source, destination),
        3 => of_units::<3>(plan, how, source, destination),
        4 => of_units::<4>(plan, how, source, destination),
        8 => of_units::<8>(plan, how, source, destination),
        12 => of_units::<12>(plan, how, source, destination),
        16 => of_units::<16>(plan, how, source, destination),
        unit => panic!("units of {unit} bytes"),
    }
}

fn of_units<const BYTES: usize>(
    plan: &Plan,
    how: How,
    source: &[u8],
    destination: &mut [u8],
) -> Result<(), String>
where
    [u8; BYTES]: bytemuck::Pod,
{
    let source: &[[u8; BYTES]] = cast_slice(source);
    let destination: &mut [[u8; BYTES]] = cast_slice_mut(destination);
    let moved = match how {
        How::Plain => plan.run(source, destination),
        How::Streaming(is_streaming) => {
            plan.clone().streaming(is_streaming).run(source, destination)
        }
        #[cfg(feature = "rayon")]
        How::Threads => plan.par_run(source, destination),
        How::Divided(threads, is_streaming) => threads
            .run(|| divided(&plan.clone().streaming(is_streaming), threads, source, destination)),
    };
    moved.map_err(|error| error.to_string())
}

#[cfg(feature = "rayon")]
fn divided<U: bytemuck::Pod + Send + Sync>(
    plan: &Plan,
    threads: Threads,
    source: &[U],
    destination: &mut [U],
) -> Result<(), LayoutError> {
    use tensor_layout::__private::par_run_in_parts;
    par_run_in_parts(plan, threads.least_part, source, destination)
}

#[cfg(not(feature = "rayon"))]
fn divided<U: bytemuck::Pod>(
    plan: &Plan,
    _: Threads,
    source: &[U],
    destination: &mut [U],
) -> Result<(), LayoutError> {
    plan.run(source, destination)
}

/// Moves a tensor in the buffer that it is in.
///
/// # Errors
/// What the library says against it.
pub fn in_place(plan: &Plan, unit: usize, buffer: &mut [u8]) -> Result<(), String> {
    let moved = match unit {
        1 => plan.run_in_place::<[u8; 1]>(cast_slice_mut(buffer)),
        2 => plan.run_in_place::<[u8; 2]>(cast_slice_mut(buffer)),
        3 => plan.run_in_place::<[u8; 3]>(cast_slice_mut(buffer)),
        4 => plan.run_in_place::<[u8; 4]>(cast_slice_mut(buffer)),
        8 => plan.run_in_place::<[u8; 8]>(cast_slice_mut(buffer)),
        12 => plan.run_in_place::<[u8; 12]>(cast_slice_mut(buffer)),
        16 => plan.run_in_place::<[u8; 16]>(cast_slice_mut(buffer)),
        unit => panic!("units of {unit} bytes"),
    };
    moved.map_err(|error| error.to_string())
}
