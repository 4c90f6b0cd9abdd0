#pragma once

#include "caf_mcp/actors/connection/capability_gate.hpp"
#include "caf_mcp/actors/connection/request_table.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/error.hpp>

#include <chrono>
#include <string>
#include <string_view>

/// @file
/// What callers are told when a request fails on this side.

namespace caf_mcp {

/// Returns the error of a request that a lost connection leaves without answer.
/// `outcome` is `"unknown"` if the server may have seen it, else `"not_sent"`.
caf::error lost_error(const close_reason& reason, std::string_view outcome);

/// Returns the error of a request whose deadline has passed: `request_timeout`,
/// or `max_total_timeout` if that time is used up. `total` is its length.
caf::error timeout_error(const pending_request& request,
                         std::chrono::steady_clock::duration total);

/// Returns the error of a request that needs something the server does not
/// offer.
caf::error unmet_error(const std::string& method,
                       const capability_gate::need& unmet);

/// Returns the error of a message that a server of its era must not be sent.
caf::error legacy_only_error(const std::string& method);

/// Returns the error of a notification that does not fit beside `bytes_held` of
/// others, which wait for the server to be ready.
caf::error held_too_much_error(const std::string& method,
                               std::size_t bytes_held, std::size_t bytes_max);

/// Returns the error of an answer to `request` that says nothing usable.
caf::error invalid_answer(const pending_request& request,
                          std::string_view what);

/// Returns the error of a call whose server asks for input that this side
/// cannot give.
caf::error input_error(errc code, const pending_request& request,
                       const input_request& asked, const std::string& why);

} // namespace caf_mcp
