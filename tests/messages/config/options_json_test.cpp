#include "caf_mcp/messages/config/options_json.hpp"

#include "tests/support/error_text.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using tests::text_of;
using namespace std::chrono_literals;

namespace {

struct reading {
  caf::expected<server_options> options;
  std::vector<std::string> warnings;
};

reading read(std::string_view json) {
  std::vector<std::string> warnings;
  auto options
    = options_from_json(boost::json::parse(json).as_object(), warnings);
  return {std::move(options), std::move(warnings)};
}

server_options read_good(std::string_view json) {
  auto [options, warnings] = read(json);
  CHECK(warnings.empty());
  REQUIRE(options);
  return *options;
}

std::string error_of(std::string_view json) {
  auto options = read(json).options;
  return options ? "ok" : text_of(options.error());
}

} // namespace

TEST_CASE("an empty object gives the defaults", "[options_json]") {
  CHECK(read_good("{}") == server_options{});
}

TEST_CASE("every key is read", "[options_json]") {
  auto options = read_good(R"({
    "command": "npx", "args": ["-y", "server"],
    "env": {"A": "1", "KEY": {"secret": "hunter2"}, "B": null},
    "inherit_env": "all", "cd": "/tmp", "stderr": "capture",
    "allow_batch_files": true, "max_message_bytes": 1, "on_oversize": "discard",
    "max_junk_lines": 2, "max_unwritten_bytes": 3, "write_stall": 16,
    "stdin_grace": 4,
    "term_grace": 5, "kill_policy": "close_stdin_only",
    "on_host_death": "kill", "mode": "modern",
    "protocol_version": "2026-07-28",
    "client_info": {"name": "n", "version": "v", "title": "t"},
    "probe_timeout": 6, "handshake_timeout": 7, "request_timeout": 8,
    "max_total_timeout": 9, "max_server_requests": 10, "max_reconnects": 11,
    "max_input_rounds": 12, "max_json_depth": 13, "flush_timeout": 14,
    "max_cached_responses": 15, "allow_invalid_output": true})");
  server_options expected;
  expected.command = "npx";
  expected.args = {"-y", "server"};
  expected.env["A"] = "1";
  expected.env["KEY"] = secret{"hunter2"};
  expected.env["B"] = unset_variable{};
  expected.inherit_env.policy = inherit_policy::all;
  expected.cd = "/tmp";
  expected.stderr_to.kind = stderr_kind::capture;
  expected.allow_batch_files = true;
  expected.max_message_bytes = 1;
  expected.on_oversize = oversize_policy::discard;
  expected.max_junk_lines = 2;
  expected.max_unwritten_bytes = 3;
  expected.write_stall = 16ms;
  expected.stdin_grace = 4ms;
  expected.term_grace = 5ms;
  expected.kill_policy = stop_policy::close_stdin_only;
  expected.on_host_death = host_death_policy::kill;
  expected.mode = era_mode::modern;
  expected.protocol_version = "2026-07-28";
  expected.client_info = {"n", "v", parse_payload(R"({"title": "t"})")};
  expected.probe_timeout = 6ms;
  expected.handshake_timeout = 7ms;
  expected.request_timeout = 8ms;
  expected.max_total_timeout = 9ms;
  expected.max_server_requests = 10;
  expected.max_reconnects = 11;
  expected.max_input_rounds = 12;
  expected.allow_invalid_output = true;
  expected.max_json_depth = 13;
  expected.flush_timeout = 14ms;
  expected.max_cached_responses = 15;
  CHECK(options == expected);
}

TEST_CASE("keys with several shapes take each of them", "[options_json]") {
  CHECK(read_good(R"({"cwd": "/srv"})").cd == "/srv");
  CHECK(read_good(R"({"cd": null})").cd == std::nullopt);
  CHECK(read_good(R"({"stderr": {"file": "/var/log/x"}})").stderr_to
        == stderr_target{stderr_kind::file, "/var/log/x"});
  CHECK(read_good(R"({"inherit_env": ["SSH_AUTH_SOCK"]})").inherit_env
        == inherited_variables{inherit_policy::allowlist, {"SSH_AUTH_SOCK"}});
  CHECK(read_good(R"({"protocol_version": "latest"})").protocol_version == "");
  CHECK(read_good(R"({"mode": "auto"})").mode == era_mode::automatic);
}

TEST_CASE("a value of the wrong type is refused with key, value and what is "
          "allowed",
          "[options_json]") {
  CHECK(error_of(R"({"max_message_bytes": "8M"})")
        == "config_invalid: max_message_bytes: is \"8M\"; must be an integer "
           "from 1 to 2147483647, in bytes");
  CHECK(error_of(R"({"mode": "new"})")
        == "config_invalid: mode: is \"new\"; must be \"auto\", \"legacy\" or "
           "\"modern\"");
  CHECK(error_of(R"({"args": ["--port", 3000]})")
        == "config_invalid: args: [1] is 3000; must be a string");
  CHECK(error_of(R"({"args": "-y"})")
        == "config_invalid: args: is \"-y\"; must be a list of strings");
}

TEST_CASE("every key refuses values of other types", "[options_json]") {
  for (const auto& option : option_descriptors()) {
    for (std::string_view json :
         {R"({"nested": {"a": 1}})", "[[]]", "1.5", "-1"}) {
      CAPTURE(option.key, json);
      if (option.kind == option_kind::environment && json.starts_with("{"))
        continue;
      server_options options;
      CHECK_THAT(
        text_of(set_option(options, option.key, boost::json::parse(json))),
        StartsWith("config_invalid: " + std::string{option.key} + ": "));
      CHECK(options == server_options{});
    }
  }
}

TEST_CASE("bounds are checked", "[options_json]") {
  for (auto json : {R"({"max_message_bytes": 0})", R"({"stdin_grace": -1})",
                    R"({"max_message_bytes": 2147483648})",
                    R"({"max_message_bytes": 18446744073709551615})",
                    R"({"request_timeout": 0})", R"({"term_grace": 1e3})"})
    CHECK_THAT(error_of(json), StartsWith("config_invalid: "));
}

TEST_CASE("null, an unknown word and an incomplete object are refused",
          "[options_json]") {
  for (auto json :
       {R"({"command": null})", R"({"env": null})",
        R"({"inherit_env": "some"})", R"({"stderr": "file"})",
        R"({"stderr": {"file": 1}})",
        R"({"stderr": {"file": "/x", "mode": "w"}})",
        R"({"client_info": {"name": "x"}})", R"({"on_oversize": ""})",
        R"({"client_info": {"name": "x", "version": 1}})",
        R"({"protocol_version": "2025"})", R"({"allow_batch_files": 1})"})
    CHECK_THAT(error_of(json), StartsWith("config_invalid: "));
}

TEST_CASE("an error about a variable does not show its value",
          "[options_json]") {
  for (auto json : {R"({"env": {"KEY": ["hunter2"]}})",
                    R"({"env": {"KEY": {"secret": ["hunter2"]}}})",
                    R"({"env": {"KEY": {"secert": "hunter2"}}})",
                    R"({"env": ["KEY=hunter2"]})"}) {
    auto text = error_of(json);
    CHECK_THAT(text, StartsWith("config_invalid: env: "));
    CHECK_THAT(text, !ContainsSubstring("hunter2"));
  }
}

TEST_CASE("a long value is cut in the error, between characters",
          "[options_json]") {
  std::string json = R"({"mode": ")";
  for (auto i = 0; i < 1000; ++i)
    json += "\xC3\xA4";
  json += "\"}";
  auto text = error_of(json);
  CHECK(text.size() < 300);
  CHECK_THAT(text, ContainsSubstring("\xC3\xA4..."));
}

TEST_CASE("an unknown key is a warning that names the nearest one",
          "[options_json]") {
  auto [options, warnings] = read(R"({"maxMessageByte": 1, "arg": []})");
  CHECK(options);
  CHECK(warnings
        == std::vector<std::string>{
          "unknown key \"maxMessageByte\" is ignored; the nearest known key is "
          "\"max_message_bytes\"",
          "unknown key \"arg\" is ignored; the nearest known key is \"args\""});
}

TEST_CASE("keys that editors keep for themselves are ignored",
          "[options_json]") {
  auto options = read_good(R"({"type": "stdio", "disabled": false,
    "name": "x", "description": "y", "autoApprove": [], "alwaysAllow": ["t"]})");
  CHECK(options == server_options{});
}

TEST_CASE("an unknown key cannot be set", "[options_json]") {
  server_options options;
  CHECK(text_of(set_option(options, "max_mesage_bytes", 1))
        == "config_invalid: max_mesage_bytes: is unknown; the nearest known "
           "key is \"max_message_bytes\"");
}
