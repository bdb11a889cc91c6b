// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finishes the host's module before LLVM optimises it: kernels' host bodies
// become stubs, device intrinsics get bodies that say where they belong, and
// the image is embedded with a constructor that registers it.

#ifndef TESSERA_FRONTEND_CLANG_HOST_MODULE_H
#define TESSERA_FRONTEND_CLANG_HOST_MODULE_H

#include "pipeline/phases.h"
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace tessera::frontend {

/// What is to be put into the host's module of the file being compiled.
struct HostPlan {
  struct Kernel {
    /// Mangled name of the host function, for kernels that were emitted before
    /// they got their number.
    std::string hostName;
    std::string symbol; ///< of the kernel in the image
  };
  std::vector<Kernel> kernels; ///< by number
  std::vector<std::byte> image;
  /// Called with what was done, once it is done.
  std::function<void(std::string detail)> done;
};

/// Makes the next host module that is compiled the one of `plan`.
void setHostPlan(HostPlan plan);

/// Adds the finishing pass at the start of every pipeline, -O0 and the
/// pre-link pipelines of LTO included.
void registerHostModulePass(llvm::PassBuilder &builder);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_HOST_MODULE_H
