# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` puts where. The driver finds its companions by these
# places (src/tools/tessera/layout.cpp), so they do not follow LIBDIR:
#
#   bin/tessera, bin/tessera-opt
#   lib/tessera/        plugin, runtime, compiler of the virtual GPU
#   lib/cmake/tessera/  find_package(tessera)
#   include/tessera/    headers
#   share/tessera/      examples; tessera.cfg, for clang++-22 --config=
#   share/doc/tessera/  licence

set(TESSERA_INSTALL_LIBDIR lib/tessera)

install(TARGETS tessera tessera-opt RUNTIME DESTINATION bin)
install(TARGETS tessera-plugin tessera-jit LIBRARY DESTINATION ${TESSERA_INSTALL_LIBDIR})
install(TARGETS tessera-runtime ARCHIVE DESTINATION ${TESSERA_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tessera DESTINATION include
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/tessera
        PATTERN "CMakeLists.txt" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/install/tessera.cfg DESTINATION share/tessera)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/tessera)

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/install/tesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION lib/cmake/tessera)
