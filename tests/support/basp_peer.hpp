#pragma once

#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/nodes/openssl_values.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <caf/actor_system.hpp>
#include <caf/byte_buffer.hpp>
#include <caf/message.hpp>
#include <caf/node_id.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tests {

/// A peer of a node that says whatever it likes: the least of BASP, the
/// protocol of CAF's middleman. Reads and writes block.
class basp_peer {
public:
  struct frame {
    std::uint8_t operation = 0;
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
    caf::byte_buffer payload;
  };

  /// Shakes hands with the node at `where`, by the credentials of `system`,
  /// which is also used to write values as the node reads them.
  /// `process` tells the peers of a test apart.
  basp_peer(caf::actor_system& system, const caf_mcp::node_address& where,
            std::uint32_t process = 424'242);

  /// The actor that the node has published.
  std::uint64_t gateway() const noexcept {
    return gateway_;
  }

  /// Sends a message in the name of the actor `source` of this peer, 0 for
  /// nobody.
  void send(const caf::message& what, std::uint64_t source,
            std::uint64_t destination, std::uint64_t id = asynchronous);

  /// The same in the name of an actor of the node itself.
  void send_forged(const caf::message& what, std::uint64_t source,
                   std::uint64_t destination, std::uint64_t id = asynchronous);

  /// Says that an actor of the node `speaker` is down.
  void send_down(const caf::node_id& speaker, std::uint64_t actor);

  /// Watches an actor of the node in the name of the node `speaker`.
  void send_monitor(const caf::node_id& speaker, std::uint64_t actor);

  /// Says, once more, who it is.
  void introduce();

  /// Writes a header that announces a payload of so many bytes.
  void announce(std::uint32_t bytes);

  /// Writes these bytes as they are.
  void write_raw(const caf::byte_buffer& bytes) {
    write_bytes(bytes.data(), bytes.size());
  }

  /// Sends a message whose payload is these bytes.
  void send_payload(const caf::byte_buffer& payload, std::uint64_t source,
                    std::uint64_t destination, std::uint64_t id) {
    write(2, payload, id, source, destination);
  }

  /// Says nothing more, and waits until the node has read all and closes.
  void end();

  /// Returns what the node has introduced itself as.
  const caf::node_id& node() const noexcept {
    return node_;
  }

  /// Asks the node, and waits; returns whether it closes the connection instead
  /// of an answer.
  bool is_cut_off();

  /// Returns what it has introduced itself as.
  const caf::node_id& claimed() const noexcept {
    return claimed_;
  }

  /// Returns the next message for the actor `receiver` of this peer.
  frame receive(std::uint64_t receiver);

  /// The ids of CAF for a message, a request, and the response to the request
  /// of that number.
  static constexpr std::uint64_t asynchronous = std::uint64_t{1} << 60U;
  static constexpr std::uint64_t request(std::uint64_t number) {
    return asynchronous | number;
  }
  static constexpr std::uint64_t response(std::uint64_t number) {
    return asynchronous | std::uint64_t{1} << 63U | number;
  }

private:
  void write_header(std::uint8_t operation, std::uint32_t size,
                    std::uint64_t data, std::uint64_t source,
                    std::uint64_t destination);
  void write(std::uint8_t operation, const caf::byte_buffer& payload,
             std::uint64_t data, std::uint64_t source,
             std::uint64_t destination);
  frame read();
  void write_bytes(const void* bytes, std::size_t size);
  void write_now(const void* bytes, std::size_t size);
  void flush();
  void read_bytes(void* to, std::size_t size);

  caf::actor_system& system_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_;
  caf_mcp::ssl_ptr session_;
  std::string unwritten_;
  caf::node_id node_;
  caf::node_id claimed_;
  std::uint64_t gateway_ = 0;
};

} // namespace tests
