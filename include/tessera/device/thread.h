// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread is: its place in the block, the block's in the grid, the
// lane's in the warp. Device only.
//
// PTX ISA, "Special Registers": %tid, %ntid, %ctaid, %nctaid, %laneid.

#ifndef TESSERA_DEVICE_THREAD_H
#define TESSERA_DEVICE_THREAD_H

#include <cstddef>

#include <tessera/device/detail.h>
#include <tessera/device/dim3.h>

namespace tessera {

namespace detail::nvvm {
TESSERA_INTRINSIC(unsigned, tid_x, (), "llvm.nvvm.read.ptx.sreg.tid.x");
TESSERA_INTRINSIC(unsigned, tid_y, (), "llvm.nvvm.read.ptx.sreg.tid.y");
TESSERA_INTRINSIC(unsigned, tid_z, (), "llvm.nvvm.read.ptx.sreg.tid.z");
TESSERA_INTRINSIC(unsigned, ntid_x, (), "llvm.nvvm.read.ptx.sreg.ntid.x");
TESSERA_INTRINSIC(unsigned, ntid_y, (), "llvm.nvvm.read.ptx.sreg.ntid.y");
TESSERA_INTRINSIC(unsigned, ntid_z, (), "llvm.nvvm.read.ptx.sreg.ntid.z");
TESSERA_INTRINSIC(unsigned, ctaid_x, (), "llvm.nvvm.read.ptx.sreg.ctaid.x");
TESSERA_INTRINSIC(unsigned, ctaid_y, (), "llvm.nvvm.read.ptx.sreg.ctaid.y");
TESSERA_INTRINSIC(unsigned, ctaid_z, (), "llvm.nvvm.read.ptx.sreg.ctaid.z");
TESSERA_INTRINSIC(unsigned, nctaid_x, (), "llvm.nvvm.read.ptx.sreg.nctaid.x");
TESSERA_INTRINSIC(unsigned, nctaid_y, (), "llvm.nvvm.read.ptx.sreg.nctaid.y");
TESSERA_INTRINSIC(unsigned, nctaid_z, (), "llvm.nvvm.read.ptx.sreg.nctaid.z");
TESSERA_INTRINSIC(unsigned, laneid, (), "llvm.nvvm.read.ptx.sreg.laneid");
} // namespace detail::nvvm

/// Threads of a warp.
inline constexpr unsigned warp_size = 32;

class unique_index;

namespace this_thread {
unique_index index_1d();
}

/// A witness: an index that no other thread of the launch holds. Only the
/// library makes one, so whoever is given one may write the element it names
/// without a race. Converts to the plain index.
class unique_index {
public:
  constexpr operator std::size_t() const { return value_; }

private:
  friend unique_index this_thread::index_1d();
  explicit constexpr unique_index(std::size_t value) : value_(value) {}

  std::size_t value_;
};

namespace this_thread {

/// The thread's index within its block.
TESSERA_FORWARD dim3 index() {
  return {detail::nvvm::tid_x(), detail::nvvm::tid_y(), detail::nvvm::tid_z()};
}

/// The thread's index within a one-dimensional grid of one-dimensional blocks.
/// Threads that differ only in y or z get the same index: launches of a kernel
/// that calls it must be one-dimensional.
TESSERA_FORWARD unique_index index_1d() {
  return unique_index{detail::thread_index_1d()};
}

} // namespace this_thread

namespace this_block {

/// The block's index within the grid.
TESSERA_FORWARD dim3 index() {
  return {detail::nvvm::ctaid_x(), detail::nvvm::ctaid_y(),
          detail::nvvm::ctaid_z()};
}

/// The block's extent in threads.
TESSERA_FORWARD dim3 size() {
  return {detail::nvvm::ntid_x(), detail::nvvm::ntid_y(),
          detail::nvvm::ntid_z()};
}

} // namespace this_block

namespace this_grid {

/// The grid's extent in blocks.
TESSERA_FORWARD dim3 size() {
  return {detail::nvvm::nctaid_x(), detail::nvvm::nctaid_y(),
          detail::nvvm::nctaid_z()};
}

} // namespace this_grid

namespace this_thread {

/// The thread's number within its block, x fastest: 0 … threads of the block.
TESSERA_FORWARD unsigned rank_in_block() {
  const dim3 i = index(), n = this_block::size();
  return i.x + n.x * (i.y + n.y * i.z);
}

} // namespace this_thread

namespace this_warp {

/// The thread's lane within its warp: 0 … 31.
TESSERA_FORWARD unsigned lane() { return detail::nvvm::laneid(); }

/// The warp's number within its block. Computed from the thread's rank: the
/// register %warpid may change while a kernel runs.
TESSERA_FORWARD unsigned index() {
  return this_thread::rank_in_block() / warp_size;
}

} // namespace this_warp

} // namespace tessera

#endif // TESSERA_DEVICE_THREAD_H
