// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the AST of a function to its decoded form. Done once, at load.

#ifndef TESSERA_VGPU_DECODER_H
#define TESSERA_VGPU_DECODER_H

#include "vgpu/async/handlers.h"
#include "vgpu/handlers.h"
#include "vgpu/layout.h"
#include "vgpu/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::vgpu {

/// The constants of a program: each once, 32 times in a row.
class ConstantPool {
public:
  explicit ConstantPool(std::vector<Program::Line> &lines) : lines(lines) {}

  /// A number of `bytes` bytes for every lane; at most 16, zero-extended.
  Slot number(std::uint64_t bits, std::uint32_t bytes);
  Slot mask(LaneMask value);

private:
  std::vector<Program::Line> &lines;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> known;
};

/// Decodes one function. An instruction that this device cannot execute is
/// decoded to one that says so; only what makes no sense is an error.
class FunctionDecoder {
public:
  FunctionDecoder(Program &program, const ModuleLayout &layout,
                  ConstantPool &constants, Function &function);
  [[nodiscard]] Result<void> run();

private:
  /// A value operand.
  struct Value {
    Slot slot;               ///< none: nobody wants it
    std::uint32_t bytes = 0; ///< of a lane; 0 for predicates
    bool negated = false;
  };
  /// An operand or instruction that cannot be decoded: why.
  using Problem = std::optional<std::string>;

  //===-- Registers, stack, code: decoder.cpp -----------------------------===//
  void assignRegisters();
  Problem layOutStack();
  std::vector<CallPlace> placesOf(std::span<const ptx::Variable> variables);
  Slot newRegister(std::uint32_t bytes);
  Slot newPredicate();
  void markJoins();
  Instr &emit(Handler handler);
  void resolveTargets();
  void setBackEdgeCosts();
  Result<void> decodeInstruction(std::uint32_t index);
  Problem decode(const ptx::Instruction &instruction);
  [[nodiscard]] const Instr *codeAt(std::uint32_t instruction) const;

  //===-- Operands: decode-operands.cpp -----------------------------------===//
  Value registerValue(const ptx::RegisterRef &ref) const;
  Value specialValue(const ptx::SpecialRegisterRef &ref);
  /// The address of a shared variable, which depends on the block's rank.
  Slot sharedAddress(std::uint64_t address, std::uint32_t bytes);
  Value symbolValue(const ptx::SymbolRef &symbol, std::uint32_t bytes);
  /// A source, or a result that is a register or sink. An immediate is read as
  /// `type`.
  std::expected<Value, std::string> value(const ptx::Operand &operand,
                                          ptx::Type type);
  /// A source that is exactly as wide as `type`.
  std::expected<Slot, std::string> source(const ptx::Operand &operand,
                                          ptx::Type type);
  /// A predicate, and whether it is negated.
  std::expected<Value, std::string> predicate(const ptx::Operand &operand);
  /// A result that is exactly as wide as `type`; a sink becomes `scratch`.
  std::expected<Slot, std::string> result(const ptx::Operand &operand,
                                          ptx::Type type);
  /// The elements of a vector operand or vector register, or the one value.
  std::expected<std::vector<Value>, std::string>
  elements(const ptx::Operand &operand, ptx::Type type);
  Problem address(AddressOperand &place, const ptx::Operand &operand,
                  ptx::StateSpace space);
  Problem symbolAddress(AddressOperand &place, const ptx::SymbolRef &symbol,
                        std::int64_t offset, ptx::StateSpace space);
  [[nodiscard]] bool isEntryParam(const ptx::SymbolRef &symbol) const;

  //===-- Instructions: decode-instructions.cpp ---------------------------===//
  Problem decodeCompute(const ptx::Instruction &instruction);
  /// Whether a source has all the bits of `type`.
  [[nodiscard]] static bool isReadable(const Value &value, ptx::Type type);
  Problem decodeMove128(const ptx::Instruction &instruction);
  Problem decodeAddressConversion(const ptx::Instruction &instruction);
  Problem decodeIsSpace(const ptx::Instruction &instruction);
  Problem decodeClusterAddress(const ptx::Instruction &instruction);
  Problem decodeLoad(const ptx::Instruction &instruction);
  Problem decodeStore(const ptx::Instruction &instruction);
  Problem decodeAtomic(const ptx::Instruction &instruction);
  Problem decodeBranch(const ptx::Instruction &instruction);
  Problem decodeBranchIndexed(const ptx::Instruction &instruction);
  Problem decodeCall(const ptx::Instruction &instruction);
  /// The formal results and parameters of what is called.
  struct Callee {
    std::span<const ptx::Variable> results, params;
  };
  Problem decodeCallee(Instr &instr, CallSite &site, Callee &callee,
                       const ptx::Instruction &instruction);
  std::expected<CallPlace, std::string> callPlace(const ptx::Operand &operand,
                                                  const ptx::Variable &formal);
  Problem decodeBarrier(const ptx::Instruction &instruction);
  Problem decodeCollective(const ptx::Instruction &instruction);

  //===-- Asynchronous operations: decode-async.cpp -----------------------===//
  Problem decodeAsync(const ptx::Instruction &instruction);
  Problem decodeMbarrier(const ptx::Instruction &instruction, Handler handler,
                         std::uint16_t width);
  Problem decodePhaseTest(const ptx::Instruction &instruction);
  Problem decodePendingCount(const ptx::Instruction &instruction);
  Problem decodeCopyAsync(const ptx::Instruction &instruction);
  Problem decodeBulkCopy(const ptx::Instruction &instruction);
  Problem decodeTensorCopy(const ptx::Instruction &instruction);
  /// `[map, {c0, c1, …}]`.
  Problem tensorAddress(AsyncCall &call, AddressOperand &map,
                        const ptx::Operand &operand);
  Problem decodeWgmma(const ptx::Instruction &instruction);
  Problem decodeStoreAsync(const ptx::Instruction &instruction);
  Problem decodeGroup(const ptx::Instruction &instruction, AsyncKind kind,
                      std::int64_t waitsFor);
  Instr &emitAsync(Handler handler, AsyncCall call);

  Problem decodeStack(const ptx::Instruction &instruction);
  Problem decodeResultOnly(const ptx::Instruction &instruction,
                           Handler handler);
  Problem decodePolicy(const ptx::Instruction &instruction);

  //===-- Matrix instructions: matrix/decode.cpp --------------------------===//
  Problem decodeMatrix(const ptx::Instruction &instruction);
  Problem decodeMma(const ptx::Instruction &instruction);
  Problem decodeMatrixMove(const ptx::Instruction &instruction);
  Problem decodeMoveMatrices(const ptx::Instruction &instruction);
  Problem decodeTransposeMatrix(const ptx::Instruction &instruction);
  /// The registers of a matrix: `registers` of `bytes` bytes in each lane.
  Problem fragment(const ptx::Operand &operand, std::uint32_t registers,
                   std::uint32_t bytes, std::vector<Slot> &slots);

  [[nodiscard]] std::span<const ptx::Operand>
  operandsOf(const ptx::Instruction &instruction) const {
    return ast.operandsOf(instruction);
  }

  Program &program;
  const ModuleLayout &layout;
  ConstantPool &constants;
  Function &function;
  const ptx::Function &ast;
  const std::uint32_t astIndex; ///< into `Module::functions`

  std::vector<std::vector<Slot>> registers; ///< by register and component
  std::vector<std::uint32_t> stackOffsets;  ///< by variable
  Slot carry, scratch;
  std::uint32_t currentIndex = 0; ///< of the instruction that is decoded
  bool guardsEmitted = true;      ///< whether `emit` copies the guard

  std::vector<bool> isTarget;              ///< by instruction of the AST
  std::vector<std::uint32_t> firstCode;    ///< by instruction of the AST
  std::vector<std::uint32_t> targetLabels; ///< by code; `noIndex` for none
  std::vector<bool> mayWait;               ///< by code
};

} // namespace tessera::vgpu

#endif // TESSERA_VGPU_DECODER_H
