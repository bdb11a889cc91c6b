// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/launch.h>

#include "runtime/launch-check.h"
#include "runtime/registry.h"
#include "runtime/stream-state.h"

#include <utility>

namespace tessera::detail {

using namespace runtime;

namespace {

void launchOn(StreamState &state, LoadedModule &module,
              const image::Kernel &kernel, const launch_config &config,
              std::span<const argument> arguments, std::source_location where) {
  const auto shape = valueOrRaise(
      checkShape(kernel, config, state.device.backend().properties()), where);
  auto params =
      valueOrRaise(packArguments(kernel, arguments, state.device), where);
  if (shape.grid[0] == 0)
    return;
  valueOrRaise(state.launch(module, kernel, shape, params, where), where);
}

} // namespace

void launch_registered(located_stream call, const launch_config &config,
                       const void *host_address, std::string_view type,
                       std::span<const argument> arguments) {
  StreamState &state = call.on.state(call.where);
  const auto found =
      valueOrRaise(Registry::process().find(host_address, type), call.where);
  auto module = state.device.moduleOf(found.image);
  if (!module)
    raise(state.device.explain(std::move(module).error()), call.where);
  launchOn(state, **module, *found.info, config, arguments, call.where);
}

void launch_from_module(located_stream call, const launch_config &config,
                        const kernel &which,
                        std::span<const argument> arguments) {
  StreamState &state = call.on.state(call.where);
  LoadedModule &module = which.module_state();
  if (&module.device != &state.device)
    raise({.kind = error_kind::invalid_argument,
           .api = "tessera::launch",
           .message = "the kernel's module is on device " + module.device.id +
                      ", and the stream on " + state.device.id},
          call.where);
  launchOn(state, module, which.info(), config, arguments, call.where);
}

void throw_value_changes(std::size_t position, std::string value,
                         std::string_view from, std::string_view to,
                         std::source_location where) {
  raise({.kind = error_kind::invalid_launch,
         .api = "tessera::launch",
         .message = "argument " + std::to_string(position) + ": the value " +
                    value + " of type '" + std::string(from) +
                    "' does not fit the parameter's type '" + std::string(to) +
                    "'"},
        where);
}

} // namespace tessera::detail
