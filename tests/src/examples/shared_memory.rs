//! The example `shared_memory`: what it asserts in constants holds, and what it prints.

use super::{empty_directory, run};

#[test]
fn conflicts_before_and_after() {
    let outcome = run("shared_memory", &empty_directory("shared_memory"), &[]);
    assert!(outcome.success, "{}", outcome.errors);
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert!(lines[0].starts_with("plain: 8-way bank conflict: lanes 0, 1, 2, 3, 4, 5, 6 and 7"));
    assert_eq!(lines[1], "swizzled: no bank conflicts: 4 wavefronts for 4 phases");
    assert_eq!(lines[2], "Ok(swizzle(3, 4, 3)) of bytes, or Ok(16) bytes after each row");
    assert_eq!(lines[3], "16 sectors in 4 lines: 512 of 512 bytes are used");
    assert_eq!(lines[4], "register 3 of lane 6 holds row 9 and column 5");
}
