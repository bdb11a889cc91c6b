// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters: distributed shared memory, mapa, getctarank, the cluster's barrier,
// arrivals at another block's mbarrier, st.async and red.async. The kernels are
// one cluster of two blocks, or of four.

#include "async-rules.h"
#include "form-builder.h"

#include <string>

namespace tessera::conformance {

namespace {

using ptx::Opcode;
using ptx::Type;

constexpr unsigned threads = 64;

bool contains(const std::string &mnemonic, std::string_view part) {
  return mnemonic.find(part) != std::string::npos;
}

/// Of the cell: data first, then an mbarrier.
constexpr unsigned barrierAt = 24;

class ClusterForm {
public:
  /// Declares `peer`, the address of the next block's cell of this thread.
  ClusterForm(std::vector<Form> &forms, const std::string &mnemonic,
              unsigned blocks = 2)
      : mnemonic(mnemonic), builder(forms, mnemonic) {
    builder.runsOn(threads, blocks).uses(Cell::shared);
    builder.line(".reg .b32 rank, next, peer; .reg .b64 wide, wideNext;")
        .line(".reg .b32 tries; .reg .pred isDone, isPatient;")
        .line("mov.u32 rank, %cluster_ctarank;")
        .line("add.u32 next, rank, 1;")
        .line("rem.u32 next, next, " + std::to_string(blocks) + ";")
        .line("mapa.shared::cluster.u32 peer, cell, next;");
  }

  void fillCell() {
    for (unsigned at : {0u, 8u})
      builder.line("st.shared.b64 [cell+" + std::to_string(at) + "], " +
                   builder.source(Type::b64) + ";");
    builder.line("mbarrier.init.shared::cta.b64 [cell+" +
                 std::to_string(barrierAt) + "], 1;");
    sync();
  }

  void sync() {
    builder.line("barrier.cluster.arrive.aligned;")
        .line("barrier.cluster.wait.aligned;");
  }

  void expect(unsigned bytes) {
    builder.line("mbarrier.arrive.expect_tx.shared::cta.b64 _, [cell+" +
                 std::to_string(barrierAt) + "], " + std::to_string(bytes) +
                 ";");
  }

  void awaitBarrier() {
    std::string isDone = builder.result(Type::pred);
    builder.line("mov.b32 tries, 0;")
        .line("again:")
        .line("mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 "
              "isDone, [cell+" +
              std::to_string(barrierAt) + "], 0;")
        .line("add.u32 tries, tries, 1;")
        .line("setp.lt.u32 isPatient, tries, 20000;")
        .line("@isDone bra ended;")
        .line("@isPatient bra again;")
        .line("ended:")
        .line("mov.pred " + isDone + ", isDone;");
  }

  void readCell() {
    for (unsigned at : {0u, 8u})
      builder.line("ld.shared.b64 " + builder.result(Type::b64) + ", [cell+" +
                   std::to_string(at) + "];");
  }

  FormBuilder &operator*() { return builder; }

  const std::string mnemonic;

private:
  FormBuilder builder;
};

/// The values of a vector store, in registers of the type.
void addStoreAsync(std::vector<Form> &forms, const std::string &mnemonic) {
  ClusterForm form(forms, mnemonic);
  const unsigned width = contains(mnemonic, ".v4")   ? 4
                         : contains(mnemonic, ".v2") ? 2
                                                     : 1;
  const std::string type = mnemonic.substr(mnemonic.rfind('.') + 1);
  const unsigned bytes = type.ends_with("64") ? 8 : 4;
  if (width * bytes > 16)
    return;
  form.fillCell();
  form.expect(width * bytes);
  (*form).instruction(
      {"[peer]", (*form).sources(bytes == 8 ? Type::b64 : Type::b32, width),
       "[peer+" + std::to_string(barrierAt) + "]"});
  form.awaitBarrier();
  form.readCell();
  form.sync();
  (*form).finish();
}

void addReduceAsync(std::vector<Form> &forms, const std::string &mnemonic) {
  if (!isReduction(mnemonic))
    return;
  ClusterForm form(forms, mnemonic);
  const unsigned bytes = mnemonic.ends_with("64") ? 8 : 4;
  form.fillCell();
  form.expect(bytes);
  (*form).instruction({"[peer]",
                       (*form).source(bytes == 8 ? Type::b64 : Type::b32),
                       "[peer+" + std::to_string(barrierAt) + "]"});
  form.awaitBarrier();
  form.readCell();
  form.sync();
  (*form).finish();
}

/// The address of the next block's cell, seen as what it reads.
void addMapa(std::vector<Form> &forms, const std::string &mnemonic) {
  ClusterForm form(forms, mnemonic, 4);
  FormBuilder &builder = *form;
  form.fillCell();
  const bool isShared = contains(mnemonic, "shared::cluster");
  const bool isWide = mnemonic.ends_with("64");
  if (!isShared && !isWide)
    return; // Generic addresses have 64 bits.
  builder.line("cvt.u64.u32 wide, cell;");
  if (!isShared)
    builder.line("cvta.shared.u64 wide, wide;");
  builder.instruction(
      {isWide ? "wideNext" : "peer", isWide ? "wide" : "cell", "next"});
  builder.line(std::string("ld.") + (isShared ? "shared::cluster." : "") +
               "b64 " + builder.result(Type::b64) +
               (isWide ? ", [wideNext];" : ", [peer];"));
  form.sync();
  builder.finish();
}

void addGetCtaRank(std::vector<Form> &forms, const std::string &mnemonic) {
  ClusterForm form(forms, mnemonic, 4);
  FormBuilder &builder = *form;
  form.fillCell();
  const bool isShared = contains(mnemonic, "shared::cluster");
  const bool isWide = mnemonic.ends_with("64");
  if (!isShared && !isWide)
    return;
  builder.line("cvt.u64.u32 wide, peer;").line("cvt.u64.u32 wideNext, cell;");
  if (!isShared)
    builder.line("cvta.shared::cluster.u64 wide, wide;")
        .line("cvta.shared.u64 wideNext, wideNext;");
  builder.instruction({builder.result(Type::b32), isWide ? "wide" : "peer"});
  builder.instruction(
      {builder.result(Type::b32), isWide ? "wideNext" : "cell"});
  form.sync();
  builder.finish();
}

/// Each block's cells are written by the one before it, between two barriers
/// of which one is the form's.
void addClusterBarrier(std::vector<Form> &forms, const std::string &mnemonic,
                       bool isArrive) {
  ClusterForm form(forms, mnemonic, 4);
  FormBuilder &builder = *form;
  const bool isAligned = contains(mnemonic, "aligned");
  form.fillCell();
  builder.line("st.shared::cluster.b64 [peer], " + builder.source(Type::b64) +
               ";");
  if (isArrive) {
    // A relaxed arrival needs a fence.
    if (contains(mnemonic, "relaxed"))
      builder.line("fence.acq_rel.cluster;");
    builder.instruction({});
    builder.line(isAligned ? "barrier.cluster.wait.aligned;"
                           : "barrier.cluster.wait;");
  } else {
    builder.line(isAligned ? "barrier.cluster.arrive.aligned;"
                           : "barrier.cluster.arrive;");
    builder.instruction({});
  }
  form.readCell();
  builder.finish();
}

/// All threads arrive at the next block's mbarriers.
void addRemoteArrival(std::vector<Form> &forms, const std::string &mnemonic) {
  if (!contains(mnemonic, "shared::cluster") || !isBarrierMnemonic(mnemonic))
    return;
  ClusterForm form(forms, mnemonic);
  FormBuilder &builder = *form;
  form.fillCell();
  const std::string remote = "[peer+" + std::to_string(barrierAt) + "]";
  if (contains(mnemonic, "expect_tx")) {
    builder.instruction({"_", remote, "16"});
    builder.line("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 " +
                 remote + ", 16;");
  } else {
    builder.instruction({"_", remote});
  }
  form.awaitBarrier();
  form.sync();
  builder.finish("of another block");
}

struct RemoteAccess {
  std::string_view mnemonic;
  unsigned bytes;
  bool hasResult, hasValue;
};
constexpr RemoteAccess remoteAccesses[] = {
    {"ld.shared::cluster.b32", 4, true, false},
    {"ld.shared::cluster.b64", 8, true, false},
    {"st.shared::cluster.b32", 4, false, true},
    {"st.shared::cluster.b64", 8, false, true},
    {"atom.shared::cluster.add.u32", 4, true, true},
    {"atom.shared::cluster.exch.b64", 8, true, true},
    {"atom.shared::cluster.max.s32", 4, true, true},
    {"red.shared::cluster.add.u64", 8, false, true},
    {"red.shared::cluster.xor.b32", 4, false, true},
};

void addRemoteAccess(std::vector<Form> &forms, const RemoteAccess &access) {
  ClusterForm form(forms, std::string(access.mnemonic));
  FormBuilder &builder = *form;
  const Type type = access.bytes == 8 ? Type::b64 : Type::b32;
  form.fillCell();
  const std::string result =
      access.hasResult ? builder.result(type) : std::string();
  const std::string value =
      access.hasValue ? builder.source(type) : std::string();
  if (access.hasResult && access.hasValue)
    builder.instruction({result, "[peer]", value});
  else if (access.hasResult)
    builder.instruction({result, "[peer]"});
  else
    builder.instruction({"[peer]", value});
  form.sync();
  form.readCell();
  builder.finish("of another block");
}

void addFormsOf(std::vector<Form> &forms, Opcode opcode,
                const std::string &mnemonic) {
  switch (opcode) {
  case Opcode::st_async:
    return addStoreAsync(forms, mnemonic);
  case Opcode::red_async:
    return addReduceAsync(forms, mnemonic);
  case Opcode::mapa:
    return addMapa(forms, mnemonic);
  case Opcode::getctarank:
    return addGetCtaRank(forms, mnemonic);
  case Opcode::barrier_cluster_arrive:
    return addClusterBarrier(forms, mnemonic, true);
  case Opcode::barrier_cluster_wait:
    return addClusterBarrier(forms, mnemonic, false);
  case Opcode::mbarrier_arrive:
  case Opcode::mbarrier_arrive_drop:
    return addRemoteArrival(forms, mnemonic);
  default:
    return;
  }
}

} // namespace

void addClusterForms(std::vector<Form> &forms) {
  for (const ptx::InstructionForm &row : ptx::instructionForms()) {
    const ptx::OpcodeClass kind = ptx::opcodeClass(row.opcode);
    if (kind == ptx::OpcodeClass::async || kind == ptx::OpcodeClass::sync ||
        row.opcode == Opcode::mapa || row.opcode == Opcode::getctarank)
      for (const std::string &mnemonic : mnemonicsOf(row))
        addFormsOf(forms, row.opcode, mnemonic);
  }
  for (const RemoteAccess &access : remoteAccesses)
    addRemoteAccess(forms, access);
}

} // namespace tessera::conformance
