// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tessera/module.h>

#include "runtime/kernel-table.h"
#include "runtime/loaded-module.h"
#include "runtime/stream-state.h"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace tessera {

using namespace runtime;

namespace {

Result<std::string> readFile(const std::string &path) {
  auto failed = [&] {
    return fail(error_kind::not_found, "tessera::module",
                "cannot read '" + path +
                    "': " + std::generic_category().message(errno));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    return failed();
  std::string text;
  char chunk[1 << 16];
  while (const std::size_t got =
             std::fread(chunk, 1, sizeof(chunk), file.get()))
    text.append(chunk, got);
  if (std::ferror(file.get()))
    return failed();
  return text;
}

std::shared_ptr<LoadedModule> loadText(DeviceState &device, std::string text,
                                       const std::string &source,
                                       std::source_location where) {
  auto image = valueOrRaise(imageFromPtx(std::move(text), source), where);
  auto module = LoadedModule::load(
      device, std::make_shared<const image::Image>(std::move(image)));
  if (!module) {
    Failure failure = device.explain(std::move(module).error());
    failure.message = source + ": " + failure.message;
    raise(std::move(failure), where);
  }
  return *std::move(module);
}

/// Checks the access to a variable and performs it.
template <class F>
void access(stream &on, const LoadedModule &module, std::size_t bytes,
            std::size_t size, std::source_location where, F operation) {
  StreamState &state = on.state(where);
  auto refuse = [&](std::string message) {
    raise({.kind = error_kind::invalid_argument,
           .api = "tessera::global_variable",
           .message = std::move(message)},
          where);
  };
  if (bytes != size)
    refuse("the variable has " + std::to_string(size) +
           " bytes, and the value " + std::to_string(bytes));
  if (&module.device != &state.device)
    refuse("the module is on device " + module.device.id +
           ", and the stream on " + state.device.id);
  valueOrRaise(state.run(operation), where);
}

} // namespace

const std::string &kernel::name() const noexcept { return info_->name; }

std::size_t kernel::parameter_count() const noexcept {
  return info_->params.size();
}

std::size_t kernel::static_shared() const noexcept {
  return info_->staticShared;
}

void global_variable::write(stream &on, const void *from, std::size_t bytes,
                            std::source_location where) {
  access(on, *module_, bytes, bytes_, where, [&](StreamBackend &backend) {
    return backend.copyToDevice(reinterpret_cast<std::uintptr_t>(data_),
                                {static_cast<const std::byte *>(from), bytes});
  });
}

void global_variable::read(stream &on, void *to, std::size_t bytes,
                           std::source_location where) const {
  access(on, *module_, bytes, bytes_, where, [&](StreamBackend &backend) {
    return backend.copyToHost({static_cast<std::byte *>(to), bytes},
                              reinterpret_cast<std::uintptr_t>(data_));
  });
}

module module::from_file(tessera::device device, const std::string &path,
                         std::source_location where) {
  return module(loadText(device.state(), valueOrRaise(readFile(path), where),
                         path, where));
}

module module::from_ptx(tessera::device device, std::string_view text,
                        std::source_location where) {
  return module(loadText(device.state(), std::string(text), "PTX", where));
}

kernel module::kernel(std::string_view name, std::source_location where) const {
  const image::Image &image = *state_->image;
  if (const image::Kernel *found = image.findKernel(name))
    return tessera::kernel(state_, *found);
  std::string message = image.source + " has no kernel '" + std::string(name) +
                        "'; its kernels are:";
  for (const image::Kernel &kernel : image.kernels)
    message += " " + kernel.name;
  if (image.kernels.empty())
    message += " none";
  raise({.kind = error_kind::not_found,
         .api = "tessera::module::kernel",
         .message = std::move(message)},
        where);
}

global_variable module::global(std::string_view name,
                               std::source_location where) const {
  auto found = state_->backend().global(std::string(name));
  if (!found)
    raise(state_->device.explain(std::move(found).error()), where);
  if (!*found)
    raise({.kind = error_kind::not_found,
           .api = "tessera::module::global",
           .message = state_->image->source + " has no variable '" +
                      std::string(name) + "'"},
          where);
  return global_variable(state_, reinterpret_cast<void *>((*found)->address),
                         (*found)->bytes);
}

std::vector<std::string> module::kernel_names() const {
  std::vector<std::string> names;
  for (const image::Kernel &kernel : state_->image->kernels)
    names.push_back(kernel.name);
  return names;
}

} // namespace tessera
