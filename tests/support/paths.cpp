#include "tests/support/paths.hpp"

namespace tests {

std::string binary(std::string_view name) {
  return std::string{CAF_MCP_BIN_DIR "/"} += name;
}

std::string test_file(std::string_view name) {
  return std::string{CAF_MCP_TESTS_DIR "/"} += name;
}

std::string npm_binary(std::string_view name) {
  return std::string{CAF_MCP_NODE_MODULES_DIR "/.bin/"} += name;
}

std::string node_directory() {
  return CAF_MCP_NODE_BIN_DIR;
}

} // namespace tests
