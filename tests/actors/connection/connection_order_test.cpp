// What is written before what, whoever sends it and whenever.
#include "tests/support/fake_port.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace caf_mcp;
using tests::done;
using tests::fake_port;
using tests::outcome;

namespace {

pipelined_request pipelined(std::uint64_t slot, std::string method,
                            std::uint64_t tag = 0) {
  request_options options;
  options.tag = tag;
  return {slot, send_request{std::move(method), {}, options}};
}

/// Makes the connection ready after `requests` were accepted.
void become_ready(fake_port& port, std::int64_t requests) {
  port.open();
  const auto id = requests + 1;
  CHECK(port.written().starts_with("request " + std::to_string(id)
                                   + " initialize"));
  port.answer(
    id, R"({"capabilities":{"tools":{}},"protocolVersion":"2025-11-25"})");
  CHECK(port.written() == "notify notifications/initialized");
}

template <class Handle>
std::string answers_of(Handle&& handle) {
  std::string result;
  std::move(handle).receive(
    [&](const pipelined_answers& message) {
      for (const auto& each : message.answers)
        result
          += std::to_string(each.slot) + ' '
             + (each.error ? describe(each.error).name : each.result.to_json())
             + ';';
    },
    [&](const caf::error& error) { result = describe(error).name; });
  return result;
}

} // namespace

TEST_CASE_METHOD(fake_port, "a pipeline is written in its order") {
  connect_legacy();
  auto answers = ask(await_answers{1, {pipelined(0, "a"), pipelined(1, "b")}});
  CHECK(written() == "request 2 a");
  CHECK(written() == "request 3 b");
  answer(3, R"({"n":2})");
  CHECK(answers_of(answers) == R"(1 {"n":2};)");
  auto rest = ask(await_answers{1, {}});
  answer(2, R"({"n":1})");
  CHECK(answers_of(rest) == R"(0 {"n":1};)");
}

TEST_CASE_METHOD(fake_port, "a pipeline mixes with lone requests in order") {
  connect_legacy();
  auto answers = ask(await_answers{1, {pipelined(0, "a")}});
  auto lone = call("b");
  CHECK(done(ask(send_pipelined{1, {pipelined(1, "c")}})) == "ok");
  CHECK(written() == "request 2 a");
  CHECK(written() == "request 3 b {}");
  CHECK(written() == "request 4 c");
}

TEST_CASE_METHOD(fake_port, "a cancellation ends pipelined requests, too") {
  connect_legacy();
  auto answers
    = ask(await_answers{1, {pipelined(0, "a", 1), pipelined(1, "b", 7)}});
  CHECK(done(ask(cancel_request{7, ""})) == "ok");
  CHECK(written() == "request 2 a");
  CHECK(written() == "request 3 b");
  CHECK(written() == R"(notify notifications/cancelled {"requestId":3})");
  CHECK(answers_of(answers) == "1 cancelled;");
}

TEST_CASE_METHOD(fake_port, "a pipelined request that is invalid fails alone") {
  connect_legacy();
  auto answers = ask(await_answers{1, {pipelined(0, ""), pipelined(1, "b")}});
  CHECK(written() == "request 2 b");
  CHECK(answers_of(answers) == "0 config_invalid;");
}

TEST_CASE_METHOD(fake_port, "what waits for the server leaves as it came") {
  options.mode = era_mode::legacy;
  spawn();
  auto first = call("a");
  auto told = ask(send_notification{"x"});
  auto answers = ask(await_answers{1, {pipelined(0, "b")}});
  auto again = ask(send_notification{"y"});
  auto last = call("c");
  become_ready(*this, 3);
  CHECK(written() == "request 1 a {}");
  CHECK(written() == "notify x");
  CHECK(written() == "request 2 b");
  CHECK(written() == "notify y");
  CHECK(written() == "request 3 c {}");
  CHECK(done(told) == "ok");
  CHECK(done(again) == "ok");
}

TEST_CASE_METHOD(fake_port, "a notification may come before any request") {
  options.mode = era_mode::legacy;
  spawn();
  auto told = ask(send_notification{"x"});
  auto call_of = call("a");
  become_ready(*this, 1);
  CHECK(written() == "notify x");
  CHECK(written() == "request 1 a {}");
  CHECK(done(told) == "ok");
}

TEST_CASE_METHOD(fake_port, "what a cancelled request leaves keeps its order") {
  options.mode = era_mode::legacy;
  spawn();
  request_options tagged;
  tagged.tag = 7;
  auto cancelled = call("a", "{}", tagged);
  auto told = ask(send_notification{"x"});
  auto last = call("b");
  CHECK(done(ask(cancel_request{7, ""})) == "ok");
  CHECK(outcome(cancelled).starts_with("cancelled"));
  become_ready(*this, 2);
  CHECK(written() == "notify x");
  CHECK(written() == "request 2 b {}");
}

TEST_CASE_METHOD(fake_port, "notifications that wait are bounded in sum") {
  options.mode = era_mode::legacy;
  options.max_unwritten_bytes = 1'000;
  spawn();
  const payload large{boost::json::value{{"x", std::string(600, 'x')}}};
  auto first = ask(send_notification{"a", large});
  auto refused = done(ask(send_notification{"b", large}));
  CHECK(refused.starts_with("write_queue_full: b: "));
  CHECK(refused.ends_with("max_unwritten_bytes allows 1000"));
  auto small = ask(send_notification{"c"});
  become_ready(*this, 0);
  CHECK(written().starts_with("notify a"));
  CHECK(written() == "notify c");
  CHECK(done(first) == "ok");
  CHECK(done(small) == "ok");
  // The bound is of what waits, not of what has ever waited.
  CHECK(done(ask(send_notification{"d", large})) == "ok");
}

TEST_CASE_METHOD(fake_port, "notifications that wait fail with the end") {
  options.mode = era_mode::legacy;
  spawn();
  auto told = ask(send_notification{"x"});
  CHECK(done(ask(close_connection{})) == "ok");
  CHECK(done(told).starts_with("connection_closed"));
}

TEST_CASE_METHOD(fake_port, "a listing is written in its turn") {
  options.mode = era_mode::legacy;
  spawn();
  auto first = call("a");
  auto listed = ask(list_all{list_kind::tools});
  auto last = call("b");
  become_ready(*this, 3);
  CHECK(written() == "request 1 a {}");
  CHECK(written() == "request 2 tools/list");
  CHECK(written() == "request 3 b {}");
}
