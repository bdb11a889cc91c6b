// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the CUDA driver API that the runtime calls, declared as the
// driver's ABI has it: NVIDIA's headers are not needed. Names and numbers are
// those of the CUDA Driver API reference, version 12.0.

#ifndef TESSERA_RUNTIME_CUDA_DRIVER_API_H
#define TESSERA_RUNTIME_CUDA_DRIVER_API_H

#include <cstddef>
#include <cstdint>

namespace tessera::runtime::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st *;
using CUstream = struct CUstream_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;

/// Results that the runtime tells apart.
enum Status : CUresult {
  success = 0,
  errorInvalidValue = 1,
  errorOutOfMemory = 2,
  errorNoDevice = 100,
  errorInvalidDevice = 101,
  errorInvalidImage = 200,
  errorNoBinaryForGpu = 209,
  errorEccUncorrectable = 214,
  errorInvalidPtx = 218,
  errorUnsupportedPtxVersion = 222,
  errorNotFound = 500,
  errorIllegalAddress = 700,
  errorLaunchOutOfResources = 701,
  errorLaunchTimeout = 702,
  errorContextIsDestroyed = 709,
  errorAssert = 710,
  errorHardwareStack = 714,
  errorIllegalInstruction = 715,
  errorMisalignedAddress = 716,
  errorInvalidAddressSpace = 717,
  errorInvalidPc = 718,
  errorLaunchFailed = 719,
};

enum DeviceAttribute : int {
  attributeMaxThreadsPerBlock = 1,
  attributeMaxBlockDimX = 2, ///< Y and Z follow
  attributeMaxGridDimX = 5,  ///< Y and Z follow
  attributeWarpSize = 10,
  attributeMultiprocessorCount = 16,
  attributeComputeCapabilityMajor = 75,
  attributeComputeCapabilityMinor = 76,
  attributeMaxSharedMemoryPerBlockOptin = 97,
  attributeClusterLaunch = 120,
};

inline constexpr int functionMaxDynamicShared = 8;
inline constexpr int functionNonPortableClusterAllowed = 14;
inline constexpr unsigned streamNonBlocking = 1;
inline constexpr unsigned hostAllocPortable = 1, hostAllocDeviceMap = 2;
inline constexpr int pointerMemoryType = 2;
inline constexpr int jitErrorLogBuffer = 5, jitErrorLogBufferSize = 6;

/// What `cuLaunchKernelEx` takes.
inline constexpr int launchAttributeClusterDimension = 4;
struct CUlaunchAttribute {
  int id;
  char unused[4];
  union alignas(8) {
    struct {
      unsigned x, y, z;
    } clusterDim;
    char size[64];
  } value;
};
static_assert(sizeof(CUlaunchAttribute) == 72);
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};

/// What `cuTensorMapEncodeTiled` takes and makes.
struct alignas(64) CUtensorMap {
  std::uint64_t opaque[16];
};
enum TensorMapDataType : int {
  tensorUint8 = 0,
  tensorUint16 = 1,
  tensorUint32 = 2,
  tensorInt32 = 3,
  tensorUint64 = 4,
  tensorInt64 = 5,
  tensorFloat16 = 6,
  tensorFloat32 = 7,
  tensorFloat64 = 8,
  tensorBfloat16 = 9,
};
inline constexpr int tensorInterleaveNone = 0;

/// The version whose ABI the declarations below have; `cuGetProcAddress` finds
/// the entry points of it.
inline constexpr int requestedVersion = 11030;

/// Every entry point that a driver must have: X(name, parameters).
#define TESSERA_CUDA_ENTRY_POINTS(X)                                           \
  X(cuGetErrorName, (CUresult, const char **))                                 \
  X(cuGetErrorString, (CUresult, const char **))                               \
  X(cuInit, (unsigned))                                                        \
  X(cuDriverGetVersion, (int *))                                               \
  X(cuDeviceGetCount, (int *))                                                 \
  X(cuDeviceGet, (CUdevice *, int))                                            \
  X(cuDeviceGetName, (char *, int, CUdevice))                                  \
  X(cuDeviceGetAttribute, (int *, int, CUdevice))                              \
  X(cuDeviceTotalMem, (std::size_t *, CUdevice))                               \
  X(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                         \
  X(cuCtxPushCurrent, (CUcontext))                                             \
  X(cuCtxPopCurrent, (CUcontext *))                                            \
  X(cuMemAlloc, (CUdeviceptr *, std::size_t))                                  \
  X(cuMemFree, (CUdeviceptr))                                                  \
  X(cuMemHostAlloc, (void **, std::size_t, unsigned))                          \
  X(cuMemHostGetDevicePointer, (CUdeviceptr *, void *, unsigned))              \
  X(cuMemFreeHost, (void *))                                                   \
  X(cuPointerGetAttribute, (void *, int, CUdeviceptr))                         \
  X(cuMemcpyHtoD, (CUdeviceptr, const void *, std::size_t))                    \
  X(cuMemcpyHtoDAsync, (CUdeviceptr, const void *, std::size_t, CUstream))     \
  X(cuMemcpyDtoHAsync, (void *, CUdeviceptr, std::size_t, CUstream))           \
  X(cuMemcpyDtoDAsync, (CUdeviceptr, CUdeviceptr, std::size_t, CUstream))      \
  X(cuMemsetD8Async, (CUdeviceptr, unsigned char, std::size_t, CUstream))      \
  X(cuStreamCreate, (CUstream *, unsigned))                                    \
  X(cuStreamDestroy, (CUstream))                                               \
  X(cuStreamSynchronize, (CUstream))                                           \
  X(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, int *, void **))  \
  X(cuModuleUnload, (CUmodule))                                                \
  X(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))               \
  X(cuModuleGetGlobal, (CUdeviceptr *, std::size_t *, CUmodule, const char *)) \
  X(cuFuncSetAttribute, (CUfunction, int, int))                                \
  X(cuLaunchKernel,                                                            \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))

/// Entry points that newer drivers have: X(name, version, parameters), with the
/// version of CUDA that they came with.
#define TESSERA_CUDA_NEWER_ENTRY_POINTS(X)                                     \
  X(cuLaunchKernelEx, 11080,                                                   \
    (const CUlaunchConfig *, CUfunction, void **, void **))                    \
  X(cuTensorMapEncodeTiled, 12000,                                             \
    (CUtensorMap *, int, unsigned, void *, const std::uint64_t *,              \
     const std::uint64_t *, const std::uint32_t *, const std::uint32_t *, int, \
     int, int, int))

} // namespace tessera::runtime::cuda

#endif // TESSERA_RUNTIME_CUDA_DRIVER_API_H
