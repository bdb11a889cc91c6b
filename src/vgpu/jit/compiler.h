// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a decoded function to code in memory.
//
// Thread safety: one compilation at a time; the compiler sees to that.

#ifndef TESSERA_VGPU_JIT_COMPILER_H
#define TESSERA_VGPU_JIT_COMPILER_H

#include "vgpu/jit/domain.h"
#include "vgpu/native.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <mutex>

namespace tessera::vgpu::jit {

class Compiler {
public:
  /// For the processor of this machine.
  static llvm::Expected<std::unique_ptr<Compiler>> create();

  llvm::Expected<NativeVersion> compile(const NativeRequest &request);

private:
  Compiler(std::unique_ptr<llvm::orc::LLJIT> jit,
           std::unique_ptr<llvm::TargetMachine> machine, HostFeatures host);

  void optimise(llvm::Module &module);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  emit(llvm::Module &module);
  llvm::Error link(std::unique_ptr<llvm::MemoryBuffer> object,
                   NativeVersion &version);

  std::mutex mutex;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::unique_ptr<llvm::TargetMachine> machine;
  HostFeatures host;
  std::uint64_t linked = 0; ///< objects, for names
};

} // namespace tessera::vgpu::jit

#endif // TESSERA_VGPU_JIT_COMPILER_H
