# Clang 14 is the oldest supported one; a system without it builds with the one it has.
find_program(CAF_MCP_CLANGXX NAMES clang++-14 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER "${CAF_MCP_CLANGXX}")
