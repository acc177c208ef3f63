// An inference by TensorFlow Lite for Microcontrollers on the emulated board mps2-an386.
#include <cstdarg>
#include <cstdint>
#include <cstring>

#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

// The outputs for the first case of examples/networks/src/vectors.
#ifdef SPEECH
constexpr size_t kArena = 20000;
const int8_t kExpected[] = {-128, -84, 64, -109};
#else
constexpr size_t kArena = 150000;
const int8_t kExpected[] = {106, -106};
#endif

__asm__(".section .rodata\n.global model_data\n.balign 16\nmodel_data:\n.incbin \"" MODEL "\"\n.balign 4\n.text\n");
extern "C" {
extern const unsigned char model_data[];
extern uint32_t stack_low, stack_top, data, data_end, data_source, bss, bss_end;
extern void (*constructors[])(), (*constructors_end[])();
void* __dso_handle;
int __aeabi_atexit(void*, void*, void*) { return 0; }
void DebugLog(const char*, va_list) {}
int DebugVsnprintf(char*, size_t, const char*, va_list) { return 0; }
}

static int Semihost(int operation, const void* argument) {
  register int r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void Print(const char* text) { Semihost(4, text); }

static void Print(unsigned long long number) {
  char text[24];
  int i = 23;
  text[i] = 0;
  do {
    text[--i] = '0' + number % 10;
    number /= 10;
  } while (number);
  Print(text + i);
}

[[noreturn]] static void Exit(int code) {
  const uint32_t arguments[] = {0x20026, uint32_t(code)};
  for (;;) Semihost(0x20, arguments);
}

alignas(16) static uint8_t arena[kArena];

static int Run() {
  static tflite::MicroMutableOpResolver<5> resolver;
#ifdef SPEECH
  resolver.AddFullyConnected();
#else
  resolver.AddConv2D();
  resolver.AddAveragePool2D();
#endif
  resolver.AddDepthwiseConv2D();
  resolver.AddReshape();
  resolver.AddSoftmax();
  static tflite::MicroInterpreter network(tflite::GetModel(model_data), resolver, arena, kArena);
  if (network.AllocateTensors() != kTfLiteOk) return 1;
  uint32_t state = 3;
  for (size_t i = 0; i < network.input(0)->bytes; i++) {
    state = state * 1664525u + 1013904223u;
    network.input(0)->data.int8[i] = int8_t(state >> 24);
  }
  uint32_t top;
  __asm__ volatile("mov %0, sp" : "=r"(top));
  for (uint32_t* at = &stack_low; uint32_t(at) < top - 64; at++) *at = 0xdeadbeef;
  // A timer of 32 bits that counts down at 25 MHz.
  volatile uint32_t* const timer = reinterpret_cast<volatile uint32_t*>(0x40000000);
  timer[2] = timer[1] = 0xffffffff;
  timer[0] = 1;
  const uint32_t start = timer[1];
  const TfLiteStatus status = network.Invoke();
  const uint32_t end = timer[1];
  const uint32_t* low = &stack_low;
  while (*low == 0xdeadbeef) low++;
  if (status != kTfLiteOk || memcmp(network.output(0)->data.int8, kExpected, sizeof kExpected)) return 2;
  Print((unsigned long long)(start - end) * 40);
  Print(" instructions, ");
  Print(top - uint32_t(low));
  Print(" bytes of stack, ");
  Print(network.arena_used_bytes());
  Print(" bytes of arena\n");
  return 0;
}

extern "C" void reset() {
  *reinterpret_cast<volatile uint32_t*>(0xe000ed88) |= 0xf << 20;  // The floating-point unit.
  __asm__ volatile("dsb\nisb");
  for (uint32_t *from = &data_source, *to = &data; to < &data_end;) *to++ = *from++;
  for (uint32_t* at = &bss; at < &bss_end;) *at++ = 0;
  for (void (**at)() = constructors; at < constructors_end; at++) (*at)();
  Exit(Run());
}

extern "C" void fault() { Exit(3); }

__attribute__((section(".vectors"), used)) void* const vectors[16] = {
    &stack_top, (void*)reset, (void*)fault, (void*)fault, (void*)fault, (void*)fault, (void*)fault};
