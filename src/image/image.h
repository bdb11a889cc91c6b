// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image: what the compiler knows about the device code of one translation
// unit and a launcher needs, written once. The compiler writes it, the
// runtime, the virtual GPU and Guard read it. Nobody looks at mangled names or
// searches PTX text instead. This header is C++20, so that code over LLVM and
// MLIR may include it.
//
// Thread safety: values; distinct objects may be used from distinct threads.

#ifndef TESSERA_IMAGE_IMAGE_H
#define TESSERA_IMAGE_IMAGE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::image {

/// The version of the serialised form that this code writes. Readers accept
/// every version up to their own; unknown optional sections are skipped.
inline constexpr std::uint32_t formatVersion = 1;

/// A place in the user's source. An empty file means "not known".
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const SourceLocation &,
                         const SourceLocation &) = default;
};

/// How the launcher passes a parameter and what may be done with it.
enum class ParamKind : std::uint8_t {
  value,         ///< bytes, copied as they are
  pointer,       ///< one device address
  slice,         ///< {address, length}: `span<T>`
  disjointSlice, ///< {address, length}: `disjoint_span<T>`
};

/// One parameter of a kernel. `offset` is its place in the parameter block, in
/// bytes; parameters are laid out in order at their natural alignment, as PTX
/// `.param` space does it.
struct Param {
  std::string name;
  std::string type; ///< as written in the source language, for messages
  ParamKind kind = ParamKind::value;
  std::uint32_t size = 0;
  std::uint32_t align = 1;
  std::uint32_t offset = 0;
  std::uint32_t elementSize = 0; ///< of slices and pointers, 0 when not known
  friend bool operator==(const Param &, const Param &) = default;
};

/// A three-dimensional extent; 0 in a component means "not fixed".
struct Shape {
  std::uint32_t x = 0, y = 0, z = 0;
  [[nodiscard]] bool isFixed() const { return x && y && z; }
  friend bool operator==(const Shape &, const Shape &) = default;
};

/// An instruction-set level of the device: `sm_90a` is {90, 'a'}.
struct Arch {
  std::uint32_t sm = 0;
  char feature = '\0';                   ///< 'a', 'f' or none
  [[nodiscard]] std::string str() const; ///< "sm_90a"
  friend auto operator<=>(const Arch &, const Arch &) = default;
};

struct Kernel {
  std::string symbol; ///< the `.entry` in the PTX
  std::string name;   ///< as the user wrote it, with template arguments
  SourceLocation location;
  std::vector<Param> params;
  std::uint32_t paramBytes = 0;
  Shape block;                  ///< required block shape, where fixed
  std::uint32_t maxThreads = 0; ///< most threads of a block, 0 when free
  std::uint32_t minBlocks = 0; ///< least blocks per multiprocessor, 0 when free
  Shape cluster;               ///< required cluster shape, where fixed
  std::uint32_t staticShared = 0; ///< bytes
  bool usesDynamicShared = false;
  /// The kernel writes where its index along x says, which is unique only in
  /// grids and blocks that extend along x alone: others are refused.
  bool linearLaunch = false;
  friend bool operator==(const Kernel &, const Kernel &) = default;
};

enum class Space : std::uint8_t { global, constant, shared };

/// A device variable that the host can name.
struct Variable {
  std::string symbol;
  std::string name;
  Space space = Space::global;
  std::uint64_t size = 0;
  std::uint32_t align = 1;
  SourceLocation location;
  friend bool operator==(const Variable &, const Variable &) = default;
};

/// What a failed check was about; decides the wording of the host's message.
enum class TrapKind : std::uint8_t {
  bounds,      ///< index a against length b
  range,       ///< sub-slice end a against length b
  assertion,   ///< `assert(expression)` failed
  unreachable, ///< control reached a place that must not be reached
  exception,   ///< `throw` on the device
  alignment,   ///< address a against alignment b
  user,        ///< an explicit trap with a message
};

/// A place in device code that can trap; its number is in the trap record.
struct TrapSite {
  std::uint32_t id = 0;
  TrapKind kind = TrapKind::user;
  SourceLocation location;
  std::string expression; ///< source text or message, may be empty
  std::string function;   ///< enclosing function, may be empty
  friend bool operator==(const TrapSite &, const TrapSite &) = default;
};

/// PTX for one architecture. A launcher takes the highest that the device can
/// run: with a feature letter only the very same architecture.
struct Variant {
  Arch arch;
  std::uint32_t ptxVersion = 0; ///< major * 10 + minor
  std::string ptx;
  friend bool operator==(const Variant &, const Variant &) = default;
};

struct Image {
  std::string producer; ///< "tessera 0.1.0"
  std::string source;   ///< main source file, for messages
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;
  std::vector<TrapSite> trapSites;
  std::vector<Variant> variants;
  friend bool operator==(const Image &, const Image &) = default;

  [[nodiscard]] const Kernel *findKernel(std::string_view symbolOrName) const;
  [[nodiscard]] const TrapSite *findTrapSite(std::uint32_t id) const;
  /// The best variant for a device, or null when none can run there.
  [[nodiscard]] const Variant *selectVariant(Arch device) const;
};

/// Device code reports a failed check through the device variable named
/// `trapStateSymbol`, a `TrapState`: the first thread to swap `claimed` from 0
/// to 1 writes the record through `record` (host-visible memory, set by the
/// runtime when it loads the module; null means "trap only"), fences and
/// traps; the others leave.
inline constexpr std::string_view trapStateSymbol = "__tessera_trap_state";

struct TrapRecord {
  std::uint32_t valid = 0; ///< 1 once complete
  std::uint32_t site = 0;
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
  std::uint64_t a = 0; ///< meaning by `TrapKind`
  std::uint64_t b = 0;
};
static_assert(sizeof(TrapRecord) == 48);

struct TrapState {
  std::uint64_t record = 0;
  std::uint32_t claimed = 0;
  std::uint32_t padding = 0;
};
static_assert(sizeof(TrapState) == 16);

/// Serialises `image`; the result begins with the magic bytes and ends with a
/// checksum. Deterministic. `image/read.h` reads it back.
[[nodiscard]] std::vector<std::byte> write(const Image &image);

} // namespace tessera::image

#endif // TESSERA_IMAGE_IMAGE_H
