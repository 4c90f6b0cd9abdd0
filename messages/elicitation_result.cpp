#include "caf_mcp/messages/elicitation_result.hpp"

#include <utility>

namespace caf_mcp {

namespace {

bool is_form(const payload& params) {
  return !params.member("mode") || params.string_member("mode") == "form";
}

payload without_content(payload answer) {
  if (!answer.member("content"))
    return answer;
  auto rest = *answer.if_object();
  rest.erase("content");
  return payload{boost::json::value(std::move(rest))};
}

} // namespace

payload elicitation_result(const payload& params, payload answer) {
  if (!is_form(params) || answer.string_member("action") != "accept")
    return without_content(std::move(answer));
  const auto schema = params.member("requestedSchema").member("properties");
  const auto* fields = schema.if_object();
  const auto given = answer.member("content");
  if (fields == nullptr || (given && given.if_object() == nullptr))
    return answer;
  boost::json::object content;
  if (given)
    content = *given.if_object();
  for (const auto& [name, field] : *fields)
    if (const auto* object = field.if_object())
      if (const auto* value = object->if_contains("default"))
        content.emplace(name, *value); // keeps what is there
  auto filled = *answer.if_object();
  filled["content"] = std::move(content);
  return payload{boost::json::value(std::move(filled))};
}

} // namespace caf_mcp
