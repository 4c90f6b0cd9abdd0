#include "caf_mcp/actors/nodes/node_gate.hpp"

#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::size_t connections_max = 1024;

/// Connections get a quarter of the descriptors, so that servers, which need
/// some six each, are never without.
constexpr std::size_t part_of_descriptors = 4;

/// A peer leaves some to others.
constexpr std::size_t part_of_connections = 2;

/// Without descriptors or room, it is tried again after this.
constexpr std::chrono::milliseconds pause_time{20};

} // namespace

gate_limits limits_of_process() {
  gate_limits result;
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) == 0)
    result.connections_max = std::clamp<std::size_t>(
      descriptors.rlim_cur / part_of_descriptors, 4, connections_max);
  result.connections_of_one_max = result.connections_max / part_of_connections;
  return result;
}

caf::expected<std::shared_ptr<node_gate>>
node_gate::listen(const std::string& host, std::uint16_t port,
                  std::shared_ptr<tls_context> context, gate_limits limits) {
  auto made = std::make_shared<node_gate>(io_thread::shared(), limits);
  made->context_ = std::move(context);
  auto wrong = [&](const boost::system::error_code& error) {
    return config_error("listen", "cannot listen at "
                                    + to_string(node_address{host, port}) + ": "
                                    + error.message());
  };
  boost::system::error_code error;
  tcp::resolver resolver{made->io_->context()};
  const auto found = resolver.resolve(
    host, std::to_string(port),
    tcp::resolver::passive | tcp::resolver::numeric_service, error);
  if (error)
    return wrong(error);
  const auto where = found.begin()->endpoint();
  auto& acceptor = made->acceptor_;
  acceptor.open(where.protocol(), error);
  if (!error)
    acceptor.set_option(tcp::acceptor::reuse_address{true}, error);
  if (!error)
    acceptor.bind(where, error);
  if (!error)
    acceptor.listen(tcp::acceptor::max_listen_connections, error);
  if (error)
    return wrong(error);
  ::fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
  made->port_ = acceptor.local_endpoint().port();
  boost::asio::post(acceptor.get_executor(), [made] { made->accept(); });
  return made;
}

std::shared_ptr<void>
peer_connections::add(const std::shared_ptr<peer_connections>& to,
                      const std::string& peer, std::size_t most) {
  const std::lock_guard guard{to->mutex_};
  auto& count = to->counts_[peer];
  if (count >= most)
    return nullptr;
  ++count;
  return {&count, [to, peer](void*) {
            const std::lock_guard locked{to->mutex_};
            const auto found = to->counts_.find(peer);
            if (--found->second == 0)
              to->counts_.erase(found);
          }};
}

node_gate::node_gate(std::shared_ptr<io_thread> io, gate_limits limits)
  : io_{std::move(io)},
    limits_{limits},
    acceptor_{io_->context()},
    pause_{io_->context()},
    count_{std::make_shared<std::atomic<std::size_t>>(0)} {
  if (::pipe2(ready_, O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error{errno, std::generic_category(), "pipe2"};
}

node_gate::~node_gate() {
  ::close(ready_[0]);
  ::close(ready_[1]);
}

std::optional<node_socket> node_gate::take() {
  char byte = 0;
  if (::read(ready_[0], &byte, 1) != 1)
    return std::nullopt;
  const std::lock_guard guard{mutex_};
  if (through_.empty())
    return std::nullopt;
  auto result = std::move(through_.front());
  through_.pop_front();
  return result;
}

void node_gate::stop() {
  boost::asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
    self->is_stopped_ = true;
    boost::system::error_code ignored;
    self->acceptor_.close(ignored);
    self->pause_.cancel();
    for (const auto& each : std::exchange(self->greetings_, {}))
      each->stop("the node ends");
  });
}

void node_gate::accept() {
  acceptor_.async_accept(
    [weak = weak_from_this()](const boost::system::error_code& error,
                              tcp::socket socket) {
      auto self = weak.lock();
      if (!self || self->is_stopped_)
        return;
      if (error)
        self->accept_later();
      else
        self->on_accepted(std::move(socket));
    });
}

void node_gate::accept_later() {
  pause_.expires_after(pause_time);
  pause_.async_wait(
    [weak = weak_from_this()](const boost::system::error_code& error) {
      auto self = weak.lock();
      if (self && !error)
        self->accept();
    });
}

/// One that finds no room is kept waiting, not sent away: among many that say
/// nothing, it has its turn as the old ones are thrown out.
void node_gate::on_accepted(tcp::socket socket) {
  if (make_room()) {
    greet(std::move(socket));
    accept();
    return;
  }
  pause_.expires_after(pause_time);
  pause_.async_wait([weak = weak_from_this(),
                     kept = std::make_shared<tcp::socket>(std::move(socket))](
                      const boost::system::error_code& error) {
    auto self = weak.lock();
    if (self && !error)
      self->on_accepted(std::move(*kept));
  });
}

/// Returns whether one more is let in; the oldest handshake may have to go.
bool node_gate::make_room() {
  if (*count_ < limits_.connections_max)
    return true;
  if (greetings_.empty()
      || node_greeting::clock::now() - greetings_.front()->since()
           < limits_.patience)
    return false;
  const auto oldest = greetings_.front();
  oldest->stop("others wait");
  return *count_ < limits_.connections_max;
}

void node_gate::greet(tcp::socket socket) {
  ++*count_;
  std::shared_ptr<void> place{nullptr, [count = count_](void*) { --*count; }};
  auto added = std::make_shared<node_greeting>(std::move(socket),
                                               node_role::listener, context_);
  const auto where = greetings_.insert(greetings_.end(), added);
  added->start(node_greeting::clock::now() + limits_.handshake_timeout,
               [weak = weak_from_this(), where,
                place = std::move(place)](std::optional<node_socket> through,
                                          const std::string&) mutable {
                 auto self = weak.lock();
                 if (!self)
                   return;
                 if (!self->is_stopped_)
                   self->greetings_.erase(where);
                 if (!through)
                   return place.reset();
                 through->place = std::move(place);
                 self->let_in(std::move(*through));
               });
}

void node_gate::let_in(node_socket socket) {
  if (socket.peer.empty())
    return put(std::move(socket));
  auto counted = peer_connections::add(of_peers_, socket.peer,
                                       limits_.connections_of_one_max);
  if (!counted)
    return;
  using places = std::pair<std::shared_ptr<void>, std::shared_ptr<void>>;
  socket.place
    = std::make_shared<places>(std::move(socket.place), std::move(counted));
  put(std::move(socket));
}

void node_gate::put(node_socket socket) {
  {
    const std::lock_guard guard{mutex_};
    through_.push_back(std::move(socket));
  }
  // The pipe holds more than there are connections.
  static_cast<void>(!::write(ready_[1], "!", 1));
}

} // namespace caf_mcp
