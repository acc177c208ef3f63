//! Runs index functions in WGSL and GLSL on Vulkan, such as Mesa's on the CPU, and compares them with the library;
//! then changes a tensor in the GPU's memory, which its type keeps the host from reading.
//!
//! naga checks WGSL; glslang compiles GLSL to SPIR-V, which naga checks too.

mod gpu;

use std::borrow::Cow;
use std::process::Command;

use gpu::{Device, wgsl};
use languages::kernels::{calls, expected, kernel};
use languages::programs::subjects;
use languages::tools::{self, Folder};
use tensor_layout::source::{Language, Source};
use tensor_layout::{Tensor, layout};
use wgpu::ShaderSource;

/// How many layouts.
const SUBJECTS: usize = 100;

fn main() {
    let device = Device::open();
    index_functions(&device);
    a_tensor_of_the_gpu(&device);
}

fn index_functions(device: &Device) {
    type Words = layout!(N<N = _>, u32);
    let words = |count: usize| Words::new([count]).expect("a layout");

    let subjects = subjects(SUBJECTS);
    let (calls, expected) = (calls(&subjects), expected(&subjects));
    let numbers = calls.as_flattened();
    let input = Tensor::with_layout(words(numbers.len()), numbers).expect("the numbers of the layout");
    let input = device.upload(&input);
    let glsl = spirv(&kernel(Language::Glsl, &subjects));
    let shaders = [
        (Language::Wgsl, "run", wgsl(kernel(Language::Wgsl, &subjects))),
        (Language::Glsl, "main", ShaderSource::SpirV(Cow::Owned(glsl))),
    ];
    for (language, entry, shader) in shaders {
        let output = device.zeroed(words(expected.len()));
        let groups = expected.len().div_ceil(64) as u32;
        device.run(shader, entry, &[input.handle(), output.handle()], groups);
        let results = device.download(&output);
        for ((call, want), got) in calls.iter().zip(&expected).zip(results.buffer()) {
            let [subject, number] = *call;
            let text = || subjects[subject as usize].program(language);
            assert_eq!(got, want, "{language}: test_{subject}({number}) of\n{}", text());
        }
        assert_eq!(results.buffer().len(), expected.len());
        println!("{language}: {} layouts, {} results", subjects.len(), expected.len());
    }
}

/// A shader that adds to each element of a blocked tensor the number of its coordinate.
fn a_tensor_of_the_gpu(device: &Device) {
    type Planes = layout!(NCHW<1, 6, 5, 7>, f32);
    type Packed = layout!(NCHW4c<1, 6, 5, 7>, f32, pad); // channels in vectors of 4

    let planes = Tensor::<Planes>::from_fn(|[_, c, h, w]| 0.5 * (c * h * w) as f32);
    let packed = device.upload(&planes.to_layout::<Packed>().expect("the same axes"));
    // `packed.get([0; 4])` does not compile: its type says that it lies in the GPU's memory.
    let functions = Source::new("packed", Packed::LAYOUT).functions(Language::Wgsl);
    let text = format!(
        "{functions}
         @group(0) @binding(0) var<storage, read_write> packed: array<f32>;
         @compute @workgroup_size(64)
         fn add(@builtin(global_invocation_id) id: vec3<u32>) {{
             let c = id.x / 35u;
             let h = id.x / 7u % 5u;
             let w = id.x % 7u;
             if (!packed_contains(0u, c, h, w)) {{ return; }}
             packed[packed_offset(0u, c, h, w)] += f32(id.x);
         }}",
        functions = functions.expect("indices of 32 bits"),
    );
    device.run(wgsl(text), "add", &[packed.handle()], (6 * 5 * 7_u32).div_ceil(64));
    let back = device.download(&packed);
    for ([_, c, h, w], element) in back.iter() {
        let number = (c * 5 + h) * 7 + w;
        assert_eq!(element, 0.5 * (c * h * w) as f32 + number as f32, "{:?}", [c, h, w]);
    }
    println!("a tensor of {} in the memory of the GPU", back.layout());
}

/// GLSL compiled by glslang.
fn spirv(text: &str) -> Vec<u32> {
    let folder = Folder::new("glsl");
    let source = folder.file("main.comp", text);
    let module = folder.path().join("main.spv");
    let mut command = Command::new("glslangValidator");
    tools::run(
        command.args(["-V", "--target-env", "vulkan1.1", "-o"]).arg(&module).arg(&source),
        "glslang-tools",
    );
    let bytes = std::fs::read(module).expect("a file");
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect()
}
