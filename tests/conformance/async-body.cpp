// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "async-body.h"

namespace tessera::conformance {

using ptx::Type;

namespace {
constexpr unsigned maxTries = 20000;
} // namespace

void AsyncBody::begin(Fill fill) {
  builder
      .line(".shared .align 1024 .b8 tileBytes[" + std::to_string(tileBytes) +
            "];")
      .line(".shared .align 8 .b8 barrierBytes[8];")
      .line(".reg .b32 tile, barrier, own, tries;")
      .line(".reg .b64 policy, state;")
      .line(".reg .pred isFirst, isDone, isPatient;")
      .line("mov.u32 tile, tileBytes;")
      .line("mov.u32 barrier, barrierBytes;")
      .line("createpolicy.fractional.L2::evict_first.b64 policy, 1.0;")
      .line("mov.u32 own, %tid.x;")
      .line("setp.eq.u32 isFirst, own, 0;")
      .line("mad.lo.u32 own, own, " + std::to_string(ownBytes) + ", tile;");
  for (unsigned at = 0; at < ownBytes; at += 8) {
    std::string value = fill == Fill::sources ? builder.source(Type::b64)
                                              : "0x5555aaaa3333cccc";
    builder.line("st.shared.b64 [own+" + std::to_string(at) + "], " + value +
                 ";");
  }
  builder.line("@isFirst mbarrier.init.shared::cta.b64 [barrier], 1;");
  sync();
}

void AsyncBody::sync() {
  builder.line("fence.proxy.async;");
  if (blocks == 1) {
    builder.line("bar.sync 0;");
    return;
  }
  builder.line("barrier.cluster.arrive.aligned;")
      .line("barrier.cluster.wait.aligned;");
}

void AsyncBody::expect(unsigned bytes) {
  builder.line("@isFirst mbarrier.arrive.expect_tx.shared::cta.b64 state, "
               "[barrier], " +
               std::to_string(bytes) + ";");
}

void AsyncBody::openIssue() {
  builder.line("setp.eq.u32 isFirst, thread, 0;").line("@!isFirst bra issued;");
}

void AsyncBody::closeIssue() { builder.line("issued:"); }

void AsyncBody::awaitBarrier() {
  std::string isDone = builder.result(Type::pred);
  builder.line("mov.b32 tries, 0;")
      .line("again:")
      .line("mbarrier.test_wait.parity.shared::cta.b64 isDone, [barrier], 0;")
      .line("add.u32 tries, tries, 1;")
      .line("setp.lt.u32 isPatient, tries, " + std::to_string(maxTries) + ";")
      .line("@isDone bra ended;")
      .line("@isPatient bra again;")
      .line("ended:")
      .line("mov.pred " + isDone + ", isDone;");
  sync();
}

void AsyncBody::awaitGroups() {
  builder.line("cp.async.bulk.commit_group;")
      .line("cp.async.bulk.wait_group 0;");
}

void AsyncBody::readBack(unsigned words) {
  sync();
  for (unsigned i = 0; i < words; ++i)
    builder.line("ld.global.b64 " + builder.result(Type::b64) + ", [dst+" +
                 std::to_string(8 * i) + "];");
  sync(); // Before results are stored there.
}

void AsyncBody::readTile() {
  for (unsigned at = 0; at < ownBytes; at += 8) {
    std::string result = builder.result(Type::b64);
    builder.line("ld.shared.b64 " + result + ", [own+" + std::to_string(at) +
                 "];");
  }
}

} // namespace tessera::conformance
