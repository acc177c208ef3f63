//! Pages of the system, which it gives to a program at the first access.
#![cfg(target_os = "linux")]

use tensor_layout::{Dynamic, Layout, Tensor};

use crate::allocator::measured;

const MIB: usize = 1 << 20;

/// The memory that the program has, in MiB.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() / 1024
}

#[test]
fn zeros_take_memory_where_they_are_written() {
    let bytes = 512 * MIB;
    for align in [1, 64, 4096] {
        let text = format!("HW<1, {bytes}>, u8, align(H = {align})");
        let layout = Layout::parse(text.strip_suffix(", align(H = 1)").unwrap_or(&text));
        let layout = Dynamic::<u8, 2>::new(layout.unwrap()).unwrap();
        let before = resident();
        let (mut tensor, counts) = measured(|| Tensor::zeroed_in(layout).unwrap());
        assert!(counts.peak as usize >= bytes && counts.peak_written < MIB as isize, "{counts:?}");
        for place in [0, bytes / 2, bytes - 1] {
            tensor.buffer_mut()[place] = 1;
        }
        // Beside these tests, others take some memory.
        assert!(resident() < before + 128, "{before} MiB before, {} MiB after", resident());
        assert_eq!(tensor.buffer()[bytes / 3], 0);
    }
}
