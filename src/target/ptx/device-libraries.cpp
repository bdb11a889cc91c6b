// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target/ptx/device-libraries.h"
#include "frontend/llvm/runtime-functions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace tessera::target {
namespace {

constexpr unsigned char ownLibrary[] = {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
#embed "device-library.bc"
#pragma clang diagnostic pop
};

/// Gives `function` a body that computes it with `math.id`.
void defineByIntrinsic(Function &function, const MathFunction &math) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  Value *result =
      builder.CreateIntrinsic(math.id, {arguments[0]->getType()}, arguments);
  if (math.how == MathFunction::How::rounded)
    result = builder.CreateFPToSI(result, function.getReturnType());
  builder.CreateRet(result);
  function.setLinkage(GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::AlwaysInline);
  function.setDSOLocal(true);
}

bool hasMathSignature(const Function &function) {
  return function.arg_size() > 0 &&
         function.getArg(0)->getType()->isFloatingPointTy() &&
         !function.getReturnType()->isVoidTy();
}

/// Reads bitcode lazily: bodies are loaded when the linker wants them.
Expected<std::unique_ptr<Module>>
readLibrary(std::unique_ptr<MemoryBuffer> buffer, LLVMContext &context) {
  std::string name = buffer->getBufferIdentifier().str();
  Expected<std::unique_ptr<Module>> library = getOwningLazyBitcodeModule(
      std::move(buffer), context, /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return createStringError(
        "the device library '" + name +
        "' is no LLVM bitcode: " + toString(library.takeError()));
  return library;
}

/// Links the functions `wanted` of `library`, which must all be there.
Error linkLibrary(Module &module, std::unique_ptr<Module> library,
                  StringRef name, const StringSet<> &wanted) {
  for (StringRef symbol : wanted.keys()) {
    Function *definition = library->getFunction(symbol);
    if (!definition || definition->isDeclarationForLinker())
      return createStringError("the device library '" + name + "' has no '" +
                               symbol + "'");
  }
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto internalise = [](Module &linked, const StringSet<> &names) {
    internalizeModule(linked, [&](const GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded,
                          internalise))
    return createStringError("cannot link the device library '" + name + "'");
  return Error::success();
}

/// Resolves mathematics by intrinsics and renames the rest to the library's
/// symbols, which are returned.
StringSet<> resolveMath(Module &module) {
  StringSet<> wanted;
  for (Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    auto math = findMathFunction(function.getName());
    if (!math || !hasMathSignature(function))
      continue;
    if (math->how != MathFunction::How::library) {
      defineByIntrinsic(function, *math);
      continue;
    }
    if (Function *other = module.getFunction(math->librarySymbol)) {
      function.replaceAllUsesWith(other);
      function.eraseFromParent();
    } else {
      function.setName(math->librarySymbol);
    }
    wanted.insert(math->librarySymbol);
  }
  return wanted;
}

/// Clang makes an intrinsic of std::modf that NVPTX does not select.
void expandModf(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::modf)
        calls.push_back(call);
  for (IntrinsicInst *call : calls) {
    IRBuilder<> builder(call);
    Value *x = call->getArgOperand(0);
    Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
    // An infinite number has the fraction zero, and zeros have a sign.
    Value *isInfinite =
        builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, x),
                              ConstantFP::getInfinity(x->getType()));
    Value *fraction =
        builder.CreateSelect(isInfinite, ConstantFP::get(x->getType(), 0.0),
                             builder.CreateFSub(x, whole));
    fraction = builder.CreateBinaryIntrinsic(Intrinsic::copysign, fraction, x);
    Value *pair = builder.CreateInsertValue(PoisonValue::get(call->getType()),
                                            fraction, 0);
    pair = builder.CreateInsertValue(pair, whole, 1);
    call->replaceAllUsesWith(pair);
    call->eraseFromParent();
  }
}

Error linkOwnLibrary(Module &module) {
  StringSet<> wanted;
  for (Function &function : module)
    if (function.isDeclaration() &&
        classifyRuntimeFunction(function.getName()) == RuntimeFunction::library)
      wanted.insert(function.getName());
  if (wanted.empty())
    return Error::success();
  StringRef bytes(reinterpret_cast<const char *>(ownLibrary),
                  sizeof ownLibrary);
  constexpr StringLiteral name = "tessera";
  auto library = readLibrary(
      MemoryBuffer::getMemBuffer(bytes, name, /*RequiresNullTerminator=*/false),
      module.getContext());
  if (!library)
    return library.takeError();
  return linkLibrary(module, std::move(*library), name, wanted);
}

} // namespace

Error linkDeviceLibraries(Module &module, StringRef mathLibraryPath) {
  if (Error error = linkOwnLibrary(module))
    return error;
  expandModf(module);
  StringSet<> wanted = resolveMath(module);
  if (wanted.empty())
    return Error::success();
  auto buffer = MemoryBuffer::getFile(mathLibraryPath);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read the device library '" +
                                 mathLibraryPath +
                                 "': " + buffer.getError().message());
  auto library = readLibrary(std::move(*buffer), module.getContext());
  if (!library)
    return library.takeError();
  return linkLibrary(module, std::move(*library), mathLibraryPath, wanted);
}

} // namespace tessera::target
