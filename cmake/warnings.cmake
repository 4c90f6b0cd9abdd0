# Warnings and sanitizers for our own targets; nothing of it reaches who links the library.

option(CAF_MCP_WERROR "Treat warnings as errors" OFF)
set(CAF_MCP_SANITIZER "" CACHE STRING "Sanitizer: empty, address (with undefined) or thread")
set_property(CACHE CAF_MCP_SANITIZER PROPERTY STRINGS "" address thread)

add_library(caf_mcp_own_flags INTERFACE)
# Clang 14 warns of fields that an initializer leaves to their default member initializers, which is meant.
# GCC's whole -Wshadow also objects to a local that is named like a base class: CAF's actors have a base `sender`.
target_compile_options(caf_mcp_own_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wold-style-cast -Wcast-align -Wimplicit-fallthrough -Wformat=2
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local -Wduplicated-cond -Wlogical-op -Wuseless-cast>
  $<$<CXX_COMPILER_ID:Clang>:-Wshadow -Wno-missing-field-initializers>
  # GCC 12 sees overlaps and overflows in std::string that are not there (its bugs 105329, 105651): told, but no error.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-error=restrict$<SEMICOLON>-Wno-error=array-bounds$<SEMICOLON>-Wno-error=stringop-overflow$<SEMICOLON>-Wno-error=stringop-overread>
  $<$<BOOL:${CAF_MCP_WERROR}>:-Werror>)

if(CAF_MCP_SANITIZER STREQUAL "address")
  set(sanitizer_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(CAF_MCP_SANITIZER STREQUAL "thread")
  set(sanitizer_flags -fsanitize=thread -fno-omit-frame-pointer)
  # The thread sanitizer does not model the fences in Asio's handlers, and GCC warns of each; Asio passes handlers
  # between threads under a mutex.
  add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
elseif(CAF_MCP_SANITIZER)
  message(FATAL_ERROR "CAF_MCP_SANITIZER is '${CAF_MCP_SANITIZER}', not empty, address or thread")
endif()
add_compile_options(${sanitizer_flags})
add_link_options(${sanitizer_flags})

# Has the address sanitizer pass over what CAF leaves behind in TARGET, a program that is a node.
function(caf_mcp_pass_over_known_leaks TARGET)
  if(CAF_MCP_SANITIZER STREQUAL "address")
    target_sources(${TARGET} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/known_leaks.cpp")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/cmake/known_leaks.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
