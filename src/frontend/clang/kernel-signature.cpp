// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/kernel-signature.h"
#include "frontend/clang/annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace tessera::frontend {
namespace {

/// The parameter block of a kernel may hold 32,764 bytes (PTX ISA 8.1 on
/// sm_70 and later; 4,352 before).
constexpr std::uint64_t maxParamBytes = 32764;

class SignatureReader {
public:
  SignatureReader(const FunctionDecl &kernel, DiagnosticsEngine &diagnostics)
      : kernel(kernel), context(kernel.getASTContext()),
        diagnostics(diagnostics) {}

  std::optional<KernelDescription> read();

private:
  const FunctionDecl &kernel;
  ASTContext &context;
  DiagnosticsEngine &diagnostics;
  KernelDescription description;
  bool failed = false;

  template <unsigned N>
  DiagnosticBuilder error(SourceLocation location, const char (&format)[N]) {
    failed = true;
    return diagnostics.Report(location, diagnostics.getCustomDiagID(
                                            DiagnosticsEngine::Error, format));
  }

  void checkFunction();
  void readParam(const ParmVarDecl &param);
  bool checkParamType(const ParmVarDecl &param, QualType type);
  void readLaunchAttributes();
  image::Shape readShape(llvm::StringRef annotation);
  ElementType describeElement(QualType type) const;
};

void SignatureReader::checkFunction() {
  SourceLocation location = kernel.getLocation();
  if (!kernel.getReturnType()->isVoidType())
    error(location, "kernel %0 must return void, not %1")
        << &kernel << kernel.getReturnType();
  if (kernel.isVariadic())
    error(location, "kernel %0 must not take a variable number of arguments")
        << &kernel;
  if (const auto *method = dyn_cast<CXXMethodDecl>(&kernel);
      method && method->isInstance())
    error(location,
          "kernel %0 must be a free function or a static member function")
        << &kernel;
  if (kernel.isMain())
    error(location, "'main' runs on the host and cannot be a kernel");
  if (kernel.isConsteval())
    error(location, "kernel %0 must not be consteval: it would never run")
        << &kernel;
}

ElementType SignatureReader::describeElement(QualType type) const {
  ElementType element;
  element.isConst = type.isConstQualified();
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isIncompleteType() || type->isFunctionType())
    return element;
  element.size = context.getTypeSizeInChars(type).getQuantity();
  if (type->isBooleanType()) {
    element.code = mir::ElementCode::boolean;
  } else if (type->isPointerType()) {
    element.code = mir::ElementCode::pointer;
  } else if (type->isIntegralOrEnumerationType() || type->isNullPtrType()) {
    switch (element.size) {
    case 1:
      element.code = mir::ElementCode::i8;
      break;
    case 2:
      element.code = mir::ElementCode::i16;
      break;
    case 4:
      element.code = mir::ElementCode::i32;
      break;
    case 8:
      element.code = mir::ElementCode::i64;
      break;
    default:
      break;
    }
  } else if (const auto *builtin = type->getAs<BuiltinType>()) {
    switch (builtin->getKind()) {
    case BuiltinType::Float16:
      element.code = mir::ElementCode::f16;
      break;
    case BuiltinType::BFloat16:
      element.code = mir::ElementCode::bf16;
      break;
    case BuiltinType::Float:
      element.code = mir::ElementCode::f32;
      break;
    case BuiltinType::Double:
      element.code = mir::ElementCode::f64;
      break;
    default:
      break;
    }
  }
  return element;
}

/// Whether objects of `type` have a reference among their parts.
bool holdsReference(QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  return llvm::any_of(record->fields(),
                      [](const FieldDecl *field) {
                        return field->getType()->isReferenceType() ||
                               holdsReference(field->getType());
                      }) ||
         llvm::any_of(record->bases(), [](const CXXBaseSpecifier &base) {
           return holdsReference(base.getType());
         });
}

/// Whether `type` is a pointer or span to a class with virtual functions.
bool pointsToPolymorphic(QualType type) {
  QualType pointee = type->getPointeeType();
  if (const auto *specialization =
          dyn_cast_or_null<ClassTemplateSpecializationDecl>(
              type->getAsCXXRecordDecl());
      specialization && findAnnotation(specialization, typeAnnotation))
    pointee = specialization->getTemplateArgs()[0].getAsType();
  const CXXRecordDecl *record =
      pointee.isNull() ? nullptr : pointee->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->isPolymorphic();
}

bool SignatureReader::checkParamType(const ParmVarDecl &param, QualType type) {
  SourceLocation location = param.getLocation();
  if (type->isReferenceType()) {
    error(
        location,
        "parameter %0 of kernel %1 is a reference: the device cannot reach the "
        "host's objects; pass it by value, or a tessera::buffer to a span")
        << &param << &kernel;
    return false;
  }
  if (type->isIncompleteType() || type->isDependentType()) {
    error(location, "parameter %0 of kernel %1 has the incomplete type %2")
        << &param << &kernel << type;
    return false;
  }
  if (!type.isTriviallyCopyableType(context)) {
    error(location, "parameter %0 of kernel %1 has type %2, which is not "
                    "trivially copyable: "
                    "arguments are copied to the device as bytes")
        << &param << &kernel << type;
    return false;
  }
  if (holdsReference(type)) {
    error(location,
          "parameter %0 of kernel %1 has type %2, which holds a reference "
          "(a lambda that captures by reference, for one): the device cannot "
          "reach the host's objects; capture by value")
        << &param << &kernel << type;
    return false;
  }
  if (type->isMemberFunctionPointerType()) {
    error(location, "parameter %0 of kernel %1 points to a member function: "
                    "the host's functions are not the device's")
        << &param << &kernel;
    return false;
  }
  if (const auto *integer = type->getAs<BitIntType>();
      integer && integer->getNumBits() > 64) {
    error(location, "parameter %0 of kernel %1 has type %2; integers of more "
                    "than 64 bits are passed as __int128 or in a class")
        << &param << &kernel << type;
    return false;
  }
  if (pointsToPolymorphic(type)) {
    error(location, "parameter %0 of kernel %1 leads to objects with virtual "
                    "functions: the host's objects have the host's functions, "
                    "which the device cannot call")
        << &param << &kernel;
    return false;
  }
  if (const auto *builtin = type->getAs<BuiltinType>();
      builtin && (builtin->getKind() == BuiltinType::LongDouble ||
                  builtin->getKind() == BuiltinType::Float128)) {
    error(
        location,
        "parameter %0 of kernel %1 has type %2, which the device does not have")
        << &param << &kernel << type;
    return false;
  }
  return true;
}

void SignatureReader::readParam(const ParmVarDecl &param) {
  QualType type = param.getType().getCanonicalType().getUnqualifiedType();
  if (!checkParamType(param, type))
    return;

  image::Param row;
  row.name = param.getNameAsString();
  if (row.name.empty())
    row.name = "arg" + std::to_string(description.row.params.size());
  row.type = param.getType().getUnqualifiedType().getAsString(
      context.getPrintingPolicy());
  row.size = context.getTypeSizeInChars(type).getQuantity();
  row.align = context.getTypeAlignInChars(type).getQuantity();
  row.offset = llvm::alignTo(description.row.paramBytes, row.align);

  ElementType element;
  if (const auto *pointer = type->getAs<PointerType>()) {
    row.kind = image::ParamKind::pointer;
    element = describeElement(pointer->getPointeeType());
    row.elementSize = element.size;
  } else if (const auto *record = type->getAsCXXRecordDecl()) {
    const AnnotateAttr *annotation = findAnnotation(record, typeAnnotation);
    const auto *specialization =
        dyn_cast<ClassTemplateSpecializationDecl>(record);
    std::string kind =
        annotation ? stringArgument(*annotation).value_or("") : "";
    if (specialization && (kind == "slice" || kind == "disjoint_slice")) {
      row.kind = kind == "slice" ? image::ParamKind::slice
                                 : image::ParamKind::disjointSlice;
      element =
          describeElement(specialization->getTemplateArgs()[0].getAsType());
      row.elementSize = element.size;
    }
  }
  std::uint64_t end = std::uint64_t(row.offset) + row.size;
  if (end > maxParamBytes) {
    error(param.getLocation(),
          "the parameters of kernel %0 take more than %1 bytes up to %2")
        << &kernel << unsigned(maxParamBytes) << &param;
    return;
  }
  description.row.paramBytes = end;
  description.row.params.push_back(std::move(row));
  description.elements.push_back(element);
}

image::Shape SignatureReader::readShape(llvm::StringRef name) {
  const AnnotateAttr *annotation = findAnnotation(&kernel, name);
  if (!annotation)
    return {};
  auto values = integerArguments(*annotation, &kernel);
  if (!values || values->empty() || values->size() > 3 ||
      llvm::is_contained(*values, 0u)) {
    error(annotation->getLocation(),
          "%0 of kernel %1 needs one to three positive integer constants")
        << name << &kernel;
    return {};
  }
  values->resize(3, 1);
  return {(*values)[0], (*values)[1], (*values)[2]};
}

void SignatureReader::readLaunchAttributes() {
  image::Kernel &row = description.row;
  row.block = readShape(blockAnnotation);
  row.cluster = readShape(clusterAnnotation);
  if (std::uint64_t threads =
          std::uint64_t(row.block.x) * row.block.y * row.block.z;
      threads > 1024)
    error(kernel.getLocation(),
          "the block of kernel %0 has %1 threads; a block has at most 1024")
        << &kernel << unsigned(threads);
  const AnnotateAttr *bounds = findAnnotation(&kernel, launchBoundsAnnotation);
  if (!bounds)
    return;
  auto values = integerArguments(*bounds, &kernel);
  if (!values || values->empty() || values->size() > 2 || (*values)[0] == 0 ||
      (*values)[0] > 1024) {
    error(bounds->getLocation(),
          "launch bounds of kernel %0 need the most threads of a block (1 to "
          "1024) and, optionally, the least blocks per multiprocessor")
        << &kernel;
    return;
  }
  row.maxThreads = (*values)[0];
  row.minBlocks = values->size() > 1 ? (*values)[1] : 0;
}

std::optional<KernelDescription> SignatureReader::read() {
  checkFunction();
  for (const ParmVarDecl *param : kernel.parameters())
    readParam(*param);
  readLaunchAttributes();
  if (failed)
    return std::nullopt;
  llvm::raw_string_ostream name(description.row.name);
  kernel.getNameForDiagnostic(name, context.getPrintingPolicy(),
                              /*Qualified=*/true);
  description.row.location =
      describeLocation(kernel.getLocation(), context.getSourceManager());
  return std::move(description);
}

} // namespace

std::optional<KernelDescription>
describeKernel(const FunctionDecl &kernel, DiagnosticsEngine &diagnostics) {
  return SignatureReader(kernel, diagnostics).read();
}

image::SourceLocation describeLocation(SourceLocation location,
                                       const SourceManager &sources) {
  PresumedLoc presumed =
      sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (presumed.isInvalid())
    return {};
  return {presumed.getFilename(), presumed.getLine(), presumed.getColumn()};
}

} // namespace tessera::frontend
