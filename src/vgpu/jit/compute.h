// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of a compute instruction, from where its values are.

#ifndef TESSERA_VGPU_JIT_COMPUTE_H
#define TESSERA_VGPU_JIT_COMPUTE_H

#include "vgpu/jit/analysis.h"

#include <span>
#include <vector>

namespace tessera::vgpu::jit {

/// Where the values of registers come from while code is made.
class ValueSource {
public:
  virtual ~ValueSource() = default;
  virtual Operand readRegister(unsigned reg) = 0;
  /// A special register or the address of a shared variable.
  virtual Lanes readElsewhere(Slot slot, unsigned width) = 0;
};

/// Makes code for compute instruction `index`. False when the domain cannot
/// express its meaning; what was made is to be thrown away then.
[[nodiscard]] bool computeInstruction(const Analysis &analysis, unsigned index,
                                      std::span<const ComputePlace> places,
                                      Builder &builder, ValueSource &source,
                                      std::vector<Operand> &sources,
                                      Application &application);

/// A 32-bit register whose NaNs may not be canonical yet, with both values.
[[nodiscard]] Lanes canonicalized(Builder &builder, llvm::Value *raw,
                                  Shape shape);

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_COMPUTE_H
