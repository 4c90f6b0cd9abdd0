// What a server reports while a call runs, and who does not want to hear it.
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

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

namespace {

/// Calls `t` and returns the progress that came before its result.
std::vector<double> progress_of_call(host& app, const connection& server) {
  request_options curious;
  curious.wants_progress = true;
  value(call_t(app, server, curious));
  std::vector<double> result;
  auto is_more = true;
  while (is_more)
    (*app.self)->receive([&](const progress& x) { result.push_back(x.value); },
                         caf::after(0s) >> [&] { is_more = false; });
  return result;
}

} // namespace

TEST_CASE("progress is told apart from responses, and comes first") {
  player script{"progress-before-result"};
  host app;
  auto server = app.open(script.options());
  CHECK(progress_of_call(app, server) == std::vector<double>{1});
}

TEST_CASE("progress of the value 0 and of the first call is told") {
  player script{"progress-token-zero"};
  host app;
  auto server = app.open(script.options());
  CHECK(progress_of_call(app, server) == std::vector<double>{0, 0.5});
}

TEST_CASE("progress that belongs to no active request is ignored") {
  player script{"progress-odd-tokens"};
  host app;
  auto server = app.open(script.options());
  CHECK(progress_of_call(app, server).empty());
}

TEST_CASE("a receiver of progress that fails loses the request") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto call = call_tool("slow", {{"ms", 60000}, {"steps", 6000}});
  call.options.wants_progress = true;
  SECTION("by its death") {
    auto caller
      = app.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
          ask(self, server, call)
            .then([](const payload&) {}, [](const caf::error&) {});
          return {[self](const progress&) {
            self->quit(caf::exit_reason::user_shutdown);
          }};
        });
    (*app.self)->wait_for(caller);
  }
  SECTION("by an error") {
    std::promise<std::string> failed;
    app.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
      ask(self, server, call)
        .then([](const payload&) {},
              [&failed](const caf::error& error) {
                failed.set_value(describe(error).name);
              });
      return {[](const progress&) -> caf::result<void> {
        return caf::make_error(caf::sec::runtime_error);
      }};
    });
    CHECK(failed.get_future().get() == "handler_failed");
  }
  // With nothing left to answer, a drained connection ends at once.
  auto begin = std::chrono::steady_clock::now();
  REQUIRE(ask(*app.self, server, close_connection{30s}));
  CHECK(std::chrono::steady_clock::now() - begin < 20s);
}

TEST_CASE("a slow receiver of progress gets a bounded number of reports, and "
          "the newest before the answer") {
  host app;
  auto server = app.open(host::program("demo-server"));
  request_options curious;
  curious.wants_progress = true;
  // The test takes no report before the answer is there.
  value(ask(*app.self, server,
            call_tool("slow", {{"ms", 200}, {"steps", 1000}}, curious)));
  std::vector<double> taken;
  auto is_more = true;
  while (is_more)
    (*app.self)->receive([&](const progress& x) { taken.push_back(x.value); },
                         caf::after(0s) >> [&] { is_more = false; });
  REQUIRE(taken.size() == 65);
  CHECK(taken[63] == 64);
  CHECK(taken.back() > 900);
}

TEST_CASE("progress restarts the timeout, but not beyond the total") {
  host app;
  auto server = app.open(host::program("demo-server"));
  request_options patient;
  patient.timeout = 1s;
  patient.reset_timeout_on_progress = true;
  value(ask(*app.self, server,
            call_tool("slow", {{"ms", 2000}, {"steps", 20}}, patient)));
  patient.max_total_timeout = 300ms;
  auto info = failure(
    ask(*app.self, server,
        call_tool("slow", {{"ms", 60000}, {"steps", 6000}}, patient)));
  CHECK(info.name == "max_total_timeout");
  CHECK(info.code == -32001);
  CHECK(info.message == "Maximum total timeout exceeded");
  CHECK(info.data.member("maxTotalTimeoutMs").value() == 300);
}
