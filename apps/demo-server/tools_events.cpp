// Tools that make the server send notifications.
#include "answers.hpp"
#include "server.hpp"
#include "subscriptions.hpp"
#include "tools.hpp"

namespace demo {

namespace {

/// Says from which level on the client wants log messages. A modern client
/// that names none for a request must get none for it (2026-07-28, schema,
/// RequestMetaObject).
std::optional<log_level> least_level(const server& srv, const request& req) {
  if (req.from.spoken == era::legacy)
    return srv.legacy.least_level;
  const auto* name = string_member(req.meta, meta_key::log_level);
  return name == nullptr ? std::nullopt : read_level(*name);
}

list_kind read_list(std::string_view name) {
  if (name == "tools")
    return list_kind::tools;
  if (name == "prompts")
    return list_kind::prompts;
  if (name == "resources")
    return list_kind::resources;
  throw bad_argument{"Invalid arguments: list is unknown"};
}

} // namespace

void call_log(server& srv, const tool_call& call) {
  const auto name = call.text("level");
  const auto message = call.text("message");
  const auto level = read_level(name);
  if (!level)
    throw bad_argument{"Invalid arguments: level is unknown"};
  const auto least = least_level(srv, call.req);
  const auto wanted = least.has_value() && *level >= *least;
  if (wanted)
    srv.out.notification("notifications/message", [&](std::string& out) {
      out += R"("level":)";
      put_quoted(out, name);
      out += R"(,"logger":"demo","data":)";
      put_quoted(out, message);
    });
  answer_text(srv, call.req.from, wanted ? "logged" : "not wanted");
}

void call_touch(server& srv, const tool_call& call) {
  constexpr range repetitions{1, 100'000};
  const auto uri = call.optional_text("uri");
  const auto list_name = call.optional_text("list");
  const auto count = call.optional_integer("count", repetitions).value_or(1);
  const auto list
    = list_name ? std::optional{read_list(*list_name)} : std::nullopt;
  for (std::int64_t i = 0; i < count; ++i) {
    if (uri || !list)
      announce_updated(srv, uri.value_or("demo://greeting"));
    if (list)
      announce_list_changed(srv, *list);
  }
  answer_text(srv, call.req.from, "touched");
}

void call_end_subscriptions(server& srv, const tool_call& call) {
  const auto how = call.optional_text("how").value_or("response");
  if (how != "response" && how != "cancelled")
    throw bad_argument{"Invalid arguments: how is unknown"};
  end_listeners(srv, how == "response" ? listen_end::response
                                       : listen_end::cancelled_notification);
  answer_text(srv, call.req.from, "ended");
}

} // namespace demo
