#include "caf_mcp/messages/config/option_descriptor.hpp"

#include "caf_mcp/messages/config/options_json.hpp"

#include "tests/support/error_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using tests::text_of;

TEST_CASE("the options come in the order of the documentation",
          "[option_descriptor]") {
  std::vector<std::string_view> keys;
  for (const auto& option : option_descriptors())
    keys.push_back(option.key);
  const std::vector<std::string_view> documented{
    "command",
    "args",
    "env",
    "inherit_env",
    "cd",
    "stderr",
    "allow_batch_files",
    "max_message_bytes",
    "on_oversize",
    "max_junk_lines",
    "max_unwritten_bytes",
    "write_stall",
    "stdin_grace",
    "term_grace",
    "kill_policy",
    "on_host_death",
    "mode",
    "protocol_version",
    "client_info",
    "probe_timeout",
    "handshake_timeout",
    "request_timeout",
    "max_total_timeout",
    "max_server_requests",
    "max_reconnects",
    "max_input_rounds",
    "max_cached_responses",
    "allow_invalid_output",
    "max_json_depth",
    "flush_timeout",
  };
  CHECK(keys == documented);
}

TEST_CASE("each option says what it is and what it may be",
          "[option_descriptor]") {
  for (const auto& option : option_descriptors()) {
    CAPTURE(option.key);
    CHECK(option.help.ends_with("."));
    CHECK_FALSE(option.allowed.empty());
    CHECK_FALSE(option.default_value.empty());
    CHECK(find_option(option.key) == &option);
  }
}

TEST_CASE("each documented default is what the options start with",
          "[option_descriptor]") {
  for (const auto& option : option_descriptors()) {
    CAPTURE(option.key, option.default_value);
    if (option.key == "command")
      continue;
    auto json = boost::json::parse(option.default_value);
    server_options options;
    CHECK(text_of(set_option(options, option.key, json)) == "ok");
    CHECK(options == server_options{});
  }
}

TEST_CASE("cwd is another name of cd", "[option_descriptor]") {
  REQUIRE(find_option("cwd") != nullptr);
  CHECK(find_option("cwd")->key == "cd");
}

TEST_CASE("what is no option is not found", "[option_descriptor]") {
  CHECK(find_option("") == nullptr);
  CHECK(find_option("Command") == nullptr);
}

TEST_CASE("a document of the greatest depth is safe to work with",
          "[option_descriptor]") {
  const auto* option = find_option("max_json_depth");
  REQUIRE(option != nullptr);
  boost::json::value deep{1};
  for (auto level = std::int64_t{0}; level < option->number_max; ++level)
    deep = boost::json::object{{"a", std::move(deep)}};
  auto copy = deep;
  CHECK(copy == deep);
  CHECK(boost::json::serialize(copy).size() > 4096);
}
