// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/safe-profile.h"
#include "dialect/mir/location.h"
#include "frontend/clang/annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace tessera::frontend {
namespace {

/// Checks one function.
class SafeProfileVisitor : public RecursiveASTVisitor<SafeProfileVisitor> {
public:
  SafeProfileVisitor(ASTContext &context, DiagnosticsEngine &diagnostics)
      : context(context), diagnostics(diagnostics) {}

  bool ok = true;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->getOpcode() == UO_Deref && !isChecked(op->getSubExpr()))
      refuse(op->getOperatorLoc(), "dereferences a raw pointer");
    else if (op->isIncrementDecrementOp() && op->getType()->isPointerType())
      refuse(op->getOperatorLoc(), "does arithmetic on a raw pointer");
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *op) {
    bool isAdditive = op->isAdditiveOp() || op->getOpcode() == BO_AddAssign ||
                      op->getOpcode() == BO_SubAssign;
    if (isAdditive && op->getType()->isPointerType())
      refuse(op->getOperatorLoc(), "does arithmetic on a raw pointer");
    return true;
  }

  bool VisitMemberExpr(MemberExpr *member) {
    if (member->isArrow() && !isChecked(member->getBase()))
      refuse(member->getOperatorLoc(), "dereferences a raw pointer");
    return true;
  }

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *subscript) {
    const Expr *base = subscript->getBase()->IgnoreParenImpCasts();
    if (!base->getType()->isArrayType())
      refuse(subscript->getBeginLoc(), "subscripts a raw pointer");
    else if (!subscript->getIdx()->isIntegerConstantExpr(context))
      refuse(subscript->getBeginLoc(),
             "subscripts an array without a check; make a tessera::span of it");
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *cast) {
    bool makesPointer = cast->getType()->isPointerType() &&
                        cast->getCastKind() != CK_NoOp &&
                        cast->getCastKind() != CK_NullToPointer &&
                        cast->getCastKind() != CK_ArrayToPointerDecay;
    if (makesPointer || isa<CXXReinterpretCastExpr, CXXConstCastExpr>(cast))
      refuse(cast->getBeginLoc(), "casts to a pointer or reference");
    return true;
  }

private:
  ASTContext &context;
  DiagnosticsEngine &diagnostics;

  void refuse(SourceLocation location, const char *what) {
    ok = false;
    diagnostics.Report(location,
                       diagnostics.getCustomDiagID(
                           DiagnosticsEngine::Error,
                           "device code %0; the safe profile allows "
                           "that in [[tessera::unsafe]] functions only"))
        << what;
  }

  /// `this`, and a variable that holds what a checked accessor of the library
  /// returned.
  bool isChecked(const Expr *pointer) const {
    pointer = pointer->IgnoreParenImpCasts();
    if (isa<CXXThisExpr>(pointer))
      return true;
    if (const auto *reference = dyn_cast<DeclRefExpr>(pointer))
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
        if (const Expr *init = variable->getInit())
          pointer = init->IgnoreParenImpCasts();
    const auto *call = dyn_cast<CXXMemberCallExpr>(pointer);
    return call && call->getMethodDecl() &&
           findAnnotation(call->getMethodDecl()->getParent(), typeAnnotation);
  }
};

bool isTrusted(const Decl *decl, const SourceManager &sources) {
  SourceLocation location = sources.getExpansionLoc(decl->getLocation());
  return location.isInvalid() || sources.isInSystemHeader(location) ||
         mir::isLibraryHeader(sources.getFilename(location));
}

/// A lambda's body belongs to the function around it.
bool isUnsafe(const FunctionDecl *function) {
  for (const DeclContext *scope = function; scope; scope = scope->getParent())
    if (const auto *outer = dyn_cast<FunctionDecl>(scope);
        outer && findAnnotation(outer, unsafeAnnotation))
      return true;
  return false;
}

bool checkParameters(const FunctionDecl &kernel,
                     DiagnosticsEngine &diagnostics) {
  bool ok = true;
  for (const ParmVarDecl *param : kernel.parameters()) {
    if (!param->getType()->isPointerType())
      continue;
    ok = false;
    diagnostics.Report(
        param->getLocation(),
        diagnostics.getCustomDiagID(
            DiagnosticsEngine::Error,
            "parameter %0 of kernel %1 is a raw pointer; the safe profile "
            "wants a tessera::span, or [[tessera::unsafe]] on the kernel"))
        << param << &kernel;
  }
  return ok;
}

} // namespace

bool checkSafeProfile(CompilerInstance &compiler,
                      llvm::ArrayRef<const Decl *> reached) {
  DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  bool ok = true;
  for (const Decl *decl : reached) {
    const auto *function = dyn_cast<FunctionDecl>(decl);
    if (!function || isTrusted(function, compiler.getSourceManager()) ||
        isUnsafe(function))
      continue;
    if (isKernel(function))
      ok &= checkParameters(*function, diagnostics);
    SafeProfileVisitor visitor(compiler.getASTContext(), diagnostics);
    visitor.TraverseDecl(const_cast<FunctionDecl *>(function));
    ok &= visitor.ok;
  }
  return ok;
}

} // namespace tessera::frontend
