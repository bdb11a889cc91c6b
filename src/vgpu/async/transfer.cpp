// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/async/transfer.h"
#include "vgpu/cluster.h"
#include "vgpu/handlers.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <algorithm>
#include <cstring>

using namespace tessera::vgpu;

void Transfer::append(const Piece &piece) {
  if (piece.bytes == 0)
    return;
  if (!pieces.empty() && piece.from) {
    Piece &last = pieces.back();
    if (last.from && last.from + last.bytes == piece.from &&
        last.to + last.bytes == piece.to) {
      last.bytes += piece.bytes;
      return;
    }
  }
  pieces.push_back(piece);
}

void Transfer::read() {
  std::size_t size = 0;
  for (const Piece &piece : pieces)
    size += piece.bytes;
  staged.assign(size, std::byte(0));
  std::byte *to = staged.data();
  for (const Piece &piece : pieces) {
    if (piece.from)
      std::memcpy(to, piece.from, piece.bytes);
    else
      std::memcpy(to, &piece.value,
                  std::min<std::size_t>(piece.bytes, sizeof(piece.value)));
    to += piece.bytes;
  }
}

void Transfer::put(const Piece &piece, const std::byte *from) const {
  if (combine)
    return combine(piece.to, from, piece.bytes);
  if (byteMask == 0xffff) {
    std::memcpy(piece.to, from, piece.bytes);
    return;
  }
  // Masked copies come in one piece, at a multiple of 16.
  for (std::uint32_t i = 0; i < piece.bytes; ++i)
    if ((byteMask >> (i & 15) & 1) != 0)
      piece.to[i] = from[i];
}

void Transfer::write() {
  const std::byte *from = staged.data();
  for (const Piece &piece : pieces) {
    put(piece, from);
    from += piece.bytes;
  }
  for (const Signal &signal : signals)
    if (auto changed = changeMbarrier(cluster, signal.mbarrier, signal.change);
        !changed)
      issued.warp->failLater(issued, FaultKind::invalidSync,
                             concat("when it completes: ", changed.error()));
}

const std::byte *Transfer::signalFor(const std::byte *to) const {
  if (signals.size() < 2)
    return signals.empty() ? nullptr : signals.front().mbarrier;
  const std::size_t blocks = cluster.worker.launch.clusterShape.count();
  for (std::size_t rank = 0; rank < blocks; ++rank) {
    const Block &block = *cluster.block(rank);
    if (!block.sharedAddress(to))
      continue;
    for (const Signal &signal : signals)
      if (block.sharedAddress(signal.mbarrier))
        return signal.mbarrier;
  }
  return signals.front().mbarrier;
}

void Transfer::visit(AsyncVisitor &visitor) {
  for (const Piece &piece : pieces) {
    if (piece.from)
      visitor.reads(piece.from, piece.bytes);
    visitor.writes(piece.to, piece.bytes, signalFor(piece.to));
  }
}
