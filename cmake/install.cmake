# Installs the library, its headers, the tool and the CMake package `caf_mcp`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/caf_mcp")

install(TARGETS caf_mcp EXPORT caf_mcp_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(folder IN ITEMS actors messages)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caf_mcp/${folder}"
    FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(FILES "${CAF_MCP_INCLUDE_DIR}/caf_mcp/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caf_mcp")
if(TARGET caf-mcp)
  install(TARGETS caf-mcp RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(EXPORT caf_mcp_targets NAMESPACE caf_mcp:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/caf_mcp-config.cmake.in "${PROJECT_BINARY_DIR}/caf_mcp-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caf_mcp-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/caf_mcp-config.cmake"
  "${PROJECT_BINARY_DIR}/caf_mcp-config-version.cmake"
  DESTINATION "${package_dir}")
