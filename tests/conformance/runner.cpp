// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner.h"

#include "inputs.h"
#include "kernel-text.h"

#include <tessera/runtime.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::conformance {

namespace {

constexpr std::size_t formsInModule = 64;
/// The parts of a buffer that belong to forms begin at multiples of this.
constexpr std::size_t alignedWords = 32;

std::size_t aligned(std::size_t words) {
  return (words + alignedWords - 1) / alignedWords * alignedWords;
}

/// A message in one line that fits into a recording.
std::string inOneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  constexpr std::size_t most = 160;
  if (text.size() > most)
    text = text.substr(0, most) + "...";
  return text;
}

class Runner {
public:
  Runner(device on, const std::function<void(std::size_t)> &onProgress)
      : on(on), onProgress(onProgress) {}

  void run(std::span<const Form *const> forms) {
    if (attempt(forms)) {
      onProgress(result.answers.size());
      return;
    }
    if (forms.size() == 1) {
      result.answers[forms[0]->name] = {fingerprint(*forms[0]), {}, refusal};
      return;
    }
    run(forms.first(forms.size() / 2));
    run(forms.subspan(forms.size() / 2));
  }

  RunResult result;

private:
  /// False when the device refuses; `refusal` then says why. A GPU that has
  /// failed answers nothing more: that error is passed on.
  bool attempt(std::span<const Form *const> forms) {
    try {
      launch(forms, module::from_ptx(on, moduleText(forms)));
      return true;
    } catch (const error &problem) {
      if (on.kind() == device_kind::cuda &&
          problem.kind() != error_kind::invalid_module &&
          problem.kind() != error_kind::driver)
        throw;
      refusal = inOneLine(problem.message());
      return false;
    }
  }

  void launch(std::span<const Form *const> forms, const module &code) {
    stream queue(on);
    std::vector<std::size_t> inputAt, resultAt;
    std::vector<std::uint64_t> inputs;
    std::size_t resultWords = 0;
    for (const Form *form : forms) {
      inputAt.push_back(inputs.size());
      std::ranges::copy(inputsOf(*form), std::back_inserter(inputs));
      inputs.resize(aligned(inputs.size() + 1));
      resultAt.push_back(resultWords);
      resultWords += aligned(form->results.size() * threadsOf(*form) + 1);
    }
    auto sources = buffer<std::uint64_t>::from_host(queue, inputs);
    auto results = buffer<std::uint64_t>::zeroed(queue, resultWords);
    for (std::size_t i = 0; i < forms.size(); ++i)
      launch(queue, *forms[i], code.kernel("k" + std::to_string(i)),
             sources.data() + inputAt[i], results.data() + resultAt[i]);
    auto words = results.to_host(queue);
    for (std::size_t i = 0; i < forms.size(); ++i)
      keep(*forms[i], std::span(words).subspan(resultAt[i]));
  }

  void launch(stream &queue, const Form &form, const kernel &code,
              std::uint64_t *sources, std::uint64_t *results) {
    launch_config config =
        grid(form.blocks).block(threadsOf(form) / form.blocks);
    if (form.blocks != 1)
      config = config.cluster(form.blocks);
    if (!form.tensor)
      return tessera::launch(queue, config, code, sources, results);
    tensor_layout layout = form.tensor->layout;
    layout.address = form.tensor->isInResults ? results : sources;
    tessera::launch(queue, config, code, sources, results,
                    tensor_map::tiled(on, layout));
  }

  void keep(const Form &form, std::span<const std::uint64_t> words) {
    auto own = words.first(form.results.size() * threadsOf(form));
    result.answers[form.name] = {
        fingerprint(form), {own.begin(), own.end()}, {}};
  }

  device on;
  const std::function<void(std::size_t)> &onProgress;
  std::string refusal;
};

} // namespace

RunResult runForms(device on, std::span<const Form *const> forms,
                   const std::function<void(std::size_t)> &onProgress) {
  Runner runner(on, onProgress);
  try {
    for (std::size_t at = 0; at < forms.size(); at += formsInModule)
      runner.run(forms.subspan(at, std::min(formsInModule, forms.size() - at)));
  } catch (const error &problem) {
    runner.result.failure = problem.what();
  }
  return std::move(runner.result);
}

} // namespace tessera::conformance
