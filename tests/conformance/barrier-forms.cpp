// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier: PTX ISA 9.0, section 9.7.13.15. Each thread has an mbarrier of its
// own, with 1 to 8 expected arrivals.

#include "async-rules.h"
#include "form-builder.h"

#include <string>

namespace tessera::conformance {

namespace {

using ptx::Opcode;
using ptx::Type;

constexpr unsigned threads = 32;

bool contains(const std::string &mnemonic, std::string_view part) {
  return mnemonic.find(part) != std::string::npos;
}

class BarrierForm {
public:
  BarrierForm(std::vector<Form> &forms, const std::string &mnemonic)
      : mnemonic(mnemonic), builder(forms, mnemonic) {
    builder.runsOn(threads).uses(Cell::shared);
    builder.line(".reg .b64 at, state, other; .reg .b32 expected, left;")
        .line(".reg .pred isDone;");
    expected = builder.source(Type::b32, Draw::amount);
    builder.line("and.b32 expected, " + expected + ", 7;")
        .line("add.u32 expected, expected, 1;")
        .line("cvt.u64.u32 at, cell;")
        .line("cvta.shared.u64 at, at;");
  }

  /// A drop must leave the next phase an arrival to wait for.
  void expectMore(unsigned arrivals) {
    builder.line("add.u32 expected, expected, " + std::to_string(arrivals) +
                 ";");
  }

  void init() {
    builder.line("mbarrier.init.shared::cta.b64 [cell], expected;");
    builder.line("mov.b64 state, 0;");
  }

  void initialise() {
    builder.instruction({address(), "expected"});
    arriveAndLook();
  }

  /// The instruction, and then the arrivals that the phase lacks, one by one.
  void arrive(const std::string &count) {
    init();
    if (count.empty())
      builder.instruction({target(), address()});
    else
      builder.instruction({target(), address(), count});
    if (target() == "state")
      pendingCount();
    arriveAndLook();
    arriveAndLook();
    look();
  }

  /// Two more arrivals than the first phase needs, so that none of the two
  /// completes it.
  void arriveWithoutCompletion() {
    expectMore(2);
    arrive("2");
  }

  void arriveWithBytes() {
    init();
    builder.instruction({target(), address(), "48"});
    look();
    builder.line(
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [cell], 16;");
    look();
    builder.line(
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [cell], 32;");
    arriveAndLook();
    look();
  }

  void countBytes(bool isExpected) {
    init();
    if (!isExpected)
      builder.line(
          "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [cell], 32;");
    builder.instruction({address(), "32"});
    arriveAndLook();
    if (isExpected)
      builder.line(
          "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [cell], 32;");
    arriveAndLook();
    look();
  }

  void wait(bool hasTime) {
    const bool isParity = contains(mnemonic, "parity");
    expectMore(2); // A state is good for its phase and the next one.
    init();
    for (unsigned arrival = 0; arrival < 3; ++arrival) {
      builder.line(std::string("mbarrier.arrive.shared::cta.b64 ") +
                   (arrival == 0 ? "state" : "other") + ", [cell];");
      for (const char *parity : {"0", "1"}) {
        std::string isDone = builder.result(Type::pred);
        std::string phase = isParity ? parity : "state";
        if (hasTime)
          builder.instruction({isDone, address(), phase, "100"});
        else
          builder.instruction({isDone, address(), phase});
      }
    }
  }

  void pendingCountItself() {
    init();
    for (unsigned i = 0; i < 3; ++i) {
      builder.line("mbarrier.arrive.shared::cta.b64 state, [cell];");
      builder.instruction({builder.result(Type::b32), "state"});
    }
  }

  /// The memory is free for other use.
  void invalidate() {
    init();
    builder.instruction({address()});
    builder.line("st.shared.b64 [cell], 7;");
    builder.line("ld.shared.b64 " + builder.result(Type::b64) + ", [cell];");
  }

  void finish(const std::string &note = {}) { builder.finish(note); }

private:
  [[nodiscard]] std::string address() const {
    return contains(mnemonic, ".shared") ? "[cell]" : "[at]";
  }
  /// Arrivals at what may be another block's give no state.
  [[nodiscard]] std::string target() const {
    return contains(mnemonic, "shared::cluster") ? "_" : "state";
  }
  void pendingCount() {
    builder.line("mbarrier.pending_count.b64 " + builder.result(Type::b32) +
                 ", state;");
  }
  void look() {
    for (const char *parity : {"0", "1"})
      builder.line("mbarrier.test_wait.parity.shared::cta.b64 " +
                   builder.result(Type::pred) + ", [cell], " + parity + ";");
  }
  void arriveAndLook() {
    builder.line("mbarrier.arrive.shared::cta.b64 state, [cell];");
    pendingCount();
    builder.line("mbarrier.test_wait.shared::cta.b64 " +
                 builder.result(Type::pred) + ", [cell], state;");
  }

  const std::string &mnemonic;
  FormBuilder builder;
  std::string expected;
};

/// How many ways there are to use a row.
void addFormsOf(std::vector<Form> &forms, const ptx::InstructionForm &row,
                const std::string &mnemonic) {
  if (!isBarrierMnemonic(mnemonic))
    return;
  const auto add = [&](const std::string &note, auto make) {
    BarrierForm form(forms, mnemonic);
    if (row.opcode == Opcode::mbarrier_arrive_drop)
      form.expectMore(1);
    make(form);
    form.finish(note);
  };
  switch (row.opcode) {
  case Opcode::mbarrier_init:
    return add("", [](BarrierForm &form) { form.initialise(); });
  case Opcode::mbarrier_inval:
    return add("", [](BarrierForm &form) { form.invalidate(); });
  case Opcode::mbarrier_expect_tx:
    return add("", [](BarrierForm &form) { form.countBytes(true); });
  case Opcode::mbarrier_complete_tx:
    return add("", [](BarrierForm &form) { form.countBytes(false); });
  case Opcode::mbarrier_arrive:
  case Opcode::mbarrier_arrive_drop:
    if (contains(mnemonic, "noComplete"))
      return add("", [](BarrierForm &form) { form.arriveWithoutCompletion(); });
    if (contains(mnemonic, "expect_tx"))
      return add("", [](BarrierForm &form) { form.arriveWithBytes(); });
    add("", [](BarrierForm &form) { form.arrive(""); });
    return add("count 1", [](BarrierForm &form) { form.arrive("1"); });
  case Opcode::mbarrier_test_wait:
    return add("", [](BarrierForm &form) { form.wait(false); });
  case Opcode::mbarrier_try_wait:
    add("", [](BarrierForm &form) { form.wait(false); });
    return add("with a time", [](BarrierForm &form) { form.wait(true); });
  case Opcode::mbarrier_pending_count:
    return add("", [](BarrierForm &form) { form.pendingCountItself(); });
  default:
    return;
  }
}

} // namespace

void addBarrierForms(std::vector<Form> &forms) {
  for (const ptx::InstructionForm &row : ptx::instructionForms())
    if (ptx::opcodeClass(row.opcode) == ptx::OpcodeClass::async)
      for (const std::string &mnemonic : mnemonicsOf(row))
        addFormsOf(forms, row, mnemonic);
}

} // namespace tessera::conformance
