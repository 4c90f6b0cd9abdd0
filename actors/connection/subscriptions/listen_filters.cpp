#include "caf_mcp/actors/connection/subscriptions/listen_filters.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::string_view tools_key = "toolsListChanged";
constexpr std::string_view prompts_key = "promptsListChanged";
constexpr std::string_view resources_key = "resourcesListChanged";
constexpr std::string_view uris_key = "resourceSubscriptions";

bool is_true(const payload& object, std::string_view key) {
  const auto member = object.member(key);
  return member.value().is_bool() && member.value().get_bool();
}

/// Returns whether the members name a request by a string or a number.
bool has_id(const boost::json::object* members) {
  const auto* id
    = members == nullptr ? nullptr : members->if_contains("requestId");
  return id != nullptr && (id->is_string() || id->is_number());
}

std::optional<event_kind> kind_of(std::string_view method) {
  if (method == "notifications/tools/list_changed")
    return event_kind::tools_changed;
  if (method == "notifications/prompts/list_changed")
    return event_kind::prompts_changed;
  if (method == "notifications/resources/list_changed")
    return event_kind::resources_changed;
  if (method == "notifications/resources/updated")
    return event_kind::resource_updated;
  if (method == "notifications/message")
    return event_kind::log_message;
  return std::nullopt;
}

} // namespace

bool is_empty(const listen_filter& filter) noexcept {
  return !wants_changes(filter) && !filter.log;
}

bool wants_changes(const listen_filter& filter) noexcept {
  return filter.tools || filter.prompts || filter.resources
         || !filter.uris.empty();
}

listen_filter supported_part(const listen_filter& filter,
                             const payload& capabilities) {
  if (capabilities.if_object() == nullptr)
    return filter;
  const auto resources = capabilities.member("resources");
  listen_filter result;
  result.tools
    = filter.tools && is_true(capabilities.member("tools"), "listChanged");
  result.prompts
    = filter.prompts && is_true(capabilities.member("prompts"), "listChanged");
  result.resources = filter.resources && is_true(resources, "listChanged");
  if (is_true(resources, "subscribe"))
    result.uris = filter.uris;
  if (capabilities.member("logging"))
    result.log = filter.log;
  return result;
}

payload listen_params(const listen_filter& filter) {
  boost::json::object wanted;
  if (filter.tools)
    wanted.emplace(tools_key, true);
  if (filter.prompts)
    wanted.emplace(prompts_key, true);
  if (filter.resources)
    wanted.emplace(resources_key, true);
  if (!filter.uris.empty())
    wanted.emplace(uris_key,
                   boost::json::array(filter.uris.begin(), filter.uris.end()));
  return payload{boost::json::value{{"notifications", std::move(wanted)}}};
}

listen_filter acknowledged_part(const listen_filter& filter,
                                const payload& params) {
  const auto granted = params.member("notifications");
  const auto uris = granted.member(uris_key);
  listen_filter result;
  result.tools = filter.tools && is_true(granted, tools_key);
  result.prompts = filter.prompts && is_true(granted, prompts_key);
  result.resources = filter.resources && is_true(granted, resources_key);
  result.log = filter.log;
  if (const auto* known = uris.value().if_array())
    for (const auto& uri : filter.uris)
      if (std::any_of(known->begin(), known->end(), [&uri](const auto& each) {
            return each.is_string() && each.get_string() == uri;
          }))
        result.uris.push_back(uri);
  return result;
}

std::optional<server_event> read_event(const incoming_notification& message) {
  const auto kind = kind_of(message.method);
  if (!kind)
    return std::nullopt;
  server_event event{*kind, {}, message.params};
  if (*kind == event_kind::resource_updated) {
    event.uri = message.params.string_member("uri");
    if (event.uri.empty())
      return std::nullopt;
  }
  return event;
}

std::string_view missing_member(const incoming_notification& message,
                                era spoken) {
  const auto& params = message.params;
  const auto* members = params.if_object();
  auto has = [members](std::string_view key) {
    return members != nullptr && members->contains(key);
  };
  if (message.method == "notifications/cancelled")
    return has_id(members) ? "" : "requestId";
  if (message.method == "notifications/message") {
    if (params.string_member("level").empty())
      return "level";
    return has("data") ? "" : "data";
  }
  if (message.method == "notifications/resources/updated"
      && params.string_member("uri").empty())
    return "uri";
  const auto names_subscription
    = message.method == "notifications/subscriptions/acknowledged"
      || kind_of(message.method);
  if (spoken == era::modern && names_subscription
      && !params.member("_meta").member(subscription_id_key))
    return subscription_id_key;
  return "";
}

bool wants_kind(const listen_filter& filter, const server_event& event) {
  switch (event.kind) {
    case event_kind::tools_changed:
      return filter.tools;
    case event_kind::prompts_changed:
      return filter.prompts;
    case event_kind::resources_changed:
      return filter.resources;
    case event_kind::resource_updated:
      return !filter.uris.empty();
    case event_kind::log_message: {
      const auto level
        = enum_from_name<log_level>(event.params.string_member("level"));
      return filter.log && (!level || *level >= *filter.log);
    }
  }
  return false;
}

bool is_within(std::string_view uri, std::string_view base) {
  if (!uri.starts_with(base))
    return false;
  const auto rest = uri.substr(base.size());
  return rest.empty() || base.ends_with('/')
         || std::string_view{"/?#"}.find(rest.front())
              != std::string_view::npos;
}

bool wants_event(const listen_filter& filter, const server_event& event) {
  if (!wants_kind(filter, event))
    return false;
  return event.kind != event_kind::resource_updated
         || std::any_of(
           filter.uris.begin(), filter.uris.end(),
           [&event](const auto& uri) { return is_within(event.uri, uri); });
}

} // namespace caf_mcp
