// The servers of the protocol's own project, as they come from npm.
#include "tests/support/host.hpp"
#include "tests/support/listening.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/sdk_server.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace caf_mcp;
using tests::failure;
using tests::first_text;
using tests::host;
using tests::sdk_server;
using tests::value;

namespace {

server_options npm(std::string_view name, std::vector<std::string> args = {}) {
  server_options options;
  options.command = tests::npm_binary(name);
  options.args = std::move(args);
  options.env["PATH"] = tests::path_with_node();
  return options;
}

/// Opens, closes and checks what is between; the server must leave.
template <class Check>
void with_server(server_options options, Check check) {
  host app;
  auto server = app.connect(std::move(options));
  auto session = value(ask(*app.self, server, open_connection{}));
  REQUIRE(session.state == connection_state::ready);
  check(app, server, session);
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK_FALSE(tests::exists(session.pid));
}

} // namespace

TEST_CASE("server-everything lists and calls its tools", "[npm]") {
  with_server(
    npm("mcp-server-everything", {"stdio"}),
    [](host& app, const connection& server, const session_info& session) {
      CHECK(session.era == era::legacy);
      CHECK(session.protocol_version == "2025-11-25");
      CHECK_FALSE(session.server_info.string_member("name").empty());
      CHECK(session.capabilities.member("tools"));
      auto tools = value(ask(*app.self, server, list_all{}));
      CHECK(tools.value().as_array().size() > 5);
      auto echo
        = value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}})));
      CHECK(first_text(echo) == "Echo: hi");
      CHECK_FALSE(value(ask(*app.self, server, list_all{list_kind::resources}))
                    .value()
                    .as_array()
                    .empty());
      CHECK_FALSE(value(ask(*app.self, server, list_all{list_kind::prompts}))
                    .value()
                    .as_array()
                    .empty());
    });
}

TEST_CASE("server-filesystem reads a file it may read", "[npm]") {
  tests::scratch_directory directory;
  auto file = directory.write("note.txt", "what it says");
  with_server(
    npm("mcp-server-filesystem", {directory.path()}),
    [&](host& app, const connection& server, const session_info& session) {
      CHECK(session.era == era::legacy);
      auto text = value(
        ask(*app.self, server, call_tool("read_text_file", {{"path", file}})));
      CHECK(first_text(text) == "what it says");
      auto refused
        = value(ask(*app.self, server,
                    call_tool("read_text_file", {{"path", "/etc/passwd"}})));
      CHECK(refused.value().at("isError").as_bool());
    });
}

TEST_CASE("server-memory keeps its graph in the file it is told", "[npm]") {
  tests::scratch_directory directory;
  auto options = npm("mcp-server-memory");
  auto file = directory.path() + "/memory.jsonl";
  options.env["MEMORY_FILE_PATH"] = file;
  with_server(options, [](host& app, const connection& server,
                          const session_info& session) {
    CHECK(session.era == era::legacy);
    boost::json::object ada{{"name", "Ada"},
                            {"entityType", "person"},
                            {"observations", boost::json::array{}}};
    value(ask(
      *app.self, server,
      call_tool("create_entities", {{"entities", boost::json::array{ada}}})));
  });
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("server-sequential-thinking takes a thought", "[npm]") {
  with_server(
    npm("mcp-server-sequential-thinking"),
    [](host& app, const connection& server, const session_info& session) {
      CHECK(session.era == era::legacy);
      auto result = value(
        ask(*app.self, server,
            call_tool("sequentialthinking", {{"thought", "one"},
                                             {"nextThoughtNeeded", false},
                                             {"thoughtNumber", 1},
                                             {"totalThoughts", 1}})));
      CHECK_FALSE(result.member("isError"));
    });
}

TEST_CASE("a server of the official modern SDK is spoken to in either era",
          "[npm]") {
  auto options = sdk_server();
  auto expected = era::modern;
  SECTION("found out") {
    options.mode = era_mode::automatic;
  }
  SECTION("modern") {
    options.mode = era_mode::modern;
  }
  SECTION("legacy") {
    options.mode = era_mode::legacy;
    expected = era::legacy;
  }
  with_server(options, [&](host& app, const connection& server,
                           const session_info& session) {
    CHECK(session.era == expected);
    CHECK_FALSE(session.server_info.string_member("name").empty());
    auto sum
      = value(ask(*app.self, server, call_tool("add", {{"a", 2}, {"b", 40}})));
    CHECK(first_text(sum) == "42");
  });
}

TEST_CASE("a server of the official SDK that is modern only needs no handshake",
          "[npm]") {
  with_server(sdk_server({"--modern"}), [](host& app, const connection& server,
                                           const session_info& session) {
    CHECK(session.era == era::modern);
    auto echo
      = value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}})));
    CHECK_FALSE(first_text(echo).empty());
  });
  host app;
  auto options = sdk_server({"--modern"});
  options.mode = era_mode::legacy;
  CHECK(failure(ask(*app.self, app.connect(options), open_connection{})).name
        == "unsupported_protocol_version");
}

TEST_CASE("server-everything reports on resources and logs", "[npm][listen]") {
  with_server(
    npm("mcp-server-everything", {"stdio"}),
    [](host& app, const connection& server, const session_info&) {
      caf::scoped_actor log_reader{app.system()};
      caf_mcp::listen message;
      message.options.credit = 1000;
      message.filter.log = log_level::debug;
      value(ask(log_reader, server, message));
      CHECK(tests::heard(log_reader) == "accepted log=debug");
      const std::string uri = "demo://resource/dynamic/text/1";
      message.filter = {false, false, false, {uri}, {}};
      auto id = value(ask(*app.self, server, message));
      CHECK(tests::heard(*app.self) == "accepted " + uri);
      CHECK(tests::heard(log_reader)
              .starts_with("event log_message info: Received Subscribe"));
      value(ask(*app.self, server, call_tool("toggle-subscriber-updates")));
      CHECK(tests::heard(*app.self) == "event resource_updated " + uri);
      value(ask(*app.self, server, cancel_subscription{id}));
      CHECK(tests::heard(*app.self) == "closed cancelled");
      CHECK(tests::heard(log_reader)
              .starts_with("event log_message info: Received Unsubscribe"));
    });
}

TEST_CASE("a server of the official modern SDK is listened to in either era",
          "[npm][listen]") {
  auto options = sdk_server();
  SECTION("modern") {
    options.mode = era_mode::modern;
  }
  SECTION("legacy") {
    options.mode = era_mode::legacy;
  }
  with_server(options,
              [](host& app, const connection& server, const session_info&) {
                caf_mcp::listen message;
                message.filter.tools = true;
                auto id = value(ask(*app.self, server, message));
                CHECK(tests::heard(*app.self) == "accepted tools");
                value(ask(*app.self, server, call_tool("touch")));
                CHECK(tests::heard(*app.self) == "event tools_changed");
                value(ask(*app.self, server, cancel_subscription{id}));
                CHECK(tests::heard(*app.self) == "closed cancelled");
                value(ask(*app.self, server, call_tool("touch")));
                CHECK(tests::heard_now(*app.self) == "silence");
              });
}
