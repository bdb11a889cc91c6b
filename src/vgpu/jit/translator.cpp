// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/jit/translator.h"

#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace tessera::vgpu;
using namespace tessera::vgpu::jit;

Translator::Translator(const Analysis &analysis, const HostFeatures &host,
                       llvm::Module &module)
    : analysis(analysis), host(host), module(module),
      context(module.getContext()), builder(context), domain(builder, host) {}

llvm::Function *Translator::run(llvm::StringRef name) {
  begin(name);
  makeRegisters();
  makeBlocks();
  builder.CreateBr(blocks[0]);
  for (unsigned i = 0; i < analysis.size(); ++i) {
    if (blocks[i] && builder.GetInsertBlock() != blocks[i]) {
      if (!builder.GetInsertBlock()->getTerminator()) {
        countInstructions();
        builder.CreateBr(blocks[i]);
      }
      builder.SetInsertPoint(blocks[i]);
    }
    translate(i);
    if (!builder.GetInsertBlock()->getTerminator())
      continue;
    uncounted = 0;
    builder.SetInsertPoint(i + 1 < analysis.size() && blocks[i + 1]
                               ? blocks[i + 1]
                               : newBlock("unreached"));
  }
  if (!builder.GetInsertBlock()->getTerminator())
    builder.CreateUnreachable();
  uncounted = 0;
  finishEntries();
  return isConsistent ? function : nullptr;
}

void Translator::begin(llvm::StringRef name) {
  llvm::Type *pointer = builder.getPtrTy();
  function = llvm::Function::Create(
      llvm::FunctionType::get(pointer, {pointer, builder.getInt32Ty()}, false),
      llvm::Function::ExternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->setUWTableKind(llvm::UWTableKind::None);
  state = function->getArg(0);
  entryBlock = newBlock("entry");
  builder.SetInsertPoint(entryBlock);
  exec = loadState(builder.getInt32Ty(), offsetof(NativeState, exec));
  anchor = firstLaneOf(exec);
  code = loadState(pointer, offsetof(NativeState, code));
  frame = loadState(pointer, offsetof(NativeState, registers));
  specials = loadState(pointer, offsetof(NativeState, specials));
  addresses = loadState(pointer, offsetof(NativeState, addresses));
}

void Translator::makeRegisters() {
  fuel = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "fuel");
  executed = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "executed");
  loadCounters();
  for (const Register &reg : analysis.allRegisters()) {
    llvm::Type *type = builder.getIntNTy(reg.width);
    if (!reg.shape.isScalar())
      type = reg.isPredicate() ? builder.getInt32Ty()
                               : static_cast<llvm::Type *>(vectorOf(type));
    slots.push_back(builder.CreateAlloca(type));
    // What is never written reads as zero; entries load the rest.
    builder.CreateStore(llvm::Constant::getNullValue(type), slots.back());
  }
}

void Translator::makeBlocks() {
  const unsigned size = analysis.size();
  blocks.assign(size, nullptr);
  afterJoin.assign(size, nullptr);
  entryNumbers.assign(size, NativeVersion::noEntry);
  for (unsigned i = 0; i < size; ++i) {
    const bool isJoin = analysis.kind(i) == NativeKind::join;
    if (!blocks[i] && (i == 0 || isJoin || analysis.isEntry(i)))
      blocks[i] = newBlock("at");
    if (isJoin)
      afterJoin[i] = newBlock("joined");
    if (analysis.instr(i).target) {
      if (Block *&target = blocks[analysis.targetOf(i)]; !target)
        target = newBlock("target");
      if (i + 1 < size && !blocks[i + 1])
        blocks[i + 1] = newBlock("next");
    }
  }
}

void Translator::translate(unsigned index) {
  domain.leaveIf = [this, index](Value *condition) {
    Block *leave = newBlock("leave"), *stay = newBlock("stay");
    branchRarely(condition, leave, stay);
    builder.SetInsertPoint(leave);
    const unsigned counted = uncounted;
    leaveToHandler(index);
    uncounted = counted;
    builder.SetInsertPoint(stay);
  };
  switch (analysis.kind(index)) {
  case NativeKind::compute:
    translateCompute(index);
    break;
  case NativeKind::addOffset:
    translateAddOffset(index);
    break;
  case NativeKind::frameAddress:
    translateFrameAddress(index);
    break;
  case NativeKind::load:
  case NativeKind::store:
  case NativeKind::atomic:
    return translateMemory(index);
  case NativeKind::nothing:
    break;
  case NativeKind::join:
    return translateJoin(index);
  case NativeKind::jump:
    return translateJump(index);
  case NativeKind::branch:
    return translateBranch(index);
  case NativeKind::handler:
    return translateHandler(index);
  }
  ++uncounted;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Translator::translateCompute(unsigned index) {
  const std::vector<ComputePlace> places = analysis.computePlaces(index);
  std::vector<Operand> sources;
  Application application{.domain = domain};
  // The analysis has tried it.
  if (!computeInstruction(analysis, index, places, builder, *this, sources,
                          application))
    isConsistent = false;
  const std::optional<Truth> guard = guardOf(index);
  for (std::size_t i = 0; isConsistent && i < application.results.size(); ++i) {
    if (places[i].reg == noRegister)
      continue;
    Operand &result = application.results[i];
    const unsigned width = analysis.allRegisters()[places[i].reg].width;
    if (!result.isTruth && result.lanes.width() != width)
      result.lanes = result.lanes.width() < width
                         ? domain.extend(result.lanes, width, result.isSigned)
                         : domain.truncateTo(result.lanes, width);
    writeGuarded(places[i].reg, result, guard ? &*guard : nullptr);
  }
  if (application.writesCarry)
    writeGuarded(analysis.registerAt(analysis.instr(index).dst),
                 {.truth = application.newCarry, .isTruth = true},
                 guard ? &*guard : nullptr);
}

void Translator::translateAddOffset(unsigned index) {
  const Instr &instr = analysis.instr(index);
  const unsigned width = analysis.facts(index).bytes * 8;
  const Lanes from = readSource(instr.a, width);
  const Lanes offset{
      .value = llvm::ConstantInt::get(
          builder.getIntNTy(width), std::uint64_t(instr.offset), false, true)};
  const std::optional<Truth> guard = guardOf(index);
  writeGuarded(analysis.registerAt(instr.dst),
               {.lanes = domain.addLanes(from, offset)},
               guard ? &*guard : nullptr);
}

void Translator::translateFrameAddress(unsigned index) {
  const Instr &instr = analysis.instr(index);
  Value *base =
      loadState(builder.getInt64Ty(), offsetof(NativeState, stackBase));
  Value *address =
      builder.CreateAdd(base, builder.getInt64(std::uint64_t(instr.offset)));
  if (analysis.facts(index).bytes == 4)
    address = builder.CreateTrunc(address, builder.getInt32Ty());
  const std::optional<Truth> guard = guardOf(index);
  writeGuarded(analysis.registerAt(instr.dst), {.lanes = {.value = address}},
               guard ? &*guard : nullptr);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Translator::translateJoin(unsigned index) {
  countInstructions();
  Block *check = newBlock("together"), *leave = newBlock("act");
  Value *isAlone =
      loadState(builder.getInt32Ty(), offsetof(NativeState, isAlone));
  branchRarely(builder.CreateICmpEQ(isAlone, builder.getInt32(0)), check,
               afterJoin[index]);
  builder.SetInsertPoint(check);
  Value *acts = callHelper(offsetof(NativeHelpers, joinActs),
                           builder.getInt8Ty(), {instrPointer(index)});
  branchRarely(builder.CreateIsNotNull(acts), leave, afterJoin[index]);
  builder.SetInsertPoint(leave);
  llvm::BitVector which = analysis.liveBefore(index);
  which &= analysis.dirtyBefore(index);
  storeToFrame(which);
  saveCounters();
  handBack(instrPointer(index));
  builder.SetInsertPoint(afterJoin[index]);
  ++uncounted;
}

Translator::Block *Translator::edgeTo(unsigned index) {
  const unsigned target = analysis.targetOf(index);
  if (target > index)
    return blocks[target];
  const Builder::InsertPointGuard restore(builder);
  Block *edge = newBlock("back"), *over = newBlock("over"),
        *turn = newBlock("turn"), *limit = newBlock("limit");
  builder.SetInsertPoint(edge);
  Value *left =
      builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), fuel),
                        builder.getInt32(analysis.instr(index).cost));
  builder.CreateStore(left, fuel);
  Value *isSpent = builder.CreateICmpSLE(left, builder.getInt32(0));
  Value *isOver = builder.CreateICmpUGE(
      builder.CreateLoad(builder.getInt64Ty(), executed),
      loadState(builder.getInt64Ty(), offsetof(NativeState, executedLimit)));
  branchRarely(builder.CreateOr(isSpent, isOver), over, blocks[target]);

  builder.SetInsertPoint(over);
  llvm::BitVector which = analysis.liveBefore(target);
  which &= analysis.dirtyBefore(target);
  storeToFrame(which);
  saveCounters();
  builder.CreateCondBr(isSpent, turn, limit);
  builder.SetInsertPoint(turn);
  callHelper(offsetof(NativeHelpers, endTurn), builder.getVoidTy(),
             {instrPointer(target)});
  handBackNext();
  builder.SetInsertPoint(limit);
  handBack(instrPointer(target));
  return edge;
}

void Translator::translateJump(unsigned index) {
  ++uncounted;
  countInstructions();
  builder.CreateBr(edgeTo(index));
}

void Translator::translateBranch(unsigned index) {
  ++uncounted;
  countInstructions();
  const Instr &instr = analysis.instr(index);
  const unsigned reg = analysis.registerAt(instr.a);
  Truth holds = readRegister(reg).truth;
  if (instr.aNegated)
    holds = {.value = builder.CreateNot(holds.value)};
  Block *target = edgeTo(index), *next = blocks[index + 1];
  if (holds.isUniform()) {
    builder.CreateCondBr(holds.value, target, next);
    return;
  }
  Value *taken = builder.CreateAnd(asMask(builder, holds), exec);
  Block *notAll = newBlock("notall"), *parts = newBlock("parts");
  builder.CreateCondBr(builder.CreateICmpEQ(taken, exec), target, notAll);
  builder.SetInsertPoint(notAll);
  branchRarely(builder.CreateIsNotNull(taken), parts, next);
  builder.SetInsertPoint(parts);
  llvm::BitVector which = analysis.liveBefore(analysis.targetOf(index));
  which |= analysis.liveBefore(index + 1);
  which &= analysis.dirtyBefore(index);
  storeToFrame(which);
  saveCounters();
  callHelper(offsetof(NativeHelpers, branch), builder.getVoidTy(),
             {instrPointer(index), taken});
  handBackNext();
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

void Translator::callHandler(unsigned index, Value *chosen) {
  saveCounters();
  Value *goesOn =
      callHelper(offsetof(NativeHelpers, interpret), builder.getInt8Ty(),
                 {instrPointer(index), chosen});
  Block *on = newBlock("on"), *off = newBlock("off");
  branchRarely(builder.CreateIsNull(goesOn), off, on);

  builder.SetInsertPoint(off);
  const NativeFacts &facts = analysis.facts(index);
  if (facts.mayLeave && !facts.touchesAll) {
    // Perhaps the group waits: it goes on after the instruction, or at it.
    llvm::BitVector which = analysis.liveBefore(index);
    if (!facts.endsPath)
      which |= analysis.liveBefore(index + 1);
    which &= analysis.dirtyBefore(index);
    which.reset(analysis.writes(index));
    which.reset(analysis.reads(index));
    storeToFrame(which);
  }
  handBackNext();

  builder.SetInsertPoint(on);
  loadCounters();
  llvm::BitVector changed = analysis.writes(index);
  if (facts.touchesAll)
    changed &= analysis.liveBefore(index + 1);
  Value *isWrong = builder.getInt32(0);
  for (unsigned reg : changed.set_bits())
    loadFromFrame(reg, isWrong);
  if (facts.touchesAll) {
    Block *wrong = newBlock("wrong"), *right = newBlock("right");
    branchRarely(builder.CreateIsNotNull(isWrong), wrong, right);
    builder.SetInsertPoint(wrong);
    handBack(instrPointer(index + 1));
    builder.SetInsertPoint(right);
  }
}

void Translator::translateHandler(unsigned index) {
  ++uncounted;
  countInstructions();
  const std::optional<Truth> guard = guardOf(index);
  Block *after = newBlock("after");
  Value *chosen = beginGuarded(guard, after);
  llvm::BitVector which = analysis.reads(index);
  if (guard)
    which |= analysis.writes(index);
  which &= analysis.dirtyBefore(index);
  storeToFrame(which);
  callHandler(index, chosen);
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

void Translator::enter(unsigned index, llvm::SwitchInst *dispatch) {
  Block *block = newBlock("enter"), *refuse = newBlock("refuse");
  builder.SetInsertPoint(block);
  Value *isWrong = builder.getInt32(0);
  for (unsigned reg : analysis.liveBefore(index).set_bits())
    loadFromFrame(reg, isWrong);
  Block *to = afterJoin[index] ? afterJoin[index] : blocks[index];
  branchRarely(builder.CreateIsNotNull(isWrong), refuse, to);
  builder.SetInsertPoint(refuse);
  storeState(builder.getInt32(1), offsetof(NativeState, wantsHandler));
  saveCounters();
  handBack(instrPointer(index));
  entryNumbers[index] = entryCount;
  dispatch->addCase(builder.getInt32(entryCount++), block);
}

void Translator::finishEntries() {
  // `run` made a branch to the first block; the number of the entry decides.
  entryBlock->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(entryBlock);
  Block *never = newBlock("never");
  llvm::SwitchInst *dispatch = builder.CreateSwitch(function->getArg(1), never);
  builder.SetInsertPoint(never);
  builder.CreateUnreachable();
  for (unsigned i = 0; i < analysis.size(); ++i)
    if (analysis.isEntry(i))
      enter(i, dispatch);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

Translator::Block *Translator::newBlock(const char *name) {
  return Block::Create(context, name, function);
}

void Translator::branchRarely(Value *condition, Block *rare, Block *usual) {
  builder.CreateCondBr(condition, rare, usual,
                       llvm::MDBuilder(context).createUnlikelyBranchWeights());
}

Translator::Value *Translator::statePointer(std::size_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state, offset);
}

Translator::Value *Translator::loadState(llvm::Type *type, std::size_t offset) {
  return builder.CreateLoad(type, statePointer(offset));
}

void Translator::storeState(Value *value, std::size_t offset) {
  builder.CreateStore(value, statePointer(offset));
}

Translator::Value *Translator::instrPointer(unsigned index) {
  return builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), code, std::uint64_t(index) * sizeof(Instr));
}

Translator::Value *Translator::callHelper(std::size_t member,
                                          llvm::Type *result,
                                          llvm::ArrayRef<Value *> arguments) {
  Value *helpers =
      loadState(builder.getPtrTy(), offsetof(NativeState, helpers));
  Value *target = builder.CreateLoad(
      builder.getPtrTy(),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), helpers, member));
  llvm::SmallVector<Value *, 4> all{state};
  llvm::SmallVector<llvm::Type *, 4> types{state->getType()};
  for (Value *argument : arguments) {
    all.push_back(argument);
    types.push_back(argument->getType());
  }
  return builder.CreateCall(llvm::FunctionType::get(result, types, false),
                            target, all);
}

void Translator::countInstructions() {
  if (uncounted == 0)
    return;
  Value *now = builder.CreateLoad(builder.getInt64Ty(), executed);
  builder.CreateStore(builder.CreateAdd(now, builder.getInt64(uncounted)),
                      executed);
  uncounted = 0;
}

void Translator::saveCounters() {
  countInstructions();
  storeState(builder.CreateLoad(builder.getInt32Ty(), fuel),
             offsetof(NativeState, fuel));
  storeState(builder.CreateLoad(builder.getInt64Ty(), executed),
             offsetof(NativeState, executed));
}

void Translator::loadCounters() {
  builder.CreateStore(
      loadState(builder.getInt32Ty(), offsetof(NativeState, fuel)), fuel);
  builder.CreateStore(
      loadState(builder.getInt64Ty(), offsetof(NativeState, executed)),
      executed);
}

void Translator::handBackNext() {
  handBack(loadState(builder.getPtrTy(), offsetof(NativeState, next)));
}

void Translator::leaveToHandler(unsigned index) {
  llvm::BitVector which = analysis.liveBefore(index);
  which &= analysis.dirtyBefore(index);
  storeToFrame(which);
  storeState(builder.getInt32(1), offsetof(NativeState, wantsHandler));
  saveCounters();
  handBack(instrPointer(index));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Operand Translator::readRegister(unsigned reg) {
  const Register &from = analysis.allRegisters()[reg];
  Value *value = builder.CreateLoad(slots[reg]->getAllocatedType(), slots[reg]);
  if (from.isPredicate()) {
    const Truth truth = from.shape.isScalar() ? Truth{.value = value}
                                              : fromMask(builder, value);
    return {.truth = truth, .isTruth = true};
  }
  if (from.isRaw)
    return {.lanes = canonicalized(builder, value, from.shape)};
  return {.lanes = {.value = value, .shape = from.shape}};
}

Lanes Translator::readSource(Slot slot, unsigned width) {
  if (const unsigned reg = analysis.registerAt(slot); reg != noRegister)
    return readRegister(reg).lanes;
  if (slot.base() == std::uint32_t(Slot::Base::constants))
    return {.value =
                builder.getIntN(width, analysis.constantAt(slot, width / 8))};
  return readElsewhere(slot, width);
}

Lanes Translator::readElsewhere(Slot slot, unsigned width) {
  const Shape shape = analysis.shapeAt(slot);
  Value *base =
      slot.base() == std::uint32_t(Slot::Base::specials) ? specials : addresses;
  llvm::Type *type = builder.getIntNTy(width);
  if (!shape.isScalar())
    type = vectorOf(type);
  auto *load =
      builder.CreateAlignedLoad(type,
                                builder.CreateConstInBoundsGEP1_64(
                                    builder.getInt8Ty(), base, slot.offset()),
                                llvm::Align(width / 8));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(context, {}));
  return {.value = load, .shape = shape};
}

Translator::Value *Translator::asStored(const Register &reg,
                                        const Operand &value) {
  if (reg.isPredicate() && reg.shape.isScalar() && !value.truth.isUniform())
    isConsistent = false;
  if (reg.isPredicate())
    return reg.shape.isScalar() ? value.truth.value
                                : asMask(builder, value.truth);
  Lanes lanes = value.lanes;
  if (reg.shape.isScalar() && lanes.shape != reg.shape)
    isConsistent = false;
  if (reg.isRaw && lanes.raw)
    lanes.value = lanes.raw;
  return reg.shape.isScalar() ? lanes.value : asVector(builder, lanes);
}

void Translator::writeRegister(unsigned reg, const Operand &value) {
  builder.CreateStore(asStored(analysis.allRegisters()[reg], value),
                      slots[reg]);
}

void Translator::writeGuarded(unsigned reg, const Operand &value,
                              const Truth *guard) {
  if (reg == noRegister)
    return;
  if (!guard)
    return writeRegister(reg, value);
  const Register &to = analysis.allRegisters()[reg];
  Value *fresh = asStored(to, value);
  Value *old = builder.CreateLoad(slots[reg]->getAllocatedType(), slots[reg]);
  Value *result = nullptr;
  if (to.isPredicate() && !to.shape.isScalar()) {
    Value *chosen = asMask(builder, *guard);
    result =
        builder.CreateOr(builder.CreateAnd(fresh, chosen),
                         builder.CreateAnd(old, builder.CreateNot(chosen)));
  } else {
    result = builder.CreateSelect(guard->value, fresh, old);
  }
  builder.CreateStore(result, slots[reg]);
}

Translator::Value *Translator::framePointer(const Register &reg) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame,
                                            reg.offset);
}

void Translator::storeToFrame(const llvm::BitVector &which) {
  if (which.none())
    return;
  Value *write = loadState(builder.getInt32Ty(), offsetof(NativeState, write));
  const Truth written = fromMask(builder, write);
  for (unsigned reg : which.set_bits()) {
    const Register &from = analysis.allRegisters()[reg];
    const Operand value = readRegister(reg);
    Value *pointer = framePointer(from);
    if (from.isPredicate()) {
      Value *old = builder.CreateLoad(builder.getInt32Ty(), pointer);
      Value *kept = builder.CreateAnd(old, builder.CreateNot(write));
      Value *fresh = builder.CreateAnd(asMask(builder, value.truth), write);
      builder.CreateStore(builder.CreateOr(kept, fresh), pointer);
      continue;
    }
    Value *vector = asVector(builder, value.lanes);
    const llvm::Align align(sizeof(Program::Line));
    Value *old = builder.CreateAlignedLoad(vector->getType(), pointer, align);
    builder.CreateAlignedStore(builder.CreateSelect(written.value, vector, old),
                               pointer, align);
  }
}

void Translator::loadFromFrame(unsigned reg, Value *&isWrong) {
  const Register &to = analysis.allRegisters()[reg];
  Value *pointer = framePointer(to);
  if (to.isPredicate()) {
    Value *mask = builder.CreateLoad(builder.getInt32Ty(), pointer);
    if (!to.shape.isScalar()) {
      builder.CreateStore(mask, slots[reg]);
      return;
    }
    Value *set = builder.CreateAnd(mask, exec);
    Value *isAny = builder.CreateIsNotNull(set);
    // Some, but not all.
    Value *rest = builder.CreateXor(set, exec);
    isWrong = builder.CreateOr(
        isWrong, builder.CreateSelect(isAny, rest, builder.getInt32(0)));
    builder.CreateStore(isAny, slots[reg]);
    return;
  }
  llvm::Type *element = builder.getIntNTy(to.width);
  Value *vector = builder.CreateAlignedLoad(vectorOf(element), pointer,
                                            llvm::Align(sizeof(Program::Line)));
  if (!to.shape.isScalar()) {
    builder.CreateStore(vector, slots[reg]);
    return;
  }
  // The first executing lane says what the others must be.
  Value *first = builder.CreateAlignedLoad(
      element, builder.CreateInBoundsGEP(element, pointer, anchor),
      llvm::Align(to.width / 8));
  if (to.shape.kind == Shape::Kind::linear)
    first = builder.CreateSub(
        first, builder.CreateMul(
                   builder.CreateZExtOrTrunc(anchor, element),
                   llvm::ConstantInt::get(
                       element, std::uint64_t(to.shape.stride), false, true)));
  const Lanes expected{.value = first, .shape = to.shape};
  Value *differs = builder.CreateICmpNE(vector, asVector(builder, expected));
  isWrong = builder.CreateOr(
      isWrong, builder.CreateAnd(asMask(builder, {.value = differs}), exec));
  builder.CreateStore(first, slots[reg]);
}

std::optional<Truth> Translator::guardOf(unsigned index) {
  const Instr &instr = analysis.instr(index);
  const unsigned reg = analysis.registerAt(instr.guard);
  if (reg == noRegister)
    return std::nullopt;
  Truth guard = readRegister(reg).truth;
  if (instr.guardNegated)
    guard = {.value = builder.CreateNot(guard.value)};
  return guard;
}

Translator::Value *Translator::beginGuarded(const std::optional<Truth> &guard,
                                            Block *after) {
  if (!guard)
    return builder.getInt32(allLanes);
  Value *chosen = asMask(builder, *guard);
  Block *body = newBlock("guarded");
  builder.CreateCondBr(builder.CreateIsNotNull(builder.CreateAnd(chosen, exec)),
                       body, after);
  builder.SetInsertPoint(body);
  return chosen;
}

Translator::Value *Translator::firstLaneOf(Value *mask) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask,
                                       builder.getTrue());
}
