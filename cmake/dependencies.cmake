# Finds what the library, the tool and the tests are built on. Nothing is downloaded here: `./dev setup` does that, and
# cmake/setup.sh alone knows where it puts things.

function(caf_mcp_setup_path OUT)
  execute_process(
    COMMAND bash "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/setup.sh" ${ARGN}
    OUTPUT_VARIABLE path
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
  set(${OUT} "${path}" PARENT_SCOPE)
endfunction()

# --- CAF ---

set(caf_flavour plain)
if(CAF_MCP_SANITIZER STREQUAL "address")
  set(caf_flavour asan)
elseif(CAF_MCP_SANITIZER STREQUAL "thread")
  set(caf_flavour tsan)
endif()

# An earlier configuration found ours; it may have another key by now.
caf_mcp_setup_path(caf_prefix caf-prefix ${caf_flavour})
cmake_path(GET caf_prefix PARENT_PATH cache)
cmake_path(IS_PREFIX cache "${CAF_DIR}" is_ours)
if(is_ours)
  unset(CAF_DIR CACHE)
endif()

# An installed CAF is used as it is, but no installed one is instrumented for a sanitizer. Its package file would answer
# for one major version only, so that the version is compared here.
if(caf_flavour STREQUAL "plain")
  find_package(CAF QUIET COMPONENTS core io)
  if(CAF_FOUND AND CAF_VERSION VERSION_LESS 0.18.7)
    set(CAF_FOUND FALSE)
    unset(CAF_DIR CACHE)
  endif()
endif()
if(NOT CAF_FOUND)
  list(APPEND CMAKE_PREFIX_PATH "${caf_prefix}")
  find_package(CAF 0.18.7 QUIET COMPONENTS core io)
endif()
if(NOT CAF_FOUND)
  message(FATAL_ERROR
    "No CAF 0.18.7 or newer found, neither installed nor in '${caf_prefix}'.\n"
    "Run `./dev setup ${caf_flavour}` first, or name yours with -DCMAKE_PREFIX_PATH=...")
endif()
message(STATUS "CAF ${CAF_VERSION}: ${CAF_DIR}")

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)

# --- Boost ---

# FindBoost is gone from newer CMake: take Boost's own package file where the policy exists.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost 1.81 REQUIRED COMPONENTS json)
# Process v2 has a compiled library from 1.86 on; before, it is header-only on top of Boost.Filesystem.
if(Boost_VERSION_STRING VERSION_GREATER_EQUAL 1.86)
  set(caf_mcp_boost_process process)
else()
  set(caf_mcp_boost_process filesystem)
endif()
find_package(Boost 1.81 REQUIRED COMPONENTS json ${caf_mcp_boost_process})

# --- For the tool, the benchmarks and the tests ---

if(CAF_MCP_BUILD_APPS)
  find_package(CLI11 REQUIRED)
  find_package(benchmark QUIET)
endif()

if(CAF_MCP_BUILD_TESTS)
  caf_mcp_setup_path(catch2_prefix catch2-prefix)
  list(APPEND CMAKE_PREFIX_PATH "${catch2_prefix}/usr")
  find_package(Catch2 3.4 QUIET)
  if(NOT Catch2_FOUND)
    message(FATAL_ERROR "No Catch2 3 found. Run `./dev setup` first, or configure with -DCAF_MCP_BUILD_TESTS=OFF.")
  endif()
endif()

# Servers of the tests and clients of the benchmark run on it; neither is needed to build.
if(CAF_MCP_BUILD_APPS OR CAF_MCP_BUILD_TESTS)
  caf_mcp_setup_path(CAF_MCP_NODE_BIN node-bin)
endif()
