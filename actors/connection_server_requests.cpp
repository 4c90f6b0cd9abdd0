#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/excerpt.hpp"

#include <caf/actor_cast.hpp>

#include <utility>
#include <variant>

namespace caf_mcp {

namespace {

constexpr std::int64_t invalid_request = -32600; // JSON-RPC 2.0, 5.1
constexpr std::int64_t internal_error = -32603;

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

void connection_actor::on_incoming(const incoming_request& message) {
  // MCP 2026-07-28, Transports: a modern server must not send requests, and a
  // client must not answer any.
  const auto* current = std::get_if<ready>(&phase_);
  if (current != nullptr && current->session.era == era::modern) {
    note_oddity(oddity::forbidden_request,
                "sent the request " + excerpt(message.method)
                  + ", which a modern server must not do");
    return;
  }
  auto answer = [&](std::variant<payload, rpc_error> outcome) {
    write(outgoing_response{message.id_json, std::move(outcome)});
  };
  if (message.method == "ping") {
    answer(payload{});
    return;
  }
  // A second answer under one id would only be taken for the first.
  if (server_requests_.contains(message.id_json))
    return;
  server_request asked{message.method, message.params};
  auto found = find_handler(handlers_, asked);
  if (auto* error = std::get_if<rpc_error>(&found)) {
    note_oddity(oddity::unhandled_request, "sent the request "
                                             + excerpt(message.method)
                                             + ", which nobody here answers");
    answer(std::move(*error));
  } else if (current == nullptr) {
    answer(rpc_error{invalid_request, "The client is not initialized", {}});
  } else if (server_requests_.is_full()) {
    answer(rpc_error{internal_error, "Too many requests at once", {}});
  } else {
    auto number = server_requests_.add(message.id_json);
    server_requests_.attach(
      number, run_handler(*std::get<const handler*>(found), std::move(asked),
                          [this, number](const handler_outcome& outcome) {
                            on_server_request_done(number, outcome);
                          }));
  }
}

void connection_actor::on_server_request_done(std::uint64_t number,
                                              const handler_outcome& outcome) {
  if (auto id_json = server_requests_.finish(number))
    write(outgoing_response{std::move(*id_json), to_answer(outcome)});
}

void connection_actor::on_server_cancelled(const payload& params) {
  server_requests_.cancel(params.member("requestId"));
}

running_handler connection_actor::run_handler(
  const handler& how, server_request request,
  const std::function<void(handler_outcome)>& done) {
  auto actor = spawn_handler(system(), how);
  children_.push_back(actor.address());
  link_to(actor);
  caf_version::ask(*this, actor, caf::infinite, std::move(request))
    .then([done](payload& result) { done(std::move(result)); },
          [done](caf::error& error) { done(std::move(error)); });
  return running_handler{caf::actor_cast<caf::strong_actor_ptr>(actor)};
}

} // namespace caf_mcp
