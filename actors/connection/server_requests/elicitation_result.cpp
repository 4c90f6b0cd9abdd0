#include "caf_mcp/actors/connection/server_requests/elicitation_result.hpp"

#include "caf_mcp/messages/json/compose.hpp"

#include <utility>

namespace caf_mcp {

namespace {

bool is_form(const payload& params) {
  return !params.member("mode") || params.string_member("mode") == "form";
}

payload without_content(payload answer) {
  if (!answer.member("content"))
    return answer;
  return with_member(answer, "content", {});
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
  auto content = members_of(given);
  for (const auto& [name, field] : *fields) {
    auto value = schema.part(&field).member("default");
    if (value && !given.member(name))
      content.push_back({name, std::move(value)});
  }
  return with_member(answer, "content", compose_object(content));
}

} // namespace caf_mcp
