#include "caf_mcp/actors/connection/server_requests/server_requests.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <utility>

namespace caf_mcp {

namespace {

constexpr std::int64_t invalid_request = -32600; // JSON-RPC 2.0, 5.1
constexpr std::int64_t internal_error = -32603;

/// Returns one spelling for all JSON texts of one string. Numbers keep theirs,
/// for their values may be rounded.
std::string spelling(const std::string& id_json) {
  return id_json.starts_with('"') ? parse_payload(id_json).to_json() : id_json;
}

/// Makes the answer to a request of the server. Why a handler failed is nothing
/// to tell a server, unless the handler wants to.
std::variant<payload, rpc_error>
to_answer(const caf::expected<payload>& outcome) {
  if (outcome)
    return *outcome;
  auto info = describe(outcome.error());
  if (info.origin == error_origin::peer)
    return rpc_error{info.code, info.message, info.data};
  return rpc_error{internal_error, "The handler failed", {}};
}

} // namespace

server_requests::decision
server_requests::on_request(const incoming_request& message, stage now) {
  // MCP 2026-07-28, Transports: a modern server must not send requests, and a
  // client must not answer any.
  if (now == stage::modern)
    return {ignore{}, violation{protocol_violation::forbidden_request,
                                "sent the request " + excerpt(message.method)
                                  + ", which a modern server must not do"}};
  if (message.method == "ping")
    return {outgoing_response{message.id_json, payload{}}};
  // A second answer under one id would only be taken for the first.
  if (numbers_.contains(spelling(message.id_json)))
    return {};
  return on_legacy_request(message, now);
}

server_requests::decision
server_requests::on_legacy_request(const incoming_request& message, stage now) {
  auto refuse = [&message](rpc_error error) {
    return outgoing_response{message.id_json, std::move(error)};
  };
  server_request request{message.method, message.params};
  auto found = find_handler(*handlers_, request);
  if (auto* error = std::get_if<rpc_error>(&found))
    return {refuse(std::move(*error)),
            violation{protocol_violation::unhandled_request,
                      "sent the request " + excerpt(message.method)
                        + ", which nobody here answers"}};
  if (now == stage::starting)
    return {
      refuse(rpc_error{invalid_request, "The client is not initialized", {}})};
  if (is_full())
    return {refuse(rpc_error{internal_error, "Too many requests at once", {}})};
  return {run{start(message.id_json), std::get<const handler*>(found),
              std::move(request)}};
}

std::uint64_t server_requests::start(std::optional<std::string> id_json) {
  const auto number = ++last_number_;
  if (id_json)
    numbers_.emplace(spelling(*id_json), number);
  running_.emplace(number, entry{std::move(id_json), {}});
  return number;
}

void server_requests::attach(std::uint64_t number, running_handler handler) {
  if (auto found = running_.find(number); found != running_.end())
    found->second.handler = std::move(handler);
}

std::optional<outgoing_response>
server_requests::on_outcome(std::uint64_t number,
                            const caf::expected<payload>& outcome) {
  auto done = running_.extract(number);
  if (done.empty() || !done.mapped().id_json)
    return std::nullopt;
  numbers_.erase(spelling(*done.mapped().id_json));
  return outgoing_response{std::move(*done.mapped().id_json),
                           to_answer(outcome)};
}

void server_requests::cancel(const payload& id) {
  auto found = numbers_.extract(id.to_json());
  if (found.empty())
    return;
  auto& cancelled = running_.at(found.mapped());
  cancelled.id_json.reset();
  cancelled.handler = running_handler{};
}

void server_requests::clear() {
  numbers_.clear();
  inputs_.clear();
  for (auto& [_, each] : running_)
    each = entry{};
}

} // namespace caf_mcp
