// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA backend against a driver that does what the test says.

#include "fake-cuda.h"

#include "image/image.h"
#include "runtime/device-table.h"
#include "runtime/registry.h"

#include <tessera/runtime.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstring>
#include <thread>

FakeCuda &resetFakeCuda(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library)
    throw std::runtime_error(dlerror());
  auto *get =
      reinterpret_cast<FakeCuda *(*)()>(dlsym(library, "tesseraFakeCuda"));
  FakeCuda &fake = *get();
  fake = {};
  return fake;
}

namespace {

using namespace tessera;
using runtime::DeviceTable;
using runtime::Options;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string trapState(image::trapStateSymbol);

constexpr const char *ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .u32 count)
{
  ret;
}
)";

/// The error that `f` throws.
template <class F> error caught(F f) {
  try {
    f();
  } catch (const error &e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return error(error_kind::driver, "", 0, "", {}, "nothing was thrown");
}

class Cuda : public testing::Test {
protected:
  device gpu(unsigned index = 0) {
    return device(
        *runtime::valueOrRaise(table.find("cuda:" + std::to_string(index)),
                               std::source_location::current()));
  }

  FakeCuda &fake = resetFakeCuda(TESSERA_FAKE_LIBCUDA);
  DeviceTable table{Options{.cudaLibrary = TESSERA_FAKE_LIBCUDA}};
};

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TEST_F(Cuda, Enumerates) {
  fake.deviceCount = 2;
  std::vector<std::string> ids;
  for (runtime::DeviceState *state : table.all())
    ids.push_back(state->id);
  EXPECT_THAT(ids, ElementsAre("cuda:0", "cuda:1", "vgpu:0"));

  const device second = gpu(1);
  EXPECT_EQ(second.name(), "Other fake GPU");
  EXPECT_EQ(second.arch(), "sm_90");
  EXPECT_EQ(second.kind(), device_kind::cuda);
  EXPECT_EQ(second.total_memory(), std::uint64_t(80) << 30);
  EXPECT_EQ(second.properties().multiprocessors, 132u);
  EXPECT_EQ(second.properties().max_block[2], 64u);
  EXPECT_EQ(second.properties().driver_version, 12040u);
  EXPECT_EQ((*table.best())->id, "cuda:0");
  EXPECT_EQ(fake.count("cuDevicePrimaryCtxRetain"), 0)
      << "looking at devices makes no context";
}

TEST_F(Cuda, DeviceThatIsNotThere) {
  auto missing = table.find("cuda:1");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, error_kind::no_device);
  EXPECT_THAT(missing.error().message,
              HasSubstr("cuda:0 (Fake GPU), vgpu:0 (Tessera virtual GPU)"));
}

TEST_F(Cuda, EnvironmentNamesADeviceThatIsNotThere) {
  for (const char *name :
       {"gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "vgpu:1", "cuda:7"}) {
    DeviceTable wrong{
        Options{.device = name, .cudaLibrary = TESSERA_FAKE_LIBCUDA}};
    auto best = wrong.best();
    ASSERT_FALSE(best) << name;
    EXPECT_THAT(best.error().message,
                HasSubstr("TESSERA_DEVICE asks for '" + std::string(name)));
    EXPECT_THAT(best.error().message, HasSubstr("cuda:0 (Fake GPU)"));
  }
}

TEST_F(Cuda, VirtualGpuByNameNeedsNoDriver) {
  DeviceTable chosen{
      Options{.device = "vgpu:0", .cudaLibrary = TESSERA_FAKE_LIBCUDA}};
  EXPECT_EQ((*chosen.best())->id, "vgpu:0");
  EXPECT_EQ(fake.count("cuInit"), 0);
}

/// The remark that `best` makes, which must end at the virtual GPU.
std::string remarkOf(DeviceTable &table) {
  testing::internal::CaptureStderr();
  auto first = table.best();
  auto second = table.best();
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ((*first)->id, "vgpu:0");
  EXPECT_EQ(*first, *second);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 1) << text;
  return text;
}

TEST_F(Cuda, NoDevice) {
  fake.results["cuInit"] = 100;
  EXPECT_THAT(remarkOf(table), HasSubstr("no CUDA-capable device"));
  auto missing = table.find("cuda:0");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().api, "cuInit");
  EXPECT_EQ(missing.error().codeName, "CUDA_ERROR_NO_DEVICE");
}

TEST_F(Cuda, DriverWithoutGpu) {
  fake.deviceCount = 0;
  EXPECT_THAT(remarkOf(table), HasSubstr("the NVIDIA driver is there, but no"));
}

TEST_F(Cuda, DriverWithoutAnEntryPoint) {
  fake.missing = {"cuLaunchKernel"};
  EXPECT_THAT(remarkOf(table), HasSubstr("too old: it has no cuLaunchKernel"));
}

TEST_F(Cuda, LibraryThatIsNoDriver) {
  DeviceTable old{Options{.cudaLibrary = "libm.so.6"}};
  EXPECT_THAT(remarkOf(old), HasSubstr("too old: it has no cuGetProcAddress"));
}

TEST_F(Cuda, NoLibrary) {
  DeviceTable none{Options{.cudaLibrary = "libtessera-no-such-library.so"}};
  EXPECT_THAT(remarkOf(none), HasSubstr("the NVIDIA driver was not found: "
                                        "libtessera-no-such-library.so"));
}

TEST_F(Cuda, Quiet) {
  fake.deviceCount = 0;
  DeviceTable quiet{
      Options{.cudaLibrary = TESSERA_FAKE_LIBCUDA, .quiet = true}};
  EXPECT_EQ(remarkOf(quiet), "");
}

//===----------------------------------------------------------------------===//
// Memory and streams
//===----------------------------------------------------------------------===//

TEST_F(Cuda, CopiesAndFreesAndKeepsTheContextsOfOthers) {
  {
    stream s{gpu()};
    auto a = buffer<int>::from_host(s, {1, 2, 3});
    buffer<int> b(s, 3);
    b.copy_from(s, a);
    EXPECT_THAT(b.to_host(s), ElementsAre(1, 2, 3));
    b.fill(s, std::byte{0xff});
    EXPECT_THAT(b.to_host(s), ElementsAre(-1, -1, -1));
    EXPECT_NE(s.native_handle(), nullptr);
  }
  EXPECT_TRUE(fake.memory.empty());
  EXPECT_EQ(fake.contextDepth, 0);
  EXPECT_EQ(fake.count("cuDevicePrimaryCtxRetain"), 1);
}

TEST_F(Cuda, AllocationFails) {
  stream s{gpu()};
  fake.results["cuMemAlloc"] = 2;
  const unsigned line = __LINE__ + 1;
  const error e = caught([&] { buffer<double> b(s, 1000); });
  EXPECT_EQ(e.kind(), error_kind::out_of_memory);
  EXPECT_EQ(e.api(), "cuMemAlloc");
  EXPECT_EQ(e.code(), 2);
  EXPECT_EQ(e.code_name(), "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(e.location().line(), line);
  EXPECT_THAT(e.location().file_name(), HasSubstr("cuda_test.cpp"));
  EXPECT_THAT(e.what(), HasSubstr("out of memory; 8000 bytes were asked for "
                                  "(cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), "
                                  "at "));
}

TEST_F(Cuda, ResultWithoutAName) {
  fake.results["cuStreamCreate"] = 4242;
  const error e = caught([&] { stream s{gpu()}; });
  EXPECT_EQ(e.code(), 4242);
  EXPECT_THAT(e.what(), HasSubstr("cuStreamCreate: unknown CUresult (4242)"));
}

TEST_F(Cuda, ContextThatCannotBeMade) {
  fake.results["cuDevicePrimaryCtxRetain"] = 2;
  EXPECT_EQ(caught([&] { stream s{gpu()}; }).api(), "cuDevicePrimaryCtxRetain");
  fake.results.clear();
  stream s{gpu()};
}

TEST_F(Cuda, PinnedSourceIsWaitedFor) {
  stream s{gpu()};
  const std::vector<int> host{1, 2};
  buffer<int> b(s, 2);
  b.copy_from(s, host);
  EXPECT_EQ(fake.count("cuStreamSynchronize"), 0);
  fake.pinned.insert(host.data());
  b.copy_from(s, host);
  EXPECT_EQ(fake.count("cuStreamSynchronize"), 1);
}

TEST_F(Cuda, DestructorsDoNotThrow) {
  {
    stream s{gpu()};
    buffer<int> b(s, 1);
    module m = module::from_ptx(s.device(), ptx);
    for (const char *name : {"cuMemFree", "cuStreamDestroy", "cuModuleUnload",
                             "cuStreamSynchronize", "cuMemFreeHost"})
      fake.results[name] = 4;
  }
  EXPECT_EQ(fake.contextDepth, 0);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

TEST_F(Cuda, CompilerLogIsInTheError) {
  fake.results["cuModuleLoadDataEx"] = 218;
  fake.compilerLog =
      "ptxas application ptx input, line 5; error: no such thing\n";
  const error e = caught([&] { (void)module::from_ptx(gpu(), ptx); });
  EXPECT_EQ(e.kind(), error_kind::invalid_module);
  EXPECT_EQ(e.api(), "cuModuleLoadDataEx");
  EXPECT_THAT(e.what(), HasSubstr("a PTX JIT compilation failed"));
  EXPECT_THAT(e.what(), HasSubstr("line 5; error: no such thing\n"));
}

TEST_F(Cuda, LaunchPassesConfigurationAndParameters) {
  stream s{gpu()};
  auto data = buffer<float>::zeroed(s, 300);
  fake.paramSizes = {8, 4, 4};
  module m = module::from_ptx(s.device(), ptx);
  launch(s, grid(2, 3).block(16, 8).shared(100 << 10), m.kernel("scale"), data,
         2.5f, 300u);
  launch(s, threads(300), m.kernel("scale"), data, 2.5f, 300u);
  ASSERT_EQ(fake.launches.size(), 2u);
  const FakeCuda::Launch &first = fake.launches[0];
  EXPECT_EQ(first.kernel, "scale");
  EXPECT_THAT(first.grid, ElementsAre(2, 3, 1));
  EXPECT_THAT(first.block, ElementsAre(16, 8, 1));
  EXPECT_EQ(first.shared, 100u << 10);
  const float *address = data.data();
  EXPECT_EQ(std::memcmp(first.params[0].data(), &address, 8), 0);
  const float factor = 2.5f;
  EXPECT_EQ(std::memcmp(first.params[1].data(), &factor, 4), 0);
  const unsigned count = 300;
  EXPECT_EQ(std::memcmp(first.params[2].data(), &count, 4), 0);
  EXPECT_THAT(fake.launches[1].grid, ElementsAre(2, 1, 1));
  EXPECT_THAT(fake.launches[1].block, ElementsAre(256, 1, 1));
  EXPECT_EQ(fake.count("cuFuncSetAttribute"), 1);
  EXPECT_EQ(fake.count("cuModuleGetFunction"), 1);
}

TEST_F(Cuda, LaunchPassesClusters) {
  stream s{gpu()};
  module m = module::from_ptx(s.device(), ptx);
  launch(s, grid(8, 6).block(32).cluster(4, 2), m.kernel("scale"), nullptr, 1.f,
         0);
  EXPECT_TRUE(fake.functionAttributes.empty());
  for (int i = 0; i != 2; ++i)
    launch(s, grid(16).block(32).cluster(16), m.kernel("scale"), nullptr, 1.f,
           0);
  ASSERT_EQ(fake.launches.size(), 3u);
  EXPECT_THAT(fake.launches[0].grid, ElementsAre(8, 6, 1));
  EXPECT_THAT(fake.launches[0].block, ElementsAre(32, 1, 1));
  EXPECT_THAT(fake.launches[0].cluster, ElementsAre(4, 2, 1));
  EXPECT_THAT(fake.launches[1].cluster, ElementsAre(16, 1, 1));
  ASSERT_EQ(fake.functionAttributes.size(), 1u) << "asked for once";
  EXPECT_EQ(fake.functionAttributes[0].which, 14);
  EXPECT_EQ(fake.functionAttributes[0].value, 1);
  EXPECT_EQ(fake.count("cuLaunchKernel"), 0);
}

TEST_F(Cuda, KernelsThatRequireLargeClustersAreAllowedThem) {
  stream s{gpu()};
  module m = module::from_ptx(s.device(), R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry wide() .reqnctapercluster 16, 1, 1 { ret; }
)");
  launch(s, grid(16), m.kernel("wide"));
  ASSERT_EQ(fake.functionAttributes.size(), 1u);
  EXPECT_EQ(fake.functionAttributes[0].which, 14);
  EXPECT_EQ(fake.count("cuLaunchKernel"), 1);
}

TEST_F(Cuda, OlderDriversAndDevicesHaveNoClusters) {
  fake.missing = {"cuLaunchKernelEx", "cuTensorMapEncodeTiled"};
  stream s{gpu()};
  module m = module::from_ptx(s.device(), ptx);
  const auto clustered = [](stream &on, const module &code) {
    return caught([&] {
      launch(on, grid(2).cluster(2), code.kernel("scale"), nullptr, 1.f, 0);
    });
  };
  EXPECT_THAT(clustered(s, m).what(), HasSubstr("came with CUDA 11.8"));
  launch(s, grid(2), m.kernel("scale"), nullptr, 1.f, 0);
  fake.missing.clear();
  fake.computeMajor = 8;
  DeviceTable ampere{Options{.cudaLibrary = TESSERA_FAKE_LIBCUDA}};
  const device old{*runtime::valueOrRaise(ampere.find("cuda:0"),
                                          std::source_location::current())};
  stream t{old};
  EXPECT_THAT(clustered(t, module::from_ptx(old, ptx)).what(),
              HasSubstr("the device has no clusters"));
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

const tensor_layout someLayout{.element = tensor_element::bf16,
                               .rank = 3,
                               .address =
                                   reinterpret_cast<const void *>(0x1000),
                               .sizes = {100, 20, 3},
                               .strides = {256, 8192},
                               .box = {64, 8, 2},
                               .element_strides = {1, 2, 1},
                               .swizzle = tensor_swizzle::bytes128,
                               .fill = tensor_fill::nan,
                               .l2_promotion = tensor_l2_promotion::bytes128};

TEST_F(Cuda, TensorMapsAreTheDrivers) {
  const tensor_map map = tensor_map::tiled(gpu(), someLayout);
  EXPECT_THAT(map.bytes(), testing::Each(std::byte{0x5a}));
  ASSERT_EQ(fake.tensorMaps.size(), 1u);
  const FakeCuda::TensorMap &made = fake.tensorMaps[0];
  EXPECT_EQ(made.type, 9);
  EXPECT_EQ(made.rank, 3u);
  EXPECT_EQ(made.address, someLayout.address);
  EXPECT_THAT(made.sizes, ElementsAre(100, 20, 3));
  EXPECT_THAT(made.strides, ElementsAre(256, 8192));
  EXPECT_THAT(made.box, ElementsAre(64, 8, 2));
  EXPECT_THAT(made.elementStrides, ElementsAre(1, 2, 1));
  EXPECT_EQ(made.interleave, 0);
  EXPECT_EQ(made.swizzle, 3);
  EXPECT_EQ(made.promotion, 2);
  EXPECT_EQ(made.fill, 1);
  tensor_layout other = someLayout;
  other.element = tensor_element::f32;
  other.box = {32, 8, 2};
  (void)tensor_map::tiled(gpu(), other);
  EXPECT_EQ(fake.tensorMaps.back().type, 7);
}

TEST_F(Cuda, TensorMapsThatAreWrongDoNotReachTheDriver) {
  tensor_layout wrong = someLayout;
  wrong.strides[1] = 8200;
  const error e = caught([&] { (void)tensor_map::tiled(gpu(), wrong); });
  EXPECT_EQ(e.kind(), error_kind::invalid_argument);
  EXPECT_THAT(e.what(), HasSubstr("a stride of 8200 bytes"));
  EXPECT_EQ(fake.count("cuTensorMapEncodeTiled"), 0);
}

TEST_F(Cuda, TensorMapsNeedANewerDriver) {
  fake.missing = {"cuTensorMapEncodeTiled"};
  EXPECT_THAT(
      caught([&] { (void)tensor_map::tiled(gpu(), someLayout); }).what(),
      HasSubstr("came with CUDA 12.0"));
}

TEST_F(Cuda, LaunchFailsAtOnce) {
  stream s{gpu()};
  module m = module::from_ptx(s.device(), ptx);
  fake.results["cuLaunchKernel"] = 1;
  const error e = caught(
      [&] { launch(s, threads(1), m.kernel("scale"), nullptr, 1.f, 0); });
  EXPECT_EQ(e.kind(), error_kind::invalid_launch);
  EXPECT_EQ(e.api(), "cuLaunchKernel");
}

//===----------------------------------------------------------------------===//
// Kernels of the program, traps and lost devices
//===----------------------------------------------------------------------===//

void kernelOfTwo(float *, unsigned) {}

/// Registers an image for `kernelOfTwo`; the bytes live as long as the process.
void registerImage() {
  static const auto bytes = [] {
    image::Image image;
    image.source = "saxpy.cpp";
    image.kernels.push_back(
        {.symbol = "two",
         .name = "two",
         .params = {{"p", "float *", image::ParamKind::pointer, 8, 8, 0, 4},
                    {"n", "unsigned", image::ParamKind::value, 4, 4, 8, 0}},
         .paramBytes = 12});
    image.trapSites.push_back(
        {3, image::TrapKind::bounds, {"saxpy.cpp", 12, 18}, "y[i]", "two"});
    image.variants = {{{75, '\0'}, 64, "general"},
                      {{90, 'a'}, 80, "for Hopper"},
                      {{100, '\0'}, 86, "for Blackwell"}};
    return image::write(image);
  }();
  static const __tessera_kernel_entry entry{
      reinterpret_cast<const void *>(kernelOfTwo), "two"};
  static const bool once = [] {
    __tessera_register_image(1, bytes.data(), bytes.size(), &entry, 1);
    return true;
  }();
  (void)once;
}

class CudaProgram : public Cuda {
protected:
  CudaProgram() {
    registerImage();
    fake.globals[trapState].resize(sizeof(image::TrapState));
  }

  /// Does what a failed check on the device does.
  void trapOnDevice() {
    image::TrapState state;
    std::memcpy(&state, fake.globals[trapState].data(), sizeof(state));
    ASSERT_NE(state.record, 0u);
    auto *record = reinterpret_cast<image::TrapRecord *>(state.record);
    *record = {.valid = 1,
               .site = 3,
               .block = {1, 0, 0},
               .thread = {44, 0, 0},
               .a = 300,
               .b = 256};
    fake.results["cuStreamSynchronize"] = 719;
  }
};

TEST_F(CudaProgram, LoadsTheBestVariantOnceForEachDevice) {
  fake.deviceCount = 2;
  stream s{gpu()}, t{gpu(1)};
  std::vector<std::thread> workers;
  for (int i = 0; i != 4; ++i)
    workers.emplace_back([&] {
      stream own{gpu()};
      launch(own, threads(1), kernelOfTwo, nullptr, 0);
    });
  for (std::thread &worker : workers)
    worker.join();
  launch(s, threads(1), kernelOfTwo, nullptr, 0);
  EXPECT_THAT(fake.modules, ElementsAre("for Hopper"));
  launch(t, threads(1), kernelOfTwo, nullptr, 0);
  EXPECT_THAT(fake.modules, ElementsAre("for Hopper", "for Hopper"));
}

TEST_F(CudaProgram, OlderDeviceGetsOlderCode) {
  fake.computeMajor = 8;
  stream s{gpu()};
  launch(s, threads(1), kernelOfTwo, nullptr, 0);
  EXPECT_THAT(fake.modules, ElementsAre("general"));
}

TEST_F(CudaProgram, DeviceThatNoVariantRunsOn) {
  fake.computeMajor = 7;
  stream s{gpu()};
  const error e =
      caught([&] { launch(s, threads(1), kernelOfTwo, nullptr, 0); });
  EXPECT_EQ(e.kind(), error_kind::invalid_module);
  EXPECT_THAT(e.what(), HasSubstr("needs code for sm_70 or an earlier"));
  EXPECT_THAT(e.what(), HasSubstr("only sm_75, sm_90a, sm_100"));
}

TEST_F(CudaProgram, FailedLoadIsTriedAgain) {
  stream s{gpu()};
  fake.results["cuModuleLoadDataEx"] = 2;
  EXPECT_EQ(
      caught([&] { launch(s, threads(1), kernelOfTwo, nullptr, 0); }).kind(),
      error_kind::out_of_memory);
  fake.results.clear();
  launch(s, threads(1), kernelOfTwo, nullptr, 0);
  EXPECT_EQ(fake.launches.size(), 1u);
}

TEST_F(CudaProgram, TrapBecomesAMessage) {
  stream s{gpu()};
  launch(s, threads(1), kernelOfTwo, nullptr, 0);
  trapOnDevice();
  const error e = caught([&] { s.synchronize(); });
  EXPECT_EQ(e.kind(), error_kind::trap);
  EXPECT_EQ(e.api(), "cuStreamSynchronize");
  EXPECT_EQ(e.code(), 719);
  EXPECT_EQ(e.message(),
            "saxpy.cpp:12:18: index 300 is out of range for a span of length "
            "256 (y[i]) in kernel 'two', block (1,0,0), thread (44,0,0)");
}

TEST_F(CudaProgram, LostDeviceSaysWhatHappenedFirst) {
  stream s{gpu()};
  buffer<float> b(s, 4);
  launch(s, threads(1), kernelOfTwo, nullptr, 0);
  trapOnDevice();
  (void)caught([&] { s.synchronize(); });
  for (const char *name :
       {"cuMemcpyDtoHAsync", "cuLaunchKernel", "cuMemAlloc", "cuMemFree"})
    fake.results[name] = 719;
  for (const error &e : {caught([&] { (void)b.to_host(s); }), caught([&] {
                           launch(s, threads(1), kernelOfTwo, nullptr, 0);
                         }),
                         caught([&] { buffer<int> c(s, 1); })}) {
    EXPECT_THAT(e.what(), HasSubstr("device cuda:0 can no longer be used"));
    EXPECT_THAT(e.what(), HasSubstr("index 300 is out of range"));
  }
  testing::internal::CaptureStderr();
  {
    stream moved = std::move(s);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(CudaProgram, ErrorThatNobodyAskedForIsWritten) {
  testing::internal::CaptureStderr();
  {
    stream s{gpu()};
    launch(s, threads(1), kernelOfTwo, nullptr, 0);
    trapOnDevice();
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("tessera: a kernel failed on device cuda:0: "
                        "saxpy.cpp:12:18: index 300"));
}

TEST_F(CudaProgram, FaultWithoutARecord) {
  stream s{gpu()};
  launch(s, threads(1), kernelOfTwo, nullptr, 0);
  fake.results["cuStreamSynchronize"] = 700;
  const error e = caught([&] { s.synchronize(); });
  EXPECT_EQ(e.kind(), error_kind::device_fault);
  EXPECT_THAT(e.what(), Not(HasSubstr("index")));
}

TEST_F(CudaProgram, TrapStateOfAnotherSize) {
  fake.globals[trapState].resize(8);
  stream s{gpu()};
  EXPECT_THAT(
      caught([&] { launch(s, threads(1), kernelOfTwo, nullptr, 0); }).what(),
      HasSubstr("has not the size that this runtime knows"));
}

} // namespace
