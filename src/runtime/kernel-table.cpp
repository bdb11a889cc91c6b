// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/kernel-table.h"

#include "ptx/parser.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::runtime {
namespace {

/// The shared memory that a kernel uses, itself or through what it calls.
class SharedMemory {
public:
  SharedMemory(const ptx::Module &module, image::Kernel &kernel)
      : module(module), kernel(kernel) {}

  void collect(const ptx::Function &function) {
    if (!seen.insert(&function).second)
      return;
    for (const ptx::Operand &operand : function.operands) {
      const auto *symbol = operand.getIf<ptx::SymbolRef>();
      if (const auto *address = operand.getIf<ptx::Address>())
        symbol = std::get_if<ptx::SymbolRef>(&address->base);
      if (symbol)
        note(function, *symbol);
    }
  }

private:
  void note(const ptx::Function &function, const ptx::SymbolRef &symbol) {
    if (symbol.scope == ptx::SymbolRef::Scope::function)
      return add(function.variables[symbol.index]);
    if (const ptx::Function *callee = module.functionOf(symbol.index))
      return collect(*callee);
    if (const ptx::Variable *variable = module.variableOf(symbol.index))
      add(*variable);
  }

  void add(const ptx::Variable &variable) {
    if (variable.space != ptx::StateSpace::shared ||
        !seen.insert(&variable).second)
      return;
    if (variable.linkage == ptx::Linkage::external || variable.size() == 0)
      kernel.usesDynamicShared = true;
    else
      kernel.staticShared += static_cast<std::uint32_t>(variable.size());
  }

  const ptx::Module &module;
  image::Kernel &kernel;
  std::set<const void *> seen;
};

/// Where the n-th byte at least may be aligned to `align`.
std::uint64_t alignTo(std::uint64_t offset, std::uint32_t align) {
  return (offset + align - 1) / align * align;
}

std::uint32_t threadsOf(const ptx::Extent &extent) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(
      std::uint64_t(extent.x) * extent.y * extent.z, 0xffffffff));
}

image::Shape shapeOf(const ptx::Extent &extent) {
  return {extent.x, extent.y, extent.z};
}

std::optional<image::Kernel> describe(const ptx::Module &module,
                                      const ptx::Function &entry) {
  image::Kernel kernel;
  kernel.symbol = kernel.name = entry.name;
  std::uint64_t end = 0;
  for (const ptx::Variable &variable : entry.params()) {
    const std::uint64_t size = variable.size();
    const std::uint64_t offset = alignTo(end, variable.alignment());
    end = offset + size;
    if (size > 0xffff || end > 0xffff)
      return std::nullopt;
    kernel.params.push_back({.name = std::string(variable.name),
                             .kind = variable.isPointer && size == 8
                                         ? image::ParamKind::pointer
                                         : image::ParamKind::value,
                             .size = static_cast<std::uint32_t>(size),
                             .align = variable.alignment(),
                             .offset = static_cast<std::uint32_t>(offset)});
  }
  kernel.paramBytes = static_cast<std::uint32_t>(end);

  const ptx::Directives &directives = entry.directives;
  if (directives.requiredThreads)
    kernel.block = shapeOf(*directives.requiredThreads);
  if (directives.maxThreads)
    kernel.maxThreads = threadsOf(*directives.maxThreads);
  // A grid that counts clusters needs not be divided into them.
  if (directives.requiredCluster && !directives.blocksAreClusters)
    kernel.cluster = shapeOf(*directives.requiredCluster);
  kernel.minBlocks = directives.minBlocks.value_or(0);
  SharedMemory(module, kernel).collect(entry);
  return kernel;
}

} // namespace

Result<image::Image> imageFromPtx(std::string ptx, const std::string &source) {
  auto module = ptx::parse(ptx);
  if (!module) {
    std::string message = "the PTX is wrong:";
    for (const ptx::Diagnostic &diagnostic : module.error())
      message += "\n" + diagnostic.render(ptx, source);
    return fail(error_kind::invalid_module, "tessera::module",
                std::move(message));
  }

  image::Image result;
  result.source = source;
  for (const ptx::Function &function : module->functions) {
    if (!function.isEntry || !function.isDefinition)
      continue;
    auto kernel = describe(*module, function);
    if (!kernel)
      return fail(error_kind::invalid_module, "tessera::module",
                  "the parameters of kernel '" + std::string(function.name) +
                      "' are larger than any device allows");
    result.kernels.push_back(*std::move(kernel));
  }
  const ptx::Arch arch = module->target.arch;
  result.variants.push_back(
      {{arch.sm, arch.feature}, module->version.number(), std::move(ptx)});
  return result;
}

} // namespace tessera::runtime
