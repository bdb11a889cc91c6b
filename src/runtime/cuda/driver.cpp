// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/driver.h"

#include <dlfcn.h>

namespace tessera::runtime::cuda {
namespace {

/// Finds entry points of one version of the driver's ABI.
class EntryPoints {
public:
  explicit EntryPoints(void *library)
      : current(
            reinterpret_cast<Current *>(dlsym(library, "cuGetProcAddress_v2"))),
        original(
            reinterpret_cast<Original *>(dlsym(library, "cuGetProcAddress"))) {}

  [[nodiscard]] bool exist() const { return current || original; }

  /// Null where the driver has no such function.
  [[nodiscard]] void *find(const char *name,
                           int version = requestedVersion) const {
    void *address = nullptr;
    const CUresult status = current
                                ? current(name, &address, version, 0, nullptr)
                                : original(name, &address, version, 0);
    return status == success ? address : nullptr;
  }

private:
  using Original = CUresult(const char *, void **, int, std::uint64_t);
  using Current = CUresult(const char *, void **, int, std::uint64_t, int *);
  Current *current;
  Original *original;
};

bool losesDevice(CUresult status) {
  switch (status) {
  case errorEccUncorrectable:
  case errorIllegalAddress:
  case errorLaunchTimeout:
  case errorContextIsDestroyed:
  case errorAssert:
  case errorHardwareStack:
  case errorIllegalInstruction:
  case errorMisalignedAddress:
  case errorInvalidAddressSpace:
  case errorInvalidPc:
  case errorLaunchFailed:
    return true;
  default:
    return false;
  }
}

error_kind kindOf(CUresult status) {
  if (status == errorAssert)
    return error_kind::trap;
  if (losesDevice(status))
    return error_kind::device_fault;
  switch (status) {
  case errorInvalidValue:
    return error_kind::invalid_argument;
  case errorOutOfMemory:
    return error_kind::out_of_memory;
  case errorNoDevice:
  case errorInvalidDevice:
    return error_kind::no_device;
  case errorInvalidImage:
  case errorNoBinaryForGpu:
  case errorInvalidPtx:
  case errorUnsupportedPtxVersion:
    return error_kind::invalid_module;
  case errorNotFound:
    return error_kind::not_found;
  case errorLaunchOutOfResources:
    return error_kind::invalid_launch;
  default:
    return error_kind::driver;
  }
}

} // namespace

Result<std::shared_ptr<const Driver>> Driver::open(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    return fail(error_kind::no_device, "dlopen",
                "the NVIDIA driver was not found: " +
                    std::string(reason ? reason : library));
  }
  const EntryPoints entryPoints(handle);
  if (!entryPoints.exist())
    return fail(error_kind::no_device, "dlsym",
                "the NVIDIA driver is too old: it has no cuGetProcAddress, "
                "which came with CUDA 11.3");

  auto driver = std::make_shared<Driver>();
#define TESSERA_FIND(name, parameters)                                         \
  driver->name =                                                               \
      reinterpret_cast<decltype(driver->name)>(entryPoints.find(#name));       \
  if (!driver->name)                                                           \
    return fail(error_kind::no_device, "cuGetProcAddress",                     \
                "the NVIDIA driver is too old: it has no " #name);
  TESSERA_CUDA_ENTRY_POINTS(TESSERA_FIND)
#undef TESSERA_FIND
#define TESSERA_FIND(name, version, parameters)                                \
  driver->name = reinterpret_cast<decltype(driver->name)>(                     \
      entryPoints.find(#name, version));
  TESSERA_CUDA_NEWER_ENTRY_POINTS(TESSERA_FIND)
#undef TESSERA_FIND

  if (const CUresult status = driver->cuInit(0); status != success)
    return std::unexpected(driver->failure(
        "cuInit", status, "the NVIDIA driver finds no GPU that it can use"));
  return driver;
}

Failure Driver::failure(const char *api, CUresult status,
                        std::string message) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(status, &name) != success)
    name = nullptr;
  if (cuGetErrorString(status, &text) != success)
    text = nullptr;
  if (!message.empty())
    message += ": ";
  message += text ? text : "the driver has no text for this error";
  return {.kind = kindOf(status),
          .api = api,
          .code = status,
          .codeName = name ? name : "unknown CUresult",
          .message = std::move(message),
          .deviceLost = losesDevice(status)};
}

} // namespace tessera::runtime::cuda
