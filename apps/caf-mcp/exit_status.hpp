#pragma once

#include "caf_mcp/messages/errc.hpp"

#include <string_view>

namespace caf_mcp::tool {

/// The exit statuses of the tool.
enum class exit_status : int {
  done = 0,
  /// The tool of the server reported `isError`.
  tool_failed = 1,
  /// The command line or the configuration is wrong; nothing was started.
  bad_usage = 2,
  /// The server could not be started, or the connection was lost.
  no_connection = 3,
  /// The server answered with an error, or with what is no valid answer.
  bad_answer = 4,
  timed_out = 5,
  /// By a signal: 128 + SIGINT, as shells have it.
  interrupted = 130,
};

/// Returns the exit status that stands for an error of this code.
constexpr exit_status exit_status_of(errc code) noexcept {
  switch (code) {
    case errc::config_invalid:
    case errc::not_found:
      return exit_status::bad_usage;
    case errc::command_not_found:
    case errc::spawn_failed:
    case errc::handshake_failed:
    case errc::unsupported_protocol_version:
    case errc::connection_closed:
    case errc::junk_output:
    case errc::write_queue_full:
    case errc::server_closed_stdout:
      return exit_status::no_connection;
    case errc::message_too_large:
    case errc::invalid_response:
    case errc::too_many_input_rounds:
    case errc::capability_missing:
    case errc::handler_failed:
    case errc::repeated_cursor:
    case errc::too_many_pages:
    case errc::subscription_overflow:
    case errc::task_cancelled:
    case errc::too_many_requests:
    case errc::rpc_error:
      return exit_status::bad_answer;
    case errc::request_timeout:
    case errc::max_total_timeout:
      return exit_status::timed_out;
    case errc::cancelled:
      return exit_status::interrupted;
  }
  return exit_status::no_connection;
}

/// Returns the exit status for the error called `name`.
inline exit_status exit_status_of(std::string_view name) noexcept {
  auto code = enum_from_name<errc>(name);
  return code ? exit_status_of(*code) : exit_status::no_connection;
}

} // namespace caf_mcp::tool
