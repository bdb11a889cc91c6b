// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/mir/import.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tessera::mir;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Imports the only call in `@caller` of a module and looks at what it becomes.
class ImportTest : public testing::Test {
protected:
  ImportTest() { context.loadDialect<LLVM::LLVMDialect, MirDialect>(); }

  /// The module after the import, as text, or the error that it ended with.
  std::string import(StringRef source, StringRef opName,
                     ArrayRef<int64_t> annotation = {}) {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      error = "error: " + diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return error;
    LLVM::CallOp call;
    module->walk([&](LLVM::CallOp op) { call = op; });

    OpBuilder builder(call);
    FailureOr<SmallVector<Value, 1>> values =
        importAnnotatedCall(builder, call, opName, annotation);
    if (failed(values))
      return error;
    call->replaceAllUsesWith(*values);
    call->erase();
    if (failed(verify(*module)))
      return error;
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  }

  MLIRContext context;
};

constexpr StringLiteral threeOperands = R"(
  llvm.func @callee(!llvm.ptr, i64, i64) -> !llvm.ptr
  llvm.func @caller(%p: !llvm.ptr, %n: i64, %i: i64) -> !llvm.ptr {
    %0 = llvm.call @callee(%p, %n, %i) : (!llvm.ptr, i64, i64) -> !llvm.ptr
    llvm.return %0 : !llvm.ptr
  })";

TEST_F(ImportTest, IndexAddr) {
  std::string text = import(threeOperands, "mir.index_addr", {7, 4});
  EXPECT_THAT(text, HasSubstr("mir.slice.make %arg0, %arg1 : !mir.slice<f32>"));
  EXPECT_THAT(text, HasSubstr("mir.index_addr %0[%arg2] : !mir.slice<f32>"));
  EXPECT_THAT(text, Not(HasSubstr("llvm.call")));
}

TEST_F(ImportTest, ClassesAreBytes) {
  EXPECT_THAT(import(threeOperands, "mir.index_addr", {0, 12}),
              HasSubstr("!mir.slice<!llvm.array<12 x i8>>"));
}

TEST_F(ImportTest, DisjointAddr) {
  std::string text = import(threeOperands, "mir.disjoint_addr", {8, 8});
  EXPECT_THAT(text, HasSubstr("mir.witness.assume_unique %arg2"));
  EXPECT_THAT(text, HasSubstr("mir.disjoint_addr"));
  EXPECT_THAT(text, HasSubstr("!mir.disjoint_slice<f64>"));
}

TEST_F(ImportTest, Subslice) {
  std::string text = import(R"(
    llvm.func @callee(!llvm.ptr, i64, i64, i64) -> !llvm.ptr
    llvm.func @caller(%p: !llvm.ptr, %n: i64, %from: i64, %count: i64) -> !llvm.ptr {
      %0 = llvm.call @callee(%p, %n, %from, %count) : (!llvm.ptr, i64, i64, i64) -> !llvm.ptr
      llvm.return %0 : !llvm.ptr
    })",
                            "mir.subslice", {3, 4});
  EXPECT_THAT(text,
              HasSubstr("mir.subslice %0[%arg2, %arg3] : !mir.slice<i32>"));
  EXPECT_THAT(text, HasSubstr("mir.slice.ptr"));
}

TEST_F(ImportTest, OpsWithoutOperands) {
  constexpr StringLiteral size = R"(
    llvm.func @callee() -> i64
    llvm.func @caller() -> i64 {
      %0 = llvm.call @callee() : () -> i64
      llvm.return %0 : i64
    })";
  EXPECT_THAT(import(size, "mir.thread_index"), HasSubstr("mir.witness.index"));
  EXPECT_THAT(import(size, "mir.dynamic_shared_size"),
              HasSubstr("mir.dynamic_shared_size"));
  std::string text = import(R"(
    llvm.func @callee() -> !llvm.ptr
    llvm.func @caller() -> !llvm.ptr {
      %0 = llvm.call @callee() : () -> !llvm.ptr
      llvm.return %0 : !llvm.ptr
    })",
                            "mir.dynamic_shared", {7, 4});
  EXPECT_THAT(text, HasSubstr("mir.dynamic_shared : !mir.slice<f32>"));
}

TEST_F(ImportTest, AssertTakesItsMessageFromALiteral) {
  std::string text = import(R"(
    llvm.mlir.global private constant @text("n > 0\00")
    llvm.func @callee(i1, !llvm.ptr)
    llvm.func @caller(%c: i1) {
      %0 = llvm.mlir.addressof @text : !llvm.ptr
      %1 = llvm.getelementptr %0[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<6 x i8>
      llvm.call @callee(%c, %1) : (i1, !llvm.ptr) -> ()
      llvm.return
    })",
                            "mir.assert");
  EXPECT_THAT(text, HasSubstr("mir.assert %arg0, \"n > 0\""));
}

constexpr StringLiteral trapCall = R"(
  llvm.mlir.global private constant @text("out of luck\00")
  llvm.func @callee(!llvm.ptr)
  llvm.func @caller() {
    %0 = llvm.mlir.addressof @text : !llvm.ptr
    llvm.call @callee(%0) : (!llvm.ptr) -> ()
    llvm.unreachable
  })";

TEST_F(ImportTest, TrapHasAKind) {
  EXPECT_THAT(import(trapCall, "mir.trap"),
              HasSubstr("mir.trap user \"out of luck\""));
  EXPECT_THAT(import(trapCall, "mir.trap", {4}),
              HasSubstr("mir.trap exception \"out of luck\""));
  EXPECT_THAT(import(trapCall, "mir.trap", {77}),
              HasSubstr("error: the annotation 'mir.trap'"));
  EXPECT_THAT(import(trapCall, "mir.trap", {(int64_t{1} << 32) + 4}),
              HasSubstr("error:"));
  EXPECT_THAT(import(trapCall, "mir.trap", {-1}), HasSubstr("error:"));
}

TEST_F(ImportTest, Printf) {
  std::string text = import(R"(
    llvm.func @printf(!llvm.ptr, ...) -> i32
    llvm.func @caller(%f: !llvm.ptr, %x: f64) -> i32 {
      %0 = llvm.call @printf(%f, %x) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
      llvm.return %0 : i32
    })",
                            "mir.printf");
  EXPECT_THAT(text, HasSubstr("mir.printf %arg0(%arg1 : f64)"));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(ImportTest, UnknownOp) {
  EXPECT_EQ(import(threeOperands, "mir.index_adr", {7, 4}),
            "error: there is no op 'mir.index_adr'");
}

TEST_F(ImportTest, OpThatNoCallStandsFor) {
  EXPECT_EQ(import(threeOperands, "mir.slice.len"),
            "error: a call cannot stand for 'mir.slice.len'");
}

TEST_F(ImportTest, WrongOperands) {
  EXPECT_EQ(
      import(threeOperands, "mir.subslice", {7, 4}),
      "error: a function annotated with 'mir.subslice' must have the form "
      "T *(T *base, size_t length, size_t from, size_t count)");
  EXPECT_THAT(
      import(R"(
    llvm.func @callee(!llvm.ptr, i32, i32) -> !llvm.ptr
    llvm.func @caller(%p: !llvm.ptr, %n: i32, %i: i32) -> !llvm.ptr {
      %0 = llvm.call @callee(%p, %n, %i) : (!llvm.ptr, i32, i32) -> !llvm.ptr
      llvm.return %0 : !llvm.ptr
    })",
             "mir.index_addr", {7, 4}),
      HasSubstr(
          "must have the form T *(T *base, size_t length, size_t index)"));
}

TEST_F(ImportTest, WrongResult) {
  EXPECT_EQ(
      import(R"(
    llvm.func @callee() -> i32
    llvm.func @caller() -> i32 {
      %0 = llvm.call @callee() : () -> i32
      llvm.return %0 : i32
    })",
             "mir.thread_index"),
      "error: a function annotated with 'mir.thread_index' must return 'i64'");
}

TEST_F(ImportTest, WrongElement) {
  constexpr StringLiteral message =
      "error: the annotation 'mir.index_addr' must have an element code and "
      "the element's size";
  EXPECT_EQ(import(threeOperands, "mir.index_addr"), message);
  EXPECT_EQ(import(threeOperands, "mir.index_addr", {7, 8}), message);
  EXPECT_EQ(import(threeOperands, "mir.index_addr", {99, 4}), message);
  EXPECT_EQ(import(threeOperands, "mir.index_addr", {0, 0}), message);
}

TEST_F(ImportTest, MessageThatIsNoLiteral) {
  EXPECT_EQ(import(R"(
    llvm.func @callee(i1, !llvm.ptr)
    llvm.func @caller(%c: i1, %m: !llvm.ptr) {
      llvm.call @callee(%c, %m) : (i1, !llvm.ptr) -> ()
      llvm.return
    })",
                   "mir.assert"),
            "error: the message of 'mir.assert' must be a string literal");
}

TEST_F(ImportTest, MessageThatMayChange) {
  EXPECT_THAT(import(R"(
    llvm.mlir.global internal @text("n > 0\00")
    llvm.func @callee(i1, !llvm.ptr)
    llvm.func @caller(%c: i1) {
      %0 = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @callee(%c, %0) : (i1, !llvm.ptr) -> ()
      llvm.return
    })",
                     "mir.assert"),
              HasSubstr("must be a string literal"));
}

} // namespace
