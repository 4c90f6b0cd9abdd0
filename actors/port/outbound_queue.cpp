#include "caf_mcp/actors/port/outbound_queue.hpp"

#include <utility>
#include <variant>

namespace caf_mcp {

namespace {

constexpr std::int64_t rpc_internal_error = -32603; // JSON-RPC 2.0, 5.1

} // namespace

void outbound_queue::push(const outgoing_message& message) {
  if (held_.empty() && has_room())
    encode(message);
  else
    held_.push_back(message);
}

void outbound_queue::written(std::size_t bytes) {
  encoded_.written(bytes);
  while (!held_.empty() && has_room()) {
    encode(held_.front());
    held_.pop_front();
  }
}

std::vector<undecodable_message> outbound_queue::take_refused() {
  return std::exchange(refused_, {});
}

std::vector<std::int64_t> outbound_queue::unsent() const {
  auto result = encoded_.unsent();
  for (const auto& message : held_)
    if (const auto* request = std::get_if<outgoing_request>(&message))
      result.push_back(request->id);
  return result;
}

void outbound_queue::encode(const outgoing_message& message) {
  const auto result = encoded_.push(message, bytes_max_);
  if (result != push_result::queued)
    refuse(message, explain(result, bytes_max_));
}

/// Fails a request that cannot be written, and the server's request whose
/// answer cannot. Notifications are checked by the connection.
void outbound_queue::refuse(const outgoing_message& message,
                            const refusal& why) {
  if (const auto* request = std::get_if<outgoing_request>(&message)) {
    refused_.push_back({request->id, why.code, "params: " + why.detail});
  } else if (const auto* response = std::get_if<outgoing_response>(&message)) {
    rpc_error error{rpc_internal_error, "result: " + why.detail, {}};
    encoded_.push(outgoing_response{response->id_json, std::move(error)},
                  bytes_max_);
  }
}

} // namespace caf_mcp
