// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of boxes of tensors (PTX ISA 9.0, 5.5 and 9.7.9.27).

#include "vgpu/async/issue.h"
#include "vgpu/async/tensor-map.h"
#include "vgpu/text.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace tessera::vgpu;

namespace {

constexpr std::uint32_t mapAlign = 64, boxAlign = 128, chunkBytes = 16;

/// A box at its coordinates: says where each run of bytes lies.
class Box {
public:
  Box(const TensorMapLayout &map,
      const std::array<std::int64_t, maxTensorRank> &start)
      : map(map), start(start), elementSize(elementBytes(map.type)) {
    for (std::uint32_t i = 0; i < map.rank; ++i)
      counts[i] =
          (map.box[i] + map.elementStrides[i] - 1) / map.elementStrides[i];
  }

  [[nodiscard]] std::uint32_t bytes() const {
    std::uint32_t product = elementSize;
    for (std::uint32_t i = 0; i < map.rank; ++i)
      product *= counts[i];
    return product;
  }

  /// Calls `visit(offset, address, bytes)` for runs of bytes that lie together
  /// in the box and in the tensor; `address` is 0 out of bounds. Stops and
  /// returns false when `visit` does.
  template <class Visit> bool forEachRun(Visit visit) const {
    std::array<std::uint32_t, maxTensorRank> index{};
    std::uint32_t offset = 0;
    for (;;) {
      if (!visitRow(index, offset, visit))
        return false;
      offset += counts[0] * elementSize;
      std::uint32_t dim = 1;
      while (dim < map.rank && ++index[dim] == counts[dim])
        index[dim++] = 0;
      if (dim >= map.rank)
        return true;
    }
  }

private:
  template <class Visit>
  bool visitRow(const std::array<std::uint32_t, maxTensorRank> &index,
                std::uint32_t offset, Visit &visit) const {
    std::uint64_t row = map.address;
    bool isInside = true;
    for (std::uint32_t dim = 1; dim < map.rank; ++dim) {
      const std::int64_t at =
          start[dim] + std::int64_t(index[dim]) * map.elementStrides[dim];
      isInside = isInside && at >= 0 && std::uint64_t(at) < map.sizes[dim];
      row += std::uint64_t(at) * map.strides[dim - 1];
    }
    if (!isInside)
      return visit(offset, std::uint64_t(0), counts[0] * elementSize);
    const std::int64_t count = counts[0];
    const auto size = std::int64_t(map.sizes[0]);
    const std::int64_t first = std::clamp<std::int64_t>(-start[0], 0, count);
    const std::int64_t last =
        std::clamp<std::int64_t>(size - start[0], first, count);
    const auto part = [&](std::int64_t from, std::int64_t to, bool inside) {
      if (from == to)
        return true;
      return bool(
          visit(offset + std::uint32_t(from) * elementSize,
                inside ? row + std::uint64_t(start[0] + from) * elementSize : 0,
                std::uint32_t(to - from) * elementSize));
    };
    return part(0, first, false) && part(first, last, true) &&
           part(last, count, false);
  }

  const TensorMapLayout &map;
  const std::array<std::int64_t, maxTensorRank> start;
  const std::uint32_t elementSize;
  std::array<std::uint32_t, maxTensorRank> counts{1, 1, 1, 1, 1};
};

/// A copy of one lane while it is put together.
class TensorIssue {
public:
  TensorIssue(Warp &warp, const Instr &instr, unsigned lane)
      : warp(warp), instr(instr), call(asyncCall(warp, instr)), lane(lane),
        target(BulkTarget(instr.width)) {}

  /// False after a fault.
  bool run() {
    if (!readMap())
      return false;
    if (target == BulkTarget::prefetch)
      return true;
    std::array<std::int64_t, maxTensorRank> start{};
    for (std::size_t i = 0; i < call.coordinates.size(); ++i)
      start[i] = warp.lanes<std::int32_t>(call.coordinates[i])[lane];
    const Box box(map, start);
    auto transfer = newTransfer(warp, instr, lane);
    if (target == BulkTarget::global)
      return store(box, std::move(transfer));
    return load(box, std::move(transfer));
  }

private:
  bool fail(std::string what) {
    warp.fault(instr, FaultKind::invalidAddress, std::move(what), lane);
    return false;
  }

  bool readMap() {
    const AddressOperand &place =
        target == BulkTarget::global ? call.to : call.from;
    const std::uint64_t address = addressOf(warp, place, lane);
    const std::byte *found =
        resolveLane(warp, instr, place, lane, address,
                    {tensorMapBytes, mapAlign, AccessKind::read, true});
    if (!found)
      return false;
    auto decoded = decodeTensorMap(
        std::span<const std::byte, tensorMapBytes>(found, tensorMapBytes));
    if (!decoded)
      return fail(concat("at ", hex(address), ": ", decoded.error()));
    map = *decoded;
    if (map.rank != call.coordinates.size())
      return fail(concat(call.coordinates.size(),
                         " coordinates in a tensor of ", map.rank,
                         " dimensions"));
    return true;
  }

  std::byte *tensorMemory(std::uint64_t address, std::uint32_t bytes,
                          AccessKind kind) {
    AddressOperand global;
    global.space = MemorySpace::global;
    global.cache = call.from.cache;
    return resolveLane(warp, instr, global, lane, address,
                       {bytes, 1, kind, true});
  }

  /// The host address of the first byte of a box in shared memory.
  std::byte *boxMemory(const AddressOperand &place, std::uint64_t address,
                       const Box &box, AccessKind kind) {
    return resolveLane(warp, instr, place, lane, address,
                       {box.bytes(), boxAlign, kind, true});
  }

  /// Calls `visit(place, done, bytes)` for the pieces that a run of `bytes`
  /// bytes at `offset` of a box is in, which begins at the shared address
  /// `first`: `place` counts from the box's first byte.
  template <class Visit>
  void forEachPiece(std::uint64_t first, std::uint32_t offset,
                    std::uint32_t bytes, Visit visit) const {
    if (map.swizzle == TensorSwizzle::none)
      return visit(std::int64_t(offset), 0u, bytes);
    for (std::uint32_t done = 0; done < bytes;) {
      const std::uint64_t address = first + offset + done;
      const auto rest = std::uint32_t(chunkBytes - address % chunkBytes);
      const std::uint32_t piece = std::min(rest, bytes - done);
      visit(std::int64_t(swizzled(address, map.swizzle) - first), done, piece);
      done += piece;
    }
  }

  void addFill(Transfer &transfer, std::byte *to, std::uint32_t bytes) const {
    if (map.fill == TensorFill::zero)
      return transfer.addZeros(to, bytes);
    const std::uint32_t size = elementBytes(map.type);
    for (std::uint32_t i = 0; i < bytes; i += size)
      transfer.addValue(nanBits(map.type), to + i, size);
  }

  bool load(const Box &box, std::unique_ptr<Transfer> transfer) {
    const std::uint64_t address = addressOf(warp, call.to, lane);
    for (const std::uint64_t at : targetsOf(warp, call, lane, address)) {
      std::byte *to = boxMemory(call.to, at, box, AccessKind::write);
      if (!to)
        return false;
      const bool isRead = box.forEachRun(
          [&](std::uint32_t offset, std::uint64_t from, std::uint32_t bytes) {
            const std::byte *source =
                from ? tensorMemory(from, bytes, AccessKind::read) : nullptr;
            if (from && !source)
              return false;
            forEachPiece(at, offset, bytes,
                         [&](std::int64_t place, std::uint32_t done,
                             std::uint32_t piece) {
                           if (source)
                             transfer->add(source + done, to + place, piece);
                           else
                             addFill(*transfer, to + place, piece);
                         });
            return true;
          });
      if (!isRead)
        return false;
    }
    if (!addSignals(*transfer, warp, instr, call, lane, box.bytes()))
      return false;
    engine(warp).issue(std::move(transfer),
                       issueOf(warp, AsyncKind::signal, lane), instr);
    return true;
  }

  bool store(const Box &box, std::unique_ptr<Transfer> transfer) {
    if (call.reduction != tessera::ptx::Modifier::none) {
      transfer->combine = combineFunction(call.reduction, ptxType(map.type));
      if (!transfer->combine)
        return fail("the elements of the tensor have no such reduction");
    }
    const std::uint64_t at = addressOf(warp, call.from, lane);
    const std::byte *from = boxMemory(call.from, at, box, AccessKind::read);
    if (!from)
      return false;
    const bool isWritten = box.forEachRun(
        [&](std::uint32_t offset, std::uint64_t target, std::uint32_t bytes) {
          if (!target)
            return true;
          std::byte *to = tensorMemory(target, bytes, AccessKind::write);
          if (!to)
            return false;
          forEachPiece(
              at, offset, bytes,
              [&](std::int64_t place, std::uint32_t done, std::uint32_t piece) {
                transfer->add(from + place, to + done, piece);
              });
          return true;
        });
    if (!isWritten)
      return false;
    engine(warp).issue(std::move(transfer),
                       issueOf(warp, AsyncKind::bulk, lane), instr);
    return true;
  }

  Warp &warp;
  const Instr &instr;
  const AsyncCall &call;
  const unsigned lane;
  const BulkTarget target;
  TensorMapLayout map;
};

} // namespace

const Instr *tessera::vgpu::executeTensorCopy(Warp &warp, const Instr &instr) {
  for (unsigned lane : LanesOf(warp.exec))
    if (!TensorIssue(warp, instr, lane).run())
      return nullptr;
  return &instr + 1;
}
