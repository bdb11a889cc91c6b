// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores. What is known of the memory of the virtual GPU is in
// `MemoryAccess::region`; it agrees with vgpu/access.cpp. One check of a range
// stands before each access; what fails it is the interpreter's to execute,
// which finds the memory or reports the fault.

#include "vgpu/jit/translator.h"

#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <algorithm>
#include <cstddef>

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;

namespace tessera::vgpu::jit {

class MemoryAccess {
public:
  MemoryAccess(Translator &translator, unsigned index)
      : t(translator), b(translator.builder), index(index),
        instr(t.analysis.instr(index)), facts(t.analysis.facts(index)),
        element(b.getIntNTy(ptx::bitWidth(facts.form.type))),
        elementBytes(ptx::bitWidth(facts.form.type) / 8),
        bytes(elementBytes * instr.width),
        isStore(facts.kind != NativeKind::load) {}

  void translate() {
    guard = t.guardOf(index);
    Block *after = t.newBlock("done");
    chosen = t.beginGuarded(guard, after);
    active = guard ? b.CreateAnd(chosen, t.exec) : t.exec;
    slow = t.newBlock("slow");
    access();
    b.CreateBr(after);
    if (slow->hasNPredecessorsOrMore(1)) {
      b.SetInsertPoint(slow);
      interpret();
      b.CreateBr(after);
    } else {
      slow->eraseFromParent();
    }
    b.SetInsertPoint(after);
  }

private:
  using Value = llvm::Value;
  using Block = llvm::BasicBlock;

  /// Memory of one kind: an address lies at `host + address` when `begin <=
  /// address` and it is less than `end`, both in bytes.
  struct Region {
    Value *host = nullptr;
    Value *begin = nullptr, *size = nullptr;
    std::uint64_t laneStride = 0;
    Value *localStride = nullptr; ///< every lane has memory of its own
  };

  //===-- Where -----------------------------------------------------------===//

  [[nodiscard]] MemorySpace space() const {
    // The address of a parameter is generic; so far only global addresses are
    // found here among those.
    const bool isGeneric = instr.space == MemorySpace::generic ||
                           (instr.space == MemorySpace::param &&
                            instr.addressBase != AddressBase::none);
    return isGeneric ? MemorySpace::global : instr.space;
  }

  Value *state(std::size_t offset) {
    return t.loadState(b.getInt64Ty(), offset);
  }
  Value *statePointer(std::size_t offset) {
    return t.loadState(b.getPtrTy(), offset);
  }

  Region region() {
    switch (space()) {
    case MemorySpace::shared:
    case MemorySpace::sharedCluster:
      return sharedRegion();
    case MemorySpace::local:
      return {.host = statePointer(offsetof(NativeState, local)),
              .begin = b.getInt64(0),
              .size = state(offsetof(NativeState, stackTop)),
              .localStride = state(offsetof(NativeState, localStride))};
    case MemorySpace::param:
      return {.host = statePointer(offsetof(NativeState, params)),
              .begin = b.getInt64(0),
              .size = b.getInt64(t.analysis.paramBytes())};
    case MemorySpace::global:
    case MemorySpace::generic:
      break;
    }
    using Range = Worker::CachedRange;
    Value *range = b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), statePointer(offsetof(NativeState, ranges)),
        std::uint64_t(instr.cache) * sizeof(Range));
    const auto field = [&](llvm::Type *type, std::size_t offset) {
      return b.CreateLoad(
          type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), range, offset));
    };
    Region found{.host = llvm::ConstantPointerNull::get(b.getPtrTy()),
                 .begin = field(b.getInt64Ty(), offsetof(Range, base)),
                 .size = field(b.getInt64Ty(), offsetof(Range, size))};
    if (isStore) {
      Value *isConstant = field(b.getInt8Ty(), offsetof(Range, isConstant));
      found.size = b.CreateSelect(b.CreateIsNotNull(isConstant), b.getInt64(0),
                                  found.size);
    }
    return found;
  }

  /// The shared memory of the own block.
  Region sharedRegion() {
    Region found{.host = statePointer(offsetof(NativeState, shared)),
                 .begin = b.getInt64(sharedStart),
                 .size = b.CreateSub(state(offsetof(NativeState, sharedEnd)),
                                     b.getInt64(sharedStart))};
    if (instr.addressBase == AddressBase::none)
      return found; // an offset
    Value *base = state(offsetof(NativeState, sharedBase));
    found.begin = b.CreateAdd(found.begin, base);
    found.host = b.CreateGEP(b.getInt8Ty(), found.host, b.CreateNeg(base));
    return found;
  }

  /// The addresses, 64 bits wide.
  Lanes address() {
    const auto offset = [&](unsigned width) {
      return Lanes{.value = llvm::ConstantInt::get(b.getIntNTy(width),
                                                   std::uint64_t(instr.offset),
                                                   false, true)};
    };
    switch (instr.addressBase) {
    case AddressBase::none:
      return {.value = moduleAddress()};
    case AddressBase::frame:
      return t.domain.addLanes(
          {.value = state(offsetof(NativeState, stackBase))}, offset(64));
    case AddressBase::lanes64:
      return t.domain.addLanes(base(64), offset(64));
    case AddressBase::lanes32:
      break;
    }
    const Lanes narrow = t.domain.addLanes(base(32), offset(32));
    if (narrow.shape.kind != Shape::Kind::linear)
      return t.domain.extend(narrow, 64, false);
    // The check of the range sees what wraps.
    return {.value = b.CreateZExt(narrow.value, b.getInt64Ty()),
            .shape = narrow.shape};
  }

  /// An address without a base. Those of variables of the module differ from
  /// process to process, so they are read when the code runs; they lie in the
  /// base of `Instr`, which is its beginning.
  Value *moduleAddress() {
    if (space() != MemorySpace::global)
      return b.getInt64(std::uint64_t(instr.offset));
    Value *at = b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), t.instrPointer(index), offsetof(AddressOperand, offset));
    return b.CreateLoad(b.getInt64Ty(), at);
  }

  Lanes base(unsigned width) { return t.readSource(instr.a, width); }

  //===-- Access ----------------------------------------------------------===//

  void access() {
    const Region found = region();
    const Lanes where = address();
    if (facts.kind == NativeKind::atomic)
      return accessAtomic(found, where);
    if (found.localStride)
      return accessLocal(found, where);
    switch (where.shape.kind) {
    case Shape::Kind::unknown:
    case Shape::Kind::uniform:
      return accessUniform(found, where.value);
    case Shape::Kind::linear:
      return accessLinear(found, where.value, where.shape.stride);
    case Shape::Kind::varying:
      return accessVarying(found, where.value);
    }
  }

  /// Goes to the slow path unless `isGood`.
  void require(Value *isGood) {
    if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(isGood);
        known && known->isOne())
      return;
    Block *fast = t.newBlock("fast");
    t.branchRarely(b.CreateNot(isGood), slow, fast);
    b.SetInsertPoint(fast);
  }
  void giveUp() {
    Block *never = t.newBlock("never");
    b.CreateBr(slow);
    b.SetInsertPoint(never);
  }

  /// Whether `span` bytes from `from` on, aligned to the access, are within.
  Value *isWithin(const Region &region, Value *from, std::uint64_t span) {
    Value *distance = b.CreateSub(from, region.begin);
    Value *limit = b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat,
                                           region.size, b.getInt64(span - 1));
    return b.CreateAnd(b.CreateICmpULT(distance, limit), isAligned(from));
  }
  Value *isAligned(Value *address) {
    llvm::Type *type = address->getType();
    return b.CreateICmpEQ(
        b.CreateAnd(address, llvm::ConstantInt::get(type, bytes - 1)),
        llvm::ConstantInt::get(type, 0));
  }

  Value *hostPointer(const Region &region, Value *address) {
    if (llvm::isa<llvm::ConstantPointerNull>(region.host))
      return b.CreateIntToPtr(address, b.getPtrTy());
    return b.CreateGEP(b.getInt8Ty(), region.host, address);
  }
  Value *elementPointer(Value *pointer, unsigned i) {
    return b.CreateConstGEP1_64(b.getInt8Ty(), pointer,
                                std::uint64_t(i) * elementBytes);
  }
  [[nodiscard]] Slot slotOf(unsigned i) const {
    return t.analysis.request.function->slots[instr.detail + i];
  }
  llvm::Align align() const { return llvm::Align(elementBytes); }

  void accessUniform(const Region &region, Value *address) {
    require(isWithin(region, address, bytes));
    Value *pointer = hostPointer(region, address);
    const bool isInvariant = space() == MemorySpace::param;
    for (unsigned i = 0; i < instr.width; ++i) {
      Value *at = elementPointer(pointer, i);
      if (isStore) {
        b.CreateAlignedStore(lastLane(i), at, align());
        continue;
      }
      auto *load = b.CreateAlignedLoad(element, at, align());
      if (isInvariant)
        load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(t.context, {}));
      put(i, {.value = load});
    }
  }

  /// Lanes store one after another; the last one's value stays.
  Value *lastLane(unsigned i) {
    const Lanes value = source(i);
    if (value.shape.isUniform())
      return value.value;
    Value *last = b.CreateSub(
        b.getInt32(laneCount - 1),
        b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, active, b.getTrue()));
    return b.CreateExtractElement(asVector(b, value), last);
  }

  void accessLinear(const Region &region, Value *address, std::int64_t stride) {
    const std::uint64_t step =
        stride < 0 ? 0 - std::uint64_t(stride) : std::uint64_t(stride);
    if (step % bytes != 0 || step > (1u << 24))
      return accessVarying(
          region,
          asVector(b, {.value = address, .shape = Shape::linear(stride)}));
    Value *lowest = address;
    if (stride < 0)
      lowest = b.CreateSub(address, b.getInt64(step * (laneCount - 1)));
    require(isWithin(region, lowest, step * (laneCount - 1) + bytes));
    Value *pointer = hostPointer(region, address);
    if (stride == std::int64_t(bytes) && instr.width == 1)
      return accessContiguous(pointer);
    if (stride == std::int64_t(bytes) && isWholeVector())
      return accessInterleaved(pointer);
    scatterOrGather(b.CreateGEP(b.getInt8Ty(), pointer,
                                laneMultiples(b.getInt64Ty(), stride)));
  }

  void accessContiguous(Value *pointer) {
    llvm::Type *type = vectorOf(element);
    if (!isStore) {
      put(0, {.value = b.CreateAlignedLoad(type, pointer, align()),
              .shape = Shape::varying()});
      return;
    }
    Block *whole = t.newBlock("whole"), *part = t.newBlock("part"),
          *stored = t.newBlock("stored");
    Value *value = asVector(b, source(0));
    t.branchRarely(b.CreateICmpNE(active, b.getInt32(allLanes)), part, whole);
    b.SetInsertPoint(whole);
    b.CreateAlignedStore(value, pointer, align());
    b.CreateBr(stored);
    b.SetInsertPoint(part);
    b.CreateMaskedStore(value, pointer, align(), fromMask(b, active).value);
    b.CreateBr(stored);
    b.SetInsertPoint(stored);
  }

  /// Vectors side by side are read, and written by whole warps, as one.
  [[nodiscard]] bool isWholeVector() const {
    for (unsigned i = 0; i < instr.width; ++i)
      if (!slotOf(i))
        return false;
    return !isStore;
  }
  void accessInterleaved(Value *pointer) {
    llvm::Type *type =
        llvm::FixedVectorType::get(element, laneCount * unsigned(instr.width));
    Value *all = b.CreateAlignedLoad(type, pointer, align());
    for (unsigned i = 0; i < instr.width; ++i) {
      llvm::SmallVector<int, laneCount> places;
      for (unsigned lane = 0; lane < laneCount; ++lane)
        places.push_back(int(lane * instr.width + i));
      put(i, {.value = b.CreateShuffleVector(all, places),
              .shape = Shape::varying()});
    }
  }

  void accessVarying(const Region &region, Value *addresses) {
    // Neither is there an instruction for what is narrower.
    if (elementBytes < 4 || !t.host.hasScatter)
      return accessSideBySide(region, addresses);
    requireAll(region, addresses);
    scatterOrGather(hostPointers(region, addresses));
  }

  void requireAll(const Region &region, Value *addresses) {
    const auto splat = [&](Value *value) {
      return b.CreateVectorSplat(laneCount, value);
    };
    Value *distance = b.CreateSub(addresses, splat(region.begin));
    Value *limit = b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat,
                                           region.size, b.getInt64(bytes - 1));
    Value *isGood = b.CreateAnd(b.CreateICmpULT(distance, splat(limit)),
                                isAligned(addresses));
    Value *good = asMask(b, {.value = isGood});
    Value *wrong = b.CreateAnd(b.CreateNot(good), active);
    require(b.CreateIsNull(wrong));
  }

  Value *hostPointers(const Region &region, Value *addresses) {
    if (llvm::isa<llvm::ConstantPointerNull>(region.host))
      return b.CreateIntToPtr(addresses, vectorOf(b.getPtrTy()));
    return b.CreateGEP(b.getInt8Ty(), region.host, addresses);
  }

  /// Only whole warps whose lanes turn out to be side by side.
  void accessSideBySide(const Region &region, Value *addresses) {
    if (instr.width != 1)
      return giveUp();
    Value *first = b.CreateExtractElement(addresses, std::uint64_t(0));
    Value *expected =
        asVector(b, {.value = first, .shape = Shape::linear(elementBytes)});
    Value *same = asMask(b, {.value = b.CreateICmpEQ(addresses, expected)});
    Value *isWhole = b.CreateAnd(b.CreateICmpEQ(active, b.getInt32(allLanes)),
                                 b.CreateICmpEQ(same, b.getInt32(allLanes)));
    require(b.CreateAnd(isWhole,
                        isWithin(region, first, laneCount * elementBytes)));
    accessContiguous(hostPointer(region, first));
  }

  /// Lane by lane, in rising order.
  void accessAtomic(const Region &region, const Lanes &where) {
    if (region.localStride)
      return giveUp();
    Value *addresses = asVector(b, where);
    requireAll(region, addresses);
    Value *pointers = onStack(hostPointers(region, addresses));
    Value *values = onStack(asVector(b, source(0)));
    Value *olds = onStack(llvm::Constant::getNullValue(vectorOf(element)));
    Block *before = b.GetInsertBlock();
    Block *loop = t.newBlock("lane"), *over = t.newBlock("lanes");
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    auto *rest = b.CreatePHI(b.getInt32Ty(), 2);
    rest->addIncoming(active, before);
    Value *lane = t.firstLaneOf(rest);
    const auto at = [&](Value *array, llvm::Type *type) {
      return b.CreateInBoundsGEP(type, array, lane);
    };
    Value *pointer = b.CreateLoad(b.getPtrTy(), at(pointers, b.getPtrTy()));
    Value *value = b.CreateLoad(element, at(values, element));
    b.CreateStore(modify(pointer, value), at(olds, element));
    Value *left = b.CreateAnd(rest, b.CreateSub(rest, b.getInt32(1)));
    rest->addIncoming(left, loop);
    b.CreateCondBr(b.CreateIsNull(left), over, loop);
    b.SetInsertPoint(over);
    if (slotOf(1))
      put(1, {.value = b.CreateLoad(vectorOf(element), olds),
              .shape = Shape::varying()});
  }

  Value *onStack(Value *vector) {
    Builder start(t.entryBlock, t.entryBlock->begin());
    auto *place = start.CreateAlloca(vector->getType());
    b.CreateStore(vector, place);
    return place;
  }

  /// Replaces the number at `pointer`; gives the old one. Nobody but this host
  /// thread sees the memory of a cluster's blocks.
  Value *modify(Value *pointer, Value *value) {
    if (space() == MemorySpace::global)
      return b.CreateAtomicRMW(operation(), pointer, value, align(),
                               llvm::AtomicOrdering::SequentiallyConsistent);
    Value *old = b.CreateAlignedLoad(element, pointer, align());
    b.CreateAlignedStore(llvm::buildAtomicRMWValue(operation(), b, old, value),
                         pointer, align());
    return old;
  }

  [[nodiscard]] llvm::AtomicRMWInst::BinOp operation() const {
    using Operation = llvm::AtomicRMWInst;
    const bool isSigned = ptx::isSigned(facts.form.type);
    switch (facts.operation) {
    case ptx::Modifier::add:
      return Operation::Add;
    case ptx::Modifier::and_:
      return Operation::And;
    case ptx::Modifier::or_:
      return Operation::Or;
    case ptx::Modifier::xor_:
      return Operation::Xor;
    case ptx::Modifier::min:
      return isSigned ? Operation::Min : Operation::UMin;
    case ptx::Modifier::max:
      return isSigned ? Operation::Max : Operation::UMax;
    default:
      return Operation::Xchg;
    }
  }

  void accessLocal(const Region &region, const Lanes &where) {
    if (elementBytes < 4 || !t.host.hasScatter)
      return giveUp();
    const auto splat = [&](Value *value) {
      return b.CreateVectorSplat(laneCount, value);
    };
    if (where.shape.isUniform())
      require(isWithin(region, where.value, bytes));
    else
      requireAll(region, asVector(b, where));
    Value *own = b.CreateMul(splat(region.localStride),
                             laneMultiples(b.getInt64Ty(), 1));
    scatterOrGather(b.CreateGEP(b.getInt8Ty(), region.host,
                                b.CreateAdd(asVector(b, where), own)));
  }

  void scatterOrGather(Value *pointers) {
    if (elementBytes < 4 || !t.host.hasScatter)
      return giveUp();
    Value *mask = fromMask(b, active).value;
    llvm::Type *type = vectorOf(element);
    for (unsigned i = 0; i < instr.width; ++i) {
      Value *at = elementPointer(pointers, i);
      if (isStore)
        b.CreateMaskedScatter(asVector(b, source(i)), at, align(), mask);
      else if (slotOf(i))
        put(i,
            {.value = b.CreateMaskedGather(type, at, align(), mask,
                                           llvm::Constant::getNullValue(type)),
             .shape = Shape::varying()});
    }
  }

  //===-- Registers -------------------------------------------------------===//

  /// The value that is stored, as wide as in memory.
  Lanes source(unsigned i) {
    const Lanes value = t.readSource(slotOf(i), facts.form.registerBytes * 8);
    return t.domain.truncateTo(value, elementBytes * 8);
  }

  void put(unsigned i, Lanes value) {
    const unsigned reg = t.analysis.registerAt(slotOf(i));
    if (reg == noRegister)
      return;
    value = t.domain.extend(value, facts.form.registerBytes * 8,
                            ptx::isSigned(facts.form.type));
    t.writeGuarded(reg, {.lanes = value}, guard ? &*guard : nullptr);
  }

  //===-- The slow path ---------------------------------------------------===//

  void interpret() {
    llvm::BitVector which = t.analysis.reads(index);
    if (guard)
      which |= t.analysis.writes(index);
    which &= t.analysis.dirtyBefore(index);
    t.storeToFrame(which);
    t.callHandler(index, chosen);
  }

  Translator &t;
  Builder &b;
  const unsigned index;
  const Instr &instr;
  const NativeFacts &facts;
  llvm::Type *element;
  const unsigned elementBytes; ///< of an element in memory
  const unsigned bytes;        ///< of a lane's access
  const bool isStore;          ///< or an atomic
  std::optional<Truth> guard;
  Value *chosen = nullptr; ///< by the guard
  Value *active = nullptr; ///< of the group
  Block *slow = nullptr;
};

} // namespace tessera::vgpu::jit

void Translator::translateMemory(unsigned index) {
  ++uncounted;
  countInstructions();
  MemoryAccess(*this, index).translate();
}
