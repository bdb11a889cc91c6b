// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async.bulk and cp.reduce.async.bulk: PTX ISA 9.0, section 9.7.9.25. The
// tile of shared memory is the target, or the source.

#include "async-body.h"
#include "async-rules.h"
#include "form-builder.h"

#include <iterator>
#include <string>

namespace tessera::conformance {

namespace {

using ptx::Opcode;
using ptx::Type;

bool contains(const std::string &mnemonic, std::string_view part) {
  return mnemonic.find(part) != std::string::npos;
}

/// Where a copy begins in its source and in its target, and its length; bytes.
struct Extent {
  unsigned from, to, bytes;
};
constexpr Extent extents[] = {{0, 0, 512}, {16, 0, 16}, {32, 48, 240}};

std::string at(const std::string &base, unsigned bytes) {
  return "[" + base + "+" + std::to_string(bytes) + "]";
}

std::string noteOf(const Extent &extent) {
  return std::to_string(extent.bytes) + " bytes from " +
         std::to_string(extent.from) + " to " + std::to_string(extent.to);
}

constexpr unsigned blockThreads = 32;

/// Operands that modifiers ask for after the others.
void addOptional(std::vector<std::string> &operands,
                 const std::string &mnemonic) {
  if (contains(mnemonic, "multicast"))
    operands.emplace_back("0xb"); // All of four blocks but the third.
  if (contains(mnemonic, "cache_hint"))
    operands.emplace_back("policy");
}

/// Global memory to shared memory: the sources are copied.
void addToShared(std::vector<Form> &forms, const std::string &mnemonic,
                 const Extent &extent) {
  FormBuilder builder(forms, mnemonic);
  AsyncBody body(builder, blockThreads,
                 contains(mnemonic, "multicast") ? 4 : 1);
  for (unsigned i = 0; i < 2; ++i)
    builder.source(Type::b64);
  body.begin(AsyncBody::Fill::pattern);
  body.expect(extent.bytes);
  body.openIssue();
  std::vector<std::string> operands = {
      at("tile", extent.to), at("src", extent.from),
      std::to_string(extent.bytes), "[barrier]"};
  addOptional(operands, mnemonic);
  builder.instruction(operands);
  body.closeIssue();
  body.awaitBarrier();
  body.readTile();
  builder.finish(noteOf(extent));
}

/// The first block's shared memory to the second's, copied or combined.
void addToCluster(std::vector<Form> &forms, const std::string &mnemonic,
                  const Extent &extent) {
  FormBuilder builder(forms, mnemonic);
  AsyncBody body(builder, blockThreads, 2);
  body.begin(AsyncBody::Fill::sources);
  body.expect(extent.bytes);
  builder.line(".reg .b32 peer, peerBarrier;")
      .line("mapa.shared::cluster.u32 peer, tile, 1;")
      .line("mapa.shared::cluster.u32 peerBarrier, barrier, 1;");
  body.openIssue();
  builder.instruction({at("peer", extent.to), at("tile", extent.from),
                       std::to_string(extent.bytes), "[peerBarrier]"});
  body.closeIssue();
  body.awaitBarrier();
  body.readTile();
  builder.finish(noteOf(extent));
}

/// Shared memory to global memory, where the results will be.
void addToGlobal(std::vector<Form> &forms, const std::string &mnemonic,
                 const Extent &extent) {
  FormBuilder builder(forms, mnemonic);
  AsyncBody body(builder, blockThreads);
  for (unsigned i = 0; i < 2; ++i)
    builder.line("st.global.b64 [dst+" + std::to_string(8 * i) + "], " +
                 builder.source(Type::b64) + ";");
  body.begin(AsyncBody::Fill::sources);
  body.openIssue();
  std::vector<std::string> operands = {at("dst", extent.to),
                                       at("tile", extent.from),
                                       std::to_string(extent.bytes)};
  addOptional(operands, mnemonic);
  builder.instruction(operands);
  body.awaitGroups();
  body.closeIssue();
  body.readBack(2);
  builder.finish(noteOf(extent));
}

void addFormsOf(std::vector<Form> &forms, Opcode opcode,
                const std::string &mnemonic) {
  // The mask of bytes needs sm_100.
  if (contains(mnemonic, "cp_mask"))
    return;
  if (opcode == Opcode::cp_reduce_async_bulk && !isReduction(mnemonic))
    return;
  // A hint changes no value: one length is enough; so it is for reductions.
  const bool isShort = contains(mnemonic, "cache_hint") ||
                       opcode == Opcode::cp_reduce_async_bulk;
  for (const Extent &extent : extents) {
    if (isShort && &extent != std::end(extents) - 1)
      continue;
    if (contains(mnemonic, ".bulk_group"))
      addToGlobal(forms, mnemonic, extent);
    else if (contains(mnemonic, "shared::cluster.shared::cta"))
      addToCluster(forms, mnemonic, extent);
    else
      addToShared(forms, mnemonic, extent);
  }
}

} // namespace

void addBulkForms(std::vector<Form> &forms) {
  for (const ptx::InstructionForm &row : ptx::instructionForms())
    if (row.opcode == Opcode::cp_async_bulk ||
        row.opcode == Opcode::cp_reduce_async_bulk)
      for (const std::string &mnemonic : mnemonicsOf(row))
        addFormsOf(forms, row.opcode, mnemonic);
}

} // namespace tessera::conformance
