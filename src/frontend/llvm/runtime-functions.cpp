// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/llvm/runtime-functions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace tessera {
namespace {

/// One row: the double form's C name, the OpenCL signature after the name in
/// the Itanium mangling ('T' stands for the floating-point type), and the
/// intrinsic when NVPTX has one.
struct MathRow {
  StringLiteral name;
  StringLiteral signature;
  MathFunction::How how = MathFunction::How::library;
  Intrinsic::ID id = Intrinsic::not_intrinsic;
};

using How = MathFunction::How;

constexpr MathRow mathRows[] = {
    {"sqrt", "T", How::intrinsic, Intrinsic::sqrt},
    {"fabs", "T", How::intrinsic, Intrinsic::fabs},
    {"floor", "T", How::intrinsic, Intrinsic::floor},
    {"ceil", "T", How::intrinsic, Intrinsic::ceil},
    {"trunc", "T", How::intrinsic, Intrinsic::trunc},
    {"rint", "T", How::intrinsic, Intrinsic::rint},
    {"nearbyint", "T", How::intrinsic, Intrinsic::nearbyint},
    {"round", "T", How::intrinsic, Intrinsic::round},
    {"roundeven", "T", How::intrinsic, Intrinsic::roundeven},
    {"fma", "TTT", How::intrinsic, Intrinsic::fma},
    {"fmin", "TT", How::intrinsic, Intrinsic::minnum},
    {"fmax", "TT", How::intrinsic, Intrinsic::maxnum},
    {"copysign", "TT", How::intrinsic, Intrinsic::copysign},
    {"lrint", "T", How::rounded, Intrinsic::rint},
    {"llrint", "T", How::rounded, Intrinsic::rint},
    {"lround", "T", How::rounded, Intrinsic::round},
    {"llround", "T", How::rounded, Intrinsic::round},
    {"sin", "T"},
    {"cos", "T"},
    {"tan", "T"},
    {"asin", "T"},
    {"acos", "T"},
    {"atan", "T"},
    {"atan2", "TT"},
    {"sinh", "T"},
    {"cosh", "T"},
    {"tanh", "T"},
    {"asinh", "T"},
    {"acosh", "T"},
    {"atanh", "T"},
    {"exp", "T"},
    {"exp2", "T"},
    {"exp10", "T"},
    {"expm1", "T"},
    {"log", "T"},
    {"log2", "T"},
    {"log10", "T"},
    {"log1p", "T"},
    {"logb", "T"},
    {"ilogb", "T"},
    {"pow", "TT"},
    {"cbrt", "T"},
    {"hypot", "TT"},
    {"erf", "T"},
    {"erfc", "T"},
    {"tgamma", "T"},
    {"lgamma", "T"},
    {"fmod", "TT"},
    {"remainder", "TT"},
    {"remquo", "TTPi"},
    {"fdim", "TT"},
    {"nextafter", "TT"},
    {"ldexp", "Ti"},
    {"scalbn", "Ti"},
    {"frexp", "TPi"},
    {"modf", "TPT"},
};

/// scalbn is ldexp for a binary type; the library knows only the latter.
StringRef libraryName(StringRef name) {
  return name == "scalbn" ? StringRef("ldexp") : name;
}

std::string mangle(const MathRow &row, char type) {
  StringRef name = libraryName(row.name);
  std::string symbol = "_Z" + std::to_string(name.size()) + name.str();
  for (char c : row.signature)
    symbol += c == 'T' ? type : c;
  return symbol;
}

std::optional<RuntimeFunction> classifyByDemangledName(StringRef symbol) {
  if (!symbol.starts_with("_Z"))
    return std::nullopt;
  std::string text = demangle(symbol);
  StringRef name = text;
  if (name.starts_with("std::__throw_"))
    return RuntimeFunction::exception;
  if (name.starts_with("std::terminate(") ||
      name.starts_with("std::__terminate("))
    return RuntimeFunction::terminate;
  if (name.starts_with("std::__glibcxx_assert_fail("))
    return RuntimeFunction::assertion;
  if (name.starts_with("operator new"))
    return RuntimeFunction::allocate;
  if (name.starts_with("operator delete"))
    return RuntimeFunction::deallocate;
  return std::nullopt;
}

} // namespace

std::optional<RuntimeFunction> classifyRuntimeFunction(StringRef symbol) {
  auto known =
      StringSwitch<std::optional<RuntimeFunction>>(symbol)
          .Case("printf", RuntimeFunction::print)
          .Cases({"__assert_fail", "__assert"}, RuntimeFunction::assertion)
          .Cases({"__cxa_allocate_exception", "__cxa_throw", "__cxa_rethrow",
                  "__cxa_begin_catch", "__cxa_end_catch", "_Unwind_Resume"},
                 RuntimeFunction::exception)
          .Cases({"abort", "exit", "_Exit", "quick_exit", "__cxa_pure_virtual",
                  "__clang_call_terminate", "__stack_chk_fail"},
                 RuntimeFunction::terminate)
          .Cases({"malloc", "calloc", "realloc", "aligned_alloc"},
                 RuntimeFunction::allocate)
          .Case("free", RuntimeFunction::deallocate)
          .Cases({"__cxa_guard_acquire", "__cxa_guard_release",
                  "__cxa_guard_abort", "__cxa_atexit", "__cxa_thread_atexit"},
                 RuntimeFunction::guard)
          .Cases({"__dynamic_cast", "__cxa_bad_typeid", "__cxa_bad_cast"},
                 RuntimeFunction::typeInfo)
          .Cases({"memcpy", "memmove", "memset"}, RuntimeFunction::memory)
          .Cases({"memcmp", "bcmp", "memchr", "strlen", "strcmp", "strncmp",
                  "strchr", "__mulsc3", "__muldc3", "__divsc3", "__divdc3"},
                 RuntimeFunction::library)
          .Default(std::nullopt);
  if (known)
    return known;
  if (findMathFunction(symbol))
    return RuntimeFunction::math;
  return classifyByDemangledName(symbol);
}

std::optional<MathFunction> findMathFunction(StringRef symbol) {
  for (const MathRow &row : mathRows) {
    bool isDouble = symbol == row.name;
    bool isFloat = !isDouble && symbol.size() == row.name.size() + 1 &&
                   symbol.back() == 'f' && symbol.starts_with(row.name);
    if (!isDouble && !isFloat)
      continue;
    MathFunction function{row.how, row.id, {}};
    if (row.how == How::library)
      function.librarySymbol = mangle(row, isDouble ? 'd' : 'f');
    return function;
  }
  return std::nullopt;
}

} // namespace tessera
