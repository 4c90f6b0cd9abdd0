#include "subscriptions.hpp"

#include "handlers.hpp"
#include "server.hpp"

#include <algorithm>
#include <utility>

namespace demo {

namespace {

void put_subscription_id(std::string& out, const listener& open) {
  out += R"("_meta":{")";
  out += meta_key::subscription_id;
  out += R"(":)" + open.id + '}';
}

bool flag(const json::object& filter, std::string_view name) {
  const auto* member = filter.if_contains(name);
  return member != nullptr && member->is_bool() && member->get_bool();
}

listener make_listener(const request& req) {
  const auto& filter = object_member(req.params, "notifications");
  listener open;
  open.id = req.from.id;
  open.tools = flag(filter, "toolsListChanged");
  open.prompts = flag(filter, "promptsListChanged");
  open.resources = flag(filter, "resourcesListChanged");
  if (const auto* uris = filter.if_contains("resourceSubscriptions");
      uris != nullptr && uris->is_array())
    for (const auto& uri : uris->get_array())
      if (uri.is_string())
        open.uris.emplace_back(uri.get_string());
  return open;
}

/// Appends the filter as it is honoured; what was not asked for is left out.
void put_filter(std::string& out, const listener& open) {
  out += R"("notifications":{)";
  const auto start = out.size();
  const auto put_name = [&out, start](std::string_view name) {
    if (out.size() > start)
      out += ',';
    put_quoted(out, name);
    out += ':';
  };
  const std::pair<bool, std::string_view> flags[]
    = {{open.tools, "toolsListChanged"},
       {open.prompts, "promptsListChanged"},
       {open.resources, "resourcesListChanged"}};
  for (const auto& [wanted, name] : flags)
    if (wanted) {
      put_name(name);
      out += "true";
    }
  if (!open.uris.empty()) {
    put_name("resourceSubscriptions");
    json::array uris(open.uris.begin(), open.uris.end());
    put_value(out, uris);
  }
  out += '}';
}

bool wants(const listener& open, list_kind kind) {
  switch (kind) {
    case list_kind::tools:
      return open.tools;
    case list_kind::prompts:
      return open.prompts;
    case list_kind::resources:
      return open.resources;
  }
  return false;
}

std::string_view list_changed_method(list_kind kind) {
  switch (kind) {
    case list_kind::tools:
      return "notifications/tools/list_changed";
    case list_kind::prompts:
      return "notifications/prompts/list_changed";
    case list_kind::resources:
      return "notifications/resources/list_changed";
  }
  return {};
}

bool contains(const std::vector<std::string>& uris, std::string_view uri) {
  return std::find(uris.begin(), uris.end(), uri) != uris.end();
}

} // namespace

void on_subscribe(server& srv, const request& req) {
  const auto uri = required_text(req, "uri");
  if (!contains(srv.legacy.subscribed_uris, uri))
    srv.legacy.subscribed_uris.emplace_back(uri);
  srv.out.result(req.from, [](std::string&) {});
}

void on_unsubscribe(server& srv, const request& req) {
  std::erase(srv.legacy.subscribed_uris, required_text(req, "uri"));
  srv.out.result(req.from, [](std::string&) {});
}

void on_listen(server& srv, const request& req) {
  const auto* filter = req.params.if_contains("notifications");
  if (filter == nullptr || !filter->is_object())
    throw refusal{code::invalid_params,
                  "params.notifications must be an object"};
  const auto& open = srv.listeners.emplace_back(make_listener(req));
  srv.out.notification("notifications/subscriptions/acknowledged",
                       [&open](std::string& out) {
                         put_subscription_id(out, open);
                         out += ',';
                         put_filter(out, open);
                       });
}

void announce_list_changed(server& srv, list_kind kind) {
  const auto method = list_changed_method(kind);
  if (srv.legacy.now == legacy_session::phase::operational)
    srv.out.notification(method, [](std::string&) {});
  for (const auto& open : srv.listeners)
    if (wants(open, kind))
      srv.out.notification(
        method, [&open](std::string& out) { put_subscription_id(out, open); });
}

void announce_updated(server& srv, std::string_view uri) {
  constexpr std::string_view method = "notifications/resources/updated";
  const auto put_uri = [uri](std::string& out) {
    out += R"("uri":)";
    put_quoted(out, uri);
  };
  if (contains(srv.legacy.subscribed_uris, uri))
    srv.out.notification(method, put_uri);
  for (const auto& open : srv.listeners)
    if (contains(open.uris, uri))
      srv.out.notification(method, [&](std::string& out) {
        put_subscription_id(out, open);
        out += ',';
        put_uri(out);
      });
}

void end_listeners(server& srv, listen_end how) {
  for (const auto& open : srv.listeners) {
    if (how == listen_end::response)
      srv.out.listen_result(open.id);
    else
      srv.out.notification(
        "notifications/cancelled",
        [&open](std::string& out) { out += R"("requestId":)" + open.id; });
  }
  srv.listeners.clear();
}

} // namespace demo
