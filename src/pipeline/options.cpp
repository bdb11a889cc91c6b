// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/options.h"
#include "target/ptx/codegen.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstdlib>

using namespace llvm;

namespace tessera {
namespace {

Expected<std::vector<image::Arch>> parseArchs(StringRef text) {
  std::vector<image::Arch> archs;
  if (text == "default")
    return archs;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto arch = target::parseArch(part);
    if (!arch) {
      std::string known;
      for (image::Arch row : target::supportedArchs())
        known += (known.empty() ? "" : ", ") + row.str();
      return createStringError("unknown architecture '%s'; known are %s",
                               part.str().c_str(), known.c_str());
    }
    if (!is_contained(archs, *arch))
      archs.push_back(*arch);
  }
  return archs;
}

Expected<std::pair<Emission, std::string>> parseEmission(StringRef text) {
  auto [name, file] = text.split(':');
  auto emission = StringSwitch<std::optional<Emission>>(name)
                      .Case("mir", Emission::mir)
                      .Case("mir-opt", Emission::mirOpt)
                      .Case("llvm-dialect", Emission::llvmDialect)
                      .Case("ll", Emission::ll)
                      .Case("ptx", Emission::ptx)
                      .Default(std::nullopt);
  if (!emission)
    return createStringError("unknown IR '%s' to emit; known are mir, mir-opt, "
                             "llvm-dialect, ll and ptx",
                             name.str().c_str());
  return std::pair{*emission, file.empty() ? std::string("-") : file.str()};
}

Expected<Safety> parseSafety(StringRef text, StringRef where) {
  auto safety = StringSwitch<std::optional<Safety>>(text)
                    .Case("off", Safety::off)
                    .Case("warn", Safety::warn)
                    .Case("error", Safety::error)
                    .Default(std::nullopt);
  if (!safety)
    return createStringError("%s is '%s'; it may be off, warn or error",
                             where.str().c_str(), text.str().c_str());
  return *safety;
}

Error parseOne(Options &options, StringRef key, StringRef value) {
  auto assign = [](auto &to, auto from) -> Error {
    if (!from)
      return from.takeError();
    to = std::move(*from);
    return Error::success();
  };
  if (key == "arch")
    return assign(options.archs, parseArchs(value));
  if (key == "safety")
    return assign(options.safety, parseSafety(value, "safety"));
  if (key == "emit") {
    auto emission = parseEmission(value);
    if (!emission)
      return emission.takeError();
    options.emissions.push_back(std::move(*emission));
    return Error::success();
  }
  if (key == "stop-after") {
    options.stopAfter = parsePhase(value);
    if (!options.stopAfter)
      return createStringError("unknown phase '%s' to stop after",
                               value.str().c_str());
    return Error::success();
  }
  bool *flag = StringSwitch<bool *>(key)
                   .Case("verbose", &options.verbose)
                   .Case("safe", &options.safeProfile)
                   .Case("strict-fp", &options.strictFp)
                   .Default(nullptr);
  if (flag) {
    if (!value.empty())
      return createStringError("'%s' takes no value", key.str().c_str());
    *flag = true;
    return Error::success();
  }
  std::string *text = StringSwitch<std::string *>(key)
                          .Case("ptx-out", &options.ptxFile)
                          .Case("timings", &options.timingsFile)
                          .Case("clc", &options.mathLibrary)
                          .Default(nullptr);
  if (!text)
    return createStringError(
        "unknown option '%s'; known are arch, verbose, emit, stop-after, "
        "ptx-out, timings, safe, strict-fp, safety and clc",
        key.str().c_str());
  if (value.empty())
    return createStringError("'%s' needs a value", key.str().c_str());
  *text = value.str();
  return Error::success();
}

} // namespace

Expected<Options> Options::parse(ArrayRef<std::string> arguments) {
  Options options;
  if (const char *value = std::getenv("TESSERA_PTX_SAFETY")) {
    auto safety =
        parseSafety(value, "the environment variable TESSERA_PTX_SAFETY");
    if (!safety)
      return safety.takeError();
    options.safety = *safety;
  }
  for (StringRef argument : arguments) {
    auto [key, value] = argument.split('=');
    if (Error error = parseOne(options, key, value))
      return error;
  }
  return options;
}

} // namespace tessera
