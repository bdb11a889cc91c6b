// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler's objects call, and what launches make of it.

#include "image/image.h"
#include "runtime/registry.h"

#include <tessera/device/span.h>
#include <tessera/runtime.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace tessera;
using runtime::Registry;
using testing::HasSubstr;

void first(int) {}
void second(float) {}

template <class... P> const void *address(void (*kernel)(P...)) {
  return reinterpret_cast<const void *>(kernel);
}

std::vector<std::byte> imageOf(std::vector<std::string> symbols,
                               std::string source = "some.cpp") {
  image::Image image;
  image.source = std::move(source);
  for (std::string &symbol : symbols)
    image.kernels.push_back({.symbol = symbol, .name = symbol});
  return image::write(image);
}

std::string findError(Registry &registry, const void *kernel) {
  auto found = registry.find(kernel, "void (int)");
  return found ? "" : found.error().message;
}

TEST(Registry, FindsKernels) {
  Registry registry;
  const auto bytes = imageOf({"one", "two"});
  const __tessera_kernel_entry entries[] = {{address(first), "one"},
                                            {address(second), "two"}};
  registry.add(1, bytes, entries);
  auto found = registry.find(address(second), "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->info->symbol, "two");
  EXPECT_EQ(found->image, registry.find(address(first), "")->image)
      << "an image is read once";
}

TEST(Registry, FirstRegistrationWins) {
  Registry registry;
  const auto a = imageOf({"k"}, "a.cpp"), b = imageOf({"k"}, "b.cpp");
  const __tessera_kernel_entry entry{address(first), "k"};
  registry.add(1, a, {&entry, 1});
  registry.add(1, b, {&entry, 1});
  EXPECT_EQ(registry.find(address(first), "")->image->source, "a.cpp");
}

TEST(Registry, KernelThatWasNotRegistered) {
  Registry registry;
  const std::string message = findError(registry, address(first));
  EXPECT_THAT(message, HasSubstr("compiled without the Tessera plugin"));
  EXPECT_THAT(message, HasSubstr("void (int)"));
  EXPECT_THAT(message, HasSubstr("tessera build"));
  EXPECT_THAT(message, HasSubstr("-fplugin="));
}

TEST(Registry, BadImagesAreReportedByTheLookup) {
  Registry registry;
  const __tessera_kernel_entry entries[] = {{address(first), "k"},
                                            {address(second), "missing"}};
  auto damaged = imageOf({"k"});
  damaged[20] ^= std::byte(1);
  registry.add(1, damaged, {entries, 1});
  EXPECT_THAT(findError(registry, address(first)), HasSubstr("checksum"));

  Registry newer;
  const auto good = imageOf({"k"});
  newer.add(2, good, entries);
  EXPECT_THAT(findError(newer, address(first)),
              HasSubstr("compiled for version 2"));

  Registry incomplete;
  incomplete.add(1, good, entries);
  EXPECT_EQ(findError(incomplete, address(first)), "");
  EXPECT_THAT(findError(incomplete, address(second)),
              HasSubstr("'some.cpp' has no kernel 'missing'"));
}

TEST(Registry, ManyThreads) {
  Registry registry;
  const auto bytes = imageOf({"k"});
  static char places[1000];
  std::vector<std::thread> workers;
  for (int worker = 0; worker != 4; ++worker)
    workers.emplace_back([&, worker] {
      for (int i = worker * 250; i != worker * 250 + 250; ++i) {
        const __tessera_kernel_entry entry{&places[i], "k"};
        registry.add(1, bytes, {&entry, 1});
        EXPECT_TRUE(registry.find(&places[i], ""));
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  for (const char &place : places)
    EXPECT_TRUE(registry.find(&place, ""));
}

TEST(Launch, OfAKernelThatWasNotRegistered) {
  stream s{device::vgpu()};
  try {
    launch(s, threads(1), first, 1);
    FAIL();
  } catch (const error &e) {
    EXPECT_EQ(e.kind(), error_kind::not_registered);
    EXPECT_EQ(e.location().line(), __LINE__ - 4u);
    EXPECT_EQ(std::string_view(e.location().file_name()), __FILE__);
  }
}

TEST(Launch, OfValuesThatDoNotFit) {
  stream s{device::vgpu()};
  void (*takesUnsigned)(unsigned) = nullptr;
  void (*takesFloat)(float) = nullptr;
  void (*takesChar)(signed char) = nullptr;
  auto message = [&](auto kernel, auto value) -> std::string {
    try {
      launch(s, threads(1), kernel, value);
    } catch (const error &e) {
      return e.message();
    }
    return "";
  };
  EXPECT_EQ(message(takesUnsigned, -1),
            "argument 1: the value -1 of type 'int' does not fit the "
            "parameter's type 'unsigned int'");
  EXPECT_THAT(message(takesUnsigned, 1ll << 32), HasSubstr("4294967296"));
  EXPECT_THAT(message(takesFloat, 16777217), HasSubstr("16777217"));
  EXPECT_THAT(message(takesChar, 128), HasSubstr("128"));
  // What fits gets as far as the lookup of the kernel.
  for (const std::string &text :
       {message(takesUnsigned, 7), message(takesFloat, 16777216),
        message(takesChar, -128)})
    EXPECT_THAT(text, HasSubstr("no device code"));
}

TEST(AbiDeathTest, KernelsAndIntrinsicsAreNotForTheHost) {
  EXPECT_DEATH(__tessera_direct_call("saxpy"),
               "the kernel 'saxpy' was called like a function");
  EXPECT_DEATH(__tessera_device_only("sync_threads"),
               "'sync_threads' was called on the host");
}

} // namespace
