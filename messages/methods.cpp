#include "caf_mcp/messages/methods.hpp"

#include "caf_mcp/messages/json/json_document.hpp"

#include <utility>

namespace caf_mcp {

namespace {

send_request make_request(std::string_view method, object_members params,
                          const request_options& options) {
  return {std::string{method}, payload{to_document(params)}, options};
}

/// Makes a request of something by name.
send_request make_request(std::string_view method, std::string_view name,
                          object_members arguments,
                          const request_options& options) {
  document_builder builder;
  const auto storage = builder.storage();
  boost::json::object params{
    {{"name", name}, {"arguments", boost::json::object(arguments, storage)}},
    storage};
  return {std::string{method}, payload{builder.finish(std::move(params))},
          options};
}

/// The same with arguments that may be large.
send_request make_request(std::string_view method, std::string_view name,
                          boost::json::object&& arguments,
                          const request_options& options) {
  boost::json::value given(std::move(arguments));
  if (is_small(given))
    return make_request(method, {{"name", name}, {"arguments", given}},
                        options);
  boost::json::object params{{"name", name}};
  params.emplace("arguments", std::move(given));
  return {std::string{method}, payload{boost::json::value(std::move(params))},
          options};
}

} // namespace

send_request call_tool(std::string_view name, object_members arguments,
                       const request_options& options) {
  return make_request("tools/call", name, arguments, options);
}

send_request call_tool(std::string_view name, boost::json::object arguments,
                       const request_options& options) {
  return make_request("tools/call", name, std::move(arguments), options);
}

send_request read_resource(std::string_view uri,
                           const request_options& options) {
  return make_request("resources/read", {{"uri", uri}}, options);
}

send_request get_prompt(std::string_view name, object_members arguments,
                        const request_options& options) {
  return make_request("prompts/get", name, arguments, options);
}

send_request get_prompt(std::string_view name, boost::json::object arguments,
                        const request_options& options) {
  return make_request("prompts/get", name, std::move(arguments), options);
}

send_request complete(const completion_target& target,
                      std::string_view argument, std::string_view value,
                      const request_options& options) {
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
