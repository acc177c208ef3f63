//! `networks NETWORK FILE` prints the outputs for the bytes of a file. Without an operating system it runs the test
//! vectors, and exits with 0 if all are as expected.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod board;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(outputs) => {
            println!("{}", outputs.iter().map(i8::to_string).collect::<Vec<_>>().join(" "));
            std::process::ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("networks: {message}");
            std::process::ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "none"))]
fn run(arguments: &[String]) -> Result<Vec<i8>, String> {
    use networks::{person_detect, speech};

    let [name, path] = arguments else {
        return Err(
            "expected a network and a file; write `person_detect FILE` or `speech FILE`".into()
        );
    };
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let read = |input: &mut [i8]| {
        if bytes.len() != input.len() {
            let (given, needed) = (bytes.len(), input.len());
            return Err(format!("{path} has {given} bytes; `{name}` takes {needed}"));
        }
        input.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from as i8);
        Ok(())
    };
    match name.as_str() {
        "person_detect" => {
            let mut arena = Box::new([0; person_detect::ARENA]);
            read(person_detect::picture(&mut arena))?;
            Ok(person_detect::infer(&mut arena, |_, _| {}).to_vec())
        }
        "speech" => {
            let mut arena = [0; speech::ARENA];
            read(speech::spectrum(&mut arena))?;
            Ok(speech::infer(&mut arena, |_, _| {}).to_vec())
        }
        _ => Err(format!("there is no network `{name}`; write `person_detect` or `speech`")),
    }
}
