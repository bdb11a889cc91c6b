// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tessera ptx run`: one kernel of a PTX file, with arguments from the command
// line.

#include "ptx/parser.h"
#include "runtime/device-state.h"
#include "runtime/options.h"
#include "runtime/vgpu/vgpu-device.h"
#include "tools/tessera/ptx_values.h"
#include "tools/tessera/suggest.h"
#include "tools/tessera/verbs/verbs.h"
#include "vgpu/check/checks.h"
#include "vgpu/check/finding.h"

#include <tessera/runtime.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace tessera::driver {

namespace {

/// What is shown of a buffer without a number of values.
constexpr std::size_t mostShown = 64;

struct Extents {
  std::array<unsigned, 3> value{1, 1, 1};
  bool isGiven = false;
};

Result<Extents> readExtents(const std::string &text, const char *option) {
  Extents result;
  if (text.empty())
    return result;
  result.isGiven = true;
  std::string_view rest = text;
  for (unsigned i = 0; i < 3; ++i) {
    const std::size_t comma = rest.find(',');
    const auto number = readCount(rest.substr(0, comma), "extent");
    if (!number || *number == 0 || *number > 0x7fffffff)
      break;
    result.value[i] = unsigned(*number);
    if (comma == rest.npos)
      return result;
    rest.remove_prefix(comma + 1);
  }
  return fail(std::string(option) + " '" + text +
                  "': X, X,Y or X,Y,Z are expected, each at least 1",
              exitUsage);
}

/// The kernel that is run, as its PTX declares it.
struct Target {
  std::string name;
  std::vector<PtxParameter> parameters;
};

Target targetOf(const ptx::Function &entry) {
  Target target{std::string(entry.name), {}};
  for (const ptx::Variable &parameter : entry.params())
    target.parameters.push_back({std::string(parameter.name), parameter.type,
                                 std::size_t(parameter.size()),
                                 !parameter.dims.empty()});
  return target;
}

/// `text` has been loaded before, so that it is right.
Result<Target> findTarget(const std::string &text, const PtxOptions &options) {
  auto module = ptx::parse(text);
  if (!module)
    return fail("'" + options.file + "' has changed while it was read");
  std::vector<std::string> names;
  const ptx::Function *found = nullptr;
  for (const ptx::Function &function : module->functions) {
    if (!function.isEntry || !function.isDefinition)
      continue;
    names.emplace_back(function.name);
    if (options.kernel.empty() || options.kernel == function.name)
      found = &function;
  }
  if (names.empty())
    return fail("'" + options.file + "' has no kernels");
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  if (options.kernel.empty() && names.size() > 1)
    return fail("'" + options.file +
                    "' has several kernels; choose one with "
                    "--kernel: " +
                    list,
                exitUsage);
  if (!found)
    return fail("'" + options.file + "' has no kernel '" + options.kernel +
                    "'" + didYouMean(options.kernel, names) +
                    "; its kernels are: " + list,
                exitUsage);
  return targetOf(*found);
}

/// What is to happen, once for each seed.
struct Plan {
  Target target;
  launch_config config = grid(1);
  std::vector<PtxArgument> arguments;
  std::vector<PtxSave> saves;
  std::vector<PtxShow> shows;
};

/// The index of the argument that `which` numbers or names.
Result<std::size_t> findArgument(const std::string &which, const Plan &plan) {
  const auto &parameters = plan.target.parameters;
  auto named = std::ranges::find(parameters, which, &PtxParameter::name);
  std::size_t index = std::size_t(named - parameters.begin());
  if (named == parameters.end()) {
    const auto number = readCount(which, "argument");
    if (!number || *number == 0 || *number > parameters.size())
      return fail("there is no argument '" + which + "': kernel '" +
                      plan.target.name + "' has " +
                      std::to_string(parameters.size()) +
                      ", which count from 1 or go by their names",
                  exitUsage);
    index = std::size_t(*number) - 1;
  }
  if (!plan.arguments[index].isBuffer)
    return fail("argument " + which +
                    " is no buffer, so that there is nothing "
                    "to show or save",
                exitUsage);
  return index;
}

Result<void> readArguments(Plan &plan, const PtxOptions &options) {
  const auto &parameters = plan.target.parameters;
  if (options.arguments.size() != parameters.size())
    return fail("kernel '" + plan.target.name + "' has " +
                    std::to_string(parameters.size()) + " parameters, and " +
                    std::to_string(options.arguments.size()) +
                    " --arg are given",
                exitUsage);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto argument = readPtxArgument(options.arguments[i], parameters[i]);
    if (!argument)
      return fail("argument " + std::to_string(i + 1) + " (" +
                      parameters[i].name + "): " + argument.error().message,
                  argument.error().exitCode);
    plan.arguments.push_back(*std::move(argument));
  }
  return {};
}

Result<void> readOutputs(Plan &plan, const PtxOptions &options) {
  for (const std::string &text : options.saves) {
    auto save = readPtxSave(text);
    if (!save)
      return std::unexpected(save.error());
    if (auto found = findArgument(save->which, plan); !found)
      return std::unexpected(found.error());
    plan.saves.push_back(*std::move(save));
  }
  for (const std::string &text : options.shows) {
    auto show = readPtxShow(text);
    if (!show)
      return std::unexpected(show.error());
    auto found = findArgument(show->which, plan);
    if (!found)
      return std::unexpected(found.error());
    const std::size_t available =
        plan.arguments[*found].bytes.size() / ptx::byteSize(show->type);
    if (show->count > available)
      return fail("--show " + text + ": the buffer has " +
                      std::to_string(available) + " such values",
                  exitUsage);
    plan.shows.push_back(*std::move(show));
  }
  return {};
}

Result<launch_config> readShape(const PtxOptions &options) {
  const auto gridShape = readExtents(options.grid, "--grid");
  if (!gridShape)
    return std::unexpected(gridShape.error());
  const auto block = readExtents(options.block, "--block");
  if (!block)
    return std::unexpected(block.error());
  const auto cluster = readExtents(options.cluster, "--cluster");
  if (!cluster)
    return std::unexpected(cluster.error());
  const auto &[x, y, z] = gridShape->value;
  launch_config config = grid(x, y, z).shared(options.shared);
  if (block->isGiven)
    config = config.block(block->value[0], block->value[1], block->value[2]);
  if (cluster->isGiven)
    config =
        config.cluster(cluster->value[0], cluster->value[1], cluster->value[2]);
  return config;
}

//===-- Running -----------------------------------------------------------===//

using Outputs = std::vector<std::vector<std::byte>>; ///< of each argument

/// Loads the file and runs the kernel. Throws tessera::error.
Outputs runOnce(device on, const Plan &plan, const std::string &file) {
  stream queue(on);
  const kernel code = module::from_file(on, file).kernel(plan.target.name);
  std::vector<buffer<std::byte>> buffers(plan.arguments.size());
  std::vector<const void *> addresses(plan.arguments.size());
  std::vector<detail::argument> list;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const PtxArgument &argument = plan.arguments[i];
    const void *value = argument.bytes.data();
    std::size_t size = argument.bytes.size();
    if (argument.isBuffer) {
      buffers[i] = buffer<std::byte>::from_host(queue, argument.bytes);
      addresses[i] = buffers[i].data();
      value = &addresses[i];
      size = sizeof(void *);
    }
    list.push_back({value, size, 1, detail::argument_kind::value, 0, nullptr,
                    argument.isBuffer ? "buffer" : "value"});
  }
  detail::launch_from_module(queue, plan.config, code, list);
  queue.synchronize();
  Outputs outputs(plan.arguments.size());
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (plan.arguments[i].isBuffer)
      outputs[i] = buffers[i].to_host(queue);
  return outputs;
}

/// A virtual GPU with options of its own.
std::unique_ptr<runtime::DeviceState>
virtualDevice(const PtxOptions &options, std::uint64_t seed,
              std::shared_ptr<vgpu::Monitor> monitor) {
  vgpu::Options chosen;
  chosen.monitor = std::move(monitor);
  chosen.native = runtime::Options::fromEnvironment().native;
  if (options.hasSeed || options.stress != 0)
    chosen.seed = seed;
  chosen.maxInstructions = options.maxInstructions;
  if (options.moments)
    chosen.asyncMoments = *options.moments;
  else if (options.stress != 0)
    chosen.asyncMoments = vgpu::AsyncMoments::seeded;
  return std::make_unique<runtime::DeviceState>(
      "vgpu:0", runtime::makeVirtualDevice(std::move(chosen)));
}

/// Runs the kernel on a virtual GPU, watched by what `--sanitize` asks for; the
/// findings go to standard error. Throws tessera::error.
Result<Outputs> runVirtually(const Plan &plan, const PtxOptions &options,
                             std::uint64_t seed) {
  if (options.sanitize == 0) {
    const auto state = virtualDevice(options, seed, nullptr);
    return runOnce(device(*state), plan, options.file);
  }
  // The driver's own buffers are no leaks of the kernel's.
  const auto checks =
      vgpu::check::makeChecks({.tools = options.sanitize, .findsLeaks = false});
  Outputs outputs;
  std::optional<error> failure;
  {
    const auto state = virtualDevice(options, seed, checks->monitor());
    try {
      outputs = runOnce(device(*state), plan, options.file);
    } catch (const error &thrown) {
      failure = thrown;
    }
  }
  checks->finish();
  const std::vector<vgpu::check::Finding> findings = checks->findings();
  for (const vgpu::check::Finding &finding : findings)
    std::cerr << finding.text() << '\n';
  if (findings.empty() && failure)
    throw *failure;
  if (findings.empty())
    return outputs;
  return fail(findings.size() == 1
                  ? std::string("the checkers have found a mistake")
                  : "the checkers have found " +
                        std::to_string(findings.size()) + " mistakes");
}

Result<void> deliver(const Plan &plan, const Outputs &outputs) {
  for (const PtxShow &show : plan.shows) {
    const std::size_t index = *findArgument(show.which, plan);
    const std::size_t size = ptx::byteSize(show.type);
    const std::size_t available = outputs[index].size() / size;
    const std::size_t count =
        show.count ? show.count : std::min(available, mostShown);
    std::cout << plan.target.parameters[index].name << " (."
              << ptx::spelling(show.type) << "):\n"
              << showValues(show.type,
                            std::span(outputs[index]).first(count * size));
    if (show.count == 0 && count != available)
      std::cout << "  ... " << available - count << " more\n";
  }
  for (const PtxSave &save : plan.saves) {
    const auto &bytes = outputs[*findArgument(save.which, plan)];
    std::ofstream file(save.file, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()),
               std::streamsize(bytes.size()));
    file.close();
    if (!file)
      return fail("cannot write '" + save.file + "'");
  }
  if (!std::cout.flush())
    return fail("cannot write to standard output");
  return {};
}

/// How the outputs of a seed differ from those of the first one.
std::string findDifference(const Plan &plan, const Outputs &first,
                           const Outputs &now) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto place = std::ranges::mismatch(first[i], now[i]);
    if (place.in1 != first[i].end())
      return "argument " + std::to_string(i + 1) + " (" +
             plan.target.parameters[i].name + ") differs from byte " +
             std::to_string(place.in1 - first[i].begin()) + " on";
  }
  return {};
}

/// Runs one seed after another; all that fail are named.
Result<Outputs> runSeeds(const Plan &plan, const PtxOptions &options) {
  std::optional<Outputs> first;
  std::uint64_t failures = 0;
  for (std::uint64_t i = 0; i < options.stress; ++i) {
    const std::uint64_t seed = options.seed + i;
    std::string problem;
    try {
      Result<Outputs> outputs = runVirtually(plan, options, seed);
      if (!outputs)
        problem = outputs.error().message;
      else if (first)
        problem = findDifference(plan, *first, *outputs);
      else
        first = *std::move(outputs);
    } catch (const error &failure) {
      problem = failure.message();
    }
    if (problem.empty())
      continue;
    ++failures;
    std::cerr << "seed " << seed << ": " << problem << '\n';
  }
  if (failures != 0)
    return fail(std::to_string(failures) + " of " +
                std::to_string(options.stress) +
                " seeds failed; --seed repeats one of them" +
                (options.moments ? "" : " with --moments seeded"));
  std::cerr << options.stress << " seeds, from " << options.seed
            << " on, agree\n";
  return *std::move(first);
}

Result<Outputs> runPlan(const Plan &plan, const PtxOptions &options) {
  if (options.stress != 0)
    return runSeeds(plan, options);
  if (options.onVirtualGpu())
    return runVirtually(plan, options, options.seed);
  return runOnce(device::from_name(options.device), plan, options.file);
}

Result<void> checkDevice(const PtxOptions &options) {
  const bool isTuned = options.hasSeed || options.moments ||
                       options.hasStress || options.maxInstructions != 0 ||
                       options.sanitize != 0;
  if (isTuned && !options.onVirtualGpu())
    return fail("--seed, --moments, --stress, --max-instructions and "
                "--sanitize are for the virtual GPU, and --device is " +
                    options.device,
                exitUsage);
  if (options.hasStress && options.stress == 0)
    return fail("--stress needs at least one seed", exitUsage);
  return {};
}

Result<int> run(const PtxOptions &options) {
  if (Result<void> good = checkDevice(options); !good)
    return std::unexpected(good.error());
  const Result<std::string> text = readWholeFile(options.file);
  if (!text)
    return std::unexpected(text.error());
  // Also says what is wrong with the text.
  (void)module::from_file(device::vgpu(), options.file);
  Plan plan;
  Result<Target> target = findTarget(*text, options);
  if (!target)
    return std::unexpected(target.error());
  plan.target = *std::move(target);
  const Result<launch_config> config = readShape(options);
  if (!config)
    return std::unexpected(config.error());
  plan.config = *config;
  if (Result<void> good = readArguments(plan, options); !good)
    return std::unexpected(good.error());
  if (Result<void> good = readOutputs(plan, options); !good)
    return std::unexpected(good.error());
  const Result<Outputs> outputs = runPlan(plan, options);
  if (!outputs)
    return std::unexpected(outputs.error());
  if (Result<void> good = deliver(plan, *outputs); !good)
    return std::unexpected(good.error());
  return 0;
}

} // namespace

Result<int> runPtx(const PtxOptions &options) {
  try {
    return run(options);
  } catch (const error &failure) {
    return fail(failure.message());
  }
}

} // namespace tessera::driver
