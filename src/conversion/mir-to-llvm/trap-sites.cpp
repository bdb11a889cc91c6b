// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conversion/mir-to-llvm/trap-sites.h"

#include "dialect/mir/location.h"
#include "dialect/mir/mir.h"
#include "image/image.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;

// The module's attribute says kinds as numbers of `image::TrapKind`.
template <mir::TrapKind kind, image::TrapKind other>
static constexpr bool isSame =
    static_cast<int>(kind) == static_cast<int>(other);
static_assert(
    isSame<mir::TrapKind::bounds, image::TrapKind::bounds> &&
    isSame<mir::TrapKind::range, image::TrapKind::range> &&
    isSame<mir::TrapKind::assertion, image::TrapKind::assertion> &&
    isSame<mir::TrapKind::unreachable, image::TrapKind::unreachable> &&
    isSame<mir::TrapKind::exception, image::TrapKind::exception> &&
    isSame<mir::TrapKind::alignment, image::TrapKind::alignment> &&
    isSame<mir::TrapKind::user, image::TrapKind::user>);

/// On an op between numbering and its lowering.
static constexpr llvm::StringLiteral siteAttrName = "mir.site";

/// The name of the function that `op` is in when debug information has none.
static StringRef getEnclosingFunction(Operation *op) {
  if (auto kernel = op->getParentOfType<mir::KernelOp>())
    return kernel.getDisplayName();
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    return function.getName();
  return {};
}

static DictionaryAttr describe(mir::TrapSiteOpInterface op, mir::TrapKind kind,
                               std::int32_t id) {
  Builder builder(op.getContext());
  mir::UserPlace place = mir::getUserPlace(op.getLoc());
  StringRef function =
      place.function.empty() ? getEnclosingFunction(op) : place.function;
  auto number = [&](unsigned value) {
    return builder.getI32IntegerAttr(static_cast<std::int32_t>(value));
  };
  return builder.getDictionaryAttr({
      builder.getNamedAttr("id", builder.getI32IntegerAttr(id)),
      builder.getNamedAttr("kind", number(static_cast<unsigned>(kind))),
      builder.getNamedAttr("file", builder.getStringAttr(place.file)),
      builder.getNamedAttr("line", number(place.line)),
      builder.getNamedAttr("column", number(place.column)),
      builder.getNamedAttr("expression",
                           builder.getStringAttr(op.getTrapText())),
      builder.getNamedAttr("function", builder.getStringAttr(function)),
  });
}

std::int32_t tessera::numberTrapSites(ModuleOp module) {
  Builder builder(module.getContext());
  SmallVector<Attribute> sites;
  module.walk<WalkOrder::PreOrder>([&](mir::TrapSiteOpInterface op) {
    std::optional<mir::TrapKind> kind = op.getTrapKind();
    if (!kind)
      return;
    auto id = static_cast<std::int32_t>(sites.size());
    op->setAttr(siteAttrName, builder.getI32IntegerAttr(id));
    sites.push_back(describe(op, *kind, id));
  });
  if (!sites.empty())
    module->setAttr(trapSitesAttrName, builder.getArrayAttr(sites));
  return static_cast<std::int32_t>(sites.size());
}

std::optional<std::int32_t> tessera::getTrapSite(Operation *op) {
  if (auto site = op->getAttrOfType<IntegerAttr>(siteAttrName))
    return static_cast<std::int32_t>(site.getInt());
  return std::nullopt;
}
