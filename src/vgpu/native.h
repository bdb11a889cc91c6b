// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code for decoded functions: what the interpreter and a compiler of
// its own library (src/vgpu/jit) agree on. The compiler links nothing of the
// virtual GPU; it sees decoded functions, the facts below, and a
// `NativeState` while its code runs.
//
// Native code runs one group of lanes as long as the group's control flow is
// uniform. The interpreter stays in charge: it enters native code at *entry
// points* (their instructions' handlers are replaced by `executeNative`), and
// native code hands back the next instruction when lanes part, wait or end.
// What it does not know it leaves to the instruction's own handler.

#ifndef TESSERA_VGPU_NATIVE_H
#define TESSERA_VGPU_NATIVE_H

#include "vgpu/handlers.h"
#include "vgpu/program.h"
#include "vgpu/worker.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::vgpu {

//===----------------------------------------------------------------------===//
// What a compiler is told
//===----------------------------------------------------------------------===//

/// What an instruction is to a compiler.
enum class NativeKind : std::uint8_t {
  compute,      ///< `Function::computes[detail]`
  addOffset,    ///< dst: a plus offset, `bytes` wide
  frameAddress, ///< dst: offset into the frame's memory, `bytes` wide
  load,         ///< plain, at most 64 bits an element
  store,
  atomic, ///< `operation` on one integer of 32 or 64 bits
  nothing,
  join,
  jump,
  branch,
  handler, ///< only its handler knows
};

/// What is known of an instruction. `reads` and `writes` are complete for all
/// kinds but `handler` with `touchesAll`; the guard is not among them.
struct NativeFacts {
  NativeKind kind = NativeKind::handler;
  bool touchesAll = false; ///< may read and write any register of the frame
  bool endsPath = false;   ///< control never goes on after it
  bool mayLeave = false;   ///< other groups may run before it is over
  std::uint8_t bytes = 0;  ///< of the result of address arithmetic
  MemoryForm form;         ///< of a load, store or atomic
  ptx::Modifier operation = ptx::Modifier::none; ///< of an atomic
  std::vector<Slot> reads, writes;
};

class NativeCode;
/// The facts of each instruction of a function. `code` has its own handlers.
[[nodiscard]] std::vector<NativeFacts> nativeFacts(const Function &function,
                                                   const NativeCode &code);

/// How the threads of a block lie in its warps: what code may rely on.
enum class NativeShape : std::uint8_t {
  rows,    ///< `%tid.x` counts up by one from lane to lane, y and z are equal
  general, ///< nothing is known
};
inline constexpr std::size_t nativeShapes = 2;
[[nodiscard]] NativeShape nativeShape(const LaunchConfig &config);

//===----------------------------------------------------------------------===//
// While native code runs
//===----------------------------------------------------------------------===//

struct NativeState;

/// What native code calls. None of them throws.
struct NativeHelpers {
  /// Executes an instruction by its own handler for the lanes in `chosen`.
  /// True: the same group goes on after it. False: hand back `state.next`.
  bool (*interpret)(NativeState &state, const Instr *instr, LaneMask chosen);
  /// A branch that parts the group; gives `state.next`.
  void (*branch)(NativeState &state, const Instr *instr, LaneMask taken);
  /// Ends the group's turn, which goes on at `target`; gives `state.next`.
  void (*endTurn)(NativeState &state, const Instr *target);
  /// Whether a join would merge groups or let another one go first.
  bool (*joinActs)(NativeState &state, const Instr *instr);
};

/// The group that native code runs, and where its data lie. Native code keeps
/// `fuel` and `executed` up to date whenever it calls or hands back.
struct NativeState {
  std::byte *registers;
  const std::byte *specials;
  const Instr *code; ///< of the function
  const NativeHelpers *helpers;
  const Instr *next = nullptr;
  std::uint64_t executed;      ///< instructions of the warp
  std::uint64_t executedLimit; ///< no more than these
  Worker::CachedRange *ranges; ///< by `Instr::cache`
  const std::byte *addresses;  ///< what `Slot::Base::addresses` means
  std::byte *shared;           ///< where shared address 0 would be
  std::uint64_t sharedBase;    ///< that addresses may have more than offsets
  std::byte *local;            ///< lane 0's
  const std::byte *params;
  std::uint64_t localStride; ///< from lane to lane
  std::uint64_t stackTop;    ///< local addresses are less
  std::uint64_t stackBase;
  std::uint64_t sharedEnd; ///< offsets into shared memory are less
  LaneMask exec;           ///< the lanes of the group
  LaneMask write;          ///< and those whose registers nobody needs
  std::int32_t fuel;
  std::uint32_t isAlone; ///< 1: the only group of its warp

  /// Native code hands back an instruction that it wants interpreted.
  std::uint32_t wantsHandler = 0;

  Warp *warp;
  Group *group; ///< null once a helper has given it up
  Frame *frame;
};

/// Runs from entry point `entry`; returns the next instruction for the
/// interpreter, null when the warp has ended or failed.
using NativeEntry = const Instr *(*)(NativeState & state, std::uint32_t entry);

//===----------------------------------------------------------------------===//
// Installed code
//===----------------------------------------------------------------------===//

/// What a compiler makes of a function for one shape.
struct NativeVersion {
  static constexpr std::uint32_t noEntry = ~std::uint32_t(0);
  NativeEntry run = nullptr;
  std::vector<std::uint32_t> entries; ///< by instruction: the entry, or none
  std::shared_ptr<const void> owner;  ///< of the code
};

/// The native code of a function. Versions are added while it runs.
class NativeCode {
public:
  explicit NativeCode(const Function &function);

  /// The handler that an instruction had when it was decoded.
  [[nodiscard]] Handler original(std::size_t index) const {
    return originals[index];
  }
  [[nodiscard]] const NativeVersion *version(NativeShape shape) const {
    return versions[std::size_t(shape)].load(std::memory_order_acquire);
  }
  /// Makes the interpreter enter it. One thread at a time.
  void install(const Function &function, NativeShape shape,
               NativeVersion version);

private:
  std::vector<Handler> originals;
  std::array<std::atomic<const NativeVersion *>, nativeShapes> versions{};
  std::array<std::unique_ptr<const NativeVersion>, nativeShapes> owned;
};

/// The handler of entry points.
const Instr *executeNative(Warp &warp, const Instr &instr);

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

struct NativeRequest {
  const Program *program;
  const Function *function;
  const std::vector<NativeFacts> *facts;
  NativeShape shape;
};

/// What `libtessera-jit.so` exports under `nativeLibrarySymbol`.
struct NativeLibrary {
  std::uint64_t stamp; ///< must be `nativeStamp()` of the program
  /// Fills `version`; false: `problem` says why there is none.
  bool (*compile)(const NativeRequest &request, NativeVersion &version,
                  std::string &problem);
};
using NativeLibraryFunction = const NativeLibrary *(*)();
inline constexpr char nativeLibrarySymbol[] = "tesseraNativeLibrary";

/// Differs between builds that disagree about decoded programs.
[[nodiscard]] std::uint64_t nativeStamp();

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_NATIVE_H
