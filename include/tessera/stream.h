// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::stream: a queue of work on a device.

#ifndef TESSERA_STREAM_H
#define TESSERA_STREAM_H

#include <tessera/device.h>

#include <memory>
#include <source_location>

namespace tessera {

namespace runtime {
class StreamState;
}

/// A queue of copies, fills and launches that run one after another; work of
/// different streams may overlap. An error of a kernel surfaces at a later call
/// on the stream, on the virtual GPU as on a GPU.
///
/// Move-only. One stream may be used by one thread at a time; different streams
/// by different threads. The destructor waits for the work, and writes an error
/// that no call has reported to standard error.
class stream {
public:
  explicit stream(tessera::device device,
                  std::source_location where = std::source_location::current());
  /// A stream on `device::best()`.
  explicit stream(std::source_location where = std::source_location::current());
  stream(stream &&) noexcept;
  stream &operator=(stream &&) noexcept;
  ~stream();

  /// Waits until all work so far is done. Throws the first error in it.
  void
  synchronize(std::source_location where = std::source_location::current());

  /// Throws where the stream has been moved from.
  [[nodiscard]] tessera::device
  device(std::source_location where = std::source_location::current()) const;

  /// The driver's handle (a `CUstream`), null on the virtual GPU.
  [[nodiscard]] void *native_handle() const noexcept;

  /// For the library itself; throws where the stream has been moved from.
  [[nodiscard]] runtime::StreamState &state(std::source_location where) const;

private:
  std::unique_ptr<runtime::StreamState> state_;
};

} // namespace tessera

#endif // TESSERA_STREAM_H
