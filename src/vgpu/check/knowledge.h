// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread knows to have happened: a vector clock, made compact. Time
// passes for a warp as a whole; a clock has one entry for each *agent* that it
// knows of, with one time for all 32 lanes while these are the same. Agents
// are warps and what works for them: see race-state.h.
//
// Knowledge is immutable once it is shared: all threads of a block hold the
// same object after a barrier.

#ifndef TESSERA_VGPU_CHECK_KNOWLEDGE_H
#define TESSERA_VGPU_CHECK_KNOWLEDGE_H

#include "vgpu/program.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::vgpu::check {

using Agent = std::uint32_t;
using Time = std::uint32_t; ///< 0: nothing is known

class Knowledge {
public:
  struct Entry {
    Agent agent;
    Time time;                                         ///< of all lanes, or
    std::shared_ptr<std::array<Time, warpSize>> lanes; ///< by lane
    [[nodiscard]] Time at(unsigned lane) const {
      return lanes ? (*lanes)[lane] : time;
    }
  };

  [[nodiscard]] const Entry *find(Agent agent) const;
  [[nodiscard]] Time at(Agent agent, unsigned lane) const {
    const Entry *entry = find(agent);
    return entry ? entry->at(lane) : 0;
  }
  [[nodiscard]] bool empty() const { return entries.empty(); }

  /// The lanes of `agent` are known up to `time`.
  void add(Agent agent, LaneMask lanes, Time time);
  void join(const Knowledge &other);

private:
  static void raise(Entry &entry, LaneMask lanes, Time time);
  static void joinEntry(Entry &entry, const Entry &other);
  static void makeUniform(Entry &entry);

  std::vector<Entry> entries; ///< by agent
};

/// Shared knowledge; null is none.
using KnowledgeRef = std::shared_ptr<const Knowledge>;

/// Knowledge that is being collected out of shared pieces.
class Collector {
public:
  void join(const KnowledgeRef &piece) {
    if (!piece || piece == last)
      return;
    last = piece;
    if (isEmpty && !base) {
      base = piece; // perhaps it is the only one
      return;
    }
    flatten();
    own.join(*piece);
  }
  void add(Agent agent, LaneMask lanes, Time time) {
    flatten();
    own.add(agent, lanes, time);
  }
  /// What was collected, as shared knowledge.
  [[nodiscard]] KnowledgeRef take() {
    if (isEmpty)
      return std::move(base);
    return std::make_shared<const Knowledge>(std::move(own));
  }
  /// The same, and goes on collecting.
  [[nodiscard]] KnowledgeRef copy() {
    if (isEmpty)
      return base;
    base = std::make_shared<const Knowledge>(std::move(own));
    own = {};
    isEmpty = true;
    last = base;
    return base;
  }

private:
  void flatten() {
    if (!isEmpty)
      return;
    isEmpty = false;
    if (base)
      own = *base;
    base = nullptr;
  }

  KnowledgeRef base, last;
  Knowledge own;
  bool isEmpty = true; ///< `own` is not used yet
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_KNOWLEDGE_H
