#include "tests/support/wire.hpp"

#include "tests/support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <string>

namespace tests {

wire_to_node::wire_to_node(const caf_mcp::node_address& node,
                           const std::string& fault)
  : transport_{node.transport} {
  const auto command = "exec python3 '" + test_file("servers/forward.py") + "' "
                       + std::to_string(node.port) + ' ' + fault;
  output_ = ::popen(command.c_str(), "re");
  REQUIRE(output_ != nullptr);
  auto pid = 0;
  unsigned port = 0;
  REQUIRE(std::fscanf(output_, "%d %u", &pid, &port) == 2);
  pid_ = pid;
  port_ = static_cast<std::uint16_t>(port);
}

wire_to_node::~wire_to_node() {
  ::kill(pid_, SIGKILL);
  ::pclose(output_);
}

void wire_to_node::cut() const {
  ::kill(pid_, SIGSTOP);
}

void wire_to_node::mend() const {
  ::kill(pid_, SIGCONT);
}

} // namespace tests
