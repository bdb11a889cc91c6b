// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of decoded instructions, found by their handlers.

#include "vgpu/native.h"

#include <algorithm>
#include <unordered_map>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::Type;

namespace {

/// Which fields of an instruction are registers, for handlers that a compiler
/// does not translate.
enum class Fields : std::uint8_t {
  unknown,
  none,
  result,         ///< writes dst
  unary,          ///< reads a, writes dst
  operands,       ///< reads a to d, writes dst and dst2
  functionResult, ///< reads the function's results
  call,           ///< reads arguments and a, writes results
  load,           ///< reads a, writes `width` slots
  store,          ///< reads a and `width` slots
};

struct HandlerEntry {
  NativeKind kind = NativeKind::handler;
  Fields fields = Fields::unknown;
  bool endsPath = false;
  bool mayLeave = false;
  std::uint8_t bytes = 0;
  MemoryForm form;
};

using HandlerTable = std::unordered_map<Handler, HandlerEntry>;

void addMemory(HandlerTable &table) {
  using enum Type;
  for (Type type : {b8, s8, b16, s16, b32, s32, b64, b128})
    for (std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
      for (bool isStrong : {false, true}) {
        const MemoryForm form{type, bytes, isStrong};
        const bool isPlain = !isStrong && type != b128;
        if (const Handler load = loadHandler(form))
          table.try_emplace(load,
                            HandlerEntry{.kind = isPlain ? NativeKind::load
                                                         : NativeKind::handler,
                                         .fields = Fields::load,
                                         .form = form});
        if (const Handler store = storeHandler(form))
          table.try_emplace(store,
                            HandlerEntry{.kind = isPlain ? NativeKind::store
                                                         : NativeKind::handler,
                                         .fields = Fields::store,
                                         .form = form});
      }
}

HandlerTable makeTable() {
  using enum NativeKind;
  HandlerTable table{
      {&executeCompute, {.kind = compute}},
      {&executeAddOffset64,
       {.kind = addOffset, .fields = Fields::unary, .bytes = 8}},
      {&executeAddOffset32,
       {.kind = addOffset, .fields = Fields::unary, .bytes = 4}},
      {&executeFrameAddress64,
       {.kind = frameAddress, .fields = Fields::result, .bytes = 8}},
      {&executeFrameAddress32,
       {.kind = frameAddress, .fields = Fields::result, .bytes = 4}},
      {&executeNothing, {.kind = nothing, .fields = Fields::none}},
      {&executeJoin, {.kind = join, .fields = Fields::none}},
      {&executeJump, {.kind = jump, .fields = Fields::none, .endsPath = true}},
      {&executeBranch, {.kind = branch, .fields = Fields::unary}},
      {&executeFence, {.fields = Fields::none}},
      {&executeTrap, {.fields = Fields::none, .endsPath = true}},
      {&executeBreakpoint, {.fields = Fields::none, .endsPath = true}},
      {&executeExit,
       {.fields = Fields::none, .endsPath = true, .mayLeave = true}},
      {&executeReturn,
       {.fields = Fields::functionResult, .endsPath = true, .mayLeave = true}},
      {&executeEnd,
       {.fields = Fields::functionResult, .endsPath = true, .mayLeave = true}},
      {&executeYield, {.fields = Fields::none, .mayLeave = true}},
      {&executeCall, {.fields = Fields::call, .mayLeave = true}},
      {&executeCallIndirect, {.fields = Fields::call, .mayLeave = true}},
      {&executeCallBuiltin, {.fields = Fields::call, .mayLeave = true}},
      {&executeIsSpace, {.fields = Fields::unary}},
      {&executeReadSpecial, {.fields = Fields::result}},
      {&executeZero, {.fields = Fields::result}},
      {&executeRank64, {.fields = Fields::unary}},
      {&executeRank32, {.fields = Fields::unary}},
      {&executeMapRank64, {.fields = Fields::operands}},
      {&executeMapRank32, {.fields = Fields::operands}},
      {&executeClusterArrive, {.fields = Fields::none, .mayLeave = true}},
      {&executeClusterWait, {.fields = Fields::none, .mayLeave = true}},
      {&executeActiveMask, {.fields = Fields::result}},
      {&executeBarrier, {.fields = Fields::operands, .mayLeave = true}},
  };
  addMemory(table);
  return table;
}

const HandlerTable &handlers() {
  static const HandlerTable table = makeTable();
  return table;
}

class FactFinder {
public:
  FactFinder(const Function &function, const Instr &instr, Handler handler,
             NativeFacts &facts)
      : function(function), instr(instr), handler(handler), facts(facts) {}

  void find() {
    const auto known = handlers().find(handler);
    if (known != handlers().end()) {
      facts.kind = known->second.kind;
      facts.endsPath = known->second.endsPath && !instr.guard;
      facts.mayLeave = known->second.mayLeave;
      facts.bytes = known->second.bytes;
      facts.form = known->second.form;
      add(known->second.fields);
      return;
    }
    const ptx::Function &ast = *function.ast;
    if (instr.index < ast.instructions.size() &&
        addExchange(ast.instructions[instr.index]))
      return;
    facts.touchesAll = true;
    facts.mayLeave = true;
  }

private:
  void read(Slot slot) { add(slot, facts.reads); }
  void write(Slot slot) { add(slot, facts.writes); }
  static void add(Slot slot, std::vector<Slot> &to) {
    if (slot && slot.base() == std::uint32_t(Slot::Base::registers))
      to.push_back(slot);
  }
  void read(const std::vector<CallPlace> &places) {
    for (const CallPlace &place : places)
      if (!place.inMemory)
        read(place.slot);
  }
  void readOperands() {
    for (Slot slot : {instr.a, instr.b, instr.c, instr.d})
      read(slot);
  }
  /// `count` slots from the instruction's first on.
  std::vector<Slot> slots(std::size_t first, std::size_t count) const {
    const auto begin =
        function.slots.begin() + std::ptrdiff_t(instr.detail + first);
    return {begin, begin + std::ptrdiff_t(count)};
  }

  void add(Fields fields) {
    switch (fields) {
    case Fields::unknown:
      return addCompute();
    case Fields::none:
      return;
    case Fields::result:
      return write(instr.dst);
    case Fields::unary:
      read(instr.a);
      return write(instr.dst);
    case Fields::operands:
      readOperands();
      write(instr.dst);
      return write(instr.dst2);
    case Fields::functionResult:
      return read(function.results);
    case Fields::call: {
      const CallSite &site = function.calls[instr.detail];
      read(instr.a);
      read(site.arguments);
      for (const CallPlace &place : site.results)
        if (!place.inMemory)
          write(place.slot);
      return;
    }
    case Fields::load:
      read(instr.a);
      for (Slot slot : slots(0, instr.width))
        write(slot);
      return;
    case Fields::store:
      read(instr.a);
      for (Slot slot : slots(0, instr.width))
        read(slot);
      return;
    }
  }

  /// Which operands are results, the mnemonic's meaning says.
  void addCompute() {
    const auto operation =
        ptx::resolve(*function.ast, function.ast->instructions[instr.index]);
    const ComputeCall &call = function.computes[instr.detail];
    if (!operation || operation->slots.size() != call.operands.size()) {
      facts.touchesAll = true;
      return;
    }
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      operation->slots[i].isResult ? write(call.operands[i].slot)
                                   : read(call.operands[i].slot);
    const ptx::Mnemonic &mnemonic =
        function.ast->instructions[instr.index].mnemonic;
    const bool readsCarry = mnemonic.opcode == ptx::Opcode::addc ||
                            mnemonic.opcode == ptx::Opcode::subc ||
                            mnemonic.opcode == ptx::Opcode::madc;
    if (readsCarry)
      read(instr.dst);
    if (readsCarry || mnemonic.has(ptx::Modifier::cc))
      write(instr.dst);
  }

  /// Atomics and warp-wide exchanges.
  bool addExchange(const ptx::Instruction &instruction) {
    if (instruction.opcode() == ptx::Opcode::atom ||
        instruction.opcode() == ptx::Opcode::red) {
      ptx::Modifier operation =
          instruction.mnemonic.find(ptx::ModifierGroup::operation);
      if (operation == ptx::Modifier::none)
        operation = instruction.mnemonic.find(ptx::ModifierGroup::booleanOp);
      if (atomicHandler(operation, instruction.type()) != handler)
        return false;
      read(instr.a);
      read(instr.b);
      for (Slot slot : slots(0, instr.width))
        read(slot);
      for (Slot slot : slots(instr.width, instr.width))
        write(slot);
      if (isPlainAtomic(operation, instruction.type()) && instr.width == 1) {
        facts.kind = NativeKind::atomic;
        facts.form = {instruction.type(), ptx::byteSize(instruction.type())};
        facts.operation = operation;
      }
      return true;
    }
    const ptx::OpcodeClass kind = ptx::opcodeClass(instruction.opcode());
    if (kind != ptx::OpcodeClass::warp && kind != ptx::OpcodeClass::sync)
      return false;
    if (collectiveHandler(instruction) != handler)
      return false;
    add(Fields::operands);
    facts.mayLeave = true;
    return true;
  }

  static bool isPlainAtomic(ptx::Modifier operation, Type type) {
    using enum ptx::Modifier;
    if (!ptx::isInteger(type) && type != Type::b32 && type != Type::b64)
      return false;
    switch (operation) {
    case add:
    case min:
    case max:
    case and_:
    case or_:
    case xor_:
    case exch:
      return ptx::bitWidth(type) == 32 || ptx::bitWidth(type) == 64;
    default:
      return false;
    }
  }

  const Function &function;
  const Instr &instr;
  const Handler handler;
  NativeFacts &facts;
};

} // namespace

std::vector<NativeFacts> tessera::vgpu::nativeFacts(const Function &function,
                                                    const NativeCode &code) {
  std::vector<NativeFacts> facts(function.code.size());
  for (std::size_t i = 0; i < facts.size(); ++i)
    FactFinder(function, function.code[i], code.original(i), facts[i]).find();
  return facts;
}
