// `caf-mcp serve` under a manager of services.
#include "tests/support/nodes.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <poll.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using Catch::Matchers::ContainsSubstring;
using tests::demo_servers;
using tests::scratch_directory;
using tests::tool_run;

namespace {

/// What systemd listens by.
class notify_socket {
public:
  /// `name` is a path, or that of an abstract socket behind an `@`.
  explicit notify_socket(const std::string& name)
    : fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    REQUIRE(name.size() < sizeof(where.sun_path));
    std::memcpy(where.sun_path, name.data(), name.size());
    if (name.front() == '@')
      where.sun_path[0] = '\0';
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&where),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path)
                                          + name.size()))
            == 0);
  }

  notify_socket(const notify_socket&) = delete;
  notify_socket& operator=(const notify_socket&) = delete;

  ~notify_socket() {
    ::close(fd_);
  }

  /// Waits for the next message; returns nothing if none comes.
  std::string next() const {
    pollfd readable{fd_, POLLIN, 0};
    if (::poll(&readable, 1, 30'000) != 1)
      return {};
    std::array<char, 4096> text{};
    const auto size = ::recv(fd_, text.data(), text.size(), 0);
    return {text.data(), static_cast<std::size_t>(size < 0 ? 0 : size)};
  }

private:
  int fd_;
};

/// `serve` with a file that can be written anew.
class service {
public:
  explicit service(const std::string& notify)
    : run_{{"--verbose", "--config", scratch_.write("mcp.json", demo_servers()),
            "serve", "--listen", "127.0.0.1:0"},
           setup(notify)} {
    run_.wait_for_output("\n");
    const auto& line = run_.shown();
    address = line.substr(line.rfind(' ') + 1);
    address.pop_back();
  }

  void reload(const std::string& config) {
    scratch_.write("mcp.json", config);
    run_.signal(SIGHUP);
  }

  int ping(const std::string& server) const {
    return tests::run_tool({"--node", address, "--server", server, "ping"})
      .status;
  }

  tests::tool_result stop() {
    run_.signal(SIGTERM);
    return run_.finish();
  }

private:
  static tool_run::setup setup(const std::string& notify) {
    tool_run::setup result;
    if (!notify.empty())
      result.env["NOTIFY_SOCKET"] = notify;
    return result;
  }

  scratch_directory scratch_;
  tool_run run_;
  std::string address;
};

} // namespace

TEST_CASE("a service reads its configuration anew and tells its manager",
          "[tool][nodes][service]") {
  const scratch_directory scratch;
  auto name = scratch.path() + "/notify";
  SECTION("at a path") {
  }
  SECTION("at an abstract socket") {
    name = "@caf-mcp-test-" + std::to_string(::getpid());
  }
  const notify_socket manager{name};
  service node{name};
  CHECK_THAT(manager.next(), ContainsSubstring("READY=1\nSTATUS=listening at"));
  CHECK(node.ping("demo") == 0);
  CHECK(node.ping("more") == 2); // not found
  node.reload(demo_servers({"demo", "more"}));
  CHECK_THAT(manager.next(), ContainsSubstring("RELOADING=1\nMONOTONIC_USEC="));
  CHECK_THAT(manager.next(), ContainsSubstring("READY=1"));
  CHECK(node.ping("more") == 0);
  node.reload("{\"mcpServers\": ");
  CHECK_THAT(manager.next(), ContainsSubstring("RELOADING=1"));
  CHECK_THAT(manager.next(), ContainsSubstring("configuration is wrong"));
  CHECK(node.ping("demo") == 0);
  CHECK(node.ping("more") == 0);
  node.reload(demo_servers({"more"}));
  CHECK_THAT(manager.next(), ContainsSubstring("RELOADING=1"));
  CHECK_THAT(manager.next(), ContainsSubstring("READY=1"));
  CHECK(node.ping("more") == 0);
  const auto result = node.stop();
  CHECK(result.status == 0);
  CHECK_THAT(manager.next(), ContainsSubstring("STOPPING=1"));
  CHECK_THAT(result.err, ContainsSubstring("1 servers added"));
  CHECK_THAT(result.err, ContainsSubstring("stays as it was"));
  CHECK_THAT(result.err, ContainsSubstring("1 removed"));
}

TEST_CASE("logs are one JSON object a line if asked for", "[tool][service]") {
  const scratch_directory scratch;
  const auto config = scratch.write(
    "mcp.json", R"({"mcpServers": {"broken": {"command": "/bin/sh",
                    "restart": "temporary",
                    "args": ["-c", "printf 'a\\377\\nb\\n' >&2; exit 3"]}}})");
  tool_run run{{"--log-format", "json", "--verbose", "--config", config,
                "serve", "--listen", "127.0.0.1:0"}};
  run.wait_for_output("\n");
  std::string text;
  SECTION("of a service") {
    run.wait_for_error("\"b\"");
    scratch.write("mcp.json", "{");
    run.signal(SIGHUP);
    run.wait_for_error("stays as it was");
    run.signal(SIGTERM);
    text = run.finish().err;
    CHECK_THAT(text, ContainsSubstring("\"level\":\"warning\""));
    CHECK_THAT(text, ContainsSubstring("\"component\":\"server\""));
  }
  SECTION("of what is wrong with the command line") {
    text = tests::run_tool({"--log-format=json", "--nonsense"}).err;
    CHECK_THAT(text, ContainsSubstring("\"level\":\"error\""));
    run.signal(SIGTERM);
    run.finish();
  }
  std::istringstream lines{text};
  auto count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    INFO(line);
    const auto entry = boost::json::parse(line).as_object();
    CHECK_THAT(entry.at("time").as_string().c_str(),
               Catch::Matchers::Matches(
                 "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"));
    for (const auto* member : {"level", "component", "message"})
      CHECK(entry.at(member).is_string());
  }
  CHECK(count > 0);
}

TEST_CASE("a log format that is none is refused", "[tool][service]") {
  const auto result = tests::run_tool({"--log-format", "xml", "configs"});
  CHECK(result.status == 2);
}

TEST_CASE("a service works without a manager, and with one that is gone",
          "[tool][nodes][service]") {
  for (const auto* name : {"", "/no/such/socket", "@no-such-socket-of-caf-mcp",
                           "relative", "@", "/"}) {
    service node{name};
    node.reload(demo_servers({"demo", "more"}));
    CHECK(node.stop().status == 0);
  }
}
