#include "caf_mcp/messages/close_reason.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

#include <string>
#include <utility>

namespace caf_mcp {

namespace {

/// Returns the member name under which `number` is rendered.
std::string_view number_key(close_cause cause) noexcept {
  switch (cause) {
    case close_cause::exit_status:
      return "status";
    case close_cause::signal:
      return "signal";
    case close_cause::message_too_large:
    case close_cause::junk_output:
    case close_cause::write_queue_full:
      return "limit";
    default:
      return {};
  }
}

errc code_for(close_cause cause) noexcept {
  switch (cause) {
    case close_cause::command_not_found:
      return errc::command_not_found;
    case close_cause::spawn_failed:
      return errc::spawn_failed;
    case close_cause::handshake_failed:
      return errc::handshake_failed;
    case close_cause::unsupported_protocol_version:
      return errc::unsupported_protocol_version;
    default:
      return errc::connection_closed;
  }
}

std::string_view phrase(close_cause cause) noexcept {
  switch (cause) {
    case close_cause::closed:
      return "the connection was closed";
    case close_cause::owner_down:
      return "the owner of the connection died";
    case close_cause::runtime_shutdown:
      return "the runtime was shut down";
    case close_cause::exit_status:
      return "the server exited with status";
    case close_cause::signal:
      return "the server was killed by signal";
    case close_cause::server_closed_stdin:
      return "the server closed its stdin";
    case close_cause::server_closed_stdout:
      return "the server closed its stdout";
    case close_cause::message_too_large:
      return "the server wrote a message longer than max_message_bytes";
    case close_cause::junk_output:
      return "the server wrote too many lines that are not JSON-RPC,"
             " more in a row than max_junk_lines";
    case close_cause::write_queue_full:
      return "the server does not read its stdin; unwritten messages exceed"
             " max_unwritten_bytes";
    case close_cause::command_not_found:
      return "command not found";
    case close_cause::spawn_failed:
      return "the server could not be started";
    case close_cause::handshake_failed:
      return "the handshake failed";
    case close_cause::unsupported_protocol_version:
      return "no common protocol version";
    case close_cause::internal_error:
      return "internal error";
    case close_cause::node_lost:
      return "the node of the server cannot be reached";
    case close_cause::dependency_lost:
      return "a server that this one depends on is not ready";
  }
  return {};
}

} // namespace

std::string_view to_string(close_cause cause) noexcept {
  switch (cause) {
    case close_cause::closed:
      return "closed";
    case close_cause::owner_down:
      return "owner_down";
    case close_cause::runtime_shutdown:
      return "runtime_shutdown";
    case close_cause::exit_status:
      return "exit_status";
    case close_cause::signal:
      return "signal";
    case close_cause::server_closed_stdin:
      return "server_closed_stdin";
    case close_cause::server_closed_stdout:
      return "server_closed_stdout";
    case close_cause::message_too_large:
      return "message_too_large";
    case close_cause::junk_output:
      return "junk_output";
    case close_cause::write_queue_full:
      return "write_queue_full";
    case close_cause::command_not_found:
      return "command_not_found";
    case close_cause::spawn_failed:
      return "spawn_failed";
    case close_cause::handshake_failed:
      return "handshake_failed";
    case close_cause::unsupported_protocol_version:
      return "unsupported_protocol_version";
    case close_cause::internal_error:
      return "internal_error";
    case close_cause::node_lost:
      return "node_lost";
    case close_cause::dependency_lost:
      return "dependency_lost";
  }
  return {};
}

boost::json::object to_json(const close_reason& reason) {
  boost::json::object result{{"reason", to_string(reason.cause)}};
  if (auto key = number_key(reason.cause); !key.empty())
    result.emplace(key, reason.number);
  if (!reason.detail.empty())
    result.emplace("detail", to_valid_utf8(reason.detail));
  if (!reason.stderr_tail.empty())
    result.emplace("stderr_tail", to_valid_utf8(reason.stderr_tail));
  if (reason.server_error)
    result.emplace("server_error", reason.server_error.value());
  return result;
}

std::string to_sentence(const close_reason& reason) {
  std::string result{phrase(reason.cause)};
  if (!number_key(reason.cause).empty()) {
    result += ' ';
    result += std::to_string(reason.number);
  }
  if (!reason.detail.empty()) {
    result += ": ";
    result += reason.detail;
  }
  return result;
}

caf::error to_error(const close_reason& reason) {
  return local_error(code_for(reason.cause), to_sentence(reason),
                     to_payload(reason));
}

} // namespace caf_mcp
