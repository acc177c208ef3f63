//! Buffers of wgpu as a memory space: a tensor there has a layout, shaders index it, and the host cannot read it.

use std::borrow::Cow;

use tensor_layout::plain;
use tensor_layout::tensor::{BufferIn, Space};
use tensor_layout::{LayoutType, Tensor, UnitOf};
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, ComputePassDescriptor, ComputePipelineDescriptor,
    DeviceDescriptor, InstanceDescriptor, MapMode, PollType, RequestAdapterOptions,
    ShaderModuleDescriptor, ShaderSource,
};

/// The memory of a GPU.
pub struct Gpu;

impl Space for Gpu {}

/// A buffer of wgpu, whose size is a multiple of 4 bytes, and the bytes of it that a tensor has.
pub struct GpuBuffer {
    buffer: Buffer,
    bytes: usize,
}

impl BufferIn<Gpu> for GpuBuffer {
    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A tensor in the memory of a GPU.
pub type OnGpu<L> = Tensor<L, GpuBuffer, Gpu>;

/// A device and its queue.
pub struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Device {
    /// The first device that Vulkan has.
    pub fn open() -> Self {
        pollster::block_on(async {
            let instance = wgpu::Instance::new(InstanceDescriptor::new_without_display_handle());
            let adapter = instance.request_adapter(&RequestAdapterOptions::default()).await;
            let adapter = adapter.expect("a Vulkan driver; install mesa-vulkan-drivers");
            println!("{}", adapter.get_info().name);
            let device = adapter.request_device(&DeviceDescriptor::default()).await;
            let (device, queue) = device.expect("a device");
            Self { device, queue }
        })
    }

    /// A tensor of zeros.
    pub fn zeroed<L: LayoutType>(&self, layout: L) -> OnGpu<L> {
        let bytes = layout.layout().bytes();
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let buffer = self.buffer(bytes, usage);
        Tensor::in_space(layout, GpuBuffer { buffer, bytes }).expect("the bytes of the layout")
    }

    /// The tensor, copied to the GPU as it is stored, padding and gaps included.
    pub fn upload<L, B>(&self, tensor: &Tensor<L, B>) -> OnGpu<L>
    where
        L: LayoutType + Clone,
        B: AsRef<[UnitOf<L>]>,
    {
        let on_gpu = self.zeroed(tensor.layout_type().clone());
        let mut bytes: Vec<u8> = tensor.as_bytes().to_vec();
        bytes.resize(on_gpu.handle().buffer.size() as usize, 0);
        self.queue.write_buffer(&on_gpu.handle().buffer, 0, &bytes);
        on_gpu
    }

    /// The tensor, copied to the host.
    pub fn download<L>(&self, tensor: &OnGpu<L>) -> Tensor<L, Vec<UnitOf<L>>>
    where
        L: LayoutType + Clone,
    {
        let GpuBuffer { buffer, bytes } = tensor.handle();
        let copy = self.buffer(*bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
        self.queue.submit([encoder.finish()]);
        copy.map_async(MapMode::Read, .., |mapped| mapped.expect("mapped memory"));
        self.device.poll(PollType::wait_indefinitely()).expect("the copy ends");
        let mapped = copy.get_mapped_range(..).expect("mapped memory");
        let mut units = vec![plain::zero(); bytes / size_of::<UnitOf<L>>()];
        plain::as_bytes_mut(&mut units).copy_from_slice(&mapped[..*bytes]);
        Tensor::with_layout(tensor.layout_type().clone(), units).expect("the units of the layout")
    }

    /// Runs a shader on buffers that it binds as 0, 1 and so on.
    pub fn run(&self, shader: ShaderSource<'_>, entry: &str, buffers: &[&GpuBuffer], groups: u32) {
        let module = ShaderModuleDescriptor { label: None, source: shader };
        let module = self.device.create_shader_module(module);
        let pipeline = self.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: None,
        });
        let entries = buffers.iter().enumerate().map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding: binding as u32,
            resource: buffer.buffer.as_entire_binding(),
        });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries.collect::<Vec<_>>(),
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(groups, 1, 1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
    }

    fn buffer(&self, bytes: usize, usage: BufferUsages) -> Buffer {
        let size = bytes.next_multiple_of(4).max(4) as u64;
        let descriptor = BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.device.create_buffer(&descriptor)
    }
}

/// WGSL as wgpu takes it.
pub fn wgsl(text: String) -> ShaderSource<'static> {
    ShaderSource::Wgsl(Cow::Owned(text))
}
