# Installs the library, its headers, the tool and the CMake package `caf_mcp`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/caf_mcp")

install(TARGETS caf_mcp EXPORT caf_mcp_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# In a file of its own, so that who does not ask for the component needs none of its dependencies.
install(TARGETS caf_mcp_nodes EXPORT caf_mcp_nodes_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# The headers that users include, and the few of other rooms that these include; the test install.consumer compiles each.
foreach(folder IN ITEMS actors messages)
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.hpp")
  install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caf_mcp/${folder}")
endforeach()
foreach(header IN ITEMS
    actors/loop/caf_version messages/config/expand_variables messages/config/server_config messages/json/object_members
    messages/json/compose messages/json/payload)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caf_mcp/${folder}")
endforeach()
install(FILES "${CAF_MCP_INCLUDE_DIR}/caf_mcp/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/caf_mcp")
if(TARGET caf-mcp)
  install(TARGETS caf-mcp RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(EXPORT caf_mcp_targets NAMESPACE caf_mcp:: DESTINATION "${package_dir}")
install(EXPORT caf_mcp_nodes_targets NAMESPACE caf_mcp:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/caf_mcp-config.cmake.in "${PROJECT_BINARY_DIR}/caf_mcp-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caf_mcp-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/caf_mcp-config.cmake"
  "${PROJECT_BINARY_DIR}/caf_mcp-config-version.cmake"
  DESTINATION "${package_dir}")
