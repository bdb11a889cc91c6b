// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/async/engine.h"
#include "vgpu/cluster.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"
#include "vgpu/worker.h"

#include <utility>

using namespace tessera::vgpu;

void AsyncEngine::issue(std::unique_ptr<AsyncOperation> operation,
                        const AsyncIssue &issue, const Instr &instr) {
  if (Monitor *monitor = cluster.worker.launch.monitor)
    monitor->asyncIssued(issue, instr, *operation);
  pending.push_back({std::move(operation), issue});
  if (cluster.worker.launch.options.asyncMoments == AsyncMoments::early)
    complete(pending.size() - 1);
}

bool AsyncEngine::isDone(const Warp &warp, AsyncKind kind, unsigned lane,
                         std::uint32_t end, bool readOnly) const {
  for (const Pending &entry : pending) {
    const AsyncIssue &issue = entry.issue;
    if (issue.warp == &warp && issue.kind == kind &&
        (issue.lanes >> lane & 1) != 0 && issue.group < end &&
        !(readOnly && entry.hasRead))
      return false;
  }
  return true;
}

void AsyncEngine::read(Pending &entry) {
  if (entry.hasRead)
    return;
  entry.operation->read();
  entry.hasRead = true;
  cluster.wake(Cluster::Key(entry.issue.warp));
}

void AsyncEngine::complete(std::size_t place) {
  // Out of the list first: what `write` signals may look at the list.
  Pending entry = std::move(pending[place]);
  pending.erase(pending.begin() + std::ptrdiff_t(place));
  if (!entry.hasRead)
    entry.operation->read();
  entry.operation->write();
  cluster.wake(Cluster::Key(entry.issue.warp));
}

std::size_t AsyncEngine::firstBefore(std::size_t place) const {
  const AsyncIssue &issue = pending[place].issue;
  if (!issue.isOrdered)
    return place;
  for (std::size_t i = 0; i < place; ++i)
    if (pending[i].issue.warp == issue.warp &&
        pending[i].issue.kind == issue.kind)
      return i;
  return place;
}

bool AsyncEngine::advance() {
  if (pending.empty())
    return false;
  complete(0);
  return true;
}

void AsyncEngine::advanceAny() {
  if (pending.empty())
    return;
  Worker &worker = cluster.worker;
  const std::size_t place =
      firstBefore(worker.random(std::uint32_t(pending.size())));
  if (!pending[place].hasRead && worker.random(2) == 0)
    read(pending[place]);
  else
    complete(place);
}

void AsyncEngine::finish() {
  while (advance())
    ;
}
