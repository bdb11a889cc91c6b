// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/loader.h"
#include "ptx/parser.h"
#include "ptx/validator.h"
#include "vgpu/decoder.h"
#include "vgpu/fault.h"
#include "vgpu/handlers.h"
#include "vgpu/layout.h"

using namespace tessera::vgpu;
namespace ptx = tessera::ptx;

namespace {

std::unexpected<Fault>
rejected(const std::vector<tessera::ptx::Diagnostic> &errors) {
  const tessera::ptx::Diagnostic &first = errors.front();
  Fault fault{.kind = FaultKind::invalidPtx};
  fault.what = concat("PTX error at ", first.pos.line, ':', first.pos.column,
                      ": ", first.message);
  if (errors.size() > 1)
    fault.what +=
        concat(" (and ", plural(errors.size() - 1, "more error"), ")");
  fault.ptx = {first.pos.line, first.pos.column};
  return std::unexpected(std::move(fault));
}

/// Refuses a module that has instructions the device does not execute, called
/// or not.
Result<void> requireSupport(const Program &program) {
  const ptx::Instruction *first = nullptr;
  std::size_t count = 0;
  for (const auto &function : program.functions)
    for (const Instr &instr : function->code) {
      if (instr.handler != &executeUnsupported)
        continue;
      ++count;
      const ptx::Instruction &found = function->ast->instructions[instr.index];
      if (!first || found.pos.line < first->pos.line)
        first = &found;
    }
  if (!first)
    return {};
  Fault fault{.kind = FaultKind::unsupported};
  fault.what = concat("'", first->mnemonic.str(),
                      "' is not supported by the virtual GPU");
  if (count > 1)
    fault.what += concat(" (and ", plural(count - 1, "more instruction"), ")");
  fault.ptx = {first->pos.line, first->pos.column};
  return std::unexpected(std::move(fault));
}

} // namespace

Result<std::shared_ptr<const Program>>
tessera::vgpu::loadProgram(std::string_view text,
                           std::shared_ptr<GlobalMemory> memory,
                           std::uint32_t sm) {
  auto module = ptx::parse(text);
  if (!module)
    return rejected(module.error());
  if (const auto errors = ptx::validate(*module); !errors.empty())
    return rejected(errors);
  if (module->target.arch.sm > sm)
    return fail(FaultKind::invalidPtx, "the module is for sm_",
                module->target.arch.sm, ", the device is an sm_", sm);
  if (module->addressSize.value_or(64) != 64)
    return fail(FaultKind::invalidPtx,
                "only 64-bit addresses are supported by the virtual GPU");

  auto program = std::make_shared<Program>(std::move(memory));
  program->module = std::move(*module);
  auto layout = layOut(*program);
  if (!layout)
    return std::unexpected(std::move(layout.error()));
  ConstantPool constants(program->constants);
  for (const auto &function : program->functions)
    if (auto decoded =
            FunctionDecoder(*program, *layout, constants, *function).run();
        !decoded)
      return std::unexpected(std::move(decoded.error()));
  if (auto supported = requireSupport(*program); !supported)
    return std::unexpected(std::move(supported.error()));
  return program;
}
