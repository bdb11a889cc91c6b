// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_VGPU_LOADER_H
#define TESSERA_VGPU_LOADER_H

#include "vgpu/program.h"

#include <memory>
#include <string_view>

namespace tessera::vgpu {

/// Parses, checks, lays out and decodes a module for a device of architecture
/// `sm`. Its variables live in `memory` until the program ends.
[[nodiscard]] Result<std::shared_ptr<const Program>>
loadProgram(std::string_view text, std::shared_ptr<GlobalMemory> memory,
            std::uint32_t sm);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_LOADER_H
