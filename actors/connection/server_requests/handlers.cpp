#include "caf_mcp/actors/handlers.hpp"

#include "caf_mcp/actors/connection/followed_task.hpp"

#include <type_traits>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::int64_t method_not_found = -32601; // JSON-RPC 2.0, 5.1
constexpr std::int64_t invalid_params = -32602;

/// An empty function or handle answers nothing either.
bool is_set(const handler& which) {
  return std::visit(
    [](const auto& how) {
      using how_type = std::decay_t<decltype(how)>;
      if constexpr (std::is_same_v<how_type, std::monostate>)
        return false;
      else
        return static_cast<bool>(how);
    },
    which);
}

/// MCP 2025-11-25, Elicitation, Error handling: a mode that was not declared is
/// an error of the server's params.
std::variant<const handler*, rpc_error>
find_elicitation(const handlers& from, const payload& params) {
  auto mode = params.member("mode");
  if (!mode || params.string_member("mode") == "form") {
    if (is_set(from.elicit_form))
      return &from.elicit_form;
  } else if (params.string_member("mode") == "url") {
    if (is_set(from.elicit_url))
      return &from.elicit_url;
  }
  return rpc_error{
    invalid_params, "This mode of elicitation was not declared", {}};
}

} // namespace

boost::json::object capabilities_of(const handlers& from, era spoken) {
  boost::json::object result;
  if (is_set(from.sampling))
    result["sampling"] = from.sampling_features;
  boost::json::object modes;
  if (is_set(from.elicit_form))
    modes["form"] = boost::json::object{};
  if (is_set(from.elicit_url))
    modes["url"] = boost::json::object{};
  if (!modes.empty())
    result["elicitation"] = std::move(modes);
  if (is_set(from.roots)) {
    boost::json::object roots;
    if (spoken == era::legacy)
      roots["listChanged"] = true;
    result["roots"] = std::move(roots);
  }
  if (spoken == era::modern) {
    boost::json::object extensions;
    extensions[tasks_extension] = boost::json::object{};
    result["extensions"] = std::move(extensions);
  }
  return result;
}

std::variant<const handler*, rpc_error>
find_handler(const handlers& from, const server_request& request) {
  const auto& method = request.method;
  if (method == "sampling/createMessage" && is_set(from.sampling)) {
    // MCP 2025-11-25, Schema, CreateMessageRequestParams: each of these needs
    // the capability `sampling.tools`.
    if ((request.params.member("tools") || request.params.member("toolChoice"))
        && !from.sampling_features.contains("tools"))
      return rpc_error{
        invalid_params, "Sampling with tools was not declared", {}};
    return &from.sampling;
  }
  if (method == "elicitation/create"
      && (is_set(from.elicit_form) || is_set(from.elicit_url)))
    return find_elicitation(from, request.params);
  if (method == "roots/list" && is_set(from.roots))
    return &from.roots;
  if (is_set(from.others))
    return &from.others;
  return rpc_error{method_not_found, "Method not found: " + method, {}};
}

} // namespace caf_mcp
