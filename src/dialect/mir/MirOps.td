// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_MIR_MIROPS_TD
#define TESSERA_DIALECT_MIR_MIROPS_TD

include "MirTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Mir_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Mir_Dialect, opMnemonic, traits>;

/// An op whose failing check ends the kernel: it stays although its result is
/// unused and it does not move.
class Mir_CheckedOp<string opMnemonic, list<Trait> traits = []>
    : Mir_Op<opMnemonic, !listconcat(traits, [
        ConditionallySpeculatable, MemoryEffectsOpInterface,
        DeclareOpInterfaceMethods<Mir_TrapSiteOpInterface>])> {
  let extraClassDeclaration = [{
    ::mlir::Speculation::Speculatability getSpeculatability() {
      return getTrapKind() ? ::mlir::Speculation::NotSpeculatable
                           : ::mlir::Speculation::Speculatable;
    }
    void getEffects(::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
                        ::mlir::MemoryEffects::Effect>> &effects) {
      if (getTrapKind())
        effects.emplace_back(::mlir::MemoryEffects::Write::get(),
                             ::tessera::mir::TrapResource::get());
    }
  }];
}

def Mir_CallImport : DeclareOpInterfaceMethods<Mir_CallImportOpInterface>;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Mir_KernelOp : Mir_Op<"kernel", [
    AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a function that a host launches over a grid";
  let description = [{
    The symbol is the name of the entry point; `source_name` is the kernel's name
    as the user wrote it, with template arguments. The op's location is that of
    the kernel's definition.

    Parameters are values of LLVM types, slices, or pointers with `llvm.byval`
    for classes that are passed by value. The attributes of a parameter say what
    it was in the source (see the dialect). A kernel returns nothing and cannot
    be called.

    `block` and `cluster` fix the shape of a block (threads) and of a cluster
    (blocks); `max_threads` bounds the threads of a block, `min_blocks` asks for
    so many blocks per multiprocessor.

    ```mlir
    mir.kernel @saxpy(%a: f32, %x: !mir.slice<const f32>, %y: !mir.disjoint_slice<f32>)
        attributes {source_name = "saxpy", block = array<i32: 256, 1, 1>} {
      %w = mir.thread_index
      %p = mir.disjoint_addr %y[%w] : !mir.disjoint_slice<f32>
      ...
      mir.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$source_name,
    OptionalAttr<DenseI32ArrayAttr>:$block,
    OptionalAttr<I32Attr>:$max_threads,
    OptionalAttr<I32Attr>:$min_blocks,
    OptionalAttr<DenseI32ArrayAttr>:$cluster,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   CArg<"::llvm::ArrayRef<::mlir::DictionaryAttr>", "{}">:$argAttrs)>
  ];
  let extraClassDeclaration = [{
    //===------------------------------------------------------------------===//
    // FunctionOpInterface and CallableOpInterface
    //===------------------------------------------------------------------===//

    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }

    /// The name for messages: `source_name`, or the symbol.
    ::llvm::StringRef getDisplayName();
  }];
}

def Mir_ReturnOp : Mir_Op<"return", [HasParent<"KernelOp">, Pure, ReturnLike, Terminator]> {
  let summary = "the end of a kernel";
  let description = [{
    The thread is done.

    ```mlir
    mir.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

def Mir_SliceMakeOp : Mir_Op<"slice.make", [Pure]> {
  let summary = "makes a slice of an address and a length";
  let description = [{
    The caller vouches that `length` elements are there.

    ```mlir
    %s = mir.slice.make %p, %n : !mir.slice<f32>
    ```
  }];
  let arguments = (ins Mir_Pointer:$address, I64:$length);
  let results = (outs Mir_AnySlice:$slice);
  let assemblyFormat = "$address `,` $length attr-dict `:` qualified(type($slice))";
  let hasFolder = 1;
}

def Mir_SlicePtrOp : Mir_Op<"slice.ptr", [Pure]> {
  let summary = "the address of a slice";
  let description = [{
    Where the first element is.

    ```mlir
    %p = mir.slice.ptr %s : !mir.slice<f32>
    ```
  }];
  let arguments = (ins Mir_AnySlice:$slice);
  let results = (outs Mir_Pointer:$address);
  let assemblyFormat = "$slice attr-dict `:` qualified(type($slice))";
  let hasFolder = 1;
}

def Mir_SliceLenOp : Mir_Op<"slice.len", [Pure]> {
  let summary = "the length of a slice";
  let description = [{
    The number of elements, as an unsigned integer.

    ```mlir
    %n = mir.slice.len %s : !mir.slice<f32>
    ```
  }];
  let arguments = (ins Mir_AnySlice:$slice);
  let results = (outs I64:$length);
  let assemblyFormat = "$slice attr-dict `:` qualified(type($slice))";
  let hasFolder = 1;
}

def Mir_IndexAddrOp : Mir_CheckedOp<"index_addr", [Mir_CallImport]> {
  let summary = "the checked place of an element";
  let description = [{
    The address of element `index`. Traps (kind `bounds`, values index and
    length) when `index` is not below the length, both unsigned. With
    `in_bounds` the check is known to hold and is not made.

    `expression` is the source text for the user's message.

    Annotated C++ form: `T *(T *base, size_t length, size_t index)`.

    ```mlir
    %p = mir.index_addr %s[%i] : !mir.slice<f32>
    %q = mir.index_addr %s[%i] in_bounds : !mir.slice<f32>
    ```
  }];
  let arguments = (ins Mir_SliceType:$slice, I64:$index,
                       UnitAttr:$in_bounds, OptionalAttr<StrAttr>:$expression);
  let results = (outs Mir_Pointer:$address);
  let assemblyFormat = [{
    $slice `[` $index `]` (`in_bounds` $in_bounds^)? attr-dict `:` qualified(type($slice))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$slice, "::mlir::Value":$index), [{
      build($_builder, $_state, slice, index, /*in_bounds=*/false, /*expression=*/nullptr);
    }]>
  ];
  let hasCanonicalizeMethod = 1;
}

def Mir_SubsliceOp : Mir_CheckedOp<"subslice", [AllTypesMatch<["slice", "result"]>,
                                                Mir_CallImport]> {
  let summary = "the checked part of a slice";
  let description = [{
    `count` elements from element `from` on. Traps (kind `range`, values
    `from + count` and length) when they do not all lie in the slice; a sum
    beyond 64 bits is reported as 2^64 - 1. With `in_bounds` the check is known
    to hold and is not made.

    Annotated C++ form: `T *(T *base, size_t length, size_t from, size_t count)`;
    the result is the address of the part.

    ```mlir
    %t = mir.subslice %s[%from, %count] : !mir.slice<f32>
    ```
  }];
  let arguments = (ins Mir_SliceType:$slice, I64:$from, I64:$count,
                       UnitAttr:$in_bounds, OptionalAttr<StrAttr>:$expression);
  let results = (outs Mir_SliceType:$result);
  let assemblyFormat = [{
    $slice `[` $from `,` $count `]` (`in_bounds` $in_bounds^)? attr-dict
    `:` qualified(type($slice))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$slice, "::mlir::Value":$from, "::mlir::Value":$count), [{
      build($_builder, $_state, slice, from, count, /*in_bounds=*/false, /*expression=*/nullptr);
    }]>
  ];
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}

def Mir_BoundsCheckOp : Mir_CheckedOp<"bounds_check", [AllTypesMatch<["index", "result"]>]> {
  let summary = "checks an index against a length";
  let description = [{
    Yields `index`; traps (kind `bounds`) when it is not below `length`, both
    unsigned. Goes away once the check is known to hold.

    ```mlir
    %j = mir.bounds_check %i, %n
    ```
  }];
  let arguments = (ins I64:$index, I64:$length, OptionalAttr<StrAttr>:$expression);
  let results = (outs I64:$result);
  let assemblyFormat = "$index `,` $length attr-dict";
  let hasFolder = 1;
}

def Mir_DisjointAddrOp : Mir_Op<"disjoint_addr", [Pure, Mir_CallImport]> {
  let summary = "the place of a thread's own element, or null";
  let description = [{
    The address of the element that belongs to the witness; null when the
    witness is not below the length.

    A slice that is not empty has no null address; canonicalisation therefore
    turns comparisons of the result with null into comparisons of the index
    with the length.

    Annotated C++ form: `T *(T *base, size_t length, size_t witness)`.

    ```mlir
    %p = mir.disjoint_addr %s[%w] : !mir.disjoint_slice<f32>
    ```
  }];
  let arguments = (ins Mir_DisjointSliceType:$slice, Mir_Witness:$witness);
  let results = (outs Mir_Pointer:$address);
  let assemblyFormat = "$slice `[` $witness `]` attr-dict `:` qualified(type($slice))";
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

def Mir_ThreadIndexOp : Mir_Op<"thread_index", [Pure, Mir_CallImport]> {
  let summary = "the thread's index along x in the whole grid";
  let description = [{
    `blockIdx.x * blockDim.x + threadIdx.x`, in 64 bits. It is unique in grids
    whose blocks and threads extend along x only.

    Annotated C++ form: `size_t ()`, the index itself.

    ```mlir
    %w = mir.thread_index
    ```
  }];
  let results = (outs Mir_Witness:$witness);
  let assemblyFormat = "attr-dict";
}

def Mir_WitnessIndexOp : Mir_Op<"witness.index", [Pure]> {
  let summary = "the index that a witness stands for";
  let description = [{
    ```mlir
    %i = mir.witness.index %w
    ```
  }];
  let arguments = (ins Mir_Witness:$witness);
  let results = (outs I64:$index);
  let assemblyFormat = "$witness attr-dict";
  let hasFolder = 1;
}

def Mir_WitnessAssumeUniqueOp : Mir_Op<"witness.assume_unique", [Pure]> {
  let summary = "vouches that an index is unique to the thread";
  let description = [{
    Nothing checks it: the unsafe maker of witnesses.

    ```mlir
    %w = mir.witness.assume_unique %i
    ```
  }];
  let arguments = (ins I64:$index);
  let results = (outs Mir_Witness:$witness);
  let assemblyFormat = "$index attr-dict";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Mir_SharedOp : Mir_Op<"shared", [Symbol]> {
  let summary = "a variable of which every block has one";
  let description = [{
    Not initialised. `source_name` is the variable's name as the user wrote it.

    ```mlir
    mir.shared @tile : !llvm.array<256 x f32> align 16
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, I64Attr:$alignment,
                       OptionalAttr<StrAttr>:$source_name,
                       OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "$sym_name `:` $type `align` $alignment attr-dict";
  let hasVerifier = 1;
}

def Mir_SharedAddrOp : Mir_Op<"shared_addr", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the generic address of a shared variable";
  let description = [{
    ```mlir
    %p = mir.shared_addr @tile
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Mir_Pointer:$address);
  let assemblyFormat = "$variable attr-dict";
}

def Mir_DynamicSharedOp : Mir_Op<"dynamic_shared", [Pure, Mir_CallImport]> {
  let summary = "the shared memory whose size the launch decides";
  let description = [{
    All of it, as elements of the slice's type; a remainder smaller than one
    element is left out. Aligned to 16 bytes.

    Annotated C++ form: `T *()`, the address.

    ```mlir
    %s = mir.dynamic_shared : !mir.slice<f32>
    ```
  }];
  let results = (outs Mir_SliceType:$slice);
  let assemblyFormat = "attr-dict `:` qualified(type($slice))";
}

def Mir_DynamicSharedSizeOp : Mir_Op<"dynamic_shared_size", [Pure, Mir_CallImport]> {
  let summary = "the bytes of dynamic shared memory";
  let description = [{
    As the launch gave them.

    Annotated C++ form: `size_t ()`.

    ```mlir
    %n = mir.dynamic_shared_size
    ```
  }];
  let results = (outs I64:$size);
  let assemblyFormat = "attr-dict";
}

def Mir_ConstantOp : Mir_Op<"constant", [Symbol, NoRegionArguments]> {
  let summary = "a variable that the device cannot write";
  let description = [{
    Lives in constant memory. Its initial value is an attribute, or the value
    that the region yields, or else zero; the host may set it by name before a
    launch. `source_name` is the variable's name as the user wrote it.

    ```mlir
    mir.constant @weights : !llvm.array<4 x f32> align 4
    mir.constant @answer : i32 align 4 = 42 : i32
    mir.constant @origin : !llvm.struct<(i32, i32)> align 4 {
      %0 = llvm.mlir.zero : !llvm.struct<(i32, i32)>
      mir.yield %0 : !llvm.struct<(i32, i32)>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, I64Attr:$alignment,
                       OptionalAttr<AnyAttr>:$value,
                       OptionalAttr<StrAttr>:$source_name,
                       OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region MaxSizedRegion<1>:$initializer);
  let assemblyFormat = [{
    $sym_name `:` $type `align` $alignment (`=` $value^)? attr-dict-with-keyword
    ($initializer^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Mir_YieldOp : Mir_Op<"yield", [HasParent<"ConstantOp">, Pure, ReturnLike, Terminator]> {
  let summary = "the initial value of a constant";
  let description = [{
    ```mlir
    mir.yield %0 : i32
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Mir_ConstantAddrOp : Mir_Op<"constant_addr", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the generic address of a constant";
  let description = [{
    ```mlir
    %p = mir.constant_addr @weights
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Mir_Pointer:$address);
  let assemblyFormat = "$variable attr-dict";
}

//===----------------------------------------------------------------------===//
// Asserts, traps, printing
//===----------------------------------------------------------------------===//

def Mir_AssertOp : Mir_CheckedOp<"assert", [Mir_CallImport]> {
  let summary = "ends the kernel with a message when a condition is false";
  let description = [{
    Traps with kind `assertion`. Rust's overflow checks are asserts, too.

    Annotated C++ form: `void (bool condition, const char *message)`, where the
    message is a string literal.

    ```mlir
    mir.assert %c, "n > 0"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
  let hasCanonicalizeMethod = 1;
}

def Mir_TrapOp : Mir_CheckedOp<"trap", [Mir_CallImport]> {
  let summary = "ends the kernel with a message";
  let description = [{
    Control never passes it. It is not a terminator, so that it can stand where
    a call stood; what follows it in the block is dead, and canonicalisation
    replaces that by `llvm.unreachable`.

    Annotated C++ form: `void (const char *message)`, where the message is a
    string literal; the annotation may hold the kind as an integer.

    ```mlir
    mir.trap user "no such mode"
    llvm.unreachable
    ```
  }];
  let arguments = (ins Mir_TrapKindAttr:$kind, StrAttr:$message);
  let assemblyFormat = "`` $kind $message attr-dict";
  let hasCanonicalizeMethod = 1;
}

def Mir_PrintfOp : Mir_Op<"printf", [Mir_CallImport]> {
  let summary = "prints on the host's standard output";
  let description = [{
    C's `printf`. The arguments have gone through C's default promotions, so they
    are `i32`, `i64`, `f64` or pointers. The result is the number of arguments,
    or -1 when the output buffer is full.

    ```mlir
    %n = mir.printf %format(%a, %b : f64, i32)
    ```
  }];
  let arguments = (ins Mir_Pointer:$format, Variadic<AnyType>:$args);
  let results = (outs I32:$count);
  let assemblyFormat = "$format `(` ($args^ `:` type($args))? `)` attr-dict";
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_MIR_MIROPS_TD
