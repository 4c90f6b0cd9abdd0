#include "caf_mcp/messages/methods.hpp"

#include "caf_mcp/messages/wire/json_document.hpp"

#include <utility>

namespace caf_mcp {

namespace {

send_request make_request(std::string method, object_members params,
                          const request_options& options) {
  return {std::move(method), payload{to_document(params)}, options};
}

/// Makes a request of something by name; `arguments` may be large.
send_request make_request(std::string method, std::string name,
                          boost::json::object arguments,
                          const request_options& options) {
  boost::json::value given(std::move(arguments));
  if (is_small(given))
    return make_request(std::move(method),
                        {{"name", std::move(name)}, {"arguments", given}},
                        options);
  boost::json::object params{{"name", std::move(name)}};
  params.emplace("arguments", std::move(given));
  return {std::move(method), payload{boost::json::value(std::move(params))},
          options};
}

} // namespace

send_request call_tool(std::string name, boost::json::object arguments,
                       const request_options& options) {
  return make_request("tools/call", std::move(name), std::move(arguments),
                      options);
}

send_request read_resource(std::string uri, const request_options& options) {
  return make_request("resources/read", {{"uri", uri}}, options);
}

send_request get_prompt(std::string name, boost::json::object arguments,
                        const request_options& options) {
  return make_request("prompts/get", std::move(name), std::move(arguments),
                      options);
}

send_request complete(const completion_target& target, std::string argument,
                      std::string value, const request_options& options) {
  const auto* key = target.type == "ref/prompt" ? "name" : "uri";
  return make_request("completion/complete",
                      {{"ref", {{"type", target.type}, {key, target.name}}},
                       {"argument", {{"name", argument}, {"value", value}}}},
                      options);
}

send_notification roots_changed() {
  return {"notifications/roots/list_changed", {}};
}

send_request ping(const request_options& options) {
  return {"ping", {}, options};
}

} // namespace caf_mcp
