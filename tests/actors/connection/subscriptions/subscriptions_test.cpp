#include "caf_mcp/actors/connection/subscriptions/subscriptions.hpp"

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "tests/support/error_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace caf_mcp;

namespace {

using lines = std::vector<std::string>;

std::string text_of(const listen_filter& filter) {
  std::string result;
  if (filter.tools)
    result += " tools";
  if (filter.log)
    result += " log=" + std::string{to_string(*filter.log)};
  for (const auto& uri : filter.uris)
    result += ' ' + uri;
  return result;
}

/// What the owner of a subscription hears, as text.
struct news_text {
  std::string operator()(const subscription_accepted& news) const {
    return "accepted" + text_of(news.filter);
  }
  std::string operator()(const subscription_resumed& news) const {
    return "resumed" + text_of(news.filter);
  }
  std::string operator()(const subscription_event& news) const {
    return "event " + news.event.params.to_json();
  }
  std::string operator()(const events_dropped& news) const {
    return "dropped " + std::to_string(news.count);
  }
  std::string operator()(const subscription_closed& news) const {
    auto result = "closed " + std::string{to_string(news.how)};
    return news.error ? result + ' ' + describe(news.error).name : result;
  }
};

/// Plays the connection: keeps what the subscriptions decide, as lines.
/// Requests that are held get the ids from 1 on.
struct fixture {
  void take(subscriptions::actions actions) {
    for (auto& each : actions)
      std::visit([this](auto& action) { carry_out(action); }, each);
  }

  void carry_out(const subscriptions::hold_listen& action) {
    machine.attach(action.subscription, ++last_request);
    say("hold", last_request, action.has_deadline ? "" : " for ever");
  }
  void carry_out(const subscriptions::write_listen& action) {
    say("listen", action.request, ' ' + action.params.to_json());
  }
  void carry_out(const subscriptions::lift_deadline& action) {
    say("lift", action.request);
  }
  void carry_out(const subscriptions::drop_listen& action) {
    say("drop", action.request);
  }
  void carry_out(const subscriptions::cancel_listen& action) {
    say("cancel", action.request);
  }
  void carry_out(const subscriptions::send_own_request& action) {
    if (action.number != 0)
      number = action.number;
    said.push_back(action.method + ' ' + action.params.to_json());
  }
  void carry_out(const subscriptions::use_log_level& action) {
    said.push_back("log level "
                   + std::string{action.level ? to_string(*action.level) : ""});
  }
  void carry_out(const subscriptions::tell_owner& action) {
    said.push_back(std::visit(news_text{}, action.message));
  }

  void say(std::string what, std::int64_t request, std::string rest = "") {
    said.push_back(std::move(what) + ' ' + std::to_string(request) + rest);
  }

  /// Returns what was decided since the last call.
  lines decided() {
    return std::exchange(said, {});
  }

  void ready(era spoken, std::string_view capabilities) {
    take(machine.on_ready(spoken, parse_payload(capabilities)));
  }

  /// Adds a subscription; returns its id.
  std::uint64_t add(const listen_filter& filter,
                    const listen_options& options = {}) {
    auto [id, actions] = machine.add({}, filter, options);
    take(std::move(actions));
    return id;
  }

  /// Adds a subscription whose turn comes at once.
  std::uint64_t open(const listen_filter& filter,
                     const listen_options& options = {}) {
    const auto id = add(filter, options);
    take(machine.on_turn(id));
    return id;
  }

  void acknowledge(std::string_view id) {
    notify("notifications/subscriptions/acknowledged",
           R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)"
             + std::string{id}
             + R"(},"notifications":{"toolsListChanged":true}})");
  }

  void notify(std::string_view method, std::string_view params) {
    take(machine.on_notification(method, parse_payload(params)));
  }

  void report_tools(std::string_view params = "{}") {
    take(
      machine.on_event({event_kind::tools_changed, {}, parse_payload(params)}));
  }

  subscriptions machine;
  std::int64_t last_request = 0;
  /// Of the last request for a URI.
  std::uint64_t number = 0;
  lines said;
};

const listen_filter tools{.tools = true};
constexpr auto modern_tools = R"({"tools":{"listChanged":true}})";
constexpr auto legacy_uris = R"({"resources":{"subscribe":true}})";
constexpr auto of_request_1
  = R"({"_meta":{"io.modelcontextprotocol/subscriptionId":1}})";

caf::error refused() {
  return peer_error({-32002, "no such resource", {}});
}

} // namespace

TEST_CASE("a subscription is held until its turn, then written") {
  fixture here;
  const auto id = here.add(tools);
  CHECK(here.decided() == lines{"hold 1"});
  here.ready(era::modern, modern_tools);
  CHECK(here.decided().empty());
  here.take(here.machine.on_turn(id));
  CHECK(here.decided()
        == lines{R"(listen 1 {"notifications":{"toolsListChanged":true}})"});
}

TEST_CASE("a modern subscription is accepted once it is acknowledged") {
  fixture here;
  here.ready(era::modern, modern_tools);
  here.open(tools);
  here.decided();
  here.report_tools(of_request_1);
  CHECK(here.decided().empty());
  here.acknowledge("1");
  CHECK(here.decided() == lines{"lift 1", "accepted tools"});
  here.acknowledge("1");
  CHECK(here.decided().empty());
  here.report_tools(of_request_1);
  CHECK(here.decided()
        == lines{"event " + parse_payload(of_request_1).to_json()});
}

TEST_CASE("a modern server may spell the id of a subscription in other ways") {
  for (std::string_view spelling : {"1", "1.0", R"("1")"}) {
    CAPTURE(spelling);
    fixture here;
    here.ready(era::modern, modern_tools);
    here.open(tools);
    here.decided();
    here.acknowledge(spelling);
    CHECK(here.decided() == lines{"lift 1", "accepted tools"});
  }
}

TEST_CASE("a modern event of no subscription, or of one not written, is lost") {
  fixture here;
  here.ready(era::modern, modern_tools);
  here.add(tools);
  here.decided();
  here.acknowledge("1");
  here.acknowledge("7");
  here.acknowledge("null");
  here.report_tools(of_request_1);
  here.report_tools();
  here.notify("notifications/cancelled", R"({"requestId":1})");
  CHECK(here.decided().empty());
}

TEST_CASE("a modern server ends a subscription by its answer") {
  fixture here;
  here.ready(era::modern, modern_tools);
  const auto id = here.open(tools);
  SECTION("in good order when it was acknowledged") {
    here.acknowledge("1");
    here.decided();
    here.take(here.machine.on_listen_result(id));
    CHECK(here.decided() == lines{"closed finished"});
  }
  SECTION("against the rules when it was not") {
    here.decided();
    here.take(here.machine.on_listen_result(id));
    CHECK(here.decided() == lines{"closed failed invalid_response"});
  }
  SECTION("or refuses it") {
    here.decided();
    here.take(here.machine.on_listen_failure(id, refused()));
    CHECK(here.decided() == lines{"closed failed rpc_error"});
  }
  SECTION("or withdraws it, which is not answered") {
    here.decided();
    here.notify("notifications/cancelled", R"({"requestId":1})");
    CHECK(here.decided() == lines{"drop 1", "closed withdrawn"});
  }
  here.take(here.machine.cancel(id));
  CHECK(here.decided().empty());
}

TEST_CASE("what no server supports is refused, and its request forgotten") {
  fixture here;
  here.ready(era::legacy, R"({"prompts":{}})");
  here.open(tools);
  CHECK(here.decided()
        == lines{"hold 1", "closed failed capability_missing", "cancel 1"});
}

TEST_CASE("a legacy server is asked once for a URI, whoever wants it") {
  fixture here;
  here.ready(era::legacy, legacy_uris);
  const auto first = here.open({.uris = {"a"}});
  CHECK(here.decided()
        == lines{"hold 1", "drop 1", R"(resources/subscribe {"uri":"a"})"});
  const auto second = here.open({.uris = {"a"}});
  CHECK(here.decided() == lines{"hold 2", "drop 2"});
  here.take(here.machine.on_uri_answer(here.number, "a", {}));
  CHECK(here.decided() == lines{"accepted a", "accepted a"});
  here.take(here.machine.cancel(first));
  CHECK(here.decided() == lines{"closed cancelled"});
  here.take(here.machine.cancel(second));
  CHECK(here.decided()
        == lines{"closed cancelled", R"(resources/unsubscribe {"uri":"a"})"});
}

TEST_CASE("a URI that a legacy server refuses is left out") {
  fixture here;
  here.ready(era::legacy, legacy_uris);
  here.open({.uris = {"a", "b"}});
  const auto of_b = here.number;
  here.decided();
  here.take(here.machine.on_uri_answer(of_b, "b", refused()));
  CHECK(here.decided().empty());
  SECTION("and the rest accepted") {
    here.take(here.machine.on_uri_answer(of_b - 1, "a", {}));
    CHECK(here.decided() == lines{"accepted a"});
  }
  SECTION("and nothing accepted if nothing is left") {
    here.take(here.machine.on_uri_answer(of_b - 1, "a", refused()));
    CHECK(here.decided() == lines{"closed failed rpc_error"});
  }
}

TEST_CASE("an answer about a URI that comes too late means nothing") {
  fixture here;
  here.ready(era::legacy, legacy_uris);
  const auto id = here.open({.uris = {"a"}});
  const auto late = here.number;
  here.take(here.machine.cancel(id));
  here.open({.uris = {"a"}});
  here.decided();
  here.take(here.machine.on_uri_answer(late, "a", {}));
  CHECK(here.decided().empty());
  here.take(here.machine.on_uri_answer(here.number, "a", {}));
  CHECK(here.decided() == lines{"accepted a"});
}

TEST_CASE("the server logs what the most curious listener wants") {
  const auto spoken = GENERATE(era::legacy, era::modern);
  CAPTURE(spoken);
  auto asked = [spoken](std::string level) {
    return spoken == era::modern
             ? "log level " + level
             : R"(logging/setLevel {"level":")" + level + R"("})";
  };
  fixture here;
  here.ready(spoken, R"({"logging":{}})");
  here.open({.log = log_level::error});
  CHECK(here.decided()
        == lines{"hold 1", asked("error"), "drop 1", "accepted log=error"});
  const auto curious = here.open({.log = log_level::debug});
  CHECK(here.decided()
        == lines{"hold 2", asked("debug"), "drop 2", "accepted log=debug"});
  here.take(here.machine.cancel(curious));
  CHECK(here.decided() == lines{"closed cancelled", asked("error")});
}

TEST_CASE("a new process is asked for its log before any request") {
  fixture here;
  here.add({.log = log_level::info});
  here.decided();
  here.ready(era::legacy, R"({"logging":{}})");
  CHECK(here.decided() == lines{R"(logging/setLevel {"level":"info"})"});
  here.take(here.machine.on_lost({}));
  here.decided();
  here.ready(era::legacy, R"({"logging":{}})");
  CHECK(here.decided() == lines{R"(logging/setLevel {"level":"info"})"});
}

TEST_CASE("a subscription is set up again with the next process") {
  fixture here;
  here.ready(era::legacy, legacy_uris);
  const auto id = here.open({.uris = {"a"}});
  const auto late = here.number;
  here.take(here.machine.on_uri_answer(late, "a", {}));
  here.decided();
  here.take(here.machine.on_lost({}));
  CHECK(here.decided() == lines{"hold 2 for ever"});
  here.ready(era::legacy, legacy_uris);
  here.take(here.machine.on_turn(id));
  CHECK(here.decided()
        == lines{"drop 2", R"(resources/subscribe {"uri":"a"})"});
  here.take(here.machine.on_uri_answer(late, "a", {}));
  CHECK(here.decided().empty());
  here.take(here.machine.on_uri_answer(here.number, "a", {}));
  CHECK(here.decided() == lines{"resumed a"});
}

TEST_CASE("an acknowledgement of the process before opens nothing") {
  fixture here;
  here.ready(era::modern, modern_tools);
  const auto id = here.open(tools);
  here.acknowledge("1");
  here.take(here.machine.on_lost({}));
  here.ready(era::modern, modern_tools);
  here.take(here.machine.on_turn(id));
  here.decided();
  here.acknowledge("1");
  CHECK(here.decided().empty());
  here.acknowledge("2");
  CHECK(here.decided() == lines{"lift 2", "resumed tools"});
}

TEST_CASE(
  "a subscription ends with its process if that is its owner's choice") {
  fixture here;
  here.ready(era::modern, modern_tools);
  listen_options options;
  options.on_reconnect = reconnect_choice::end;
  here.open(tools, options);
  here.acknowledge("1");
  here.decided();
  here.take(here.machine.on_lost(to_error(close_reason{})));
  CHECK(here.decided() == lines{"drop 1", "closed failed connection_closed"});
}

TEST_CASE("events pass against credit, and the end tells what was dropped") {
  fixture here;
  here.ready(era::legacy, modern_tools);
  const auto id = here.open(tools, {.credit = 0});
  here.decided();
  here.report_tools(R"({"n":1})");
  CHECK(here.decided().empty());
  here.take(here.machine.grant(id, 2));
  CHECK(here.decided() == lines{R"(event {"n":1})"});
  here.report_tools(R"({"n":2})");
  CHECK(here.decided() == lines{R"(event {"n":2})"});
  here.report_tools(R"({"n":3})");
  here.take(here.machine.cancel(id));
  CHECK(here.decided() == lines{"dropped 1", "closed cancelled"});
  here.take(here.machine.grant(id, 2));
  here.report_tools();
  CHECK(here.decided().empty());
}

TEST_CASE("a subscription that overflows leaves the others alone") {
  fixture here;
  here.ready(era::legacy, R"({"logging":{}})");
  const listen_filter log{.log = log_level::info};
  here.open(log,
            {.credit = 0, .max_buffer = 1, .overflow = overflow_policy::close});
  here.open(log, {.credit = 9});
  here.decided();
  auto report = [&here] {
    here.take(here.machine.on_event(
      {event_kind::log_message, {}, parse_payload(R"({"level":"info"})")}));
  };
  report();
  CHECK(here.decided() == lines{R"(event {"level":"info"})"});
  report();
  CHECK(here.decided()
        == lines{"dropped 1", "closed failed subscription_overflow",
                 R"(event {"level":"info"})"});
}

TEST_CASE("all subscriptions end with the connection, of whatever state") {
  fixture here;
  here.ready(era::modern, modern_tools);
  const auto id = here.open(tools);
  here.acknowledge("1");
  here.add(tools);
  here.decided();
  here.take(here.machine.on_end(to_error(close_reason{})));
  CHECK(here.decided()
        == lines{"drop 1", "closed failed connection_closed", "drop 2",
                 "closed failed connection_closed"});
  here.report_tools(of_request_1);
  here.take(here.machine.on_turn(id));
  here.take(here.machine.on_listen_result(id));
  CHECK(here.decided().empty());
}

TEST_CASE("an owner's end ends its subscriptions") {
  fixture here;
  here.ready(era::modern, modern_tools);
  here.open(tools);
  here.add(tools);
  here.decided();
  here.take(here.machine.cancel_all_of({}));
  CHECK(
    here.decided()
    == lines{"closed cancelled", "cancel 1", "closed cancelled", "cancel 2"});
}

TEST_CASE("no two subscriptions of a process share an id") {
  fixture one;
  fixture other;
  CHECK(one.add(tools) != other.add(tools));
}

TEST_CASE("a listen that asks for nothing, or for no room, is refused") {
  CHECK(tests::text_of(subscriptions::check({}))
        == "config_invalid: filter: asks for nothing; set at least one member");
  CHECK(tests::text_of(subscriptions::check({{.uris = {"a", ""}}}))
        == "config_invalid: filter.uris: \"\" is not allowed; must be a URI");
  CHECK(tests::text_of(subscriptions::check({tools, {.max_buffer = 0}}))
        == "config_invalid: options.max_buffer: 0 is not allowed; at least 1");
  CHECK_FALSE(subscriptions::check({tools}));
}
