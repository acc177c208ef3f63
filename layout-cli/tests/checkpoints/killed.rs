//! A run that is killed goes on, and memory has its limit.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use test_support::Random;

use super::super::{LAYOUT, layout, printed};
use super::{Folder, floats, safetensors};

const RULES: &str =
    "[[rule]]\nmatch = 'w*'\naxes = 'MK'\nto = 'MK16m'\n[[rule]]\nmatch = '*'\nshard = 0\n";

/// `LAYOUT_KILLS` is another number of kills.
#[test]
fn a_killed_run_goes_on_with_the_same_bytes() {
    let kills = std::env::var("LAYOUT_KILLS").map_or(24, |own| own.parse().expect("a number"));
    let folder = Folder::new("killed");
    let tensors = [
        ("w1", floats(&[512, 1024], 1)),
        ("b", floats(&[700_000], 2)),
        ("w2", floats(&[512, 700], 3)),
    ];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let rules = folder.write("rules.toml", RULES);
    let output = folder.path("out.safetensors");
    let names = ["out.rank0.safetensors", "out.rank1.safetensors"].map(|name| folder.path(name));
    let arguments =
        ["repack", &input, &output, "--rules", &rules, "--ranks", "2", "--memory", "2500KiB"];
    let start = Instant::now();
    printed(&arguments);
    let whole = start.elapsed();
    let expected = names.clone().map(|name| fs::read(name).expect("an output"));
    let mut random = Random::new(62, 0);
    let (mut killed, mut resumed) = (0, 0);
    for _ in 0..kills {
        for name in &names {
            fs::remove_file(name).expect("it was whole");
        }
        // Several kills of one run, each at another moment of what is left.
        for _ in 0..1 + random.below(3) {
            let mut command = Command::new(LAYOUT);
            let command = command.args(arguments).arg("--resume").stdout(Stdio::null());
            let mut child = command.spawn().expect("it runs");
            sleep(whole.mul_f64(random.below(1000) as f64 / 1000.0));
            // SIGKILL; an error says that it has ended.
            let _ = child.kill();
            killed += usize::from(!child.wait().expect("it ends").success());
            let journal = fs::read_to_string(folder.path("out.rank0.safetensors.journal"));
            resumed += usize::from(journal.is_ok_and(|own| own.lines().count() > 1));
            // One of several names alone is whole too.
            for (name, expected) in names.iter().zip(&expected) {
                assert!(fs::read(name).map_or(true, |own| own == *expected), "a part has the name");
            }
        }
        printed(&[&arguments[..], &["--resume"]].concat());
        for (name, expected) in names.iter().zip(&expected) {
            assert!(fs::read(name).is_ok_and(|own| own == *expected), "other bytes");
        }
        assert_eq!(folder.names().len(), 4, "{:?}", folder.names());
    }
    assert!(killed > kills / 4 && resumed > 0, "{killed} kills, {resumed} of them with a journal");
}

/// A run that has failed for want of room, on one processor.
#[cfg(target_os = "linux")]
fn failed(folder: &Folder, arguments: &[&str], cpus: &str) {
    let run = format!("ulimit -f 1500; trap '' XFSZ; exec taskset -c {cpus} \"$@\"");
    let own = Command::new("sh").args(["-c", &run, "sh", LAYOUT]).args(arguments).output();
    assert_eq!(own.expect("sh runs").status.code(), Some(1));
    assert!(folder.names().iter().any(|name| name.ends_with(".journal")), "{:?}", folder.names());
}

/// Runs what ends with this sentence.
#[cfg(target_os = "linux")]
fn refused(part: &str, arguments: &[&str]) {
    let own = layout(arguments);
    let error = String::from_utf8_lossy(&own.stderr);
    assert_eq!(own.status.code(), Some(1), "{error}");
    assert!(error.contains(part) && error.lines().count() == 1, "{error}");
}

/// The processors of this process, as a list.
#[cfg(target_os = "linux")]
fn processors() -> String {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let own = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    own.expect("a list").trim().into()
}

/// Neither by a first run nor by one that goes on.
#[test]
fn links_are_not_followed() {
    let folder = Folder::new("links");
    let input = folder.write(
        "in.safetensors",
        safetensors(&[("w1", floats(&[16, 4], 1)), ("b", floats(&[4], 0))]),
    );
    let rules = folder.write("rules.toml", RULES);
    let output = folder.path("out.safetensors");
    let arguments = ["repack", &input, &output, "--rules", &rules];
    let resumed = [&arguments[..], &["--resume"]].concat();
    printed(&arguments);
    let expected = fs::read(&output).expect("an output");
    let precious = folder.write("precious", "precious");
    let partial = folder.path("out.safetensors.partial");
    for arguments in [&arguments[..], &resumed] {
        std::os::unix::fs::symlink(&precious, &partial).expect("a link");
        printed(arguments);
        assert_eq!(fs::read(&output).expect("an output"), expected);
        assert!(fs::symlink_metadata(&output).is_ok_and(|own| own.is_file()));
    }
    let journal = folder.path("out.safetensors.journal");
    std::os::unix::fs::symlink(&precious, &journal).expect("a link");
    refused("is a link or no file; remove it", &arguments);
    fs::remove_file(&journal).expect("the link");
    assert_eq!(fs::read(&precious).expect("it is there"), b"precious");
}

/// What a run goes on with is its own, or a sentence says that it is not.
#[cfg(target_os = "linux")]
#[test]
fn a_run_goes_on_with_its_own_work_alone() {
    let folder = Folder::new("own");
    let tensors =
        |seed| safetensors(&[("w1", floats(&[2048, 1024], seed)), ("b", floats(&[4], 0))]);
    let input = folder.write("in.safetensors", tensors(1));
    let rules = folder.write("rules.toml", RULES);
    let output = folder.path("out.safetensors");
    let arguments = ["repack", &input, &output, "--rules", &rules, "--memory", "16MiB"];
    let resumed = [&arguments[..], &["--resume"]].concat();
    printed(&arguments);
    let expected = fs::read(&output).expect("an output");
    fs::remove_file(&output).expect("it was whole");

    // Another number of processors has other bands.
    let cpus = &processors();
    failed(&folder, &arguments, cpus);
    failed(&folder, &arguments, cpus.split([',', '-']).next().expect("one"));
    match std::thread::available_parallelism().map_or(1, usize::from) {
        1 => printed(&resumed).clear(),
        _ => refused("the number of processors differ", &resumed),
    }
    // Another input, of the same length and time.
    let time = fs::metadata(&input).and_then(|own| own.modified()).expect("a time");
    folder.write("in.safetensors", tensors(2));
    let file = fs::OpenOptions::new().write(true).open(&input).expect("the input");
    file.set_modified(time).expect("a time");
    printed(&arguments);
    failed(&folder, &arguments, cpus);
    folder.write("in.safetensors", tensors(1));
    file.set_modified(time).expect("a time");
    refused("is that of another run: inputs", &resumed);

    // A journal that another run holds, and one that is not text.
    let journal = fs::File::create(folder.path("out.safetensors.journal")).expect("a journal");
    journal.lock().expect("a lock");
    refused("another run writes this output", &arguments);
    refused("another run writes this output", &resumed);
    drop(journal);
    folder.write("out.safetensors.journal", [255, 254, b'\n']);
    refused("is not a journal of a repack", &resumed);
    refused("is not a journal of a repack", &arguments);
    folder.write("out.safetensors.journal", "layout re");
    printed(&arguments);
    assert_eq!(fs::read(&output).expect("an output"), expected);

    // All was done, as the journal says, but what was done is not there any more.
    fs::remove_file(&output).expect("it was whole");
    failed(&folder, &arguments, cpus);
    fs::remove_file(folder.path("out.safetensors.partial")).expect("a part");
    let text = fs::read_to_string(folder.path("out.safetensors.journal")).expect("a journal");
    let line = text.lines().next().expect("a line");
    folder.write("out.safetensors.journal", format!("{line}\n1000000\n"));
    printed(&resumed);
    assert_eq!(fs::read(&output).expect("an output"), expected);
}

/// The greatest anonymous memory of the program, in KiB.
#[cfg(target_os = "linux")]
fn anonymous(arguments: &[&str]) -> u64 {
    let mut child = Command::new(LAYOUT).args(arguments).spawn().expect("it runs");
    let mut most = 0;
    while child.try_wait().expect("it runs").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let own = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(own.unwrap_or(0));
        sleep(Duration::from_millis(1));
    }
    assert!(child.wait().expect("it ends").success());
    most
}

/// A file of 64 MB takes what the limit says, and little more.
#[cfg(target_os = "linux")]
#[test]
fn memory_has_its_limit() {
    let folder = Folder::new("memory");
    let (rows, columns) = (4096usize, 4096usize);
    let text = format!(
        r#"{{"w":{{"dtype":"F32","shape":[{rows},{columns}],"data_offsets":[0,{}]}}}}"#,
        rows * columns * 4
    );
    let input = folder.write(
        "in.safetensors",
        [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat(),
    );
    let file = fs::OpenOptions::new().write(true).open(&input).expect("the file");
    file.set_len((8 + text.len() + rows * columns * 4) as u64).expect("room");
    let rules = folder.write("rules.toml", RULES);
    let output = folder.path("out.safetensors");
    let most = anonymous(&["repack", &input, &output, "--rules", &rules, "--memory", "8MiB"]);
    assert!((1 << 10..12 << 10).contains(&most), "{most} KiB");
}
