//! `networks NETWORK FILE` prints the outputs for the bytes of a file, and `networks NETWORK FILE RUNS` also the time
//! of an inference. Without an operating system it runs the test vectors, and exits with 0 if all are as expected.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod board;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => {
            println!("{text}");
            std::process::ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("networks: {message}");
            std::process::ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "none"))]
fn run(arguments: &[String]) -> Result<String, String> {
    use networks::{person_detect, speech};

    let usage = "expected a network and a file; write `person_detect FILE` or `speech FILE`, or without a file to see \
         where the activations lie";
    let (name, path, runs): (_, _, u32) = match arguments {
        [name] if name == "person_detect" => {
            return Ok(person_detect::Activations::PLAN.to_string());
        }
        [name] if name == "speech" => return Ok(speech::Activations::PLAN.to_string()),
        [name, path] => (name, path, 0),
        [name, path, runs] => {
            (name, path, runs.parse().map_err(|_| format!("`{runs}` is not a number of runs"))?)
        }
        _ => return Err(usage.into()),
    };
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let check = |needed| match bytes.len() {
        given if given == needed => Ok(()),
        given => Err(format!("{path} has {given} bytes; `{name}` takes {needed}")),
    };
    let write =
        |input: &mut [i8]| input.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from as i8);
    let outputs = match name.as_str() {
        "person_detect" => {
            check(person_detect::INPUT)?;
            let mut memory = Box::new(person_detect::ActivationsMemory::ZEROED);
            let mut infer = || person_detect::infer(&mut memory, |input| write(input), |_| {});
            measure(runs, &mut infer);
            infer().to_vec()
        }
        "speech" => {
            check(speech::INPUT)?;
            let mut memory = speech::ActivationsMemory::ZEROED;
            let mut infer = || speech::infer(&mut memory, |input| write(input), |_| {});
            measure(runs, &mut infer);
            infer().to_vec()
        }
        _ => {
            return Err(format!("there is no network `{name}`; write `person_detect` or `speech`"));
        }
    };
    Ok(outputs.iter().map(i8::to_string).collect::<Vec<_>>().join(" "))
}

/// Prints the least time of some inferences.
#[cfg(not(target_os = "none"))]
fn measure<T>(runs: u32, infer: &mut impl FnMut() -> T) {
    let times = (0..runs).map(|_| {
        let start = std::time::Instant::now();
        std::hint::black_box(infer());
        start.elapsed()
    });
    if let Some(least) = times.min() {
        eprintln!("{:.1} microseconds", least.as_secs_f64() * 1e6);
    }
}
