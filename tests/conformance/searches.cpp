// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms that try all values of 16 bits instead of some.

#include "form-builder.h"

namespace tessera::conformance {

namespace {

using ptx::Type;

/// Which NaNs fma.oob takes for a value from out of bounds: each thread tries a
/// 128th of all values in one place and gives the first and the last that makes
/// the result 0, and their number. The other sources are 1.
void addOutOfBoundsSearch(std::vector<Form> &forms, std::string_view type,
                          std::string_view one, unsigned place) {
  FormBuilder builder(forms, dotted({"fma.rn.oob", type}));
  std::string first = builder.result(Type::b32);
  std::string last = builder.result(Type::b32);
  std::string count = builder.result(Type::b32);
  builder.line(".reg .b16 value, one, result;").line(".reg .b32 at, end;");
  builder.line(".reg .pred isZero, isFirst, isLast;");
  for (const std::string &name : {first, last, count})
    builder.line("mov.b32 " + name + ", 0;");
  builder.line("mov.b16 one, " + std::string(one) + ";");
  builder.line("shl.b32 at, thread, 9;").line("add.u32 end, at, 512;");
  builder.line("next:");
  builder.line("cvt.u16.u32 value, at;");
  std::string operands[] = {"one", "one", "one"};
  operands[place] = "value";
  builder.instruction({"result", operands[0], operands[1], operands[2]});
  builder.line("setp.eq.s16 isZero, result, 0;");
  builder.line("setp.eq.and.u32 isFirst, " + count + ", 0, isZero;");
  builder.line("@isFirst mov.b32 " + first + ", at;");
  builder.line("@isZero mov.b32 " + last + ", at;");
  builder.line("@isZero add.u32 " + count + ", " + count + ", 1;");
  builder.line("add.u32 at, at, 1;");
  builder.line("setp.lt.u32 isLast, at, end;").line("@isLast bra next;");
  builder.finish("zeros by source " + std::to_string(place + 1));
}

} // namespace

void addSearches(std::vector<Form> &forms) {
  for (unsigned place : {0u, 1u, 2u}) {
    addOutOfBoundsSearch(forms, "f16", "0x3c00", place);
    addOutOfBoundsSearch(forms, "bf16", "0x3f80", place);
  }
}

} // namespace tessera::conformance
