// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a prepared LLVM module to MLIR: upstream's import to the `llvm` and
// `nvvm` dialects, then calls, variables and entry functions that annotations
// mark become ops. The annotations are the table of what there is: nothing
// here names an op of the headers.

#ifndef TESSERA_FRONTEND_LLVM_IMPORT_H
#define TESSERA_FRONTEND_LLVM_IMPORT_H

#include "frontend/llvm/device-module.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace tessera {

/// Registers the dialects and translations that the import needs.
void registerImport(mlir::DialectRegistry &registry);

/// Imports `module`. Faults are reported through the context's diagnostics.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importDeviceModule(std::unique_ptr<llvm::Module> module,
                   mlir::MLIRContext &context,
                   llvm::ArrayRef<KernelDescription> kernels,
                   const AnnotationTable &annotations);

} // namespace tessera

#endif // TESSERA_FRONTEND_LLVM_IMPORT_H
