// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sites are numbered in the module's order and point at the user's line.
//
// RUN: %tessera-opt %s -convert-mir-to-llvm | FileCheck %s

// CHECK: module attributes {mir.trap_sites = [
// CHECK-SAME: {column = 5 : i32, expression = "x[i]", file = "user.cpp", function = "saxpy<float>", id = 0 : i32, kind = 0 : i32, line = 7 : i32},
// CHECK-SAME: {column = 9 : i32, expression = "", file = "user.cpp", function = "first", id = 1 : i32, kind = 1 : i32, line = 12 : i32},
// CHECK-SAME: {column = 3 : i32, expression = "a != b", file = "/home/user/tessera/main.cpp", function = "saxpy<float>", id = 2 : i32, kind = 2 : i32, line = 30 : i32},
// CHECK-SAME: {column = 1 : i32, expression = "out of luck", file = "/usr/include/c++/12/array", function = "saxpy<float>", id = 3 : i32, kind = 4 : i32, line = 99 : i32},
// CHECK-SAME: {column = 0 : i32, expression = "", file = "", function = "helper", id = 4 : i32, kind = 0 : i32, line = 0 : i32}]

#file = #llvm.di_file<"user.cpp" in "/home/user">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C_plus_plus_20, file = #file, isOptimized = false, emissionKind = LineTablesOnly>
#type = #llvm.di_subroutine_type<>
#first = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "first", file = #file, line = 10, subprogramFlags = Definition, type = #type>
#block = #llvm.di_lexical_block<scope = #first, file = #file, line = 11, column = 1>

mir.kernel @_Z5saxpy(%s: !mir.slice<f32>, %i: i64, %c: i1) attributes {source_name = "saxpy<float>"} {
  // In a header of ours, called by the user.
  %0 = mir.index_addr %s[%i] {expression = "x[i]"} : !mir.slice<f32>
    loc(callsite("/opt/include/tessera/span.h":20:3 at "user.cpp":7:5))
  // Known to hold: no site.
  %1 = mir.index_addr %s[%i] in_bounds : !mir.slice<f32> loc("user.cpp":8:5)
  // In the user's own function, which debug information names, inlined.
  %2 = mir.subslice %s[%i, %i] : !mir.slice<f32>
    loc(callsite(fused<#block>["user.cpp":12:9] at "user.cpp":40:1))
  // The user's project may be called tessera.
  mir.assert %c, "a != b" loc("/home/user/tessera/main.cpp":30:3)
  llvm.cond_br %c, ^fail, ^done
^fail:
  // Nothing but headers: the outermost.
  mir.trap exception "out of luck"
    loc(callsite("/usr/include/c++/12/bits/stl.h":5:5 at "/usr/include/c++/12/array":99:1))
  llvm.unreachable
^done:
  mir.return
}

llvm.func @helper(%i: i64, %n: i64) -> i64 {
  %j = mir.bounds_check %i, %n loc(unknown)
  llvm.return %j : i64
}
