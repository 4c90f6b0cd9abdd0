#include "caf_mcp/actors/nodes/node_connector.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <cstddef>
#include <cstring>
#include <netdb.h>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace caf_mcp {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
using clock = node_greeting::clock;

/// Looks a name up as the system does; blocks.
std::vector<tcp::endpoint> look_up_name(const std::string& host,
                                        std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  std::vector<tcp::endpoint> result;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0)
    return result;
  for (const auto* each = found; each != nullptr; each = each->ai_next) {
    tcp::endpoint added;
    if (each->ai_addrlen > added.capacity())
      continue;
    added.resize(each->ai_addrlen);
    std::memcpy(added.data(), each->ai_addr, each->ai_addrlen);
    added.port(port);
    result.push_back(added);
  }
  ::freeaddrinfo(found);
  return result;
}

/// One way to a node, from its name to the end of the greeting.
class attempt : public std::enable_shared_from_this<attempt> {
public:
  attempt(const std::shared_ptr<io_thread>& io,
          std::shared_ptr<tls_context> context, clock::time_point deadline,
          node_greeting::handler on_end)
    : io_{io},
      socket_{io->context()},
      timer_{io->context()},
      context_{std::move(context)},
      deadline_{deadline},
      on_end_{std::move(on_end)} {
    // nop
  }

  void start(const std::string& host, std::uint16_t port) {
    boost::asio::post(socket_.get_executor(),
                      [self = shared_from_this(), host, port] {
                        self->watch(self->deadline_);
                        self->look_up(host, port);
                      });
  }

private:
  void look_up(const std::string& host, std::uint16_t port) {
    error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    if (!error) {
      endpoints_.emplace_back(address, port);
      return connect_next();
    }
    try {
      std::thread{[host, port, io = io_, weak = weak_from_this()] {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
        auto found = look_up_name(host, port);
        if (const auto thread = io.lock())
          boost::asio::post(thread->context(),
                            [weak, found = std::move(found)]() mutable {
                              if (auto self = weak.lock()) {
                                self->endpoints_ = std::move(found);
                                self->connect_next();
                              }
                            });
      }}.detach();
    } catch (const std::system_error& refused) {
      finish(std::nullopt,
             std::string{"no thread to look the name up: "} + refused.what());
    }
  }

  /// Each address gets its part of the time that is left.
  void connect_next() {
    if (next_ == endpoints_.size())
      return finish(std::nullopt, endpoints_.empty()
                                    ? "no address is known for that name"
                                    : why_);
    const auto left = endpoints_.size() - next_;
    const auto now = clock::now();
    watch(now + (deadline_ - now) / static_cast<int>(left));
    is_late_ = false;
    error_code ignored;
    socket_.close(ignored);
    socket_.async_connect(endpoints_[next_++],
                          [self = shared_from_this()](const error_code& error) {
                            self->on_connected(error);
                          });
  }

  void on_connected(const error_code& error) {
    if (!on_end_)
      return;
    if (error) {
      if (!is_late_)
        why_ = error.message();
      return connect_next();
    }
    timer_.cancel();
    const auto greeting = std::make_shared<node_greeting>(
      std::move(socket_), node_role::caller, context_);
    greeting->start(
      deadline_, [self = shared_from_this()](std::optional<node_socket> through,
                                             std::string why) {
        self->finish(std::move(through), std::move(why));
      });
  }

  /// Ends the connect that runs, at `end`.
  void watch(clock::time_point end) {
    timer_.expires_at(end);
    timer_.async_wait([self = shared_from_this()](const error_code& error) {
      if (!error)
        self->on_late();
    });
  }

  void on_late() {
    why_ = "it does not answer";
    if (clock::now() >= deadline_)
      return finish(std::nullopt, why_);
    is_late_ = true;
    error_code ignored;
    socket_.close(ignored); // on_connected goes on
  }

  void finish(std::optional<node_socket> through, std::string why) {
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
    if (auto on_end = std::exchange(on_end_, nullptr))
      on_end(std::move(through), std::move(why));
  }

  std::weak_ptr<io_thread> io_;
  tcp::socket socket_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<tls_context> context_;
  clock::time_point deadline_;
  node_greeting::handler on_end_;
  std::vector<tcp::endpoint> endpoints_;
  std::size_t next_ = 0;
  bool is_late_ = false;
  std::string why_;
};

} // namespace

void connect_to_node(const std::shared_ptr<io_thread>& io,
                     const std::string& host, std::uint16_t port,
                     const std::shared_ptr<tls_context>& context,
                     clock::time_point deadline,
                     node_greeting::handler on_end) {
  std::make_shared<attempt>(io, context, deadline, std::move(on_end))
    ->start(host, port);
}

} // namespace caf_mcp
