// Peers that say nothing, are too many, or do not answer.
#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/nodes.hpp"

#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <csignal>
#include <deque>
#include <fstream>
#include <iomanip>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace caf_mcp;
using tests::demo_servers;
using tests::node_host;
using tests::run_tool;
using tests::serving_node;
using tests::tool_run;
using tests::value;

namespace {

using boost::asio::ip::tcp;
using clock_type = std::chrono::steady_clock;

/// Lets this process, and what it starts, have so few descriptors.
class descriptor_limit {
public:
  explicit descriptor_limit(rlim_t count) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit now{count, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &now);
  }

  descriptor_limit(const descriptor_limit&) = delete;
  descriptor_limit& operator=(const descriptor_limit&) = delete;

  ~descriptor_limit() {
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

private:
  rlimit before_{};
};

/// Connections to a node that say nothing.
class silent_peers {
public:
  silent_peers(const node_address& where, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      sockets_.emplace_back(context_);
      sockets_.back().connect(
        {boost::asio::ip::make_address(where.host), where.port});
    }
  }

  /// Waits until the node closes one of them.
  void wait_for_end(std::size_t which) {
    char byte = 0;
    boost::system::error_code error;
    sockets_[which].read_some(boost::asio::buffer(&byte, 1), error);
    CHECK(error);
  }

private:
  boost::asio::io_context context_;
  std::vector<tcp::socket> sockets_;
};

/// A port whose connect(2) never ends: the queue of its listener is full.
class black_hole {
public:
  black_hole()
    : listener_{context_, {boost::asio::ip::address_v4::loopback(), 0}} {
    listener_.listen(0);
    for (auto i = 0; i < 4; ++i) {
      waiting_.emplace_back(context_, tcp::v4());
      waiting_.back().non_blocking(true);
      // Asio would wait for the end.
      const auto where = listener_.local_endpoint();
      ::connect(waiting_.back().native_handle(), where.data(),
                static_cast<socklen_t>(where.size()));
    }
  }

  node_address address() const {
    return {"127.0.0.1", listener_.local_endpoint().port()};
  }

  /// Returns how many sockets of this machine wait for it (proc_pid_net(5)).
  std::size_t connecting() const {
    std::ostringstream port;
    port << ':' << std::uppercase << std::hex << std::setfill('0')
         << std::setw(4) << address().port << " 02 ";
    std::ifstream file{"/proc/net/tcp"};
    std::size_t result = 0;
    for (std::string line; std::getline(file, line);)
      if (line.find(port.str()) != std::string::npos)
        ++result;
    return result;
  }

private:
  boost::asio::io_context context_;
  tcp::acceptor listener_;
  std::vector<tcp::socket> waiting_;
};

std::vector<std::string> ping(const std::vector<node_address>& nodes) {
  std::vector<std::string> result;
  for (const auto& each : nodes) {
    result.emplace_back("--node");
    result.push_back(to_string(each));
  }
  result.insert(result.end(), {"--server", "demo", "ping"});
  return result;
}

} // namespace

TEST_CASE("many peers that say nothing do not lock others out",
          "[nodes][limits]") {
  std::optional<serving_node> node;
  {
    const descriptor_limit few{64};
    node.emplace();
  }
  silent_peers peers{node->address(), 100};
  for (auto i = 0; i < 3; ++i)
    CHECK(run_tool(ping({node->address()})).status == 0);
}

TEST_CASE("a peer that says nothing is sent away", "[nodes][limits]") {
  const serving_node node;
  const auto start = clock_type::now();
  silent_peers{node.address(), 1}.wait_for_end(0);
  CHECK(clock_type::now() - start < std::chrono::seconds{15});
}

TEST_CASE("many short callers, many at once, are all served",
          "[nodes][limits]") {
  const serving_node node;
  constexpr auto callers_max = 250;
  constexpr std::size_t at_once = 16;
  std::deque<std::unique_ptr<tool_run>> callers;
  auto check_first = [&callers] {
    const auto result = callers.front()->finish();
    CAPTURE(result.err);
    CHECK(result.status == 0);
    callers.pop_front();
  };
  for (auto i = 0; i < callers_max; ++i) {
    callers.push_back(std::make_unique<tool_run>(ping({node.address()})));
    if (callers.size() == at_once)
      check_first();
  }
  while (!callers.empty())
    check_first();
}

TEST_CASE("a node that does not answer costs its callers their own time",
          "[nodes][limits]") {
  const black_hole hole;
  const auto words = [&hole](const char* limit) {
    auto result = ping({hole.address()});
    result.insert(result.end(), {"--timeout", limit});
    return result;
  };
  SECTION("the time limit of a call") {
    const auto result = run_tool(words("500"));
    CHECK(result.status == 5);
    // Without its limit it would last for minutes.
    CHECK(result.elapsed < std::chrono::seconds{30});
  }
  SECTION("a signal") {
    const auto before = hole.connecting();
    tool_run caller{words("60000")};
    CHECK(tests::wait_until([&] { return hole.connecting() > before; }));
    caller.signal(SIGTERM);
    const auto result = caller.finish();
    CHECK(result.status == 130);
    CHECK(result.elapsed < std::chrono::seconds{5});
  }
}

TEST_CASE("a node that does not answer costs the callers of others nothing",
          "[nodes][limits]") {
  node_host app; // ends last: it checks that no child is left
  const black_hole hole;
  const serving_node one;
  const serving_node two;
  for (auto i = 0; i < 4; ++i) {
    auto words = ping({hole.address(), one.address(), two.address()});
    words.insert(words.end(), {"--timeout", "5000"});
    CHECK(run_tool(words).status == 0);
  }
  const auto server = spawn_remote_server(
    app.system, {hole.address(), one.address(), two.address()}, "demo");
  for (auto i = 0; i < 12; ++i) {
    auto call = call_tool("echo", {{"message", "hi"}});
    call.options.timeout = std::chrono::seconds{5};
    value(ask(*app.self, server, call));
  }
  value(ask(*app.self, server, close_connection{}));
}
