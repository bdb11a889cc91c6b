// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/context.h"
#include "vgpu/block.h"
#include "vgpu/launch.h"
#include "vgpu/text.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

Place Context::place(const Dim3 &block, unsigned thread, std::uint32_t site,
                     std::string what) const {
  Fault at{};
  sites.describe(site, at);
  const Dim3 &size = launch->config.block;
  return {.what = std::move(what),
          .kernel = launch->kernel.info.name,
          .block = block,
          .thread = Dim3{thread % size.x, thread / size.x % size.y,
                         thread / size.x / size.y},
          .instruction = std::move(at.instruction),
          .ptx = at.ptx,
          .sourceFile = std::move(at.sourceFile),
          .sourceLine = at.sourceLine};
}

Place Context::place(const Warp &warp, const Instr &instr, unsigned lane,
                     std::string what) const {
  return place(warp.block.index, warp.index * warpSize + lane,
               siteOf(warp, instr), std::move(what));
}

std::string Context::describeShared(std::uint64_t offset) const {
  for (const SharedVariable &variable : launch->kernel.sharedVariables)
    if (offset >= variable.offset && offset - variable.offset < variable.size)
      return concat("byte ", offset - variable.offset, " of shared variable '",
                    variable.name, "' (", plural(variable.size, "byte"), ")");
  if (launch->config.dynamicShared && offset >= launch->dynamicShared)
    return concat("byte ", offset - launch->dynamicShared,
                  " of dynamic shared memory (",
                  plural(launch->config.dynamicShared, "byte"), ")");
  return concat("shared memory at ", hex(offset));
}

std::string Context::describeGlobal(std::uint64_t address) const {
  const auto view = launch->program.memory->view();
  const Allocation *found = view->find(address);
  if (!found)
    return concat("global memory at ", hex(address));
  const std::string part = concat("byte ", address - found->base, " of ");
  if (found->kind == Allocation::Kind::device)
    return concat(part, "allocation ", found->number, " of the device (",
                  plural(found->size, "byte"), ")");
  return part + found->describe();
}
