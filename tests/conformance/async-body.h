// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel around an asynchronous copy: a tile of shared memory, of which
// each thread owns 16 bytes, and an mbarrier in each block. A wait that would
// last forever ends, so that a wrong count of bytes is a result.

#ifndef TESSERA_TESTS_CONFORMANCE_ASYNC_BODY_H
#define TESSERA_TESTS_CONFORMANCE_ASYNC_BODY_H

#include "form-builder.h"

#include <string>

namespace tessera::conformance {

class AsyncBody {
public:
  static constexpr unsigned ownBytes = 16;

  /// Of blocks of `threads` threads.
  AsyncBody(FormBuilder &builder, unsigned threads, unsigned blocks = 1)
      : builder(builder), blocks(blocks), tileBytes(threads * ownBytes) {
    builder.runsOn(threads * blocks, blocks);
  }

  /// What the tile holds before the copy.
  enum class Fill : std::uint8_t { pattern, sources };
  /// Declares the registers `tile`, `barrier` (addresses), `own` (of the
  /// thread's part of the tile), `policy` and `isFirst` (in its block); fills
  /// the tile; initialises the mbarrier for one arrival.
  void begin(Fill fill);
  /// The first thread of each block arrives and announces bytes.
  void expect(unsigned bytes);
  /// The first thread of all does what stands between the two.
  void openIssue();
  void closeIssue();
  /// Waits for the mbarrier's first phase; a result says whether it ended.
  void awaitBarrier();
  /// Within the issue: waits until the copies have written.
  void awaitGroups();
  /// All results: what the copies have left where results go.
  void readBack(unsigned words);
  /// Two results: the thread's part of the tile.
  void readTile();
  /// A barrier of all threads, which makes their writes visible to copies.
  void sync();

private:
  FormBuilder &builder;
  unsigned blocks;

public:
  const unsigned tileBytes; ///< of one block
};

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_ASYNC_BODY_H
