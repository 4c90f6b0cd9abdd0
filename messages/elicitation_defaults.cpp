#include "caf_mcp/messages/elicitation_defaults.hpp"

#include <utility>

namespace caf_mcp {

namespace {

bool is_form(const payload& params) {
  return !params.member("mode") || params.string_member("mode") == "form";
}

} // namespace

payload with_defaults(const payload& params, payload result) {
  const auto schema = params.member("requestedSchema").member("properties");
  const auto* fields = schema.if_object();
  if (fields == nullptr || !is_form(params)
      || result.string_member("action") != "accept")
    return result;
  const auto given = result.member("content");
  if (given && given.if_object() == nullptr)
    return result;
  boost::json::object content;
  if (given)
    content = *given.if_object();
  for (const auto& [name, field] : *fields)
    if (const auto* object = field.if_object())
      if (const auto* value = object->if_contains("default"))
        content.emplace(name, *value); // keeps what is there
  auto filled = *result.if_object();
  filled["content"] = std::move(content);
  return payload{boost::json::value(std::move(filled))};
}

} // namespace caf_mcp
