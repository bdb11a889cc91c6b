// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `Module` to text. Parsing what was printed gives an equal module.

#ifndef TESSERA_PTX_PRINTER_H
#define TESSERA_PTX_PRINTER_H

#include "ptx/ast.h"

#include <string>

namespace tessera::ptx {

[[nodiscard]] std::string print(const Module &module);

/// One instruction as a line without indentation or line end, for messages and
/// traces: "@%p1 add.s32 %r1, %r2, 3;".
[[nodiscard]] std::string print(const Module &module, const Function &function,
                                const Instruction &instruction);

} // namespace tessera::ptx

#endif // TESSERA_PTX_PRINTER_H
