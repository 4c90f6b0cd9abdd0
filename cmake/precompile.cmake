# Half of the time of a build went into parsing the headers of CAF and Boost.
option(CAF_MCP_PCH "Precompile the headers of CAF and Boost" ON)

# Precompiles them for TARGET; or has it share those of another target, which is compiled with the same flags.
function(caf_mcp_precompile TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARE" "HEADERS")
  if(NOT CAF_MCP_PCH)
    return()
  elseif(arg_SHARE)
    target_precompile_headers(${TARGET} REUSE_FROM ${arg_SHARE})
  else()
    target_precompile_headers(${TARGET} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp" ${arg_HEADERS})
  endif()
endfunction()

# Sources of one target are compiled a few at a time: by itself each takes up to four times as long, most of it for the same
# headers and templates. What they define in unnamed namespaces must differ in name. Clang compiles each by itself.
option(CAF_MCP_UNITY "Compile several sources at a time" ON)

# Has TARGET compiled so, AT_A_TIME sources each.
function(caf_mcp_compile_together TARGET AT_A_TIME)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${CAF_MCP_UNITY} UNITY_BUILD_BATCH_SIZE ${AT_A_TIME})
endfunction()
