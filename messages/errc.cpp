#include "caf_mcp/messages/errc.hpp"

namespace caf_mcp {

std::string_view to_string(errc code) noexcept {
  switch (code) {
    case errc::config_invalid:
      return "config_invalid";
    case errc::command_not_found:
      return "command_not_found";
    case errc::spawn_failed:
      return "spawn_failed";
    case errc::handshake_failed:
      return "handshake_failed";
    case errc::unsupported_protocol_version:
      return "unsupported_protocol_version";
    case errc::connection_closed:
      return "connection_closed";
    case errc::message_too_large:
      return "message_too_large";
    case errc::junk_output:
      return "junk_output";
    case errc::write_queue_full:
      return "write_queue_full";
    case errc::server_closed_stdout:
      return "server_closed_stdout";
    case errc::request_timeout:
      return "request_timeout";
    case errc::max_total_timeout:
      return "max_total_timeout";
    case errc::cancelled:
      return "cancelled";
    case errc::invalid_response:
      return "invalid_response";
    case errc::too_many_input_rounds:
      return "too_many_input_rounds";
    case errc::capability_missing:
      return "capability_missing";
    case errc::handler_failed:
      return "handler_failed";
    case errc::repeated_cursor:
      return "repeated_cursor";
    case errc::too_many_pages:
      return "too_many_pages";
    case errc::subscription_overflow:
      return "subscription_overflow";
    case errc::not_found:
      return "not_found";
    case errc::rpc_error:
      return "rpc_error";
    case errc::task_cancelled:
      return "task_cancelled";
    case errc::too_many_requests:
      return "too_many_requests";
  }
  return {};
}

int json_rpc_code(errc code) noexcept {
  switch (code) {
    case errc::request_timeout:
    case errc::max_total_timeout:
      return -32001;
    case errc::config_invalid:
      return -32602;
    default:
      return -32000;
  }
}

} // namespace caf_mcp
