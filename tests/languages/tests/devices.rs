//! The languages of devices, with tools that a developer may not have: `.ci/languages` installs them by name and
//! runs these tests. `tests/shaders` runs WGSL and GLSL.

use std::path::PathBuf;
use std::process::Command;

use languages::kernels::{calls, expected, kernel, program};
use languages::programs::{Subject, subjects};
use languages::tools::{self, Folder};
use tensor_layout::source::Language;

fn bytes(numbers: Vec<u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_ne_bytes).collect()
}

/// Compiles a program as C++ and gives it the numbers.
fn run_as_cpp(folder: &Folder, text: String, subjects: &[Subject]) {
    let source = folder.file("main.cpp", text);
    let numbers = folder.file("numbers", bytes(expected(subjects)));
    let program = folder.path().join("main");
    let options = ["-std=c++14", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-I"];
    let mut command = Command::new("g++");
    command.args(options).arg(folder.path()).arg(&source).arg("-o").arg(&program);
    tools::run(&mut command, "g++");
    assert_eq!(tools::run(Command::new(&program).arg(&numbers), ""), "all\n");
}

/// As C++, with the words of CUDA defined away: what is computed, though not by a compiler of CUDA.
#[test]
#[ignore = "needs g++: run .ci/languages"]
fn cuda_runs_as_cpp() {
    let subjects = subjects(100);
    run_as_cpp(&Folder::new("cuda"), program(Language::Cuda, &subjects), &subjects);
}

/// By clang for an NVIDIA GPU, down to its assembler.
#[test]
#[ignore = "needs clang: run .ci/languages"]
fn cuda_compiles_for_the_device() {
    let subjects = subjects(100);
    // What the toolkit's headers define.
    let words = "#define __host__ __attribute__((host))\n#define __device__ __attribute__((device))\n\
                 #define __global__ __attribute__((global))\nstruct uint2 { unsigned int x, y; };\n";
    let folder = Folder::new("ptx");
    let source = folder.file("main.cu", words.to_owned() + &kernel(Language::Cuda, &subjects));
    let assembler = folder.path().join("main.ptx");
    let mut command = Command::new("clang");
    command.args([
        "-x",
        "cuda",
        "--cuda-device-only",
        "--cuda-gpu-arch=sm_70",
        "-nocudainc",
        "-nocudalib",
    ]);
    command.args([
        "-Wall",
        "-Wno-unused-const-variable",
        "-Wno-unused-function",
        "-Wno-unknown-cuda-version",
        "-Werror",
        "-O1",
        "-S",
    ]);
    tools::run(command.arg(&source).arg("-o").arg(&assembler), "clang");
    let assembler = std::fs::read_to_string(assembler).expect("a file");
    assert!(assembler.contains(".entry") && assembler.contains(".target sm_70"), "{assembler}");
}

/// As C++, with the words of Metal defined away: no compiler of Metal runs outside of macOS and Windows.
#[test]
#[ignore = "needs g++: run .ci/languages"]
fn metal_runs_as_cpp() {
    let folder = Folder::new("metal");
    let words = "typedef unsigned int uint;\ntypedef unsigned char uchar;\n#define constant\n#define device\n#define thread\n";
    folder.file("metal_stdlib", words);
    let subjects = subjects(100);
    run_as_cpp(&folder, program(Language::Metal, &subjects), &subjects);
}

/// OpenCL C, by whatever platform there is, such as PoCL on the CPU.
#[test]
#[ignore = "needs gcc, ocl-icd-opencl-dev and pocl-opencl-icd: run .ci/languages"]
fn opencl_runs() {
    let subjects = subjects(100);
    let folder = Folder::new("opencl");
    let kernel = folder.file("kernel.cl", kernel(Language::OpenCl, &subjects));
    let calls = folder.file("calls", bytes(calls(&subjects).concat()));
    let numbers = folder.file("numbers", bytes(expected(&subjects)));
    let host = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/opencl.c"));
    let program = folder.path().join("host");
    let mut command = Command::new("gcc");
    command
        .args(["-std=c99", "-Wall", "-Werror"])
        .arg(&host)
        .arg("-o")
        .arg(&program)
        .arg("-lOpenCL");
    tools::run(&mut command, "gcc and ocl-icd-opencl-dev");
    let mut command = Command::new(&program);
    let printed = tools::run(command.args([kernel, calls, numbers]), "pocl-opencl-icd");
    assert!(printed.ends_with("all\n"), "{printed}");
}
