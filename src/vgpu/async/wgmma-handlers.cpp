// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma: issued by each warp of a warpgroup for its own rows of the result
// (PTX ISA 9.0, 9.7.15). The operation reads its matrices at one moment and
// adds to the accumulators at another; those of a warp happen in order.

#include "vgpu/access.h"
#include "vgpu/async/handlers.h"
#include "vgpu/block.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/matrix/handlers.h"
#include "vgpu/matrix/wgmma.h"
#include "vgpu/monitor.h"
#include "vgpu/text.h"
#include "vgpu/worker.h"

#include <memory>
#include <vector>

using namespace tessera::vgpu;

namespace {

constexpr unsigned warpsOfGroup = 4;

class WgmmaOperation final : public AsyncOperation {
public:
  WgmmaOperation(Warp &warp, const Instr &instr, const WgmmaCall &call)
      : warp(warp), issued{&warp, warp.current->frame->function, &instr, 0},
        form(*call.form) {
    Frame &frame = *warp.current->frame;
    for (Slot slot : call.accumulators)
      accumulators.push_back(warp.lanesIn<std::uint32_t>(frame, slot));
    if (form.aInRegisters)
      for (Slot slot : call.a)
        aRegisters.push_back(warp.lanesIn<std::uint32_t>(frame, slot));
    else
      aDescriptor = *warp.lanes<std::uint64_t>(call.a.front());
    bDescriptor = *warp.lanes<std::uint64_t>(call.b);
    scaleD = (warp.predicate(call.scaleD) & 1) != 0;
    scaleD = scaleD != call.scaleNegated;
  }

  void read() override {
    const SharedReader reader = [this](std::uint64_t address,
                                       std::uint32_t bytes) {
      return readShared(address, bytes);
    };
    if (form.aInRegisters)
      takeWgmmaA(form, aRegisters, a);
    else if (!readWgmmaA(form, aDescriptor, warp.index % warpsOfGroup, reader,
                         a))
      return;
    hasRead = readWgmmaB(form, bDescriptor, reader, b);
  }

  /// Reads once more, to see what is read.
  void visit(AsyncVisitor &visitor) override {
    const SharedReader reader = [&](std::uint64_t address,
                                    std::uint32_t bytes) -> const std::byte * {
      if (!isShared(address, bytes))
        return nullptr;
      const std::byte *from = warp.block.sharedMemory(address);
      visitor.reads(from, bytes);
      return from;
    };
    WgmmaMatrix matrix;
    if (!form.aInRegisters &&
        !readWgmmaA(form, aDescriptor, warp.index % warpsOfGroup, reader,
                    matrix))
      return;
    (void)readWgmmaB(form, bDescriptor, reader, matrix);
  }

  void write() override {
    if (hasRead)
      multiplyWgmma(form, a, b, scaleD, accumulators);
  }

private:
  /// Descriptors hold addresses of the own block.
  [[nodiscard]] bool isShared(std::uint64_t address,
                              std::uint32_t bytes) const {
    const Launch &launch = warp.block.launch;
    return address >= sharedStart && address <= launch.sharedEnd &&
           bytes <= launch.sharedEnd - address;
  }
  const std::byte *readShared(std::uint64_t address, std::uint32_t bytes) {
    if (isShared(address, bytes))
      return warp.block.sharedMemory(address);
    warp.failLater(issued, FaultKind::invalidAddress,
                   concat("a matrix descriptor leads to ", hex(address),
                          ", outside of the block's shared memory"));
    return nullptr;
  }

  Warp &warp;
  const IssuePoint issued;
  const WgmmaForm &form;
  std::vector<std::uint32_t *> accumulators;
  std::vector<const std::uint32_t *> aRegisters;
  std::uint64_t aDescriptor = 0, bDescriptor = 0;
  bool scaleD = false, hasRead = false;
  WgmmaMatrix a, b;
};

} // namespace

const Instr *tessera::vgpu::executeWgmma(Warp &warp, const Instr &instr) {
  const Instr *next = nullptr;
  if (!gatherWarp(warp, instr, next))
    return next;
  if (warp.block.launch.threadsPerBlock < warpsOfGroup * warpSize)
    return warp.fault(instr, FaultKind::invalidSync,
                      "a block of fewer than 128 threads has no warpgroup", 0);
  const WgmmaCall &call =
      warp.current->frame->function->wgmmaCalls[instr.detail];
  constexpr auto kind = AsyncKind::matrix;
  warp.block.cluster.async.issue(
      std::make_unique<WgmmaOperation>(warp, instr, call),
      {.warp = &warp,
       .kind = kind,
       .lanes = 1,
       .group = warp.asyncGroups[std::size_t(kind)][0],
       .isOrdered = true},
      instr);
  return &instr + 1;
}
