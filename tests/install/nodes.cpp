#include "caf_mcp/actors/nodes.hpp"

#include <iostream>

int main() {
  auto address = caf_mcp::parse_node_address("node", "localhost:4000");
  std::cout << to_string(*address) << '\n';
}
