// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `mir` dialect: its types, attributes, interfaces and ops. MirBase.td,
// MirTypes.td and MirOps.td describe them.

#ifndef TESSERA_DIALECT_MIR_MIR_H
#define TESSERA_DIALECT_MIR_MIR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace tessera::mir {

/// What a failing check writes to: nothing that other ops read, so that checks
/// stay and stay in order without disturbing memory optimisations.
struct TrapResource : mlir::SideEffects::Resource::Base<TrapResource> {
  llvm::StringRef getName() final { return "tessera::mir::Trap"; }
};

} // namespace tessera::mir

#include "dialect/mir/MirDialect.h.inc"
#include "dialect/mir/MirEnums.h.inc"

#include "dialect/mir/MirInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/mir/MirAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/mir/MirTypes.h.inc"

#define GET_OP_CLASSES
#include "dialect/mir/MirOps.h.inc"

namespace tessera::mir {

/// The element type of a slice or disjoint slice; null for other types.
[[nodiscard]] mlir::Type getElementType(mlir::Type sliceType);

/// Whether a slice may have elements of `type`: LLVM can hold it in memory and
/// knows its size.
[[nodiscard]] bool isSizedType(mlir::Type type);

/// The value that `slice` has as its length where an op names one, else null.
[[nodiscard]] mlir::Value getKnownLength(mlir::Value slice);

} // namespace tessera::mir

#endif // TESSERA_DIALECT_MIR_MIR_H
