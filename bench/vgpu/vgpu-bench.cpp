// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The virtual GPU against plain C++, in one run:
//
//   vgpu-bench [--threads N] [--cpu-time] [--interpret] [--verbose] [name...]
//
// `--cpu-time` measures the processor time of all threads together, which other
// programs disturb less than wall time.
//
// Prints, for each kernel, the best time of both, whether they agree, and the
// quotient; then their geometric mean, and how soon the first result of a
// kernel of 200 instructions is there.

#include "plain.h"
#include "vgpu/vgpu.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tessera;
namespace plain = bench::plain;
using Clock = std::chrono::steady_clock;

struct Settings {
  unsigned threads = 1;
  bool interpret = false, isVerbose = false;
  std::vector<std::string> names;
};

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

bool usesCpuTime = false;

/// Milliseconds that have passed, or that this process has used.
double now() {
  timespec time{};
  clock_gettime(usesCpuTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

/// The best of several runs, after one that does not count.
double bestTime(const std::function<void()> &run) {
  run();
  double best = INFINITY, total = 0;
  for (int i = 0; i < 3 || (total < 300 && i < 100); ++i) {
    const double begin = now();
    run();
    const double time = now() - begin;
    best = std::min(best, time);
    total += time;
  }
  return best;
}

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "vgpu-bench: %s\n", what.c_str());
  std::exit(1);
}

template <class T> T check(vgpu::Result<T> result) {
  if (!result)
    fail(result.error().message());
  if constexpr (!std::is_void_v<T>)
    return *std::move(result);
}

/// Arguments at their natural alignment.
class Arguments {
public:
  template <class T> Arguments &add(T value) {
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
    return *this;
  }
  std::vector<std::byte> bytes;
};

class Gpu {
public:
  explicit Gpu(const Settings &settings)
      : device(options(settings)), module(check(device.load(readKernels()))) {}

  template <class T> std::uint64_t upload(const std::vector<T> &values) {
    const std::uint64_t at = check(device.allocate(values.size() * sizeof(T)));
    check(device.write(at, std::as_bytes(std::span(values))));
    return at;
  }
  template <class T>
  std::vector<T> download(std::uint64_t from, std::size_t count) {
    std::vector<T> values(count);
    check(device.read(std::as_writable_bytes(std::span(values)), from));
    return values;
  }
  void launch(const char *kernel, vgpu::Dim3 grid, vgpu::Dim3 block,
              const Arguments &arguments) {
    check(device.launch(module, kernel, {.grid = grid, .block = block},
                        arguments.bytes));
  }

  static std::string readKernels() {
    std::ifstream file(TESSERA_BENCH_KERNELS);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static vgpu::Options options(const Settings &settings) {
    vgpu::Options options;
    options.native.mode =
        settings.interpret ? vgpu::NativeMode::off : vgpu::NativeMode::sync;
    options.native.isVerbose = settings.isVerbose;
    options.hostThreads = settings.threads;
    return options;
  }

private:
  vgpu::Device device;
  vgpu::Module module;
};

std::vector<float> randomFloats(std::size_t count) {
  std::minstd_rand engine(7);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> result(count);
  for (float &value : result)
    value = values(engine);
  return result;
}

bool agree(const std::vector<float> &a, const std::vector<float> &b,
           float tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(b[i]))))
      return false;
  return a.size() == b.size();
}

struct Outcome {
  double plain, gpu; ///< milliseconds
  bool isRight;
};

Outcome saxpy(Gpu &gpu, unsigned threads) {
  constexpr unsigned n = 1 << 20;
  const std::vector<float> x = randomFloats(n), zero(n);
  std::vector<float> y(n);
  const auto gpuX = gpu.upload(x), gpuY = gpu.upload(zero);
  const Arguments arguments = Arguments().add(0.5f).add(gpuX).add(gpuY).add(n);
  gpu.launch("saxpy", {n / 256}, {256}, arguments);
  plain::saxpy(threads, 0.5f, x.data(), y.data(), n);
  const bool isRight = agree(gpu.download<float>(gpuY, n), y, 0);
  return {bestTime([&] { plain::saxpy(threads, 0.5f, x.data(), y.data(), n); }),
          bestTime([&] { gpu.launch("saxpy", {n / 256}, {256}, arguments); }),
          isRight};
}

Outcome reduce(Gpu &gpu, unsigned threads) {
  constexpr unsigned n = 1 << 22, blocks = 64;
  const std::vector<float> in = randomFloats(n);
  const auto gpuIn = gpu.upload(in),
             gpuOut = gpu.upload(std::vector<float>(blocks));
  const Arguments arguments = Arguments().add(gpuIn).add(gpuOut).add(n);
  float total = 0;
  const auto onGpu = [&] {
    gpu.launch("reduce", {blocks}, {256}, arguments);
    total = 0;
    for (float part : gpu.download<float>(gpuOut, blocks))
      total += part;
  };
  onGpu();
  volatile float expected = plain::reduce(threads, in.data(), n);
  const bool isRight = std::abs(total - expected) < 1;
  return {bestTime([&] { expected = plain::reduce(threads, in.data(), n); }),
          bestTime(onGpu), isRight};
}

Outcome matmul(Gpu &gpu, unsigned threads) {
  constexpr unsigned n = 1024;
  const std::vector<float> a = randomFloats(n * n), b = randomFloats(n * n);
  std::vector<float> c(n * n);
  const auto gpuA = gpu.upload(a), gpuB = gpu.upload(b), gpuC = gpu.upload(c);
  const Arguments arguments = Arguments().add(gpuA).add(gpuB).add(gpuC).add(n);
  const auto onGpu = [&] {
    gpu.launch("matmul", {n / 32, n / 32}, {32, 32}, arguments);
  };
  const auto onHost = [&] {
    plain::matmul(threads, a.data(), b.data(), c.data(), n);
  };
  onGpu();
  onHost();
  const bool isRight = agree(gpu.download<float>(gpuC, n * n), c, 1e-4f);
  return {bestTime(onHost), bestTime(onGpu), isRight};
}

Outcome nbody(Gpu &gpu, unsigned threads) {
  constexpr unsigned n = 4096;
  const std::vector<float> numbers = randomFloats(4 * n);
  std::vector<plain::Body> bodies(n), forces(n);
  std::memcpy(bodies.data(), numbers.data(), n * sizeof(plain::Body));
  const auto gpuBodies = gpu.upload(bodies), gpuForces = gpu.upload(forces);
  const Arguments arguments = Arguments().add(gpuBodies).add(gpuForces).add(n);
  const auto onGpu = [&] { gpu.launch("nbody", {n / 128}, {128}, arguments); };
  const auto onHost = [&] {
    plain::nbody(threads, bodies.data(), forces.data(), n);
  };
  onGpu();
  onHost();
  std::vector<float> expected(4 * n);
  std::memcpy(expected.data(), forces.data(), n * sizeof(plain::Body));
  const bool isRight =
      agree(gpu.download<float>(gpuForces, 4 * n), expected, 1e-2f);
  return {bestTime(onHost), bestTime(onGpu), isRight};
}

Outcome softmax(Gpu &gpu, unsigned threads) {
  constexpr unsigned rows = 1024, columns = 1024;
  const std::vector<float> in = randomFloats(rows * columns);
  std::vector<float> out(rows * columns);
  const auto gpuIn = gpu.upload(in), gpuOut = gpu.upload(out);
  const Arguments arguments = Arguments().add(gpuIn).add(gpuOut).add(columns);
  const auto onGpu = [&] {
    gpu.launch("softmax", {rows / 8}, {256}, arguments);
  };
  const auto onHost = [&] {
    plain::softmax(threads, in.data(), out.data(), rows, columns);
  };
  onGpu();
  onHost();
  const bool isRight =
      agree(gpu.download<float>(gpuOut, rows * columns), out, 1e-5f);
  return {bestTime(onHost), bestTime(onGpu), isRight};
}

Outcome histogram(Gpu &gpu, unsigned threads) {
  constexpr unsigned n = 1 << 22, bins = 256, blocks = 64;
  std::minstd_rand engine(9);
  std::vector<unsigned char> in(n);
  for (unsigned char &value : in)
    value = static_cast<unsigned char>(engine() >> 7);
  std::vector<unsigned> counts(bins);
  const auto gpuIn = gpu.upload(in), gpuBins = gpu.upload(counts);
  const Arguments arguments = Arguments().add(gpuIn).add(gpuBins).add(n);
  const auto onGpu = [&] {
    gpu.launch("histogram", {blocks}, {bins}, arguments);
  };
  const auto onHost = [&] {
    plain::histogram(threads, in.data(), counts.data(), n);
  };
  onGpu();
  onHost();
  const bool isRight = gpu.download<unsigned>(gpuBins, bins) == counts;
  return {bestTime(onHost), bestTime(onGpu), isRight};
}

/// A kernel of some 200 instructions.
std::string longKernel() {
  std::string text = ".version 7.8\n.target sm_80\n.address_size 64\n"
                     ".visible .entry first(.param .u64 out) {\n"
                     ".reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
                     "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                     "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n";
  for (unsigned i = 0; i < 97; ++i)
    text += "mad.lo.u32 %r1, %r1, %r1, " + std::to_string(2 * i + 1) +
            ";\nxor.b32 %r1, %r1, " + std::to_string(i * 77) + ";\n";
  return text + "st.global.u32 [%rd3], %r1;\nret;\n}\n";
}

void measureFirstResult(const Settings &settings) {
  vgpu::Options options = Gpu::options(settings);
  options.native.mode = vgpu::NativeMode::on;
  vgpu::Device device(options);
  const vgpu::Module module = check(device.load(longKernel()));
  const std::uint64_t out = check(device.allocate(256 * 4));
  const Arguments arguments = Arguments().add(out);
  const auto begin = Clock::now();
  check(device.launch(module, "first", {.grid = {1}, .block = {256}},
                      arguments.bytes));
  const double interpreted = millisecondsSince(begin);

  options.native.mode = vgpu::NativeMode::sync;
  vgpu::Device compiling(options);
  const vgpu::Module same = check(compiling.load(longKernel()));
  const std::uint64_t to = check(compiling.allocate(256 * 4));
  const Arguments toArguments = Arguments().add(to);
  const auto compileBegin = Clock::now();
  check(compiling.launch(same, "first", {.grid = {1}, .block = {256}},
                         toArguments.bytes));
  std::printf("first result of 200 instructions after %.2f ms; compiled and "
              "run after %.1f ms\n",
              interpreted, millisecondsSince(compileBegin));
}

struct Benchmark {
  const char *name;
  Outcome (*run)(Gpu &, unsigned);
};

constexpr Benchmark benchmarks[] = {
    {"saxpy", saxpy}, {"reduce", reduce},   {"matmul", matmul},
    {"nbody", nbody}, {"softmax", softmax}, {"histogram", histogram},
};

Settings parse(int count, char **words) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--threads" && i + 1 < count)
      settings.threads = unsigned(std::max(1, std::atoi(words[++i])));
    else if (word == "--cpu-time")
      usesCpuTime = true;
    else if (word == "--interpret")
      settings.interpret = true;
    else if (word == "--verbose")
      settings.isVerbose = true;
    else if (word.starts_with("-"))
      fail("unknown option '" + word + "'");
    else
      settings.names.push_back(word);
  }
  return settings;
}

} // namespace

int main(int count, char **words) {
  const Settings settings = parse(count, words);
  Gpu gpu(settings);
  double logarithms = 0;
  int ran = 0;
  bool allRight = true;
  std::printf("%-10s %12s %12s %8s\n", "kernel", "plain ms", "virtual ms",
              "times");
  for (const Benchmark &benchmark : benchmarks) {
    if (!settings.names.empty() &&
        std::ranges::count(settings.names, benchmark.name) == 0)
      continue;
    const Outcome outcome = benchmark.run(gpu, settings.threads);
    const double times = outcome.gpu / outcome.plain;
    logarithms += std::log(times);
    ++ran;
    allRight = allRight && outcome.isRight;
    std::printf("%-10s %12.3f %12.3f %8.2f%s\n", benchmark.name, outcome.plain,
                outcome.gpu, times, outcome.isRight ? "" : "  WRONG");
    std::fflush(stdout);
  }
  if (ran)
    std::printf("geometric mean %.2f times the time of plain C++\n",
                std::exp(logarithms / ran));
  measureFirstResult(settings);
  return allRight ? 0 : 1;
}
