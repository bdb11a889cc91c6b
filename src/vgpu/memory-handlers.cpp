// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores.

#include "vgpu/access.h"
#include "vgpu/handlers.h"
#include "vgpu/launch.h"
#include "vgpu/monitor.h"

#include <atomic>
#include <cstring>
#include <type_traits>

using namespace tessera::vgpu;
using tessera::ptx::Type;

namespace {

/// 16 bytes that are only moved.
struct Bits128 {
  std::uint64_t low, high;
};

template <class To, class From> To convert(From value) {
  if constexpr (std::is_same_v<From, Bits128> || std::is_same_v<To, Bits128>)
    return value;
  else
    return static_cast<To>(value);
}

/// Reads memory that other threads may write meanwhile.
template <class T> T readStrong(const std::byte *from) {
  if constexpr (std::is_same_v<T, Bits128>) {
    Bits128 value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  } else {
    return __atomic_load_n(reinterpret_cast<const T *>(from), __ATOMIC_SEQ_CST);
  }
}

template <class T> void writeStrong(std::byte *to, T value) {
  if constexpr (std::is_same_v<T, Bits128>)
    std::memcpy(to, &value, sizeof(value));
  else
    __atomic_store_n(reinterpret_cast<T *>(to), value, __ATOMIC_SEQ_CST);
}

template <class T> T readPlain(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class Memory, class Register, bool strong>
const Instr *executeLoad(Warp &warp, const Instr &instr) {
  Access access;
  const std::uint32_t bytes = sizeof(Memory) * instr.width;
  if (!resolveAccess(warp, instr, bytes, AccessKind::read, access))
    return nullptr;

  const Slot *slots =
      warp.current->frame->function->slots.data() + instr.detail;
  if (!strong && instr.width == 1 && access.isContiguous) {
    auto *to = warp.lanes<Register>(slots[0]);
    const auto *from = access.at[0];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      to[lane] =
          convert<Register>(readPlain<Memory>(from + lane * sizeof(Memory)));
    return &instr + 1;
  }
  for (unsigned element = 0; element < instr.width; ++element) {
    if (!slots[element])
      continue;
    auto *to = warp.lanes<Register>(slots[element]);
    for (unsigned lane : LanesOf(warp.exec)) {
      const std::byte *from = access.at[lane] + element * sizeof(Memory);
      to[lane] = convert<Register>(strong ? readStrong<Memory>(from)
                                          : readPlain<Memory>(from));
    }
  }
  return &instr + 1;
}

template <class Memory, class Register, bool strong>
const Instr *executeStore(Warp &warp, const Instr &instr) {
  Access access;
  const std::uint32_t bytes = sizeof(Memory) * instr.width;
  if (!resolveAccess(warp, instr, bytes, AccessKind::write, access))
    return nullptr;

  const Slot *slots =
      warp.current->frame->function->slots.data() + instr.detail;
  if (!strong && instr.width == 1 && access.isContiguous) {
    const auto *from = warp.lanes<Register>(slots[0]);
    Memory values[warpSize];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      values[lane] = convert<Memory>(from[lane]);
    std::memcpy(access.at[0], values, sizeof(values));
    return &instr + 1;
  }
  for (unsigned lane : LanesOf(warp.exec))
    for (unsigned element = 0; element < instr.width; ++element) {
      const auto value =
          convert<Memory>(warp.lanes<Register>(slots[element])[lane]);
      std::byte *to = access.at[lane] + element * sizeof(Memory);
      if (strong)
        writeStrong<Memory>(to, value);
      else
        std::memcpy(to, &value, sizeof(Memory));
    }
  return &instr + 1;
}

struct Load {
  template <class Memory, class Register, bool strong>
  static constexpr Handler handler = &executeLoad<Memory, Register, strong>;
};
struct Store {
  template <class Memory, class Register, bool strong>
  static constexpr Handler handler = &executeStore<Memory, Register, strong>;
};

template <class Operation, class Memory, class Register>
Handler pickStrength(bool isStrong) {
  return isStrong ? Operation::template handler<Memory, Register, true>
                  : Operation::template handler<Memory, Register, false>;
}

/// A register may be wider than what is loaded or stored, never narrower; only
/// registers that hold a sign-extended value are signed.
template <class Operation, class Memory>
Handler pickRegister(const MemoryForm &form) {
  if (form.registerBytes < sizeof(Memory))
    return nullptr;
  constexpr bool isSigned = std::is_signed_v<Memory>;
  using U8 = std::conditional_t<isSigned, std::int8_t, std::uint8_t>;
  using U16 = std::conditional_t<isSigned, std::int16_t, std::uint16_t>;
  using U32 = std::conditional_t<isSigned, std::int32_t, std::uint32_t>;
  using U64 = std::conditional_t<isSigned, std::int64_t, std::uint64_t>;
  switch (form.registerBytes) {
  case 1:
    if constexpr (sizeof(Memory) <= 1)
      return pickStrength<Operation, Memory, U8>(form.isStrong);
    break;
  case 2:
    if constexpr (sizeof(Memory) <= 2)
      return pickStrength<Operation, Memory, U16>(form.isStrong);
    break;
  case 4:
    if constexpr (sizeof(Memory) <= 4)
      return pickStrength<Operation, Memory, U32>(form.isStrong);
    break;
  case 8:
    return pickStrength<Operation, Memory, U64>(form.isStrong);
  default:
    break;
  }
  return nullptr;
}

template <class Operation> Handler pick(const MemoryForm &form) {
  const bool isSigned = tessera::ptx::isSigned(form.type);
  switch (tessera::ptx::bitWidth(form.type)) {
  case 8:
    return isSigned ? pickRegister<Operation, std::int8_t>(form)
                    : pickRegister<Operation, std::uint8_t>(form);
  case 16:
    return isSigned ? pickRegister<Operation, std::int16_t>(form)
                    : pickRegister<Operation, std::uint16_t>(form);
  case 32:
    return isSigned ? pickRegister<Operation, std::int32_t>(form)
                    : pickRegister<Operation, std::uint32_t>(form);
  case 64:
    return pickRegister<Operation, std::uint64_t>(form);
  case 128:
    return form.registerBytes == 16
               ? pickStrength<Operation, Bits128, Bits128>(form.isStrong)
               : nullptr;
  default:
    return nullptr;
  }
}

} // namespace

Handler tessera::vgpu::loadHandler(const MemoryForm &form) {
  return pick<Load>(form);
}

Handler tessera::vgpu::storeHandler(const MemoryForm &form) {
  return pick<Store>(form);
}

const Instr *tessera::vgpu::executeNothing(Warp &, const Instr &instr) {
  return &instr + 1;
}

const Instr *tessera::vgpu::executeFence(Warp &warp, const Instr &instr) {
  if (Monitor *monitor = warp.block.launch.monitor)
    monitor->fence(warp, instr, warp.exec);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return &instr + 1;
}
