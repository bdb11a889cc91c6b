// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases 2 to 8: from the device's LLVM IR to an image. The only place that
// knows their order.

#ifndef TESSERA_PIPELINE_PIPELINE_H
#define TESSERA_PIPELINE_PIPELINE_H

#include "frontend/llvm/device-module.h"
#include "pipeline/options.h"
#include "pipeline/phases.h"
#include <memory>

namespace tessera {

struct DeviceCode {
  std::unique_ptr<llvm::Module> module;
  PreparedModule prepared;
  std::vector<KernelDescription> kernels;
  std::string sourceFile;
};

/// What became of a compilation.
enum class PipelineStatus {
  finished, ///< `image` is there
  stopped,  ///< as `Options::stopAfter` asked
  failed,   ///< errors were reported
};

struct PipelineResult {
  PipelineStatus status = PipelineStatus::failed;
  image::Image image;
};

/// Compiles `code`. Diagnostics go to `callbacks`.
PipelineResult runPipeline(DeviceCode code, const Options &options,
                           PhaseLog &log, const FrontendCallbacks &callbacks);

} // namespace tessera

#endif // TESSERA_PIPELINE_PIPELINE_H
