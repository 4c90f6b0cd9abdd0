# Headers are included as "caf_mcp/actors/connection.hpp" everywhere. In the build tree links stand for the folders of
# the source tree, so that the sources need no `include/caf_mcp` of their own.
set(CAF_MCP_INCLUDE_DIR "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${CAF_MCP_INCLUDE_DIR}/caf_mcp")
foreach(folder IN ITEMS actors messages)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${CAF_MCP_INCLUDE_DIR}/caf_mcp/${folder}" SYMBOLIC)
endforeach()
configure_file(cmake/version.hpp.in "${CAF_MCP_INCLUDE_DIR}/caf_mcp/version.hpp" @ONLY)
