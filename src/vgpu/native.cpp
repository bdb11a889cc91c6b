// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/native.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/worker.h"

using namespace tessera::vgpu;

NativeShape tessera::vgpu::nativeShape(const LaunchConfig &config) {
  const Dim3 &block = config.block;
  const bool isLine = block.y == 1 && block.z == 1;
  return isLine || block.x % warpSize == 0 ? NativeShape::rows
                                           : NativeShape::general;
}

//===----------------------------------------------------------------------===//
// Installing
//===----------------------------------------------------------------------===//

NativeCode::NativeCode(const Function &function) {
  originals.reserve(function.code.size());
  for (const Instr &instr : function.code)
    originals.push_back(instr.handler);
}

void NativeCode::install(const Function &function, NativeShape shape,
                         NativeVersion version) {
  auto &owner = owned[std::size_t(shape)];
  owner = std::make_unique<const NativeVersion>(std::move(version));
  versions[std::size_t(shape)].store(owner.get(), std::memory_order_release);
  for (std::size_t i = 0; i < owner->entries.size(); ++i)
    if (owner->entries[i] != NativeVersion::noEntry)
      std::atomic_ref(function.code[i].handler)
          .store(&executeNative, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Entering and leaving
//===----------------------------------------------------------------------===//

namespace tessera::vgpu {

/// What native code may do to a warp.
class NativeRunner {
public:
  NativeRunner(Warp &warp, const NativeCode &code) : code(&code) {
    Frame &frame = *warp.current->frame;
    state.specials = reinterpret_cast<const std::byte *>(&warp.specials);
    state.registers = warp.bases[std::size_t(Slot::Base::registers)];
    state.code = frame.function->code.data();
    state.helpers = &helpers;
    state.executedLimit = warp.instructionLimit;
    Launch &launch = warp.block.launch;
    state.ranges = warp.block.cluster.worker.memoryCache.data();
    state.shared = warp.block.sharedMemory(0);
    state.sharedBase = warp.block.sharedBase;
    state.sharedEnd = launch.sharedEnd;
    state.addresses = warp.bases[std::size_t(Slot::Base::addresses)];
    state.local = warp.localMemory(0, 0);
    state.localStride = warp.localStride;
    state.params = launch.paramBlock();
    state.stackBase = frame.stackBase;
    state.exec = warp.groupExec;
    state.warp = &warp;
    state.group = warp.current;
    state.frame = &frame;
    refresh();
    // The interpreter has counted the first instruction.
    --state.executed;
  }

  const Instr *run(const NativeVersion &version, std::uint32_t entry) {
    const Instr *next = version.run(state, entry);
    if (!state.group)
      return next;
    if (state.wantsHandler)
      return interpretOnce(*next);
    writeBack();
    return next;
  }

private:
  void refresh() {
    state.executed = state.warp->executed;
    state.fuel = state.group->fuel;
    state.write = state.warp->groupWrite;
    state.isAlone = state.warp->groupCount == 1;
    state.stackTop = state.frame->stackTop;
  }
  static NativeRunner &of(NativeState &state) {
    // `state` is the runner's first member.
    return reinterpret_cast<NativeRunner &>(state);
  }
  /// Gives the interpreter its counters back.
  void writeBack() {
    state.warp->executed = state.executed;
    state.group->fuel = state.fuel;
  }
  [[nodiscard]] Handler handlerOf(const Instr &instr) const {
    return code->original(std::size_t(&instr - state.code));
  }

  const Instr *interpretOnce(const Instr &instr) {
    Warp &warp = *state.warp;
    ++state.executed; // native code has not begun it
    writeBack();
    warp.exec = warp.groupExec;
    warp.write = warp.groupWrite;
    if (instr.guard) {
      LaneMask chosen = warp.predicate(instr.guard);
      if (instr.guardNegated)
        chosen = ~chosen;
      warp.exec &= chosen;
      warp.write &= chosen;
      if (!warp.exec)
        return &instr + 1;
    }
    return handlerOf(instr)(warp, instr);
  }

  bool interpret(const Instr &instr, LaneMask chosen) {
    Warp &warp = *state.warp;
    writeBack();
    warp.exec = state.exec & chosen;
    warp.write = state.write & chosen;
    const Instr *next = handlerOf(instr)(warp, instr);
    state.next = next;
    const bool goesOn = next == &instr + 1 && warp.current == state.group &&
                        warp.groupExec == state.exec &&
                        warp.current->frame == state.frame;
    if (goesOn)
      refresh();
    else
      state.group = nullptr;
    return goesOn;
  }

  static bool interpretFor(NativeState &state, const Instr *instr,
                           LaneMask chosen) {
    return of(state).interpret(*instr, chosen);
  }
  static void branch(NativeState &state, const Instr *instr, LaneMask taken) {
    Warp &warp = *state.warp;
    of(state).writeBack();
    warp.exec = warp.groupExec;
    warp.write = warp.groupWrite;
    state.next = warp.branch(*instr, taken, instr->target);
    state.group = nullptr;
  }
  static void endTurn(NativeState &state, const Instr *target) {
    of(state).writeBack();
    state.next = state.warp->endTurn(target);
    state.group = nullptr;
  }
  static bool joinActs(NativeState &state, const Instr *instr) {
    return state.warp->joinActs(*instr);
  }

  NativeState state;
  const NativeCode *code;
  static constexpr NativeHelpers helpers{&interpretFor, &branch, &endTurn,
                                         &joinActs};
};

} // namespace tessera::vgpu

const Instr *tessera::vgpu::executeNative(Warp &warp, const Instr &instr) {
  const Function &function = *warp.current->frame->function;
  const NativeCode &code = *function.native.load(std::memory_order_acquire);
  const auto index = std::size_t(&instr - function.code.data());
  const NativeVersion *version =
      code.version(nativeShape(warp.block.launch.config));
  const std::uint32_t entry =
      version ? version->entries[index] : NativeVersion::noEntry;
  const Handler original = code.original(index);
  if (entry == NativeVersion::noEntry)
    return original(warp, instr);
  // Native code goes on after a join.
  if (original == &executeJoin)
    if (const Instr *next = original(warp, instr); next != &instr + 1)
      return next;
  return NativeRunner(warp, code).run(*version, entry);
}
