// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that every device has without a definition in the PTX.

#ifndef TESSERA_VGPU_BUILTINS_H
#define TESSERA_VGPU_BUILTINS_H

#include "vgpu/program.h"

#include <string>
#include <string_view>

namespace tessera::vgpu {

/// `Builtin::none` when there is no such function.
[[nodiscard]] Builtin builtinByName(std::string_view name);
/// Why a declaration is not that of the function; empty when it is.
[[nodiscard]] std::string builtinProblem(Builtin builtin,
                                         const ptx::Function &declared);

/// `vprintf(format, arguments)`: prints for each executing lane, in order.
const Instr *callPrintf(Warp &warp, const Instr &instr, const CallSite &site);
/// `__assertfail(message, file, line, function, charSize)`: a trap.
const Instr *callAssertFail(Warp &warp, const Instr &instr,
                            const CallSite &site);
/// `malloc(size)`: memory of the device's heap, or null when it is full.
const Instr *callMalloc(Warp &warp, const Instr &instr, const CallSite &site);
/// `free(address)`; null is fine.
const Instr *callFree(Warp &warp, const Instr &instr, const CallSite &site);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_BUILTINS_H
