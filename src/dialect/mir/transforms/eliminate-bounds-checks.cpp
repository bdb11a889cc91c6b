// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/mir.h"
#include "dialect/mir/transforms/integer-expressions.h"
#include "dialect/mir/transforms/passes.h"
#include "dialect/mir/transforms/value-facts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

namespace tessera::mir {
#define GEN_PASS_DEF_MIRELIMINATEBOUNDSCHECKSPASS
#include "dialect/mir/transforms/Passes.h.inc"
} // namespace tessera::mir

using namespace mlir;
using namespace tessera::mir;

namespace {

/// One walk over a region and those inside it, down the dominator tree with the
/// facts that hold on the way.
class CheckEliminator {
public:
  explicit CheckEliminator(DominanceInfo &dominance)
      : dominance(dominance), facts(dominance) {}

  void run(Region &region) {
    if (region.empty())
      return;
    if (region.hasOneBlock())
      return visitBlock(region.front());
    visitSubtree(*dominance.getRootNode(&region));
  }

  std::int64_t numRemoved = 0;
  std::int64_t numKept = 0;

private:
  using Node = DominanceInfoNode;

  /// Iterative: dominator trees of long functions are deep.
  void visitSubtree(Node &root) {
    struct Entry {
      Node *node;
      size_t mark;
      Node::iterator next;
    };
    SmallVector<Entry> stack;
    auto enter = [&](Node &node) {
      stack.push_back({&node, facts.mark(), node.begin()});
      addEntryFacts(*node.getBlock());
      visitBlock(*node.getBlock());
    };
    enter(root);
    while (!stack.empty()) {
      if (stack.back().next != stack.back().node->end()) {
        Node *child = *stack.back().next++;
        enter(*child);
        continue;
      }
      facts.rewind(stack.back().mark);
      stack.pop_back();
    }
  }

  /// The block from which control first enters `block`: its only predecessor
  /// but for those that `block` dominates, which close loops. Null when there
  /// are several.
  Block *getEntering(Block &block) {
    Block *entering = nullptr;
    for (Block *pred : block.getPredecessors()) {
      if (dominance.dominates(&block, pred) || pred == entering)
        continue;
      if (entering)
        return nullptr;
      entering = pred;
    }
    return entering;
  }

  /// What the way tells by which control enters `block`. Conditions of branches
  /// do not change in loops that begin at `block`.
  void addEntryFacts(Block &block) {
    if (Block *pred = getEntering(block))
      addEdgeFacts(*pred, block);
  }

  /// What the branch from `from` to `to` tells.
  void addEdgeFacts(Block &from, Block &to) {
    Operation *branch = from.getTerminator();
    if (!isa<LLVM::CondBrOp, cf::CondBranchOp>(branch) ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return;
    Value condition = branch->getOperand(0);
    bool holds = branch->getSuccessor(0) == &to;
    facts.addCondition(condition, holds);
    if (auto argument = dyn_cast<BlockArgument>(condition))
      addJoinFacts(argument, holds);
  }

  /// A boolean that blocks are joined with, as `a && b` makes it: false on all
  /// ways but one. When it holds, control came that way, and what the way tells
  /// holds, too. The same for `a || b` that does not hold.
  void addJoinFacts(BlockArgument condition, bool holds) {
    Block *join = condition.getOwner();
    Block *way = nullptr;
    Value value;
    for (auto pred = join->pred_begin(), end = join->pred_end(); pred != end;
         ++pred) {
      auto branch = dyn_cast<BranchOpInterface>((*pred)->getTerminator());
      if (!branch || dominance.dominates(join, *pred))
        return;
      Value incoming = branch.getSuccessorOperands(
          pred.getSuccessorIndex())[condition.getArgNumber()];
      if (incoming && isBoolean(incoming, !holds))
        continue;
      if (!incoming || way)
        return;
      way = *pred;
      value = incoming;
    }
    if (!way)
      return;
    facts.addCondition(value, holds);
    addEdgeFacts(*way, *join);
    for (Block *block = way; block && !dominance.dominates(block, join);
         block = getEntering(*block))
      addEntryFacts(*block);
  }

  void visitBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
  }

  void visit(Operation *op) {
    if (auto index = dyn_cast<IndexAddrOp>(op))
      return visit(index);
    if (auto part = dyn_cast<SubsliceOp>(op))
      return visit(part);
    if (auto check = dyn_cast<BoundsCheckOp>(op))
      return visit(check);
    if (auto check = dyn_cast<AssertOp>(op))
      return visit(check);
    if (auto assumption = dyn_cast<LLVM::AssumeOp>(op))
      return facts.addCondition(assumption.getCond(), true);
    for (Region &region : op->getRegions()) {
      size_t mark = facts.mark();
      run(region);
      facts.rewind(mark);
    }
  }

  void visit(IndexAddrOp op) {
    if (op.getInBounds())
      return;
    if (count(facts.isBelow(op.getIndex(), op.getSlice())))
      op.setInBounds(true);
    else
      facts.add(Order::ult, op.getIndex(), op.getSlice());
  }

  void visit(SubsliceOp op) {
    if (op.getInBounds())
      return;
    if (count(fits(op)))
      op.setInBounds(true);
    facts.add(Order::ule, op.getFrom(), op.getSlice());
    facts.add(Order::ule, op.getCount(), op.getSlice());
  }

  void visit(BoundsCheckOp op) {
    if (!count(facts.isBelow(op.getIndex(), op.getLength())))
      return facts.add(Order::ult, op.getIndex(), op.getLength());
    op.replaceAllUsesWith(op.getIndex());
    op.erase();
  }

  void visit(AssertOp op) {
    if (!count(facts.holds(op.getCondition())))
      return facts.addCondition(op.getCondition(), true);
    op.erase();
  }

  /// Whether `from + count` is certainly not above the length.
  bool fits(SubsliceOp op) {
    ConstantIntRanges from = facts.rangeOf(op.getFrom());
    ConstantIntRanges length = facts.rangeOf(op.getSlice());
    if (from.umax().isZero())
      return facts.isAtMost(op.getCount(), op.getSlice());
    bool wraps = false;
    llvm::APInt end =
        from.umax().uadd_ov(facts.rangeOf(op.getCount()).umax(), wraps);
    if (!wraps && end.ule(length.umin()))
      return true;
    return isRest(op) && facts.isAtMost(op.getFrom(), op.getSlice());
  }

  /// Whether the part is all from `from` on: `count` is `length - from`.
  static bool isRest(SubsliceOp op) {
    auto difference = op.getCount().getDefiningOp<LLVM::SubOp>();
    if (!difference || difference.getRhs() != op.getFrom())
      return false;
    auto length = difference.getLhs().getDefiningOp<SliceLenOp>();
    return (length && length.getSlice() == op.getSlice()) ||
           difference.getLhs() == getKnownLength(op.getSlice());
  }

  bool count(bool isProven) {
    ++(isProven ? numRemoved : numKept);
    return isProven;
  }

  DominanceInfo &dominance;
  ValueFacts facts;
};

struct MirEliminateBoundsChecks
    : tessera::mir::impl::MirEliminateBoundsChecksPassBase<
          MirEliminateBoundsChecks> {
  void runOnOperation() final {
    CheckEliminator eliminator(getAnalysis<DominanceInfo>());
    for (Region &region : getOperation()->getRegions())
      eliminator.run(region);
    numRemoved += eliminator.numRemoved;
    numKept += eliminator.numKept;
    markAnalysesPreserved<DominanceInfo>();
  }
};

} // namespace
