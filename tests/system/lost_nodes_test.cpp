#include "tests/support/host.hpp"
#include "tests/support/listening.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/wait_until.hpp"
#include "tests/support/wire.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <csignal>

using namespace caf_mcp;
using tests::failure;
using tests::heard;
using tests::node_host;
using tests::serving_node;
using tests::tool_run;
using tests::value;
using tests::wire_to_node;

namespace {

/// A request, its progress and a subscription that are in flight to a server of
/// another node.
class calls_in_flight {
public:
  calls_in_flight(node_host& app, const connection& server)
    : caller_{app.system}, ear_{app.system} {
    caf_mcp::listen changes;
    changes.filter.tools = true;
    value(ask(ear_, server, changes));
    CHECK(heard(ear_) == "accepted tools");
    auto call = call_tool("slow", {{"ms", 60'000}, {"steps", 1000}});
    call.options.wants_progress = true;
    answer_.emplace(ask(caller_.ptr(), server, call));
    caller_->receive([](const progress&) {});
  }

  /// Checks that all of them end, and that none ends twice.
  void check_lost() {
    std::optional<error_info> error;
    std::move(*answer_).receive(
      [](const payload&) {},
      [&error](const caf::error& x) { error = describe(x); });
    REQUIRE(error);
    CHECK(error->name == "connection_closed");
    CHECK(error->data.string_member("reason") == "node_lost");
    CHECK(error->data.string_member("outcome") == "unknown");
    CHECK(heard(ear_) == "closed failed: connection_closed");
    CHECK(tests::heard_now(ear_) == "silence");
  }

private:
  caf::scoped_actor caller_;
  caf::scoped_actor ear_;
  std::optional<decltype(ask(caller_.ptr(), connection{}, send_request{}))>
    answer_;
};

caf::expected<payload> echo(node_host& app, const connection& server) {
  auto call = call_tool("echo", {{"message", "hi"}});
  call.options.timeout = std::chrono::seconds{20};
  return ask(*app.self, server, call);
}

/// Servers of this process for other nodes, and the status of the one.
class published_hub {
public:
  explicit published_hub(node_host& app) : app_{app} {
    server_entry entry;
    entry.name = "demo";
    entry.options = tests::host::program("demo-server");
    hub_ = spawn_hub(*app.runtime, {entry});
    address.port = value(publish_hub(app.system, hub_, address));
    // Before, what is in flight is the handshake.
    CHECK(tests::wait_until(
      [this] { return status().state == server_state::ready; }));
  }

  std::uint64_t in_flight() {
    return status().in_flight;
  }

  node_address address{"127.0.0.1", 0};

private:
  server_status status() {
    return value(ask(*app_.self, hub_, get_servers{})).at(0);
  }

  node_host& app_;
  hub hub_;
};

/// A node of this process that does not give up on a new connection which is
/// silent for a while, as CAF does with its next heartbeat.
struct patient_node {
  struct patient_config : tests::node_config {
    explicit patient_config(const tls_credentials& tls) : node_config{tls} {
      set("caf.middleman.heartbeat-interval",
          caf::timespan{std::chrono::seconds{60}});
    }
  };

  tls_credentials tls = value(tls_credentials::of_user());
  patient_config config{tls};
  caf::actor_system system{config};
  caf::scoped_actor self{system};
};

} // namespace

TEST_CASE("a node that is killed fails all that is in flight",
          "[nodes][lost]") {
  node_host app;
  serving_node node;
  auto server = spawn_remote_server(app.system, node.address(), "demo");
  calls_in_flight calls{app, server};
  node.run().signal(SIGKILL);
  calls.check_lost();
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("a node that is stopped fails all that is in flight",
          "[nodes][lost]") {
  node_host app;
  serving_node node;
  auto server = spawn_remote_server(app.system, node.address(), "demo");
  calls_in_flight calls{app, server};
  node.run().signal(SIGSTOP);
  calls.check_lost();
  CHECK(failure(echo(app, server)).data.string_member("reason") == "node_lost");
  node.run().signal(SIGCONT);
  CHECK(
    tests::wait_until([&] { return static_cast<bool>(echo(app, server)); }));
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("a cut between nodes fails all that is in flight", "[nodes][lost]") {
  node_host app;
  serving_node node;
  wire_to_node wire{node.address()};
  auto server = spawn_remote_server(app.system, wire.address(), "demo");
  calls_in_flight calls{app, server};
  wire.cut();
  calls.check_lost();
  wire.mend();
  CHECK(
    tests::wait_until([&] { return static_cast<bool>(echo(app, server)); }));
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("a caller behind a cut has its requests cancelled on the server",
          "[nodes][lost]") {
  node_host app;
  published_hub servers{app};
  wire_to_node wire{servers.address};
  tool_run caller{{"--node", to_string(wire.address()), "--server", "demo",
                   "request", "tools/call", "name=slow",
                   R"(arguments:={"ms": 60000})"}};
  CHECK(tests::wait_until([&] { return servers.in_flight() == 1; }));
  wire.cut();
  CHECK(tests::wait_until([&] { return servers.in_flight() == 0; }));
  caller.signal(SIGINT);
  CHECK(caller.finish().status == 130);
}

TEST_CASE("a caller that is stopped has its requests cancelled on the server",
          "[nodes][lost]") {
  node_host app;
  published_hub servers{app};
  tool_run caller{{"--node", to_string(servers.address), "--server", "demo",
                   "request", "tools/call", "name=slow",
                   R"(arguments:={"ms": 60000})"}};
  CHECK(tests::wait_until([&] { return servers.in_flight() == 1; }));
  caller.signal(SIGSTOP);
  CHECK(tests::wait_until([&] { return servers.in_flight() == 0; }));
  caller.signal(SIGCONT);
  CHECK(caller.finish().status == 3);
}

TEST_CASE("a look-up that is lost is repeated", "[nodes][lost]") {
  patient_node app;
  serving_node node{{.options = {"--insecure"}}};
  const auto* fault = GENERATE("lose-first", "close-first");
  CAPTURE(fault);
  wire_to_node wire{node.address(), fault};
  auto server = spawn_remote_server(app.system, wire.address(), "demo");
  value(ask(app.self, server, open_connection{}));
  value(ask(app.self, server, close_connection{}));
}
