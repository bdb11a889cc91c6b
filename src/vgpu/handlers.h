// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that execute instructions, by room: the decoder picks one for
// each instruction. Every handler's comment says which fields of `Instr` it
// reads.

#ifndef TESSERA_VGPU_HANDLERS_H
#define TESSERA_VGPU_HANDLERS_H

#include "ptx/ast.h"
#include "vgpu/block.h"
#include "vgpu/program.h"

namespace tessera::vgpu {

//===----------------------------------------------------------------------===//
// Memory: space, addressBase, a, offset, cache
//===----------------------------------------------------------------------===//

/// How a value lies in memory and in its register.
struct MemoryForm {
  ptx::Type type = ptx::Type::none; ///< in memory
  std::uint32_t registerBytes = 0;
  bool isStrong = false; ///< volatile, relaxed, acquire, release
};

/// Loads `width` elements to the registers from `Function::slots[detail]` on;
/// null when the form cannot be.
[[nodiscard]] Handler loadHandler(const MemoryForm &form);
/// Stores `width` elements from those registers.
[[nodiscard]] Handler storeHandler(const MemoryForm &form);
/// `atom` and `red` of `operation` on `type`: dst (or none), operands from
/// `Function::slots[detail]` on, `width` elements; b is what `cas` compares
/// with. Null when there is no such operation.
[[nodiscard]] Handler atomicHandler(ptx::Modifier operation, ptx::Type type);
/// `prefetch` and the like: nothing.
const Instr *executeNothing(Warp &warp, const Instr &instr);
const Instr *executeFence(Warp &warp, const Instr &instr);

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// `Function::computes[detail]`; dst is the carry flag.
const Instr *executeCompute(Warp &warp, const Instr &instr);
/// `mov.b128`: dst (and dst2 when `width` has bit 0), a (and b when it has
/// bit 1): one 128-bit register, or the two halves.
const Instr *executeMove128(Warp &warp, const Instr &instr);
/// dst (64 or 32 bits): a plus offset.
const Instr *executeAddOffset64(Warp &warp, const Instr &instr);
const Instr *executeAddOffset32(Warp &warp, const Instr &instr);
/// dst (64 or 32 bits): the address `offset` bytes into the frame's memory.
const Instr *executeFrameAddress64(Warp &warp, const Instr &instr);
const Instr *executeFrameAddress32(Warp &warp, const Instr &instr);
/// dst: whether generic address a lies in `space`; `width` 1: constant.
const Instr *executeIsSpace(Warp &warp, const Instr &instr);
/// dst: a special register that changes; `width` is its number.
const Instr *executeReadSpecial(Warp &warp, const Instr &instr);
/// dst: address a as it is in block b of the cluster.
const Instr *executeMapRank64(Warp &warp, const Instr &instr);
const Instr *executeMapRank32(Warp &warp, const Instr &instr);
/// dst: the rank of the block whose shared memory address a lies in.
const Instr *executeRank64(Warp &warp, const Instr &instr);
const Instr *executeRank32(Warp &warp, const Instr &instr);
/// dst: `width` bytes a lane, all zero.
const Instr *executeZero(Warp &warp, const Instr &instr);

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

const Instr *executeJoin(Warp &warp, const Instr &instr);
/// target, cost
const Instr *executeJump(Warp &warp, const Instr &instr);
/// a (predicate, aNegated), target, cost
const Instr *executeBranch(Warp &warp, const Instr &instr);
/// a (index), detail: table, cost
const Instr *executeBranchIndexed(Warp &warp, const Instr &instr);
/// detail: call site
const Instr *executeCall(Warp &warp, const Instr &instr);
/// a (address), detail: call site
const Instr *executeCallIndirect(Warp &warp, const Instr &instr);
const Instr *executeCallBuiltin(Warp &warp, const Instr &instr);
const Instr *executeReturn(Warp &warp, const Instr &instr);
const Instr *executeExit(Warp &warp, const Instr &instr);
const Instr *executeTrap(Warp &warp, const Instr &instr);
const Instr *executeBreakpoint(Warp &warp, const Instr &instr);
const Instr *executeYield(Warp &warp, const Instr &instr);
/// A fault that says the instruction is not supported.
const Instr *executeUnsupported(Warp &warp, const Instr &instr);
/// The end of a body that does not return: control ran off.
const Instr *executeEnd(Warp &warp, const Instr &instr);
/// dst (64 bits): size a, align offset
const Instr *executeAlloca(Warp &warp, const Instr &instr);
const Instr *executeStackSave(Warp &warp, const Instr &instr);
const Instr *executeStackRestore(Warp &warp, const Instr &instr);

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// How a barrier instruction acts.
struct BarrierForm {
  bool isAligned = true;
  bool waits = true;
  BarrierReduction reduction = BarrierReduction::none;

  /// As `Instr::width` has it.
  [[nodiscard]] std::uint16_t pack() const {
    return std::uint16_t(isAligned | waits << 1 | unsigned(reduction) << 2);
  }
  static BarrierForm unpack(std::uint16_t bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, BarrierReduction(bits >> 2)};
  }
};
/// width: packed form, a: id, b: threads or none, c: predicate (aNegated), dst
const Instr *executeBarrier(Warp &warp, const Instr &instr);

/// `barrier.cluster`; width: 1 when aligned
const Instr *executeClusterArrive(Warp &warp, const Instr &instr);
const Instr *executeClusterWait(Warp &warp, const Instr &instr);

//===----------------------------------------------------------------------===//
// Warp-wide exchanges: d is the member mask
//===----------------------------------------------------------------------===//

/// `bar.warp.sync`, `shfl.sync`, `vote.sync`, `match`, `redux.sync`,
/// `elect.sync`; null when the form is not supported. Operands: dst, dst2
/// (predicate beside it), a, b, c.
[[nodiscard]] Handler collectiveHandler(const ptx::Instruction &instruction);
/// dst: the executing lanes.
const Instr *executeActiveMask(Warp &warp, const Instr &instr);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_HANDLERS_H
