// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of class `compute`, and `mov`, on concrete values: what an
// interpreter calls. An instruction is resolved once, when it is decoded, to a
// function over the 32 lanes of a warp; the meaning itself is semantics.h
// instantiated with the concrete domain.

#ifndef TESSERA_PTX_EVALUATE_H
#define TESSERA_PTX_EVALUATE_H

#include "ptx/ast.h"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace tessera::ptx {

inline constexpr unsigned warpSize = 32;

/// Where the 32 values of one operand are. The value of lane `i` is at
/// `data + i * stride`, little endian, in as many bytes as the operand's type
/// has; a stride of 0 is one value for all lanes. Results are extended to
/// `stride` bytes (by sign when their type is signed), so a register may be
/// wider than the type that is written to it. Loops over lanes are fastest
/// when `stride` is the size of the type.
///
/// A predicate is one 32-bit word at `data`, a bit per lane; `stride` takes no
/// part.
struct Lanes {
  void *data = nullptr; ///< null: a result that nobody wants
  std::uint32_t stride = 0;
  bool negated = false; ///< a source predicate written as `!%p`
};

/// Executes an instruction for the lanes in `mask`; other lanes' results stay
/// as they are. `operands` are in slot order; results may share memory with
/// sources only when both are the same register. `carry` is the condition-code
/// register CC.CF of the warp, a bit per lane.
using WarpFunction = void (*)(const Lanes *operands, std::uint32_t mask,
                              std::uint32_t &carry);

/// An instruction, ready to execute.
struct WarpOperation {
  /// An operand place: pairs (`p|q`) and vectors are flattened in order.
  struct Slot {
    /// Null for a second result that was not asked for: its `Lanes` have no
    /// data.
    const Operand *operand = nullptr;
    Type type = Type::none; ///< the type it is read or written as
    bool isResult = false;
  };
  WarpFunction run = nullptr;
  std::vector<Slot> slots; ///< results first
};

/// Finds the function for an instruction of class `compute` or a `mov`. Slots
/// point into `function`. A source slot may hold any kind of operand that the
/// instruction allows (registers, immediates, special registers, and for mov
/// symbols): the caller provides `Lanes` for it. The error says which
/// instruction has no meaning here.
[[nodiscard]] std::expected<WarpOperation, std::string>
resolve(const Function &function, const Instruction &instruction);

} // namespace tessera::ptx

#endif // TESSERA_PTX_EVALUATE_H
