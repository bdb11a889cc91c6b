// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself, its trap kinds and its interfaces.

#ifndef TESSERA_DIALECT_MIR_MIRBASE_TD
#define TESSERA_DIALECT_MIR_MIRBASE_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Interfaces.td"
include "mlir/IR/OpBase.td"

def Mir_Dialect : Dialect {
  let name = "mir";
  let cppNamespace = "::tessera::mir";
  let summary = "What C++ and Rust kernels mean beyond plain code";
  let description = [{
    An overlay on `llvm`, `nvvm`, `arith` and `cf`. Bodies of kernels and device
    functions hold ops of those dialects; `mir` adds only what they cannot say:
    that a function is a kernel and what its parameters were in the source
    language, that a pointer and a length belong together, that an access is
    checked, that an index is unique to the thread, which memory a variable
    lives in, and what to tell the user when a check fails.

    Addresses are opaque (`!llvm.ptr`, generic address space); lengths and
    indices are `i64`.

    **Failing checks.** An op that can fail carries the trap-site interface. Its
    location is the place that the user is told about: call-site locations are
    unwrapped to the innermost frame that is not in a library header. A check
    may trap before program order would reach it once its failure is
    inevitable.

    **Arguments of kernels** may carry `mir.name`, `mir.type` (strings, as the
    user wrote them), `mir.size` and `mir.align` (integers, bytes).

    The lowering to `llvm` and `nvvm` is the pass `convert-mir-to-llvm`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;

  let extraClassDeclaration = [{
    /// Attributes of kernel arguments.
    static constexpr ::llvm::StringLiteral nameAttrName = "mir.name";
    static constexpr ::llvm::StringLiteral typeAttrName = "mir.type";
    static constexpr ::llvm::StringLiteral sizeAttrName = "mir.size";
    static constexpr ::llvm::StringLiteral alignAttrName = "mir.align";

    void registerTypes();
    void registerAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Trap kinds
//===----------------------------------------------------------------------===//

def Mir_TrapKind : I32Enum<"TrapKind", "what a failed check was about", [
  I32EnumCase<"bounds", 0>,
  I32EnumCase<"range", 1>,
  I32EnumCase<"assertion", 2>,
  I32EnumCase<"unreachable", 3>,
  I32EnumCase<"exception", 4>,
  I32EnumCase<"alignment", 5>,
  I32EnumCase<"user", 6>
]> {
  let cppNamespace = "::tessera::mir";
}

def Mir_TrapKindAttr : EnumAttr<Mir_Dialect, Mir_TrapKind, "trap_kind"> {
  let assemblyFormat = "$value";
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

def Mir_TrapSiteOpInterface : OpInterface<"TrapSiteOpInterface"> {
  let cppNamespace = "::tessera::mir";
  let description = [{
    An op that may end the kernel with a report to the host. The lowering
    numbers these ops in the order in which they stand in the module.
  }];
  let methods = [
    InterfaceMethod<"What the failing check is about; nothing when the check "
                    "is known to hold.",
                    "std::optional<::tessera::mir::TrapKind>", "getTrapKind">,
    InterfaceMethod<"The source text or message for the user; may be empty.",
                    "::llvm::StringRef", "getTrapText">
  ];
}

def Mir_CallImportOpInterface : OpInterface<"CallImportOpInterface"> {
  let cppNamespace = "::tessera::mir";
  let description = [{
    An op that a call to an annotated function stands for. The importer finds
    the op by the name in the annotation and knows nothing else about it.
  }];
  let methods = [
    StaticInterfaceMethod<[{
        Builds the op (and what it needs around it) for `call` at the builder's
        insertion point. `annotation` holds the integers that follow the op's
        name in the annotation. Returns the values that replace the call's
        results; emits an error at the call and fails when operands or
        annotation do not fit. The call itself stays for the caller to erase.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value, 1>>", "importCall",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::LLVM::CallOp":$call,
           "::llvm::ArrayRef<int64_t>":$annotation)>
  ];
}

#endif // TESSERA_DIALECT_MIR_MIRBASE_TD
