// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_MIR_LOCATION_H
#define TESSERA_DIALECT_MIR_LOCATION_H

#include "mlir/IR/Location.h"

namespace tessera::mir {

/// A place in the user's source. `file` is empty when nothing is known;
/// `function` is empty unless debug information names it. The strings belong to
/// the MLIR context.
struct UserPlace {
  llvm::StringRef file;
  unsigned line = 0;
  unsigned column = 0;
  llvm::StringRef function;
};

/// Where the user should look for what `location` stands for. Inlining leaves a
/// chain of call sites; of its frames, the innermost one that is not in a
/// library header counts: the line that wrote `x[i]`, not the header that
/// defines `operator[]`. When all frames are in headers, the outermost counts.
[[nodiscard]] UserPlace getUserPlace(mlir::Location location);

/// Whether `file` is a header of Tessera (under `include/tessera/`), of the
/// system or of the compiler (`/usr/include/`, `/usr/lib/`,
/// `/usr/local/include/`).
[[nodiscard]] bool isLibraryHeader(llvm::StringRef file);

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_LOCATION_H
