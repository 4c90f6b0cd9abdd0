#include "caf_mcp/actors/port/inbound_stream.hpp"

#include "caf_mcp/messages/json/excerpt.hpp"
#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include <utility>

namespace caf_mcp {

namespace {

close_reason limit_exceeded(close_cause cause, std::size_t limit) {
  close_reason result;
  result.cause = cause;
  result.number = static_cast<std::int64_t>(limit);
  return result;
}

undecodable_message too_large(std::int64_t id, std::size_t limit) {
  undecodable_message result;
  result.id = id;
  result.code = errc::message_too_large;
  result.detail
    = "the answer is longer than max_message_bytes " + std::to_string(limit);
  return result;
}

} // namespace

inbound_stream::inbound_stream(const server_options& options)
  : framer_{options.max_message_bytes},
    decoder_{options.max_json_depth},
    message_bytes_max_{options.max_message_bytes},
    on_oversize_{options.on_oversize},
    junk_lines_max_{options.max_junk_lines} {
  // nop
}

std::optional<close_reason>
inbound_stream::read(std::vector<incoming_message>& out, read_turn& turn) {
  while (!turn.is_over()) {
    auto next = framer_.next();
    if (!next)
      break;
    turn.add_line(next->text.size());
    std::optional<close_reason> end;
    switch (next->kind) {
      case frame_kind::line:
        end = take_line(next->text, out);
        break;
      case frame_kind::oversized:
        end = take_oversized(next->text, out);
        break;
      case frame_kind::oversized_end:
        take_oversized_end(next->text, out);
        break;
    }
    if (end)
      return end;
  }
  return std::nullopt;
}

void inbound_stream::finish(std::vector<incoming_message>& out) {
  auto last = framer_.finish();
  if (!last || last->kind != frame_kind::line)
    return;
  auto message = decoder_.decode(last->text);
  // One that was cut by the end of the server is no answer.
  if (message && !std::holds_alternative<undecodable_message>(*message))
    out.push_back(std::move(*message));
  else
    last_junk_ = excerpt(last->text);
}

std::string inbound_stream::diagnosis() const {
  std::string result;
  if (!last_junk_.empty())
    result = "its stdout has lines that are no messages, such as \""
             + last_junk_ + '"';
  if (auto rest = framer_.unfinished(); !rest.empty()) {
    result += result.empty() ? "its stdout" : ", and";
    result += " ends in an unfinished line \"" + excerpt(rest) + '"';
  }
  return result;
}

std::optional<close_reason>
inbound_stream::take_line(std::string_view line,
                          std::vector<incoming_message>& out) {
  if (auto message = decoder_.decode(line)) {
    junk_lines_ = 0;
    out.push_back(std::move(*message));
    return std::nullopt;
  }
  last_junk_ = excerpt(line);
  junk_.push_back(last_junk_);
  if (++junk_lines_ <= junk_lines_max_)
    return std::nullopt;
  auto reason = limit_exceeded(close_cause::junk_output, junk_lines_max_);
  reason.detail = "the last was \"" + last_junk_ + '"';
  return reason;
}

std::optional<close_reason>
inbound_stream::take_oversized(std::string_view head,
                               std::vector<incoming_message>& out) {
  if (on_oversize_ == oversize_policy::close) {
    auto reason
      = limit_exceeded(close_cause::message_too_large, message_bytes_max_);
    reason.detail = "it begins \"" + excerpt(head) + '"';
    return reason;
  }
  auto seen = scan_envelope(head);
  auto id = read_own_id(seen.id_json);
  tail_may_tell_id_ = !id && !seen.is_call();
  if (id && !seen.is_call())
    out.push_back(too_large(*id, message_bytes_max_));
  return std::nullopt;
}

void inbound_stream::take_oversized_end(std::string_view tail,
                                        std::vector<incoming_message>& out) {
  if (!std::exchange(tail_may_tell_id_, false))
    return;
  if (auto id = read_own_id(scan_tail_for_id(tail)))
    out.push_back(too_large(*id, message_bytes_max_));
}

} // namespace caf_mcp
