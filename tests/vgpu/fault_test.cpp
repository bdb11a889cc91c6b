// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

using namespace tessera::vgpu;
using namespace tessera::vgpu::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

class Faults : public VgpuTest {
protected:
  // One host thread: which block fails first is not left to chance.
  Faults()
      : VgpuTest([] {
          Options options = testOptions();
          options.hostThreads = 1;
          return options;
        }()) {}

  /// The fault of launching a kernel of faults.ptx, which must fail.
  template <class... Args>
  Fault fault(std::string_view kernel, std::uint32_t threads,
              const Args &...args) {
    auto done = tryLaunch(
        module, kernel, {.grid = {2, 1, 1}, .block = {threads, 1, 1}}, args...);
    if (done)
      ADD_FAILURE() << kernel << " did not fail";
    return done ? Fault{} : done.error();
  }

private:
  // Loaded first: its variables must not get addresses that a test has freed.
  const Module module = load("faults.ptx");
};

TEST_F(Faults, NullPointer) {
  const Fault f = fault("touch", 8, std::uint64_t(0));
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_EQ(f.message(),
            "4-byte load at 0x0: null pointer in kernel 'touch', block "
            "(0,0,0), thread (0,0,0), at 'ld.global.u32 %r2, [%rd3]' (PTX line "
            "20)");
  EXPECT_EQ(f.address, 0u);
}

TEST_F(Faults, PastTheEnd) {
  const std::uint64_t buffer = upload(std::vector<std::uint32_t>(10));
  const Fault f = fault("touch", 12, buffer);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_THAT(f.what, AllOf(HasSubstr("4 bytes past the end of the allocation "
                                      "of 40 bytes"),
                            HasSubstr("4-byte load")));
  ASSERT_TRUE(f.thread && f.block);
  EXPECT_EQ(*f.thread, (Dim3{10, 0, 0}));
  EXPECT_EQ(f.address, buffer + 40);
}

TEST_F(Faults, PastTheEndInAFullWarp) {
  const std::uint64_t buffer = upload(std::vector<std::uint32_t>(63));
  const Fault f = fault("touch", 64, buffer);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_EQ(*f.thread, (Dim3{63, 0, 0}));
}

TEST_F(Faults, BeforeTheStart) {
  const std::uint64_t buffer = upload(std::vector<std::uint32_t>(64));
  const Fault f = fault("touch", 1, buffer - 8);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_THAT(f.what, HasSubstr("8 bytes before the allocation of 256 bytes"));
}

TEST_F(Faults, UseAfterFree) {
  const std::uint64_t buffer = upload(std::vector<std::uint32_t>(64));
  ASSERT_TRUE(device.free(buffer).has_value());
  const Fault f = fault("touch", 1, buffer + 16);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_THAT(f.what, HasSubstr("use after free: 16 bytes into the freed "
                                "allocation of 256 bytes"));
}

TEST_F(Faults, Misaligned) {
  const std::uint64_t buffer = upload(std::vector<std::uint32_t>(64));
  const Fault f = fault("touch_generic", 1, buffer + 4);
  EXPECT_EQ(f.kind, FaultKind::misaligned);
  EXPECT_THAT(f.what, AllOf(HasSubstr("8-byte load at 0x"),
                            HasSubstr("not a multiple of 8")));
}

TEST_F(Faults, AtomicOutOfBounds) {
  const std::uint64_t buffer = upload(std::vector<std::uint32_t>(1));
  const Fault f = fault("add_at", 1, buffer + 4);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_THAT(f.what, HasSubstr("4-byte atomic operation"));
}

TEST_F(Faults, ConstantMemoryIsReadOnly) {
  const Fault f = fault("write_constant", 1);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_THAT(f.what, HasSubstr("constant memory cannot be written"));
}

TEST_F(Faults, VariablesAreNamed) {
  const Module module = load("faults.ptx");
  const std::uint64_t at = module.global("fixed")->address;
  auto done = tryLaunch(module, "touch_generic",
                        {.grid = {1, 1, 1}, .block = {1, 1, 1}}, at);
  ASSERT_FALSE(done.has_value());
  EXPECT_THAT(done.error().what,
              HasSubstr("4 bytes past the end of constant 'fixed' (4 bytes"));
}

TEST_F(Faults, SharedMemory) {
  const Fault over = fault("shared_overrun", 20);
  EXPECT_EQ(over.kind, FaultKind::invalidAddress);
  EXPECT_THAT(over.what, HasSubstr("4 bytes past the end of the block's shared "
                                   "memory (64 bytes)"));
  EXPECT_EQ(*over.thread, (Dim3{16, 0, 0}));
  EXPECT_THAT(fault("shared_null", 1).what,
              HasSubstr("null pointer to shared memory"));
}

TEST_F(Faults, LocalMemory) {
  const Fault f = fault("local_overrun", 1);
  EXPECT_EQ(f.kind, FaultKind::invalidAddress);
  EXPECT_THAT(f.what, HasSubstr("outside of the thread's local memory"));
}

TEST_F(Faults, TrapHasItsSourceLine) {
  const Fault f = fault("trap_in_thread", 64, std::uint32_t(37));
  EXPECT_EQ(f.kind, FaultKind::trap);
  EXPECT_EQ(*f.thread, (Dim3{37, 0, 0}));
  EXPECT_EQ(f.sourceFile, "/src/faults.cu");
  EXPECT_EQ(f.sourceLine, 40u);
  EXPECT_THAT(f.message(), AllOf(HasSubstr("/src/faults.cu:40: trap in kernel"),
                                 HasSubstr("at '@%p1 trap'")));
  EXPECT_EQ(fault("break_point", 1).kind, FaultKind::trap);
}

TEST_F(Faults, DeadlockSaysWhatWarpsWaitFor) {
  const Fault f = fault("deadlock", 64);
  EXPECT_EQ(f.kind, FaultKind::deadlock);
  EXPECT_THAT(
      f.what,
      AllOf(HasSubstr("warp 0: lanes 0xffffffff wait at 'bar.sync 1'"),
            HasSubstr("warp 1: lanes 0xffffffff wait at 'bar.sync 2'")));
}

TEST_F(Faults, DivergentBarrier) {
  const Fault f = fault("divergent_barrier", 32);
  EXPECT_EQ(f.kind, FaultKind::divergentBarrier);
  EXPECT_THAT(f.what, AllOf(HasSubstr("lanes 0x7f wait"),
                            HasSubstr("lanes 0xffffff80 wait")));
}

TEST_F(Faults, LanesOfAnExchangeThatNeverCome) {
  const Fault f = fault("missing_lanes", 32);
  EXPECT_EQ(f.kind, FaultKind::divergentBarrier);
  EXPECT_THAT(f.what, HasSubstr("for lanes 0xffffffff"));
}

TEST_F(Faults, MemberMaskWithoutTheLane) {
  const Fault f = fault("foreign_mask", 32);
  EXPECT_EQ(f.kind, FaultKind::invalidSync);
  EXPECT_THAT(f.what, HasSubstr("lane 8 is not in its member mask 0xff"));
}

TEST_F(Faults, BarrierOperands) {
  const Fault number = fault("barrier_number", 32, std::uint32_t(16));
  EXPECT_EQ(number.kind, FaultKind::invalidSync);
  EXPECT_THAT(number.what, HasSubstr("barrier 16 does not exist"));
  const Fault threads = fault("barrier_threads", 32, std::uint32_t(40));
  EXPECT_EQ(threads.kind, FaultKind::invalidSync);
  EXPECT_THAT(threads.what, HasSubstr("must be a multiple of 32"));
  EXPECT_EQ(fault("barrier_mismatch", 96).kind, FaultKind::invalidSync);
}

TEST_F(Faults, StackOverflow) {
  const std::uint64_t out = upload(std::vector<std::uint32_t>(1));
  const Fault f = fault("recurse", 32, out);
  EXPECT_EQ(f.kind, FaultKind::stackOverflow);
  EXPECT_THAT(f.what, HasSubstr("call of 'endless' at depth"));
  const Fault big = fault("big_alloca", 1, std::uint64_t(1) << 40);
  EXPECT_EQ(big.kind, FaultKind::stackOverflow);
  EXPECT_THAT(big.what, HasSubstr("alloca of 1099511627776 bytes"));
}

TEST_F(Faults, StepLimit) {
  const Fault f = fault("forever", 32);
  EXPECT_EQ(f.kind, FaultKind::stepLimit);
  EXPECT_THAT(f.what, HasSubstr("the limit of 10000000 instructions"));
}

TEST_F(Faults, IndirectCallOfNoFunction) {
  const Module module = load("control.ptx");
  auto done =
      tryLaunch(module, "bad_indirect_call",
                {.grid = {1, 1, 1}, .block = {1, 1, 1}}, std::uint64_t(64));
  ASSERT_FALSE(done.has_value());
  EXPECT_THAT(done.error().what,
              HasSubstr("call through 0x40, which is no function"));
}

TEST_F(Faults, TheDeviceWorksAfterAFault) {
  (void)fault("divergent_barrier", 1024);
  (void)fault("deadlock", 1024);
  const auto out = run<std::uint32_t>("control.ptx", "nested_ifs", 32, 32);
  EXPECT_EQ(out[0], 41u);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

class Launches : public VgpuTest {
protected:
  template <class... Args>
  std::string refusal(std::string_view kernel, LaunchConfig config,
                      const Args &...args) {
    auto done = tryLaunch(load("faults.ptx"), kernel, config, args...);
    if (done)
      return "it was accepted";
    EXPECT_EQ(done.error().kind, FaultKind::invalidLaunch);
    return done.error().what;
  }
};

TEST_F(Launches, Shapes) {
  EXPECT_THAT(refusal("forever", {.grid = {1, 1, 1}, .block = {1025, 1, 1}}),
              HasSubstr("too large: 1024 threads"));
  EXPECT_THAT(refusal("forever", {.grid = {1, 1, 1}, .block = {32, 33, 1}}),
              HasSubstr("too large: 1024 threads"));
  EXPECT_THAT(refusal("forever", {.grid = {1, 1, 1}, .block = {1, 1, 65}}),
              HasSubstr("too large"));
  EXPECT_THAT(refusal("forever", {.grid = {1, 0, 1}, .block = {1, 1, 1}}),
              HasSubstr("a grid of 1x0x1 blocks is empty"));
  EXPECT_THAT(refusal("forever", {.grid = {1, 1, 1}, .block = {0, 1, 1}}),
              HasSubstr("a block of 0x1x1 threads is empty"));
  EXPECT_THAT(refusal("forever", {.grid = {1, 65536, 1}, .block = {1, 1, 1}}),
              HasSubstr("a grid of 1x65536x1 blocks is too large"));
  EXPECT_THAT(
      refusal("exact_block", {.grid = {1, 1, 1}, .block = {32, 1, 1}}),
      HasSubstr("requires blocks of 8x4x1 threads (.reqntid), not 32x1x1"));
  EXPECT_THAT(refusal("small_block", {.grid = {1, 1, 1}, .block = {129, 1, 1}}),
              HasSubstr("allows 128 threads per block (.maxntid), not 129"));
  EXPECT_THAT(refusal("clustered", {.grid = {3, 1, 1}, .block = {1, 1, 1}}),
              HasSubstr("clusters of 2x1x1"));
}

TEST_F(Launches, SharedMemory) {
  EXPECT_THAT(refusal("shared_overrun", {.grid = {1, 1, 1},
                                         .block = {1, 1, 1},
                                         .dynamicShared = 227 * 1024}),
              HasSubstr("232512 bytes of shared memory (64 static, 232448 "
                        "dynamic) are too much: 232448 are the most"));
}

TEST_F(Launches, Parameters) {
  EXPECT_THAT(refusal("two_params", {.grid = {1, 1, 1}, .block = {1, 1, 1}},
                      std::uint64_t(1)),
              HasSubstr("the parameter block has 8 bytes, the kernel's 2 "
                        "parameters take 16"));
}

TEST_F(Launches, UnknownKernel) {
  EXPECT_THAT(refusal("forewer", {.grid = {1, 1, 1}, .block = {1, 1, 1}}),
              HasSubstr("no kernel 'forewer'; did you mean 'forever'?"));
  EXPECT_THAT(refusal("zzzzzzzzz", {.grid = {1, 1, 1}, .block = {1, 1, 1}}),
              Not(HasSubstr("did you mean")));
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

class Loading : public VgpuTest {
protected:
  std::string rejection(const std::string &body,
                        const std::string &target = "sm_80") {
    auto module = device.load(".version 8.0\n.target " + target +
                              "\n.address_size 64\n" + body);
    if (module)
      return "it was accepted";
    EXPECT_EQ(module.error().kind, FaultKind::invalidPtx);
    return module.error().message();
  }
};

TEST_F(Loading, SyntaxErrorsHaveAPlace) {
  EXPECT_THAT(rejection(".visible .entry f() { frobnicate; }"),
              AllOf(HasSubstr("PTX error at 4:"), HasSubstr("frobnicate")));
  EXPECT_EQ(device.load("").error().kind, FaultKind::invalidPtx);
}

TEST_F(Loading, UnresolvedFunction) {
  EXPECT_THAT(rejection(".extern .func helper();\n"
                        ".visible .entry f() { call helper; ret; }"),
              HasSubstr("function 'helper' has no body in this module"));
}

TEST_F(Loading, WronglyDeclaredBuiltins) {
  EXPECT_THAT(rejection(".extern .func (.param .b64 p) malloc(.param .b64 n, "
                        ".param .b64 m);\n"
                        ".visible .entry f() { .param .b64 n; .param .b64 p; "
                        "call (p), malloc, (n, n); ret; }"),
              HasSubstr("'malloc' is declared with 2 parameters, it has 1"));
  EXPECT_THAT(rejection(".extern .func (.param .b64 p) malloc(.param .b32 n);\n"
                        ".visible .entry f() { .param .b32 n; .param .b64 p; "
                        "call (p), malloc, (n); ret; }"),
              HasSubstr("'n' of 'malloc' has 4 bytes, not 8"));
  EXPECT_THAT(rejection(".extern .func (.param .b32 p) malloc(.param .b64 n);\n"
                        ".visible .entry f() { .param .b64 n; .param .b32 p; "
                        "call (p), malloc, (n); ret; }"),
              HasSubstr("'p' of 'malloc' has 4 bytes, not 8"));
}

TEST_F(Loading, UnresolvedVariable) {
  EXPECT_THAT(rejection(".extern .global .u32 elsewhere;\n"
                        ".visible .entry f() { ret; }"),
              HasSubstr("'elsewhere' is declared but not defined"));
}

TEST_F(Loading, TooMuchStaticShared) {
  EXPECT_THAT(
      rejection(".visible .entry f() { .shared .b8 big[49153]; .reg .b32 %r; "
                "ld.shared.u32 %r, [big]; ret; }"),
      HasSubstr("kernel 'f' has 49153 bytes of static shared memory"));
}

/// Also where no kernel reaches it.
TEST_F(Loading, UnsupportedInstructions) {
  const std::string use = ".reg .b64 %rd1;\n.reg .pred %p1;\n"
                          "istypep.texref %p1, %rd1;\n";
  const auto loaded =
      device.load(".version 7.8\n.target sm_80\n"
                  ".address_size 64\n.func f() {\n" +
                  use + "ret;\n}\n.entry k() {\n" + use + "ret;\n}\n");
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, FaultKind::unsupported);
  EXPECT_EQ(loaded.error().what,
            "'istypep.texref' is not supported by the virtual GPU (and 1 more "
            "instruction)");
  EXPECT_EQ(loaded.error().ptx.line, 7u);
}

TEST_F(Loading, NewerArchitecture) {
  auto module = device.load(".version 8.7\n.target sm_100\n.address_size 64\n");
  ASSERT_FALSE(module.has_value());
  EXPECT_THAT(module.error().what, HasSubstr("for sm_100"));
}

} // namespace
