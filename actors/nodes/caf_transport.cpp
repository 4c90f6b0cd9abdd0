#include "caf_mcp/actors/nodes/caf_transport.hpp"

#include "caf_mcp/actors/loop/caf_io_version.hpp"
#include "caf_mcp/actors/loop/caf_version.hpp"
#include "caf_mcp/actors/nodes/connected_peers.hpp"
#include "caf_mcp/actors/nodes/peer_frames.hpp"
#include "caf_mcp/actors/nodes/peer_messages.hpp"

#include <caf/actor_system.hpp>
#include <caf/io/basp_broker.hpp>
#include <caf/io/middleman.hpp>
#include <caf/io/network/acceptor.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/io/network/stream.hpp>
#include <caf/make_counted.hpp>
#include <openssl/err.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <utility>

namespace caf_mcp {

namespace {

namespace net = caf::io::network;

/// CAF knows connections by descriptor, and cleans up after one when messages
/// that came by it have been read: the next that got the same descriptor would
/// lose its way. These numbers are of no descriptor, and none comes twice.
std::int64_t next_handle() {
  static std::atomic<std::int64_t> last{std::int64_t{1} << 32};
  return ++last;
}

/// OpenSSL writes by write(2), which would raise SIGPIPE where a peer is gone.
void block_sigpipe() {
  thread_local const auto is_blocked = [] {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGPIPE);
    return ::pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0;
  }();
  static_cast<void>(is_blocked);
}

/// Reads and writes a socket for CAF, by TLS or in the clear.
class socket_policy {
public:
  socket_policy(ssl_ptr session, std::shared_ptr<void> place)
    : session_{std::move(session)}, place_{std::move(place)} {
    // nop
  }

  net::rw_state read_some(std::size_t& count, net::native_socket fd, void* to,
                          std::size_t size) {
    count = 0;
    if (const auto state = state_without_io(size))
      return *state;
    if (!session_)
      return result_of(::recv(fd, to, size, 0), count);
    ERR_clear_error();
    return tls_result_of(SSL_read_ex(session_.get(), to, size, &count),
                         net::rw_state::success);
  }

  net::rw_state write_some(std::size_t& count, net::native_socket fd,
                           const void* from, std::size_t size) {
    count = 0;
    if (const auto state = state_without_io(size))
      return *state;
    if (!session_)
      return result_of(::send(fd, from, size, MSG_NOSIGNAL), count);
    block_sigpipe();
    ERR_clear_error();
    return tls_result_of(SSL_write_ex(session_.get(), from, size, &count),
                         net::rw_state::want_read);
  }

  bool must_read_more(net::native_socket, std::size_t threshold) {
    return session_ && !is_refused_
           && static_cast<std::size_t>(SSL_pending(session_.get()))
                >= threshold;
  }

  /// Nothing is read or written any more; wakes CAF, which then closes.
  void refuse(net::native_socket fd) {
    is_refused_ = true;
    ::shutdown(fd, SHUT_RDWR);
  }

  bool is_refused() const noexcept {
    return is_refused_;
  }

private:
  /// Returns the state of a socket that need not be asked to move `size` bytes.
  std::optional<net::rw_state> state_without_io(std::size_t size) const {
    if (is_refused_)
      return net::rw_state::failure;
    if (size == 0)
      return net::rw_state::indeterminate;
    return std::nullopt;
  }

  static net::rw_state result_of(::ssize_t result, std::size_t& count) {
    if (result > 0) {
      count = static_cast<std::size_t>(result);
      return net::rw_state::success;
    }
    const auto is_for_later = result < 0 && (errno == EAGAIN || errno == EINTR);
    return is_for_later ? net::rw_state::success : net::rw_state::failure;
  }

  /// `when_reading` is what CAF is told if TLS has to read first.
  net::rw_state tls_result_of(int result, net::rw_state when_reading) {
    if (result == 1)
      return net::rw_state::success;
    switch (SSL_get_error(session_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        return when_reading;
      case SSL_ERROR_WANT_WRITE:
        return net::rw_state::success;
      default:
        ERR_clear_error();
        return net::rw_state::failure;
    }
  }

  ssl_ptr session_;
  std::shared_ptr<void> place_;
  bool is_refused_ = false;
};

class socket_stream final : public net::stream {
public:
  socket_stream(net::default_multiplexer& loop, node_socket socket)
    : net::stream{loop, std::exchange(socket.fd, -1)},
      policy_{std::move(socket.session), std::move(socket.place)} {
    // nop
  }

  void handle_event(net::operation what) override {
    handle_event_impl(what, policy_);
    // The greeting may have taken the first bytes off the socket, which is
    // then not readable although there is something to read.
    if (what == net::operation::write && !std::exchange(is_primed_, true)
        && policy_.must_read_more(fd(), 1))
      handle_event_impl(net::operation::read, policy_);
  }

  void refuse() {
    policy_.refuse(fd());
  }

  bool is_refused() const noexcept {
    return policy_.is_refused();
  }

private:
  socket_policy policy_;
  bool is_primed_ = false;
};

class node_scribe final : public caf::io::scribe {
public:
  node_scribe(net::default_multiplexer& loop, node_socket socket)
    : scribe{caf::io::connection_handle::from_int(next_handle())},
      frames_{bytes_of(loop.system(), loop.system().node())},
      identity_{socket.peer},
      stream_{loop, std::move(socket)} {
    // nop
  }

  /// CAF asks for as many bytes as a peer has announced.
  void configure_read(caf::io::receive_policy::config config) override {
    if (config.second > frame_bytes_max) {
      stream_.refuse();
      config = caf::io::receive_policy::exactly(1);
    }
    stream_.configure_read(config);
    if (!std::exchange(is_launched_, true)) {
      stream_.start(this);
      stream_.force_empty_write(net::stream::manager_ptr{this});
    }
  }

  bool consume(caf_version::execution_unit_base* unit, const void* bytes,
               std::size_t size) override {
    const auto* first = static_cast<const std::byte*>(bytes);
    if (!frames_.accept(first, size)) {
      stream_.refuse();
      return true; // the next read closes the connection
    }
    if (!known_ && frames_.peer())
      known_ = connected_peers::shared().add(*frames_.peer(), identity_);
    if (frames_.is_message() && !is_readable_message(first, size))
      empty_message(size);
    return scribe::consume(unit, bytes, size);
  }

  /// For the thread of CAF's I/O.
  void close_if_unanswered() {
    if (!frames_.has_answered())
      stream_.refuse();
  }

  void ack_writes(bool enable) override {
    stream_.ack_writes(enable);
  }

  caf::byte_buffer& wr_buf() override {
    return stream_.wr_buf();
  }

  caf::byte_buffer& rd_buf() override {
    return stream_.rd_buf();
  }

  void graceful_shutdown() override {
    stream_.graceful_shutdown();
    detach(&stream_.backend(), false);
  }

  void flush() override {
    if (stream_.wr_buf().size() > unwritten_bytes_max)
      stream_.refuse();
    if (stream_.is_refused()) {
      stream_.wr_buf().clear();
      return;
    }
    stream_.flush(net::stream::manager_ptr{this});
  }

  std::string addr() const override {
    auto found = net::remote_addr_of_fd(stream_.fd());
    return found ? std::move(*found) : "";
  }

  std::uint16_t port() const override {
    const auto found = net::remote_port_of_fd(stream_.fd());
    return found ? *found : std::uint16_t{0};
  }

  void add_to_loop() override {
    stream_.activate(this);
  }

  void remove_from_loop() override {
    stream_.passivate();
  }

private:
  /// CAF has seen the header, and waits for so many bytes. What begins with no
  /// actors and no types is a message that holds nothing.
  void empty_message(std::size_t size) {
    std::fill_n(rd_buf().begin(), std::min<std::size_t>(size, 2),
                caf::byte_buffer::value_type{});
  }

  peer_frames frames_;
  std::string identity_;
  /// Notes who the peer is, from its introduction to the end of this.
  std::shared_ptr<void> known_;
  bool is_launched_ = false;
  socket_stream stream_;
};

/// Wakes when a connection is through the gate.
class gate_acceptor final : public net::acceptor {
public:
  gate_acceptor(net::default_multiplexer& loop, int wake,
                std::shared_ptr<node_gate> gate)
    : net::acceptor{loop, wake}, gate_{std::move(gate)} {
    // nop
  }

  void handle_event(net::operation what) override {
    handle_event_impl(what, *this);
  }

  /// For CAF; what it is given is taken by `take`.
  bool try_accept(net::native_socket& to, net::native_socket) {
    taken_ = gate_->take();
    if (!taken_)
      return false;
    to = taken_->fd;
    return true;
  }

  node_socket take() {
    return std::move(*std::exchange(taken_, std::nullopt));
  }

private:
  std::shared_ptr<node_gate> gate_;
  std::optional<node_socket> taken_;
};

class gate_doorman final : public caf::io::doorman {
public:
  gate_doorman(net::default_multiplexer& loop, int wake, std::string host,
               std::shared_ptr<node_gate> gate)
    : doorman{caf::io::accept_handle::from_int(next_handle())},
      host_{std::move(host)},
      gate_{gate},
      acceptor_{loop, wake, std::move(gate)} {
    // nop
  }

  ~gate_doorman() override {
    gate_->stop();
  }

  bool new_connection() override {
    auto socket = acceptor_.take();
    if (detached())
      return false;
    auto& loop = acceptor_.backend();
    auto added = caf::make_counted<node_scribe>(loop, std::move(socket));
    const auto handle = added->hdl();
    parent()->add_scribe(std::move(added));
    return doorman::new_connection(&loop, handle);
  }

  void graceful_shutdown() override {
    gate_->stop();
    acceptor_.graceful_shutdown();
    detach(&acceptor_.backend(), false);
  }

  void launch() override {
    acceptor_.start(this);
  }

  std::string addr() const override {
    return host_;
  }

  std::uint16_t port() const override {
    return gate_->port();
  }

  void add_to_loop() override {
    acceptor_.activate(this);
  }

  void remove_from_loop() override {
    acceptor_.passivate();
  }

private:
  std::string host_;
  std::shared_ptr<node_gate> gate_;
  gate_acceptor acceptor_;
};

net::default_multiplexer& loop_of(caf::actor_system& system) {
  return static_cast<net::default_multiplexer&>(system.middleman().backend());
}

} // namespace

caf::actor protocol_broker(caf::actor_system& system) {
  return system.middleman().named_broker<caf::io::basp_broker>("BASP");
}

caf::io::scribe_ptr make_scribe(caf::actor_system& system, node_socket socket) {
  return caf::make_counted<node_scribe>(loop_of(system), std::move(socket));
}

void close_if_unanswered(caf::actor_system& system,
                         const caf::io::scribe_ptr& connection) {
  loop_of(system).post([connection] {
    static_cast<node_scribe&>(*connection).close_if_unanswered();
  });
}

caf::io::doorman_ptr make_doorman(caf::actor_system& system, std::string host,
                                  std::shared_ptr<node_gate> gate) {
  // CAF closes the descriptor that it is given.
  const auto wake = ::fcntl(gate->ready_fd(), F_DUPFD_CLOEXEC, 0);
  return caf::make_counted<gate_doorman>(loop_of(system), wake, std::move(host),
                                         std::move(gate));
}

} // namespace caf_mcp
