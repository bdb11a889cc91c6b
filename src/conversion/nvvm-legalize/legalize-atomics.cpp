// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conversion/nvvm-legalize/passes.h"
#include "mlir/IR/Builders.h"

namespace tessera {
#define GEN_PASS_DEF_NVVMLEGALIZEATOMICSPASS
#include "conversion/nvvm-legalize/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using LLVM::AtomicOrdering;

/// The fence that must stand before an atomic of `ordering`.
static std::optional<AtomicOrdering> getLeadingFence(AtomicOrdering ordering) {
  switch (ordering) {
  case AtomicOrdering::release:
  case AtomicOrdering::acq_rel:
    return AtomicOrdering::release;
  case AtomicOrdering::seq_cst:
    return AtomicOrdering::seq_cst;
  default:
    return std::nullopt;
  }
}

static bool needsTrailingFence(AtomicOrdering ordering) {
  return ordering == AtomicOrdering::acquire ||
         ordering == AtomicOrdering::acq_rel ||
         ordering == AtomicOrdering::seq_cst;
}

static void legalize(LLVM::AtomicRMWOp op) {
  OpBuilder builder(op);
  AtomicOrdering ordering = op.getOrdering();
  StringRef scope = op.getSyncscope().value_or("");
  if (std::optional<AtomicOrdering> fence = getLeadingFence(ordering))
    LLVM::FenceOp::create(builder, op.getLoc(), *fence, scope);
  builder.setInsertionPointAfter(op);
  if (needsTrailingFence(ordering))
    LLVM::FenceOp::create(builder, op.getLoc(), AtomicOrdering::acquire, scope);
  op.setOrdering(AtomicOrdering::monotonic);
}

namespace {

struct NVVMLegalizeAtomics
    : tessera::impl::NVVMLegalizeAtomicsPassBase<NVVMLegalizeAtomics> {
  void runOnOperation() final {
    getOperation()->walk([](LLVM::AtomicRMWOp op) {
      if (op.getOrdering() > AtomicOrdering::monotonic)
        legalize(op);
    });
  }
};

} // namespace
