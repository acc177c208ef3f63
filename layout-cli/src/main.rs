//! The program `layout`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(layout_cli::run(std::env::args_os().skip(1)))
}
