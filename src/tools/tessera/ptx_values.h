// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of `tessera ptx run`: what `--arg`, `--save` and `--show` say.

#ifndef TESSERA_TOOLS_TESSERA_PTX_VALUES_H
#define TESSERA_TOOLS_TESSERA_PTX_VALUES_H

#include "ptx/types.h"
#include "tools/tessera/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::driver {

/// A number or structure, or a buffer in device memory with what it holds
/// before the launch.
struct PtxArgument {
  bool isBuffer = false;
  std::vector<std::byte> bytes;
};

/// What an argument must be good for.
struct PtxParameter {
  std::string name;
  ptx::Type type = ptx::Type::none;
  std::size_t size = 0; ///< bytes
  bool isArray = false;
};

/// Reads a number (`42`, `0x2a`, `1.5`, `f16:0.1`), the bytes of a structure
/// (`hex:00ff…`) or a buffer (`in:FILE[:BYTES]`, `zero:BYTES`,
/// `fill:BYTES:VALUE`). A number without a type has the parameter's.
Result<PtxArgument> readPtxArgument(std::string_view text,
                                    const PtxParameter &parameter);

/// `WHICH`, the number of an argument from 1 or a parameter's name, and what
/// follows it.
struct PtxSave {
  std::string which, file;
};
struct PtxShow {
  std::string which;
  ptx::Type type = ptx::Type::u32;
  std::size_t count = 0; ///< values; 0: as many as there are, to a limit
};
Result<PtxSave> readPtxSave(std::string_view text);
Result<PtxShow> readPtxShow(std::string_view text);

/// The values in text, eight in a line, each line with the number of its first.
std::string showValues(ptx::Type type, std::span<const std::byte> bytes);

/// The bytes of a file.
Result<std::string> readWholeFile(const std::string &path);

/// A whole number, decimal or with 0x.
Result<std::uint64_t> readCount(std::string_view text, std::string_view what);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_PTX_VALUES_H
