// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/fiber.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#if defined(__x86_64__) || defined(__aarch64__)
#define TESSERA_VGPU_OWN_SWITCH 1
#else
#define TESSERA_VGPU_OWN_SWITCH 0
#include <ucontext.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TESSERA_VGPU_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TESSERA_VGPU_ASAN 1
#endif
#ifdef TESSERA_VGPU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

using namespace tessera::vgpu;

namespace {

std::size_t pageSize() {
  static const std::size_t size = std::size_t(sysconf(_SC_PAGESIZE));
  return size;
}

} // namespace

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

std::optional<FiberStack> FiberStack::create(std::size_t bytes) {
  const std::size_t page = pageSize();
  const std::size_t total = (bytes + page - 1) / page * page + page;
  void *mapping = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return std::nullopt;
  FiberStack stack(static_cast<std::byte *>(mapping), total);
  if (mprotect(mapping, page, PROT_NONE) != 0)
    return std::nullopt;
  return stack;
}

FiberStack::FiberStack(FiberStack &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)),
      mappedBytes(std::exchange(other.mappedBytes, 0)) {}

FiberStack &FiberStack::operator=(FiberStack &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mappedBytes, other.mappedBytes);
  return *this;
}

FiberStack::~FiberStack() {
#ifdef TESSERA_VGPU_ASAN
  // A dropped fiber leaves its frames' marks on memory that others get next.
  if (mapping)
    __asan_unpoison_memory_region(bottom(), std::size_t(top() - bottom()));
#endif
  if (mapping)
    munmap(mapping, mappedBytes);
}

std::byte *FiberStack::bottom() const { return mapping + pageSize(); }

//===----------------------------------------------------------------------===//
// Switching
//===----------------------------------------------------------------------===//

#if TESSERA_VGPU_OWN_SWITCH

extern "C" {
/// Saves the callee-saved registers on the stack and the stack pointer in
/// `*save`, then continues at the stack pointer `next`. The floating-point
/// control words are not saved: no instruction suspends with them changed.
[[gnu::visibility("hidden")]] void tesseraVgpuSwitchFiber(void **save,
                                                          void *next);
/// Where a new fiber begins: calls the function in one callee-saved register
/// with the argument in another.
[[gnu::visibility("hidden")]] void tesseraVgpuStartFiber();
}

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .globl tesseraVgpuSwitchFiber
  .hidden tesseraVgpuSwitchFiber
  .type tesseraVgpuSwitchFiber, @function
tesseraVgpuSwitchFiber:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size tesseraVgpuSwitchFiber, . - tesseraVgpuSwitchFiber

  .p2align 4
  .globl tesseraVgpuStartFiber
  .hidden tesseraVgpuStartFiber
  .type tesseraVgpuStartFiber, @function
tesseraVgpuStartFiber:
  movq %r12, %rdi
  xorl %ebp, %ebp
  callq *%rbx
  ud2
  .size tesseraVgpuStartFiber, . - tesseraVgpuStartFiber
)");

namespace {
/// The stack of a fiber that has not run: what the switch pops.
void *prepareStack(std::byte *top, void (*start)(Fiber *), Fiber *argument) {
  auto **sp = reinterpret_cast<void **>(top);
  *--sp = nullptr; // these two keep the stack aligned as at a call
  *--sp = nullptr;
  *--sp = reinterpret_cast<void *>(&tesseraVgpuStartFiber);
  *--sp = nullptr;                         // rbp
  *--sp = reinterpret_cast<void *>(start); // rbx
  *--sp = argument;                        // r12
  for (int i = 0; i < 3; ++i)
    *--sp = nullptr; // r13, r14, r15
  return sp;
}
} // namespace

#else // __aarch64__
asm(R"(
  .text
  .p2align 4
  .globl tesseraVgpuSwitchFiber
  .hidden tesseraVgpuSwitchFiber
  .type tesseraVgpuSwitchFiber, %function
tesseraVgpuSwitchFiber:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size tesseraVgpuSwitchFiber, . - tesseraVgpuSwitchFiber

  .p2align 4
  .globl tesseraVgpuStartFiber
  .hidden tesseraVgpuStartFiber
  .type tesseraVgpuStartFiber, %function
tesseraVgpuStartFiber:
  mov x0, x20
  mov x29, xzr
  blr x19
  brk #1
  .size tesseraVgpuStartFiber, . - tesseraVgpuStartFiber
)");

namespace {
void *prepareStack(std::byte *top, void (*start)(Fiber *), Fiber *argument) {
  auto **sp = reinterpret_cast<void **>(top) - 20;
  for (int i = 0; i < 20; ++i)
    sp[i] = nullptr;
  sp[0] = reinterpret_cast<void *>(start);                   // x19
  sp[1] = argument;                                          // x20
  sp[11] = reinterpret_cast<void *>(&tesseraVgpuStartFiber); // x30
  return sp;
}
} // namespace
#endif

struct Fiber::Context {
  void *fiber = nullptr;  ///< stack pointer of the suspended fiber
  void *caller = nullptr; ///< stack pointer of the suspended resumer
  const std::byte *bottom = nullptr;
  std::size_t bytes = 0;

  void prepare(const FiberStack &stack, void (*start)(Fiber *), Fiber *self) {
    fiber = prepareStack(stack.top(), start, self);
  }
  void enter() { tesseraVgpuSwitchFiber(&caller, fiber); }
  void leave() { tesseraVgpuSwitchFiber(&fiber, caller); }
#ifdef TESSERA_VGPU_ASAN
  const void *callerBottom = nullptr;
  std::size_t callerBytes = 0;
#endif
};

#else // ucontext

struct Fiber::Context {
  ucontext_t fiber, caller;
  const std::byte *bottom = nullptr;
  std::size_t bytes = 0;

  static void trampoline(unsigned high, unsigned low) {
    const auto address = (std::uint64_t(high) << 32) | low;
    auto *self = reinterpret_cast<Context *>(std::uintptr_t(address));
    self->start(self->self);
  }
  void prepare(const FiberStack &stack, void (*entry)(Fiber *), Fiber *owner) {
    start = entry;
    self = owner;
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack.bottom();
    fiber.uc_stack.ss_size = std::size_t(stack.top() - stack.bottom());
    fiber.uc_link = nullptr;
    const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(this));
    makecontext(&fiber, reinterpret_cast<void (*)()>(&trampoline), 2,
                unsigned(address >> 32), unsigned(address));
  }
  void enter() { swapcontext(&caller, &fiber); }
  void leave() { swapcontext(&fiber, &caller); }

  void (*start)(Fiber *) = nullptr;
  Fiber *self = nullptr;
#ifdef TESSERA_VGPU_ASAN
  const void *callerBottom = nullptr;
  std::size_t callerBytes = 0;
#endif
};

#endif

Fiber::Fiber(const FiberStack &stack, Entry entry, void *argument)
    : context(std::make_unique<Context>()), entry(entry), argument(argument) {
  context->bottom = stack.bottom();
  context->bytes = std::size_t(stack.top() - stack.bottom());
  context->prepare(stack, &Fiber::run, this);
}

Fiber::~Fiber() = default;

void Fiber::run(Fiber *self) {
#ifdef TESSERA_VGPU_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->context->callerBottom,
                                  &self->context->callerBytes);
#endif
  self->entry(self->argument);
  self->isFinished = true;
  self->suspend();
}

void Fiber::resume() {
#ifdef TESSERA_VGPU_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, context->bottom, context->bytes);
  context->enter();
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#else
  context->enter();
#endif
}

void Fiber::suspend() {
#ifdef TESSERA_VGPU_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(isFinished ? nullptr : &fake,
                                 context->callerBottom, context->callerBytes);
  context->leave();
  __sanitizer_finish_switch_fiber(fake, &context->callerBottom,
                                  &context->callerBytes);
#else
  context->leave();
#endif
}
