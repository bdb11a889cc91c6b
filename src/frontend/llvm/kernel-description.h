// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a front end tells the import about one kernel, beside its LLVM IR.

#ifndef TESSERA_FRONTEND_LLVM_KERNEL_DESCRIPTION_H
#define TESSERA_FRONTEND_LLVM_KERNEL_DESCRIPTION_H

#include "dialect/mir/element-code.h"
#include "image/image.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tessera {

/// The function that holds a kernel's body, as the host would call it, has the
/// kernel's symbol after this prefix; the kernel's entry calls it.
inline constexpr llvm::StringLiteral kernelBodyPrefix = "__tessera_body_";

/// Describes the elements of a slice parameter.
struct ElementType {
  mir::ElementCode code = mir::ElementCode::other;
  std::uint32_t size = 0;
  bool isConst = false;
};

/// A kernel of the device module: the function named `row.symbol` has the
/// signature of a PTX entry: scalars as themselves, every other parameter as
/// one `byval` pointer. `row` becomes its line in the kernel table.
struct KernelDescription {
  image::Kernel row;
  std::vector<ElementType> elements; ///< one for each parameter
};

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_KERNEL_DESCRIPTION_H
