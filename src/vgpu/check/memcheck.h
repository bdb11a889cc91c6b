// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcheck: accesses out of bounds, to freed memory, misaligned or through
// null; frees of what is not allocated; memory that is never freed.
//
// The virtual GPU checks each access anyway, and ends the launch. What this
// adds: allocations and shared variables lie apart, so that no access beyond
// one happens to fall into another, and freed addresses are not used again for
// a while.

#ifndef TESSERA_VGPU_CHECK_MEMCHECK_H
#define TESSERA_VGPU_CHECK_MEMCHECK_H

#include "vgpu/check/context.h"

#include <map>
#include <mutex>

namespace tessera::vgpu::check {

class Memcheck final : public Checker {
public:
  Memcheck(Context &context, bool findsLeaks)
      : Checker(context), findsLeaks(findsLeaks) {}

  [[nodiscard]] MemoryGuard memoryGuard() const override;
  void allocated(const Allocation &allocation) override;
  void freed(const Allocation &allocation) override;
  void failed(const Fault &fault) override;
  void access(const AccessEvent &event) override;
  void finish() override;

private:
  void reportShared(const AccessEvent &event, unsigned lane);

  const bool findsLeaks;
  std::mutex mutex;
  /// Device memory that is in use, by number: bytes.
  std::map<std::uint64_t, std::uint64_t> live;
};

} // namespace tessera::vgpu::check

#endif // TESSERA_VGPU_CHECK_MEMCHECK_H
