// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the C and C++ runtimes that device code may name without
// defining them, and what becomes of each.

#ifndef TESSERA_FRONTEND_LLVM_RUNTIME_FUNCTIONS_H
#define TESSERA_FRONTEND_LLVM_RUNTIME_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>
#include <string>

namespace tessera {

enum class RuntimeFunction {
  print,      ///< printf: a `mir.printf`
  assertion,  ///< a failed assert(): a trap with the expression
  exception,  ///< throws: a trap, where the code is the library's own
  terminate,  ///< abort and its like: a trap
  allocate,   ///< operator new, malloc: refused
  deallocate, ///< operator delete, free: refused
  guard,      ///< initialisation of a local static: refused
  typeInfo,   ///< dynamic_cast: refused
  memory,     ///< memcpy and its like: an intrinsic
  math,       ///< see `findMathFunction`
  library,    ///< defined by our own device library
};

/// What `symbol`, an undefined function, is to the device; nothing for a
/// function that the device does not have.
std::optional<RuntimeFunction> classifyRuntimeFunction(llvm::StringRef symbol);

/// How a function of C's <math.h> is done on the device.
struct MathFunction {
  enum class How {
    intrinsic, ///< `id`, which NVPTX selects
    rounded,   ///< `id`, converted to the integer result type
    library,   ///< a call of `librarySymbol`
  };
  How how = How::library;
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  std::string librarySymbol;
};

/// Finds `symbol`, such as "sin" or "sinf"; nothing when it is no function of
/// <math.h> that the device has.
std::optional<MathFunction> findMathFunction(llvm::StringRef symbol);

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_RUNTIME_FUNCTIONS_H
