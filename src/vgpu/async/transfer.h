// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies and reductions: bytes go from one place in memory to
// another, and an mbarrier may hear of it.

#ifndef TESSERA_VGPU_ASYNC_TRANSFER_H
#define TESSERA_VGPU_ASYNC_TRANSFER_H

#include "ptx/types.h"
#include "vgpu/async/engine.h"
#include "vgpu/async/mbarrier.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::vgpu {

/// Where an asynchronous operation was issued, to tell of what it does wrong
/// later.
struct IssuePoint {
  Warp *warp = nullptr;
  const Function *function = nullptr;
  const Instr *instr = nullptr;
  unsigned lane = 0;
};

/// What `cp.reduce.async.bulk` and `red.async` do with values of `type`; null
/// when there is no such operation.
[[nodiscard]] Combine combineFunction(ptx::Modifier operation, ptx::Type type);

class Transfer final : public AsyncOperation {
public:
  Transfer(Cluster &cluster, const IssuePoint &issued)
      : cluster(cluster), issued(issued) {}

  /// Adjacent pieces become one.
  void add(const std::byte *from, std::byte *to, std::uint32_t bytes) {
    append({from, 0, to, bytes});
  }
  void addZeros(std::byte *to, std::uint32_t bytes) {
    append({nullptr, 0, to, bytes});
  }
  /// Bytes that are known when the operation is issued.
  void addValue(std::uint64_t value, std::byte *to, std::uint32_t bytes) {
    append({nullptr, value, to, bytes});
  }

  void read() override;
  void write() override;
  void visit(AsyncVisitor &visitor) override;

  /// Copies when null.
  Combine combine = nullptr;
  /// Which of every 16 bytes are written.
  std::uint16_t byteMask = 0xffff;

  /// An mbarrier that is told once the bytes are written.
  struct Signal {
    std::byte *mbarrier;
    MbarrierChange change;
  };
  std::vector<Signal> signals;

private:
  struct Piece {
    const std::byte *from; ///< null: `value`, then zeros
    std::uint64_t value;
    std::byte *to;
    std::uint32_t bytes;
  };
  void append(const Piece &piece);
  /// The mbarrier that hears of bytes at `to`: that of the same block.
  [[nodiscard]] const std::byte *signalFor(const std::byte *to) const;
  void put(const Piece &piece, const std::byte *from) const;

  Cluster &cluster;
  const IssuePoint issued;
  std::vector<Piece> pieces;
  std::vector<std::byte> staged;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ASYNC_TRANSFER_H
