#include "caf_mcp/version.hpp"

#include <iostream>

int main() {
  std::cout << "caf-mcp " << caf_mcp::version << '\n';
}
