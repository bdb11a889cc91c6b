// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The virtual GPU: runs PTX text, any producer's, on the CPU. This is the
// interface that the runtime's `vgpu:0` device is built on.
//
// Global memory of the virtual GPU is host memory at its own address, entered
// in a table of allocations; every access is checked against it. Mapped host
// memory is therefore simply registered. The shared, local and parameter
// windows of the generic address space lie at addresses no host pointer has.
//
// Thread safety: a `Device` may be used from several threads; launches on one
// device run one after another.

#ifndef TESSERA_VGPU_VGPU_H
#define TESSERA_VGPU_VGPU_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::vgpu {

class Monitor;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t(x) * y * z; }
  friend bool operator==(const Dim3 &, const Dim3 &) = default;
};

enum class FaultKind {
  invalidPtx,    ///< the text is no PTX, or uses what this device lacks
  invalidLaunch, ///< grid, block, shared memory or arguments are wrong
  outOfMemory,
  invalidAddress, ///< no allocation holds the bytes (null included)
  misaligned,
  trap,             ///< `trap` was executed
  deadlock,         ///< every live warp waits
  divergentBarrier, ///< an aligned barrier not reached by the whole warp
  invalidSync,      ///< wrong operands of a barrier or warp-wide exchange
  unsupported,      ///< an instruction that this version does not execute
  stackOverflow,
  stepLimit, ///< `Options::maxInstructions` was reached
};

/// A place in PTX text.
struct PtxLocation {
  std::uint32_t line = 0, column = 0;
};

/// What went wrong. `message()` is one clear line for a user; the parts are
/// there for tools.
struct Fault {
  FaultKind kind;
  std::string
      what; ///< the reason alone, e.g. "4-byte store past the end of ..."
  std::string kernel;
  std::optional<Dim3> block, thread; ///< indices
  std::string instruction;           ///< PTX text
  PtxLocation ptx;
  std::string sourceFile; ///< from `.loc`, when the PTX has it
  std::uint32_t sourceLine = 0;
  std::optional<std::uint64_t> address;
  [[nodiscard]] std::string message() const;
};

template <class T> using Result = std::expected<T, Fault>;

/// When the effects of an asynchronous operation (a copy, a reduction, a
/// warpgroup's matrix multiplication) happen. What it reads and what it writes
/// have moments of their own; a program that waits and fences as it must cannot
/// tell one choice from another.
enum class AsyncMoments : std::uint8_t {
  late,   ///< when nothing else can run: stale data where a wait is missing
  early,  ///< as soon as it is issued: overwritten data where one is missing
  seeded, ///< in between, by `Options::seed`
};

/// Whether kernels are compiled for the host.
enum class NativeMode {
  off,  ///< all is interpreted
  on,   ///< in the background, while they are interpreted
  sync, ///< before they run
};

struct NativeOptions {
  NativeMode mode = NativeMode::on;
  std::string library;    ///< path of the compiler; empty: where it belongs
  bool isVerbose = false; ///< remarks on standard error
};

struct Options {
  NativeOptions native;
  std::uint32_t sm = 90;             ///< what %-registers and limits report
  std::uint32_t multiprocessors = 8; ///< reported
  /// Host threads that clusters run on; 0: one for each core. With `seed` or
  /// seeded moments it is one, whatever is asked.
  std::uint32_t hostThreads = 0;
  /// The order in which warps run, and how long their turns are, is drawn from
  /// this seed; without one it is fixed.
  std::optional<std::uint64_t> seed;
  AsyncMoments asyncMoments = AsyncMoments::late;
  std::uint64_t memoryLimit = std::uint64_t(8)
                              << 30; ///< bytes of global memory
  /// What kernels may `malloc`, taken from global memory by the first that
  /// does.
  std::uint64_t heapBytes = 8 << 20;
  std::uint64_t stackBytes = 64 << 10; ///< local memory per thread
  std::uint64_t maxInstructions = 0;   ///< per launch and warp, 0: no limit
  /// Who watches launches and memory: see monitor.h. A watched launch is
  /// interpreted, on one host thread.
  std::shared_ptr<Monitor> monitor;
  /// Where device `printf` goes; standard output when empty.
  std::function<void(std::string_view)> print;
};

struct LaunchConfig {
  Dim3 grid, block;
  std::uint32_t dynamicShared = 0;
  /// Blocks of a cluster; zeros: what the kernel requires, or one block.
  Dim3 cluster{0, 0, 0};
};

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

inline constexpr std::size_t tensorMapBytes = 128;
inline constexpr std::uint32_t maxTensorRank = 5;

enum class TensorType : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  bf16,
  f32,
  f64,
};
/// How 16-byte chunks are exchanged in shared memory.
enum class TensorSwizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };
/// What a box has where it leaves the tensor.
enum class TensorFill : std::uint8_t { zero, nan };

/// A tensor in global memory and the boxes that are copied out of it or into
/// it. Dimensions count from the innermost one.
struct TensorMapLayout {
  TensorType type = TensorType::u8;
  TensorSwizzle swizzle = TensorSwizzle::none;
  TensorFill fill = TensorFill::zero;
  std::uint32_t rank = 0;
  std::uint64_t address = 0;                        ///< a multiple of 16
  std::array<std::uint64_t, maxTensorRank> sizes{}; ///< elements
  /// Bytes from one element to the next in dimensions 1 and up; multiples of
  /// 16.
  std::array<std::uint64_t, maxTensorRank - 1> strides{};
  std::array<std::uint32_t, maxTensorRank> box{}; ///< elements, to 256
  /// Every how many-th element of a box is copied; ignored in dimension 0.
  std::array<std::uint32_t, maxTensorRank> elementStrides{1, 1, 1, 1, 1};
};

/// The 128 bytes that a kernel of this device expects, at a multiple of 64; or
/// what is wrong with the layout.
[[nodiscard]] Result<std::array<std::byte, tensorMapBytes>>
encodeTensorMap(const TensorMapLayout &layout);

/// A loaded PTX module. Cheap to copy; lives as long as a copy does.
class Module {
public:
  struct ParamInfo {
    std::string name;
    std::uint32_t size = 0, align = 1, offset = 0;
  };
  struct KernelInfo {
    std::string name;
    std::vector<ParamInfo> params;
    std::uint32_t paramBytes = 0;
    std::uint32_t staticShared = 0;
    Dim3 requiredBlock{0, 0, 0};
    std::uint32_t maxThreads = 0;
    Dim3 requiredCluster{0, 0, 0};
    std::uint32_t maxClusterBlocks = 0; ///< 0: what the device can
  };
  [[nodiscard]] std::vector<KernelInfo> kernels() const;
  [[nodiscard]] std::optional<KernelInfo> kernel(std::string_view name) const;
  struct GlobalInfo {
    std::uint64_t address = 0, size = 0;
  };
  /// A module-scope `.global` or `.const` variable.
  [[nodiscard]] std::optional<GlobalInfo> global(std::string_view name) const;

  struct Impl;
  std::shared_ptr<Impl> impl;
};

class Device {
public:
  explicit Device(Options options = {});
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  [[nodiscard]] const Options &options() const;

  /// `bytes` of zero-filled-on-request global memory, 256-byte aligned.
  /// Zero bytes is an `invalidLaunch`-free request for a unique address.
  [[nodiscard]] Result<std::uint64_t> allocate(std::uint64_t bytes);
  /// An address that `allocate` returned and that was not freed since.
  [[nodiscard]] Result<void> free(std::uint64_t address);
  /// Makes host memory accessible to kernels at its own address.
  [[nodiscard]] Result<void> mapHost(void *base, std::uint64_t bytes);
  [[nodiscard]] Result<void> unmapHost(void *base);

  [[nodiscard]] Result<void> write(std::uint64_t to,
                                   std::span<const std::byte> from);
  [[nodiscard]] Result<void> read(std::span<std::byte> to, std::uint64_t from);
  [[nodiscard]] Result<void> copy(std::uint64_t to, std::uint64_t from,
                                  std::uint64_t bytes);
  [[nodiscard]] Result<void> fill(std::uint64_t to, std::byte value,
                                  std::uint64_t bytes);

  /// Parses, checks and links `ptx`; allocates its module-scope variables.
  [[nodiscard]] Result<Module> load(std::string ptx);

  /// Runs a kernel to its end. `params` is the parameter block, each parameter
  /// at its `ParamInfo::offset`.
  [[nodiscard]] Result<void> launch(const Module &module,
                                    std::string_view kernel,
                                    const LaunchConfig &config,
                                    std::span<const std::byte> params);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_VGPU_H
