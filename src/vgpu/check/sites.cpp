// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/sites.h"
#include "vgpu/describe.h"

#include <algorithm>

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;
using tessera::ptx::Modifier;
using tessera::ptx::Opcode;
namespace ptx = tessera::ptx;

namespace {

Scope scopeOf(const ptx::Instruction &instruction) {
  if (instruction.has(Modifier::cta))
    return Scope::block;
  if (instruction.has(Modifier::cluster))
    return Scope::cluster;
  return Scope::device;
}

void addOrder(Site &site, const ptx::Instruction &instruction) {
  const bool both = instruction.has(Modifier::acq_rel);
  site.acquires = both || instruction.has(Modifier::acquire);
  site.releases = both || instruction.has(Modifier::release);
}

Site fenceSite(const ptx::Instruction &instruction) {
  Site site{.isStrong = true, .scope = scopeOf(instruction)};
  addOrder(site, instruction);
  // Without a word it is .acq_rel; `.sc` is that and more.
  if (!site.acquires && !site.releases)
    site.acquires = site.releases = true;
  return site;
}

/// `fence.proxy.async[.space]` and the one-directional forms.
Site proxySite(const ptx::Instruction &instruction) {
  Site site;
  site.acquires = site.releases = false;
  site.isProxyFence = instruction.has(Modifier::async) ||
                      instruction.has(Modifier::async_generic);
  const bool global = instruction.has(Modifier::global);
  const bool shared = instruction.has(Modifier::shared) ||
                      instruction.has(Modifier::shared_cta) ||
                      instruction.has(Modifier::shared_cluster);
  site.fencesGlobal = global || !shared;
  site.fencesShared = shared || !global;
  return site;
}

/// mbarrier operations release or acquire unless they say otherwise.
Site mbarrierSite(const ptx::Instruction &instruction) {
  Site site{.isStrong = true, .scope = Scope::cluster};
  const bool isRelaxed = instruction.has(Modifier::relaxed);
  switch (instruction.opcode()) {
  case Opcode::mbarrier_init:
  case Opcode::mbarrier_inval:
    site.isStrong = false;
    break;
  case Opcode::mbarrier_arrive:
  case Opcode::mbarrier_arrive_drop:
    site.releases = !isRelaxed;
    break;
  case Opcode::mbarrier_test_wait:
  case Opcode::mbarrier_try_wait:
    site.acquires = !isRelaxed;
    break;
  default:
    break;
  }
  return site;
}

Site siteOf(const ptx::Instruction &instruction) {
  switch (instruction.opcode()) {
  case Opcode::fence:
    return fenceSite(instruction);
  case Opcode::membar: {
    Site site{.isStrong = true, .acquires = true, .releases = true};
    if (instruction.has(Modifier::cta))
      site.scope = Scope::block;
    return site;
  }
  case Opcode::fence_proxy:
  case Opcode::membar_proxy:
    return proxySite(instruction);
  case Opcode::mbarrier_init:
  case Opcode::mbarrier_inval:
  case Opcode::mbarrier_arrive:
  case Opcode::mbarrier_arrive_drop:
  case Opcode::mbarrier_expect_tx:
  case Opcode::mbarrier_complete_tx:
  case Opcode::mbarrier_test_wait:
  case Opcode::mbarrier_try_wait:
  case Opcode::cp_async_mbarrier_arrive:
    return mbarrierSite(instruction);
  case Opcode::barrier_cluster_arrive:
    return {.releases = !instruction.has(Modifier::relaxed)};
  case Opcode::bar_warp_sync:
    return {.syncsWarp = true};
  case Opcode::cp_async_bulk:
  case Opcode::cp_reduce_async_bulk:
  case Opcode::cp_async_bulk_tensor:
  case Opcode::cp_reduce_async_bulk_tensor:
  case Opcode::wgmma_mma_async:
    return {.usesAsyncProxy = true};
  case Opcode::barrier_cluster_wait:
    return {.acquires = true};
  case Opcode::atom:
  case Opcode::red: {
    Site site{
        .isStrong = true, .isVariable = true, .scope = scopeOf(instruction)};
    addOrder(site, instruction);
    return site;
  }
  case Opcode::ld:
  case Opcode::st: {
    Site site{.isVariable = true, .scope = scopeOf(instruction)};
    addOrder(site, instruction);
    site.isStrong = site.acquires || site.releases ||
                    instruction.has(Modifier::volatile_) ||
                    instruction.has(Modifier::relaxed) ||
                    instruction.has(Modifier::mmio);
    return site;
  }
  default:
    return {};
  }
}

} // namespace

void SiteTable::use(const Program &next) {
  if (program && programNumber == next.number) {
    program = &next;
    return;
  }
  program = &next;
  programNumber = next.number;
  first.clear();
  sites.clear();
  for (const auto &function : next.functions) {
    first.push_back(std::uint32_t(sites.size()));
    for (const ptx::Instruction &instruction : function->ast->instructions)
      sites.push_back(siteOf(instruction));
    // What runs off the end of a function has a number, too.
    sites.emplace_back();
  }
}

void SiteTable::describe(std::uint32_t number, Fault &fault) const {
  const auto after = std::ranges::upper_bound(first, number);
  const auto index = std::size_t(after - first.begin()) - 1;
  Instr instr;
  instr.index = number - first[index];
  describeInstruction(*program, *program->functions[index], instr, fault);
}
