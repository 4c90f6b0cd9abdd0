#include "tests/support/sdk_server.hpp"

#include "tests/support/paths.hpp"

#include <cstdlib>

namespace tests {

std::string path_with_node() {
  const auto* path = std::getenv("PATH");
  return node_directory() + ':' + (path == nullptr ? "" : path);
}

caf_mcp::server_options sdk_server(const std::vector<std::string>& args) {
  caf_mcp::server_options options;
  options.command = "node";
  options.args = {test_file("servers/modern-server.mjs")};
  options.args.insert(options.args.end(), args.begin(), args.end());
  options.env["PATH"] = path_with_node();
  return options;
}

std::string first_text(const caf_mcp::payload& result) {
  return std::string{
    result.value().at("content").as_array().at(0).at("text").as_string()};
}

} // namespace tests
