// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target/ptx/math-library.h"
#include "frontend/llvm/runtime-functions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace tessera::target {
namespace {

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

Expected<std::unique_ptr<Module>> readLibrary(StringRef path,
                                              LLVMContext &context) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(
        buffer.getError(),
        "cannot read the device's mathematics library '%s': %s",
        path.str().c_str(), buffer.getError().message().c_str());
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule(**buffer, context, /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return createStringError(
        "the device's mathematics library '%s' is no LLVM bitcode: %s",
        path.str().c_str(), toString(library.takeError()).c_str());
  // The lazy module reads from the buffer until it has been linked.
  (*library)->setOwnedMemoryBuffer(std::move(*buffer));
  return library;
}

} // namespace

Error linkMathLibrary(Module &module, StringRef libraryPath) {
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
  if (wanted.empty())
    return Error::success();

  Expected<std::unique_ptr<Module>> library =
      readLibrary(libraryPath, module.getContext());
  if (!library)
    return library.takeError();
  for (StringRef symbol : wanted.keys()) {
    Function *definition = (*library)->getFunction(symbol);
    if (!definition || definition->isDeclarationForLinker())
      return createStringError(
          "the device's mathematics library '%s' has no '%s'",
          libraryPath.str().c_str(), symbol.str().c_str());
  }
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  auto internalise = [](Module &linked, const StringSet<> &names) {
    internalizeModule(linked, [&](const GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded,
                          internalise))
    return createStringError(
        "cannot link the device's mathematics library '%s'",
        libraryPath.str().c_str());
  return Error::success();
}

} // namespace tessera::target
