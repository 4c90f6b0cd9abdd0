#include "caf_mcp/actors/nodes/offered_tools.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

#include <boost/json/array.hpp>

#include <string>
#include <vector>

namespace caf_mcp {

namespace {

constexpr std::string_view methods_of_tools = "tools/";
constexpr std::string_view methods_of_tasks = "tasks/";

char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Returns what a lenient reader may take a name for: case and all that is no
/// visible character of ASCII do not count.
std::string loosely(std::string_view name) {
  std::string result;
  for (auto c : name)
    if (c > ' ' && c < 0x7F)
      result += to_lower(c);
  return result;
}

/// Returns whether a method is about tools or tasks for a lenient server alone.
bool is_loosely_written(std::string_view method) {
  const auto loose = loosely(method);
  return loose != method
         && (loose.starts_with(methods_of_tools)
             || loose.starts_with(methods_of_tasks));
}

/// Returns an error unless `key` is a member that holds a text, and no other
/// member may be taken for it. A server may take ["x"] for "x", another name of
/// a member for this one, and something of its own for one that is missing.
caf::error check_key(const payload& params, std::string_view key) {
  if (const auto* members = params.if_object())
    for (const auto& member : *members)
      if (const std::string_view other{member.key().data(),
                                       member.key().size()};
          other != key && loosely(other) == loosely(key))
        return config_error(key, "has \"" + std::string{other}
                                   + "\" beside it or in its place, which a "
                                     "server may take for it");
  const auto member = params.member(key);
  if (member && member.value().is_string())
    return {};
  return config_error(key, "is missing, or no string");
}

caf::error check_task(const payload& params, const own_tasks& tasks) {
  constexpr std::string_view key = "taskId";
  if (auto error = check_key(params, key))
    return error;
  if (tasks.holds(params.string_member(key)))
    return {};
  return local_error(errc::not_found, "the task was not made of a call of this "
                                      "caller; the node keeps tools of the "
                                      "server back, and so their tasks");
}

} // namespace

caf::error offered_tools::check(std::string_view method, const payload& params,
                                const own_tasks& tasks) const {
  if (offers_all_tools(offer_))
    return {};
  if (is_loosely_written(method))
    return config_error("method", "is \"" + to_valid_utf8(std::string{method})
                                    + "\"; must be written as in the protocol");
  if (method == "tools/call")
    return check_call(params);
  if (method.starts_with(methods_of_tasks))
    return check_task(params, tasks);
  return {};
}

caf::error offered_tools::check_call(const payload& params) const {
  if (auto error = check_key(params, "name"))
    return error;
  const auto name = params.string_member("name");
  if (offers_tool(offer_, name))
    return {};
  return local_error(errc::not_found, "the node does not offer the tool \""
                                        + to_valid_utf8(std::string{name})
                                        + '"');
}

payload offered_tools::in_result(const payload& result) const {
  const auto tools = result.member("tools");
  if (!tools || offers_all_tools(offer_))
    return result;
  return with_member(result, "tools", in_list(tools));
}

payload offered_tools::in_list(const payload& tools) const {
  const auto* items = tools.value().if_array();
  if (items == nullptr || offers_all_tools(offer_))
    return tools;
  std::vector<payload> kept;
  for (const auto& item : *items)
    if (auto tool = tools.part(&item);
        offers_tool(offer_, tool.string_member("name")))
      kept.push_back(std::move(tool));
  return compose_array(kept);
}

} // namespace caf_mcp
