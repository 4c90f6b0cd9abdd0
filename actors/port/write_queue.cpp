#include "caf_mcp/actors/port/write_queue.hpp"

namespace caf_mcp {

refusal explain(push_result result, std::size_t line_bytes_max) {
  switch (result) {
    case push_result::not_utf8:
      return {errc::config_invalid, "every string must be valid UTF-8"};
    case push_result::not_finite:
      return {errc::config_invalid,
              "numbers must be finite: JSON has neither infinity nor NaN"};
    default:
      return {errc::message_too_large, "longer than max_unwritten_bytes "
                                         + std::to_string(line_bytes_max)};
  }
}

push_result write_queue::push(const outgoing_message& message,
                              std::size_t line_bytes_max) {
  const auto size_before = buffer_.size();
  switch (encoder_.encode(message, buffer_)) {
    case encode_result::written:
      break;
    case encode_result::not_utf8:
      return push_result::not_utf8;
    case encode_result::not_finite:
      return push_result::not_finite;
  }
  if (buffer_.size() - size_before > line_bytes_max) {
    buffer_.truncate(size_before);
    return push_result::too_large;
  }
  if (const auto* request = std::get_if<outgoing_request>(&message))
    marks_.push_back({request->id, bytes_written_ + size_before});
  return push_result::queued;
}

void write_queue::written(std::size_t bytes) {
  buffer_.consume(bytes);
  bytes_written_ += bytes;
  while (!marks_.empty() && marks_.front().start < bytes_written_)
    marks_.pop_front();
}

std::vector<std::int64_t> write_queue::unsent() const {
  std::vector<std::int64_t> result;
  result.reserve(marks_.size());
  for (const auto& entry : marks_)
    result.push_back(entry.id);
  return result;
}

} // namespace caf_mcp
