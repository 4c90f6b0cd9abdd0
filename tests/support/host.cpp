#include "tests/support/host.hpp"

#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"

namespace tests {

host::host() : system_{config_}, runtime_{std::in_place, system_} {
  self.emplace(system_);
}

host::~host() {
  self.reset();
  stop_runtime();
  CHECK(children().empty());
}

caf_mcp::server_options host::program(std::string_view name,
                                      std::vector<std::string> args) {
  caf_mcp::server_options options;
  options.command = binary(name);
  options.args = std::move(args);
  options.stdin_grace = std::chrono::milliseconds{300};
  options.term_grace = std::chrono::milliseconds{300};
  return options;
}

caf_mcp::connection host::connect(caf_mcp::server_options options,
                                  caf_mcp::log_listener logs,
                                  caf_mcp::handlers answers) {
  return value(caf_mcp::spawn_connection(*runtime_, std::move(options),
                                         std::move(logs), std::move(answers)));
}

caf_mcp::connection host::open(caf_mcp::server_options options,
                               caf_mcp::handlers answers) {
  auto server = connect(std::move(options), {}, std::move(answers));
  value(caf_mcp::ask(*self, server, caf_mcp::open_connection{}));
  return server;
}

void host::stop_runtime() {
  runtime_.reset();
}

} // namespace tests
