#include "tests/support/host.hpp"
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

namespace {

bool says(const error_info& info, std::string_view text) {
  return info.message.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("a legacy server is not lost, whatever it does about the probe") {
  // Those that leave are started again.
  const auto [script_name, starts] = GENERATE(table<const char*, std::size_t>({
    {"probe-error-then-exit", 2},
    {"probe-slow-then-exit", 2},
    {"probe-exit-0", 2},
    {"probe-killed", 2},
    {"probe-closes-stdout", 2},
    {"probe-nonsense-result", 1},
    {"probe-null-result", 1},
    {"probe-answers-reversed", 1},
    {"probe-batch", 1},
    {"probe-banner", 1},
    {"probe-undecodable-bytes", 1},
    {"probe-undecodable-surrogate", 1},
  }));
  CAPTURE(script_name);
  player script{script_name};
  host app;
  auto options = script.options();
  options.probe_timeout = 200ms;
  options.max_reconnects = 0;
  auto server = app.open(options);
  CHECK(value(ask(*app.self, server, get_session{})).era == era::legacy);
  value(call_t(app, server));
  CHECK(script.count("start") == starts);
}

TEST_CASE("a refused initialize is told at once, whatever the probe's state") {
  const auto* script_name = GENERATE("initialize-refused-probe-silent",
                                     "initialize-refused-probe-null-id");
  CAPTURE(script_name);
  player script{script_name};
  host app;
  auto options = script.options();
  options.probe_timeout = 200ms;
  options.handshake_timeout = 60s;
  auto server = app.connect(options);
  const auto begin = std::chrono::steady_clock::now();
  auto info = failure(ask(*app.self, server, open_connection{}));
  CHECK(info.name == "handshake_failed");
  CHECK(says(info, "missing API key"));
  CHECK(std::chrono::steady_clock::now() - begin < 30s);
}

TEST_CASE("a version nobody knows is told with the one that was asked for") {
  player script{"initialize-other-version"};
  host app;
  auto options = script.options();
  options.protocol_version = "2026-07-28";
  auto server = app.connect(options);
  auto info = failure(ask(*app.self, server, open_connection{}));
  CHECK(info.name == "unsupported_protocol_version");
  CHECK(says(info, "2099-01-01"));
  CHECK(says(info, "asked for \"2025-11-25\""));
}

TEST_CASE("a program that sends back what it reads is told to be no server") {
  host app;
  server_options options;
  options.command = "cat";
  SECTION("auto") {
  }
  SECTION("legacy") {
    options.mode = era_mode::legacy;
  }
  SECTION("modern") {
    options.mode = era_mode::modern;
  }
  auto server = app.connect(options);
  auto info = failure(ask(*app.self, server, open_connection{}));
  CHECK(info.name == "handshake_failed");
  CHECK(says(info, "sends back what it is sent"));
}
