// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/checks.h"
#include "vgpu/check/context.h"
#include "vgpu/check/memcheck.h"
#include "vgpu/check/racecheck.h"
#include "vgpu/launch.h"

#include <algorithm>
#include <array>
#include <mutex>

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

namespace {

/// Passes every event on to the checkers that are asked for.
class AllChecks final : public Monitor,
                        public Checks,
                        public std::enable_shared_from_this<AllChecks> {
public:
  explicit AllChecks(const CheckOptions &options) {
    const auto wants = [&](Tool tool) {
      return (options.tools & toolBit(tool)) != 0;
    };
    if (wants(Tool::memcheck))
      checkers.push_back(
          std::make_unique<Memcheck>(context, options.findsLeaks));
    if (wants(Tool::racecheck))
      checkers.push_back(std::make_unique<Racecheck>(context));
  }

  //===-- Checks ----------------------------------------------------------===//

  std::shared_ptr<Monitor> monitor() override { return shared_from_this(); }
  void finish() override { tell(&Checker::finish); }
  [[nodiscard]] std::vector<Finding> findings() const override {
    return context.findings.all();
  }

  //===-- Monitor ---------------------------------------------------------===//

  [[nodiscard]] MemoryGuard memoryGuard() const override {
    MemoryGuard most;
    for (const auto &checker : checkers) {
      const MemoryGuard guard = checker->memoryGuard();
      most.redZone = std::max(most.redZone, guard.redZone);
      most.quarantine = std::max(most.quarantine, guard.quarantine);
      most.sharedGap = std::max(most.sharedGap, guard.sharedGap);
    }
    return most;
  }
  [[nodiscard]] bool wantsSteps() const override {
    return std::ranges::any_of(
        checkers, [](const auto &checker) { return checker->wantsSteps(); });
  }

  void moduleLoaded(const Program &program) override {
    tellLocked(&Monitor::moduleLoaded, program);
  }
  void allocated(const Allocation &allocation) override {
    tellLocked(&Monitor::allocated, allocation);
  }
  void freed(const Allocation &allocation) override {
    tellLocked(&Monitor::freed, allocation);
  }
  void hostWrote(std::uint64_t address, std::uint64_t bytes) override {
    tellLocked(&Monitor::hostWrote, address, bytes);
  }
  void hostRead(std::uint64_t address, std::uint64_t bytes) override {
    tellLocked(&Monitor::hostRead, address, bytes);
  }
  void hostCopied(std::uint64_t to, std::uint64_t from,
                  std::uint64_t bytes) override {
    tellLocked(&Monitor::hostCopied, to, from, bytes);
  }
  void failed(const Fault &fault) override {
    tellLocked(&Monitor::failed, fault);
  }

  void launchBegins(const Launch &launch) override {
    context.launch = &launch;
    context.sites.use(launch.program);
    tell(&Monitor::launchBegins, launch);
  }
  void launchEnds(const Launch &launch) override {
    tell(&Monitor::launchEnds, launch);
    context.launch = nullptr;
  }
  void blockBegins(Block &block) override {
    tell(&Monitor::blockBegins, block);
  }
  void frameEntered(Warp &warp, const Frame &frame, LaneMask lanes) override {
    tell(&Monitor::frameEntered, warp, frame, lanes);
  }
  void argumentWritten(Warp &warp, LaneMask lanes, std::uint64_t address,
                       std::uint64_t bytes) override {
    tell(&Monitor::argumentWritten, warp, lanes, address, bytes);
  }
  void lanesEnded(Warp &warp, const Instr &instr, LaneMask lanes) override {
    tell(&Monitor::lanesEnded, warp, instr, lanes);
  }
  void step(Warp &warp, const Instr &instr) override {
    tell(&Monitor::step, warp, instr);
  }
  void access(const AccessEvent &event) override {
    tell(&Monitor::access, event);
  }
  void fence(Warp &warp, const Instr &instr, LaneMask lanes) override {
    tell(&Monitor::fence, warp, instr, lanes);
  }
  void barrierArrived(Warp &warp, const Instr &instr, LaneMask lanes,
                      unsigned id, bool waits) override {
    tell(&Monitor::barrierArrived, warp, instr, lanes, id, waits);
  }
  void barrierCompleted(Block &block, unsigned id) override {
    tell(&Monitor::barrierCompleted, block, id);
  }
  void clusterArrived(Warp &warp, const Instr &instr, LaneMask lanes) override {
    tell(&Monitor::clusterArrived, warp, instr, lanes);
  }
  void clusterCompleted(Cluster &cluster) override {
    tell(&Monitor::clusterCompleted, cluster);
  }
  void clusterPassed(Warp &warp, const Instr &instr, LaneMask lanes) override {
    tell(&Monitor::clusterPassed, warp, instr, lanes);
  }
  void lanesMet(Warp &warp, const Instr &instr, LaneMask lanes) override {
    tell(&Monitor::lanesMet, warp, instr, lanes);
  }
  void shuffledFromAbsent(Warp &warp, const Instr &instr,
                          LaneMask lanes) override {
    tell(&Monitor::shuffledFromAbsent, warp, instr, lanes);
  }
  void convergedByExit(Warp &warp, const Instr &instr, LaneMask lanes,
                       LaneMask ended) override {
    tell(&Monitor::convergedByExit, warp, instr, lanes, ended);
  }
  void mbarrierInit(Warp &warp, const Instr &instr, unsigned lane,
                    const std::byte *at, std::uint64_t old) override {
    tell(&Monitor::mbarrierInit, warp, instr, lane, at, old);
  }
  void mbarrierInvalidated(Warp &warp, const Instr &instr, unsigned lane,
                           const std::byte *at) override {
    tell(&Monitor::mbarrierInvalidated, warp, instr, lane, at);
  }
  void mbarrierArrived(Warp &warp, const Instr &instr, unsigned lane,
                       const std::byte *at) override {
    tell(&Monitor::mbarrierArrived, warp, instr, lane, at);
  }
  void mbarrierArrivesLater(Warp &warp, const Instr &instr, unsigned lane,
                            const std::byte *at) override {
    tell(&Monitor::mbarrierArrivesLater, warp, instr, lane, at);
  }
  void mbarrierCompleted(const std::byte *at) override {
    tell(&Monitor::mbarrierCompleted, at);
  }
  void mbarrierPassed(Warp &warp, const Instr &instr, unsigned lane,
                      const std::byte *at) override {
    tell(&Monitor::mbarrierPassed, warp, instr, lane, at);
  }
  void asyncIssued(const AsyncIssue &issue, const Instr &instr,
                   AsyncOperation &operation) override {
    tell(&Monitor::asyncIssued, issue, instr, operation);
  }
  void groupCommitted(Warp &warp, const Instr &instr, LaneMask lanes,
                      AsyncKind kind) override {
    tell(&Monitor::groupCommitted, warp, instr, lanes, kind);
  }
  void groupWaited(Warp &warp, const Instr &instr, LaneMask lanes,
                   AsyncKind kind, bool readOnly,
                   const std::uint32_t *ends) override {
    tell(&Monitor::groupWaited, warp, instr, lanes, kind, readOnly, ends);
  }

private:
  template <class Event, class... Arguments>
  void tell(Event event, Arguments &&...arguments) {
    for (const auto &checker : checkers)
      (*checker.*event)(arguments...);
  }
  /// For what may come from any thread.
  template <class Event, class... Arguments>
  void tellLocked(Event event, Arguments &&...arguments) {
    std::lock_guard lock(mutex);
    tell(event, arguments...);
  }

  Context context;
  std::vector<std::unique_ptr<Checker>> checkers;
  std::mutex mutex;
};

} // namespace

std::optional<ToolSet> check::toolsNamed(std::string_view wanted) {
  if (wanted == "all")
    return allTools;
  for (const Tool tool : {Tool::memcheck, Tool::racecheck})
    if (wanted == name(tool))
      return toolBit(tool);
  return std::nullopt;
}

std::shared_ptr<Checks> check::makeChecks(const CheckOptions &options) {
  return std::make_shared<AllChecks>(options);
}
