// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// racecheck: two accesses to the same bytes of shared or global memory, one of
// them a write, that nothing orders (PTX ISA 9.0, section 8).
//
// What orders: a thread's own program; barriers of a block and a cluster;
// `bar.warp.sync`; mbarriers; release and acquire with a scope that both sides
// are in, by instructions or fences; and waiting for asynchronous operations.
// Writes of the generic proxy are seen by the async proxy (bulk copies, wgmma)
// only after a `fence.proxy.async`. Strong operations whose scopes hold both
// sides do not race with each other. Launches are in order.

#ifndef TESSERA_VGPU_CHECK_RACECHECK_H
#define TESSERA_VGPU_CHECK_RACECHECK_H

#include "vgpu/check/context.h"
#include "vgpu/check/race-state.h"

#include <unordered_map>

namespace tessera::vgpu::check {

class Racecheck final : public Checker {
public:
  using Checker::Checker;

  void launchBegins(const Launch &launch) override;
  void launchEnds(const Launch &launch) override;
  void blockBegins(Block &block) override;
  void access(const AccessEvent &event) override;
  void fence(Warp &warp, const Instr &instr, LaneMask lanes) override;
  void barrierArrived(Warp &warp, const Instr &instr, LaneMask lanes,
                      unsigned id, bool waits) override;
  void barrierCompleted(Block &block, unsigned id) override;
  void clusterArrived(Warp &warp, const Instr &instr, LaneMask lanes) override;
  void clusterCompleted(Cluster &cluster) override;
  void clusterPassed(Warp &warp, const Instr &instr, LaneMask lanes) override;
  void lanesMet(Warp &warp, const Instr &instr, LaneMask lanes) override;
  void mbarrierInit(Warp &warp, const Instr &instr, unsigned lane,
                    const std::byte *at, std::uint64_t old) override;
  void mbarrierArrived(Warp &warp, const Instr &instr, unsigned lane,
                       const std::byte *at) override;
  void mbarrierArrivesLater(Warp &warp, const Instr &instr, unsigned lane,
                            const std::byte *at) override;
  void mbarrierCompleted(const std::byte *at) override;
  void mbarrierPassed(Warp &warp, const Instr &instr, unsigned lane,
                      const std::byte *at) override;
  void asyncIssued(const AsyncIssue &issue, const Instr &instr,
                   AsyncOperation &operation) override;
  void groupCommitted(Warp &warp, const Instr &instr, LaneMask lanes,
                      AsyncKind kind) override;
  void groupWaited(Warp &warp, const Instr &instr, LaneMask lanes,
                   AsyncKind kind, bool readOnly,
                   const std::uint32_t *ends) override;

private:
  class AsyncRecorder;

  /// Who accesses memory now.
  struct Actor {
    Agent agent = 0;
    Time time = 0;
    AccessInfo info; ///< with the lane
    const View *view = nullptr;
    WarpState *issuer = nullptr;
    bool isThread = true;
    AccessKind kind = AccessKind::read;
    std::uint32_t bytes = 0;
  };
  /// Where an access goes, for messages.
  struct Target {
    const Block *block = nullptr; ///< null: global memory
    std::uint64_t address = 0;
  };

  //===-- Threads ---------------------------------------------------------===//
  BlockState &stateOf(const Block &block);
  WarpState &stateOf(const Warp &warp);
  void join(View &view, const View &other);
  void publishTo(ViewCollector &collector, WarpState &warp, LaneMask lanes);
  void observe(LaneState &lane, const Site &site, std::uint32_t block,
               const SyncVariable &variable);
  void publish(WarpState &warp, unsigned lane, const Site &site, bool isUpdate,
               SyncVariables &variables, const std::byte *at);
  void orderAccess(const AccessEvent &event, WarpState &warp, const Site &site);

  //===-- Memory ----------------------------------------------------------===//
  template <class Visit>
  void forEachCell(BlockState *block, std::uint64_t address,
                   std::uint32_t bytes, Visit visit);
  [[nodiscard]] Time known(const KnowledgeRef &knowledge, Agent agent,
                           unsigned lane);
  [[nodiscard]] bool isOrdered(Agent agent, unsigned lane, Time time,
                               AccessInfo info, bool isWrite,
                               const Actor &actor, const Target &target);
  [[nodiscard]] bool isMorallyStrong(Agent agent, AccessInfo info,
                                     const Actor &actor) const;
  void checkAgainstWrite(const Cell &cell, const Actor &actor,
                         const Target &target);
  void checkAgainstRead(const ReadMark &mark, const Actor &actor,
                        const Target &target);
  void check(Cell &cell, const Actor &actor, const Target &target);
  void record(Cell &cell, const Actor &actor, const Target &target);
  void recordRead(Cell &cell, const Actor &actor, const Target &target);
  void report(Agent agent, AccessInfo info, unsigned lane, bool wasWrite,
              Time time, const Actor &actor, const Target &target);
  [[nodiscard]] Place priorPlace(Agent agent, AccessInfo info, unsigned lane,
                                 bool wasWrite) const;

  //===-- Who is who ------------------------------------------------------===//
  struct Owner {
    std::uint32_t block = 0; ///< serial
    unsigned warp = 0;
  };
  [[nodiscard]] Owner ownerOf(Agent agent) const;
  [[nodiscard]] Scope distance(std::uint32_t a, std::uint32_t b) const;
  MbarrierState &mbarrierAt(const std::byte *at);
  /// The block whose shared memory holds a host address; null: none.
  BlockState *blockAt(const std::byte *at, const Warp &warp, Target &target);

  struct BlockRecord {
    Dim3 index;
    std::uint32_t cluster = 0;
  };
  std::vector<BlockRecord> blockRecords; ///< by serial
  std::uint32_t clusterCount = 0;
  std::unordered_map<const Block *, std::unique_ptr<BlockState>> blocks;
  std::unordered_map<const Cluster *, BarrierState> clusters;
  std::unordered_map<const Cluster *, View> clusterViews;
  std::unordered_map<const std::byte *, BlockState *> mbarrierBlocks;
  std::vector<Owner> mbarrierOwners;
  RaceMemory memory;
  SyncVariables variables; ///< in global memory

  const Block *lastBlock = nullptr;
  BlockState *lastState = nullptr;
  struct {
    const Knowledge *knowledge = nullptr;
    Agent agent = 0;
    const Knowledge::Entry *entry = nullptr;
  } lookup;
  struct {
    View a, b, sum;
  } lastJoin;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_RACECHECK_H
