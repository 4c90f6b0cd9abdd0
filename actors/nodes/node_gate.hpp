#pragma once

#include "caf_mcp/actors/nodes/io_thread.hpp"
#include "caf_mcp/actors/nodes/node_greeting.hpp"
#include "caf_mcp/actors/nodes/node_socket.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace caf_mcp {

/// How many and how slow peers a node puts up with.
struct gate_limits {
  /// Connections at once, those in the handshake included.
  std::size_t connections_max = 256;
  /// Connections of one peer that are through, by its certificate.
  std::size_t connections_of_one_max = 128;
  /// From the connection to the first words of the peer.
  std::chrono::milliseconds handshake_timeout{5000};
  /// How old a handshake must be to make way for a new one.
  std::chrono::milliseconds patience{250};
};

/// Returns limits that leave most of the descriptors of this process to
/// servers.
gate_limits limits_of_process();

/// How many connections each peer has. Any thread.
class peer_connections {
public:
  /// Counts one more of `peer`, until what is returned is gone; null if it has
  /// `most` already.
  static std::shared_ptr<void> add(const std::shared_ptr<peer_connections>& to,
                                   const std::string& peer, std::size_t most);

private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;
};

/// The door of a node: listens, lets nobody through who does not prove who he
/// is, and keeps the number of connections in bounds. Those that are through
/// wait to be taken.
class node_gate : public std::enable_shared_from_this<node_gate> {
public:
  /// Listens. Without a `context`, everybody is let through. Fails with
  /// `config_invalid`.
  static caf::expected<std::shared_ptr<node_gate>>
  listen(const std::string& host, std::uint16_t port,
         std::shared_ptr<tls_context> context, gate_limits limits);

  explicit node_gate(std::shared_ptr<io_thread> io, gate_limits limits);

  ~node_gate();

  std::uint16_t port() const noexcept {
    return port_;
  }

  /// Becomes readable when a connection waits to be taken.
  int ready_fd() const noexcept {
    return ready_[0];
  }

  /// Returns a connection that is through, if one waits. Any thread.
  std::optional<node_socket> take();

  /// Stops to listen. Any thread.
  void stop();

private:
  using tcp = boost::asio::ip::tcp;
  using greeting_ptr = std::shared_ptr<node_greeting>;

  void accept();
  void accept_later();
  void on_accepted(tcp::socket socket);
  bool make_room();
  void greet(tcp::socket socket);
  void let_in(node_socket socket);
  void put(node_socket socket);

  std::shared_ptr<io_thread> io_;
  gate_limits limits_;
  std::shared_ptr<tls_context> context_;
  tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  std::uint16_t port_ = 0;
  std::list<greeting_ptr> greetings_;
  std::shared_ptr<std::atomic<std::size_t>> count_;
  std::shared_ptr<peer_connections> of_peers_
    = std::make_shared<peer_connections>();
  std::mutex mutex_;
  std::deque<node_socket> through_;
  bool is_stopped_ = false;
  int ready_[2] = {-1, -1};
};

} // namespace caf_mcp
