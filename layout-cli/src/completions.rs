//! What shells complete.

use std::ffi::OsString;
use std::fmt::Write as _;

use crate::arguments::{COMMANDS, CommandOptions, PICTURES};
use crate::failure::Failure;

/// Prints the script of a shell.
pub(crate) fn completions(shell: &[OsString]) -> Result<String, Failure> {
    match shell {
        [shell] if shell == "bash" => Ok(bash()),
        // zsh runs functions of bash.
        [shell] if shell == "zsh" => {
            Ok(format!("#compdef layout\nautoload -U +X bashcompinit && bashcompinit\n{}", bash()))
        }
        [shell] if shell == "fish" => Ok(fish()),
        _ => Err(Failure::usage("write layout completions bash, zsh or fish")),
    }
}

/// The options without a command.
fn options() -> Vec<&'static str> {
    [&["--help", "--version"], PICTURES.flags, PICTURES.valued].concat()
}

fn bash() -> String {
    let names = COMMANDS.map(|command| command.name).join(" ");
    let mut text = String::from("_layout() {\n  local words\n  case ${COMP_WORDS[1]} in\n");
    for CommandOptions { name, flags, valued } in COMMANDS {
        let _ = writeln!(
            text,
            "    {name}) words=\"{} --help\" ;;",
            [flags, valued].concat().join(" ")
        );
    }
    let _ = writeln!(text, "    *) words=\"{names} {}\" ;;", options().join(" "));
    text += "  esac\n  local own=${COMP_WORDS[COMP_CWORD]}\n  \
             COMPREPLY=($(compgen -W \"$words\" -- \"$own\") $(compgen -f -- \"$own\"))\n}\n\
             complete -o filenames -F _layout layout\n";
    text
}

fn fish() -> String {
    let option = |name: &str| match name.strip_prefix("--") {
        Some(long) => format!("-l {long}"),
        None => format!("-s {}", name.trim_start_matches('-')),
    };
    let mut text = String::new();
    let first = "complete -c layout -n __fish_use_subcommand";
    for name in options() {
        let _ = writeln!(text, "{first} {}", option(name));
    }
    for CommandOptions { name, flags, valued } in COMMANDS {
        let _ = writeln!(text, "{first} -a {name}");
        let seen = format!("complete -c layout -n '__fish_seen_subcommand_from {name}'");
        for (flag, end) in
            flags.iter().map(|flag| (flag, "")).chain(valued.iter().map(|flag| (flag, " -r")))
        {
            let _ = writeln!(text, "{seen} {}{end}", option(flag));
        }
    }
    text
}
