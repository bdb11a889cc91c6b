// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds how the results of compute instructions vary, by making code for them
// that nobody runs: what the real code will be like is then known exactly.

#ifndef TESSERA_VGPU_JIT_PROBE_H
#define TESSERA_VGPU_JIT_PROBE_H

#include "vgpu/jit/compute.h"

#include "llvm/IR/Module.h"

#include <optional>
#include <span>
#include <vector>

namespace tessera::vgpu::jit {

class Probe : private ValueSource {
public:
  Probe(const Analysis &analysis, const HostFeatures &host);

  struct Result {
    Shape shape;
    bool isRaw = false;
  };
  struct Results {
    std::vector<Result> results;
    std::optional<Shape> carry; ///< when CC.CF is written
  };
  /// Nothing when the domain cannot express the meaning.
  std::optional<Results> apply(unsigned index,
                               std::span<const ComputePlace> places);

private:
  Operand readRegister(unsigned reg) override;
  Lanes readElsewhere(Slot slot, unsigned width) override;
  llvm::Value *placeholder(unsigned width, bool isVector);

  const Analysis &analysis;
  const HostFeatures &host;
  llvm::LLVMContext context;
  llvm::Module module;
  llvm::Function *function;
  Builder builder;
};

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_PROBE_H
