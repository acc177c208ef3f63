//! One convolution of ResNet-50 in the local memory of a BM1684X: 3 x 3, 64 to 64 channels, 56 x 56 pixels,
//! int8, a batch of
//! 16. Weights and activations get their addresses at compile time. The descriptors that move them are
//!     constants, and a model of the chip's memories executes them.
//!
//! `cargo run --release --example tpu_local`

mod device;

use std::io::{self, Write};

use device::Device;
use tensor_layout::chip::{Chip, Descriptor, Transfer};
use tensor_layout::{Layout, LayoutError, Plan, layout, place};

// In global memory, in the format of a framework.
type Filters = layout!(OIHW<64, 64, 3, 3>, i8);
type Batch = layout!(NCHW<16, 64, 56, 56>, i8);
type HalfBatch = layout!(NCHW<8, 64, 56, 56>, i8);

// In the lanes: the weights' input channels in groups of 64, and the activations' channels from lane 0 on. In
// each lane, channels begin at multiples of 64 bytes.
type Weights = layout!(OIHW<64, 64, 3, 3>, i8, bm1684x::ic);
type Input = layout!(NCHW<8, 64, 56, 56>, i8, bm1684x::aligned);
type Sums = layout!(NCHW<8, 64, 56, 56>, i32, bm1684x::aligned);

place! {
    /// Half a batch: the sums of a whole batch take 200704 bytes in each lane and leave too few banks for the
    /// rest.
    struct Conv in bm1684x {
        WEIGHTS: Weights,
        INPUT: Input,
        SUMS: Sums,
        OUTPUT: Input,
        // The convolution reads two tensors and writes one. The requantization reads that one and writes the
        // last, while the next input may already arrive.
        apart(WEIGHTS, INPUT, SUMS, OUTPUT),
    }
}

// The address of the host's data in global memory.
const BASE: u64 = 0x1_0000_0000;
const FILTERS: u64 = BASE;
const BATCH: u64 = FILTERS + Filters::BYTES as u64;
const RESULT: u64 = BATCH + Batch::BYTES as u64;
const END: u64 = RESULT + Batch::BYTES as u64;

const LOAD_WEIGHTS: Transfer =
    must(Transfer::load(&Filters::LAYOUT, FILTERS, &Weights::LAYOUT, Conv::WEIGHTS));
const LOAD_INPUT: [Transfer; 2] = [load_half(0), load_half(1)];
const STORE_OUTPUT: [Transfer; 2] = [store_half(0), store_half(1)];

// The descriptors that firmware would hold in its flash.
static WEIGHTS_IN: [Descriptor; LOAD_WEIGHTS.count()] = LOAD_WEIGHTS.descriptors();
static INPUT_IN: [[Descriptor; LOAD_INPUT[0].count()]; 2] =
    [LOAD_INPUT[0].descriptors(), LOAD_INPUT[1].descriptors()];
static OUTPUT_OUT: [[Descriptor; STORE_OUTPUT[0].count()]; 2] =
    [STORE_OUTPUT[0].descriptors(), STORE_OUTPUT[1].descriptors()];

const fn half(batch: u64, half: u64) -> u64 {
    batch + half * HalfBatch::BYTES as u64
}

const fn load_half(i: u64) -> Transfer {
    must(Transfer::load(&HalfBatch::LAYOUT, half(BATCH, i), &Input::LAYOUT, Conv::INPUT))
}

const fn store_half(i: u64) -> Transfer {
    must(Transfer::store(&Input::LAYOUT, Conv::OUTPUT, &HalfBatch::LAYOUT, half(RESULT, i)))
}

/// Returns the transfer. An error is a compile error.
const fn must(transfer: Result<Transfer, LayoutError>) -> Transfer {
    match transfer {
        Ok(transfer) => transfer,
        Err(error) => error.panic(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = &mut io::stdout();
    for (name, layout) in
        [("weights", Weights::LAYOUT), ("input", Input::LAYOUT), ("sums", Sums::LAYOUT)]
    {
        let lanes = layout.lanes().ok_or("a layout without lanes")?;
        let (bytes, rows) = (lanes.bytes(), lanes.rows());
        writeln!(out, "{name}: {layout}: {bytes} bytes and {rows} row in each lane")?;
    }
    writeln!(out, "\n{}\n", Conv::MAP)?;

    let descriptors = WEIGHTS_IN.iter().chain(INPUT_IN.iter().chain(&OUTPUT_OUT).flatten());
    writeln!(out, "{} descriptors for the weights and both halves:", descriptors.clone().count())?;
    descriptors.into_iter().try_for_each(|descriptor| writeln!(out, "  {descriptor}"))?;

    let mut device = Device::new(Chip::named("bm1684x")?, BASE, (END - BASE) as usize, 0);
    fill(&mut device.global);
    let (filters, rest) = device.global.split_at(Filters::BYTES);
    let (filters, batch) = (filters.to_vec(), rest[..Batch::BYTES].to_vec());

    device.run(&WEIGHTS_IN);
    check_image(&device, &Filters::LAYOUT, &Weights::LAYOUT, Conv::WEIGHTS, &filters)?;
    for (i, half) in batch.chunks_exact(HalfBatch::BYTES).enumerate() {
        device.run(&INPUT_IN[i]);
        check_image(&device, &HalfBatch::LAYOUT, &Input::LAYOUT, Conv::INPUT, half)?;
        check_sums(&device, &filters, half)?;
        requantize(&mut device);
        device.run(&OUTPUT_OUT[i]);
    }
    let result = &device.global[(RESULT - BASE) as usize..];
    if result.iter().zip(&batch).any(|(&own, &byte)| own as i8 != (byte as i8).max(0)) {
        return Err("the result is not what was moved".into());
    }
    writeln!(out, "\nWeights, {} images and their result: every byte where it belongs", 16)?;
    Ok(())
}

/// Fills the bytes with a pattern that looks random.
fn fill(bytes: &mut [u8]) {
    let mut state = 1u32;
    for byte in bytes {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        *byte = (state >> 24) as u8;
    }
}

/// Compares what the descriptors left in the lanes with the relayout on the host.
fn check_image(
    device: &Device,
    global: &Layout,
    local: &Layout,
    address: usize,
    elements: &[u8],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut image = vec![0; local.units()];
    Plan::new(global, local)?.run(elements, &mut image)?;
    let lanes = local.lanes().ok_or("a layout without lanes")?;
    for (lane, bytes) in device.lanes.iter().zip(image.chunks_exact(lanes.bytes())) {
        if lane[address..][..bytes.len()] != *bytes {
            return Err(format!("the descriptors moved something else than {local}").into());
        }
    }
    Ok(())
}

/// Returns the byte of a tensor in the lanes at a coordinate.
fn byte_at(device: &Device, layout: &Layout, address: usize, coordinate: [usize; 4]) -> i8 {
    let lanes = layout.lanes().expect("a layout over lanes");
    let place = lanes.place(&coordinate).expect("a coordinate of the tensor");
    device.lanes[place.lane][address + place.byte] as i8
}

/// Compares several sums of the convolution, computed from the lanes, with those from the host's data.
fn check_sums(device: &Device, filters: &[u8], half: &[u8]) -> Result<(), &'static str> {
    for k in 0..200 {
        let [n, o, y, x] = [k % 8, k * 7 % 64, 1 + k * 11 % 54, 1 + k * 13 % 54];
        let (mut on_chip, mut on_host) = (0i32, 0i32);
        for i in 0..64 {
            for (h, w) in (0..9).map(|at| (at / 3, at % 3)) {
                let pixel = [n, i, y + h - 1, x + w - 1];
                on_chip +=
                    i32::from(byte_at(device, &Weights::LAYOUT, Conv::WEIGHTS, [o, i, h, w]))
                        * i32::from(byte_at(device, &Input::LAYOUT, Conv::INPUT, pixel));
                on_host += i32::from(filters[((o * 64 + i) * 3 + h) * 3 + w] as i8)
                    * i32::from(half[((n * 64 + i) * 56 + pixel[2]) * 56 + pixel[3]] as i8);
            }
        }
        if on_chip != on_host {
            return Err("a sum of what lies in the lanes is wrong");
        }
    }
    Ok(())
}

/// The number of input bytes in each lane.
const INPUT_BYTES: usize = match Input::LAYOUT.lanes() {
    Some(lanes) => lanes.bytes(),
    None => 0,
};

/// A stand-in for the convolution's last step, which works in each lane separately: it replaces negative values
/// by 0.
fn requantize(device: &mut Device) {
    for lane in &mut device.lanes {
        for byte in 0..INPUT_BYTES {
            lane[Conv::OUTPUT + byte] = (lane[Conv::INPUT + byte] as i8).max(0) as u8;
        }
    }
}
