// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/llvm/annotations.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tessera {

StringRef Annotation::string(unsigned index) const {
  if (index >= arguments.size())
    return {};
  const auto *text = std::get_if<std::string>(&arguments[index]);
  return text ? StringRef(*text) : StringRef();
}

SmallVector<std::int64_t> Annotation::integers(unsigned first) const {
  SmallVector<std::int64_t> values;
  for (unsigned i = first; i < arguments.size(); ++i)
    if (const auto *value = std::get_if<std::int64_t>(&arguments[i]))
      values.push_back(*value);
  return values;
}

StringRef readConstantString(const Constant *value) {
  const auto *global = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  if (!global || !global->hasInitializer())
    return {};
  const auto *data = dyn_cast<ConstantDataArray>(global->getInitializer());
  if (!data || !data->isCString())
    return {};
  return data->getAsCString();
}

namespace {

void readArguments(const Constant *value, Annotation &annotation) {
  const auto *global = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  if (!global || !global->hasInitializer())
    return;
  const Constant *list = global->getInitializer();
  for (unsigned i = 0; const Constant *element = list->getAggregateElement(i);
       ++i) {
    if (const auto *integer = dyn_cast<ConstantInt>(element))
      annotation.arguments.push_back(integer->getSExtValue());
    else
      annotation.arguments.push_back(readConstantString(element).str());
  }
}

} // namespace

AnnotationTable AnnotationTable::read(const Module &module) {
  AnnotationTable table;
  const GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  if (!list || !list->hasInitializer())
    return table;
  for (unsigned i = 0;
       const Constant *entry = list->getInitializer()->getAggregateElement(i);
       ++i) {
    // {annotated value, kind, file, line, arguments}
    StringRef kind = readConstantString(entry->getAggregateElement(1u));
    if (!kind.starts_with("tessera."))
      continue;
    Annotation annotation{kind.str(), {}};
    readArguments(entry->getAggregateElement(4u), annotation);
    StringRef symbol =
        entry->getAggregateElement(0u)->stripPointerCasts()->getName();
    table.bySymbol[symbol].push_back(std::move(annotation));
  }
  return table;
}

const Annotation *AnnotationTable::find(StringRef symbol,
                                        StringRef kind) const {
  auto found = bySymbol.find(symbol);
  if (found == bySymbol.end())
    return nullptr;
  for (const Annotation &annotation : found->second)
    if (annotation.kind == kind)
      return &annotation;
  return nullptr;
}

std::vector<std::pair<std::string, SmallVector<std::string, 1>>>
AnnotationTable::kinds() const {
  std::vector<std::pair<std::string, SmallVector<std::string, 1>>> all;
  for (const auto &entry : bySymbol) {
    auto &kinds =
        all.emplace_back(entry.getKey().str(), SmallVector<std::string, 1>())
            .second;
    for (const Annotation &annotation : entry.second)
      kinds.push_back(annotation.kind);
  }
  return all;
}

} // namespace tessera
