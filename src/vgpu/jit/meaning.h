// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes code for an instruction of class `compute`: applies its meaning to the
// values of its sources.

#ifndef TESSERA_VGPU_JIT_MEANING_H
#define TESSERA_VGPU_JIT_MEANING_H

#include "ptx/instructions.h"
#include "vgpu/jit/domain.h"

#include <span>
#include <vector>

namespace tessera::vgpu::jit {

/// A source or result of a meaning.
struct Operand {
  Lanes lanes;
  Truth truth;
  bool isTruth = false;
  bool isSigned = false; ///< a result that is extended by its sign
};

/// An application of a meaning.
struct Application {
  IrDomain &domain;
  unsigned resultCount = 0; ///< that the instruction is written with
  /// Values may be wider than they are read.
  std::span<const Operand> sources;
  Truth carry; ///< CC.CF before
  std::vector<Operand> results;
  bool writesCarry = false;
  Truth newCarry;
};

/// Fills the results. False when the domain cannot express the meaning.
[[nodiscard]] bool applyMeaning(const ptx::Mnemonic &mnemonic,
                                Application &application);

// By kind, spread over meaning-*.cpp; false when there is no such meaning.
bool applyInteger(const ptx::Mnemonic &mnemonic, Application &application);
bool applyBits(const ptx::Mnemonic &mnemonic, Application &application);
bool applyMove(const ptx::Mnemonic &mnemonic, Application &application);
bool applySetp(const ptx::Mnemonic &mnemonic, Application &application);
bool applySet(const ptx::Mnemonic &mnemonic, Application &application);
bool applyConvert(const ptx::Mnemonic &mnemonic, Application &application);
bool applyFloat(const ptx::Mnemonic &mnemonic, Application &application);

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_MEANING_H
