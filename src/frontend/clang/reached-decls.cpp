// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/reached-decls.h"
#include "frontend/clang/annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"

using namespace clang;

namespace tessera::frontend {
namespace {

class ReferenceCollector : public RecursiveASTVisitor<ReferenceCollector> {
public:
  explicit ReferenceCollector(DiagnosticsEngine &diagnostics)
      : diagnostics(diagnostics) {}

  DeclSet reached;
  bool ok = true;

  void collect(FunctionDecl *root) {
    add(root);
    while (!pending.empty())
      TraverseDecl(pending.pop_back_val());
  }

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *expr) { return add(expr->getDecl()); }
  bool VisitMemberExpr(MemberExpr *expr) { return add(expr->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *expr) {
    addDestructor(expr->getType());
    return add(expr->getConstructor());
  }
  bool VisitVarDecl(VarDecl *variable) {
    addDestructor(variable->getType());
    if (variable->isLocalVarDecl())
      checkVariable(*variable);
    return true;
  }
  // Without type descriptions on the device all types would compare equal.
  bool VisitCXXTypeidExpr(CXXTypeidExpr *expr) {
    error(expr->getBeginLoc(),
          "device code cannot use run-time type information (typeid)");
    return true;
  }

  bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr *expr) {
    if (expr->getCastKind() == CK_Dynamic)
      error(expr->getBeginLoc(),
            "device code cannot use run-time type information (dynamic_cast)");
    return true;
  }

private:
  DiagnosticsEngine &diagnostics;
  llvm::SmallVector<Decl *, 32> pending;

  template <unsigned N>
  void error(SourceLocation location, const char (&message)[N]) {
    ok = false;
    diagnostics.Report(location, diagnostics.getCustomDiagID(
                                     DiagnosticsEngine::Error, message));
  }

  void addDestructor(QualType type) {
    const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition())
      return;
    if (CXXDestructorDecl *destructor = record->getDestructor())
      add(destructor);
  }

  bool add(Decl *decl) {
    if (auto *variable = dyn_cast<VarDecl>(decl)) {
      if (VarDecl *definition = variable->getDefinition())
        variable = definition;
      if (!variable->hasGlobalStorage() || !reached.insert(variable))
        return true;
      checkVariable(*variable);
      if (Expr *init = variable->getInit())
        TraverseStmt(init);
    } else if (auto *function = dyn_cast<FunctionDecl>(decl)) {
      if (FunctionDecl *definition = function->getDefinition())
        if (reached.insert(definition))
          pending.push_back(definition);
    }
    return true;
  }

  /// Nobody runs initialisers or destructors of variables in shared memory,
  /// and constant memory is filled before the kernel starts.
  void checkVariable(const VarDecl &variable) {
    if (findAnnotation(&variable, constantAnnotation)) {
      if (!variable.hasGlobalStorage())
        error(variable.getLocation(),
              "a [[tessera::constant]] variable lives as long as the program: "
              "make it static, or move it out of the function");
      return;
    }
    if (!findAnnotation(&variable, sharedAnnotation))
      return;
    if (variable.getType().isDestructedType())
      error(variable.getLocation(),
            "a [[tessera::shared]] variable cannot have a destructor: no "
            "thread owns it");
    if (hasInitialiser(variable))
      error(variable.getLocation(),
            "a [[tessera::shared]] variable cannot be initialised: every "
            "thread of the block would do it; assign to it in one thread and "
            "synchronise");
  }

  static bool hasInitialiser(const VarDecl &variable) {
    const Expr *init = variable.getInit();
    if (!init)
      return false;
    const auto *construct = dyn_cast<CXXConstructExpr>(init->IgnoreImplicit());
    return !construct || !construct->getConstructor()->isTrivial() ||
           construct->requiresZeroInitialization();
  }
};

} // namespace

std::optional<DeclSet>
collectReachedDecls(llvm::ArrayRef<FunctionDecl *> kernels,
                    DiagnosticsEngine &diagnostics) {
  ReferenceCollector collector(diagnostics);
  for (FunctionDecl *kernel : kernels)
    collector.collect(kernel);
  if (!collector.ok)
    return std::nullopt;
  return std::move(collector.reached);
}

} // namespace tessera::frontend
