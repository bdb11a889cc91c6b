// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and fences. Device only.
//
// PTX ISA, "Parallel Synchronization and Communication Instructions": bar,
// barrier, bar.warp.sync, membar/fence.

#ifndef TESSERA_DEVICE_SYNC_H
#define TESSERA_DEVICE_SYNC_H

#include <tessera/device/detail.h>

namespace tessera {

namespace detail::nvvm {
TESSERA_INTRINSIC(void, barrier, (int),
                  "llvm.nvvm.barrier.cta.sync.aligned.all");
TESSERA_INTRINSIC(int, barrier_count, (int, bool),
                  "llvm.nvvm.barrier.cta.red.popc.aligned.all");
TESSERA_INTRINSIC(bool, barrier_and, (int, bool),
                  "llvm.nvvm.barrier.cta.red.and.aligned.all");
TESSERA_INTRINSIC(bool, barrier_or, (int, bool),
                  "llvm.nvvm.barrier.cta.red.or.aligned.all");
TESSERA_INTRINSIC(void, warp_sync, (unsigned), "llvm.nvvm.bar.warp.sync");
TESSERA_INTRINSIC(void, membar_cta, (), "llvm.nvvm.membar.cta");
TESSERA_INTRINSIC(void, membar_gl, (), "llvm.nvvm.membar.gl");
TESSERA_INTRINSIC(void, membar_sys, (), "llvm.nvvm.membar.sys");
} // namespace detail::nvvm

/// Every lane of a warp.
inline constexpr unsigned full_warp = ~0u;

/// Waits until all threads of the block arrive; what they wrote before to
/// shared or global memory is visible to all of them after. Every thread of
/// the block must reach the same call: one inside a branch that only some
/// threads take is an error.
TESSERA_FORWARD void sync_threads() { detail::nvvm::barrier(0); }

/// `sync_threads`, and the number of threads whose `predicate` holds.
TESSERA_FORWARD int sync_threads_count(bool predicate) {
  return detail::nvvm::barrier_count(0, predicate);
}

/// `sync_threads`, and whether `predicate` holds in all threads.
TESSERA_FORWARD bool sync_threads_and(bool predicate) {
  return detail::nvvm::barrier_and(0, predicate);
}

/// `sync_threads`, and whether `predicate` holds in any thread.
TESSERA_FORWARD bool sync_threads_or(bool predicate) {
  return detail::nvvm::barrier_or(0, predicate);
}

/// Waits until all lanes of `mask` arrive; memory is ordered among them. The
/// calling lane must be in `mask`.
TESSERA_FORWARD void sync_warp(unsigned mask = full_warp) {
  detail::nvvm::warp_sync(mask);
}

/// Orders this thread's memory accesses for the other threads of its block.
TESSERA_FORWARD void fence_block() { detail::nvvm::membar_cta(); }

/// Orders this thread's memory accesses for all threads of the device.
TESSERA_FORWARD void fence_device() { detail::nvvm::membar_gl(); }

/// Orders this thread's memory accesses for the device, the host and its
/// peers.
TESSERA_FORWARD void fence_system() { detail::nvvm::membar_sys(); }

} // namespace tessera

#endif // TESSERA_DEVICE_SYNC_H
