// Servers that make it hard: bursts of large requests whose server is killed,
// processes that flood after the exit of the server that started them, and
// servers that do not survive the probe, each with restarts, over and over.
// Each request must be answered once, and nothing may be left.
// caf-mcp-hostile [ROUNDS [AT_A_TIME]]
#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "tests/soak/numbers.hpp"
#include "tests/soak/rounds.hpp"
#include "tests/support/paths.hpp"

#include <caf/scoped_actor.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace caf_mcp;
using namespace std::chrono_literals;

constexpr std::size_t burst_requests = 16;
constexpr std::size_t large_bytes = 200'000;

server_options options_of(std::string_view program, std::string_view how = {}) {
  server_options options;
  options.command = tests::binary(program);
  if (!how.empty())
    options.args = {std::string{how}};
  options.stderr_to.kind = stderr_kind::discard;
  options.stdin_grace = 100ms;
  options.term_grace = 100ms;
  options.max_reconnects = 3;
  return options;
}

/// What came of many requests.
struct outcomes {
  std::size_t answered = 0;
  /// Failed since the server was lost.
  std::size_t lost = 0;
};

/// Sends a burst of large requests, has something happen, and takes what comes
/// of each.
template <class Action>
outcomes burst(caf::scoped_actor& self, const connection& server,
               Action meanwhile) {
  const auto request
    = call_tool("echo", {{"message", std::string(large_bytes, 'x')}});
  std::vector<decltype(ask(self.ptr(), server, request))> sent;
  for (std::size_t i = 0; i < burst_requests; ++i)
    sent.push_back(ask(self.ptr(), server, request));
  meanwhile();
  outcomes result;
  for (auto& each : sent)
    std::move(each).receive([&](const payload&) { ++result.answered; },
                            [&](const caf::error& error) {
                              if (describe(error).name == "connection_closed")
                                ++result.lost;
                            });
  return result;
}

/// Says why a round fails; returns false.
bool fail(std::string_view what, const caf::error& why = {}) {
  std::cerr << what << ": " << caf::to_string(why) << '\n';
  return false;
}

bool answers(caf::scoped_actor& self, const connection& server,
             std::string_view when) {
  const auto answer = ask(self, server, call_tool("t"));
  return answer || fail(std::string{"no answer "} += when, answer.error());
}

bool survives_bursts(caf::scoped_actor& self, const connection& server) {
  const auto session = ask(self, server, open_connection{});
  if (!session || session->pid <= 0)
    return fail("not opened", session ? caf::error{} : session.error());
  const auto first = burst(
    self, server, [&] { ::kill(static_cast<pid_t>(session->pid), SIGKILL); });
  const auto second = burst(self, server, [] {});
  if (first.answered + first.lost != burst_requests)
    return fail("requests of the killed server failed in another way");
  return second.answered == burst_requests
         || fail("requests of its successor were not answered");
}

/// Calls the successor of a server that left a flood behind.
bool survives_floods(caf::scoped_actor& self, const connection& server) {
  for (auto losses = 0; losses < 2; ++losses) {
    if (!answers(self, server, "before the exit"))
      return false;
    const auto lost = ask(self, server, call_tool("leave"));
    if (lost)
      return fail("the server has not left");
    if (describe(lost.error()).name != "connection_closed")
      return fail("failed in another way", lost.error());
  }
  return answers(self, server, "after the exits");
}

/// The probe costs a process, but no request; nor does the next start.
bool survives_probe(caf::scoped_actor& self, const connection& server) {
  if (!answers(self, server, "to the first request"))
    return false;
  const auto session = ask(self, server, get_session{});
  if (!session || session->pid <= 0 || session->era != era::legacy)
    return fail("no legacy session", session ? caf::error{} : session.error());
  ::kill(static_cast<pid_t>(session->pid), SIGKILL);
  ask(self, server, call_tool("t")); // in flight, or for the successor
  return answers(self, server, "after the kill");
}

struct hostility {
  std::string_view program;
  std::string_view how;
  bool (*survives)(caf::scoped_actor& self, const connection& server);
};

constexpr std::array hostilities{
  hostility{"demo-server", "", survives_bursts},
  hostility{"test-flood-after-exit", "messages", survives_floods},
  hostility{"test-flood-after-exit", "junk", survives_floods},
  hostility{"test-flood-after-exit", "bytes", survives_floods},
  hostility{"test-die-of-probe", "error", survives_probe},
  hostility{"test-die-of-probe", "slow", survives_probe},
  hostility{"test-die-of-probe", "bytes", survives_probe}};

/// The life of one connection, with each hostility in turn.
bool run_round(caf::scoped_actor& self, runtime& host, std::size_t number) {
  const auto& each = hostilities[number % hostilities.size()];
  const auto server
    = spawn_connection(host, options_of(each.program, each.how));
  if (!server)
    return fail("not spawned", server.error());
  const auto is_fine = each.survives(self, *server);
  const auto end = ask(self, *server, close_connection{});
  if (!is_fine || !end)
    std::cerr << each.program << ' ' << each.how << " was not survived\n";
  return is_fine && (end || fail("not closed", end.error()));
}

} // namespace

int main(int argc, char** argv) {
  const auto numbers = tests::read_numbers(
    argc, argv, 2, "caf-mcp-hostile [ROUNDS [AT_A_TIME]]");
  if (!numbers)
    return 2;
  init_global_meta_objects();
  const std::size_t rounds = numbers->empty() ? 350 : numbers->front();
  const std::size_t at_a_time = numbers->size() < 2 ? 14 : numbers->back();
  return tests::run_rounds(run_round, rounds, at_a_time) ? 0 : 1;
}
