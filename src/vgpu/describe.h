// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_VGPU_DESCRIBE_H
#define TESSERA_VGPU_DESCRIBE_H

#include "vgpu/program.h"

namespace tessera::vgpu {

/// Fills in what `fault` says about the place of an instruction: its text, its
/// line in the PTX and in the source.
void describeInstruction(const Program &program, const Function &function,
                         const Instr &instr, Fault &fault);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_DESCRIBE_H
