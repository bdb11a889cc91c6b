// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/attributes.h"
#include "frontend/clang/annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// The compiler runs one file at a time; a clang process that compiles several
// takes the list after each.
std::vector<FunctionDecl *> markedKernels;

/// What the four attributes share: no arguments, C++11 spelling, turned into
/// an annotation.
struct AttributeInfo : ParsedAttrInfo {
  Spelling spelling;
  llvm::StringLiteral annotation;

  AttributeInfo(const char *name, llvm::StringLiteral annotation)
      : spelling{ParsedAttr::AS_CXX11, name}, annotation(annotation) {
    Spellings = llvm::ArrayRef(&spelling, 1);
  }

  bool reject(Sema &sema, const ParsedAttr &attr, const Decl *decl,
              const char *what) const {
    unsigned id = sema.getDiagnostics().getCustomDiagID(
        DiagnosticsEngine::Error, "'%0' attribute only applies to %1");
    sema.Diag(attr.getLoc(), id)
        << spelling.NormalizedFullName << what << attr.getRange();
    return false;
  }

  void annotate(Sema &sema, Decl *decl, const ParsedAttr &attr) const {
    decl->addAttr(AnnotateAttr::Create(sema.Context, annotation, nullptr, 0,
                                       attr.getRange()));
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    annotate(sema, decl, attr);
    return AttributeApplied;
  }
};

struct KernelAttribute final : AttributeInfo {
  KernelAttribute() : AttributeInfo("tessera::kernel", kernelAnnotation) {}

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr,
                            const Decl *decl) const override {
    return isa<FunctionDecl>(decl) || reject(sema, attr, decl, "functions");
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    annotate(sema, decl, attr);
    markedKernels.push_back(cast<FunctionDecl>(decl));
    return AttributeApplied;
  }
};

/// Shared and constant memory: attributes of variables.
struct VariableAttribute : AttributeInfo {
  using AttributeInfo::AttributeInfo;
  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr,
                            const Decl *decl) const override {
    const auto *variable = dyn_cast<VarDecl>(decl);
    return (variable && !isa<ParmVarDecl>(variable)) ||
           reject(sema, attr, decl, "variables");
  }
};
struct SharedAttribute final : VariableAttribute {
  SharedAttribute() : VariableAttribute("tessera::shared", sharedAnnotation) {}

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    // Another thread may have written what this one reads: clang's analysis of
    // uninitialised variables, which leaves implicit ones out, does not apply.
    decl->setImplicit();
    return VariableAttribute::handleDeclAttribute(sema, decl, attr);
  }
};
struct ConstantAttribute final : VariableAttribute {
  ConstantAttribute()
      : VariableAttribute("tessera::constant", constantAnnotation) {}
};

struct UnsafeAttribute final : AttributeInfo {
  UnsafeAttribute() : AttributeInfo("tessera::unsafe", unsafeAnnotation) {}
  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr,
                            const Decl *decl) const override {
    return isa<FunctionDecl>(decl) || reject(sema, attr, decl, "functions");
  }
};

ParsedAttrInfoRegistry::Add<KernelAttribute>
    addKernel("tessera.kernel", "a function that runs on the device");
ParsedAttrInfoRegistry::Add<SharedAttribute>
    addShared("tessera.shared", "memory shared by the threads of a block");
ParsedAttrInfoRegistry::Add<ConstantAttribute>
    addConstant("tessera.constant", "read-only memory of the device");
ParsedAttrInfoRegistry::Add<UnsafeAttribute>
    addUnsafe("tessera.unsafe", "a function that may use raw pointers");

} // namespace

std::vector<FunctionDecl *> takeMarkedKernels() {
  return std::exchange(markedKernels, {});
}

} // namespace tessera::frontend
