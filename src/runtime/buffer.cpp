// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/buffer.h>

#include "runtime/stream-state.h"

#include <limits>
#include <string>
#include <utility>

namespace tessera::detail {

using namespace runtime;

namespace {

std::uint64_t addressOf(const void *data) {
  return reinterpret_cast<std::uintptr_t>(data);
}

[[noreturn]] void refuse(std::string message, std::source_location where) {
  raise({.kind = error_kind::invalid_argument,
         .api = "tessera::buffer",
         .message = std::move(message)},
        where);
}

/// Whether work on a part of a buffer is left to do, once everything fits.
bool needsWork(const device_memory &memory, const DeviceState &device,
               std::size_t offset, std::size_t bytes,
               std::source_location where) {
  if (offset > memory.bytes() || bytes > memory.bytes() - offset)
    refuse(std::to_string(bytes) + " bytes from byte " +
               std::to_string(offset) + " on exceed the buffer's " +
               std::to_string(memory.bytes()),
           where);
  if (memory.owner() && memory.owner() != &device)
    refuse("the buffer is on device " + memory.owner()->id +
               ", and the stream on " + device.id,
           where);
  return bytes != 0;
}

} // namespace

device_memory::device_memory(stream &on, std::size_t count,
                             std::size_t element_size,
                             std::source_location where) {
  DeviceState &device = on.state(where).device;
  if (count > std::numeric_limits<std::size_t>::max() / element_size)
    refuse("a buffer of " + std::to_string(count) + " elements of " +
               std::to_string(element_size) + " bytes has more than 2^64 bytes",
           where);
  owner_ = &device;
  if (count == 0)
    return;
  auto address = device.backend().allocate(count * element_size);
  if (!address) {
    Failure failure = device.explain(std::move(address).error());
    failure.message +=
        "; " + std::to_string(count * element_size) + " bytes were asked for";
    raise(std::move(failure), where);
  }
  data_ = reinterpret_cast<void *>(*address);
  bytes_ = count * element_size;
}

device_memory::device_memory(device_memory &&other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

device_memory &device_memory::operator=(device_memory &&other) noexcept {
  std::swap(owner_, other.owner_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

device_memory::~device_memory() {
  // Fails when the device was lost or the process ends: then it is free.
  if (data_)
    (void)owner_->backend().free(addressOf(data_));
}

void device_memory::copy_from_host(stream &on, std::size_t offset,
                                   const void *from, std::size_t bytes,
                                   std::source_location where) {
  StreamState &state = on.state(where);
  if (!needsWork(*this, state.device, offset, bytes, where))
    return;
  valueOrRaise(state.run([&](StreamBackend &backend) {
    return backend.copyToDevice(addressOf(data_) + offset,
                                {static_cast<const std::byte *>(from), bytes});
  }),
               where);
}

void device_memory::copy_to_host(stream &on, std::size_t offset, void *to,
                                 std::size_t bytes,
                                 std::source_location where) const {
  StreamState &state = on.state(where);
  // Nothing to copy is something to wait for all the same: the caller learns
  // here what went wrong before.
  if (!needsWork(*this, state.device, offset, bytes, where)) {
    on.synchronize(where);
    return;
  }
  valueOrRaise(state.run([&](StreamBackend &backend) {
    return backend.copyToHost({static_cast<std::byte *>(to), bytes},
                              addressOf(data_) + offset);
  }),
               where);
}

void device_memory::copy_from(stream &on, std::size_t offset,
                              const device_memory &from,
                              std::source_location where) {
  StreamState &state = on.state(where);
  if (!needsWork(*this, state.device, offset, from.bytes(), where) ||
      !needsWork(from, state.device, 0, from.bytes(), where))
    return;
  valueOrRaise(state.run([&](StreamBackend &backend) {
    return backend.copy(addressOf(data_) + offset, addressOf(from.data()),
                        from.bytes());
  }),
               where);
}

void device_memory::fill(stream &on, std::byte value,
                         std::source_location where) {
  StreamState &state = on.state(where);
  if (!needsWork(*this, state.device, 0, bytes_, where))
    return;
  valueOrRaise(state.run([&](StreamBackend &backend) {
    return backend.fill(addressOf(data_), value, bytes_);
  }),
               where);
}

} // namespace tessera::detail
