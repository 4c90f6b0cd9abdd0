#include "tests/support/basp_peer.hpp"

#include "caf_mcp/actors/nodes/tls_context.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <utility>
#include <vector>

namespace tests {

namespace {

namespace asio = boost::asio;

enum operation : std::uint8_t {
  server_handshake = 0,
  client_handshake = 1,
  direct_message = 2,
  routed_message = 3,
  monitor_message = 4,
  down_message = 5,
};

constexpr std::size_t header_size = 32;
constexpr std::size_t unwritten_bytes_max = 60'000;

template <class... Ts>
caf::byte_buffer to_bytes(caf::actor_system& system, const Ts&... values) {
  caf::byte_buffer result;
  caf::binary_serializer sink{system, result};
  REQUIRE((sink.apply(values) && ...));
  return result;
}

} // namespace

basp_peer::basp_peer(caf::actor_system& system,
                     const caf_mcp::node_address& where, std::uint32_t process)
  : system_{system}, socket_{context_} {
  // OpenSSL writes to a node that has closed the connection by write(2).
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  socket_.connect({asio::ip::make_address(where.host), where.port});
  // With TLS, a node that never answers fails the test.
  const timeval silence_max{20, 0};
  ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &silence_max,
               sizeof silence_max);
  if (where.transport == caf_mcp::node_transport::tls) {
    session_ = caf_mcp::tls_context_of(system)->new_session(
      caf_mcp::node_role::caller, socket_.native_handle());
    REQUIRE(SSL_do_handshake(session_.get()) == 1);
  }
  caf::hashed_node_id::host_id_type host{};
  host.fill(0x11);
  claimed_ = caf::make_node_id(process, host);
  introduce();
  const auto hello = read();
  REQUIRE(hello.operation == server_handshake);
  std::vector<std::string> applications;
  caf::binary_deserializer source{system_, hello.payload};
  REQUIRE(source.apply(node_));
  REQUIRE(source.apply(applications));
  REQUIRE(source.apply(gateway_));
}

void basp_peer::send(const caf::message& what, std::uint64_t source,
                     std::uint64_t destination, std::uint64_t id) {
  const std::vector<caf::strong_actor_ptr> stages;
  write(direct_message, to_bytes(system_, stages, what), id, source,
        destination);
}

void basp_peer::send_forged(const caf::message& what, std::uint64_t source,
                            std::uint64_t destination, std::uint64_t id) {
  const std::vector<caf::strong_actor_ptr> stages;
  write(routed_message, to_bytes(system_, node_, node_, stages, what), id,
        source, destination);
}

void basp_peer::send_down(const caf::node_id& speaker, std::uint64_t actor) {
  write(down_message, to_bytes(system_, speaker, node_, caf::error{}), 0, actor,
        0);
}

void basp_peer::send_monitor(const caf::node_id& speaker, std::uint64_t actor) {
  write(monitor_message, to_bytes(system_, speaker, node_), 0, 0, actor);
}

void basp_peer::introduce() {
  write(client_handshake, to_bytes(system_, claimed_), 0, 0, 0);
}

void basp_peer::announce(std::uint32_t bytes) {
  write_header(direct_message, bytes, asynchronous, 0, 1);
}

bool basp_peer::is_cut_off() {
  try {
    send(caf::make_message(caf_mcp::get_servers{}), 99, gateway_, request(1));
    receive(99);
    return false;
  } catch (const std::exception&) {
    return true;
  }
}

void basp_peer::end() {
  flush();
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send);
  std::array<char, 16384> unused{};
  boost::system::error_code error;
  while (!error)
    socket_.read_some(asio::buffer(unused), error);
}

basp_peer::frame basp_peer::receive(std::uint64_t receiver) {
  while (true) {
    auto next = read();
    if (next.operation == direct_message && next.destination == receiver)
      return next;
  }
}

void basp_peer::write_header(std::uint8_t operation, std::uint32_t size,
                             std::uint64_t data, std::uint64_t source,
                             std::uint64_t destination) {
  const std::array<std::uint8_t, 4> start{operation, 0, 0, 0};
  const auto bytes = to_bytes(system_, start[0], start[1], start[2], start[3],
                              size, data, source, destination);
  REQUIRE(bytes.size() == header_size);
  write_bytes(bytes.data(), bytes.size());
}

void basp_peer::write(std::uint8_t operation, const caf::byte_buffer& payload,
                      std::uint64_t data, std::uint64_t source,
                      std::uint64_t destination) {
  const std::array<std::uint8_t, 4> start{operation, 0, 0, 0};
  auto bytes = to_bytes(system_, start[0], start[1], start[2], start[3],
                        static_cast<std::uint32_t>(payload.size()), data,
                        source, destination);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  write_bytes(bytes.data(), bytes.size());
}

/// What waits is written at once, many frames in one system call.
void basp_peer::write_bytes(const void* bytes, std::size_t size) {
  const auto* first = static_cast<const char*>(bytes);
  unwritten_.append(first, size);
  if (unwritten_.size() > unwritten_bytes_max)
    flush();
}

void basp_peer::flush() {
  const auto text = std::exchange(unwritten_, {});
  write_now(text.data(), text.size());
}

void basp_peer::write_now(const void* bytes, std::size_t size) {
  if (!session_) {
    asio::write(socket_, asio::buffer(bytes, size));
    return;
  }
  const auto* rest = static_cast<const std::byte*>(bytes);
  for (std::size_t count = 0; size > 0; rest += count, size -= count)
    if (SSL_write_ex(session_.get(), rest, size, &count) != 1)
      throw std::runtime_error{"the node has closed the connection"};
}

void basp_peer::read_bytes(void* to, std::size_t size) {
  if (!session_) {
    asio::read(socket_, asio::buffer(to, size));
    return;
  }
  auto* rest = static_cast<std::byte*>(to);
  for (std::size_t count = 0; size > 0; rest += count, size -= count)
    if (SSL_read_ex(session_.get(), rest, size, &count) != 1)
      throw std::runtime_error{"the node has closed the connection"};
}

basp_peer::frame basp_peer::read() {
  flush();
  caf::byte_buffer bytes(header_size);
  read_bytes(bytes.data(), bytes.size());
  caf::binary_deserializer source{system_, bytes};
  frame result;
  std::uint8_t unused = 0;
  std::uint32_t size = 0;
  std::uint64_t data = 0;
  REQUIRE(source.apply(result.operation));
  for (auto i = 0; i < 3; ++i)
    REQUIRE(source.apply(unused));
  REQUIRE(source.apply(size));
  REQUIRE(source.apply(data));
  REQUIRE(source.apply(result.source));
  REQUIRE(source.apply(result.destination));
  result.payload.resize(size);
  read_bytes(result.payload.data(), size);
  return result;
}

} // namespace tests
