// Bytes that no node has ever written: frames of peers with credentials, and of
// anybody where everybody is let in, and records of TLS at the door.
#include "caf_mcp/actors/nodes/tls_context.hpp"

#include "tests/support/basp_peer.hpp"
#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/tool.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <caf/binary_serializer.hpp>
#include <catch2/catch_test_macros.hpp>
#include <openssl/bio.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <random>
#include <string>
#include <vector>

using namespace caf_mcp;
using tests::basp_peer;
using tests::run_tool;
using tests::serving_node;

namespace {

/// CAF 0.18 has a type of its own.
using byte_type = caf::byte_buffer::value_type;

/// Sanitizers make a node ten times as slow.
constexpr int part
  = tests::sanitizes_address || tests::sanitizes_threads ? 20 : 1;
constexpr int tls_frames = 50'000 / part;
constexpr int clear_frames = 45'000 / part;
constexpr int tls_records = 5'000 / part;
constexpr int frames_per_connection = 250;

/// Memory that a node keeps for its largest frames and peers, once.
constexpr std::size_t growth_max = tests::memory_noise_bytes;

/// Chooses by a seed, on every machine in the same way.
class chooser {
public:
  explicit chooser(std::uint64_t seed) : engine_{seed} {
    // nop
  }

  std::uint64_t below(std::uint64_t bound) {
    return engine_() % bound;
  }

  std::uint64_t any() {
    return engine_();
  }

  byte_type byte() {
    constexpr byte_type edges[]{byte_type{0}, byte_type{1}, byte_type{0x7F},
                                byte_type{0x80}, byte_type{0xFF}};
    return below(2) == 0 ? edges[below(std::size(edges))]
                         : static_cast<byte_type>(below(256));
  }

  /// Changes some bytes, takes some away, or repeats some.
  void damage(caf::byte_buffer& bytes) {
    for (auto count = 1 + below(4); count > 0 && !bytes.empty(); --count) {
      const auto at = static_cast<std::ptrdiff_t>(below(bytes.size()));
      const auto rest = bytes.size() - static_cast<std::size_t>(at);
      const auto end = at + static_cast<std::ptrdiff_t>(below(rest) + 1);
      switch (below(4)) {
        case 0:
          bytes.erase(bytes.begin() + at, bytes.begin() + end);
          break;
        case 1: {
          const caf::byte_buffer again(bytes.begin() + at, bytes.begin() + end);
          bytes.insert(bytes.begin() + at, again.begin(), again.end());
          break;
        }
        case 2:
          bytes[static_cast<std::size_t>(at)]
            ^= static_cast<byte_type>(1U << below(8));
          break;
        default:
          bytes[static_cast<std::size_t>(at)] = byte();
      }
    }
  }

private:
  std::mt19937_64 engine_;
};

/// Payloads of messages that a node understands, before they are damaged.
std::vector<caf::byte_buffer> well_formed(caf::actor_system& system) {
  auto options = tests::host::program("demo-server");
  caf_mcp::listen changes;
  changes.filter.tools = true;
  const std::vector<caf::message> messages{
    caf::make_message(look_up{"demo"}),
    caf::make_message(get_servers{}),
    caf::make_message(get_catalogue{}),
    caf::make_message(open_connection{}),
    caf::make_message(call_tool("echo", {{"message", "hi"}, {"n", 1.5}})),
    caf::make_message(changes),
    caf::make_message(grant_events{1, 1000}),
    caf::make_message(cancel_request{1, "x"}),
    caf::make_message(options),
    caf::make_message(std::vector<server_status>(3)),
    caf::make_message(local_error(errc::not_found, "x")),
    caf::make_message(caf::exit_msg{caf::actor_addr{}, caf::exit_reason::kill}),
    caf::make_message(caf::sys_atom_v, caf::get_atom_v, std::string{"info"}),
  };
  std::vector<caf::byte_buffer> result;
  for (const auto& each : messages) {
    caf::byte_buffer bytes;
    caf::binary_serializer sink{system, bytes};
    REQUIRE(sink.apply(std::vector<caf::strong_actor_ptr>{}));
    REQUIRE(sink.apply(each));
    result.push_back(std::move(bytes));
  }
  return result;
}

/// Writes one frame; returns whether the node may go on to read.
bool write_frame(basp_peer& peer, chooser& choose,
                 const std::vector<caf::byte_buffer>& known) {
  if (choose.below(250) == 0) { // a header that is wrong cuts the peer off
    caf::byte_buffer header(32);
    for (auto& each : header)
      each = choose.byte();
    header[0] = static_cast<byte_type>(choose.below(8));
    peer.write_raw(header);
    return false;
  }
  if (choose.below(300) == 0) { // of a stream: cut off, too
    peer.send_payload(known[0], 77, peer.gateway(),
                      choose.any() | std::uint64_t{1} << 61U);
    return false;
  }
  if (choose.below(20) == 0) {
    peer.send_monitor(peer.claimed(), choose.below(3000));
    return true;
  }
  auto payload = known[choose.below(known.size())];
  choose.damage(payload);
  if (payload.empty())
    payload.push_back(choose.byte());
  const std::uint64_t ids[]{
    basp_peer::asynchronous, basp_peer::request(choose.below(100) + 1),
    basp_peer::response(choose.below(100) + 1), choose.any()};
  peer.send_payload(payload, choose.below(100),
                    choose.below(2) == 0 ? peer.gateway() : choose.below(2000),
                    ids[choose.below(std::size(ids))]);
  return true;
}

/// Sends frames by one connection after the other, each with a seed of its own.
void send_frames(caf::actor_system& system, const node_address& where,
                 int count) {
  const auto known = well_formed(system);
  for (std::uint64_t seed = 1; count > 0; ++seed) {
    INFO("the last seed is " << seed);
    chooser choose{seed};
    basp_peer peer{system, where};
    try {
      auto is_through = true;
      for (auto i = 0; is_through && i < frames_per_connection; ++i) {
        --count;
        is_through = write_frame(peer, choose, known);
      }
      peer.end();
    } catch (const std::exception&) {
      // Cut off: the next connection shows that the node lives.
    }
  }
}

std::size_t memory_of(serving_node& node) {
  return tests::resident_bytes(node.run().pid());
}

void check_frames(const std::vector<std::string>& options, int count) {
  tests::node_host app{std::chrono::seconds{30}};
  serving_node node{{"127.0.0.1:0", tests::demo_servers(), options}};
  std::size_t before = 0;
  try {
    send_frames(app.system, node.address(), count / 4);
    before = memory_of(node);
    send_frames(app.system, node.address(), count);
  } catch (const std::exception& error) {
    const auto end = node.run().finish();
    FAIL(error.what() << "; the node ended with " << end.status << ": "
                      << end.err);
  }
  CHECK(memory_of(node) < before + growth_max);
  auto words = options;
  words.insert(words.end(), {"--node", to_string(node.address()), "--server",
                             "demo", "call", "echo", "message=hi"});
  CHECK(run_tool(words).status == 0);
}

/// What a caller writes first.
caf::byte_buffer client_hello(tls_context& context) {
  auto session = context.new_session(node_role::caller, -1);
  auto* in = BIO_new(BIO_s_mem());
  auto* out = BIO_new(BIO_s_mem());
  SSL_set_bio(session.get(), in, out);
  SSL_do_handshake(session.get());
  caf::byte_buffer result(BIO_ctrl_pending(out));
  REQUIRE(BIO_read(out, result.data(), static_cast<int>(result.size())) > 0);
  return result;
}

} // namespace

TEST_CASE("a node lives through malformed frames of peers with credentials",
          "[nodes][malformed]") {
  check_frames({}, tls_frames);
}

TEST_CASE("a node that lets everybody in lives through malformed frames",
          "[nodes][malformed]") {
  check_frames({"--insecure"}, clear_frames);
}

TEST_CASE("a node lives through malformed records before the handshake",
          "[nodes][malformed]") {
  using boost::asio::ip::tcp;
  tests::node_host app;
  serving_node node;
  const auto hello = client_hello(*tls_context_of(app.system));
  boost::asio::io_context context;
  auto write_record = [&](std::uint64_t seed) {
    chooser choose{seed};
    tcp::socket socket{context};
    socket.connect(
      {boost::asio::ip::make_address("127.0.0.1"), node.address().port});
    auto bytes = hello;
    if (choose.below(4) == 0)
      bytes.insert(bytes.end(), hello.begin(), hello.end());
    choose.damage(bytes);
    boost::system::error_code ignored;
    boost::asio::write(socket, boost::asio::buffer(bytes), ignored);
    // No port of this machine is to wait for the rest.
    socket.set_option(boost::asio::socket_base::linger{true, 0}, ignored);
    if (choose.below(2) == 0) {
      socket.shutdown(tcp::socket::shutdown_send, ignored);
      char unused[4096];
      while (!ignored)
        socket.read_some(boost::asio::buffer(unused), ignored);
    }
  };
  std::uint64_t seed = 0;
  for (; seed < tls_records / 4; ++seed)
    write_record(seed);
  const auto before = memory_of(node);
  for (; seed < tls_records; ++seed) {
    INFO("the seed is " << seed);
    write_record(seed);
  }
  CHECK(memory_of(node) < before + growth_max);
  CHECK(
    run_tool({"--node", to_string(node.address()), "--server", "demo", "ping"})
      .status
    == 0);
}
