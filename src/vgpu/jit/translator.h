// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes an LLVM function of a decoded function: `NativeEntry` of
// vgpu/native.h. Values of registers live in allocas, which LLVM turns into
// SSA; the frame is read at entry points and written when native code leaves.

#ifndef TESSERA_VGPU_JIT_TRANSLATOR_H
#define TESSERA_VGPU_JIT_TRANSLATOR_H

#include "vgpu/jit/analysis.h"
#include "vgpu/jit/compute.h"

#include "llvm/IR/Module.h"

#include <vector>

namespace tessera::vgpu::jit {

class Translator : private ValueSource {
public:
  Translator(const Analysis &analysis, const HostFeatures &host,
             llvm::Module &module);

  /// The function, named `name`, with a case for each entry point. Null when
  /// the analysis and the code disagree, which is a fault of this library.
  llvm::Function *run(llvm::StringRef name);
  /// By instruction: the number of its entry point, or none.
  [[nodiscard]] std::vector<std::uint32_t> takeEntries() {
    return std::move(entryNumbers);
  }

private:
  using Value = llvm::Value;
  using Block = llvm::BasicBlock;

  //===-- Control: translator.cpp -----------------------------------------===//
  void begin(llvm::StringRef name);
  void makeRegisters();
  void makeBlocks();
  void translate(unsigned index);
  void translateCompute(unsigned index);
  void translateAddOffset(unsigned index);
  void translateFrameAddress(unsigned index);
  void translateJoin(unsigned index);
  void translateJump(unsigned index);
  void translateBranch(unsigned index);
  void translateHandler(unsigned index);
  void finishEntries();
  void enter(unsigned index, llvm::SwitchInst *dispatch);
  /// Goes on at the target of `index`, by way of the fuel check when that is a
  /// back edge.
  Block *edgeTo(unsigned index);

  //===-- State -----------------------------------------------------------===//
  Value *statePointer(std::size_t offset);
  Value *loadState(llvm::Type *type, std::size_t offset);
  void storeState(Value *value, std::size_t offset);
  /// The address of a decoded instruction.
  Value *instrPointer(unsigned index);
  Value *callHelper(std::size_t member, llvm::Type *result,
                    llvm::ArrayRef<Value *> arguments);
  void countInstructions();
  void saveCounters();
  void loadCounters();
  void handBack(Value *next) { builder.CreateRet(next); }
  void handBackNext();
  /// Has the interpreter execute instruction `index`, and leaves.
  void leaveToHandler(unsigned index);

  //===-- Registers -------------------------------------------------------===//
  Operand readRegister(unsigned reg) override;
  Lanes readElsewhere(Slot slot, unsigned width) override;
  /// A source of `width` bits that is not part of a compute instruction.
  Lanes readSource(Slot slot, unsigned width);
  Value *asStored(const Register &reg, const Operand &value);
  void writeRegister(unsigned reg, const Operand &value);
  /// For the lanes that a guard lets through.
  void writeGuarded(unsigned reg, const Operand &value, const Truth *guard);
  Value *framePointer(const Register &reg);
  void storeToFrame(const llvm::BitVector &which);
  /// From the frame; `isWrong` gathers the lanes in which a value is not of
  /// the register's shape.
  void loadFromFrame(unsigned reg, Value *&isWrong);
  std::optional<Truth> guardOf(unsigned index);
  /// Opens a block that is entered when a lane of the group passes the guard;
  /// gives the chosen lanes of all 32.
  Value *beginGuarded(const std::optional<Truth> &guard, Block *after);
  Value *firstLaneOf(Value *mask);

  //===-- Calls of handlers -----------------------------------------------===//
  /// Calls the handler; goes on in a new block when the same group does. What
  /// the handler writes is loaded.
  void callHandler(unsigned index, Value *chosen);

  //===-- Memory: translate-memory.cpp ------------------------------------===//
  void translateMemory(unsigned index);
  friend class MemoryAccess;

  Block *newBlock(const char *name);
  void branchRarely(Value *condition, Block *rare, Block *usual);

  const Analysis &analysis;
  const HostFeatures &host;
  llvm::Module &module;
  llvm::LLVMContext &context;
  Builder builder;
  IrDomain domain;

  llvm::Function *function = nullptr;
  Block *entryBlock = nullptr;
  Value *state = nullptr;
  Value *exec = nullptr;   ///< the group's lanes, i32
  Value *anchor = nullptr; ///< the first of them, i32
  Value *code = nullptr;
  Value *frame = nullptr;
  Value *specials = nullptr;
  Value *addresses = nullptr;
  llvm::AllocaInst *fuel = nullptr, *executed = nullptr;
  std::vector<llvm::AllocaInst *> slots; ///< by register
  std::vector<Block *> blocks;           ///< by instruction
  std::vector<Block *> afterJoin;        ///< by instruction
  std::vector<std::uint32_t> entryNumbers;
  std::uint32_t entryCount = 0;
  bool isConsistent = true;
  unsigned uncounted = 0; ///< instructions since the last count
};

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_TRANSLATOR_H
