# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How Tessera's libraries and programs are built. Three kinds of code:
#   plain   the standard library only (image, ptx, vgpu, runtime): C++23 inside
#   mlir    LLVM and MLIR through their shared libraries: C++20, no RTTI
#   tools   programs over either
# Every folder under src/ says what it may use by the libraries that it links.

include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Debug information of the project's own code stays in line tables: full
# debug information triples the link time of the tools.
string(REPLACE "-g" "-gline-tables-only" CMAKE_CXX_FLAGS_RELWITHDEBINFO
       "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need the time macros relaxed. The base directory, and
  # leaving the folder of the build out of the hash, make objects of two
  # checkouts interchangeable.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
  set(CMAKE_PCH_INSTANTIATE_TEMPLATES ON)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Xclang$<SEMICOLON>-fno-pch-timestamp>)
endif()

find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
set(TESSERA_LLVM_PREFIX ${LLVM_INSTALL_PREFIX})
set(TESSERA_LLVM_LIBDIR ${LLVM_INSTALL_PREFIX}/lib)
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${TESSERA_LLVM_LIBDIR}/cmake/mlir)
set(MLIR_TABLEGEN_EXE ${LLVM_INSTALL_PREFIX}/bin/mlir-tblgen)
set(MLIR_INCLUDE_DIRS ${LLVM_INSTALL_PREFIX}/include)

set(TESSERA_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)

# tessera_add_library(<name> [SHARED] SOURCES ... [LINK ...])
# A library of plain code.
function(tessera_add_library name)
  cmake_parse_arguments(ARG "SHARED" "" "SOURCES;LINK" ${ARGN})
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  # Not for dependents: code over MLIR is C++20 and includes C++20 headers only.
  target_compile_features(${name} PRIVATE cxx_std_23)
  target_compile_options(${name} PRIVATE ${TESSERA_WARNINGS})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# What every target that includes LLVM or MLIR needs.
function(tessera_use_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/src)
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
  target_compile_options(${target} PRIVATE -fno-rtti ${TESSERA_WARNINGS})
  set_target_properties(${target} PROPERTIES BUILD_RPATH ${TESSERA_LLVM_LIBDIR}
                        INSTALL_RPATH "${TESSERA_LLVM_LIBDIR}")
endfunction()

# tessera_add_mlir_library(<name> SOURCES ... [LINK ...] [DEPENDS ...] [PCH header ...])
# A static library over LLVM and MLIR. LINK names other libraries of ours;
# the shared LLVM and MLIR libraries are linked by the final programs.
function(tessera_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS;PCH" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  # MLIR's headers do not compile as C++23 with libstdc++ 12.
  target_compile_features(${name} PUBLIC cxx_std_20)
  tessera_use_llvm(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_PCH)
    target_precompile_headers(${name} PRIVATE ${ARG_PCH})
  endif()
endfunction()

# Links a final program or plugin against the shared LLVM and MLIR.
function(tessera_link_mlir target)
  target_link_libraries(${target} PRIVATE
    ${TESSERA_LLVM_LIBDIR}/libMLIR.so ${TESSERA_LLVM_LIBDIR}/libLLVM.so)
endfunction()

# tessera_tablegen(<target> <td-file> (<option> <output>)...)
# Runs mlir-tblgen; outputs land beside the source in the build tree.
function(tessera_tablegen target td)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${td})
  set(outputs)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest options output)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${output})
    separate_arguments(options)
    add_custom_command(
      OUTPUT ${file}
      COMMAND ${MLIR_TABLEGEN_EXE} ${options} -I ${MLIR_INCLUDE_DIRS} -I ${PROJECT_SOURCE_DIR}/src
              -I ${CMAKE_CURRENT_SOURCE_DIR} ${source} --write-if-changed -o ${file}
              -d ${file}.d
      DEPENDS ${source} DEPFILE ${file}.d
      COMMENT "mlir-tblgen ${output}")
    list(APPEND outputs ${file})
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()

# tessera_add_unit_test(<name> [MLIR] SOURCES ... [LINK ...])
# A GoogleTest program, registered with CTest; MLIR for those over LLVM and MLIR.
function(tessera_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE ${TESSERA_WARNINGS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  if(NOT ARG_MLIR)
    target_compile_features(${name} PRIVATE cxx_std_23)
  else()
    target_compile_features(${name} PRIVATE cxx_std_20)
    tessera_use_llvm(${name})
    tessera_link_mlir(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  add_dependencies(tessera-test-programs ${name})
endfunction()
