#include "caf_mcp/actors/state/restart_rules.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

const restart_rules::clock::time_point start{};

supervision care_of(restart_policy policy, std::uint32_t restarts) {
  supervision care;
  care.restart = policy;
  care.max_restarts = restarts;
  care.restart_period = 10s;
  return care;
}

close_reason exit_with(std::int64_t status) {
  return {close_cause::exit_status, status, "", ""};
}

} // namespace

TEST_CASE("a permanent server is restarted whatever its end",
          "[restart_rules]") {
  restart_rules rules{care_of(restart_policy::permanent, 2)};
  CHECK(rules.on_lost(exit_with(0), start) == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(1), start) == restart_verdict::restart);
}

TEST_CASE("a transient server is restarted unless it exits with status 0",
          "[restart_rules]") {
  restart_rules rules{care_of(restart_policy::transient, 5)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_verdict::restart);
  CHECK(rules.on_lost({close_cause::signal, 9, "", ""}, start)
        == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(0), start) == restart_verdict::stop);
}

TEST_CASE("a temporary server is never restarted", "[restart_rules]") {
  restart_rules rules{care_of(restart_policy::temporary, 5)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_verdict::stop);
}

TEST_CASE("a server that is lost once too often is given up",
          "[restart_rules]") {
  restart_rules rules{care_of(restart_policy::permanent, 2)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(1), start + 1s) == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(1), start + 9999ms)
        == restart_verdict::give_up);
}

TEST_CASE("a restart that is older than the period does not count",
          "[restart_rules]") {
  restart_rules rules{care_of(restart_policy::permanent, 2)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(1), start + 1s) == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(1), start + 10s) == restart_verdict::restart);
  CHECK(rules.on_lost(exit_with(1), start + 10500ms)
        == restart_verdict::give_up);
}

TEST_CASE("without restarts the first loss is final", "[restart_rules]") {
  restart_rules rules{care_of(restart_policy::permanent, 0)};
  CHECK(rules.on_lost(exit_with(1), start) == restart_verdict::give_up);
}
