// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/decoder.h"
#include "vgpu/text.h"
#include "vgpu/warp.h"

#include <algorithm>
#include <cstddef>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::SpecialRegister;
using ptx::StateSpace;
using ptx::Type;

namespace {

using Specials = SpecialValues;

Slot specialSlot(std::size_t offset) {
  return Slot(Slot::Base::specials, std::uint32_t(offset));
}

/// A component of a vector special register; `.x` without one.
std::size_t componentOffset(std::size_t base, ptx::Component component) {
  const std::size_t index =
      component == ptx::Component::none ? 0 : std::size_t(component) - 1;
  return base + index * sizeof(Specials::Lanes<std::uint32_t>);
}

/// Where a special register that does not change while a block runs lies.
std::optional<std::size_t> constantSpecial(SpecialRegister id,
                                           ptx::Component component) {
  switch (id) {
  case SpecialRegister::tid:
    return componentOffset(offsetof(Specials, tid), component);
  case SpecialRegister::ntid:
    return componentOffset(offsetof(Specials, ntid), component);
  case SpecialRegister::ctaid:
    return componentOffset(offsetof(Specials, ctaid), component);
  case SpecialRegister::nctaid:
    return componentOffset(offsetof(Specials, nctaid), component);
  case SpecialRegister::clusterid:
    return componentOffset(offsetof(Specials, clusterid), component);
  case SpecialRegister::nclusterid:
    return componentOffset(offsetof(Specials, nclusterid), component);
  case SpecialRegister::cluster_ctaid:
    return componentOffset(offsetof(Specials, clusterCtaid), component);
  case SpecialRegister::cluster_nctaid:
    return componentOffset(offsetof(Specials, clusterNctaid), component);
  case SpecialRegister::cluster_ctarank:
    return offsetof(Specials, clusterRank);
  case SpecialRegister::cluster_nctarank:
    return offsetof(Specials, clusterSize);
  case SpecialRegister::is_explicit_cluster:
    return offsetof(Specials, isExplicitCluster);
  case SpecialRegister::laneid:
    return offsetof(Specials, laneid);
  case SpecialRegister::warpid:
    return offsetof(Specials, warpid);
  case SpecialRegister::nwarpid:
    return offsetof(Specials, nwarpid);
  case SpecialRegister::warp_size:
    return offsetof(Specials, warpSizes);
  case SpecialRegister::smid:
    return offsetof(Specials, smid);
  case SpecialRegister::nsmid:
    return offsetof(Specials, nsmid);
  case SpecialRegister::gridid:
    return offsetof(Specials, gridid);
  case SpecialRegister::lanemask_eq:
    return offsetof(Specials, lanemaskEq);
  case SpecialRegister::lanemask_le:
    return offsetof(Specials, lanemaskLe);
  case SpecialRegister::lanemask_lt:
    return offsetof(Specials, lanemaskLt);
  case SpecialRegister::lanemask_ge:
    return offsetof(Specials, lanemaskGe);
  case SpecialRegister::lanemask_gt:
    return offsetof(Specials, lanemaskGt);
  case SpecialRegister::total_smem_size:
  case SpecialRegister::aggr_smem_size:
    return offsetof(Specials, totalSharedSize);
  case SpecialRegister::dynamic_smem_size:
    return offsetof(Specials, dynamicSharedSize);
  case SpecialRegister::reserved_smem_offset_end:
  case SpecialRegister::reserved_smem_offset_cap:
    return offsetof(Specials, reservedEnd);
  case SpecialRegister::clock:
  case SpecialRegister::clock_hi:
  case SpecialRegister::clock64:
  case SpecialRegister::globaltimer:
  case SpecialRegister::globaltimer_lo:
  case SpecialRegister::globaltimer_hi:
    return std::nullopt;
  default:
    // Performance counters, environment registers and the like read as 0.
    return ptx::specialRegisterType(id) == Type::u64
               ? offsetof(Specials, wideZero)
               : offsetof(Specials, zero);
  }
}

std::uint32_t bytesOf(Type type) {
  return std::max(1u, ptx::bitWidth(type) / 8);
}

} // namespace

FunctionDecoder::Value
FunctionDecoder::registerValue(const ptx::RegisterRef &ref) const {
  const ptx::Register &reg = ast.registers[ref.index];
  const std::vector<Slot> &parts = registers[ref.index];
  const std::size_t part = ref.component == ptx::Component::none
                               ? 0
                               : std::size_t(ref.component) - 1;
  return {.slot = parts[std::min(part, parts.size() - 1)],
          .bytes = reg.type == Type::pred ? 0 : bytesOf(reg.type),
          .negated = ref.negated};
}

FunctionDecoder::Value
FunctionDecoder::specialValue(const ptx::SpecialRegisterRef &ref) {
  const Type own = ptx::specialRegisterType(ref.id);
  const std::uint32_t bytes = own == Type::pred ? 0 : bytesOf(own);
  if (const auto offset = constantSpecial(ref.id, ref.component))
    return {.slot = specialSlot(*offset), .bytes = bytes};
  const Slot temporary = newRegister(bytes);
  guardsEmitted = false;
  Instr &instr = emit(&executeReadSpecial);
  guardsEmitted = true;
  instr.width = std::uint16_t(ref.id);
  instr.dst = temporary;
  return {.slot = temporary, .bytes = bytes};
}

bool FunctionDecoder::isEntryParam(const ptx::SymbolRef &symbol) const {
  return symbol.scope == ptx::SymbolRef::Scope::function && ast.isEntry &&
         symbol.index < ast.resultCount + ast.paramCount;
}

Slot FunctionDecoder::sharedAddress(std::uint64_t address,
                                    std::uint32_t bytes) {
  auto &known = program.sharedAddresses;
  auto place = std::ranges::find_if(known, [&](const auto &entry) {
    return entry.address == address && entry.bytes == bytes;
  });
  if (place == known.end())
    place = known.insert(place, {address, bytes});
  return Slot(Slot::Base::addresses,
              std::uint32_t(std::size_t(place - known.begin()) *
                            Program::addressLines * sizeof(Program::Line)));
}

FunctionDecoder::Value
FunctionDecoder::symbolValue(const ptx::SymbolRef &symbol,
                             std::uint32_t bytes) {
  AddressOperand place;
  if (symbolAddress(place, symbol, symbol.offset, StateSpace::generic))
    return {};
  const auto offset = std::uint64_t(place.offset);
  if (place.space == MemorySpace::shared &&
      place.addressBase == AddressBase::none)
    return {.slot = sharedAddress(offset, bytes), .bytes = bytes};
  if (place.addressBase == AddressBase::none) {
    const std::uint64_t base =
        place.space == MemorySpace::param ? window::param : 0;
    return {.slot = constants.number(base + offset, bytes), .bytes = bytes};
  }

  const bool isWide = bytes == 8;
  const Slot temporary = newRegister(bytes);
  guardsEmitted = false;
  Instr &instr =
      emit(place.addressBase == AddressBase::frame
               ? (isWide ? &executeFrameAddress64 : &executeFrameAddress32)
               : (isWide ? &executeAddOffset64 : &executeAddOffset32));
  guardsEmitted = true;
  instr.dst = temporary;
  instr.offset = place.offset;
  if (place.addressBase != AddressBase::frame)
    instr.a = specialSlot(isWide ? offsetof(Specials, dynamicShared)
                                 : offsetof(Specials, dynamicShared32));
  return {.slot = temporary, .bytes = bytes};
}

std::expected<FunctionDecoder::Value, std::string>
FunctionDecoder::value(const ptx::Operand &operand, Type type) {
  if (operand.is<ptx::Sink>())
    return Value{};
  if (const auto *ref = operand.getIf<ptx::RegisterRef>())
    return registerValue(*ref);
  if (const auto *ref = operand.getIf<ptx::SpecialRegisterRef>())
    return specialValue(*ref);
  if (const auto *symbol = operand.getIf<ptx::SymbolRef>()) {
    const std::uint32_t bytes = bytesOf(type);
    const Value address =
        bytes == 4 || bytes == 8 ? symbolValue(*symbol, bytes) : Value{};
    if (!address.slot)
      return std::unexpected("the address of a symbol cannot be taken here");
    return address;
  }
  const auto bits = ptx::immediateBits(operand, type);
  if (!bits)
    return std::unexpected("an operand is neither a value nor a constant of "
                           "the right type");
  if (type == Type::pred)
    return Value{.slot = constants.mask(*bits ? allLanes : 0)};
  return Value{.slot = constants.number(*bits, bytesOf(type)),
               .bytes = bytesOf(type)};
}

std::expected<Slot, std::string>
FunctionDecoder::source(const ptx::Operand &operand, Type type) {
  const auto read = value(operand, type);
  if (!read)
    return std::unexpected(read.error());
  if (!read->slot || read->bytes != bytesOf(type))
    return std::unexpected(
        concat("a source must be ", 8 * bytesOf(type), " bits wide"));
  return read->slot;
}

std::expected<FunctionDecoder::Value, std::string>
FunctionDecoder::predicate(const ptx::Operand &operand) {
  auto read = value(operand, Type::pred);
  if (read && (!read->slot || read->bytes != 0))
    return std::unexpected("a predicate is expected");
  return read;
}

std::expected<Slot, std::string>
FunctionDecoder::result(const ptx::Operand &operand, Type type) {
  if (operand.is<ptx::Sink>())
    return scratch;
  const auto *ref = operand.getIf<ptx::RegisterRef>();
  if (!ref)
    return std::unexpected("a result must be a register");
  const Value to = registerValue(*ref);
  const std::uint32_t wanted = type == Type::pred ? 0 : bytesOf(type);
  if (to.bytes != wanted)
    return std::unexpected(
        type == Type::pred
            ? std::string("a result must be a predicate")
            : concat("a result must be ", 8 * wanted, " bits wide"));
  return to.slot;
}

std::expected<std::vector<FunctionDecoder::Value>, std::string>
FunctionDecoder::elements(const ptx::Operand &operand, Type type) {
  std::vector<Value> values;
  if (const auto *vector = operand.getIf<ptx::VectorOperand>()) {
    for (const ptx::Operand &element : ast.operandsIn(vector->elements)) {
      auto one = value(element, type);
      if (!one)
        return std::unexpected(std::move(one.error()));
      values.push_back(*one);
    }
    return values;
  }
  const auto *ref = operand.getIf<ptx::RegisterRef>();
  if (ref && ref->component == ptx::Component::none &&
      ast.registers[ref->index].vectorWidth > 1) {
    for (Slot slot : registers[ref->index])
      values.push_back(
          {.slot = slot, .bytes = bytesOf(ast.registers[ref->index].type)});
    return values;
  }
  auto one = value(operand, type);
  if (!one)
    return std::unexpected(std::move(one.error()));
  values.push_back(*one);
  return values;
}

FunctionDecoder::Problem
FunctionDecoder::symbolAddress(AddressOperand &to, const ptx::SymbolRef &symbol,
                               std::int64_t offset, StateSpace space) {
  to.addressBase = AddressBase::none;
  to.offset = offset;
  const MemorySpace sharedSpace = space == StateSpace::sharedCluster
                                      ? MemorySpace::sharedCluster
                                      : MemorySpace::shared;
  if (isEntryParam(symbol)) {
    const auto kernel =
        std::ranges::find(program.kernels, &function, &Kernel::function);
    to.space = MemorySpace::param;
    to.offset += kernel->info.params[symbol.index - ast.resultCount].offset;
    return std::nullopt;
  }
  if (symbol.scope == ptx::SymbolRef::Scope::function) {
    const auto shared = layout.inFunctions.find({astIndex, symbol.index});
    if (shared != layout.inFunctions.end()) {
      to.space = sharedSpace;
      to.offset += shared->second;
      return std::nullopt;
    }
    if (ast.variables[symbol.index].registerIndex != ptx::noIndex)
      return "a register has no address";
    to.space = MemorySpace::local;
    to.addressBase = AddressBase::frame;
    to.offset += stackOffsets[symbol.index];
    return std::nullopt;
  }

  const SymbolPlace place = layout.placeOf(program.module, symbol.index);
  switch (place.kind) {
  case SymbolPlace::Kind::global:
    to.space = MemorySpace::global;
    break;
  case SymbolPlace::Kind::function:
    to.space = MemorySpace::generic;
    break;
  case SymbolPlace::Kind::shared:
    to.space = sharedSpace;
    break;
  case SymbolPlace::Kind::dynamicShared:
    to.space = sharedSpace;
    to.addressBase = AddressBase::lanes64;
    to.a = specialSlot(offsetof(Specials, dynamicShared));
    return std::nullopt;
  case SymbolPlace::Kind::none:
    return concat("'", program.module.symbols[symbol.index].name,
                  "' has no address on the virtual GPU");
  }
  to.offset += std::int64_t(place.address);
  return std::nullopt;
}

FunctionDecoder::Problem FunctionDecoder::address(AddressOperand &to,
                                                  const ptx::Operand &operand,
                                                  StateSpace space) {
  const auto *address = operand.getIf<ptx::Address>();
  if (!address)
    return "an address is expected";
  if (address->parts.count != 0)
    return "addresses of tensors are not supported by the virtual GPU";
  to.cache = program.memoryInstructions++;
  if (const auto *symbol = std::get_if<ptx::SymbolRef>(&address->base))
    return symbolAddress(to, *symbol, address->offset, space);

  to.offset = address->offset;
  to.addressBase = AddressBase::none;
  if (const auto *ref = std::get_if<ptx::RegisterRef>(&address->base)) {
    const Value base = registerValue(*ref);
    if (base.bytes != 4 && base.bytes != 8)
      return "an address must be a 32-bit or 64-bit register";
    to.a = base.slot;
    to.addressBase =
        base.bytes == 8 ? AddressBase::lanes64 : AddressBase::lanes32;
  }
  switch (space) {
  case StateSpace::generic:
    to.space = MemorySpace::generic;
    break;
  case StateSpace::const_:
  case StateSpace::global:
    to.space = MemorySpace::global;
    break;
  case StateSpace::shared:
  case StateSpace::sharedCta:
    to.space = MemorySpace::shared;
    break;
  case StateSpace::sharedCluster:
    to.space = MemorySpace::sharedCluster;
    break;
  case StateSpace::local:
  case StateSpace::paramFunc:
    to.space = MemorySpace::local;
    break;
  case StateSpace::paramEntry:
    to.space = MemorySpace::param;
    break;
  case StateSpace::param:
    to.space = ast.isEntry ? MemorySpace::param : MemorySpace::local;
    break;
  case StateSpace::reg:
  case StateSpace::tex:
    return "no memory of this state space can be accessed";
  }
  return std::nullopt;
}
