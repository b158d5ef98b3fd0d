# `cmake --install` puts headers, libraries, tools and the package MemSpace,
# so that another project says find_package(MemSpace) and links MemSpace::….
include(CMakePackageConfigHelpers)
get_property(_libs GLOBAL PROPERTY MEMSPACE_LIBS)
install(TARGETS ${_libs} EXPORT MemSpaceTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT MemSpaceTargets NAMESPACE MemSpace::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MemSpace)
install(DIRECTORY ${MEMSPACE_INCLUDE_DIR}/MemSpace ${MEMSPACE_BINARY_INCLUDE_DIR}/MemSpace
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "*.h.inc" PATTERN "*.cpp.inc"
  PATTERN "CMakeFiles" EXCLUDE)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/MemSpaceConfig.cmake.in
  ${PROJECT_BINARY_DIR}/MemSpaceConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MemSpace)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/MemSpaceConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/MemSpaceConfig.cmake
              ${PROJECT_BINARY_DIR}/MemSpaceConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MemSpace)
