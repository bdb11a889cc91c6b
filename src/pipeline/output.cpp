// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/output.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

Error writeFile(StringRef file, StringRef text) {
  std::error_code code;
  raw_fd_ostream stream(file, code);
  if (code)
    return createStringError(code, "cannot write '%s': %s", file.str().c_str(),
                             code.message().c_str());
  stream << text;
  stream.flush();
  if (!stream.has_error())
    return Error::success();
  code = stream.error();
  stream.clear_error();
  return createStringError(code, "cannot write '%s': %s", file.str().c_str(),
                           code.message().c_str());
}

} // namespace tessera
