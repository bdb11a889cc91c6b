// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel-text.h"

#include <algorithm>

namespace tessera::conformance {

namespace {

using ptx::Type;

std::string number(std::size_t value) { return std::to_string(value); }

std::string declare(Type type, const std::string &name) {
  return "  .reg ." + std::string(ptx::spelling(registerType(type))) + " " +
         name + ";\n";
}

/// Loads source `i` into its register.
std::string loadSource(const Source &source, std::size_t i) {
  std::string name = "s" + number(i), place = "[src+" + number(8 * i) + "]";
  std::string text = declare(source.type, name);
  Type type = registerType(source.type);
  if (type == Type::pred)
    return text + "  ld.global.b32 word, " + place + ";\n  setp.ne.u32 " +
           name + ", word, 0;\n";
  return text + "  ld.global." + std::string(ptx::spelling(type)) + " " + name +
         ", " + place + ";\n";
}

std::string storeResult(Type result, std::size_t i) {
  std::string name = "d" + number(i), place = "[dst+" + number(8 * i) + "]";
  Type type = registerType(result);
  if (type == Type::pred)
    return "  selp.u32 word, 1, 0, " + name + ";\n  st.global.b32 " + place +
           ", word;\n";
  return "  st.global." + std::string(ptx::spelling(type)) + " " + place +
         ", " + name + ";\n";
}

/// Sets `cell` to the address of the thread's own cell in its state space.
std::string cellAddress(Cell cell) {
  std::string size = number(cellBytes);
  std::string all = number(std::size_t(cellBytes) * maxThreads);
  switch (cell) {
  case Cell::none:
    return "";
  case Cell::global:
    return "  .reg .b64 cell;\n  mov.u64 cell, cells;\n"
           "  mad.wide.u32 cell, thread, " +
           size + ", cell;\n";
  case Cell::shared:
    return "  .shared .align 32 .b8 sharedCells[" + all +
           "];\n  .reg .b32 cell;\n  mov.u32 cell, sharedCells;\n"
           "  mad.lo.u32 cell, thread, " +
           size + ", cell;\n";
  case Cell::local:
    return "  .local .align 32 .b8 localCell[" + size +
           "];\n  .reg .b64 cell;\n  mov.u64 cell, localCell;\n";
  }
  return "";
}

/// Threads count through the blocks of a cluster.
std::string threadInCluster(const Form &form) {
  if (form.blocks == 1)
    return "";
  return "  mov.u32 word, %cluster_ctarank;\n  mad.lo.u32 thread, word, " +
         number(threadsOf(form) / form.blocks) + ", thread;\n";
}

std::string kernelText(const Form &form, std::size_t index) {
  std::string text = ".visible .entry k" + number(index) +
                     "(.param .u64 in, .param .u64 out" +
                     (form.tensor ? ", .param .align 64 .b8 tensor[128]" : "") +
                     ")\n{\n  .reg .b64 src, dst;\n  .reg .b32 thread, word;\n"
                     "  mov.u32 thread, %tid.x;\n";
  // Blocks have shared and local memory of their own.
  if (form.cell != Cell::global)
    text += cellAddress(form.cell) + threadInCluster(form);
  else
    text += threadInCluster(form) + cellAddress(form.cell);
  text += "  ld.param.u64 src, [in];\n  ld.param.u64 dst, [out];\n"
          "  mad.wide.u32 src, thread, " +
          number(8 * form.sources.size()) +
          ", src;\n  mad.wide.u32 dst, thread, " +
          number(8 * form.results.size()) + ", dst;\n";
  for (std::size_t i = 0; i < form.sources.size(); ++i)
    text += loadSource(form.sources[i], i);
  for (std::size_t i = 0; i < form.results.size(); ++i)
    text += declare(form.results[i], "d" + number(i));
  if (form.tensor)
    text += "  .reg .b64 map;\n  mov.u64 map, tensor;\n"
            "  cvta.param.u64 map, map;\n";
  text += form.body;
  for (std::size_t i = 0; i < form.results.size(); ++i)
    text += storeResult(form.results[i], i);
  return text + "  ret;\n}\n";
}

} // namespace

std::string moduleText(std::span<const Form *const> forms) {
  unsigned version = 80; // The first that has sm_90a.
  bool usesCells = false;
  for (const Form *form : forms) {
    version = std::max(
        {version, unsigned(form->tableRow().leastVersion), form->leastVersion});
    usesCells |= form->cell == Cell::global;
  }
  std::string text = ".version " + number(version / 10) + "." +
                     number(version % 10) +
                     "\n.target sm_90a\n.address_size 64\n";
  if (usesCells)
    text += ".global .align 32 .b8 cells[" +
            number(std::size_t(cellBytes) * maxThreads) + "];\n";
  for (std::size_t i = 0; i < forms.size(); ++i)
    text += kernelText(*forms[i], i);
  return text;
}

} // namespace tessera::conformance
