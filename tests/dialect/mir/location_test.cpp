// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/location.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using tessera::mir::getUserPlace;
using tessera::mir::isLibraryHeader;
using tessera::mir::UserPlace;

namespace {

class UserPlaceTest : public testing::Test {
protected:
  Location at(StringRef file, unsigned line) {
    return FileLineColLoc::get(&context, file, line, 1);
  }
  static Location inlined(Location callee, Location caller) {
    return CallSiteLoc::get(callee, caller);
  }
  static void expectPlace(Location location, StringRef file, unsigned line) {
    UserPlace place = getUserPlace(location);
    EXPECT_EQ(place.file, file);
    EXPECT_EQ(place.line, line);
  }

  MLIRContext context;
};

TEST_F(UserPlaceTest, PlainLocationIsTheUsers) {
  expectPlace(at("a.cpp", 3), "a.cpp", 3);
}

TEST_F(UserPlaceTest, HeaderFramesAreSkipped) {
  Location header = at("/opt/include/tessera/span.h", 10);
  expectPlace(inlined(header, at("a.cpp", 3)), "a.cpp", 3);
  Location standard = at("/usr/include/c++/12/bits/stl_algo.h", 99);
  expectPlace(inlined(inlined(header, standard), at("a.cpp", 4)), "a.cpp", 4);
}

TEST_F(UserPlaceTest, InnermostOfTheUsersFramesCounts) {
  Location access =
      inlined(at("include/tessera/span.h", 10), at("helpers.h", 5));
  expectPlace(inlined(access, at("a.cpp", 3)), "helpers.h", 5);
}

TEST_F(UserPlaceTest, OutermostCountsWhereAllAreHeaders) {
  Location inner = at("include/tessera/span.h", 10);
  Location outer = at("include/tessera/algorithm.h", 20);
  expectPlace(inlined(inner, outer), "include/tessera/algorithm.h", 20);
}

TEST_F(UserPlaceTest, NamesAndFusionsAreUnwrapped) {
  Location named = NameLoc::get(StringAttr::get(&context, "x"), at("a.cpp", 7));
  expectPlace(named, "a.cpp", 7);
  Location fused = FusedLoc::get(
      &context, {UnknownLoc::get(&context), at("b.cpp", 8), at("c.cpp", 9)});
  expectPlace(fused, "b.cpp", 8);
}

TEST_F(UserPlaceTest, UnknownHasNoFile) {
  expectPlace(UnknownLoc::get(&context), "", 0);
}

TEST(IsLibraryHeader, TellsHeadersFromProjectsOfTheSameName) {
  EXPECT_TRUE(isLibraryHeader("/usr/local/include/tessera/device/span.h"));
  EXPECT_TRUE(
      isLibraryHeader("/usr/lib/llvm-22/lib/clang/22/include/stddef.h"));
  EXPECT_FALSE(isLibraryHeader("/home/me/tessera/examples/vecadd/main.cpp"));
  EXPECT_FALSE(isLibraryHeader("include/mine.h"));
}

} // namespace
