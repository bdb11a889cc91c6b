// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_MIR_MIRTYPES_TD
#define TESSERA_DIALECT_MIR_MIRTYPES_TD

include "MirBase.td"
include "mlir/IR/AttrTypeBase.td"

class Mir_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Mir_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Mir_SliceType : Mir_Type<"Slice", "slice"> {
  let summary = "an address and a length";
  let description = [{
    `length` elements from `address` on, all of them readable and, unless the
    element type is `const`, writable: `tessera::span<T>`, `&[T]`. Every access
    is checked.

    The element type is any sized type that LLVM can hold in memory; classes are
    byte arrays of their size.

    ```mlir
    !mir.slice<f32>
    !mir.slice<const f32>
    !mir.slice<!llvm.array<12 x i8>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType, "bool":$readOnly);
  let assemblyFormat = "`<` custom<ConstElement>($elementType, $readOnly) `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
                                        CArg<"bool", "false">:$readOnly), [{
      return $_get(elementType.getContext(), elementType, readOnly);
    }]>
  ];
}

def Mir_DisjointSliceType : Mir_Type<"DisjointSlice", "disjoint_slice"> {
  let summary = "a slice of which each thread touches its own elements only";
  let description = [{
    `length` elements from `address` on that can be reached only through a
    witness, so that no two threads reach the same one:
    `tessera::disjoint_span<T>`, the GPU's `&mut [T]`.

    ```mlir
    !mir.disjoint_slice<f32>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), elementType);
    }]>
  ];
}

def Mir_WitnessType : Mir_Type<"Witness", "witness"> {
  let summary = "an index that no other thread of the grid has";
  let description = [{
    Made by `mir.thread_index`, or by `mir.witness.assume_unique` where somebody
    vouches for it.

    ```mlir
    !mir.witness
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

def Mir_AnySlice : AnyTypeOf<[Mir_SliceType, Mir_DisjointSliceType],
                             "slice or disjoint slice">;

def Mir_Witness : Type<Mir_WitnessType.predicate, Mir_WitnessType.summary,
                       Mir_WitnessType.cppType>,
                  BuildableType<"$_builder.getType<::tessera::mir::WitnessType>()">;

def Mir_Pointer
    : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self) && "
                 "::llvm::cast<::mlir::LLVM::LLVMPointerType>($_self)"
                 ".getAddressSpace() == 0">,
           "pointer in the generic address space",
           "::mlir::LLVM::LLVMPointerType">,
      BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

#endif // TESSERA_DIALECT_MIR_MIRTYPES_TD
