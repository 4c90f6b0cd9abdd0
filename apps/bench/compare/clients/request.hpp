// The one request that all clients make.
#pragma once

#include "caf_mcp/messages/methods.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

inline constexpr std::string_view echoed_text = "hello";

/// Makes the request as a caller of the library does: anew for each call.
caf_mcp::send_request make_request();

/// Throws `std::runtime_error` unless `result` is what the server answers.
void check_result(const boost::json::value& result);

/// Appends the line that the library writes for the request with this id.
void append_line(std::int64_t id, std::string& out);

/// Appends the lines of the legacy handshake: first what waits for an answer.
std::string initialize_line();
std::string initialized_line();

} // namespace bench
