// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the PTX library share.

#ifndef TESSERA_TESTS_PTX_SUPPORT_H
#define TESSERA_TESTS_PTX_SUPPORT_H

#include "ptx/parser.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::ptx {

/// Six lines; the statements of `inKernel` begin in line 7.
inline constexpr std::string_view kernelHead = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b32 gvar;
.shared .align 4 .b8 svar[64];
.visible .entry kernel(.param .u64 p0, .param .u32 p1) {
)";

/// The declarations that `inKernel` adds take line 7; statements begin in 8.
inline std::string inKernel(std::string_view statements) {
  std::string text(kernelHead);
  text += ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; "
          ".reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;\n";
  text += statements;
  return text + "\nret;\n}\n";
}

/// All diagnostics of a text that must not parse, a line each.
inline std::string errorsOf(std::string_view text) {
  auto module = parse(text);
  if (module)
    return "no error";
  std::string out;
  for (const Diagnostic &diagnostic : module.error())
    out += std::to_string(diagnostic.pos.line) + ":" +
           std::to_string(diagnostic.pos.column) + ": " + diagnostic.message +
           "\n";
  return out;
}

/// The module of a text that must parse.
inline Module parsed(std::string_view text) {
  auto module = parse(text);
  if (module)
    return *std::move(module);
  ADD_FAILURE() << errorsOf(text);
  return Module();
}

} // namespace tessera::ptx

#endif // TESSERA_TESTS_PTX_SUPPORT_H
