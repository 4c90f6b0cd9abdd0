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
