// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "guard/guard.h"
#include "ptx/parser.h"
#include "ptx/validator.h"

#include <sstream>

namespace tessera::guard {
namespace {

/// The parts of a message in one string.
template <class... Parts> std::string text(const Parts &...parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return std::move(stream).str();
}

std::string text(const image::Shape &shape) {
  return text('(', shape.x, ", ", shape.y, ", ", shape.z, ')');
}

/// Holds one variant's PTX against the kernel table.
class Checker {
public:
  Checker(const image::Image &image, const image::Variant &variant)
      : image(image), variant(variant) {}

  Report run();

private:
  const image::Image &image;
  const image::Variant &variant;
  Report report;

  void addSyntax(const ptx::Diagnostic &diagnostic);
  void checkKernel(const ptx::Module &module, const image::Kernel &kernel);
  void checkParams(const ptx::Function &entry, const image::Kernel &kernel);
  void checkShape(const ptx::Function &entry, const image::Kernel &kernel);

  void add(Check check, const image::Kernel &kernel, ptx::SourcePos pos,
           std::string message) {
    report.findings.push_back({check, std::move(message), kernel.symbol,
                               kernel.location, pos.line, pos.column});
  }
};

void Checker::addSyntax(const ptx::Diagnostic &diagnostic) {
  Finding finding{Check::syntax, diagnostic.message, {}, {}, 0, 0};
  finding.line = diagnostic.pos.line;
  finding.column = diagnostic.pos.column;
  report.findings.push_back(std::move(finding));
}

void Checker::checkParams(const ptx::Function &entry,
                          const image::Kernel &kernel) {
  auto params = entry.params();
  if (params.size() != kernel.params.size()) {
    add(Check::kernelTable, kernel, entry.pos,
        text("kernel '", kernel.name, "' has ", kernel.params.size(),
             " parameters in the kernel table and ", params.size(),
             " in the PTX"));
    return;
  }
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const image::Param &row = kernel.params[i];
    std::uint64_t align = params[i].alignment();
    offset = (offset + align - 1) / align * align;
    if (params[i].size() != row.size || offset != row.offset)
      add(Check::kernelTable, kernel, params[i].pos,
          text("parameter '", row.name, "' of kernel '", kernel.name, "' has ",
               row.size, " bytes at offset ", row.offset,
               " in the kernel table and ", params[i].size(),
               " bytes at offset ", offset, " in the PTX"));
    offset += params[i].size();
  }
}

void Checker::checkShape(const ptx::Function &entry,
                         const image::Kernel &kernel) {
  const auto &required = entry.directives.requiredThreads;
  image::Shape shape;
  if (required)
    shape = {required->x, required->y, required->z};
  if (shape != kernel.block)
    add(Check::kernelTable, kernel, entry.pos,
        text("kernel '", kernel.name, "' has the block shape ",
             text(kernel.block), " in the kernel table and ", text(shape),
             " in the PTX"));
}

void Checker::checkKernel(const ptx::Module &module,
                          const image::Kernel &kernel) {
  const ptx::Function *entry = module.findFunction(kernel.symbol);
  if (!entry || !entry->isEntry || !entry->isDefinition) {
    add(Check::kernelTable, kernel, {},
        text("kernel '", kernel.name,
             "' is in the kernel table but the PTX has no entry '",
             kernel.symbol, "'"));
    return;
  }
  ++report.kernels;
  checkParams(*entry, kernel);
  checkShape(*entry, kernel);
  if (kernel.staticShared > maxStaticShared)
    add(Check::capacity, kernel, entry->pos,
        text("kernel '", kernel.name, "' declares ", kernel.staticShared,
             " bytes of shared memory; a block has ", maxStaticShared,
             " without dynamic shared memory"));
}

Report Checker::run() {
  auto module = ptx::parse(variant.ptx);
  if (!module) {
    for (const ptx::Diagnostic &diagnostic : module.error())
      addSyntax(diagnostic);
    return std::move(report);
  }
  for (const ptx::Diagnostic &diagnostic : ptx::validate(*module))
    addSyntax(diagnostic);
  for (const ptx::Function &function : module->functions)
    report.instructions += function.instructions.size();
  for (const image::Kernel &kernel : image.kernels)
    checkKernel(*module, kernel);
  return std::move(report);
}

} // namespace

std::string_view checkName(Check check) {
  switch (check) {
  case Check::syntax:
    return "syntax";
  case Check::kernelTable:
    return "kernel table";
  case Check::capacity:
    return "capacity";
  }
  return "unknown";
}

Report check(const image::Image &image, const image::Variant &variant) {
  return Checker(image, variant).run();
}

} // namespace tessera::guard
