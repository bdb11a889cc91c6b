// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a front end tells the import about one kernel, beside its LLVM IR.

#ifndef TESSERA_FRONTEND_LLVM_KERNEL_DESCRIPTION_H
#define TESSERA_FRONTEND_LLVM_KERNEL_DESCRIPTION_H

#include "image/image.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tessera {

/// The function that holds a kernel's body, as the host would call it, has the
/// kernel's symbol after this prefix; the kernel's entry calls it.
inline constexpr llvm::StringLiteral kernelBodyPrefix = "__tessera_body_";

/// The element type of a slice or the pointee of a pointer, as far as the
/// device's IR tells types apart. The numbers are those that the headers use
/// (`elem_code` in include/tessera/device/detail.h).
enum class ElementCode : unsigned {
  bytes = 0, ///< a class: only its size is known
  i8 = 1,
  i16 = 2,
  i32 = 3,
  i64 = 4,
  f16 = 5,
  bf16 = 6,
  f32 = 7,
  f64 = 8,
  pointer = 9,
  boolean = 10,
};

/// Describes the elements of a slice parameter.
struct ElementType {
  ElementCode code = ElementCode::bytes;
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
