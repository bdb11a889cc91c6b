// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/location.h"

#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"

using namespace mlir;
using namespace tessera::mir;

bool tessera::mir::isLibraryHeader(StringRef file) {
  static constexpr StringLiteral systemPrefixes[] = {
      "/usr/include/", "/usr/lib/", "/usr/local/include/"};
  return file.contains("include/tessera/") ||
         llvm::any_of(systemPrefixes, [&](StringRef prefix) {
           return file.starts_with(prefix);
         });
}

/// The name of the function that a debug scope lies in.
static StringRef getFunctionName(Attribute scope) {
  while (auto block = dyn_cast_or_null<LLVM::DILexicalBlockAttr>(scope))
    scope = block.getScope();
  if (auto blockFile = dyn_cast_or_null<LLVM::DILexicalBlockFileAttr>(scope))
    return getFunctionName(blockFile.getScope());
  auto function = dyn_cast_or_null<LLVM::DISubprogramAttr>(scope);
  return function && function.getName() ? function.getName().getValue()
                                        : StringRef();
}

/// Appends the frames of `location`, innermost first.
static void collectFrames(Location location, StringRef function,
                          SmallVectorImpl<UserPlace> &frames) {
  if (auto place = dyn_cast<FileLineColLoc>(location)) {
    frames.push_back({place.getFilename().getValue(), place.getLine(),
                      place.getColumn(), function});
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collectFrames(call.getCallee(), {}, frames);
    collectFrames(call.getCaller(), {}, frames);
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    collectFrames(named.getChildLoc(), function, frames);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    // Fused locations are alternatives, not frames: the first that says
    // something stands for all.
    size_t before = frames.size();
    StringRef name = getFunctionName(fused.getMetadata());
    for (Location part : fused.getLocations()) {
      collectFrames(part, name, frames);
      if (frames.size() != before)
        return;
    }
  }
}

UserPlace tessera::mir::getUserPlace(Location location) {
  SmallVector<UserPlace> frames;
  collectFrames(location, {}, frames);
  for (const UserPlace &frame : frames)
    if (!isLibraryHeader(frame.file))
      return frame;
  return frames.empty() ? UserPlace() : frames.back();
}
