// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every kind of device must do alike. Runs on vgpu:0, and on the devices
// that TESSERA_TEST_DEVICES lists ("cuda:0,cuda:1") as well.

#include "image/image.h"

#include <tessera/device/span.h>
#include <tessera/runtime.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>
#include <thread>

namespace {

using namespace tessera;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char *ptx = R"(
.version 6.4
.target sm_75
.address_size 64

.visible .global .align 8 .u64 total = 40;
.visible .global .align 8 .b8 __tessera_trap_state[16];

// data[i] += amount for i < count
.visible .entry add(.param .u64 data, .param .u32 count, .param .u32 amount)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  ld.param.u32 %r2, [amount];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd2, %r6, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r7, [%rd3];
  add.u32 %r8, %r7, %r2;
  st.global.u32 [%rd3], %r8;
done:
  ret;
}

// out[0] = length of the slice, out[1] = the structure's second half
.visible .entry shapes(.param .u64 out, .param .align 8 .b8 slice[16],
                       .param .align 4 .b8 pair[8])
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [slice+8];
  ld.param.u32 %r1, [pair+4];
  st.global.u64 [%rd1], %rd2;
  st.global.u32 [%rd1+8], %r1;
  ret;
}

.extern .shared .align 4 .b8 scratch[];
// Reverses the block's part of data through dynamic shared memory.
.visible .entry reverse(.param .u64 data)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  shl.b32 %r4, %r1, 2;
  mov.u32 %r5, scratch;
  add.u32 %r6, %r5, %r4;
  st.shared.u32 [%r6], %r3;
  bar.sync 0;
  sub.u32 %r7, %r2, %r1;
  add.u32 %r7, %r7, -1;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r5, %r7;
  ld.shared.u32 %r8, [%r7];
  st.global.u32 [%rd3], %r8;
  ret;
}

.visible .entry small_blocks() .maxntid 32, 1, 1
{
  ret;
}

// Reports trap site 9 from each thread past `count`, and traps.
.visible .entry checked(.param .u32 count)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra done;
  mov.u64 %rd1, __tessera_trap_state;
  atom.global.exch.b32 %r3, [%rd1+8], 1;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra done;
  ld.global.u64 %rd2, [%rd1];
  mov.u32 %r4, 9;
  st.global.u32 [%rd2+4], %r4;
  mov.u32 %r5, %ctaid.x;
  st.global.u32 [%rd2+8], %r5;
  mov.u32 %r6, 0;
  st.global.u32 [%rd2+12], %r6;
  st.global.u32 [%rd2+16], %r6;
  st.global.u32 [%rd2+20], %r2;
  st.global.u32 [%rd2+24], %r6;
  st.global.u32 [%rd2+28], %r6;
  cvt.u64.u32 %rd3, %r2;
  st.global.u64 [%rd2+32], %rd3;
  cvt.u64.u32 %rd4, %r1;
  st.global.u64 [%rd2+40], %rd4;
  membar.sys;
  mov.u32 %r7, 1;
  st.volatile.global.u32 [%rd2], %r7;
  membar.sys;
  trap;
done:
  ret;
}
)";

// Host addresses of two of the kernels, as if this file had been compiled by
// the plugin.
void addHost(int *, unsigned, unsigned) { std::abort(); }
void checkedHost(unsigned) { std::abort(); }

const bool registered = [] {
  static const auto bytes = [] {
    image::Image image;
    image.source = "conformance.cpp";
    image.kernels.push_back(
        {.symbol = "add",
         .name = "add",
         .params = {{"data", "int *", image::ParamKind::pointer, 8, 8, 0, 4},
                    {"count", "unsigned", image::ParamKind::value, 4, 4, 8, 0},
                    {"n", "unsigned", image::ParamKind::value, 4, 4, 12, 0}},
         .paramBytes = 16});
    image.kernels.push_back(
        {.symbol = "checked",
         .name = "checked",
         .params = {{"count", "unsigned", image::ParamKind::value, 4, 4, 0, 0}},
         .paramBytes = 4});
    image.trapSites.push_back({9,
                               image::TrapKind::bounds,
                               {"conformance.cpp", 12, 18},
                               "y[i]",
                               "checked"});
    image.variants.push_back({{75, '\0'}, 64, ptx});
    return image::write(image);
  }();
  static const __tessera_kernel_entry entries[] = {
      {reinterpret_cast<const void *>(addHost), "add"},
      {reinterpret_cast<const void *>(checkedHost), "checked"}};
  __tessera_register_image(1, bytes.data(), bytes.size(), entries, 2);
  return true;
}();

std::vector<std::string> devicesUnderTest() {
  std::vector<std::string> names{"vgpu:0"};
  const char *more = std::getenv("TESSERA_TEST_DEVICES");
  std::istringstream list(more ? more : "");
  for (std::string name; std::getline(list, name, ',');)
    names.push_back(name);
  return names;
}

class Conformance : public testing::TestWithParam<std::string> {
protected:
  device under = device::from_name(GetParam());
};

std::vector<int> counting(int count) {
  std::vector<int> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

template <class F> error_kind kindThrown(F f) {
  try {
    f();
  } catch (const error &e) {
    EXPECT_NE(e.location().line(), 0u);
    EXPECT_THAT(e.location().file_name(), HasSubstr("conformance_test.cpp"))
        << e.what();
    return e.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return error_kind::driver;
}

//===----------------------------------------------------------------------===//
// Devices and streams
//===----------------------------------------------------------------------===//

TEST_P(Conformance, DeviceSaysWhatItIs) {
  EXPECT_EQ(under.id(), GetParam());
  EXPECT_FALSE(under.name().empty());
  EXPECT_THAT(under.arch(), HasSubstr("sm_"));
  EXPECT_GT(under.total_memory(), 0u);
  EXPECT_GE(under.properties().max_threads_per_block, 1024u);
  EXPECT_EQ(under.properties().warp_size, 32u);
  EXPECT_EQ(under, device::from_name(GetParam()));
  EXPECT_THAT(device::all(), testing::Contains(under));
}

TEST_P(Conformance, StreamsMove) {
  stream a{under};
  stream b = std::move(a);
  b.synchronize();
  EXPECT_EQ(b.device(), under);
  EXPECT_EQ(a.native_handle(), nullptr);
  EXPECT_EQ(kindThrown([&] { a.synchronize(); }), error_kind::invalid_argument);
  EXPECT_EQ(kindThrown([&] { buffer<int> x(a, 1); }),
            error_kind::invalid_argument);
  EXPECT_EQ(kindThrown([&] { launch(a, threads(1), checkedHost, 1); }),
            error_kind::invalid_argument);
  a = std::move(b);
  a.synchronize();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

TEST_P(Conformance, BuffersCopy) {
  stream s{under};
  auto a = buffer<int>::from_host(s, counting(1000));
  EXPECT_EQ(a.size(), 1000u);
  EXPECT_EQ(a.to_host(s), counting(1000));

  buffer<int> b(s, 1000);
  b.copy_from(s, a);
  EXPECT_EQ(b.to_host(s), counting(1000));

  b.copy_from(s, std::array{7, 8, 9}, 500);
  std::array<int, 5> middle{};
  b.copy_to(s, middle, 499);
  EXPECT_THAT(middle, ElementsAre(499, 7, 8, 9, 503));
}

TEST_P(Conformance, BuffersFill) {
  stream s{under};
  EXPECT_THAT(buffer<int>::zeroed(s, 100).to_host(s), Each(0));
  buffer<unsigned> b(s, 100);
  b.fill(s, std::byte{0x5a});
  EXPECT_THAT(b.to_host(s), Each(0x5a5a5a5au));
  auto bits = buffer<bool>::zeroed(s, 3);
  EXPECT_THAT(bits.to_host(s), ElementsAre(false, false, false));
}

TEST_P(Conformance, EmptyBuffers) {
  stream s{under};
  buffer<double> empty(s, 0);
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.data(), nullptr);
  EXPECT_TRUE(empty.to_host(s).empty());
  empty.fill(s, std::byte{1});
  empty.copy_from(s, std::vector<double>());
  empty.copy_from(s, buffer<double>());
  EXPECT_TRUE(buffer<double>::from_host(s, std::vector<double>()).empty());
  EXPECT_TRUE(buffer<double>::zeroed(s, 0).empty());
  EXPECT_TRUE(buffer<double>().to_host(s).empty());
}

TEST_P(Conformance, BuffersMove) {
  stream s{under};
  auto a = buffer<int>::from_host(s, {1, 2});
  buffer<int> b = std::move(a);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_THAT(b.to_host(s), ElementsAre(1, 2));
  a = buffer<int>::from_host(s, {3});
  a = std::move(b);
  EXPECT_THAT(a.to_host(s), ElementsAre(1, 2));
}

TEST_P(Conformance, BuffersRefuseWhatDoesNotFit) {
  stream s{under};
  buffer<int> b(s, 4);
  std::array<int, 5> five{};
  std::array<int, 4> four{};
  using enum error_kind;
  EXPECT_EQ(kindThrown([&] { b.copy_from(s, five); }), invalid_argument);
  EXPECT_EQ(kindThrown([&] { b.copy_from(s, four, 1); }), invalid_argument);
  EXPECT_EQ(kindThrown([&] { b.copy_from(s, four, ~std::size_t(0)); }),
            invalid_argument);
  EXPECT_EQ(kindThrown([&] { b.copy_to(s, five); }), invalid_argument);
  EXPECT_EQ(kindThrown([&] { b.copy_from(s, b, 1); }), invalid_argument);
  EXPECT_EQ(kindThrown([&] { buffer<int> huge(s, ~std::size_t(0) / 4); }),
            out_of_memory);
  EXPECT_EQ(kindThrown([&] { buffer<int> huge(s, ~std::size_t(0)); }),
            invalid_argument);
  b.copy_from(s, four);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

TEST_P(Conformance, ModuleKernelsRun) {
  stream s{under};
  module m = module::from_ptx(under, ptx);
  auto data = buffer<int>::from_host(s, counting(1000));
  kernel add = m.kernel("add");
  EXPECT_EQ(add.parameter_count(), 3u);
  launch(s, threads(900), add, data, 900u, 5);
  launch(s, grid(9).block(100), add, data, 900u, 5);
  launch(s, threads(0), add, data, 900u, 5);
  const auto result = data.to_host(s);
  for (int i = 0; i != 1000; ++i)
    ASSERT_EQ(result[i], i < 900 ? i + 10 : i);
}

TEST_P(Conformance, SlicesAndStructures) {
  struct Pair {
    int a, b;
  };
  stream s{under};
  module m = module::from_ptx(under, ptx);
  auto data = buffer<float>::zeroed(s, 77);
  auto out = buffer<std::uint64_t>::zeroed(s, 2);
  launch(s, grid(1), m.kernel("shapes"), out, data, Pair{1, 2});
  EXPECT_THAT(out.to_host(s), ElementsAre(77u, 2u));
  launch(s, grid(1), m.kernel("shapes"), out.data(),
         span<const float>(data.data(), 7), Pair{1, 3});
  EXPECT_THAT(out.to_host(s), ElementsAre(7u, 3u));
}

TEST_P(Conformance, DynamicSharedMemory) {
  stream s{under};
  module m = module::from_ptx(under, ptx);
  auto data = buffer<int>::from_host(s, counting(96));
  launch(s, grid(1).block(96).shared(96 * sizeof(int)), m.kernel("reverse"),
         data);
  const auto result = data.to_host(s);
  for (int i = 0; i != 96; ++i)
    ASSERT_EQ(result[i], 95 - i);
}

TEST_P(Conformance, ModuleVariables) {
  stream s{under};
  module m = module::from_ptx(under, ptx);
  global_variable total = m.global("total");
  EXPECT_EQ(total.size(), 8u);
  EXPECT_EQ(total.to_host<std::uint64_t>(s), 40u);
  total.copy_from(s, std::uint64_t(42));
  EXPECT_EQ(total.to_host<std::uint64_t>(s), 42u);
  EXPECT_EQ(
      module::from_ptx(under, ptx).global("total").to_host<std::uint64_t>(s),
      40u);
  EXPECT_EQ(kindThrown([&] { total.copy_from(s, 1); }),
            error_kind::invalid_argument);
  EXPECT_EQ(kindThrown([&] { (void)m.global("no"); }), error_kind::not_found);
}

TEST_P(Conformance, ModulesFromFiles) {
  const std::string path = testing::TempDir() + "tessera-conformance.ptx";
  std::ofstream(path) << ptx;
  module m = module::from_file(under, path);
  EXPECT_THAT(m.kernel_names(), testing::Contains("small_blocks"));
  std::remove(path.c_str());
  EXPECT_EQ(kindThrown([&] { (void)module::from_file(under, path); }),
            error_kind::not_found);
}

TEST_P(Conformance, ModulesRefuseWhatIsWrong) {
  EXPECT_EQ(
      kindThrown([&] { (void)module::from_ptx(under, "this is no PTX"); }),
      error_kind::invalid_module);
  EXPECT_EQ(kindThrown([&] { (void)module::from_ptx(under, ""); }),
            error_kind::invalid_module);
  module m = module::from_ptx(under, ptx);
  EXPECT_EQ(kindThrown([&] { (void)m.kernel("no"); }), error_kind::not_found);
}

TEST_P(Conformance, KernelsKeepTheirModule) {
  stream s{under};
  auto data = buffer<int>::zeroed(s, 1);
  kernel add = module::from_ptx(under, ptx).kernel("add");
  launch(s, grid(1), add, data, 1, 3);
  EXPECT_THAT(data.to_host(s), ElementsAre(3));
}

TEST_P(Conformance, LaunchesRefuseWhatDoesNotFit) {
  stream s{under};
  module m = module::from_ptx(under, ptx);
  kernel add = m.kernel("add"), small = m.kernel("small_blocks");
  auto data = buffer<int>::zeroed(s, 1);
  auto refused = [&](const launch_config &config, const kernel &which,
                     const auto &...args) {
    return kindThrown([&] { launch(s, config, which, args...); }) ==
           error_kind::invalid_launch;
  };
  EXPECT_TRUE(refused(threads(1), add, data, 1u));
  EXPECT_TRUE(refused(threads(1), add, data, 1u, 1u, 1u));
  EXPECT_TRUE(refused(threads(1), add, data, 1ull, 1u));
  EXPECT_TRUE(refused(threads(1), add, 1, 1, 1));
  EXPECT_TRUE(refused(grid(1).block(2048), add, data, 1, 1));
  EXPECT_TRUE(refused(grid(0), add, data, 1, 1));
  EXPECT_TRUE(refused(grid(1).shared(1 << 30), add, data, 1, 1));
  EXPECT_TRUE(refused(grid(1).block(33), small));
  launch(s, threads(1), small);
  s.synchronize();
}

//===----------------------------------------------------------------------===//
// Clusters and tensor maps; devices from Hopper on
//===----------------------------------------------------------------------===//

constexpr const char *hopperPtx = R"(
.version 8.0
.target sm_90
.address_size 64

// out[block] = blocks of the cluster + 256 * rank in the cluster
.visible .entry where(.param .u64 out)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_nctarank;
  mov.u32 %r2, %cluster_ctarank;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r2, 256, %r1;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r4;
  ret;
}

.visible .entry pairs(.param .u64 out) .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry few(.param .u64 out) .maxclusterrank 2 { ret; }
.visible .entry counted() .blocksareclusters .reqntid 1 .reqnctapercluster 2, 1, 1
{ ret; }

// Copies the box of 8 x 4 words at (x, y) to out.
.visible .entry box(.param .align 64 .b8 map[128], .param .u64 out,
                    .param .u32 x, .param .u32 y)
{
  .reg .pred %p1;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 128 .b8 tile[128];
  .shared .align 8 .b8 bar[8];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [x];
  ld.param.u32 %r2, [y];
  mov.u64 %rd2, map;
  cvta.param.u64 %rd2, %rd2;
  mov.u32 %r3, tile;
  mov.u32 %r4, bar;
  mov.u32 %r5, %tid.x;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra ready;
  mbarrier.init.shared::cta.b64 [%r4], 1;
  fence.proxy.async;
  mbarrier.arrive.expect_tx.shared::cta.b64 %rd3, [%r4], 128;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%r3], [%rd2, {%r1, %r2}], [%r4];
ready:
  bar.sync 0;
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r4], 0;
  @!%p1 bra wait;
  shl.b32 %r5, %r5, 2;
  add.u32 %r6, %r3, %r5;
  ld.shared.u32 %r7, [%r6];
  cvt.u64.u32 %rd3, %r5;
  add.s64 %rd1, %rd1, %rd3;
  st.global.u32 [%rd1], %r7;
  ret;
}
)";

class Hopper : public Conformance {
protected:
  void SetUp() override {
    if (under.properties().max_cluster_blocks == 0)
      GTEST_SKIP() << under.id() << " has no clusters";
  }
};

TEST_P(Hopper, LaunchesWithClusters) {
  stream s{under};
  module m = module::from_ptx(under, hopperPtx);
  auto out = buffer<unsigned>::zeroed(s, 8);
  launch(s, grid(8), m.kernel("where"), out);
  EXPECT_THAT(out.to_host(s), Each(1u));
  launch(s, grid(8).cluster(4), m.kernel("where"), out);
  EXPECT_THAT(out.to_host(s),
              ElementsAre(4, 0x104, 0x204, 0x304, 4, 0x104, 0x204, 0x304));
  launch(s, threads(6, 1).cluster(8), m.kernel("where"), out);
  EXPECT_EQ(out.to_host(s)[7], 0x708u);
  launch(s, grid(4), m.kernel("pairs"), out);
  launch(s, grid(4).cluster(2), m.kernel("pairs"), out);
  launch(s, grid(3), m.kernel("counted"));
  s.synchronize();
}

TEST_P(Hopper, ClustersThatDoNotFitAreRefused) {
  stream s{under};
  module m = module::from_ptx(under, hopperPtx);
  auto out = buffer<unsigned>::zeroed(s, 8);
  auto refused = [&](const launch_config &config, const char *name) {
    return kindThrown([&] { launch(s, config, m.kernel(name), out); }) ==
           error_kind::invalid_launch;
  };
  EXPECT_TRUE(refused(grid(8).cluster(3), "where"));
  EXPECT_TRUE(refused(grid(8).cluster(0), "where"));
  EXPECT_TRUE(refused(grid(64).cluster(64), "where"));
  EXPECT_TRUE(refused(grid(8).cluster(4), "pairs"));
  EXPECT_TRUE(refused(grid(3), "pairs"));
  EXPECT_TRUE(refused(grid(8).cluster(4), "few"));
}

TEST_P(Hopper, TensorMapsArePassedToKernels) {
  stream s{under};
  module m = module::from_ptx(under, hopperPtx);
  auto data = buffer<int>::from_host(s, counting(16 * 10));
  auto out = buffer<int>::zeroed(s, 32);
  tensor_layout layout{.element = tensor_element::s32,
                       .rank = 2,
                       .address = data.data(),
                       .sizes = {14, 10},
                       .strides = {64},
                       .box = {8, 4}};
  auto expect = [&](int x, int y, auto where) {
    launch(s, grid(1).block(32), m.kernel("box"),
           tensor_map::tiled(under, layout), out, x, y);
    const std::vector<int> got = out.to_host(s);
    for (int i = 0; i != 32; ++i) {
      const auto [column, row] = where(i);
      const int atX = x + column, atY = y + row;
      const bool isInside = atX >= 0 && atX < 14 && atY >= 0 && atY < 10;
      ASSERT_EQ(got[i], isInside ? atY * 16 + atX : 0)
          << i << " of the box at " << x << ", " << y;
    }
  };
  auto plain = [](int i) { return std::pair(i % 8, i / 8); };
  for (int x : {-3, 0, 4, 8})
    for (int y : {-2, 0, 3, 8})
      expect(x, y, plain);
  layout.swizzle = tensor_swizzle::bytes32;
  expect(4, 2, [](int i) {
    const int row = i / 8, chunk = (i / 4 % 2) ^ (row / 4 % 2);
    return std::pair(chunk * 4 + i % 4, row);
  });
}

TEST_P(Hopper, TensorMapsRefuseWhatDoesNotFit) {
  stream s{under};
  buffer<float> data(s, 1024);
  const tensor_layout good{.element = tensor_element::f32,
                           .rank = 2,
                           .address = data.data(),
                           .sizes = {32, 32},
                           .strides = {128},
                           .box = {8, 8}};
  (void)tensor_map::tiled(under, good);
  auto refused = [&](auto change) {
    tensor_layout wrong = good;
    change(wrong);
    return kindThrown([&] { (void)tensor_map::tiled(under, wrong); }) ==
           error_kind::invalid_argument;
  };
  EXPECT_TRUE(refused([](auto &l) { l.rank = 0; }));
  EXPECT_TRUE(refused([](auto &l) { l.rank = 6; }));
  EXPECT_TRUE(refused([&](auto &l) { l.address = data.data() + 1; }));
  EXPECT_TRUE(refused([](auto &l) { l.sizes[1] = 0; }));
  EXPECT_TRUE(refused([](auto &l) { l.strides[0] = 132; }));
  EXPECT_TRUE(refused([](auto &l) { l.box[0] = 257; }));
  EXPECT_TRUE(refused([](auto &l) { l.box[0] = 3; }));
  EXPECT_TRUE(refused([](auto &l) { l.element_strides[1] = 9; }));
  EXPECT_TRUE(refused([](auto &l) {
    l.box[0] = 16;
    l.swizzle = tensor_swizzle::bytes32;
  }));
  EXPECT_TRUE(refused([](auto &l) {
    l.element = tensor_element::s32;
    l.fill = tensor_fill::nan;
  }));
}

TEST_P(Conformance, KernelsOfTheProgramRun) {
  stream s{under};
  auto data = buffer<int>::from_host(s, {1, 2, 3});
  launch(s, threads(3), addHost, data, 3, 10);
  launch(s, threads(3), addHost, data.data(), 2u, 10u);
  EXPECT_THAT(data.to_host(s), ElementsAre(21, 22, 13));
  launch(s, grid(1).block(4), checkedHost, 4);
  s.synchronize();
}

//===----------------------------------------------------------------------===//
// Several streams and threads
//===----------------------------------------------------------------------===//

TEST_P(Conformance, TwoStreams) {
  stream s{under}, t{under};
  auto a = buffer<int>::zeroed(s, 64), b = buffer<int>::zeroed(t, 64);
  for (int i = 0; i != 10; ++i) {
    launch(s, threads(64), addHost, a, 64, 1);
    launch(t, threads(64), addHost, b, 64, 2);
  }
  EXPECT_THAT(a.to_host(s), Each(10));
  EXPECT_THAT(b.to_host(t), Each(20));
  a.copy_from(t, b);
  EXPECT_THAT(a.to_host(t), Each(20));
}

TEST_P(Conformance, SeveralThreads) {
  std::vector<std::thread> workers;
  for (int worker = 0; worker != 4; ++worker)
    workers.emplace_back([&, worker] {
      stream s{under};
      module m = module::from_ptx(under, ptx);
      auto data = buffer<int>::zeroed(s, 32);
      for (int i = 0; i != 20; ++i) {
        launch(s, threads(32), addHost, data, 32, worker);
        launch(s, threads(32), m.kernel("add"), data, 32, 1);
      }
      EXPECT_THAT(data.to_host(s), Each(20 * (worker + 1)));
    });
  for (std::thread &worker : workers)
    worker.join();
}

//===----------------------------------------------------------------------===//
// Failing kernels. They may cost the device, hence processes of their own.
//===----------------------------------------------------------------------===//

class ConformanceDeathTest : public Conformance {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }

  /// Runs `f` and writes the error that it throws.
  template <class F> static void report(F f) {
    try {
      f();
    } catch (const error &e) {
      std::fprintf(stderr, "kind %d: %s\n", static_cast<int>(e.kind()),
                   e.what());
      std::_Exit(0);
    }
    std::_Exit(1);
  }
};

TEST_P(ConformanceDeathTest, TrapIsReportedByALaterCall) {
  EXPECT_EXIT(report([&] {
                stream s{under};
                launch(s, grid(1).block(64), checkedHost, 60);
                s.synchronize();
              }),
              testing::ExitedWithCode(0),
              "kind 8: conformance.cpp:12:18: index 6[0-3] is out of range for "
              "a span of length 60 \\(y\\[i\\]\\) in .*'checked', block "
              "\\(0,0,0\\), thread \\(6[0-3],0,0\\)");
}

TEST_P(ConformanceDeathTest, CopiesReportKernelsToo) {
  EXPECT_EXIT(report([&] {
                stream s{under};
                auto data = buffer<int>::zeroed(s, 1);
                launch(s, grid(1).block(64), checkedHost, 60);
                (void)data.to_host(s);
              }),
              testing::ExitedWithCode(0), "kind 8: conformance.cpp:12:18");
}

TEST_P(ConformanceDeathTest, BadAddress) {
  EXPECT_EXIT(report([&] {
                stream s{under};
                launch(s, grid(1), addHost, nullptr, 1, 1);
                s.synchronize();
              }),
              testing::ExitedWithCode(0), "kind 9: ");
}

TEST_P(ConformanceDeathTest, UnreportedErrorsAreWritten) {
  EXPECT_EXIT(
      {
        {
          stream s{under};
          launch(s, grid(1).block(64), checkedHost, 60);
        }
        std::_Exit(0);
      },
      testing::ExitedWithCode(0),
      "tessera: a kernel failed on device .*index 6[0-3] is out of range");
}

INSTANTIATE_TEST_SUITE_P(On, Conformance,
                         testing::ValuesIn(devicesUnderTest()));
INSTANTIATE_TEST_SUITE_P(On, Hopper, testing::ValuesIn(devicesUnderTest()));
INSTANTIATE_TEST_SUITE_P(On, ConformanceDeathTest,
                         testing::ValuesIn(devicesUnderTest()));

//===----------------------------------------------------------------------===//
// What only a device that survives its kernels can show
//===----------------------------------------------------------------------===//

TEST(VirtualGpu, GoesOnAfterATrap) {
  stream s{device::vgpu()};
  for (unsigned count : {60u, 61u}) {
    launch(s, grid(1).block(64), checkedHost, count);
    const unsigned launched = __LINE__ - 1;
    try {
      s.synchronize();
      FAIL();
    } catch (const error &e) {
      EXPECT_THAT(e.what(),
                  HasSubstr("a span of length " + std::to_string(count)));
      EXPECT_THAT(e.what(), HasSubstr("conformance_test.cpp:" +
                                      std::to_string(launched)));
    }
    s.synchronize();
  }
  auto data = buffer<int>::zeroed(s, 1);
  launch(s, grid(1), addHost, data, 1, 1);
  EXPECT_THAT(data.to_host(s), ElementsAre(1));
}

} // namespace
