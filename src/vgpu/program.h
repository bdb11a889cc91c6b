// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decoded form of a PTX module: what the interpreter walks. Operands are
// resolved to places, every instruction has a function that executes it for
// the 32 lanes of a warp at once.

#ifndef TESSERA_VGPU_PROGRAM_H
#define TESSERA_VGPU_PROGRAM_H

#include "ptx/ast.h"
#include "ptx/evaluate.h"
#include "vgpu/memory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::vgpu {

class NativeCode;
class Warp;
struct MmaForm;
struct WgmmaForm;
struct MatrixMove;
struct Instr;
struct Function;

using ptx::warpSize;
/// One bit per lane.
using LaneMask = std::uint32_t;
inline constexpr LaneMask allLanes = ~LaneMask(0);

/// Where the 32 values of an operand lie: an array of 32 numbers of the
/// operand's width, or a `LaneMask` for predicates. Constants are stored 32
/// times, so that all operands read alike.
struct Slot {
  enum class Base : std::uint32_t {
    registers, ///< of the frame
    constants, ///< of the program
    specials,  ///< special registers of the warp
    addresses, ///< of shared variables, as the warp's block sees them
  };
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  std::uint32_t bits = none; ///< byte offset * 4 + base

  Slot() = default;
  Slot(Base base, std::uint32_t offset)
      : bits(offset * 4 + std::uint32_t(base)) {}
  [[nodiscard]] std::uint32_t base() const { return bits & 3; }
  [[nodiscard]] std::uint32_t offset() const { return bits >> 2; }
  explicit operator bool() const { return bits != none; }
};

/// Executes an instruction and returns the next one, or null when the warp has
/// ended or failed.
using Handler = const Instr *(*)(Warp &, const Instr &);

/// What an address counts from.
enum class AddressBase : std::uint8_t {
  lanes64, ///< a 64-bit value by lane, in `Instr::a`
  lanes32, ///< a 32-bit value by lane, in `Instr::a`
  frame,   ///< the stack base of the frame
  none,    ///< 0
};

/// The memory that an access goes to.
enum class MemorySpace : std::uint8_t {
  generic,
  global,        ///< and constant
  shared,        ///< of the own block
  sharedCluster, ///< of any block of the cluster
  local,         ///< and parameters of functions
  param,         ///< of the kernel
};

/// `[base+offset]`.
struct AddressOperand {
  Slot a; ///< what `lanes64` and `lanes32` mean; else a source like the others
  AddressBase addressBase = AddressBase::none;
  MemorySpace space = MemorySpace::generic;
  std::uint32_t cache = 0; ///< into `Worker::memoryCache`
  std::int64_t offset = 0; ///< bytes, or a constant
};

/// A decoded instruction. Which fields count, the handler knows.
struct Instr : AddressOperand {
  /// Changes to `executeNative` where native code may be entered, perhaps
  /// while warps run: to be read by `currentHandler`.
  mutable Handler handler = nullptr;
  Slot guard; ///< predicate; none: unconditional
  bool guardNegated = false;
  bool aNegated = false;   ///< predicate `a` was written `!a`
  std::uint16_t width = 1; ///< elements of a vector access, other numbers
  std::uint16_t cost = 1;  ///< fuel of a back edge
  Slot dst, dst2, b, c, d;
  std::uint32_t index = 0;  ///< into the function's instructions in the AST
  std::uint32_t detail = 0; ///< into an array of `Function`
  const Instr *target = nullptr;

  [[nodiscard]] Handler currentHandler() const {
    return std::atomic_ref(handler).load(std::memory_order_acquire);
  }
};

/// An instruction that computes: see ptx/evaluate.h.
struct ComputeOperand {
  Slot slot; ///< none: a result that nobody wants
  std::uint32_t stride = 0;
  bool negated = false;
};
struct ComputeCall {
  ptx::WarpFunction run = nullptr;
  std::vector<ComputeOperand> operands;
};

/// A formal parameter or actual argument of a call: bytes in the frame's
/// stack memory, or a register.
struct CallPlace {
  bool inMemory = true;
  std::uint32_t offset = 0; ///< from the frame's base, when in memory
  Slot slot;                ///< else
  std::uint32_t size = 0;   ///< bytes
};

/// What a device function of the system's does.
enum class Builtin : std::uint8_t { none, vprintf, assertFail, malloc, free };

struct CallSite {
  const Function *callee = nullptr; ///< null for indirect calls and built-ins
  Builtin builtin = Builtin::none;
  std::string name; ///< of the callee, for messages
  std::vector<CallPlace> results, arguments;
};

/// Combines `bytes` bytes at `from` into those at `to`.
using Combine = void (*)(std::byte *to, const std::byte *from,
                         std::size_t bytes);

/// The operands of an instruction that issues asynchronous operations. Which
/// count, the handler knows.
struct AsyncCall {
  Combine combine = nullptr; ///< null: a copy
  AddressOperand to, from, mbarrier;
  Slot bytes;       ///< u32: of the copy
  Slot sourceBytes; ///< u32: the rest of `bytes` is filled with zeros
  Slot ignored;     ///< predicate: the source is not read
  bool ignoredNegated = false;
  Slot blocks;                   ///< u16: ranks that receive a multicast
  Slot byteMask;                 ///< u16: which of 16 bytes are written
  std::vector<Slot> coordinates; ///< s32, innermost first
  ptx::Modifier reduction = ptx::Modifier::none; ///< of a tensor's elements
  std::vector<Slot> im2colOffsets;               ///< u16
  std::vector<Slot> values; ///< of `st.async` and `red.async`
};

/// The operands of a `wgmma.mma_async`.
struct WgmmaCall {
  std::shared_ptr<const WgmmaForm> form;
  std::vector<Slot> accumulators;
  std::vector<Slot> a; ///< registers, or the one descriptor
  Slot b;              ///< descriptor
  Slot scaleD;         ///< predicate: the accumulators are added to
  bool scaleNegated = false;
};

/// A function with a body.
struct Function {
  std::string name;
  const ptx::Function *ast = nullptr;
  std::uint32_t id = 0; ///< into `Program::functions`
  std::vector<Instr> code;

  std::vector<ComputeCall> computes;
  std::vector<Slot> slots; ///< of vector operands; `Instr::detail` and on
  std::vector<CallSite> calls;
  std::vector<std::shared_ptr<const MmaForm>> mmaForms;
  std::vector<AsyncCall> asyncCalls;
  std::vector<WgmmaCall> wgmmaCalls;
  std::vector<std::shared_ptr<const MatrixMove>> matrixMoves;
  std::vector<std::vector<const Instr *>> branchTables;

  std::uint32_t registerBytes = 0;
  std::uint32_t stackBytes = 0; ///< local variables and parameters
  std::uint32_t stackAlign = 16;
  std::vector<CallPlace> results, params; ///< not of entries

  /// Native code of this function, null until there is some: see native.h.
  mutable std::atomic<const NativeCode *> native = nullptr;
};

/// A variable at module scope with memory of its own.
struct GlobalVariable {
  std::string name;
  std::uint64_t address = 0, size = 0;
};

/// A static shared variable that a kernel uses.
struct SharedVariable {
  std::string name;
  std::uint32_t offset = 0, size = 0; ///< bytes
};

/// An `.entry`.
struct Kernel {
  Module::KernelInfo info;
  const Function *function = nullptr;
  std::uint32_t sharedEnd = 0; ///< where static shared memory ends
  std::vector<SharedVariable> sharedVariables; ///< by offset
  std::uint32_t dynamicAlign = 16;
  bool blocksAreClusters = false; ///< the grid counts clusters
};

/// A loaded module. Immutable but for the contents of its variables.
struct Program {
  explicit Program(std::shared_ptr<GlobalMemory> memory);
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  ~Program();

  std::shared_ptr<GlobalMemory> memory;
  const std::uint64_t number; ///< another for each program of the process
  ptx::Module module;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Kernel> kernels;
  std::vector<GlobalVariable> globals;

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> constants; ///< what `Slot::Base::constants` refers to
  /// What `Slot::Base::addresses` refers to: an address of the first block of
  /// a cluster, of `bytes` bytes; each has `addressLines` lines.
  struct SharedAddress {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<SharedAddress> sharedAddresses;
  static constexpr std::uint32_t addressLines =
      sizeof(std::uint64_t) * warpSize / sizeof(Line);
  std::uint32_t memoryInstructions = 0;

  /// What `Function::native` points to; `NativeCompiler`'s alone.
  mutable std::vector<std::shared_ptr<NativeCode>> nativeCode;

  /// The function whose address a program took: see `codeAddress`.
  [[nodiscard]] const Function *functionAt(std::uint64_t address) const;
  [[nodiscard]] const Kernel *findKernel(std::string_view name) const;
};

/// The address that a function has for PTX programs; nothing can be read there.
[[nodiscard]] std::uint64_t codeAddress(const Function &function);

/// Where the first shared variable lies: below it is what the system keeps for
/// itself on real devices, so that a null shared address is none.
inline constexpr std::uint32_t sharedStart = 1024;

/// Addresses in the shared memory of a cluster have the block's rank above the
/// address in the block, as they have on real devices.
namespace cluster {
inline constexpr unsigned rankShift = 24;
inline constexpr std::uint32_t offsetMask = (1u << rankShift) - 1;
inline constexpr std::uint32_t mostBlocks = 16;
constexpr std::uint64_t rankOf(std::uint64_t address) {
  return address >> rankShift;
}
constexpr std::uint64_t base(std::uint32_t rank) {
  return std::uint64_t(rank) << rankShift;
}
} // namespace cluster

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_PROGRAM_H
