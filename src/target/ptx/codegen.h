// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to PTX, in process: mathematics library, LLVM's optimiser with
// the target at hand, NVPTX.

#ifndef TESSERA_TARGET_PTX_CODEGEN_H
#define TESSERA_TARGET_PTX_CODEGEN_H

#include "image/image.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace tessera::target {

struct PtxOptions {
  image::Arch arch{75, '\0'};
  unsigned leastPtxVersion = 70; ///< major * 10 + minor
  bool strictFp = false;         ///< no contraction of products and sums
  std::string mathLibrary;       ///< path of libclc's bitcode
};

/// Shared memory of one kernel, in bytes.
struct SharedUse {
  std::uint32_t staticBytes = 0;
  bool dynamic = false;
};

struct PtxResult {
  std::string ptx;
  unsigned ptxVersion = 0;
  llvm::StringMap<SharedUse> shared; ///< by kernel symbol
};

/// The architectures that can be asked for, lowest first.
llvm::ArrayRef<image::Arch> supportedArchs();

/// Reads "sm_90a"; nothing when it is no architecture that we compile for.
std::optional<image::Arch> parseArch(llvm::StringRef text);

/// Compiles `module`, which is changed on the way.
llvm::Expected<PtxResult> generatePtx(llvm::Module &module,
                                      const PtxOptions &options);

} // namespace tessera::target

#endif // TESSERA_TARGET_PTX_CODEGEN_H
