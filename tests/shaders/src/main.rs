//! Runs index functions in WGSL and GLSL on Vulkan, such as Mesa's on the CPU, and compares them with the library.
//!
//! naga checks WGSL; glslang compiles GLSL to SPIR-V, which naga checks too.

use std::borrow::Cow;
use std::process::Command;

use languages::kernels::{calls, expected, kernel};
use languages::programs::subjects;
use languages::tools::{self, Folder};
use tensor_layout::source::Language;
use wgpu::{
    BufferUsages, ComputePassDescriptor, ComputePipelineDescriptor, DeviceDescriptor,
    InstanceDescriptor, MapMode, PollType, RequestAdapterOptions, ShaderModuleDescriptor,
    ShaderSource,
};

/// How many layouts.
const SUBJECTS: usize = 100;

fn main() {
    let subjects = subjects(SUBJECTS);
    let (calls, expected) = (calls(&subjects), expected(&subjects));
    let wgsl = kernel(Language::Wgsl, &subjects);
    let glsl = spirv(&kernel(Language::Glsl, &subjects));
    let shaders = [
        (Language::Wgsl, "run", ShaderSource::Wgsl(Cow::Owned(wgsl))),
        (Language::Glsl, "main", ShaderSource::SpirV(Cow::Owned(glsl))),
    ];
    for (language, entry, shader) in shaders {
        let results = pollster::block_on(run(shader, entry, calls.as_flattened(), expected.len()));
        for ((call, want), got) in calls.iter().zip(&expected).zip(&results) {
            let [subject, number] = *call;
            let text = || subjects[subject as usize].program(language);
            assert_eq!(got, want, "{language}: test_{subject}({number}) of\n{}", text());
        }
        assert_eq!(results.len(), expected.len());
        println!("{language}: {} layouts, {} results", subjects.len(), results.len());
    }
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

/// The results of a compute shader over these calls.
async fn run(shader: ShaderSource<'_>, entry: &str, calls: &[u32], count: usize) -> Vec<u32> {
    let instance = wgpu::Instance::new(InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&RequestAdapterOptions::default()).await;
    let adapter = adapter.expect("a Vulkan driver; install mesa-vulkan-drivers");
    println!("{}", adapter.get_info().name);
    let (device, queue) =
        adapter.request_device(&DeviceDescriptor::default()).await.expect("a device");
    let module = ShaderModuleDescriptor { label: None, source: shader };
    let module = device.create_shader_module(module);
    let pipeline = device.create_compute_pipeline(&ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some(entry),
        compilation_options: Default::default(),
        cache: None,
    });
    let buffer = |size, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    };
    let bytes: Vec<u8> = calls.iter().flat_map(|number| number.to_le_bytes()).collect();
    let input = buffer(bytes.len() as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST);
    queue.write_buffer(&input, 0, &bytes);
    let size = 4 * count as u64;
    let output = buffer(size, BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let copy = buffer(size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
    let entries = [&input, &output].into_iter().enumerate();
    let entries = entries.map(|(binding, buffer)| wgpu::BindGroupEntry {
        binding: binding as u32,
        resource: buffer.as_entire_binding(),
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries.collect::<Vec<_>>(),
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(count.div_ceil(64) as u32, 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&output, 0, &copy, 0, size);
    queue.submit([encoder.finish()]);
    copy.map_async(MapMode::Read, .., |mapped| mapped.expect("mapped memory"));
    device.poll(PollType::wait_indefinitely()).expect("the shader ends");
    let bytes = copy.get_mapped_range(..).expect("mapped memory");
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect()
}
