# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(tessera): compile programs with kernels in a CMake project. The
# project's C++ compiler must be clang++ 22.
#
#   tessera_add_program(<name> <source>... [ARCH sm_80 ...])
#       An executable whose sources may have kernels.
#   tessera_enable(<target> [ARCH sm_80 ...])
#       The same for a target that exists.
#   tessera::runtime
#       The host library alone, with its headers.

get_filename_component(_tessera_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(TESSERA_PLUGIN "${_tessera_prefix}/lib/tessera/libtessera-plugin.so")

if(NOT TARGET tessera::runtime)
  find_package(Threads REQUIRED)
  add_library(tessera::runtime STATIC IMPORTED)
  set_target_properties(tessera::runtime PROPERTIES
    IMPORTED_LOCATION "${_tessera_prefix}/lib/tessera/libtessera-runtime.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_tessera_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS}")
endif()

function(tessera_enable target)
  cmake_parse_arguments(ARG "" "" "ARCH" ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
     OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^22\\.")
    message(FATAL_ERROR "tessera: '${target}' needs clang++ 22, but the C++ compiler is "
                        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; "
                        "configure with -DCMAKE_CXX_COMPILER=clang++-22")
  endif()
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fplugin=${TESSERA_PLUGIN}>)
  if(ARG_ARCH)
    list(JOIN ARG_ARCH "," arches)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fplugin-arg-tessera-arch=${arches}>)
  endif()
  target_link_libraries(${target} PRIVATE tessera::runtime)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${TESSERA_PLUGIN}")
endfunction()

function(tessera_add_program name)
  cmake_parse_arguments(ARG "" "" "ARCH" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tessera_enable(${name} ARCH ${ARG_ARCH})
endfunction()
