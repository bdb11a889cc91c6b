// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite itself: its list of forms, its files, its verdicts.

#include "compare.h"
#include "inputs.h"
#include "runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

using namespace tessera::conformance;
namespace ptx = tessera::ptx;

namespace {

const Form *formNamed(std::string_view name) {
  const auto &forms = allForms();
  auto found = std::ranges::find(forms, name, &Form::name);
  return found == forms.end() ? nullptr : &*found;
}

TEST(Forms, EveryRowThatComputesHasOne) {
  std::set<std::uint16_t> covered;
  for (const Form &form : allForms())
    covered.insert(form.row);
  for (std::size_t i = 0; i < ptx::instructionForms().size(); ++i) {
    const ptx::InstructionForm &row = ptx::instructionForms()[i];
    if (ptx::opcodeClass(row.opcode) == ptx::OpcodeClass::compute &&
        recordedArch.supportsAny(row.targets)) {
      EXPECT_TRUE(covered.contains(std::uint16_t(i)))
          << ptx::spelling(row.opcode) << " " << row.modifierPattern;
    }
  }
  EXPECT_GE(allForms().size(), 5000u);
}

TEST(Forms, ModifiersAreExpandedAndImpossibleOnesLeftOut) {
  EXPECT_TRUE(formNamed("add.rz.ftz.sat.f32"));
  EXPECT_TRUE(formNamed("setp.hs.xor.u16"));
  EXPECT_FALSE(formNamed("setp.hs.s16"));
  EXPECT_FALSE(formNamed("add.rn.f32x2")) << "needs sm_100";
}

TEST(Forms, AsynchronousOnesAreThere) {
  for (const char *name :
       {"mbarrier.arrive.release.cta.shared::cta.b64 (count 1)",
        "mbarrier.test_wait.parity.acquire.cluster.b64",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 (of another "
        "block)",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::"
        "bytes.max.s32",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 "
        "(240 bytes from 32 to 48)",
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile."
        "mbarrier::complete_tx::bytes (u32, past dimension 4)"})
    EXPECT_TRUE(formNamed(name)) << name;
  EXPECT_FALSE(formNamed("mbarrier.arrive.release.shared::cta.b64"))
      << "an order without a scope";
  EXPECT_FALSE(formNamed("red.async.relaxed.cluster.shared::cluster."
                         "mbarrier::complete_tx::bytes.inc.s32"));
}

TEST(Inputs, AreTheSameEachTimeAndHaveTheCorners) {
  const Form *form = formNamed("sqrt.rn.f32");
  ASSERT_TRUE(form);
  auto inputs = inputsOf(*form);
  EXPECT_EQ(inputs, inputsOf(*form));
  for (std::uint64_t corner : {0x0ull, 0x80000000ull, 0x7f800000ull,
                               0x7f800001ull, 0x7fc00000ull, 1ull})
    EXPECT_THAT(inputs, testing::Contains(corner));
  EXPECT_NE(fingerprint(*form), fingerprint(*formNamed("sqrt.rz.f32")));
}

TEST(Recordings, ResultsSurvivePacking) {
  for (std::string_view name : {"setp.lt.f32", "add.u16", "mul.wide.s32",
                                "shfl.sync.up.b32", "add.cc.u64"}) {
    const Form *form = formNamed(name);
    ASSERT_TRUE(form) << name;
    std::vector<std::uint64_t> results(threadsOf(*form) * form->results.size());
    for (std::size_t modulus : {1u, 2u, 3u, 5u, 16u, 17u, 200u}) {
      for (std::size_t i = 0; i < results.size(); ++i)
        results[i] = registerBits(form->results[i % form->results.size()]) == 1
                         ? i / 2 % 2
                         : i * 7 % modulus;
      EXPECT_EQ(unpackResults(*form, packResults(*form, results)), results);
    }
  }
}

TEST(Recordings, DamageIsNoticed) {
  const Form *form = formNamed("add.u16");
  std::string text =
      packResults(*form, std::vector<std::uint64_t>(threadsOf(*form), 3));
  EXPECT_TRUE(unpackResults(*form, text.substr(0, text.size() - 2)).empty());
  EXPECT_TRUE(unpackResults(*form, text + "AAAA").empty());
  EXPECT_TRUE(unpackResults(*form, "!" + text).empty());
  EXPECT_FALSE(readRecording("/nowhere/at.all"));
  std::string path = testing::TempDir() + "damaged.txt";
  std::ofstream(path) << "# one\nadd.u16\tnothex\tAAAA\n";
  auto read = readRecording(path);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), testing::HasSubstr(":2:"));
  std::remove(path.c_str());
}

TEST(Verdicts, OneWrongBitIsFound) {
  const Form *form = formNamed("add.rn.f32");
  ASSERT_TRUE(form);
  RunResult run = runForms(tessera::device::vgpu(), std::span(&form, 1),
                           [](std::size_t) {});
  ASSERT_TRUE(run.answers.contains(form->name)) << run.failure;
  Answer good = run.answers[form->name], bad = good;
  EXPECT_EQ(compare(*form, &good, &good).verdict, Verdict::matches);
  bad.results[7] ^= 1;
  Comparison comparison = compare(*form, &good, &bad);
  EXPECT_EQ(comparison.verdict, Verdict::differs);
  EXPECT_THAT(comparison.threads, testing::ElementsAre(7));
  EXPECT_EQ(compare(*form, nullptr, &good).verdict, Verdict::notRecorded);
  Answer old = good;
  old.fingerprint ^= 1;
  EXPECT_EQ(compare(*form, &old, &good).verdict, Verdict::notRecorded);
  Answer refused = {good.fingerprint, {}, "no"};
  EXPECT_EQ(compare(*form, &good, &refused).verdict, Verdict::notExecuted);
  EXPECT_EQ(compare(*form, &refused, &good).verdict, Verdict::refused);
}

TEST(Verdicts, ApproximateInstructionsHaveTheirStatedError) {
  Tolerance oneUlp{Tolerance::Kind::ulp, 1};
  auto near = [&](std::uint64_t a, std::uint64_t b) {
    return agrees(oneUlp, ptx::Type::f32, 0, a, b);
  };
  EXPECT_TRUE(near(0x3f800000, 0x3f800002));
  EXPECT_FALSE(near(0x3f800000, 0x3f800003));
  EXPECT_TRUE(near(0x7fffffff, 0xffc00000)) << "NaNs";
  EXPECT_TRUE(near(0x7f800000, 0x7f7fffff)) << "the next number";
  EXPECT_FALSE(near(0x7f800000, 0x7f7ffffd));
  EXPECT_FALSE(near(0x7f800000, 0xff7fffff));
  EXPECT_FALSE(agrees({}, ptx::Type::f32, 0, 0x7fffffff, 0x7fc00000));
  Tolerance eighth{Tolerance::Kind::absolute, 0.125};
  EXPECT_TRUE(
      agrees(eighth, ptx::Type::f16x2, 0, 0x3c003c00, 0x3c003d00 - 128));
  EXPECT_FALSE(agrees(eighth, ptx::Type::f16x2, 0, 0x3c003c00, 0x3e003c00));
}

TEST(Runner, FormsHaveClustersAndTensors) {
  const std::string tensorCopy =
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile."
      "mbarrier::complete_tx::bytes";
  const Form *forms[] = {formNamed("mapa.u64"),
                         formNamed(tensorCopy + " (u32, inside)")};
  ASSERT_TRUE(forms[0] && forms[1]);
  RunResult run = runForms(tessera::device::vgpu(), forms, [](std::size_t) {});
  ASSERT_EQ(run.answers.size(), 2u) << run.failure;

  // Each thread reads the first source of its namesake in the next of four
  // blocks.
  auto inputs = inputsOf(*forms[0]);
  const Answer &next = run.answers[forms[0]->name];
  ASSERT_EQ(next.refusal, "");
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(next.results[i], inputs[2 * ((i + 16) % 64)]) << i;

  // 8 rows of 16 words at (20, 4) of a tensor with rows of 160 bytes.
  inputs = inputsOf(*forms[1]);
  const Answer &box = run.answers[forms[1]->name];
  ASSERT_EQ(box.refusal, "");
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(box.results[3 * i], 1u) << "the copy has ended";
    for (unsigned half : {0u, 1u}) {
      const unsigned at = 2 * i + half, row = at / 8;
      EXPECT_EQ(box.results[3 * i + 1 + half],
                inputs[(row + 4) * 20 + 10 + at % 8])
          << at;
    }
  }
}

TEST(Runner, ARefusedFormDoesNotStopTheOthers) {
  Form odd = *formNamed("add.u32");
  odd.name = "odd";
  odd.body = "  add.u32 d0, s0, nowhere;\n";
  const Form *forms[] = {formNamed("add.u32"), &odd, formNamed("sub.u32")};
  RunResult run = runForms(tessera::device::vgpu(), forms, [](std::size_t) {});
  EXPECT_TRUE(run.failure.empty());
  ASSERT_EQ(run.answers.size(), 3u);
  EXPECT_THAT(run.answers["odd"].refusal, testing::HasSubstr("nowhere"));
  EXPECT_FALSE(run.answers["add.u32"].results.empty());
  EXPECT_FALSE(run.answers["sub.u32"].results.empty());
}

} // namespace
