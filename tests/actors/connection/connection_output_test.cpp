// What becomes of results that are checked, whatever else happens meanwhile.
#include "caf_mcp/messages/methods.hpp"

#include "tests/support/fake_port.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace caf_mcp;
using tests::done;
using tests::fake_port;
using tests::outcome;

namespace {

/// A connection whose server has the tools `long`, whose results take long to
/// check, and `strict`, of which an `n` must be an integer. Calls have the ids
/// from 3 on.
struct checked_port : fake_port {
  checked_port() {
    connect_legacy();
    auto listed = call("tools/list");
    written();
    answer(2, R"({"tools":[
      {"name":"long","outputSchema":{"properties":{"l":{"uniqueItems":true}}}},
      {"name":"strict","outputSchema":{"properties":{"n":{"type":"integer"}}}}
      ]})");
    REQUIRE(outcome(listed).starts_with(R"({"tools")"));
    for (auto i = 0; i < 4'000; ++i)
      list += (i == 0 ? "" : ",") + std::to_string(i);
  }

  auto call_tool(const std::string& name) {
    auto result = call("tools/call", R"({"name":")" + name + R"("})");
    written();
    return result;
  }

  std::string result_of_long(std::string_view last = "-1") const {
    return R"({"structuredContent":{"l":[)" + list + ',' + std::string{last}
           + "]}}";
  }

  std::string list;
};

} // namespace

TEST_CASE_METHOD(checked_port, "a long check finds what a short one would") {
  auto right = call_tool("long");
  auto wrong = call_tool("long");
  answer(3, result_of_long());
  answer(4, result_of_long("7"));
  CHECK(outcome(right) == result_of_long());
  CHECK(outcome(wrong).starts_with("invalid_response: tools/call: the "
                                   "structuredContent of long does not fit"));
}

TEST_CASE_METHOD(checked_port,
                 "a result that has arrived outlives its process") {
  auto checked = call_tool("long");
  auto waiting = call_tool("other");
  auto open_still = call_tool("other");
  answer(3, result_of_long());
  answer(4, R"({"n":1})");
  die();
  CHECK(outcome(open_still).starts_with("connection_closed"));
  CHECK(outcome(checked) == result_of_long());
  CHECK(outcome(waiting) == R"({"n":1})");
}

TEST_CASE_METHOD(checked_port,
                 "a close delivers the results that are checked") {
  auto checked = call_tool("long");
  auto open_still = call_tool("other");
  answer(3, result_of_long());
  CHECK(done(ask(close_connection{})) == "ok");
  CHECK(outcome(checked) == result_of_long());
  CHECK(outcome(open_still).starts_with("connection_closed"));
}

TEST_CASE_METHOD(checked_port, "a close with a drain waits for the check") {
  auto wrong = call_tool("long");
  answer(3, result_of_long("7"));
  CHECK(done(ask(close_connection{std::chrono::seconds{60}})) == "ok");
  CHECK(outcome(wrong).starts_with("invalid_response"));
}

TEST_CASE_METHOD(checked_port, "a tool's own words are not checked") {
  auto failed = call_tool("strict");
  answer(3, R"({"isError":true,"structuredContent":{"n":"no integer"}})");
  CHECK(outcome(failed)
        == R"({"isError":true,"structuredContent":{"n":"no integer"}})");
}

TEST_CASE_METHOD(checked_port, "no answer overtakes one that is checked") {
  auto caller = system().spawn([server = connection,
                                to = caf::actor_cast<caf::actor>(*self)](
                                 caf::event_based_actor* me) -> caf::behavior {
    for (const auto* name : {"long", "other", "strict", "other"}) {
      auto tell = [to, name = std::string{name}] { caf::anon_send(to, name); };
      caf_mcp::ask(me, server, caf_mcp::call_tool(name))
        .then([tell](const payload&) { tell(); },
              [tell](const caf::error&) { tell(); });
    }
    return {[](int) {}};
  });
  for (auto i = 0; i < 4; ++i)
    written();
  say(
    {incoming_response{3, id_match::exact, parse_payload(result_of_long()), {}},
     incoming_response{4, id_match::exact, parse_payload("{}"), {}},
     incoming_response{5,
                       id_match::exact,
                       parse_payload(R"({"structuredContent":{"n":"x"}})"),
                       {}},
     incoming_response{6, id_match::exact, {}, parse_payload("{}")}});
  auto other = call("tools/call");
  written();
  answer(7); // another caller waits for nobody
  CHECK(outcome(other) == "{}");
  std::vector<std::string> order;
  for (auto i = 0; i < 4; ++i)
    (*self)->receive([&](std::string& name) { order.push_back(name); });
  CHECK(order == std::vector<std::string>{"long", "other", "strict", "other"});
}
