// Starts servers, kills them, waits for their successors and closes the
// connections, over and over. At the end nothing may be left: no process, no
// zombie, no descriptor, no memory. caf-mcp-cycles [CYCLES [AT_A_TIME]]
#include "caf_mcp/actors/client.hpp"

#include "tests/soak/numbers.hpp"
#include "tests/soak/rounds.hpp"
#include "tests/support/paths.hpp"

#include <caf/scoped_actor.hpp>

#include <csignal>
#include <cstddef>

namespace {

using namespace caf_mcp;

server_options options_of_server() {
  server_options options;
  options.command = tests::binary("demo-server");
  options.stderr_to.kind = stderr_kind::discard;
  options.max_reconnects = 3;
  return options;
}

/// One life of a connection: started, killed, started again by itself, closed.
/// Returns whether each step went as it should.
bool run_cycle(caf::scoped_actor& self, runtime& host, std::size_t) {
  auto server = spawn_connection(host, options_of_server());
  if (!server)
    return false;
  auto first = ask(self, *server, open_connection{});
  if (!first || first->pid <= 0)
    return false;
  ::kill(static_cast<pid_t>(first->pid), SIGKILL);
  // In flight, or waiting for the successor; then certainly the latter.
  ask(self, *server, call_tool("add", {{"a", 1}, {"b", 2}}));
  auto answer = ask(self, *server, call_tool("add", {{"a", 1}, {"b", 2}}));
  auto second = ask(self, *server, get_session{});
  return answer && second && second->pid > 0 && second->pid != first->pid
         && ask(self, *server, close_connection{});
}

} // namespace

int main(int argc, char** argv) {
  const auto numbers
    = tests::read_numbers(argc, argv, 2, "caf-mcp-cycles [CYCLES [AT_A_TIME]]");
  if (!numbers)
    return 2;
  init_global_meta_objects();
  const std::size_t cycles = numbers->empty() ? 1000 : numbers->front();
  const std::size_t at_a_time = numbers->size() < 2 ? 16 : numbers->back();
  return tests::run_rounds(run_cycle, cycles, at_a_time) ? 0 : 1;
}
