// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conversion/nvvm-legalize/passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

namespace tessera {
#define GEN_PASS_DEF_NVVMLEGALIZEATOMICSPASS
#include "conversion/nvvm-legalize/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using LLVM::AtomicBinOp;
using LLVM::AtomicOrdering;

//===----------------------------------------------------------------------===//
// Ordering
//===----------------------------------------------------------------------===//

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

static void legalizeOrdering(LLVM::AtomicRMWOp op) {
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

//===----------------------------------------------------------------------===//
// Scope
//===----------------------------------------------------------------------===//

/// The operation and type of PTX's `atom` that `op` becomes; empty when the
/// back end makes it of compare-and-swap, which keeps its scope, or when PTX
/// has no such instruction.
static std::string getPtxOperation(LLVM::AtomicRMWOp op) {
  Type type = op.getVal().getType();
  if (!isa<LLVM::LLVMPointerType>(type) && !type.isIntOrFloat())
    return {};
  unsigned bits =
      isa<LLVM::LLVMPointerType>(type) ? 64 : type.getIntOrFloatBitWidth();
  if (bits != 32 && bits != 64)
    return {};
  auto typed = [&](StringRef operation, char kind) {
    return (operation + "." + Twine(kind) + Twine(bits)).str();
  };
  switch (op.getBinOp()) {
  case AtomicBinOp::xchg:
    return typed("exch", 'b');
  case AtomicBinOp::add:
  case AtomicBinOp::sub:
    return typed("add", 'u');
  case AtomicBinOp::_and:
    return typed("and", 'b');
  case AtomicBinOp::_or:
    return typed("or", 'b');
  case AtomicBinOp::_xor:
    return typed("xor", 'b');
  case AtomicBinOp::max:
    return typed("max", 's');
  case AtomicBinOp::min:
    return typed("min", 's');
  case AtomicBinOp::umax:
    return typed("max", 'u');
  case AtomicBinOp::umin:
    return typed("min", 'u');
  case AtomicBinOp::fadd:
    return typed("add", 'f');
  case AtomicBinOp::uinc_wrap:
    return bits == 32 ? "inc.u32" : "";
  case AtomicBinOp::udec_wrap:
    return bits == 32 ? "dec.u32" : "";
  default:
    return {};
  }
}

/// The state space in PTX of an LLVM address space; empty for generic.
static StringRef getPtxSpace(unsigned addressSpace) {
  switch (addressSpace) {
  case 1:
    return ".global";
  case 3:
    return ".shared";
  default:
    return "";
  }
}

/// The letter for a register of `type` in the constraints of PTX assembly.
static StringRef getConstraint(Type type) {
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  return type.isInteger(32) ? "r" : "l";
}

static void replaceByPtx(LLVM::AtomicRMWOp op, StringRef operation) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value value = op.getVal();
  Type type = value.getType();
  if (op.getBinOp() == AtomicBinOp::sub) {
    Value zero = LLVM::ZeroOp::create(builder, loc, type);
    value = LLVM::SubOp::create(builder, loc, zero, value);
  }
  auto pointerType = cast<LLVM::LLVMPointerType>(op.getPtr().getType());
  StringRef letter = getConstraint(type);
  std::string text =
      ("atom.relaxed.sys" + getPtxSpace(pointerType.getAddressSpace()) + "." +
       operation + " $0, [$1], $2;")
          .str();
  std::string constraints =
      ("=" + letter + ",l," + letter + ",~{memory}").str();
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, type, ValueRange{op.getPtr(), value}, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
  op.getRes().replaceAllUsesWith(assembly.getRes());
  op.erase();
}

/// Whether the back end would print `op`, which PTX has no instruction for at
/// that width, by way of one of device scope: bitwise operations of a byte or
/// two, additions of half-precision numbers.
static bool losesScope(LLVM::AtomicRMWOp op) {
  switch (op.getBinOp()) {
  case AtomicBinOp::_and:
  case AtomicBinOp::_or:
  case AtomicBinOp::_xor:
  case AtomicBinOp::fadd:
    return true;
  default:
    return false;
  }
}

static Value createOperation(OpBuilder &builder, LLVM::AtomicRMWOp op,
                             Value old) {
  Location loc = op.getLoc();
  switch (op.getBinOp()) {
  case AtomicBinOp::_and:
    return LLVM::AndOp::create(builder, loc, old, op.getVal());
  case AtomicBinOp::_or:
    return LLVM::OrOp::create(builder, loc, old, op.getVal());
  case AtomicBinOp::_xor:
    return LLVM::XOrOp::create(builder, loc, old, op.getVal());
  default:
    return LLVM::FAddOp::create(builder, loc, old, op.getVal());
  }
}

/// Makes `op` of compare-and-swap:
///   old = *p;  do { old = cas(p, seen = old, f(old)) } while (old != seen)
static void replaceByLoop(LLVM::AtomicRMWOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type type = op.getVal().getType();
  auto bitsType =
      builder.getIntegerType(DataLayout::closest(op).getTypeSizeInBits(type));
  auto toBits = [&](Value value) -> Value {
    return type == bitsType
               ? value
               : LLVM::BitcastOp::create(builder, loc, bitsType, value)
                     .getResult();
  };
  auto fromBits = [&](Value bits) -> Value {
    return type == bitsType
               ? bits
               : LLVM::BitcastOp::create(builder, loc, type, bits).getResult();
  };

  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *loop = builder.createBlock(after, bitsType, loc);
  builder.setInsertionPointToEnd(before);
  unsigned alignment = bitsType.getWidth() / 8;
  Value first =
      LLVM::LoadOp::create(builder, loc, bitsType, op.getPtr(), alignment,
                           /*isVolatile=*/false, /*isNonTemporal=*/false,
                           /*isInvariant=*/false, /*isInvariantGroup=*/false,
                           AtomicOrdering::monotonic);
  LLVM::BrOp::create(builder, loc, first, loop);

  builder.setInsertionPointToEnd(loop);
  Value seen = loop->getArgument(0);
  Value wanted = toBits(createOperation(builder, op, fromBits(seen)));
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      builder, loc, op.getPtr(), seen, wanted, AtomicOrdering::monotonic,
      AtomicOrdering::monotonic);
  Value old = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
  Value done = LLVM::ExtractValueOp::create(builder, loc, exchange, 1);
  Value result = fromBits(old);
  LLVM::CondBrOp::create(builder, loc, done, after, ValueRange(), loop, old);
  op.getRes().replaceAllUsesWith(result);
  op.erase();
}

static void legalizeScope(LLVM::AtomicRMWOp op) {
  if (std::string operation = getPtxOperation(op); !operation.empty())
    replaceByPtx(op, operation);
  else if (losesScope(op))
    replaceByLoop(op);
}

namespace {

struct NVVMLegalizeAtomics
    : tessera::impl::NVVMLegalizeAtomicsPassBase<NVVMLegalizeAtomics> {
  void runOnOperation() final {
    SmallVector<LLVM::AtomicRMWOp> ops;
    getOperation()->walk([&](LLVM::AtomicRMWOp op) { ops.push_back(op); });
    for (LLVM::AtomicRMWOp op : ops) {
      if (op.getOrdering() > AtomicOrdering::monotonic)
        legalizeOrdering(op);
      if (op.getSyncscope().value_or("").empty())
        legalizeScope(op);
    }
  }
};

} // namespace
