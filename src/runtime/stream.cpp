// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/stream.h>

#include "runtime/stream-state.h"

#include <utility>

namespace tessera {

using namespace runtime;

stream::stream(tessera::device device, std::source_location where) {
  DeviceState &state = device.state();
  auto backend = state.backend().createStream();
  if (!backend)
    raise(state.explain(std::move(backend).error()), where);
  state_ = std::make_unique<StreamState>(state, *std::move(backend));
}

stream::stream(std::source_location where)
    : stream(device::best(where), where) {}

stream::stream(stream &&) noexcept = default;
stream &stream::operator=(stream &&) noexcept = default;
stream::~stream() = default;

void stream::synchronize(std::source_location where) {
  valueOrRaise(state(where).run([](StreamBackend &backend) {
    return backend.synchronize();
  }),
               where);
}

tessera::device stream::device(std::source_location where) const {
  return tessera::device(state(where).device);
}

void *stream::native_handle() const noexcept {
  return state_ ? state_->nativeHandle() : nullptr;
}

StreamState &stream::state(std::source_location where) const {
  if (!state_)
    raise({.kind = error_kind::invalid_argument,
           .api = "tessera::stream",
           .message = "the stream has been moved from"},
          where);
  return *state_;
}

} // namespace tessera
