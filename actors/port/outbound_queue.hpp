#pragma once

#include "caf_mcp/actors/port/write_queue.hpp"
#include "caf_mcp/messages/json_rpc.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// All that waits for a server, in order. Once `bytes_max` bytes are encoded,
/// further messages wait as they are, which costs little, for they share their
/// payloads with who sent them; they are encoded as room appears. So a burst of
/// any size is bounded in bytes and closes nothing.
class outbound_queue {
public:
  explicit outbound_queue(std::size_t bytes_max) : bytes_max_{bytes_max} {
    // nop
  }

  void push(const outgoing_message& message);

  /// Returns the bytes to write next; empty if nothing waits.
  std::string_view view() const noexcept {
    return encoded_.view();
  }

  bool empty() const noexcept {
    return encoded_.empty() && held_.empty();
  }

  /// Returns whether more waits than is held in bytes.
  bool is_over_limit() const noexcept {
    return !held_.empty() || encoded_.size() > bytes_max_;
  }

  /// Takes note that the first `bytes` bytes were written; encodes what there
  /// is room for now.
  void written(std::size_t bytes);

  /// Returns the answers to requests that could not be encoded since this was
  /// last asked for.
  std::vector<undecodable_message> take_refused();

  /// Returns the ids of the requests of which nothing was written, in order.
  std::vector<std::int64_t> unsent() const;

private:
  bool has_room() const noexcept {
    return encoded_.size() < bytes_max_;
  }

  void encode(const outgoing_message& message);
  void refuse(const outgoing_message& message, const refusal& why);

  std::size_t bytes_max_;
  write_queue encoded_;
  std::deque<outgoing_message> held_;
  std::vector<undecodable_message> refused_;
};

} // namespace caf_mcp
