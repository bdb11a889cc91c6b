// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers: each warp of a running block is one. A fiber is resumed by its
// scheduler and gives control back by suspending; the switch saves only what
// the calling convention asks for. Nothing ever unwinds through a fiber: one
// that is not resumed any more is simply dropped, so no object that owns
// something may live on its stack while it is suspended.
//
// Thread safety: a fiber belongs to the thread that resumes it.

#ifndef TESSERA_VGPU_FIBER_H
#define TESSERA_VGPU_FIBER_H

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::vgpu {

/// Memory for a fiber's frames, with a page below it that no access survives.
class FiberStack {
public:
  /// Empty when the system has no memory left.
  static std::optional<FiberStack> create(std::size_t bytes);
  FiberStack(FiberStack &&other) noexcept;
  FiberStack &operator=(FiberStack &&other) noexcept;
  ~FiberStack();

  [[nodiscard]] std::byte *bottom() const;
  [[nodiscard]] std::byte *top() const { return mapping + mappedBytes; }

private:
  FiberStack(std::byte *mapping, std::size_t mappedBytes)
      : mapping(mapping), mappedBytes(mappedBytes) {}
  std::byte *mapping = nullptr;
  std::size_t mappedBytes = 0;
};

class Fiber {
public:
  using Entry = void (*)(void *argument);

  /// Runs `entry(argument)` on `stack` at the first `resume`. Neither the
  /// fiber nor the stack may move or end while the fiber is in use.
  Fiber(const FiberStack &stack, Entry entry, void *argument);
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber();

  /// Runs the fiber until it suspends or its entry returns. Not to be called
  /// from a fiber, nor once finished.
  void resume();
  /// Gives control back to `resume`'s caller. Called on the fiber itself.
  void suspend();
  [[nodiscard]] bool finished() const { return isFinished; }

  /// The machine's part of a fiber; public for the switching code alone.
  struct Context;

private:
  static void run(Fiber *self);

  std::unique_ptr<Context> context;
  Entry entry;
  void *argument;
  bool isFinished = false;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_FIBER_H
