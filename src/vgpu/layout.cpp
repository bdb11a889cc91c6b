// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/layout.h"
#include "vgpu/fault.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;
using ptx::StateSpace;

namespace {

std::uint64_t alignTo(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

bool isShared(StateSpace space) {
  return space == StateSpace::shared || space == StateSpace::sharedCta;
}

/// Shared memory whose size the launch decides.
bool isDynamicShared(const ptx::Variable &variable) {
  return isShared(variable.space) &&
         (variable.linkage == ptx::Linkage::external || variable.size() == 0);
}

template <class... Parts>
std::unexpected<Fault> reject(ptx::SourcePos pos, const Parts &...parts) {
  Fault fault{.kind = FaultKind::invalidPtx, .what = concat(parts...)};
  fault.ptx = {pos.line, pos.column};
  return std::unexpected(std::move(fault));
}

//===----------------------------------------------------------------------===//
// Who uses what
//===----------------------------------------------------------------------===//

/// A shared variable: the index of its function (`noIndex` at module scope)
/// and its own.
using SharedKey = std::pair<std::uint32_t, std::uint32_t>;

/// What the bodies mention, and what kernels reach through calls.
class References {
public:
  explicit References(const ptx::Module &module, const ModuleLayout &layout)
      : module(module), layout(layout), bodies(module.functions.size()) {
    for (const ptx::Variable &variable : module.variables)
      for (const ptx::InitialValue &value : ptx::initialValues(variable))
        if (const auto *address =
                std::get_if<ptx::SymbolAddress>(&value.value->value))
          noteFunction(address->symbol.index, addressTaken);
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      scan(i);
  }

  /// The shared variables that a kernel reaches.
  [[nodiscard]] std::set<SharedKey> reachedFrom(std::uint32_t kernel) const {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> open{kernel};
    std::set<SharedKey> reached;
    while (!open.empty()) {
      const std::uint32_t index = open.back();
      open.pop_back();
      if (!seen.insert(index).second)
        continue;
      const Body &body = bodies[index];
      reached.insert(body.shared.begin(), body.shared.end());
      open.insert(open.end(), body.functions.begin(), body.functions.end());
      if (body.callsIndirectly)
        open.insert(open.end(), addressTaken.begin(), addressTaken.end());
    }
    return reached;
  }

private:
  struct Body {
    std::set<SharedKey> shared;
    std::set<std::uint32_t> functions;
    bool callsIndirectly = false;
  };

  void noteFunction(std::uint32_t symbol, std::set<std::uint32_t> &into) {
    if (const Function *function = layout.functionOf(module, symbol))
      into.insert(std::uint32_t(function->ast - module.functions.data()));
  }

  void noteSymbol(std::uint32_t index, const ptx::SymbolRef &symbol) {
    Body &body = bodies[index];
    if (symbol.scope == ptx::SymbolRef::Scope::function) {
      if (isShared(module.functions[index].variables[symbol.index].space))
        body.shared.emplace(index, symbol.index);
      return;
    }
    const ptx::Symbol &target = module.symbols[symbol.index];
    if (target.kind == ptx::Symbol::Kind::function)
      noteFunction(symbol.index, body.functions);
    else if (isShared(module.variables[target.index].space))
      body.shared.emplace(ptx::noIndex, target.index);
  }

  void scan(std::uint32_t index) {
    const ptx::Function &function = module.functions[index];
    std::set<const ptx::Operand *> callees;
    for (const ptx::Instruction &instruction : function.instructions)
      if (instruction.opcode() == ptx::Opcode::call) {
        const ptx::Operand &callee = function.operandsOf(instruction)[1];
        callees.insert(&callee);
        if (!callee.is<ptx::SymbolRef>())
          bodies[index].callsIndirectly = true;
      }
    for (const ptx::Operand &operand : function.operands) {
      const auto *symbol = operand.getIf<ptx::SymbolRef>();
      if (const auto *address = operand.getIf<ptx::Address>())
        symbol = std::get_if<ptx::SymbolRef>(&address->base);
      if (!symbol)
        continue;
      noteSymbol(index, *symbol);
      if (!callees.contains(&operand) &&
          symbol->scope == ptx::SymbolRef::Scope::module)
        noteFunction(symbol->index, addressTaken);
    }
  }

  const ptx::Module &module;
  const ModuleLayout &layout;
  std::vector<Body> bodies;
  std::set<std::uint32_t> addressTaken;
};

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

class SharedLayout {
public:
  SharedLayout(Program &program, ModuleLayout &layout)
      : program(program), module(program.module), layout(layout) {}

  Result<void> run() {
    const References references(module, layout);
    for (Kernel &kernel : program.kernels)
      uses.push_back(references.reachedFrom(
          std::uint32_t(kernel.function->ast - module.functions.data())));
    placeAll();
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
      if (auto measured = measure(program.kernels[i], uses[i]); !measured)
        return measured;
    return {};
  }

private:
  const ptx::Variable &variableOf(SharedKey key) const {
    return key.first == ptx::noIndex
               ? module.variables[key.second]
               : module.functions[key.first].variables[key.second];
  }

  struct Range {
    std::uint64_t begin, end;
  };

  /// All shared variables, also those that no kernel uses, without users.
  std::map<SharedKey, std::vector<std::size_t>> allShared() const {
    std::map<SharedKey, std::vector<std::size_t>> found;
    const auto note = [&](std::uint32_t function,
                          const std::vector<ptx::Variable> &variables) {
      for (std::uint32_t i = 0; i < variables.size(); ++i)
        if (isShared(variables[i].space))
          found[{function, i}];
    };
    note(ptx::noIndex, module.variables);
    for (std::uint32_t i = 0; i < module.functions.size(); ++i)
      note(i, module.functions[i].variables);
    return found;
  }

  /// Those that most kernels use come first, at the bottom.
  void placeAll() {
    std::map<SharedKey, std::vector<std::size_t>> users = allShared();
    for (std::size_t kernel = 0; kernel < uses.size(); ++kernel)
      for (const SharedKey &key : uses[kernel])
        users[key].push_back(kernel);
    std::vector<SharedKey> order;
    for (const auto &[key, kernels] : users) {
      const ptx::Variable &variable = variableOf(key);
      if (!isDynamicShared(variable))
        order.push_back(key);
      else if (key.first == ptx::noIndex)
        layout.variables[key.second].kind = SymbolPlace::Kind::dynamicShared;
    }
    std::ranges::sort(order, [&](const auto &a, const auto &b) {
      return std::pair(users[b].size(), a) < std::pair(users[a].size(), b);
    });

    std::vector<std::vector<Range>> taken(uses.size());
    for (const SharedKey &key : order) {
      const ptx::Variable &variable = variableOf(key);
      const Range range = firstFree(variable, users[key], taken);
      for (std::size_t kernel : users[key])
        taken[kernel].push_back(
            {range.begin, range.end + program.memory->sharedGap()});
      if (key.first == ptx::noIndex)
        layout.variables[key.second] = {SymbolPlace::Kind::shared, range.begin};
      else
        layout.inFunctions[key] = std::uint32_t(range.begin);
    }
  }

  static Range firstFree(const ptx::Variable &variable,
                         const std::vector<std::size_t> &kernels,
                         const std::vector<std::vector<Range>> &taken) {
    // No more than this can be used: it is rejected afterwards.
    const std::uint64_t size =
        std::min<std::uint64_t>(variable.size(), maxShared + 1);
    std::uint64_t begin = alignTo(sharedStart, variable.alignment());
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t kernel : kernels)
        for (const Range &range : taken[kernel])
          if (begin < range.end && range.begin < begin + size) {
            begin = alignTo(range.end, variable.alignment());
            moved = true;
          }
    }
    return {begin, begin + size};
  }

  Result<void> measure(Kernel &kernel, const std::set<SharedKey> &used) {
    std::uint64_t size = 0;
    std::uint64_t end = sharedStart;
    for (const SharedKey &key : used) {
      const ptx::Variable &variable = variableOf(key);
      if (isDynamicShared(variable)) {
        kernel.dynamicAlign =
            std::max(kernel.dynamicAlign, variable.alignment());
        continue;
      }
      const std::uint64_t bytes =
          std::min<std::uint64_t>(variable.size(), maxShared + 1);
      size = alignTo(size, variable.alignment()) + bytes;
      const std::uint64_t begin = key.first == ptx::noIndex
                                      ? layout.variables[key.second].address
                                      : layout.inFunctions[key];
      end = std::max(end, begin + bytes);
      kernel.sharedVariables.push_back({std::string(variable.name),
                                        std::uint32_t(begin),
                                        std::uint32_t(bytes)});
    }
    std::ranges::sort(kernel.sharedVariables, {}, &SharedVariable::offset);
    const std::uint64_t gaps =
        kernel.sharedVariables.size() * program.memory->sharedGap();
    if (size > maxStaticShared || end > sharedStart + maxShared + gaps)
      return reject(kernel.function->ast->pos, "kernel '", kernel.info.name,
                    "' has ", size, " bytes of static shared memory: at most ",
                    maxStaticShared, " are allowed");
    kernel.info.staticShared = std::uint32_t(size);
    kernel.sharedEnd = std::uint32_t(end);
    return {};
  }

  Program &program;
  const ptx::Module &module;
  ModuleLayout &layout;
  std::vector<std::set<SharedKey>> uses; ///< by kernel
};

//===----------------------------------------------------------------------===//
// Functions, kernels and variables
//===----------------------------------------------------------------------===//

Kernel makeKernel(const Function &function) {
  Kernel kernel;
  kernel.function = &function;
  kernel.info.name = function.name;
  std::uint64_t offset = 0;
  for (const ptx::Variable &param : function.ast->params()) {
    offset = alignTo(offset, param.alignment());
    kernel.info.params.push_back({std::string(param.name),
                                  std::uint32_t(param.size()),
                                  param.alignment(), std::uint32_t(offset)});
    offset += param.size();
  }
  kernel.info.paramBytes = std::uint32_t(offset);

  const ptx::Directives &directives = function.ast->directives;
  if (const auto &shape = directives.requiredThreads)
    kernel.info.requiredBlock = {shape->x, shape->y, shape->z};
  if (const auto &most = directives.maxThreads)
    kernel.info.maxThreads = most->x * most->y * most->z;
  if (const auto &cluster = directives.requiredCluster)
    kernel.info.requiredCluster = {cluster->x, cluster->y, cluster->z};
  kernel.info.maxClusterBlocks = directives.maxClusterRank.value_or(0);
  kernel.blocksAreClusters = directives.blocksAreClusters;
  return kernel;
}

/// The most bytes that parameters of a kernel may have (PTX ISA 9.0, 5.1.6.1).
constexpr std::uint64_t maxParamBytes = 32764;

Result<void> makeFunctions(Program &program, ModuleLayout &layout) {
  const ptx::Module &module = program.module;
  layout.functions.resize(module.functions.size());
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ptx::Function &ast = module.functions[i];
    if (!ast.isDefinition)
      continue;
    auto function = std::make_unique<Function>();
    function->name = ast.name;
    function->ast = &ast;
    function->id = std::uint32_t(program.functions.size());
    layout.functions[i] = function.get();
    std::uint64_t paramBytes = 0;
    for (const ptx::Variable &param : ast.params())
      paramBytes += param.size() + param.alignment();
    if (ast.isEntry && paramBytes > 2 * maxParamBytes)
      return reject(ast.pos, "the parameters of kernel '", ast.name,
                    "' are larger than ", maxParamBytes, " bytes");
    if (ast.isEntry)
      program.kernels.push_back(makeKernel(*function));
    program.functions.push_back(std::move(function));
  }
  // An alias of an alias needs another round; rounds end when nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Alias &alias : module.aliases) {
      const ptx::Symbol &name = module.symbols[alias.alias];
      const ptx::Symbol &aliasee = module.symbols[alias.aliasee];
      if (name.kind != ptx::Symbol::Kind::function ||
          aliasee.kind != ptx::Symbol::Kind::function)
        continue;
      Function *&function = layout.functions[name.index];
      Function *meant = layout.functions[aliasee.index];
      if (!function && meant) {
        function = meant;
        changed = true;
      }
    }
  }
  return {};
}

Result<void> makeVariables(Program &program, ModuleLayout &layout) {
  const ptx::Module &module = program.module;
  layout.variables.resize(module.variables.size());
  for (const ptx::Symbol &symbol : module.symbols) {
    if (symbol.kind != ptx::Symbol::Kind::variable)
      continue;
    const ptx::Variable &variable = module.variables[symbol.index];
    const bool isConstant = variable.space == StateSpace::const_;
    if (!isConstant && variable.space != StateSpace::global)
      continue;
    if (variable.linkage == ptx::Linkage::external)
      return reject(variable.pos, "variable '", variable.name,
                    "' is declared but not defined in this module");
    if (variable.alignment() > 256)
      return reject(variable.pos, "variable '", variable.name,
                    "' has an alignment of more than 256 bytes");
    auto address = program.memory->allocate(
        variable.size(),
        isConstant ? Allocation::Kind::constant : Allocation::Kind::global,
        std::string(variable.name));
    if (!address)
      return std::unexpected(std::move(address.error()));
    program.globals.push_back(
        {std::string(variable.name), *address, variable.size()});
    layout.variables[symbol.index] = {SymbolPlace::Kind::global, *address};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Initial values
//===----------------------------------------------------------------------===//

Result<std::uint64_t> addressBits(const Program &program,
                                  const ModuleLayout &layout,
                                  const ptx::SymbolAddress &address,
                                  ptx::SourcePos pos) {
  const SymbolPlace place =
      layout.placeOf(program.module, address.symbol.index);
  std::uint64_t bits = place.address + std::uint64_t(address.symbol.offset);
  switch (place.kind) {
  case SymbolPlace::Kind::global:
  case SymbolPlace::Kind::function:
    break;
  case SymbolPlace::Kind::shared:
    if (address.isGeneric)
      bits += window::shared;
    break;
  case SymbolPlace::Kind::none:
  case SymbolPlace::Kind::dynamicShared:
    return reject(pos, "the address of '",
                  program.module.symbols[address.symbol.index].name,
                  "' is no initial value");
  }
  if (address.mask)
    bits = (bits & address.mask) >> std::countr_zero(address.mask);
  return bits;
}

Result<std::uint64_t> initialBits(const Program &program,
                                  const ModuleLayout &layout,
                                  const ptx::Variable &variable,
                                  const ptx::Initializer &init) {
  if (const auto *address = std::get_if<ptx::SymbolAddress>(&init.value))
    return addressBits(program, layout, *address, init.pos);
  ptx::Operand operand;
  if (const auto *value = std::get_if<ptx::IntImmediate>(&init.value))
    operand.value = *value;
  else if (const auto *value = std::get_if<ptx::FloatImmediate>(&init.value))
    operand.value = *value;
  if (const auto bits = ptx::immediateBits(operand, variable.type))
    return *bits;
  return reject(init.pos, "'", variable.name,
                "' has an initial value of another type");
}

Result<void> initialise(Program &program, const ModuleLayout &layout) {
  const ptx::Module &module = program.module;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable &variable = module.variables[i];
    if (layout.variables[i].kind != SymbolPlace::Kind::global)
      continue;
    auto *memory = reinterpret_cast<std::byte *>(
        static_cast<std::uintptr_t>(layout.variables[i].address));
    const std::size_t bytes = ptx::byteSize(variable.type);
    for (const ptx::InitialValue &value : ptx::initialValues(variable)) {
      auto bits = initialBits(program, layout, variable, *value.value);
      if (!bits)
        return std::unexpected(std::move(bits.error()));
      if (value.offset + bytes > variable.size())
        return reject(value.value->pos, "'", variable.name,
                      "' has more initial values than elements");
      std::memcpy(memory + value.offset, &*bits,
                  std::min(bytes, sizeof(*bits)));
    }
  }
  return {};
}

} // namespace

const Function *ModuleLayout::functionOf(const ptx::Module &module,
                                         std::uint32_t symbol) const {
  const ptx::Symbol &target = module.symbols[symbol];
  return target.kind == ptx::Symbol::Kind::function ? functions[target.index]
                                                    : nullptr;
}

SymbolPlace ModuleLayout::placeOf(const ptx::Module &module,
                                  std::uint32_t symbol) const {
  if (const Function *function = functionOf(module, symbol))
    return {SymbolPlace::Kind::function, codeAddress(*function)};
  const ptx::Symbol &target = module.symbols[symbol];
  return target.kind == ptx::Symbol::Kind::variable ? variables[target.index]
                                                    : SymbolPlace{};
}

Result<ModuleLayout> tessera::vgpu::layOut(Program &program) {
  ModuleLayout layout;
  if (auto made = makeFunctions(program, layout); !made)
    return std::unexpected(std::move(made.error()));
  if (auto made = makeVariables(program, layout); !made)
    return std::unexpected(std::move(made.error()));
  if (auto placed = SharedLayout(program, layout).run(); !placed)
    return std::unexpected(std::move(placed.error()));
  if (auto done = initialise(program, layout); !done)
    return std::unexpected(std::move(done.error()));
  return layout;
}
