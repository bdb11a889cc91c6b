// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/transforms/passes.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/SROA.h"

using namespace mlir;

namespace tessera::mir {
#define GEN_PASS_DEF_MIRSROAPASS
#include "dialect/mir/transforms/Passes.h.inc"
} // namespace tessera::mir

namespace {

/// Whether every use of `address` is one whose extent is known, so that no
/// access outside of it can exist.
bool staysKnown(Value address) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LLVM::LoadOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
            LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp,
            LLVM::MemsetOp>(user))
      continue;
    if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
      if (store.getValue() == address)
        return false;
      continue;
    }
    auto offset = dyn_cast<LLVM::GEPOp>(user);
    if (!offset || !offset.getDynamicIndices().empty() ||
        !staysKnown(offset.getResult()))
      return false;
  }
  return true;
}

struct MirSroaPass : tessera::mir::impl::MirSroaPassBase<MirSroaPass> {
  void runOnOperation() override {
    const DataLayout &layout =
        getAnalysis<DataLayoutAnalysis>().getAtOrAbove(getOperation());
    SmallVector<DestructurableAllocationOpInterface> allocations;
    getOperation()->walk([&](LLVM::AllocaOp slot) {
      if (staysKnown(slot.getResult()))
        allocations.push_back(slot);
    });
    OpBuilder builder(&getContext());
    if (failed(tryToDestructureMemorySlots(allocations, builder, layout)))
      markAllAnalysesPreserved();
  }
};

} // namespace
