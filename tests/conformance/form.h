// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of the conformance suite: each is one way to write a PTX
// instruction, with a kernel that applies it to one tuple of inputs a thread.

#ifndef TESSERA_TESTS_CONFORMANCE_FORM_H
#define TESSERA_TESTS_CONFORMANCE_FORM_H

#include "ptx/instructions.h"

#include <tessera/tensor_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::conformance {

/// The architecture that recordings are made on.
inline constexpr ptx::Arch recordedArch{90, 'a'};
/// Bytes of memory that a thread of a kernel may call its own.
inline constexpr unsigned cellBytes = 32;

/// How the values of a source are chosen.
enum class Draw : std::uint8_t {
  value,     ///< corners of the type, and random ones
  amount,    ///< mostly small: shift amounts, positions, lengths, selectors
  bitIndex,  ///< 0 to 31
  angle,     ///< a number of at most 100 pi
  fewValues, ///< lanes of a warp often agree
  laneClamp, ///< what shfl takes: a clamp and a segment mask
  element,   ///< elements of a matrix: tame, wide and special ones by warp
};

struct Source {
  ptx::Type type = ptx::Type::none;
  Draw draw = Draw::value;
  ptx::Type element = ptx::Type::none; ///< with `Draw::element`
};

/// What the PTX ISA allows an approximate instruction.
struct Tolerance {
  enum class Kind : std::uint8_t {
    exact,
    ulp,
    relative,
    absolute,
    /// Of the trigonometric functions: `bound` up to 2 pi, `outerBound` up to
    /// 100 pi.
    angle,
    /// Of lg2: absolute between 0.5 and 2, elsewhere relative.
    logarithm,
  };
  Kind kind = Kind::exact;
  double bound = 0;
  double outerBound = 0;
};

/// Where the cell of a thread is that the body uses.
enum class Cell : std::uint8_t { none, global, shared, local };

/// The tensor of a form that copies boxes. It lies in the kernel's sources, or
/// in its results.
struct Tensor {
  tensor_layout layout; ///< but for the address
  bool isInResults = false;
};

struct Form {
  std::string name;      ///< unique: the mnemonic, and what else tells it apart
  std::uint16_t row = 0; ///< into `ptx::instructionForms()`
  std::vector<Source> sources;
  std::vector<ptx::Type> results;
  /// Statements over the registers s0, s1, … and d0, d1, …, over `src` (where
  /// the thread's sources are in global memory, 8 bytes each) and `cell`.
  std::string body;
  Cell cell = Cell::none;
  Tolerance tolerance;
  unsigned leastVersion = 0; ///< where the row says less: 8.7 is 87
  unsigned threads = 0;      ///< of all blocks; 0: as the instruction wants
  unsigned blocks = 1;       ///< of the kernel's one cluster
  /// The body has the generic address of its map in `map`.
  std::optional<Tensor> tensor = {};

  [[nodiscard]] const ptx::InstructionForm &tableRow() const {
    return ptx::instructionForms()[row];
  }
};

/// Every form that the suite knows for `recordedArch`, in the order of the
/// instruction table.
[[nodiscard]] const std::vector<Form> &allForms();

/// Threads of a form's kernel, and tuples of inputs: a multiple of 32.
[[nodiscard]] unsigned threadsOf(const Form &form);
inline constexpr unsigned maxThreads = 192;

/// Which results a recording has: all, or of the many that a matrix
/// instruction gives a part. Counted thread by thread.
[[nodiscard]] std::vector<std::uint32_t> recordedResults(const Form &form);

/// The type of the register that holds a value of `type`; `Type::pred` for a
/// predicate.
[[nodiscard]] ptx::Type registerType(ptx::Type type);
[[nodiscard]] inline unsigned registerBits(ptx::Type type) {
  return ptx::bitWidth(registerType(type));
}

//===-- The makers of forms, one for each kind of instruction -------------===//

/// Each appends forms; those that no row of the table or no rule of the
/// validator accepts are left out by `allForms`.
void addComputeForms(std::vector<Form> &forms);
void addMoveForms(std::vector<Form> &forms);
void addMemoryForms(std::vector<Form> &forms);
void addAtomicForms(std::vector<Form> &forms);
void addWarpForms(std::vector<Form> &forms);
void addMatrixForms(std::vector<Form> &forms);
void addSearches(std::vector<Form> &forms);
void addWgmmaForms(std::vector<Form> &forms);
void addBarrierForms(std::vector<Form> &forms);
void addClusterForms(std::vector<Form> &forms);
void addBulkForms(std::vector<Form> &forms);
void addTensorForms(std::vector<Form> &forms);

/// The tolerance of an instruction; PTX ISA 9.0, sections 9.7.3 to 9.7.5.
[[nodiscard]] Tolerance toleranceOf(const ptx::Mnemonic &mnemonic);

/// All mnemonics of a row: every choice at every place.
[[nodiscard]] std::vector<std::string>
mnemonicsOf(const ptx::InstructionForm &row);

/// The row that accepts a mnemonic with so many operands; `instructionForms`
/// has no such row: -1.
[[nodiscard]] int rowOf(std::string_view mnemonic, unsigned operandCount);

} // namespace tessera::conformance

#endif // TESSERA_TESTS_CONFORMANCE_FORM_H
