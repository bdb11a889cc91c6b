// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/check/knowledge.h"
#include "vgpu/warp.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::check;

const Knowledge::Entry *Knowledge::find(Agent agent) const {
  const auto found =
      std::ranges::lower_bound(entries, agent, {}, &Entry::agent);
  return found != entries.end() && found->agent == agent ? &*found : nullptr;
}

void Knowledge::makeUniform(Entry &entry) {
  const Time first = entry.lanes->front();
  if (std::ranges::all_of(*entry.lanes,
                          [&](Time time) { return time == first; })) {
    entry.time = first;
    entry.lanes = nullptr;
  }
}

void Knowledge::raise(Entry &entry, LaneMask lanes, Time time) {
  if (!entry.lanes && lanes == allLanes) {
    entry.time = std::max(entry.time, time);
    return;
  }
  auto times = std::make_shared<std::array<Time, warpSize>>();
  if (entry.lanes)
    *times = *entry.lanes;
  else
    times->fill(entry.time);
  for (unsigned lane : LanesOf(lanes))
    (*times)[lane] = std::max((*times)[lane], time);
  entry.lanes = std::move(times);
  makeUniform(entry);
}

void Knowledge::joinEntry(Entry &entry, const Entry &other) {
  if (!other.lanes)
    return raise(entry, allLanes, other.time);
  if (entry.lanes == other.lanes)
    return;
  auto times = std::make_shared<std::array<Time, warpSize>>(*other.lanes);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    (*times)[lane] = std::max((*times)[lane], entry.at(lane));
  entry.lanes = std::move(times);
  makeUniform(entry);
}

void Knowledge::add(Agent agent, LaneMask lanes, Time time) {
  auto found = std::ranges::lower_bound(entries, agent, {}, &Entry::agent);
  if (found == entries.end() || found->agent != agent)
    found = entries.insert(found, {agent, 0, nullptr});
  raise(*found, lanes, time);
}

void Knowledge::join(const Knowledge &other) {
  std::vector<Entry> merged;
  merged.reserve(std::max(entries.size(), other.entries.size()));
  auto a = entries.begin();
  auto b = other.entries.begin();
  while (a != entries.end() || b != other.entries.end()) {
    if (b == other.entries.end() ||
        (a != entries.end() && a->agent < b->agent)) {
      merged.push_back(std::move(*a++));
    } else if (a == entries.end() || b->agent < a->agent) {
      merged.push_back(*b++);
    } else {
      merged.push_back(std::move(*a++));
      joinEntry(merged.back(), *b++);
    }
  }
  entries = std::move(merged);
}
