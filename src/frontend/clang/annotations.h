// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading `[[clang::annotate("tessera.…", args…)]]` off declarations, and the
// plugin's own attributes, which are kept as such annotations.

#ifndef TESSERA_FRONTEND_CLANG_ANNOTATIONS_H
#define TESSERA_FRONTEND_CLANG_ANNOTATIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class AnnotateAttr;
class Decl;
class FunctionDecl;
} // namespace clang

namespace tessera::frontend {

inline constexpr llvm::StringLiteral kernelAnnotation = "tessera.kernel";
/// On the definition of a kernel, followed by its number in the file: by it the
/// host's function is found in the host's module. (Mangled names will not do:
/// those of local lambdas depend on the order in which a CodeGen meets them.)
inline constexpr llvm::StringLiteral kernelNumberAnnotation =
    "tessera.kernel.number.";
inline constexpr llvm::StringLiteral sharedAnnotation = "tessera.shared";
inline constexpr llvm::StringLiteral constantAnnotation = "tessera.constant";
inline constexpr llvm::StringLiteral unsafeAnnotation = "tessera.unsafe";
inline constexpr llvm::StringLiteral typeAnnotation = "tessera.type";
inline constexpr llvm::StringLiteral launchBoundsAnnotation =
    "tessera.launch_bounds";
inline constexpr llvm::StringLiteral blockAnnotation = "tessera.block";
inline constexpr llvm::StringLiteral clusterAnnotation = "tessera.cluster";

/// The annotation of that name on `decl`, or null.
const clang::AnnotateAttr *findAnnotation(const clang::Decl *decl,
                                          llvm::StringRef name);

/// Whether `decl` is marked `[[tessera::kernel]]`.
bool isKernel(const clang::Decl *decl);

/// The annotation's arguments as integers; nothing when one is no integer
/// constant.
std::optional<llvm::SmallVector<unsigned, 3>>
integerArguments(const clang::AnnotateAttr &annotation,
                 const clang::Decl *decl);

/// The annotation's first argument, when it is a string literal.
std::optional<std::string>
stringArgument(const clang::AnnotateAttr &annotation);

} // namespace tessera::frontend

#endif // TESSERA_FRONTEND_CLANG_ANNOTATIONS_H
