//! What must hold of any bytes as the header of a file, as rules, and as an index. The fuzz target `checkpoints` runs it
//! too.

use std::io::Cursor;

use layout_checkpoints::{CheckpointFormat, CheckpointHeader, Content, RepackRules, WrittenHeader};

/// Reads bytes as a file. What is read lies in the file, and is the same when it is written and read again.
pub(crate) fn header(bytes: &[u8]) {
    // Some formats are read without seeking: the outcome is the same.
    let streamed = CheckpointHeader::read(&mut &bytes[..]);
    let Ok(header) = CheckpointHeader::read_file(&mut Cursor::new(bytes)) else { return };
    let is_archive = header.format == CheckpointFormat::Npz;
    assert_eq!(streamed.is_ok(), !is_archive);
    for tensor in &header.tensors {
        let end = tensor.at.checked_add(tensor.bytes).expect("a sum");
        assert!(end <= bytes.len() as u64, "tensor `{}` ends after the file", tensor.name);
        assert_eq!(tensor.bytes_in(bytes).expect("bytes").len() as u64, tensor.bytes);
        let mut piece = vec![0; tensor.bytes as usize];
        tensor.read_piece(&mut Cursor::new(bytes), 0, &mut piece).expect("bytes");
        if let Ok(Some(layout)) = tensor.layout() {
            assert_eq!(layout.bytes() as u64, tensor.bytes);
        }
        if let Ok(Some(record)) = tensor.record() {
            assert_eq!((0..record.buffers()).map(|i| record.bytes(i)).sum::<usize>(), piece.len());
        }
        if let Content::Element(element) = &tensor.content {
            let count: usize = tensor.shape.iter().product();
            assert_eq!((count * element.bits()).div_ceil(8) as u64, tensor.bytes);
        }
    }
    if is_archive {
        return;
    }
    let Ok(written) = WrittenHeader::new(header.format, &header.tensors, &header.metadata) else {
        return;
    };
    let mut file = written.start.clone();
    file.resize(written.length as usize, 0);
    let again = CheckpointHeader::read_file(&mut Cursor::new(&file)).expect("what was written");
    let names = |header: &CheckpointHeader| -> Vec<(String, u64)> {
        let mut all: Vec<_> =
            header.tensors.iter().map(|own| (own.name.clone(), own.bytes)).collect();
        all.sort();
        all
    };
    assert_eq!(names(&again), names(&header));
}

/// Reads bytes as rules. An error has a line of the text.
pub(crate) fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = RepackRules::parse(text, "rules") {
        let error = error.to_string();
        let line = error.strip_prefix("rules, line ").and_then(|rest| rest.split_once(':'));
        let line: usize = line.and_then(|(line, _)| line.parse().ok()).expect("a line");
        assert!((1..=text.matches('\n').count() + 1).contains(&line), "{error}");
        assert!(error.contains("; "), "{error}");
    }
}
