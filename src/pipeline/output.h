// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_PIPELINE_OUTPUT_H
#define TESSERA_PIPELINE_OUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// Writes `text` to `file` ("-": standard output). The error names the file
/// and says why, a full disk included.
llvm::Error writeFile(llvm::StringRef file, llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_PIPELINE_OUTPUT_H
