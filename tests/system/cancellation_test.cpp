// What ends a request early, and what the server hears of it.
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>

#include <future>
#include <string>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;
using tests::wait_until;

namespace {

/// Returns, in the order of the wire, `call ID` and `cancelled ID`.
std::vector<std::string> calls_and_cancellations(const player& script) {
  std::vector<std::string> result;
  for (const auto& event : script.log()) {
    if (event.at("ev").as_string() != "recv")
      continue;
    auto line = parse_payload(event.at("line").as_string());
    if (event.at("method") == "tools/call")
      result.push_back("call " + line.member("id").to_json());
    if (event.at("method") == "notifications/cancelled")
      result.push_back("cancelled "
                       + line.member("params").member("requestId").to_json());
  }
  return result;
}

/// An actor that calls `t`, and does as `on_progress` says when it hears of
/// progress. `failed`, if given, gets the name of the error.
caf::actor spawn_caller(host& app, const connection& server,
                        std::function<caf::error(caf::event_based_actor*)> act,
                        std::promise<std::string>* failed = nullptr) {
  return app.system().spawn([=](caf::event_based_actor* self) -> caf::behavior {
    auto call = call_tool("t");
    call.options.wants_progress = true;
    ask(self, server, call)
      .then([](const payload&) {},
            [failed](const caf::error& error) {
              if (failed != nullptr)
                failed->set_value(describe(error).name);
            });
    return {[self, act](const progress&) -> caf::result<void> {
      if (auto error = act(self))
        return error;
      return caf::unit;
    }};
  });
}

} // namespace

TEST_CASE("the server is told once of each request that ends early") {
  player script{"call-unanswered"};
  host app;
  auto server = app.open(script.options());
  SECTION("by its timeout") {
    request_options brief;
    brief.timeout = 50ms;
    CHECK(failure(call_t(app, server, brief)).name == "request_timeout");
  }
  SECTION("by its total limit") {
    request_options brief;
    brief.reset_timeout_on_progress = true;
    brief.max_total_timeout = 50ms;
    CHECK(failure(call_t(app, server, brief)).name == "max_total_timeout");
  }
  SECTION("by its caller") {
    request_options tagged;
    tagged.tag = 7;
    auto pending = ask(app.self->ptr(), server, call_tool("t", {}, tagged));
    REQUIRE(ask(*app.self, server, cancel_request{7, "enough"}));
    REQUIRE(ask(*app.self, server, cancel_request{7, "enough"}));
    std::string name;
    std::move(pending).receive(
      [](payload&) {}, [&](caf::error& error) { name = describe(error).name; });
    CHECK(name == "cancelled");
  }
  SECTION("by its caller's death") {
    spawn_caller(app, server, [](caf::event_based_actor* self) {
      self->quit(caf::exit_reason::user_shutdown);
      return caf::error{};
    });
  }
  SECTION("by a receiver of progress that fails") {
    std::promise<std::string> failed;
    spawn_caller(
      app, server,
      [](caf::event_based_actor*) {
        return caf::make_error(caf::sec::runtime_error);
      },
      &failed);
    CHECK(failed.get_future().get() == "handler_failed");
  }
  REQUIRE(
    wait_until([&] { return script.received("notifications/cancelled") > 0; }));
  value(call_t(app, server)); // its answer comes behind the late one
  auto seen = calls_and_cancellations(script);
  REQUIRE(seen.size() == 3);
  CHECK(seen[1] == "cancelled" + seen[0].substr(4));
  CHECK(seen[2] != seen[0]);
}

TEST_CASE("a request that was not sent yet is cancelled without a word") {
  player script{"call-unanswered"};
  host app;
  auto server = app.connect(script.options());
  request_options tagged;
  tagged.tag = 7;
  auto pending = ask(app.self->ptr(), server, call_tool("t", {}, tagged));
  REQUIRE(ask(*app.self, server, cancel_request{7, ""}));
  auto is_cancelled = false;
  std::move(pending).receive([](payload&) {},
                             [&](caf::error&) { is_cancelled = true; });
  CHECK(is_cancelled);
  value(ask(*app.self, server, open_connection{}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.received("tools/call") == 0);
  CHECK(script.received("notifications/cancelled") == 0);
}

TEST_CASE("the time that a request waits for its server counts") {
  host app;
  request_options brief;
  brief.timeout = 50ms;
  auto expect_timeout = [&](const connection& server) {
    auto info = failure(call_t(app, server, brief));
    CHECK(info.name == "request_timeout");
    CHECK(info.data.string_member("outcome") == "not_sent");
  };
  SECTION("until it is ready for the first time") {
    expect_timeout(app.connect(host::program("test-never-answer")));
  }
  SECTION("until it is started again") {
    auto server = app.open(host::program("demo-server"));
    failure(ask(*app.self, server, call_tool("crash", {{"status", 1}})));
    expect_timeout(server);
  }
}
