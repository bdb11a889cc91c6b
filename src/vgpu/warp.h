// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp while it runs: up to 32 threads (lanes) whose registers are
// 32-element arrays.
//
// Lanes that are at the same place in the same frame form a *group*; the
// groups of a warp are disjoint and cover its live lanes. One group runs at a
// time. A divergent branch splits the group; groups that meet are merged.
//
// Which group runs: first by turn, then the deepest call, then the lowest
// program counter ("min-PC"). Compilers lay code out so that a join comes
// after what leads to it, so the group that is behind catches up and merges.
// Nothing depends on that for being right: what needs several lanes together
// (warp-wide exchanges, aligned barriers) waits for them. A group that has
// used up its fuel at back edges ends its turn, and the fiber yields to the
// other warps; so lanes, and warps, may wait for each other. Back edges of
// loops that may be waiting (they have an atomic or a volatile access in them)
// cost more fuel.
//
// Thread safety: a warp belongs to the thread that runs its block.

#ifndef TESSERA_VGPU_WARP_H
#define TESSERA_VGPU_WARP_H

#include "vgpu/async/engine.h"
#include "vgpu/program.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::vgpu {

class Block;
class Warp;
struct IssuePoint;

/// An activation of a function by the lanes that called it together.
struct Frame {
  const Function *function = nullptr;
  Frame *parent = nullptr;
  const Instr *callInstr = nullptr; ///< in the parent; null at the bottom
  LaneMask live = 0;                ///< lanes that have not returned
  std::uint32_t depth = 0;
  std::uint32_t stackBase = 0; ///< address in local memory
  std::uint32_t stackTop = 0;  ///< grows by `alloca`
  std::vector<Program::Line> registers;
};

/// What a group is waiting for.
enum class Wait : std::uint8_t {
  none,       ///< ready to run
  converge,   ///< the other lanes of the warp, at an aligned barrier
  collective, ///< the lanes of its member mask, at a warp-wide exchange
  barrier,    ///< a barrier of the block
  cluster,    ///< the barrier of the cluster
  mbarrier,   ///< a phase of an mbarrier
  transfers,  ///< asynchronous operations of its own
};

struct Group {
  Frame *frame = nullptr;
  const Instr *pc = nullptr;
  LaneMask mask = 0;    ///< 0: this place is free
  LaneMask members = 0; ///< of a collective
  LaneMask awaited = 0; ///< lanes that lived when `Wait::converge` began
  Wait wait = Wait::none;
  bool converged = false;              ///< may pass the aligned barrier at `pc`
  std::uint32_t arrivals = 0;          ///< threads it stands for there
  const std::byte *mbarrier = nullptr; ///< what `Wait::mbarrier` waits for
  std::uint64_t turn = 0;
  std::int32_t fuel = 0;
};

/// The special registers as arrays of 32. All but the block's index are set
/// once per launch.
struct SpecialValues {
  template <class T> struct alignas(64) Lanes {
    T lane[warpSize];
    void fill(T value) {
      for (T &element : lane)
        element = value;
    }
  };
  Lanes<std::uint32_t> tid[4], ntid[4], ctaid[4], nctaid[4];
  Lanes<std::uint32_t> clusterid[4], nclusterid[4];
  Lanes<std::uint32_t> clusterCtaid[4], clusterNctaid[4];
  Lanes<std::uint32_t> clusterRank, clusterSize;
  Lanes<std::uint32_t> laneid, warpid, nwarpid, smid, nsmid;
  Lanes<std::uint32_t> lanemaskEq, lanemaskLe, lanemaskLt, lanemaskGe,
      lanemaskGt;
  Lanes<std::uint32_t> dynamicSharedSize, totalSharedSize;
  Lanes<std::uint32_t> zero, warpSizes;
  Lanes<std::uint32_t> reservedEnd;
  Lanes<std::uint64_t> gridid, wideZero;
  Lanes<std::uint64_t> dynamicShared; ///< address of dynamic shared memory
  Lanes<std::uint32_t> dynamicShared32;
  LaneMask isExplicitCluster = 0;
};

class Warp {
public:
  Warp(Block &block, unsigned index);
  Warp(const Warp &) = delete;
  Warp &operator=(const Warp &) = delete;
  ~Warp();

  /// Prepares for a new block: lanes below `threads` live, at the kernel's
  /// first instruction. Fails the launch when the host is out of memory.
  void start(unsigned threads);
  /// The body of the warp's fiber: runs until all lanes have ended, or a fault.
  void run();

  //===--------------------------------------------------------------------===//
  // For the functions that execute instructions
  //===--------------------------------------------------------------------===//

  template <class T> [[nodiscard]] T *lanes(Slot slot) {
    return reinterpret_cast<T *>(bases[slot.base()] + slot.offset());
  }
  /// The same for the registers of any frame.
  template <class T> [[nodiscard]] T *lanesIn(Frame &frame, Slot slot) {
    std::byte *base =
        slot.base() == std::uint32_t(Slot::Base::registers)
            ? reinterpret_cast<std::byte *>(frame.registers.data())
            : bases[slot.base()];
    return reinterpret_cast<T *>(base + slot.offset());
  }
  [[nodiscard]] LaneMask &predicate(Slot slot) {
    return *lanes<LaneMask>(slot);
  }
  /// Puts `value` into the written lanes of a predicate register.
  void setPredicate(Slot slot, LaneMask value) {
    LaneMask &reg = predicate(slot);
    reg = (reg & ~write) | (value & write);
  }

  /// Records a fault of `lane` at `instr` and returns null.
  const Instr *fault(const Instr &instr, FaultKind kind, std::string what,
                     unsigned lane,
                     std::optional<std::uint64_t> address = std::nullopt);

  /// The same of an asynchronous operation that was issued before.
  void failLater(const IssuePoint &issued, FaultKind kind, std::string what);

  /// Continues at `target`, counting fuel when that is a back edge.
  const Instr *jump(const Instr &from, const Instr *target);
  /// Sends the lanes `taken` of the current group to `target`, the others to
  /// the instruction after `from`.
  const Instr *branch(const Instr &from, LaneMask taken, const Instr *target);
  /// Where control paths meet: lets groups that are behind catch up, and
  /// merges.
  const Instr *join(const Instr &at);
  /// Whether `join` would do more than go on.
  [[nodiscard]] bool joinActs(const Instr &at);
  /// Makes the executing lanes the current group, when a guard has picked a
  /// part of it; the others go on after `instr`.
  void isolate(const Instr &instr);
  /// Makes the executing lanes the current group and says for how many threads
  /// it arrives at a barrier. False when the barrier is aligned and other lanes
  /// of the warp have not come to it yet: then it must wait for them.
  [[nodiscard]] bool arriveTogether(const Instr &instr, bool isAligned);
  /// Moves lanes of the current group to a group of their own at `pc`.
  Group &split(LaneMask lanes, const Instr *pc);
  /// Ends the executing lanes.
  const Instr *exitLanes(const Instr &instr);
  /// Enters `callee` with the current group, whose call is `instr`.
  const Instr *call(const Instr &instr, const CallSite &site,
                    const Function &callee);
  /// Leaves the current frame with the executing lanes.
  const Instr *returnLanes(const Instr &instr);
  /// The current group waits; runs another one, or other warps.
  const Instr *suspendGroup(const Instr &instr, Wait reason);
  /// Ends the turn of the current group, which goes on at `at`, and gives the
  /// other warps theirs.
  const Instr *endTurn(const Instr *at);

  /// Whether `other` waits at a warp-wide exchange that one of `members` at
  /// `instr` takes part in.
  [[nodiscard]] static bool takesPart(const Group &other, const Instr &instr,
                                      LaneMask members);

  [[nodiscard]] std::span<Group> allGroups() { return groups; }
  [[nodiscard]] bool finished() const { return live == 0; }
  [[nodiscard]] bool hasReadyGroup() const;
  /// "warp 2: lanes 0xffff wait at 'bar.sync 0;' (PTX line 12)" for messages.
  [[nodiscard]] std::string describeWaits() const;

  /// The host address of a lane's local memory at `address`.
  [[nodiscard]] std::byte *localMemory(unsigned lane, std::uint64_t address) {
    return localBase + lane * localStride + address;
  }
  [[nodiscard]] std::uint64_t instructionsExecuted() const { return executed; }
  [[nodiscard]] Dim3 threadIndex(unsigned lane) const;

  // Set before each instruction:
  LaneMask exec = 0;  ///< lanes the instruction is executed for
  LaneMask write = 0; ///< lanes whose registers it may write: also the dead
  Group *current = nullptr;

  LaneMask live = 0; ///< lanes that have not ended
  Block &block;
  const unsigned index;
  SpecialValues specials;
  /// The turn ended without anything done but waiting in a loop.
  bool spun = false;
  AsyncGroups asyncGroups{};
  /// Lanes that have arrived at the barrier of the cluster and not waited, and
  /// in which phase.
  LaneMask atCluster = 0;
  std::array<std::uint32_t, warpSize> clusterPhase{};

private:
  friend class NativeRunner;

  /// Looks again at what groups wait for; called when lanes have ended or a
  /// group has begun to wait.
  void wakeGroups();
  template <bool isStepped> void execute();
  void wakeConverged();
  const Instr *reschedule();
  const Instr *switchTo(Group &group);
  [[nodiscard]] Group *pickReady();
  void mergeInto(Group &group);
  Group &freeGroup();
  void setMasks();
  void fillSpecials();
  void fillIndices();
  void fillSharedAddresses();
  [[nodiscard]] std::int32_t newFuel() const;
  void copyPlaces(const std::vector<CallPlace> &from, Frame &source,
                  const std::vector<CallPlace> &to, Frame &target);
  void failWithoutProgress();
  /// Those of the lanes that have just ended that the cluster's barrier has
  /// counted in its present phase.
  LaneMask endedAtCluster(LaneMask ended);
  Frame *newFrame(const Function &function);
  void record(const Function &function, const Instr &instr, unsigned lane,
              Fault fault);
  void removeFromFrames(Frame *frame, LaneMask lanes);

  std::array<std::byte *, 4> bases{};
  std::vector<Program::Line> sharedAddresses;
  std::array<Group, warpSize> groups{};
  LaneMask groupExec = 0, groupWrite = 0;
  unsigned groupCount = 0;
  std::uint64_t executed = 0;
  std::uint64_t instructionLimit = 0;

  std::byte *localBase = nullptr;
  std::size_t localStride = 0;
  std::size_t frameBytes = 0; ///< of the registers of all frames
  std::vector<std::unique_ptr<Frame>> frames;   ///< all that were ever made
  std::vector<std::vector<Frame *>> freeFrames; ///< by function
};

/// The lanes of a mask, lowest first: `for (unsigned lane : LanesOf(mask))`.
class LanesOf {
public:
  explicit LanesOf(LaneMask mask) : mask(mask) {}
  struct Iterator {
    LaneMask rest;
    unsigned operator*() const { return unsigned(std::countr_zero(rest)); }
    Iterator &operator++() {
      rest &= rest - 1;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return rest != other.rest; }
  };
  [[nodiscard]] Iterator begin() const { return {mask}; }
  [[nodiscard]] Iterator end() const { return {0}; }

private:
  LaneMask mask;
};

inline unsigned firstLane(LaneMask mask) {
  return unsigned(std::countr_zero(mask));
}

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_WARP_H
