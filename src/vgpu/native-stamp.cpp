// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled into the runtime and into the compiler's library alike.

#include "vgpu/native.h"

#include <string_view>

using namespace tessera::vgpu;

namespace {

class Stamp {
public:
  constexpr void add(std::uint64_t part) {
    value = (value ^ part) * 1099511628211u;
  }
  constexpr void add(std::string_view text) {
    for (char letter : text)
      add(std::uint64_t(static_cast<unsigned char>(letter)));
  }
  std::uint64_t value = 14695981039346656037u;
};

/// The numbers of opcodes, modifiers and special registers are part of what
/// both sides read.
constexpr void addNames(Stamp &stamp) {
#define PTX_OPCODE(NAME, SPELLING, CLASS) stamp.add(#NAME);
#include "ptx/instructions.def"
#define PTX_TYPE(NAME, SPELLING, BITS, CLASS) stamp.add(#NAME);
#include "ptx/types.def"
#define PTX_MODIFIER(NAME, SPELLING, GROUP) stamp.add(#NAME);
#include "ptx/modifiers.def"
}

} // namespace

std::uint64_t tessera::vgpu::nativeStamp() {
  Stamp stamp;
  constexpr std::uint64_t interface = 1; // raised when meanings change
  stamp.add(interface);
  for (std::uint64_t size :
       {sizeof(NativeState), sizeof(NativeFacts), sizeof(NativeVersion),
        sizeof(Function), sizeof(Instr), sizeof(Program), sizeof(ptx::Function),
        sizeof(ptx::Instruction), sizeof(ptx::Mnemonic), sizeof(SpecialValues),
        sizeof(Worker::CachedRange)})
    stamp.add(size);
  addNames(stamp);
  return stamp.value;
}
