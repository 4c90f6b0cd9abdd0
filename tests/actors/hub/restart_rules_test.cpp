#include "caf_mcp/actors/hub/restart_rules.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cerrno>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

const restart_rules::clock::time_point start{};

supervision policy_of(restart_policy restart, std::uint32_t restarts) {
  supervision policy;
  policy.restart = restart;
  policy.max_restarts = restarts;
  policy.restart_period = 10s;
  return policy;
}

close_reason exit_with(std::int64_t status) {
  return {close_cause::exit_status, status, "", ""};
}

} // namespace

TEST_CASE("a permanent server is restarted whatever its end",
          "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::permanent, 2)};
  CHECK(rules.on_lost(exit_with(0), start) == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(1), start) == restart_decision::restart);
}

TEST_CASE("a transient server is restarted unless it exits with status 0",
          "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::transient, 5)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_decision::restart);
  CHECK(rules.on_lost({close_cause::signal, 9, "", ""}, start)
        == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(0), start) == restart_decision::stop);
}

TEST_CASE("a temporary server is never restarted", "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::temporary, 5)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_decision::stop);
}

TEST_CASE("a server that is lost once too often is given up",
          "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::permanent, 2)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(1), start + 1s) == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(1), start + 9999ms)
        == restart_decision::give_up);
}

TEST_CASE("a restart that is older than the period does not count",
          "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::permanent, 2)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(1), start + 1s) == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(1), start + 10s) == restart_decision::restart);
  CHECK(rules.on_lost(exit_with(1), start + 10500ms)
        == restart_decision::give_up);
}

TEST_CASE("without restarts the first loss is final", "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::permanent, 0)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_decision::give_up);
}

TEST_CASE("a shortage of this process is not counted against a server",
          "[restart_rules]") {
  restart_rules rules{policy_of(restart_policy::permanent, 1)};
  for (auto shortage : {EMFILE, ENFILE, ENOMEM, EAGAIN})
    for (auto i = 0; i < 3; ++i)
      CHECK(rules.on_lost({close_cause::spawn_failed, shortage, "", ""}, start)
            == restart_decision::restart);
  const close_reason broken{close_cause::spawn_failed, ENOEXEC, "", ""};
  CHECK(rules.on_lost(broken, start) == restart_decision::restart);
  CHECK(rules.on_lost(broken, start) == restart_decision::give_up);
}
