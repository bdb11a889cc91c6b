// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code against the interpreter: random programs must leave the same
// bits in memory, whatever the shape of the block.

#include "harness.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string_view>
#include <thread>

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;

namespace {

/// What stands for a random register or number in a template: `d`, `a` a
/// 32-bit register, `D`, `A` a 64-bit one, `p`, `q` a predicate, `i` a number,
/// `m` a small one; after a `$`.
constexpr std::string_view templates[] = {
    "add.u32 $d, $a, $a",
    "add.s32 $d, $a, $i",
    "sub.u32 $d, $a, $a",
    "mul.lo.s32 $d, $a, $a",
    "mul.lo.u32 $d, $a, $m",
    "mul.hi.s32 $d, $a, $a",
    "mul.hi.u32 $d, $a, $a",
    "mul.wide.s32 $D, $a, $m",
    "mul.wide.u32 $D, $a, $a",
    "mad.lo.s32 $d, $a, $m, $a",
    "mul.hi.u64 $D, $A, $A",
    "mul.hi.s64 $D, $A, $A",
    "mul.lo.u64 $D, $A, $A",
    "add.u64 $D, $A, $A",
    "sub.s64 $D, $A, $A",
    "div.s32 $d, $a, $a",
    "div.u32 $d, $a, $a",
    "rem.s32 $d, $a, $a",
    "rem.u32 $d, $a, $m",
    "div.u64 $D, $A, $A",
    "min.s32 $d, $a, $a",
    "max.u32 $d, $a, $a",
    "abs.s32 $d, $a",
    "neg.s32 $d, $a",
    "add.sat.s32 $d, $a, $a",
    "sad.u32 $d, $a, $a, $a",
    "and.b32 $d, $a, $a",
    "or.b32 $d, $a, $i",
    "xor.b64 $D, $A, $A",
    "not.b32 $d, $a",
    "shl.b32 $d, $a, $m",
    "shl.b32 $d, $a, $a",
    "shr.u32 $d, $a, $m",
    "shr.s32 $d, $a, $a",
    "shr.s64 $D, $A, $m",
    "shl.b64 $D, $A, $a",
    "shf.l.wrap.b32 $d, $a, $a, $a",
    "bfe.u32 $d, $a, $m, $m",
    "bfe.s32 $d, $a, $a, $a",
    "bfi.b32 $d, $a, $a, $m, $m",
    "popc.b32 $d, $a",
    "clz.b32 $d, $a",
    "brev.b32 $d, $a",
    "bfind.u32 $d, $a",
    "prmt.b32 $d, $a, $a, $a",
    "lop3.b32 $d, $a, $a, $a, 0x96",
    "cnot.b32 $d, $a",
    "dp4a.u32.u32 $d, $a, $a, $a",
    "add.cc.u32 $d, $a, $a",
    "addc.cc.u32 $d, $a, $a",
    "addc.u32 $d, $a, $a",
    "sub.cc.u32 $d, $a, $a",
    "subc.u32 $d, $a, $a",
    "mov.b32 $d, $a",
    "mov.b32 $d, $i",
    "mov.b64 $D, {$a, $a}",
    "mov.b64 {$d, _}, $A",
    "mov.u32 $d, %tid.x",
    "mov.u32 $d, %tid.y",
    "mov.u32 $d, %laneid",
    "mov.u32 $d, %ctaid.x",
    "mov.u32 $d, %lanemask_lt",
    "cvt.u64.u32 $D, $a",
    "cvt.s64.s32 $D, $a",
    "cvt.u32.u64 $d, $A",
    "cvt.s32.s8 $d, $a",
    "cvt.u32.u16 $d, $a",
    "setp.lt.s32 $p, $a, $a",
    "setp.ge.u32 $p, $a, $i",
    "setp.eq.u64 $p, $A, $A",
    "setp.ne.and.s32 $p, $a, $a, $q",
    "setp.gt.f32 $p, $a, $a",
    "setp.leu.f32 $p, $a, $a",
    "setp.nan.f32 $p, $a, $a",
    "setp.lt.f64 $p, $A, $A",
    "selp.b32 $d, $a, $a, $q",
    "selp.b64 $D, $A, $A, $q",
    "slct.s32.s32 $d, $a, $a, $a",
    "set.lt.u32.s32 $d, $a, $a",
    "and.pred $p, $q, $q",
    "xor.pred $p, $q, $q",
    "not.pred $p, $q",
    "add.f32 $d, $a, $a",
    "add.f32 $d, $a, $a",
    "sub.f32 $d, $a, $a",
    "mul.f32 $d, $a, $a",
    "mul.f32 $d, $a, $a",
    "fma.rn.f32 $d, $a, $a, $a",
    "fma.rn.f32 $d, $a, $a, $a",
    "add.ftz.f32 $d, $a, $a",
    "mul.ftz.f32 $d, $a, $a",
    "fma.rn.ftz.f32 $d, $a, $a, $a",
    "add.rz.f32 $d, $a, $a",
    "fma.rm.f32 $d, $a, $a, $a",
    "add.sat.f32 $d, $a, $a",
    "div.rn.f32 $d, $a, $a",
    "sqrt.rn.f32 $d, $a",
    "rcp.rn.f32 $d, $a",
    "rsqrt.approx.f32 $d, $a",
    "rcp.approx.f32 $d, $a",
    "ex2.approx.f32 $d, $a",
    "min.f32 $d, $a, $a",
    "max.NaN.f32 $d, $a, $a",
    "abs.f32 $d, $a",
    "neg.f32 $d, $a",
    "copysign.f32 $d, $a, $a",
    "testp.subnormal.f32 $p, $a",
    "add.f64 $D, $A, $A",
    "mul.f64 $D, $A, $A",
    "fma.rn.f64 $D, $A, $A, $A",
    "div.rn.f64 $D, $A, $A",
    "sqrt.rn.f64 $D, $A",
    "min.f64 $D, $A, $A",
    "cvt.rn.f32.s32 $d, $a",
    "cvt.rn.f32.u32 $d, $a",
    "cvt.rzi.s32.f32 $d, $a",
    "cvt.rni.u32.f32 $d, $a",
    "cvt.rmi.f32.f32 $d, $a",
    "cvt.rpi.s64.f32 $D, $a",
    "cvt.f64.f32 $D, $a",
    "cvt.rn.f32.f64 $d, $A",
    "cvt.rn.f64.s64 $D, $A",
    "cvt.rzi.u64.f64 $D, $A",
    "cvt.rn.f16x2.f32 $d, $a, $a",
    "add.f16x2 $d, $a, $a",
    "shfl.sync.bfly.b32 $d, $a, $m, 31, %activemask",
};

class ProgramMaker {
public:
  explicit ProgramMaker(unsigned seed) : engine(seed) {}

  static constexpr unsigned words = 12, wides = 6, predicates = 4;
  /// What each thread stores: all its registers.
  static constexpr unsigned outputs = words + 2 * wides + predicates;

  std::string make() {
    text = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry random(.param .u64 in, .param .u64 out, .param .u32 count)
{
  .reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .pred %p<4>;
  .reg .b32 %gid, %loop<8>, %t<4>; .reg .b64 %in, %out, %at, %own;
  .reg .pred %again;
  .shared .align 16 .b8 cells[8192];
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %t0, %tid.x;
  mov.u32 %t1, %tid.y;
  mov.u32 %t2, %ntid.x;
  mad.lo.u32 %t0, %t1, %t2, %t0;
  mov.u32 %t1, %ntid.y;
  mul.lo.u32 %t1, %t1, %t2;
  mov.u32 %t2, %ctaid.x;
  mad.lo.u32 %gid, %t2, %t1, %t0;
  // Cells of the own warp only.
  and.b32 %t0, %t0, 0xe0;
  mul.wide.u32 %own, %t0, 16;
  mov.u64 %at, cells;
  add.u64 %own, %own, %at;
)";
    for (unsigned i = 0; i < words; ++i)
      initialise(i);
    for (unsigned i = 0; i < wides; ++i)
      line("mov.b64 %rd" + number(i) + ", {%r" + number(2 * i % words) +
           ", %r" + number((2 * i + 1) % words) + "}");
    for (unsigned i = 0; i < predicates; ++i)
      line("setp.gt.s32 %p" + number(i) + ", %r" + number(i) + ", 3");
    statements(14, 2);
    storeAll();
    text += "}\n";
    return text;
  }

private:
  static std::string number(std::uint64_t value) {
    return std::to_string(value);
  }
  unsigned below(unsigned bound) { return unsigned(engine() % bound); }
  bool oneIn(unsigned n) { return below(n) == 0; }
  void line(const std::string &instruction) {
    text += "  " + instruction + ";\n";
  }

  /// From memory, the thread's place, or a constant.
  void initialise(unsigned i) {
    const std::string reg = "%r" + number(i);
    switch (below(4)) {
    case 0:
      return line("mov.u32 " + reg + (oneIn(2) ? ", %tid.x" : ", %gid"));
    case 1:
      return line("mov.b32 " + reg + ", " + number(engine()));
    default:
      line("mad.lo.u32 %t0, %gid, " + number(oneIn(2) ? 1 : 3) + ", " +
           number(i));
      line("and.b32 %t0, %t0, 255");
      line("mul.wide.u32 %at, %t0, 4");
      line("add.u64 %at, %at, %in");
      return line("ld.global.b32 " + reg + ", [%at]");
    }
  }

  void storeAll() {
    line("mul.wide.u32 %at, %gid, " + number(outputs * 4));
    line("add.u64 %at, %at, %out");
    for (unsigned i = 0; i < words; ++i)
      line("st.global.b32 [%at+" + number(4 * i) + "], %r" + number(i));
    for (unsigned i = 0; i < predicates; ++i) {
      line("selp.b32 %t0, 1, 0, %p" + number(i));
      line("st.global.b32 [%at+" + number(4 * (words + i)) + "], %t0");
    }
    for (unsigned i = 0; i < wides; ++i)
      line("st.global.b64 [%at+" + number(4 * (words + predicates) + 8 * i) +
           "], %rd" + number(i));
    line("ret");
  }

  std::string operand(char kind) {
    switch (kind) {
    case 'd':
    case 'a':
      return "%r" + number(below(words));
    case 'D':
    case 'A':
      return "%rd" + number(below(wides));
    case 'p':
    case 'q':
      return "%p" + number(below(predicates));
    case 'm':
      return number(below(31) + 1);
    default:
      return number(oneIn(2) ? below(8) : engine() & 0x7fffffff);
    }
  }

  std::string guard() {
    if (!oneIn(4))
      return "";
    return std::string(oneIn(2) ? "@" : "@!") + operand('q') + " ";
  }

  void compute() {
    const std::string_view pattern = templates[below(std::size(templates))];
    std::string instruction;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] == '$')
        instruction += operand(pattern[++i]);
      else
        instruction += pattern[i];
    // Exchanges want the lanes that execute them.
    if (const auto mask = instruction.find("%activemask");
        mask != std::string::npos) {
      instruction.replace(mask, std::string::npos, "%t0");
      line("activemask.b32 %t0");
      return line(instruction);
    }
    line(guard() + instruction);
  }

  void sharedAccess() {
    line("and.b32 %t0, " + operand('a') + ", 127");
    line("mul.wide.u32 %at, %t0, 4");
    line("add.u64 %at, %at, %own");
    switch (below(4)) {
    case 0:
      return line(guard() + "st.shared.b32 [%at], " + operand('a'));
    case 1:
      return line(guard() + "ld.shared.b32 " + operand('d') + ", [%at]");
    case 2:
      return line(guard() + "ld.shared.u8 " + operand('d') + ", [%at+1]");
    default:
      return line(guard() + "atom.shared." +
                  (oneIn(2) ? "add.u32 " : "max.s32 ") + operand('d') +
                  ", [%at], " + operand('a'));
    }
  }

  void globalAccess() {
    line("and.b32 %t0, " + operand('a') + ", 63");
    line("mul.wide.u32 %at, %t0, 16");
    line("add.u64 %at, %at, %in");
    switch (below(3)) {
    case 0:
      return line(guard() + "ld.global.b64 " + operand('D') + ", [%at+8]");
    case 1:
      return line(guard() + "ld.global.s16 " + operand('d') + ", [%at+2]");
    default:
      return line(guard() + "ld.global.v2.b32 {%r0, %r1}, [%at]");
    }
  }

  void branch(unsigned depth) {
    const std::string over = "L" + number(labels++),
                      end = "L" + number(labels++);
    line((oneIn(2) ? "@" : "@!") + operand('q') + " bra " + over);
    statements(1 + below(4), depth - 1);
    const bool hasElse = oneIn(2);
    if (hasElse)
      line("bra " + end);
    text += over + ":\n";
    if (hasElse) {
      statements(1 + below(4), depth - 1);
      text += end + ":\n";
    }
  }

  void loop(unsigned depth) {
    const std::string counter = "%loop" + number(depth);
    const std::string head = "L" + number(labels++);
    if (oneIn(2))
      line("mov.u32 " + counter + ", " + number(1 + below(9)));
    else
      line("and.b32 " + counter + ", " + operand('a') + ", 7");
    text += head + ":\n";
    statements(1 + below(4), depth - 1);
    line("setp.ne.u32 %again, " + counter + ", 0");
    line("sub.u32 " + counter + ", " + counter + ", 1");
    line("@%again bra " + head);
  }

  void statements(unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned choice = below(20);
      if (choice == 0 && depth)
        branch(depth);
      else if (choice == 1 && depth)
        loop(depth);
      else if (choice == 2)
        sharedAccess();
      else if (choice == 3)
        globalAccess();
      else
        for (unsigned k = 0; k < 3; ++k)
          compute();
    }
  }

  std::mt19937 engine;
  std::string text;
  unsigned labels = 0;
};

/// Numbers that arithmetic stumbles over, and others.
std::vector<std::uint32_t> inputs() {
  constexpr std::array corners = {
      0u,          1u,          0x80000000u, 0x7fffffffu, 0xffffffffu,
      0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00001u,
      0xffc12345u, 0x7f800001u, 0x00000001u, 0x80000001u, 0x007fffffu,
      0x00800000u, 0x7f7fffffu, 0x4f000000u, 0xcf000001u, 0x3effffffu};
  std::mt19937 engine(1);
  std::vector<std::uint32_t> values(512);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        i % 3 == 0 ? corners[i / 3 % corners.size()] : std::uint32_t(engine());
  return values;
}

Options options(NativeMode mode) {
  Options options;
  options.maxInstructions = 1'000'000;
  options.hostThreads = 1;
  options.native = {.mode = mode, .isVerbose = mode != NativeMode::off};
  return options;
}

class RandomPrograms : public testing::TestWithParam<Dim3> {
protected:
  struct Run {
    std::string problem; ///< of the launch, if it failed
    std::vector<std::uint32_t> out;
  };
  static Run run(NativeMode mode, const std::string &ptx, Dim3 block) {
    Device device(options(mode));
    auto module = device.load(ptx);
    if (!module)
      return {.problem = module.error().message()};
    const std::vector<std::uint32_t> in = inputs();
    const std::size_t count = 2 * block.count() * ProgramMaker::outputs;
    const auto from = device.allocate(in.size() * 4);
    const auto to = device.allocate(count * 4);
    EXPECT_TRUE(from && to &&
                device.write(*from, std::as_bytes(std::span(in))));
    Arguments arguments;
    arguments.add(*from).add(*to).add(std::uint32_t(count));
    Run result;
    if (auto done = device.launch(
            *module, "random", {.grid = {2}, .block = block}, arguments.bytes);
        !done)
      result.problem = done.error().what;
    result.out.resize(count);
    EXPECT_TRUE(
        device.read(std::as_writable_bytes(std::span(result.out)), *to));
    return result;
  }
};

TEST_P(RandomPrograms, LeaveTheSameBits) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const std::string ptx = ProgramMaker(seed).make();
    const Run expected = run(NativeMode::off, ptx, GetParam());
    ASSERT_EQ(expected.problem, "") << ptx;
    testing::internal::CaptureStderr();
    const Run got = run(NativeMode::sync, ptx, GetParam());
    ASSERT_THAT(testing::internal::GetCapturedStderr(),
                testing::HasSubstr("'random' compiled in"))
        << "seed " << seed << '\n'
        << ptx;
    ASSERT_EQ(got.problem, expected.problem) << "seed " << seed << '\n' << ptx;
    for (std::size_t i = 0; i < got.out.size(); ++i)
      ASSERT_EQ(got.out[i], expected.out[i])
          << "seed " << seed << ", thread " << i / ProgramMaker::outputs
          << ", output " << i % ProgramMaker::outputs << '\n'
          << ptx;
  }
}

INSTANTIATE_TEST_SUITE_P(Blocks, RandomPrograms,
                         testing::Values(Dim3{64, 1, 1}, Dim3{45, 1, 1},
                                         Dim3{16, 6, 1}),
                         [](const auto &info) {
                           return "x" + std::to_string(info.param.x) + "y" +
                                  std::to_string(info.param.y);
                         });

/// A process may end at any moment of a compilation, with its devices alive.
TEST(NativeCompiler, DoesNotOutliveTheProcess) {
  testing::FLAGS_gtest_death_test_style = "fast";
  const std::string ptx = ProgramMaker(0).make();
  for (unsigned delay = 0; delay < 200; delay += 7)
    EXPECT_EXIT(
        {
          auto *device = new Device(options(NativeMode::on));
          auto module = device->load(ptx);
          Arguments arguments;
          arguments.add(*device->allocate(1 << 20))
              .add(*device->allocate(1 << 20))
              .add(std::uint32_t(32));
          const bool isRun =
              module &&
              device->launch(*module, "random", {.grid = {1}, .block = {32}},
                             arguments.bytes);
          std::this_thread::sleep_for(std::chrono::milliseconds(delay));
          std::exit(isRun ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << "after " << delay << " ms";
}

/// Without its library, everything is interpreted.
TEST(NativeCompiler, MayBeMissing) {
  Options missing = options(NativeMode::sync);
  testing::internal::CaptureStderr();
  missing.native.library = "/nowhere/libtessera-jit.so";
  Device device(missing);
  auto module = device.load(".version 7.8\n.target sm_80\n.address_size 64\n"
                            ".visible .entry k(.param .u64 out) {\n"
                            ".reg .b64 %rd1;\nld.param.u64 %rd1, [out];\n"
                            "st.global.u32 [%rd1], 42;\nret;\n}\n");
  ASSERT_TRUE(module.has_value()) << module.error().message();
  const auto out = device.allocate(4);
  Arguments arguments;
  arguments.add(*out);
  ASSERT_TRUE(device.launch(*module, "k", {.grid = {1}, .block = {1}},
                            arguments.bytes));
  std::uint32_t value = 0;
  ASSERT_TRUE(device.read(std::as_writable_bytes(std::span(&value, 1)), *out));
  EXPECT_EQ(value, 42u);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("the virtual GPU interprets, because"));
}

} // namespace
