// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library itself; built as a shared object that the runtime opens.

#include "fake-cuda.h"

#include "runtime/cuda/driver-api.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <list>
#include <mutex>

using namespace tessera::runtime::cuda;

namespace {

FakeCuda state;
std::recursive_mutex mutex;
std::list<std::string> functions;

/// Records a call; the result that it shall have.
CUresult enter(const char *name) {
  std::lock_guard lock(mutex);
  state.calls.emplace_back(name);
  auto found = state.results.find(name);
  return found == state.results.end() ? success : found->second;
}

#define ENTER(name)                                                            \
  if (const CUresult status = enter(#name))                                    \
  return status

CUresult getErrorName(CUresult status, const char **name) {
  *name = status == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : status == 100 ? "CUDA_ERROR_NO_DEVICE"
          : status == 218 ? "CUDA_ERROR_INVALID_PTX"
          : status == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                          : nullptr;
  return *name ? success : errorInvalidValue;
}
CUresult getErrorString(CUresult status, const char **text) {
  *text = status == 2     ? "out of memory"
          : status == 100 ? "no CUDA-capable device is detected"
          : status == 218 ? "a PTX JIT compilation failed"
          : status == 719 ? "unspecified launch failure"
                          : nullptr;
  return *text ? success : errorInvalidValue;
}

CUresult init(unsigned) { return enter("cuInit"); }
CUresult driverVersion(int *version) {
  *version = 12040;
  return enter("cuDriverGetVersion");
}
CUresult deviceCount(int *count) {
  *count = state.deviceCount;
  return enter("cuDeviceGetCount");
}
CUresult deviceGet(CUdevice *device, int index) {
  *device = index;
  return enter("cuDeviceGet");
}
CUresult deviceName(char *name, int size, CUdevice device) {
  std::strncpy(name, device == 0 ? "Fake GPU" : "Other fake GPU", size);
  return enter("cuDeviceGetName");
}
CUresult deviceAttribute(int *value, int attribute, CUdevice) {
  switch (attribute) {
  case attributeMaxThreadsPerBlock:
  case attributeMaxBlockDimX:
  case attributeMaxBlockDimX + 1:
    *value = 1024;
    break;
  case attributeMaxBlockDimX + 2:
    *value = 64;
    break;
  case attributeMaxGridDimX:
    *value = 0x7fffffff;
    break;
  case attributeMaxGridDimX + 1:
  case attributeMaxGridDimX + 2:
    *value = 0xffff;
    break;
  case attributeWarpSize:
    *value = 32;
    break;
  case attributeMultiprocessorCount:
    *value = 132;
    break;
  case attributeComputeCapabilityMajor:
    *value = state.computeMajor;
    break;
  case attributeComputeCapabilityMinor:
    *value = state.computeMinor;
    break;
  case attributeMaxSharedMemoryPerBlockOptin:
    *value = 227 << 10;
    break;
  case attributeClusterLaunch:
    *value = 1;
    break;
  default:
    return errorInvalidValue;
  }
  return enter("cuDeviceGetAttribute");
}
CUresult totalMemory(std::size_t *bytes, CUdevice) {
  *bytes = std::size_t(80) << 30;
  return enter("cuDeviceTotalMem");
}
CUresult retain(CUcontext *context, CUdevice device) {
  ENTER(cuDevicePrimaryCtxRetain);
  *context = reinterpret_cast<CUcontext>(std::uintptr_t(1000 + device));
  return success;
}
CUresult push(CUcontext context) {
  ENTER(cuCtxPushCurrent);
  std::lock_guard lock(mutex);
  ++state.contextDepth;
  return context ? success : errorInvalidValue;
}
CUresult pop(CUcontext *) {
  ENTER(cuCtxPopCurrent);
  std::lock_guard lock(mutex);
  --state.contextDepth;
  return success;
}

void *newMemory(std::size_t bytes) {
  void *memory = std::calloc(1, bytes);
  std::lock_guard lock(mutex);
  state.memory.insert(memory);
  return memory;
}
CUresult deleteMemory(void *memory) {
  std::lock_guard lock(mutex);
  if (state.memory.erase(memory) == 0)
    return errorInvalidValue;
  std::free(memory);
  return success;
}
void *pointer(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

CUresult memAlloc(CUdeviceptr *address, std::size_t bytes) {
  ENTER(cuMemAlloc);
  *address = reinterpret_cast<std::uintptr_t>(newMemory(bytes));
  return success;
}
CUresult memFree(CUdeviceptr address) {
  ENTER(cuMemFree);
  return deleteMemory(pointer(address));
}
CUresult hostAlloc(void **memory, std::size_t bytes, unsigned flags) {
  ENTER(cuMemHostAlloc);
  if (!(flags & hostAllocDeviceMap))
    return errorInvalidValue;
  *memory = newMemory(bytes);
  return success;
}
CUresult hostPointer(CUdeviceptr *address, void *memory, unsigned) {
  ENTER(cuMemHostGetDevicePointer);
  *address = reinterpret_cast<std::uintptr_t>(memory);
  return success;
}
CUresult freeHost(void *memory) {
  ENTER(cuMemFreeHost);
  return deleteMemory(memory);
}
CUresult pointerAttribute(void *, int, CUdeviceptr address) {
  ENTER(cuPointerGetAttribute);
  return state.pinned.contains(pointer(address)) ? success : errorInvalidValue;
}
CUresult copyIn(CUdeviceptr to, const void *from, std::size_t bytes) {
  ENTER(cuMemcpyHtoD);
  std::memcpy(pointer(to), from, bytes);
  return success;
}
CUresult copyInAsync(CUdeviceptr to, const void *from, std::size_t bytes,
                     CUstream) {
  ENTER(cuMemcpyHtoDAsync);
  std::memcpy(pointer(to), from, bytes);
  return success;
}
CUresult copyOutAsync(void *to, CUdeviceptr from, std::size_t bytes, CUstream) {
  ENTER(cuMemcpyDtoHAsync);
  std::memcpy(to, pointer(from), bytes);
  return success;
}
CUresult copyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                   CUstream) {
  ENTER(cuMemcpyDtoDAsync);
  std::memmove(pointer(to), pointer(from), bytes);
  return success;
}
CUresult fillAsync(CUdeviceptr to, unsigned char value, std::size_t bytes,
                   CUstream) {
  ENTER(cuMemsetD8Async);
  std::memset(pointer(to), value, bytes);
  return success;
}
CUresult streamCreate(CUstream *stream, unsigned) {
  ENTER(cuStreamCreate);
  *stream = static_cast<CUstream>(newMemory(1));
  return success;
}
CUresult streamDestroy(CUstream stream) {
  ENTER(cuStreamDestroy);
  return deleteMemory(stream);
}
CUresult streamSynchronize(CUstream) { return enter("cuStreamSynchronize"); }

CUresult moduleLoad(CUmodule *module, const void *text, unsigned count,
                    int *options, void **values) {
  if (const CUresult status = enter("cuModuleLoadDataEx")) {
    char *log = nullptr;
    std::size_t room = 0;
    for (unsigned i = 0; i != count; ++i) {
      if (options[i] == jitErrorLogBuffer)
        log = static_cast<char *>(values[i]);
      if (options[i] == jitErrorLogBufferSize)
        room = reinterpret_cast<std::uintptr_t>(values[i]);
    }
    if (log)
      std::strncpy(log, state.compilerLog.c_str(), room - 1);
    return status;
  }
  std::lock_guard lock(mutex);
  state.modules.emplace_back(static_cast<const char *>(text));
  *module = static_cast<CUmodule>(newMemory(1));
  return success;
}
CUresult moduleUnload(CUmodule module) {
  ENTER(cuModuleUnload);
  return deleteMemory(module);
}
CUresult moduleFunction(CUfunction *function, CUmodule, const char *name) {
  ENTER(cuModuleGetFunction);
  std::lock_guard lock(mutex);
  *function = reinterpret_cast<CUfunction>(&functions.emplace_back(name));
  return success;
}
CUresult moduleGlobal(CUdeviceptr *address, std::size_t *bytes, CUmodule,
                      const char *name) {
  ENTER(cuModuleGetGlobal);
  auto found = state.globals.find(name);
  if (found == state.globals.end())
    return errorNotFound;
  *address = reinterpret_cast<std::uintptr_t>(found->second.data());
  *bytes = found->second.size();
  return success;
}
CUresult functionAttribute(CUfunction, int which, int value) {
  ENTER(cuFuncSetAttribute);
  std::lock_guard lock(mutex);
  state.functionAttributes.push_back({which, value});
  return success;
}
void note(CUfunction function, FakeCuda::Launch made, void **params) {
  made.kernel = *reinterpret_cast<std::string *>(function);
  for (std::size_t i = 0; i != state.paramSizes.size(); ++i) {
    const auto *bytes = static_cast<const std::byte *>(params[i]);
    made.params.emplace_back(bytes, bytes + state.paramSizes[i]);
  }
  std::lock_guard lock(mutex);
  state.launches.push_back(std::move(made));
}
CUresult launch(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                unsigned bx, unsigned by, unsigned bz, unsigned shared,
                CUstream, void **params, void **) {
  ENTER(cuLaunchKernel);
  note(function, {{}, {gx, gy, gz}, {bx, by, bz}, {}, shared, {}}, params);
  return success;
}
CUresult launchEx(const CUlaunchConfig *config, CUfunction function,
                  void **params, void **) {
  ENTER(cuLaunchKernelEx);
  if (config->numAttrs != 1 ||
      config->attrs[0].id != launchAttributeClusterDimension)
    return errorInvalidValue;
  const auto &cluster = config->attrs[0].value.clusterDim;
  note(function,
       {{},
        {config->gridDimX, config->gridDimY, config->gridDimZ},
        {config->blockDimX, config->blockDimY, config->blockDimZ},
        {cluster.x, cluster.y, cluster.z},
        config->sharedMemBytes,
        {}},
       params);
  return success;
}
CUresult encodeTiled(CUtensorMap *map, int type, unsigned rank, void *address,
                     const std::uint64_t *sizes, const std::uint64_t *strides,
                     const std::uint32_t *box,
                     const std::uint32_t *elementStrides, int interleave,
                     int swizzle, int promotion, int fill) {
  ENTER(cuTensorMapEncodeTiled);
  state.tensorMaps.push_back({type,
                              rank,
                              address,
                              {sizes, sizes + rank},
                              {strides, strides + rank - 1},
                              {box, box + rank},
                              {elementStrides, elementStrides + rank},
                              interleave,
                              swizzle,
                              promotion,
                              fill});
  std::memset(map, 0x5a, sizeof(*map));
  return success;
}

void *find(std::string_view name) {
  static const std::map<std::string_view, void *> entryPoints{
#define ENTRY(name, function) {#name, reinterpret_cast<void *>(function)}
      ENTRY(cuGetErrorName, getErrorName),
      ENTRY(cuGetErrorString, getErrorString),
      ENTRY(cuInit, init),
      ENTRY(cuDriverGetVersion, driverVersion),
      ENTRY(cuDeviceGetCount, deviceCount),
      ENTRY(cuDeviceGet, deviceGet),
      ENTRY(cuDeviceGetName, deviceName),
      ENTRY(cuDeviceGetAttribute, deviceAttribute),
      ENTRY(cuDeviceTotalMem, totalMemory),
      ENTRY(cuDevicePrimaryCtxRetain, retain),
      ENTRY(cuCtxPushCurrent, push),
      ENTRY(cuCtxPopCurrent, pop),
      ENTRY(cuMemAlloc, memAlloc),
      ENTRY(cuMemFree, memFree),
      ENTRY(cuMemHostAlloc, hostAlloc),
      ENTRY(cuMemHostGetDevicePointer, hostPointer),
      ENTRY(cuMemFreeHost, freeHost),
      ENTRY(cuPointerGetAttribute, pointerAttribute),
      ENTRY(cuMemcpyHtoD, copyIn),
      ENTRY(cuMemcpyHtoDAsync, copyInAsync),
      ENTRY(cuMemcpyDtoHAsync, copyOutAsync),
      ENTRY(cuMemcpyDtoDAsync, copyAsync),
      ENTRY(cuMemsetD8Async, fillAsync),
      ENTRY(cuStreamCreate, streamCreate),
      ENTRY(cuStreamDestroy, streamDestroy),
      ENTRY(cuStreamSynchronize, streamSynchronize),
      ENTRY(cuModuleLoadDataEx, moduleLoad),
      ENTRY(cuModuleUnload, moduleUnload),
      ENTRY(cuModuleGetFunction, moduleFunction),
      ENTRY(cuModuleGetGlobal, moduleGlobal),
      ENTRY(cuFuncSetAttribute, functionAttribute),
      ENTRY(cuLaunchKernel, launch),
      ENTRY(cuLaunchKernelEx, launchEx),
      ENTRY(cuTensorMapEncodeTiled, encodeTiled)};
#undef ENTRY
  auto found = entryPoints.find(name);
  return found == entryPoints.end() ? nullptr : found->second;
}

/// The version of CUDA whose function of that name this library has.
int versionOf(std::string_view name) {
  return name == "cuLaunchKernelEx"         ? 11080
         : name == "cuTensorMapEncodeTiled" ? 12000
                                            : 11030;
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] CUresult
cuGetProcAddress_v2(const char *name, void **address, int version,
                    std::uint64_t, int *) {
  *address = version == versionOf(name) && !state.missing.contains(name)
                 ? find(name)
                 : nullptr;
  return *address ? success : errorNotFound;
}

[[gnu::visibility("default")]] FakeCuda *tesseraFakeCuda() { return &state; }

} // extern "C"
