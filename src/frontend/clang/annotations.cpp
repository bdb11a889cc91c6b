// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace tessera::frontend {

const AnnotateAttr *findAnnotation(const Decl *decl, llvm::StringRef name) {
  for (const auto *attr : decl->specific_attrs<AnnotateAttr>())
    if (attr->getAnnotation() == name)
      return attr;
  return nullptr;
}

bool isKernel(const Decl *decl) {
  return findAnnotation(decl, kernelAnnotation);
}

std::optional<llvm::SmallVector<unsigned, 3>>
integerArguments(const AnnotateAttr &annotation, const Decl *decl) {
  llvm::SmallVector<unsigned, 3> values;
  for (const Expr *argument : annotation.args()) {
    Expr::EvalResult result;
    if (argument->isValueDependent() ||
        !argument->EvaluateAsInt(result, decl->getASTContext()) ||
        result.Val.getInt().isNegative() ||
        result.Val.getInt().getActiveBits() > 32)
      return std::nullopt;
    values.push_back(result.Val.getInt().getZExtValue());
  }
  return values;
}

std::optional<std::string> stringArgument(const AnnotateAttr &annotation) {
  if (annotation.args_size() == 0)
    return std::nullopt;
  const Expr *argument = (*annotation.args_begin())->IgnoreParenImpCasts();
  if (const auto *constant = dyn_cast<ConstantExpr>(argument))
    argument = constant->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *literal = dyn_cast<StringLiteral>(argument))
    return literal->getString().str();
  return std::nullopt;
}

} // namespace tessera::frontend
