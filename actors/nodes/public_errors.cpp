#include "caf_mcp/actors/nodes/public_errors.hpp"

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <array>
#include <optional>
#include <utility>

namespace caf_mcp {

namespace {

/// Members of `data` that hold a number, or a word of this library.
constexpr std::array public_members{
  "reason",    "outcome",           "status",     "signal", "limit", "method",
  "timeoutMs", "maxTotalTimeoutMs", "capability",
};

payload public_data(const payload& data) {
  boost::json::object result;
  if (const auto* all = data.if_object())
    for (const auto* key : public_members)
      if (const auto* value = all->if_contains(key);
          value != nullptr && value->is_primitive())
        result.emplace(key, *value);
  return result.empty() ? payload{} : payload{std::move(result)};
}

/// Returns the number that belongs to a close reason.
std::int64_t number_of(const payload& data) {
  for (const auto* key : {"status", "signal", "limit"})
    if (const auto found = data.member(key); found && found.value().is_int64())
      return found.value().as_int64();
  return 0;
}

/// Why a connection ended, in words that name nothing of this node.
std::optional<std::string> sentence_of_close(const payload& data) {
  const auto cause = enum_from_name<close_cause>(data.string_member("reason"));
  if (!cause)
    return std::nullopt;
  return describe(to_error(close_reason{*cause, number_of(data), "", ""}))
    .message;
}

/// Returns a sentence that fits every error of this code; nothing if the text
/// is made of what the caller knows.
std::optional<std::string> sentence_of_code(errc code) {
  switch (code) {
    case errc::config_invalid:
      return "the request, or the node's configuration of the server, is not "
             "valid";
    case errc::handler_failed:
      return "a handler of the node has failed";
    case errc::command_not_found:
    case errc::spawn_failed:
      return "the server could not be started";
    case errc::handshake_failed:
      return "the handshake failed";
    case errc::unsupported_protocol_version:
      return "no common protocol version";
    case errc::connection_closed:
    case errc::junk_output:
    case errc::server_closed_stdout:
      return "the server was lost";
    default:
      return std::nullopt;
  }
}

error_info public_info(error_info info) {
  if (info.origin == error_origin::peer)
    return info;
  if (auto sentence = sentence_of_close(info.data))
    info.message = std::move(*sentence);
  else if (const auto code = enum_from_name<errc>(info.name))
    info.message = sentence_of_code(*code).value_or(info.message);
  info.data = public_data(info.data);
  return info;
}

/// Reads what `to_json` of an `error_info` has rendered.
error_info info_of(const boost::json::object& error) {
  const payload all{boost::json::object{error}};
  error_info result;
  if (all.string_member("origin") == to_string(error_origin::peer))
    result.origin = error_origin::peer;
  result.name = all.string_member("name");
  result.message = all.string_member("message");
  result.data = all.member("data");
  if (const auto code = all.member("code"); code && code.value().is_int64())
    result.code = code.value().as_int64();
  return result;
}

} // namespace

caf::error public_error(const caf::error& error) {
  if (!error)
    return error;
  return to_error(public_info(describe(error)));
}

server_status public_status(server_status status) {
  status.last_error = public_error(status.last_error);
  status.offer = {};
  return status;
}

payload public_catalogue(const payload& catalogue) {
  const auto* all = catalogue.if_object();
  if (all == nullptr)
    return {};
  auto result = *all;
  if (auto* servers = result["servers"].if_object())
    for (auto& server : *servers)
      if (auto* status = server.value().if_object())
        if (auto* error = (*status)["error"].if_object())
          (*status)["error"] = to_json(public_info(info_of(*error)));
  return payload{std::move(result)};
}

} // namespace caf_mcp
