// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_MIRTOLLVM_PASSES_TD
#define TESSERA_CONVERSION_MIRTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMirToLLVMPass : Pass<"convert-mir-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower mir to llvm and nvvm for NVPTX";
  let description = [{
    Kernels become `llvm.func` with `nvvm.kernel` and the launch bounds as
    `nvvm` attributes. A slice parameter becomes one pointer with `llvm.byval`,
    so that PTX shows one 16-byte `.param`; inside, slices are `{ptr, i64}`.

    A check becomes a comparison and a cold block that calls `__tessera_trap`
    with the number of its site and two values. Sites are numbered from 0 in
    the order in which they stand in the module; the module's attribute
    `mir.trap_sites` describes them: an array, indexed by number, of
    dictionaries with `id`, `kind` (the number of a trap kind, that of
    `image::TrapKind`), `file`, `line`, `column`, `expression` and `function`.

    `__tessera_trap` reports through the device variable
    `__tessera_trap_state`, as `image::TrapState` and `image::TrapRecord` lay it
    out: the first thread to claim the state writes the record and traps; the
    others exit. Without a record it only traps.

    Shared variables, constants and dynamic shared memory become globals in
    their address spaces; `printf` becomes `vprintf` with a packed buffer.
    Ops of `arith` and `cf` are lowered, too. Structured control flow must be
    gone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // TESSERA_CONVERSION_MIRTOLLVM_PASSES_TD
