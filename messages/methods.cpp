#include "caf_mcp/messages/methods.hpp"

#include <utility>

namespace caf_mcp {

namespace {

send_request make_request(std::string method, boost::json::object params,
                          const request_options& options) {
  return {std::move(method), payload{boost::json::value(std::move(params))},
          options};
}

} // namespace

send_request call_tool(std::string name, boost::json::object arguments,
                       const request_options& options) {
  return make_request(
    "tools/call",
    {{"name", std::move(name)}, {"arguments", std::move(arguments)}}, options);
}

send_request read_resource(std::string uri, const request_options& options) {
  return make_request("resources/read", {{"uri", std::move(uri)}}, options);
}

send_request get_prompt(std::string name, boost::json::object arguments,
                        const request_options& options) {
  return make_request(
    "prompts/get",
    {{"name", std::move(name)}, {"arguments", std::move(arguments)}}, options);
}

send_request complete(const completion_target& target, std::string argument,
                      std::string value, const request_options& options) {
  const auto* key = target.type == "ref/prompt" ? "name" : "uri";
  boost::json::object reference{{"type", target.type}, {key, target.name}};
  boost::json::object completed{{"name", std::move(argument)},
                                {"value", std::move(value)}};
  return make_request(
    "completion/complete",
    {{"ref", std::move(reference)}, {"argument", std::move(completed)}},
    options);
}

send_notification roots_changed() {
  return {"notifications/roots/list_changed", {}};
}

send_request ping(const request_options& options) {
  return {"ping", {}, options};
}

} // namespace caf_mcp
