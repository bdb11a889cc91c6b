// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of one warp do together: shuffles, votes, reductions. Device
// only.
//
// All lanes named in `mask` must reach the same call, and the calling lane must
// be among them. PTX ISA: shfl.sync, vote.sync, match.sync, activemask.

#ifndef TESSERA_DEVICE_WARP_H
#define TESSERA_DEVICE_WARP_H

#include <cstddef>
#include <type_traits>

#include <tessera/device/sync.h>
#include <tessera/device/thread.h>

namespace tessera {

namespace detail::nvvm {
// (mask, value, lane or distance, clamp); the clamp of `up` is the least lane,
// that of the others the greatest.
TESSERA_INTRINSIC(int, shfl_idx, (unsigned, int, int, int),
                  "llvm.nvvm.shfl.sync.idx.i32");
TESSERA_INTRINSIC(int, shfl_up, (unsigned, int, int, int),
                  "llvm.nvvm.shfl.sync.up.i32");
TESSERA_INTRINSIC(int, shfl_down, (unsigned, int, int, int),
                  "llvm.nvvm.shfl.sync.down.i32");
TESSERA_INTRINSIC(int, shfl_bfly, (unsigned, int, int, int),
                  "llvm.nvvm.shfl.sync.bfly.i32");
TESSERA_INTRINSIC(unsigned, ballot, (unsigned, bool),
                  "llvm.nvvm.vote.ballot.sync");
TESSERA_INTRINSIC(bool, any, (unsigned, bool), "llvm.nvvm.vote.any.sync");
TESSERA_INTRINSIC(bool, all, (unsigned, bool), "llvm.nvvm.vote.all.sync");
TESSERA_INTRINSIC(unsigned, activemask, (), "llvm.nvvm.activemask");
TESSERA_INTRINSIC(unsigned, match_any_32, (unsigned, unsigned),
                  "llvm.nvvm.match.any.sync.i32");
TESSERA_INTRINSIC(unsigned, match_any_64, (unsigned, unsigned long long),
                  "llvm.nvvm.match.any.sync.i64");
} // namespace detail::nvvm

namespace detail {

/// Shuffles move 32 bits; a value travels as one to four words.
template <class T, class Move> T shuffle_words(T value, Move move) {
  static_assert(std::is_trivially_copyable_v<T>,
                "tessera: only trivially copyable values can be shuffled");
  static_assert(sizeof(T) <= 16,
                "tessera: only values of 1 to 16 bytes can be shuffled");
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int &word : words)
    word = move(word);
  __builtin_memcpy(static_cast<void *>(&value), words, sizeof(T));
  return value;
}

} // namespace detail

/// The `value` of lane `lane` (modulo 32).
template <class T>
TESSERA_FORWARD T shfl(T value, unsigned lane, unsigned mask = full_warp) {
  return detail::shuffle_words(value, [=](int word) {
    return detail::nvvm::shfl_idx(mask, word, static_cast<int>(lane), 31);
  });
}

/// The `value` of the lane `distance` below; the lowest lanes keep their own.
template <class T>
TESSERA_FORWARD T shfl_up(T value, unsigned distance,
                          unsigned mask = full_warp) {
  return detail::shuffle_words(value, [=](int word) {
    return detail::nvvm::shfl_up(mask, word, static_cast<int>(distance), 0);
  });
}

/// The `value` of the lane `distance` above; the highest lanes keep their own.
template <class T>
TESSERA_FORWARD T shfl_down(T value, unsigned distance,
                            unsigned mask = full_warp) {
  return detail::shuffle_words(value, [=](int word) {
    return detail::nvvm::shfl_down(mask, word, static_cast<int>(distance), 31);
  });
}

/// The `value` of the lane whose number is this lane's xor `lane_mask`.
template <class T>
TESSERA_FORWARD T shfl_xor(T value, unsigned lane_mask,
                           unsigned mask = full_warp) {
  return detail::shuffle_words(value, [=](int word) {
    return detail::nvvm::shfl_bfly(mask, word, static_cast<int>(lane_mask), 31);
  });
}

/// One bit for each lane of `mask` whose `predicate` holds.
TESSERA_FORWARD unsigned ballot(bool predicate, unsigned mask = full_warp) {
  return detail::nvvm::ballot(mask, predicate);
}

/// Whether `predicate` holds in any lane of `mask`.
TESSERA_FORWARD bool any(bool predicate, unsigned mask = full_warp) {
  return detail::nvvm::any(mask, predicate);
}

/// Whether `predicate` holds in all lanes of `mask`.
TESSERA_FORWARD bool all(bool predicate, unsigned mask = full_warp) {
  return detail::nvvm::all(mask, predicate);
}

/// The lanes that execute this call together. Says nothing about lanes that
/// are elsewhere for the moment: name the lanes of a collective by program
/// logic, not by this.
TESSERA_FORWARD unsigned active_mask() { return detail::nvvm::activemask(); }

/// The lanes of `mask` whose `value` has the same bits as this lane's. For
/// trivially copyable types of 4 or 8 bytes.
template <class T>
TESSERA_FORWARD unsigned match_any(T value, unsigned mask = full_warp) {
  static_assert(std::is_trivially_copyable_v<T> &&
                    (sizeof(T) == 4 || sizeof(T) == 8),
                "tessera: match_any needs a trivially copyable value of 4 or 8 "
                "bytes");
  if constexpr (sizeof(T) == 4)
    return detail::nvvm::match_any_32(mask,
                                      __builtin_bit_cast(unsigned, value));
  else
    return detail::nvvm::match_any_64(
        mask, __builtin_bit_cast(unsigned long long, value));
}

/// Combines the `value` of all 32 lanes by `op`, which must be commutative;
/// every lane gets the same result. All lanes of the warp must call it.
template <class T, class Op> TESSERA_FORWARD T reduce(T value, Op op) {
  for (unsigned step = warp_size / 2; step != 0; step /= 2)
    value = op(value, shfl_xor(value, step));
  return value;
}

/// The sum of `value` over all 32 lanes, in every lane; floating-point sums are
/// formed as a balanced tree. All lanes of the warp must call it.
template <class T> TESSERA_FORWARD T reduce_add(T value) {
  static_assert(std::is_arithmetic_v<T>, "tessera: reduce_add needs a number");
  return reduce(value, [](T a, T b) { return static_cast<T>(a + b); });
}

} // namespace tessera

#endif // TESSERA_DEVICE_WARP_H
