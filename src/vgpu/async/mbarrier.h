// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mbarrier object: 64 bits in shared memory (PTX ISA 9.0, 9.7.13.15). How
// it uses them is the device's own affair; programs see the bits as the opaque
// state that arriving returns.

#ifndef TESSERA_VGPU_ASYNC_MBARRIER_H
#define TESSERA_VGPU_ASYNC_MBARRIER_H

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace tessera::vgpu {

class Cluster;

struct Mbarrier {
  static constexpr std::uint32_t mostArrivals = (1u << 20) - 1;
  static constexpr std::int32_t mostBytes = (1 << 20) - 1;

  std::uint32_t expected = 0; ///< arrivals of the next phase
  std::uint32_t pending = 0;  ///< arrivals that this phase still waits for
  std::int32_t bytes = 0;     ///< transactions it waits for; may be negative
  bool parity = false;        ///< of the phase that is not complete yet

  /// The object in memory; empty when the bits are none that `init` made.
  static std::optional<Mbarrier> decode(std::uint64_t bits);
  [[nodiscard]] std::uint64_t encode() const;
  /// "pending arrivals 3, pending bytes 1024".
  [[nodiscard]] std::string describe() const;

  /// What is wrong with an operation, or whether it completed the phase.
  using Outcome = std::expected<bool, std::string>;
  Outcome arrive(std::uint32_t count);
  /// Arrives, and expects so many arrivals less from the next phase on.
  Outcome arriveAndDrop(std::uint32_t count);
  /// Expects `delta` more bytes; completed ones count negative.
  Outcome addBytes(std::int64_t delta);
  /// One more arrival is needed to complete this phase.
  Outcome expectArrival();

private:
  bool completeIfDone();
};

/// An operation on an mbarrier in memory: of the given kind, with its number.
struct MbarrierChange {
  enum class Kind : std::uint8_t {
    arrive,
    drop,        ///< arrive and drop
    expect,      ///< bytes
    complete,    ///< bytes
    expectArrive ///< bytes, and one arrival
  };
  Kind kind = Kind::arrive;
  std::uint32_t number = 1;
  bool drops = false; ///< `expectArrive`: the arrival drops
  /// The phase must not be completed by it.
  bool mayNotComplete = false;
};

/// Makes the present phase of the object at `at` wait for one more arrival; or
/// says what is wrong.
std::expected<void, std::string> raisePending(std::byte *at);

/// Applies `change` to the object at `at`, wakes those who wait for its phase,
/// and returns the bits that it held; else what is wrong.
std::expected<std::uint64_t, std::string>
changeMbarrier(Cluster &cluster, std::byte *at, const MbarrierChange &change);

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_ASYNC_MBARRIER_H
