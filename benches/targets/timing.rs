//! Times against memcpy, on a machine that does other things too.

use std::hint::black_box;

use cpu_time::ThreadTime;

/// What moves a source to a destination.
pub(crate) type Candidate<'a, U> = Box<dyn Fn(&[U], &mut [U]) + 'a>;

/// The least seconds that a batch of calls takes.
const BATCH: f64 = 2e-4;

/// Seconds after which no further round begins.
const ENOUGH: f64 = 0.1;

/// The fewest rounds.
const ROUNDS: usize = 5;

/// The time of memcpy over the time of `candidate`, in this thread's time.
///
/// A round is a batch of the candidate between two of memcpy, on the same buffers, so what slows
/// the machine for longer than a round slows both. The result is the median of the rounds: the
/// best times of each would come from different moments, and repeat worse.
pub(crate) fn eff<U: Copy>(candidate: &Candidate<U>, source: &[U], destination: &mut [U]) -> f64 {
    let memcpy: Candidate<U> = Box::new(|source, destination| destination.copy_from_slice(source));
    let copies = calls_in_a_batch(&memcpy, source, destination);
    let calls = calls_in_a_batch(candidate, source, destination);
    let start = ThreadTime::now();
    let mut ratios = Vec::new();
    let mut before = seconds(&memcpy, copies, source, destination);
    while ratios.len() < ROUNDS || start.elapsed().as_secs_f64() < ENOUGH {
        let own = seconds(candidate, calls, source, destination);
        let after = seconds(&memcpy, copies, source, destination);
        ratios.push((before + after) / 2.0 / own);
        before = after;
    }
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Seconds that a call takes without buffers: the median of batches.
#[allow(dead_code, reason = "only `targets` times what moves nothing")]
pub(crate) fn seconds_of_a_call(call: impl Fn()) -> f64 {
    let candidate: Candidate<u8> = Box::new(|_, _| call());
    let calls = calls_in_a_batch(&candidate, &[], &mut []);
    let mut times = [0.0; ROUNDS];
    times.iter_mut().for_each(|time| *time = seconds(&candidate, calls, &[], &mut []));
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn calls_in_a_batch<U>(candidate: &Candidate<U>, source: &[U], destination: &mut [U]) -> u32 {
    let mut calls = 1;
    while seconds(candidate, calls, source, destination) * f64::from(calls) < BATCH {
        calls *= 2;
    }
    calls
}

/// Seconds that one call takes, over a batch of them.
fn seconds<U>(candidate: &Candidate<U>, calls: u32, source: &[U], destination: &mut [U]) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..calls {
        candidate(black_box(source), black_box(destination));
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}
