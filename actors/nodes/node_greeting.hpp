#pragma once

#include "caf_mcp/actors/nodes/node_socket.hpp"
#include "caf_mcp/actors/nodes/tls_context.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace caf_mcp {

/// What a connection goes through before CAF sees it: the handshake of TLS, and
/// then, for a listener, the first words of the peer. A peer that does not get
/// through in time is refused. Lives in the thread of its socket.
class node_greeting : public std::enable_shared_from_this<node_greeting> {
public:
  using clock = std::chrono::steady_clock;

  /// Gets the socket, or why there is none.
  using handler = std::function<void(std::optional<node_socket>, std::string)>;

  /// Without a `context`, nobody is asked who he is.
  node_greeting(boost::asio::ip::tcp::socket socket, node_role role,
                const std::shared_ptr<tls_context>& context);

  void start(clock::time_point deadline, handler on_end);

  /// Ends it; the handler is told why.
  void stop(const std::string& why);

  clock::time_point since() const noexcept {
    return since_;
  }

private:
  enum class progress_kind { done, want_read, want_write, failed };

  void advance();
  progress_kind step();
  progress_kind step_by_tls();
  progress_kind step_in_the_clear();
  progress_kind failure_of(int result);
  bool is_hello(const unsigned char* header);
  void finish(bool is_done, std::string why);

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  node_role role_;
  bool has_tls_;
  ssl_ptr session_;
  std::string why_;
  clock::time_point since_ = clock::now();
  handler on_end_;
};

} // namespace caf_mcp
