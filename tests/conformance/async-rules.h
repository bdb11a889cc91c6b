// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which modifiers go together: PTX ISA 9.0, sections 9.7.13.15 (mbarrier),
// 9.7.13.6 (red.async) and 9.7.9.25.5.2 (cp.reduce.async.bulk). ptxas 13.0
// agrees.

#ifndef TESSERA_TESTS_CONFORMANCE_ASYNC_RULES_H
#define TESSERA_TESTS_CONFORMANCE_ASYNC_RULES_H

#include <string_view>

namespace tessera::conformance {

/// Whether `part` is one of the words between the dots.
[[nodiscard]] bool hasPart(std::string_view mnemonic, std::string_view part);

/// Of mbarrier's instructions: memory order and scope are written together or
/// not at all, and a parity is written before them.
[[nodiscard]] bool isBarrierMnemonic(std::string_view mnemonic);

/// Whether operation, type and target of the mnemonic go together.
[[nodiscard]] bool isReduction(std::string_view mnemonic);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_ASYNC_RULES_H
