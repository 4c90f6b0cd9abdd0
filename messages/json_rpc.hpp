#pragma once

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// @file
/// JSON-RPC messages as the connection and its port owner exchange them. The
/// wire format is known to `messages/wire` only.

namespace caf_mcp {

/// A request to the server. The port owner writes it as one line.
struct outgoing_request {
  /// Unique for the life of the connection (MCP, Requests).
  std::int64_t id = 0;
  std::string method;
  /// An object, an array or absent.
  payload params;
  /// Members to add to `params._meta` where the caller did not set them; absent
  /// for none.
  payload meta;
  /// Whether to ask for progress, with `id` as the token.
  bool wants_progress = false;
};

template <class Inspector>
bool inspect(Inspector& f, outgoing_request& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("method", x.method),
                            f.field("params", x.params),
                            f.field("meta", x.meta),
                            f.field("wants_progress", x.wants_progress));
}

/// A notification to the server.
struct outgoing_notification {
  std::string method;
  payload params;
};

template <class Inspector>
bool inspect(Inspector& f, outgoing_notification& x) {
  return f.object(x).fields(f.field("method", x.method),
                            f.field("params", x.params));
}

/// The answer to a request of the server (legacy era only).
struct outgoing_response {
  /// The server's id as JSON text, exactly as it was received.
  std::string id_json;
  std::variant<payload, rpc_error> outcome;
};

template <class Inspector>
bool inspect(Inspector& f, outgoing_response& x) {
  return f.object(x).fields(f.field("id_json", x.id_json),
                            f.field("outcome", x.outcome));
}

/// Says how well the id of a response matches the ids this side gives out.
enum class id_match : std::uint8_t {
  /// A JSON integer.
  exact,
  /// An integral float (`2.0`) or a decimal string (`"2"`).
  lenient,
  /// Missing, null or anything else: it answers no request of ours.
  none,
};

std::string_view to_string(id_match match) noexcept;

template <class Inspector>
bool inspect(Inspector& f, id_match& x) {
  return enum_inspect(f, x);
}

/// A response of the server, not yet attributed. `result` and `error` are given
/// as they came; who holds the request decides what both or neither mean.
struct incoming_response {
  /// Meaningful unless `match` is `none`.
  std::int64_t id = 0;
  id_match match = id_match::none;
  /// Absent if the message has no `result`, or `"result": null` beside an
  /// error.
  payload result;
  /// Absent if the message has no `error`, or `"error": null`.
  payload error;
};

template <class Inspector>
bool inspect(Inspector& f, incoming_response& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("match", x.match),
                            f.field("result", x.result),
                            f.field("error", x.error));
}

/// A request of the server.
struct incoming_request {
  /// The id as JSON text, exactly as received.
  std::string id_json;
  std::string method;
  payload params;
};

template <class Inspector>
bool inspect(Inspector& f, incoming_request& x) {
  return f.object(x).fields(f.field("id_json", x.id_json),
                            f.field("method", x.method),
                            f.field("params", x.params));
}

/// A notification of the server.
struct incoming_notification {
  std::string method;
  payload params;
};

template <class Inspector>
bool inspect(Inspector& f, incoming_notification& x) {
  return f.object(x).fields(f.field("method", x.method),
                            f.field("params", x.params));
}

/// A line that looks like a JSON-RPC message but cannot be used: bad
/// UTF-8, a lone surrogate, too deep, too long. It costs that message only.
struct undecodable_message {
  /// The id found by a scan of the text, if any.
  std::optional<std::int64_t> id;
  /// `invalid_response` or `message_too_large`.
  errc code = errc::invalid_response;
  /// What is wrong with it.
  std::string detail;
};

template <class Inspector>
bool inspect(Inspector& f, undecodable_message& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("code", x.code),
                            f.field("detail", x.detail));
}

using outgoing_message
  = std::variant<outgoing_request, outgoing_notification, outgoing_response>;

/// One message of the server.
using single_message = std::variant<incoming_response, incoming_request,
                                    incoming_notification, undecodable_message>;

/// An array of messages, which the protocol has in 2025-03-26 only. What is no
/// message in it is left out; at least one is.
struct incoming_batch {
  std::vector<single_message> messages;
};

template <class Inspector>
bool inspect(Inspector& f, incoming_batch& x) {
  return f.object(x).fields(f.field("messages", x.messages));
}

/// One line of the server.
using incoming_message
  = std::variant<incoming_response, incoming_request, incoming_notification,
                 undecodable_message, incoming_batch>;

} // namespace caf_mcp
