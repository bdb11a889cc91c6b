// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that execute mbarrier instructions and issue asynchronous
// operations, and how the decoder tells them what to do.

#ifndef TESSERA_VGPU_ASYNC_HANDLERS_H
#define TESSERA_VGPU_ASYNC_HANDLERS_H

#include "vgpu/async/mbarrier.h"
#include "vgpu/async/transfer.h"
#include "vgpu/program.h"

namespace tessera::vgpu {

//===----------------------------------------------------------------------===//
// mbarrier: the address of the instruction
//===----------------------------------------------------------------------===//

/// b: count
const Instr *executeMbarrierInit(Warp &warp, const Instr &instr);
const Instr *executeMbarrierInvalidate(Warp &warp, const Instr &instr);

/// How a change of an mbarrier is packed into `Instr::width`.
struct ChangeForm {
  MbarrierChange::Kind kind = MbarrierChange::Kind::arrive;
  bool drops = false, mayNotComplete = false;

  [[nodiscard]] std::uint16_t pack() const {
    return std::uint16_t(unsigned(kind) | drops << 4 | mayNotComplete << 5);
  }
  static ChangeForm unpack(std::uint16_t bits) {
    return {MbarrierChange::Kind(bits & 15), (bits & 16) != 0,
            (bits & 32) != 0};
  }
};
/// width: packed form, b: the number (none: 1), dst: the state before, or none
const Instr *executeMbarrierChange(Warp &warp, const Instr &instr);

/// How a wait for a phase is packed into `Instr::width`.
struct PhaseForm {
  bool byParity = false; ///< b is a parity, not a state
  bool mayWait = false;  ///< `try_wait`

  [[nodiscard]] std::uint16_t pack() const {
    return std::uint16_t(byParity | mayWait << 1);
  }
  static PhaseForm unpack(std::uint16_t bits) {
    return {(bits & 1) != 0, (bits & 2) != 0};
  }
};
/// width: packed form, b: state or parity, dst: whether the phase is complete
const Instr *executeMbarrierTest(Warp &warp, const Instr &instr);
/// a: state, dst
const Instr *executePendingCount(Warp &warp, const Instr &instr);

//===----------------------------------------------------------------------===//
// Copies: detail is an index into `Function::asyncCalls`
//===----------------------------------------------------------------------===//

/// offset: bytes
const Instr *executeCopyAsync(Warp &warp, const Instr &instr);
/// `cp.async.mbarrier.arrive`: the address of the instruction; width: 1 with
/// .noinc
const Instr *executeCopyArrive(Warp &warp, const Instr &instr);

/// Where a bulk operation copies to.
enum class BulkTarget : std::uint8_t {
  shared,  ///< signals an mbarrier
  global,  ///< belongs to a group
  prefetch ///< nothing is written
};
/// width: `BulkTarget`
const Instr *executeBulkCopy(Warp &warp, const Instr &instr);
/// `from` or `to` is a tensor map, as the target says. width: `BulkTarget`
const Instr *executeTensorCopy(Warp &warp, const Instr &instr);
/// `st.async` and `red.async`: width: bytes of a value
const Instr *executeStoreAsync(Warp &warp, const Instr &instr);

/// detail: into `Function::wgmmaCalls`
const Instr *executeWgmma(Warp &warp, const Instr &instr);

/// width: `AsyncKind`
const Instr *executeCommitGroup(Warp &warp, const Instr &instr);
/// width: `AsyncKind`, with `waitsForReads` when only reads count; offset: the
/// number of latest groups that may be incomplete; -1: nor the open one
inline constexpr std::uint16_t waitsForReads = 16;
const Instr *executeWaitGroup(Warp &warp, const Instr &instr);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ASYNC_HANDLERS_H
