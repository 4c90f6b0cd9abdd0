#include "caf_mcp/actors/connection/server_requests/server_requests.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;
using stage = server_requests::stage;

namespace {

handlers roots_only() {
  handlers result;
  result.roots = handler_function{
    [](const server_request&) { return parse_payload("{}"); }};
  return result;
}

/// Handlers of which at most `running_max` run.
struct fixture {
  explicit fixture(std::size_t running_max) : requests{answers, running_max} {
    // nop
  }

  server_requests::decision ask(std::string id_json,
                                std::string method = "roots/list",
                                stage now = stage::legacy) {
    return requests.on_request({std::move(id_json), std::move(method), {}},
                               now);
  }

  /// Returns the number of the handler that is run for the request.
  std::uint64_t started(std::string id_json) {
    auto decision = ask(std::move(id_json));
    auto* run = std::get_if<server_requests::run>(&decision.next);
    REQUIRE(run != nullptr);
    CHECK(run->how == &answers.roots);
    return run->number;
  }

  /// Returns the code of the error that the request is answered with.
  std::int64_t refusal(std::string id_json, std::string method = "roots/list",
                       stage now = stage::legacy) {
    auto decision = ask(std::move(id_json), std::move(method), now);
    auto* answer = std::get_if<outgoing_response>(&decision.next);
    REQUIRE(answer != nullptr);
    return std::get<rpc_error>(answer->outcome).code;
  }

  /// Says that a handler has returned; returns the id that is answered.
  std::string answered(std::uint64_t number) {
    auto answer = requests.on_outcome(number, parse_payload("{}"));
    return answer ? answer->id_json : "none";
  }

  /// Queues an input of `call`.
  void need(std::int64_t call, std::string key = "k") {
    requests.add_input(
      {call, std::move(key), {"roots/list", {}}, &answers.roots});
  }

  std::optional<server_requests::started_input> next() {
    return requests.next_input([](std::int64_t) { return true; });
  }

  handlers answers = roots_only();
  server_requests requests;
};

bool is_ignored(const server_requests::decision& decision) {
  return std::holds_alternative<server_requests::ignore>(decision.next);
}

} // namespace

TEST_CASE("a request of the server is answered under the id it came with") {
  fixture here{2};
  auto first = here.started(R"("\u0061")");
  auto second = here.started("7");
  CHECK(here.answered(second) == "7");
  CHECK(here.answered(first) == R"("\u0061")");
  CHECK(here.requests.running() == 0);
}

TEST_CASE("a request of the server is answered once") {
  fixture here{2};
  auto number = here.started("1");
  CHECK(here.answered(number) == "1");
  CHECK(here.answered(number) == "none");
}

TEST_CASE("an id is known in all spellings of its string, and by its type") {
  fixture here{9};
  here.started(R"("\u0061")");
  CHECK(is_ignored(here.ask(R"("a")")));
  here.started("7");
  CHECK(is_ignored(here.ask("7")));
  here.started(R"("7")");
}

TEST_CASE("ids beyond 64 bits are not confused") {
  fixture here{9};
  here.started("18446744073709551616");
  here.started("18446744073709551617");
}

TEST_CASE("a cancelled request is not answered, and its id is free") {
  fixture here{9};
  auto cancelled = here.started(R"("a")");
  here.requests.cancel(parse_payload(R"("a")"));
  auto next = here.started(R"("a")");
  CHECK(here.answered(cancelled) == "none");
  CHECK(here.answered(next) == R"("a")");
}

TEST_CASE("a cancellation of what is not there is ignored") {
  fixture here{9};
  auto number = here.started("7");
  here.requests.cancel(parse_payload(R"("7")"));
  here.requests.cancel(parse_payload("8"));
  here.requests.cancel({});
  CHECK(here.answered(number) == "7");
}

TEST_CASE("a handler counts until it has returned, wanted or not") {
  fixture here{2};
  const auto first = here.started("1");
  const auto second = here.started("2");
  SECTION("when the server cancels") {
    here.requests.cancel(parse_payload("1"));
    here.requests.cancel(parse_payload("2"));
  }
  SECTION("when the server is lost") {
    here.requests.clear();
  }
  CHECK(here.refusal("3") == -32603);
  CHECK(here.answered(first) == "none");
  here.started("3");
  CHECK(here.refusal("4") == -32603);
  CHECK(here.answered(second) == "none");
  here.started("4");
}

TEST_CASE("a ping is answered at any time but by a modern server's client") {
  fixture here{0};
  for (auto now : {stage::starting, stage::legacy}) {
    auto decision = here.ask("1", "ping", now);
    CHECK_FALSE(decision.wrong);
    CHECK(std::get<payload>(std::get<outgoing_response>(decision.next).outcome)
          == payload{});
  }
}

TEST_CASE("a modern server is not answered, and what it asked is counted") {
  fixture here{9};
  auto decision
    = here.ask("1", GENERATE("ping", "roots/list", "x/y"), stage::modern);
  CHECK(is_ignored(decision));
  REQUIRE(decision.wrong);
  CHECK(decision.wrong->which == protocol_violation::forbidden_request);
}

TEST_CASE("before it is ready a legacy server may only ping") {
  fixture here{9};
  CHECK(here.refusal("1", "roots/list", stage::starting) == -32600);
}

TEST_CASE("a request that no handler is for is refused and counted") {
  fixture here{9};
  auto decision = here.ask("1", "x/y");
  REQUIRE(decision.wrong);
  CHECK(decision.wrong->which == protocol_violation::unhandled_request);
  CHECK(here.refusal("1", "x/y") == -32601);
}

TEST_CASE("a failed handler is an internal error, a refusal says why") {
  fixture here{9};
  auto error_of = [&here](const caf::error& error) {
    auto answer = here.requests.on_outcome(here.started("1"), error);
    REQUIRE(answer);
    return std::get<rpc_error>(answer->outcome);
  };
  CHECK(error_of(local_error(errc::handler_failed, "secret")).message
        == "The handler failed");
  CHECK(error_of(refuse(-1, "no")).code == -1);
}

TEST_CASE("inputs wait for their turn, the oldest first") {
  fixture here{2};
  here.need(1, "a");
  here.need(1, "b");
  here.need(2, "c");
  auto a = here.next();
  auto b = here.next();
  REQUIRE((a && b));
  CHECK(a->needed.key == "a");
  CHECK(b->needed.key == "b");
  CHECK_FALSE(here.next());
  here.requests.release(b->number);
  auto c = here.next();
  REQUIRE(c);
  CHECK(c->needed.call == 2);
  here.requests.release(a->number);
  CHECK_FALSE(here.next());
}

TEST_CASE("inputs of a call that is over are not asked for") {
  fixture here{1};
  here.need(1);
  here.need(1);
  here.need(2);
  auto next
    = here.requests.next_input([](std::int64_t call) { return call != 1; });
  REQUIRE(next);
  CHECK(next->needed.call == 2);
}

TEST_CASE("requests and inputs share one limit") {
  fixture here{1};
  SECTION("an input runs") {
    here.need(1);
    auto input = here.next();
    REQUIRE(input);
    CHECK(here.refusal("1") == -32603);
    here.requests.release(input->number);
    here.started("1");
  }
  SECTION("a cancelled request still runs") {
    const auto number = here.started("1");
    here.requests.clear();
    here.need(1);
    CHECK_FALSE(here.next());
    CHECK(here.answered(number) == "none");
    CHECK(here.next());
  }
}

TEST_CASE("inputs for a lost server are forgotten") {
  fixture here{1};
  here.need(1);
  here.requests.clear();
  CHECK_FALSE(here.next());
}
