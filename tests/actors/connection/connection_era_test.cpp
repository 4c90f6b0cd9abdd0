// What servers of one era are not sent.
#include "tests/support/fake_port.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;
using tests::done;
using tests::fake_port;
using tests::outcome;

TEST_CASE_METHOD(fake_port, "requests of the legacy era stay here") {
  connect_modern();
  const std::string method = GENERATE(
    "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe");
  const auto refused = outcome(call(method));
  CHECK(refused.starts_with("capability_missing: " + method + ": the server"));
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "requests of the legacy era wait for the era") {
  spawn();
  auto refused = call("ping");
  open();
  CHECK(written().starts_with("request 2 server/discover"));
  answer(2, R"({"capabilities":{},"supportedVersions":["2026-07-28"]})");
  CHECK(outcome(refused).starts_with("capability_missing: ping"));
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "a legacy server is sent a ping") {
  connect_legacy();
  auto answered = call("ping");
  CHECK(written() == "request 2 ping {}");
  answer(2);
  CHECK(outcome(answered) == "{}");
}

TEST_CASE_METHOD(fake_port,
                 "a modern server is not told of an initialization") {
  connect_modern();
  CHECK(done(ask(send_notification{"notifications/initialized"}))
          .starts_with("capability_missing: notifications/initialized"));
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "changed roots need a handler for roots") {
  if (GENERATE(true, false))
    connect_legacy();
  else
    connect_modern();
  CHECK(done(ask(send_notification{"notifications/roots/list_changed"}))
          .starts_with("capability_missing: notifications/roots/list_changed"));
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "changed roots are told, in the legacy era") {
  answers.roots = handler_function{[](const server_request&) {
    return caf::expected<payload>{parse_payload(R"({"roots":[]})")};
  }};
  SECTION("legacy") {
    connect_legacy();
    CHECK(done(ask(send_notification{"notifications/roots/list_changed"}))
          == "ok");
    CHECK(written() == "notify notifications/roots/list_changed");
  }
  SECTION("modern") {
    connect_modern();
    CHECK(done(ask(send_notification{"notifications/roots/list_changed"}))
          == "ok");
    CHECK(wrote_nothing());
  }
}

TEST_CASE_METHOD(fake_port, "a _meta that is null is left out") {
  connect_legacy();
  auto answered = call(
    "tools/call", R"({"name":"t","_meta":null,"n":12345678901234567890123})");
  CHECK(written()
        == R"(request 2 tools/call {"name":"t","n":12345678901234567890123})");
  CHECK(done(ask(send_notification{"x", parse_payload(R"({"_meta":null})")}))
        == "ok");
  CHECK(written() == "notify x {}");
  auto kept = call("a", R"({"_meta":{"k":null}})");
  CHECK(written() == R"(request 3 a {"_meta":{"k":null}})");
}
