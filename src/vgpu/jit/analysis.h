// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a function before code for it is made: its registers and
// how their values vary between lanes, which are live and which differ from
// the frame, and where native code is entered.

#ifndef TESSERA_VGPU_JIT_ANALYSIS_H
#define TESSERA_VGPU_JIT_ANALYSIS_H

#include "vgpu/jit/meaning.h"
#include "vgpu/native.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::vgpu::jit {

/// A register of the frame that native code keeps values of. Others are
/// always in the frame.
struct Register {
  std::uint32_t offset = 0; ///< in the frame
  unsigned width = 0;       ///< bits; 1 for a predicate
  Shape shape;
  /// Every value is an f32 result, so that the number before its NaNs were
  /// made canonical may stand for it.
  bool isRaw = false;
  [[nodiscard]] bool isPredicate() const { return width == 1; }
};

inline constexpr unsigned noRegister = ~0u;

/// An operand of a compute instruction.
struct ComputePlace {
  ComputeOperand operand;
  unsigned reg = noRegister; ///< of a register operand
  bool isResult = false;
};

class Probe;

class Analysis {
public:
  Analysis(const NativeRequest &request, const HostFeatures &host);

  /// Why there can be no native code, if so.
  std::optional<std::string> run();

  [[nodiscard]] const std::vector<Register> &allRegisters() const {
    return registers;
  }
  [[nodiscard]] unsigned registerAt(Slot slot) const;
  [[nodiscard]] const Instr &instr(unsigned index) const {
    return request.function->code[index];
  }
  [[nodiscard]] const NativeFacts &facts(unsigned index) const {
    return (*request.facts)[index];
  }
  [[nodiscard]] unsigned size() const {
    return unsigned(request.function->code.size());
  }
  [[nodiscard]] unsigned targetOf(unsigned index) const {
    return unsigned(instr(index).target - request.function->code.data());
  }
  /// The kind that code is made for: `handler` where the facts say `compute`
  /// but the domain has no words for it.
  [[nodiscard]] NativeKind kind(unsigned index) const { return kinds[index]; }
  [[nodiscard]] bool isEntry(unsigned index) const { return entries[index]; }
  [[nodiscard]] const llvm::BitVector &liveBefore(unsigned index) const {
    return live[index];
  }
  /// Registers whose values may differ from the frame's.
  [[nodiscard]] const llvm::BitVector &dirtyBefore(unsigned index) const {
    return dirty[index];
  }
  [[nodiscard]] const llvm::BitVector &reads(unsigned index) const {
    return effects[index].reads;
  }
  [[nodiscard]] const llvm::BitVector &writes(unsigned index) const {
    return effects[index].writes;
  }

  /// The operands of a compute instruction, and its results' number.
  [[nodiscard]] std::vector<ComputePlace> computePlaces(unsigned index) const;
  [[nodiscard]] const ptx::Mnemonic &mnemonic(unsigned index) const {
    return request.function->ast->instructions[instr(index).index].mnemonic;
  }
  /// The value of a constant operand in all lanes.
  [[nodiscard]] std::uint64_t constantAt(Slot slot, std::uint32_t bytes) const;
  /// How the values at a place vary.
  [[nodiscard]] Shape shapeAt(Slot slot) const;
  /// The bytes of the parameter block, when the function is a kernel.
  [[nodiscard]] std::uint32_t paramBytes() const;

  const NativeRequest &request;

private:
  struct Effects {
    llvm::BitVector reads, writes;
  };

  bool addRegister(Slot slot, unsigned width);
  bool collectRegisters();
  bool collectFrom(unsigned index);
  void findEffects();
  void findShapes();
  bool updateShapes(Probe &probe, unsigned index);
  bool raise(unsigned reg, Shape shape, bool isRaw);
  bool raiseAllWritten(unsigned index);
  bool updateCompute(Probe &probe, unsigned index);
  [[nodiscard]] Shape specialShape(std::uint32_t offset) const;
  [[nodiscard]] Shape addressShape(unsigned index) const;
  [[nodiscard]] Shape guardedShape(unsigned index, Shape shape) const;
  void findLive();
  void findDirty();
  void findEntries();
  [[nodiscard]] llvm::SmallVector<unsigned, 2> successors(unsigned index) const;

  const HostFeatures &host;
  std::vector<Register> registers;
  llvm::DenseMap<std::uint32_t, unsigned> byOffset;
  std::vector<NativeKind> kinds;
  std::vector<Effects> effects;
  std::vector<llvm::BitVector> live, dirty;
  std::vector<bool> entries;
};

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_ANALYSIS_H
