// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the LLVM module that a front end emitted one for the device: what the
// kernels do not reach goes away, what the device cannot do is refused with
// the chain of calls that leads there, the host's target is replaced by
// NVPTX's, and annotated intrinsics become the real ones.

#ifndef TESSERA_FRONTEND_LLVM_DEVICE_MODULE_H
#define TESSERA_FRONTEND_LLVM_DEVICE_MODULE_H

#include "frontend/llvm/annotations.h"
#include "frontend/llvm/diagnostic.h"
#include "frontend/llvm/kernel-description.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Module;
}

namespace tessera {

/// What the preparation needs to know from the front end.
struct FrontendCallbacks {
  DiagnosticHandler report;
  /// Whether a place belongs to a library header rather than to the user:
  /// errors are reported at the nearest place that does not.
  std::function<bool(const image::SourceLocation &)> isLibraryCode;
};

/// Least requirements that intrinsics' annotations state.
struct DeviceRequirements {
  image::Arch arch;
  unsigned ptxVersion = 0;
  std::string reason; ///< the intrinsic that asks for the most
};

struct PreparedModule {
  AnnotationTable annotations;
  DeviceRequirements requirements;
  unsigned functionCount = 0; ///< device functions besides the kernels
};

/// Prepares `module`. Returns nothing after an error, which was reported.
std::optional<PreparedModule>
prepareDeviceModule(llvm::Module &module,
                    llvm::ArrayRef<KernelDescription> kernels,
                    const FrontendCallbacks &callbacks);

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_DEVICE_MODULE_H
