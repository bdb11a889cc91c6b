// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/program.h"
#include "ptx/printer.h"
#include "vgpu/describe.h"

#include <algorithm>

using namespace tessera::vgpu;

namespace {
/// Between the addresses of two functions.
constexpr std::uint64_t codeStride = 16;
} // namespace

Program::Program(std::shared_ptr<GlobalMemory> memory)
    : memory(std::move(memory)), number([] {
        static std::atomic<std::uint64_t> count = 0;
        return count++;
      }()) {}

Program::~Program() {
  // Nobody else frees variables, so this cannot fail.
  for (const GlobalVariable &variable : globals)
    (void)memory->free(variable.address);
}

std::uint64_t tessera::vgpu::codeAddress(const Function &function) {
  return window::code + function.id * codeStride;
}

const Function *Program::functionAt(std::uint64_t address) const {
  const std::uint64_t offset = address - window::code;
  if (address < window::code || offset % codeStride != 0 ||
      offset / codeStride >= functions.size())
    return nullptr;
  const Function *function = functions[offset / codeStride].get();
  return function->ast->isEntry ? nullptr : function;
}

const Kernel *Program::findKernel(std::string_view name) const {
  const auto found = std::ranges::find(
      kernels, name, [](const Kernel &kernel) -> std::string_view {
        return kernel.info.name;
      });
  return found == kernels.end() ? nullptr : &*found;
}

void tessera::vgpu::describeInstruction(const Program &program,
                                        const Function &function,
                                        const Instr &instr, Fault &fault) {
  const ptx::Function &ast = *function.ast;
  if (instr.index >= ast.instructions.size())
    return;
  const ptx::Instruction &instruction = ast.instructions[instr.index];
  fault.instruction = ptx::print(program.module, ast, instruction);
  if (fault.instruction.ends_with(';'))
    fault.instruction.pop_back();
  fault.ptx = {instruction.pos.line, instruction.pos.column};
  if (instruction.location == ptx::noIndex)
    return;
  const ptx::Location &location = ast.locations[instruction.location];
  if (const ptx::File *file = program.module.findFile(location.file)) {
    fault.sourceFile = file->name;
    fault.sourceLine = location.line;
  }
}
