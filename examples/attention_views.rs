//! The heads of an attention layer as views. The batch size comes from a file of tokens. The program views the tokens
//! head by head, moves some heads so that each is contiguous, changes them on several threads, and writes them back.
//!
//! `cargo run --release --features npy --example attention_views [TOKENS.npy [HEADS.npy]]`

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{panic, thread};

use tensor_layout::adapters::npy;
use tensor_layout::{Dynamic, Layout, LayoutError, Plan, Tensor, layout};

/// Batch, sequence, heads and head dimension, in the order in which the projection of an attention layer writes
/// them. The numbers of batches and tokens are known only at run time.
type Tokens = layout!(BSHD<B = _, S = _, H = 4, D = 5>, f32);

/// Two heads in the attention layer's layout: the tokens of a head are contiguous.
fn two_heads(layout: Layout) -> Result<Layout, LayoutError> {
    layout.permute("BHSD")?.slice('H', 1, 1, 2)
}

const DEFAULT_TOKENS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/tokens.npy");

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match run(&arguments, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("attention_views: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[OsString], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let default_target = || env::temp_dir().join("heads.npy");
    let (source, target) = match arguments {
        [] => (Path::new(DEFAULT_TOKENS), default_target()),
        [source] => (Path::new(source), default_target()),
        [source, target] => (Path::new(source), PathBuf::from(target)),
        _ => return Err("usage: attention_views [TOKENS.npy [HEADS.npy]]".into()),
    };
    let file = npy::File::open(BufReader::new(File::open(source)?))?;
    let &[batch, sequence, ..] = file.shape() else {
        return Err(format!("{}: tokens have four axes", source.display()).into());
    };
    let mut tokens = file.read(Tokens::new([batch, sequence])?)?;
    let before = tokens.clone();
    writeln!(out, "tokens  {}", tokens.layout())?;

    // A view moves no data: its elements are those of the tokens.
    let heads = tokens.view::<4>(two_heads)?;
    writeln!(out, "view    {}", heads.layout())?;

    // Moves the heads so that each is contiguous, and writes them to a file.
    let dense = heads.layout().in_format("BHSD")?;
    let layout = Dynamic::<f32, 4>::new(dense)?;
    let mut moved = Tensor::with_layout(layout, vec![0.0; dense.len()])?;
    heads.relayout_into(&mut moved)?;
    writeln!(out, "moved   {}", Plan::new(&heads.layout(), &dense)?)?;
    npy::write(&moved, File::create(&target)?)?;

    // All heads of the batch can change at once, since they share no element.
    let scale = 1.0 / (dense.extents()[3] as f32).sqrt();
    let pieces = moved.view_mut::<3>(|layout| layout.merge("BH", 'X'))?.chunks('X', 1)?;
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for mut head in pieces {
            let change = move || head.for_each_mut(|_, number| *number *= scale);
            threads.push(scope.spawn(change));
        }
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(changed) => changed,
            Err(panic) => panic::resume_unwind(panic),
        })
    })?;

    // Moves the heads back. The other heads stay unchanged.
    moved.relayout_into(&mut tokens.view_mut::<4>(two_heads)?)?;
    check(&before, &tokens, &target, scale)?;
    let first = tokens.view::<2>(|layout| layout.index('B', 0)?.index('S', 0));
    if let Ok(first) = first {
        writeln!(out, "the first token, head by head:\n{first:.3}")?;
    }
    writeln!(out, "{} heads of {sequence} tokens: {}", 2 * batch, target.display())?;
    Ok(())
}

/// Returns an error unless the file holds the original heads, and the tokens are the scaled ones.
fn check<B: AsRef<[f32]>>(
    before: &Tensor<Tokens, B>,
    after: &Tensor<Tokens, B>,
    target: &Path,
    scale: f32,
) -> Result<(), Box<dyn Error>> {
    let heads = before.view::<4>(two_heads)?;
    let dense = heads.layout().in_format("BHSD")?;
    let written = npy::read(Dynamic::<f32, 4>::new(dense)?, File::open(target)?)?;
    if !heads.iter().eq(written.iter()) {
        return Err("the file does not hold the heads".into());
    }
    for (coordinate @ [.., head, _], number) in after.iter() {
        let factor = if head == 1 || head == 2 { scale } else { 1.0 };
        if before.get(coordinate).map(|number| number * factor) != Some(number) {
            return Err(format!("{coordinate:?} was not moved back").into());
        }
    }
    Ok(())
}
