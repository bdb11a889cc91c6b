// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The annotations of functions and variables, read off
// `llvm.global.annotations`, where clang's CodeGen leaves them for
// declarations and definitions alike.

#ifndef TESSERA_FRONTEND_LLVM_ANNOTATIONS_H
#define TESSERA_FRONTEND_LLVM_ANNOTATIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace tessera {

/// `annotate("tessera.op", "mir.index_addr", 7, 4)`: kind "tessera.op" with
/// its arguments in order.
struct Annotation {
  std::string kind;
  llvm::SmallVector<std::variant<std::int64_t, std::string>, 4> arguments;

  /// The string argument at `index`, or an empty string.
  llvm::StringRef string(unsigned index) const;
  /// The integer arguments from `first` on.
  llvm::SmallVector<std::int64_t> integers(unsigned first) const;
};

/// Annotations by the name of the function or variable. Names that do not
/// begin with "tessera." are left out.
class AnnotationTable {
public:
  /// Reads the table of `module`. The module is not changed.
  static AnnotationTable read(const llvm::Module &module);

  void add(llvm::StringRef symbol, Annotation annotation) {
    bySymbol[symbol].push_back(std::move(annotation));
  }

  /// The annotation of that kind on `symbol`, or null.
  const Annotation *find(llvm::StringRef symbol, llvm::StringRef kind) const;

  /// Every annotated symbol with the kinds of its annotations.
  std::vector<std::pair<std::string, llvm::SmallVector<std::string, 1>>>
  kinds() const;

private:
  llvm::StringMap<llvm::SmallVector<Annotation, 1>> bySymbol;
};

/// The characters of a constant C string, or an empty string when `value`
/// does not point to one.
llvm::StringRef readConstantString(const llvm::Constant *value);

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_ANNOTATIONS_H
