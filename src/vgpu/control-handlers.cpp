// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, calls, returns, traps and the stack.

#include "vgpu/block.h"
#include "vgpu/builtins.h"
#include "vgpu/fault.h"
#include "vgpu/handlers.h"
#include "vgpu/launch.h"

#include <algorithm>

using namespace tessera::vgpu;

namespace {

/// Leaves only the lanes in the current group whose value in `instr.a` is that
/// of its first lane; the others execute the instruction again. Returns that
/// value.
template <class T> T takeUniform(Warp &warp, const Instr &instr) {
  warp.isolate(instr);
  const T *values = warp.lanes<T>(instr.a);
  const T value = values[firstLane(warp.exec)];
  LaneMask others = 0;
  for (unsigned lane : LanesOf(warp.exec))
    if (values[lane] != value)
      others |= LaneMask(1) << lane;
  if (others) {
    warp.split(others, &instr);
    warp.exec &= ~others;
  }
  return value;
}

const CallSite &callSite(Warp &warp, const Instr &instr) {
  return warp.current->frame->function->calls[instr.detail];
}

/// Whether a call with these arguments and results fits the function.
bool fits(const std::vector<CallPlace> &actual,
          const std::vector<CallPlace> &formal) {
  return std::ranges::equal(actual, formal, {}, &CallPlace::size,
                            &CallPlace::size);
}

} // namespace

const Instr *tessera::vgpu::executeJoin(Warp &warp, const Instr &instr) {
  return warp.join(instr);
}

const Instr *tessera::vgpu::executeJump(Warp &warp, const Instr &instr) {
  return warp.jump(instr, instr.target);
}

const Instr *tessera::vgpu::executeBranch(Warp &warp, const Instr &instr) {
  LaneMask taken = warp.predicate(instr.a);
  if (instr.aNegated)
    taken = ~taken;
  return warp.branch(instr, taken, instr.target);
}

const Instr *tessera::vgpu::executeBranchIndexed(Warp &warp,
                                                 const Instr &instr) {
  const auto index = takeUniform<std::uint32_t>(warp, instr);
  const auto &table = warp.current->frame->function->branchTables[instr.detail];
  if (index >= table.size())
    return warp.fault(instr, FaultKind::invalidAddress,
                      concat("branch index ", index, " is out of the table of ",
                             table.size(), " targets"),
                      firstLane(warp.exec));
  return warp.jump(instr, table[index]);
}

const Instr *tessera::vgpu::executeCall(Warp &warp, const Instr &instr) {
  const CallSite &site = callSite(warp, instr);
  return warp.call(instr, site, *site.callee);
}

const Instr *tessera::vgpu::executeCallIndirect(Warp &warp,
                                                const Instr &instr) {
  const auto address = takeUniform<std::uint64_t>(warp, instr);
  const CallSite &site = callSite(warp, instr);
  const Function *callee = warp.block.launch.program.functionAt(address);
  if (!callee)
    return warp.fault(
        instr, FaultKind::invalidAddress,
        concat("call through ", hex(address), ", which is no function"),
        firstLane(warp.exec), address);
  if (!fits(site.arguments, callee->params) ||
      !fits(site.results, callee->results))
    return warp.fault(instr, FaultKind::invalidAddress,
                      concat("call through a pointer to '", callee->name,
                             "', whose parameters or results differ in number "
                             "or size"),
                      firstLane(warp.exec), address);
  return warp.call(instr, site, *callee);
}

const Instr *tessera::vgpu::executeCallBuiltin(Warp &warp, const Instr &instr) {
  const CallSite &site = callSite(warp, instr);
  switch (site.builtin) {
  case Builtin::vprintf:
    return callPrintf(warp, instr, site);
  case Builtin::assertFail:
    return callAssertFail(warp, instr, site);
  case Builtin::malloc:
    return callMalloc(warp, instr, site);
  case Builtin::free:
    return callFree(warp, instr, site);
  case Builtin::none:
    break;
  }
  return warp.fault(instr, FaultKind::unsupported,
                    concat("device-side '", site.name,
                           "' is not supported by the virtual GPU"),
                    firstLane(warp.exec));
}

const Instr *tessera::vgpu::executeReturn(Warp &warp, const Instr &instr) {
  return warp.returnLanes(instr);
}

const Instr *tessera::vgpu::executeExit(Warp &warp, const Instr &instr) {
  return warp.exitLanes(instr);
}

const Instr *tessera::vgpu::executeEnd(Warp &warp, const Instr &instr) {
  return warp.returnLanes(instr);
}

const Instr *tessera::vgpu::executeTrap(Warp &warp, const Instr &instr) {
  return warp.fault(instr, FaultKind::trap, "trap", firstLane(warp.exec));
}

const Instr *tessera::vgpu::executeBreakpoint(Warp &warp, const Instr &instr) {
  return warp.fault(instr, FaultKind::trap, "breakpoint without a debugger",
                    firstLane(warp.exec));
}

const Instr *tessera::vgpu::executeYield(Warp &warp, const Instr &instr) {
  warp.isolate(instr);
  return warp.endTurn(&instr + 1);
}

const Instr *tessera::vgpu::executeUnsupported(Warp &warp, const Instr &instr) {
  const Function &function = *warp.current->frame->function;
  return warp.fault(
      instr, FaultKind::unsupported,
      concat("'", function.ast->instructions[instr.index].mnemonic.str(),
             "' is not supported by the virtual GPU"),
      firstLane(warp.exec));
}

//===----------------------------------------------------------------------===//
// The stack
//===----------------------------------------------------------------------===//

const Instr *tessera::vgpu::executeAlloca(Warp &warp, const Instr &instr) {
  Frame &frame = *warp.current->frame;
  const auto *sizes = warp.lanes<std::uint64_t>(instr.a);
  std::uint64_t most = 0;
  for (unsigned lane : LanesOf(warp.exec))
    most = std::max(most, sizes[lane]);
  const auto align = std::uint64_t(instr.offset);
  const std::uint64_t base = (frame.stackTop + align - 1) / align * align;
  const std::uint64_t limit = warp.block.launch.options.stackBytes;
  if (base > limit || most > limit - base)
    return warp.fault(instr, FaultKind::stackOverflow,
                      concat("stack overflow: alloca of ", plural(most, "byte"),
                             " with ", plural(frame.stackTop, "byte"), " of ",
                             limit, " in use"),
                      firstLane(warp.exec));
  frame.stackTop = std::uint32_t(base + most);
  auto *to = warp.lanes<std::uint64_t>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = base;
  return &instr + 1;
}

const Instr *tessera::vgpu::executeStackSave(Warp &warp, const Instr &instr) {
  auto *to = warp.lanes<std::uint64_t>(instr.dst);
  for (unsigned lane : LanesOf(warp.exec))
    to[lane] = warp.current->frame->stackTop;
  return &instr + 1;
}

const Instr *tessera::vgpu::executeStackRestore(Warp &warp,
                                                const Instr &instr) {
  Frame &frame = *warp.current->frame;
  // Other lanes of the frame may have allocated since: their memory stays
  // until the function returns.
  if (warp.exec != frame.live)
    return &instr + 1;
  const auto *saved = warp.lanes<std::uint64_t>(instr.a);
  const std::uint64_t least = frame.stackBase + frame.function->stackBytes;
  std::uint64_t top = least;
  for (unsigned lane : LanesOf(warp.exec))
    top = std::max(top, saved[lane]);
  frame.stackTop = std::uint32_t(std::min<std::uint64_t>(top, frame.stackTop));
  return &instr + 1;
}
