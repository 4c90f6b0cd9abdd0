#include "remote.hpp"

#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/nodes.hpp"

#include "apps/bench/compare/clients/library_host.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/io/middleman.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace bench {

namespace {

constexpr auto server_name = "demo";

/// Of a remote call beyond a local one, in bare requests.
constexpr double extra_ratio_max = 2.5;

/// What a bare request asks, and its answer.
using echo_actor = caf::typed_actor<caf::result<std::string>(std::string)>;

struct network_config : caf::actor_system_config {
  explicit network_config(const options& chosen) {
    load<caf::io::middleman>();
    set_up(*this, chosen.client);
  }
};

/// Where the other process listens.
struct ports {
  std::uint16_t hub = 0;
  std::uint16_t echo = 0;
};

template <class T>
T value(caf::expected<T> answer) {
  if (!answer)
    throw std::runtime_error{caf_mcp::describe(answer.error()).message};
  return std::move(*answer);
}

/// The other process: publishes a server and an actor, until `end` is closed.
void serve(const options& chosen, int report, int end) {
  network_config config{chosen};
  caf::actor_system system{config};
  caf_mcp::runtime host{system};
  caf_mcp::server_entry entry;
  entry.name = server_name;
  entry.options.command = chosen.client.server;
  entry.options.mode = caf_mcp::era_mode::legacy;
  const auto servers = caf_mcp::spawn_hub(host, {entry});
  const auto echo = system.spawn([](echo_actor::pointer) {
    return echo_actor::behavior_type{
      [](const std::string& text) { return text; }};
  });
  const caf_mcp::node_address here{"127.0.0.1", 0,
                                   caf_mcp::node_transport::tcp};
  const ports published{
    value(caf_mcp::publish_hub(system, servers, here)),
    value(system.middleman().publish(echo, 0, here.host.c_str())),
  };
  if (::write(report, &published, sizeof(published)) != sizeof(published))
    return;
  char ignored;
  static_cast<void>(::read(end, &ignored, 1));
  caf::anon_send_exit(echo, caf::exit_reason::user_shutdown);
}

/// Runs the other process. Must be made before any thread of this one.
class other_node {
public:
  explicit other_node(const options& chosen) {
    std::array<int, 2> report{};
    std::array<int, 2> end{};
    if (::pipe2(report.data(), O_CLOEXEC) != 0
        || ::pipe2(end.data(), O_CLOEXEC) != 0)
      throw std::system_error{errno, std::generic_category(), "pipe2"};
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(end[1]);
      serve(chosen, report[1], end[0]);
      ::_exit(0);
    }
    ::close(report[1]);
    ::close(end[0]);
    end_ = end[1];
    const auto count = ::read(report[0], &where, sizeof(where));
    ::close(report[0]);
    if (count != sizeof(where))
      throw std::runtime_error{"the other node failed"};
  }

  other_node(const other_node&) = delete;
  other_node& operator=(const other_node&) = delete;

  ~other_node() {
    ::close(end_);
    ::waitpid(pid_, nullptr, 0);
  }

  ports where;

private:
  pid_t pid_ = -1;
  int end_ = -1;
};

/// Sends so many messages, one at a time; the median time to the answer, in
/// microseconds.
template <class Handle, class Message>
double median_us(caf::scoped_actor& self, const Handle& receiver,
                 std::size_t count, const Message& message) {
  std::vector<clock::duration> times;
  times.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto start = clock::now();
    auto answer = caf_mcp::ask(self.ptr(), receiver, message);
    using answer_type = std::conditional_t<std::is_same_v<Handle, echo_actor>,
                                           std::string, caf_mcp::payload>;
    std::move(answer).receive(
      [&](const answer_type&) { times.push_back(clock::now() - start); },
      [](const caf::error& error) {
        throw std::runtime_error{caf_mcp::describe(error).message};
      });
  }
  return to_us(quantile(std::move(times), 0.5));
}

} // namespace

table measure_remote(const options& chosen) {
  other_node other{chosen}; // first, for no other thread runs yet
  network_config config{chosen};
  caf::actor_system system{config};
  const std::string host{"127.0.0.1"};
  const auto bare = value(
    system.middleman().remote_actor<echo_actor>(host, other.where.echo));
  const auto remote = caf_mcp::spawn_remote_server(
    system,
    caf_mcp::node_address{host, other.where.hub, caf_mcp::node_transport::tcp},
    server_name);
  library_host here{chosen.client};
  caf::scoped_actor self{system};
  caf::scoped_actor self_here{here.system()};
  const std::string text{"hello"};
  const auto call = caf_mcp::call_tool("echo", {{"message", text}});
  const auto count = chosen.sequential_requests / 5 + 1;
  std::vector<double> local_us;
  std::vector<double> remote_us;
  std::vector<double> bare_us;
  std::vector<double> extra;
  for (std::size_t round = 0; round <= chosen.rounds; ++round) {
    const auto by_local = median_us(self_here, here.server(), count, call);
    const auto by_remote = median_us(self, remote, count, call);
    const auto by_bare = median_us(self, bare, count, text);
    if (round == 0)
      continue; // warms up
    local_us.push_back(by_local);
    remote_us.push_back(by_remote);
    bare_us.push_back(by_bare);
    extra.push_back((by_remote - by_local) / by_bare);
  }
  caf_mcp::ask(self, remote, caf_mcp::close_connection{});
  table result{"calls of another node, one at a time, us", {"p50 us"}, {}, {}};
  result.rows = {{"local", {spread_of(local_us)}},
                 {"remote", {spread_of(remote_us)}},
                 {"bare", {spread_of(bare_us)}}};
  result.targets.push_back(
    at_most("remote call beyond a local one, in bare requests",
            spread_of(extra).median, extra_ratio_max));
  return result;
}

} // namespace bench
