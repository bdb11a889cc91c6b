// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that need no module: which registers hold which types, which spaces
// reach which variables, which modifiers go with which types. Private to this
// folder.

#ifndef TESSERA_PTX_VALIDATOR_RULES_H
#define TESSERA_PTX_VALIDATOR_RULES_H

#include "ptx/ast.h"
#include "ptx/instructions.h"

#include <optional>
#include <string>

namespace tessera::ptx {

/// The first `.version` that has an architecture (7.8 is 78); empty for an
/// unknown one.
[[nodiscard]] std::optional<std::uint32_t> leastVersionFor(Arch arch);

/// `.bN` of a width; `none` when there is no such type.
[[nodiscard]] Type bitsType(unsigned width);

/// Whether a register declared as `has` may stand where an instruction wants
/// a `wanted`: PTX ISA 9.0, tables 26 to 28 (operand type checking; relaxed
/// for ld, st and cvt).
[[nodiscard]] bool fitsRegister(const Mnemonic &mnemonic, Type wanted,
                                Type has);

/// Whether an instruction that addresses `space` reaches a variable in
/// `variableSpace`.
[[nodiscard]] bool isAccessible(StateSpace space, StateSpace variableSpace);

/// Why an operand cannot have a selector, or must have one.
[[nodiscard]] std::optional<std::string>
selectorProblem(const OperandSpec &spec, Selector selector);

/// What is wrong with a combination of modifiers that the table's rows do not
/// exclude; empty when nothing is.
[[nodiscard]] std::optional<std::string>
mnemonicProblem(const Mnemonic &mnemonic);

} // namespace tessera::ptx

#endif // TESSERA_PTX_VALIDATOR_RULES_H
