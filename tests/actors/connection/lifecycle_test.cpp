// When a server is started, agreed with, started again and given up, without an
// actor.
#include "caf_mcp/actors/connection/lifecycle.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

using answer_to = handshake::answer_to;
using step = lifecycle::step;

constexpr lifecycle::clock::time_point start{1h};

/// A lifecycle and the options it keeps.
struct subject {
  explicit subject(era_mode mode = era_mode::legacy,
                   std::uint32_t reconnects_max = 1)
    : options{std::make_shared<server_options>()} {
    options->mode = mode;
    options->max_reconnects = reconnects_max;
    self.emplace(options, 1, 100ms);
  }

  lifecycle* operator->() {
    return &*self;
  }

  /// Starts the server and makes it ready.
  void connect() {
    self->start_if_idle();
    self->on_port_opened(7, start);
    agree();
  }

  step agree() {
    return self->on_answer(
      answer_to::initialize,
      parse_payload(R"({"protocolVersion":"2025-11-25","capabilities":{}})"),
      start);
  }

  std::shared_ptr<server_options> options;
  std::optional<lifecycle> self;
};

template <class T>
bool is(const step& next) {
  return std::holds_alternative<T>(next);
}

close_reason died(std::string detail = "died") {
  close_reason result;
  result.cause = close_cause::exit_status;
  result.number = 1;
  result.detail = std::move(detail);
  result.stderr_tail = "its last lines";
  return result;
}

} // namespace

TEST_CASE("a server is started when it is needed for the first time") {
  subject life;
  CHECK(life->state() == connection_state::idle);
  CHECK(life->next_deadline() == lifecycle::clock::time_point::max());
  CHECK(is<lifecycle::start_process>(life->start_if_idle()));
  CHECK(life->state() == connection_state::connecting);
  CHECK(life->generation() == 1);
  CHECK(is<lifecycle::nothing>(life->start_if_idle()));
  CHECK(is<handshake::send_initialize>(life->on_port_opened(7, start)));
}

TEST_CASE("a session is known from the agreement on") {
  subject life;
  life->start_if_idle();
  life->on_port_opened(7, start);
  CHECK(life->current_session() == nullptr);
  CHECK(life->info(0).pid == 0);
  CHECK(is<lifecycle::serve>(life.agree()));
  REQUIRE(life->current_session() != nullptr);
  CHECK(life->info(0).state == connection_state::ready);
  CHECK(life->info(0).protocol_version == "2025-11-25");
  CHECK(life->info(0).pid == 7);
  CHECK(life->server_stage() == server_requests::stage::legacy);
}

TEST_CASE("a handshake that fails stops the process and keeps its stderr") {
  subject life;
  life.options->handshake_timeout = 50ms;
  life->start_if_idle();
  life->on_port_opened(7, start);
  CHECK(life->next_deadline() <= start + 50ms);
  CHECK(is<lifecycle::stop_process>(life->on_deadline(start + 50ms)));
  // Too late, and no second deadline.
  CHECK(is<lifecycle::nothing>(life.agree()));
  CHECK(is<lifecycle::nothing>(life->on_deadline(start + 1h)));
  auto next = life->on_port_closed(died("exit status 1"), start + 60ms);
  REQUIRE(is<lifecycle::close>(next));
  const auto& reason = std::get<lifecycle::close>(next).reason;
  CHECK(reason.cause == close_cause::handshake_failed);
  CHECK(reason.detail.ends_with("; exit status 1"));
  CHECK(reason.stderr_tail == "its last lines");
}

TEST_CASE("the time of a handshake begins when the process runs") {
  const auto mode = GENERATE(era_mode::automatic, era_mode::legacy);
  const auto starts = GENERATE(1, 2);
  subject life{mode, 5};
  life.options->handshake_timeout = 50ms;
  life.options->probe_timeout = 10ms;
  // A process that is started later is waited for as the first one is.
  auto now = start;
  life->start_if_idle();
  if (starts == 2) {
    life->on_port_opened(7, now);
    life->on_answer(answer_to::discover, rpc_error{}, now);
    life.agree();
    life->on_port_closed(died(), now);
    now = life->next_deadline();
    REQUIRE(is<lifecycle::start_process>(life->on_deadline(now)));
  }
  CHECK(life->next_deadline() == lifecycle::clock::time_point::max());
  CHECK(is<lifecycle::nothing>(life->on_deadline(now + 1h)));
  now += 1h;
  life->on_port_opened(8, now);
  CHECK(life->next_deadline() <= now + 50ms);
  life->on_deadline(now + 10ms);
  CHECK(is<lifecycle::stop_process>(life->on_deadline(now + 50ms)));
}

TEST_CASE("the time of the probe begins when it is sent") {
  subject life{era_mode::automatic};
  life.options->probe_timeout = 10ms;
  life->start_if_idle();
  CHECK(is<lifecycle::nothing>(life->on_deadline(start + 1h)));
  life->on_port_opened(7, start + 1h);
  CHECK(is<lifecycle::nothing>(life->on_deadline(start + 1h + 9ms)));
  CHECK(is<handshake::send_initialize>(life->on_deadline(start + 1h + 10ms)));
}

TEST_CASE("time that is up before a process was started again stops it") {
  subject life{era_mode::automatic};
  life.options->handshake_timeout = 50ms;
  life->start_if_idle();
  life->on_port_opened(7, start);
  REQUIRE(
    is<lifecycle::restart_process>(life->on_port_closed(died(), start + 5ms)));
  CHECK(is<lifecycle::stop_process>(life->on_deadline(start + 50ms)));
  CHECK(is<lifecycle::nothing>(life->on_port_opened(8, start + 51ms)));
  auto next = life->on_port_closed(died(), start + 52ms);
  REQUIRE(is<lifecycle::close>(next));
  CHECK(std::get<lifecycle::close>(next).reason.cause
        == close_cause::handshake_failed);
}

TEST_CASE("a server that was modern may come back as a legacy one") {
  subject life{era_mode::automatic, 5};
  life.options->probe_timeout = 10ms;
  life->start_if_idle();
  life->on_port_opened(7, start);
  life->on_answer(answer_to::discover,
                  parse_payload(R"({"supportedVersions":["2026-07-28"]})"),
                  start);
  REQUIRE(life->is_ready());
  life->on_port_closed(died(), start);
  life->on_deadline(life->next_deadline());
  CHECK(is<handshake::send_discover>(life->on_port_opened(8, start)));
  SECTION("that dies of the probe") {
    CHECK(is<lifecycle::restart_process>(life->on_port_closed(died(), start)));
    CHECK(is<handshake::send_initialize>(life->on_port_opened(9, start)));
    CHECK(is<lifecycle::serve>(life.agree()));
  }
  SECTION("that says nothing to the probe") {
    CHECK(is<handshake::send_initialize>(life->on_deadline(start + 10ms)));
    CHECK(life->server_stage() == server_requests::stage::starting);
    CHECK(is<lifecycle::serve>(life.agree()));
  }
  SECTION("that cannot be started, which is no answer to the probe") {
    life->on_port_closed(died(), start);
    life->on_port_opened(9, start);
    CHECK(is<lifecycle::wait_for_restart>(life->on_port_closed(died(), start)));
    life->on_deadline(life->next_deadline());
    CHECK(is<lifecycle::wait_for_restart>(life->on_port_closed(died(), start)));
  }
}

TEST_CASE("a server that sends back what it reads is stopped") {
  subject life;
  life->start_if_idle();
  life->on_port_opened(7, start);
  CHECK(is<lifecycle::nothing>(life->on_request("roots/list", start)));
  CHECK(is<lifecycle::stop_process>(life->on_request("initialize", start)));
}

TEST_CASE("a process that the probe ends is started again, in the same time") {
  subject life{era_mode::automatic};
  life.options->handshake_timeout = 50ms;
  life.options->probe_timeout = 10ms;
  life->start_if_idle();
  CHECK(is<handshake::send_discover>(life->on_port_opened(7, start)));
  CHECK(
    is<lifecycle::restart_process>(life->on_port_closed(died(), start + 5ms)));
  CHECK(life->state() == connection_state::connecting);
  CHECK(life->generation() == 2);
  CHECK(life->next_deadline() == start + 50ms);
  CHECK(is<handshake::send_initialize>(life->on_port_opened(8, start + 6ms)));
}

TEST_CASE("a probe without an answer is followed by initialize, once") {
  subject life{era_mode::automatic};
  life.options->probe_timeout = 10ms;
  life->start_if_idle();
  life->on_port_opened(7, start);
  CHECK(life->next_deadline() == start + 10ms);
  CHECK(is<handshake::send_initialize>(life->on_deadline(start + 10ms)));
  CHECK(life->next_deadline() == start + life.options->handshake_timeout);
  CHECK(is<lifecycle::nothing>(life->on_deadline(start + 10ms)));
}

TEST_CASE("any error that names no request answers the probe") {
  subject life{era_mode::automatic};
  CHECK(
    is<lifecycle::nothing>(life->on_foreign_error({-32600, "", {}}, start)));
  life->start_if_idle();
  life->on_port_opened(7, start);
  CHECK(is<handshake::send_initialize>(
    life->on_foreign_error({-32600, "", {}}, start)));
}

TEST_CASE("a server that was never ready is not started again") {
  subject life{era_mode::legacy, 5};
  life->start_if_idle();
  life->on_port_opened(7, start);
  CHECK(is<lifecycle::close>(life->on_port_closed(died(), start)));
  CHECK(life->is_closed());
  REQUIRE(life->refusal() != nullptr);
  CHECK(life->refusal()->cause == close_cause::exit_status);
}

TEST_CASE("a server that was ready is started again after a pause") {
  subject life;
  life.connect();
  auto next = life->on_port_closed(died(), start);
  REQUIRE(is<lifecycle::wait_for_restart>(next));
  const auto& wait = std::get<lifecycle::wait_for_restart>(next);
  CHECK(wait.reason.cause == close_cause::exit_status);
  CHECK(life->state() == connection_state::waiting);
  CHECK(life->info(0).pid == 0);
  CHECK(life->refusal() == nullptr);
  CHECK(life->next_deadline() == start + wait.pause);
  CHECK(is<lifecycle::nothing>(life->on_deadline(start)));
  CHECK(is<lifecycle::nothing>(life->start_if_idle()));
  CHECK(is<lifecycle::start_process>(life->on_deadline(start + wait.pause)));
  CHECK(life->generation() == 2);
  life->on_port_opened(8, start);
  life.agree();
  CHECK(is<lifecycle::close>(life->on_port_closed(died(), start)));
}

TEST_CASE("a drain accepts nothing new and closes with the last answer") {
  subject life;
  life.connect();
  CHECK(is<lifecycle::nothing>(life->close_if_drained(false, start)));
  life->drain_until(start + 1s);
  CHECK(life->is_draining());
  CHECK(life->next_deadline() == start + 1s);
  REQUIRE(life->refusal() != nullptr);
  CHECK(life->refusal()->cause == close_cause::closed);
  CHECK(is<lifecycle::nothing>(life->close_if_drained(true, start)));
  CHECK(is<lifecycle::close>(life->close_if_drained(false, start)));
  CHECK_FALSE(life->is_draining());
  CHECK(life->next_deadline() == lifecycle::clock::time_point::max());
}

TEST_CASE("a drain ends at its deadline, and with the server") {
  subject late;
  late.connect();
  late->drain_until(start + 1s);
  CHECK(is<lifecycle::close>(late->close_if_drained(true, start + 1s)));
  subject lost{era_mode::legacy, 5};
  lost.connect();
  lost->drain_until(start + 1s);
  CHECK(is<lifecycle::close>(lost->on_port_closed(died(), start)));
}

TEST_CASE("a drain during the handshake ends when no caller waits") {
  subject life;
  life->start_if_idle();
  life->drain_until(start + 1s);
  CHECK(is<lifecycle::nothing>(life->close_if_drained(true, start)));
  life->on_port_opened(7, start);
  SECTION("for the server") {
    CHECK(is<lifecycle::close>(life->close_if_drained(false, start)));
  }
  SECTION("for an answer") {
    life.agree();
    CHECK(is<lifecycle::nothing>(life->close_if_drained(true, start)));
    CHECK(is<lifecycle::close>(life->close_if_drained(false, start)));
  }
}

TEST_CASE("of several drains the one that ends first holds") {
  subject life;
  life.connect();
  life->drain_until(start + 2s);
  life->drain_until(start + 1s);
  life->drain_until(start + 3s);
  CHECK(life->next_deadline() == start + 1s);
  CHECK(is<lifecycle::close>(life->close_if_drained(true, start + 1s)));
}

TEST_CASE("a connection closes once, for the first reason") {
  subject life;
  life.connect();
  CHECK(is<lifecycle::close>(life->end(died())));
  CHECK(is<lifecycle::nothing>(life->end(close_reason{})));
  REQUIRE(life->end_reason() != nullptr);
  CHECK(life->end_reason()->cause == close_cause::exit_status);
  CHECK(is<lifecycle::nothing>(life->on_deadline(start + 1h)));
  CHECK(is<lifecycle::nothing>(life->start_if_idle()));
  CHECK(is<lifecycle::nothing>(life->on_port_opened(8, start)));
}
