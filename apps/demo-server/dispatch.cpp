#include "dispatch.hpp"

#include "answers.hpp"
#include "handlers.hpp"
#include "server.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

namespace demo {

namespace {

struct method {
  std::string_view name;
  spoken_eras eras;
  void (*handle)(server&, const request&);
};

/// The most called ones first: the table is searched from its start.
constexpr std::array methods{
  method{"tools/call", spoken_eras::both, on_tools_call},
  method{"tools/list", spoken_eras::both, on_tools_list},
  method{"resources/read", spoken_eras::both, on_resources_read},
  method{"resources/list", spoken_eras::both, on_resources_list},
  method{"resources/templates/list", spoken_eras::both, on_templates_list},
  method{"prompts/get", spoken_eras::both, on_prompts_get},
  method{"prompts/list", spoken_eras::both, on_prompts_list},
  method{"completion/complete", spoken_eras::both, on_complete},
  method{"ping", spoken_eras::legacy, on_ping},
  method{"initialize", spoken_eras::legacy, on_initialize},
  method{"logging/setLevel", spoken_eras::legacy, on_set_level},
  method{"resources/subscribe", spoken_eras::legacy, on_subscribe},
  method{"resources/unsubscribe", spoken_eras::legacy, on_unsubscribe},
  method{"server/discover", spoken_eras::modern, on_discover},
  method{"subscriptions/listen", spoken_eras::modern, on_listen},
};

bool speaks(spoken_eras eras, era one) {
  return eras == spoken_eras::both
         || (eras == spoken_eras::modern) == (one == era::modern);
}

/// Looks a method up among those that exist in the era of the request.
const method& method_of(const request& req) {
  const auto found = std::find_if(
    methods.begin(), methods.end(), [&req](const method& candidate) {
      return candidate.name == req.method
             && speaks(candidate.eras, req.from.spoken);
    });
  if (found == methods.end())
    throw refusal{code::method_not_found,
                  "Method not found: " + std::string{req.method}};
  return *found;
}

[[noreturn]] void refuse_version(std::string_view requested) {
  std::string data = R"({"supported":[")";
  data += modern_version;
  data += R"("],"requested":)";
  put_quoted(data, requested);
  data += '}';
  // "A server that supports only modern versions SHOULD name the protocol
  // versions it supports in any error it returns to an initialize request"
  // (2026-07-28, Versioning): some clients show the message only.
  throw refusal{code::unsupported_protocol_version,
                "Unsupported protocol version; this server speaks "
                  + std::string{modern_version},
                data};
}

void check_modern_meta(const request& req) {
  const auto* version = string_member(req.meta, meta_key::protocol_version);
  if (version == nullptr)
    throw refusal{code::invalid_params,
                  "params._meta lacks "
                    + std::string{meta_key::protocol_version}};
  if (*version != modern_version)
    refuse_version(*version);
  const auto* capabilities
    = req.meta.if_contains(meta_key::client_capabilities);
  if (capabilities == nullptr || !capabilities->is_object())
    throw refusal{code::invalid_params,
                  "params._meta lacks "
                    + std::string{meta_key::client_capabilities}};
}

/// Before the handshake is through, a client may only shake hands and ping
/// (2025-11-25, Lifecycle, Initialization).
void check_handshake(const server& srv, const request& req) {
  using phase = legacy_session::phase;
  if (req.method == "ping" || srv.legacy.now == phase::operational)
    return;
  const auto opens = req.method == "initialize";
  if (opens && srv.legacy.now == phase::fresh)
    return;
  throw refusal{code::invalid_request,
                opens ? "initialize has been answered already"
                : srv.legacy.now == phase::fresh
                  ? "initialize has not come first"
                  : "notifications/initialized has not arrived yet"};
}

void serve_request(server& srv, const request& req) {
  try {
    if (req.from.spoken == era::modern) {
      if (req.method == "initialize" && srv.opts.eras == spoken_eras::modern) {
        const auto* version = string_member(req.params, "protocolVersion");
        refuse_version(version == nullptr ? "" : std::string_view{*version});
      }
      check_modern_meta(req);
      method_of(req).handle(srv, req);
    } else {
      const auto& found = method_of(req);
      check_handshake(srv, req);
      found.handle(srv, req);
    }
  } catch (const refusal& refused) {
    srv.out.error(req.from, refused.code, refused.message, refused.data);
  }
}

/// "A dual-era server selects its behavior from how the client opens"
/// (2026-07-28, Versioning, Backward Compatibility), request by request.
era era_of(const server& srv, std::string_view method,
           const json::object& meta) {
  if (srv.opts.eras != spoken_eras::both)
    return srv.opts.eras == spoken_eras::modern ? era::modern : era::legacy;
  const auto is_modern = meta.contains(meta_key::protocol_version)
                         || method == "server/discover"
                         || method == "subscriptions/listen";
  return is_modern ? era::modern : era::legacy;
}

request make_request(const server& srv, const json::value& id,
                     std::string_view method, const json::object& params) {
  const auto& meta = object_member(params, "_meta");
  return {{to_text(id), era_of(srv, method, meta)}, method, params, meta};
}

/// Does what `--exit-on-discover` and `--discover-delay` ask for.
/// @returns whether the request is taken care of.
bool spoil_discover(server& srv, const request& req) {
  if (srv.opts.exit_on_discover) {
    srv.out.flush();
    std::cerr << "demo-server: unexpected request server/discover\n";
    std::exit(1);
  }
  if (srv.opts.discover_delay.count() == 0)
    return false;
  srv.jobs.at(job_queue::clock::now() + srv.opts.discover_delay, req.from.id,
              [&srv, from = req.from, method = std::string{req.method},
               params = json::object{req.params, json::storage_ptr{}}] {
                const auto& meta = object_member(params, "_meta");
                serve_request(srv, {from, method, params, meta});
              });
  return true;
}

void on_request(server& srv, const json::value& id, std::string_view method,
                const json::object& message) {
  const auto req
    = make_request(srv, id, method, object_member(message, "params"));
  if (method == "server/discover" && spoil_discover(srv, req))
    return;
  serve_request(srv, req);
}

void on_cancelled(server& srv, const json::object& params) {
  const auto* id = params.if_contains("requestId");
  if (id == nullptr)
    return;
  const auto text = to_text(*id);
  srv.jobs.cancel(text);
  srv.questions.cancel(srv.out, text);
  std::erase_if(srv.listeners,
                [&text](const listener& open) { return open.id == text; });
}

void on_notification(server& srv, std::string_view method,
                     const json::object& message) {
  using phase = legacy_session::phase;
  if (method == "notifications/cancelled")
    on_cancelled(srv, object_member(message, "params"));
  else if (method == "notifications/initialized"
           && srv.legacy.now == phase::answered)
    srv.legacy.now = phase::operational;
}

/// Answers the tool call that asked with what the client said.
void on_response(server& srv, const json::value& id,
                 const json::object& message) {
  const auto call = srv.questions.take(id);
  if (!call)
    return;
  if (const auto* result = message.if_contains("result"))
    answer_structured(srv, *call, to_text(*result));
  else
    answer_failure(srv, *call,
                   "The client answered with an error: "
                     + to_text(object_member(message, "error")));
}

bool is_id(const json::value& id) {
  return id.is_int64() || id.is_uint64() || id.is_string();
}

} // namespace

void serve_message(server& srv, const json::value* message) {
  static const reply_address nobody{"null", era::legacy};
  if (message == nullptr) {
    srv.out.error(nobody, code::parse_error, "Parse error");
    return;
  }
  const auto* object = message->if_object();
  if (object == nullptr) {
    srv.out.error(nobody, code::invalid_request, "Not a JSON-RPC message");
    return;
  }
  const auto* method = string_member(*object, "method");
  const auto* id = object->if_contains("id");
  if (method != nullptr && id == nullptr)
    on_notification(srv, *method, *object);
  else if (method != nullptr && is_id(*id))
    on_request(srv, *id, *method, *object);
  else if (method == nullptr && id != nullptr
           && (object->contains("result") || object->contains("error")))
    on_response(srv, *id, *object);
  else
    srv.out.error(nobody, code::invalid_request, "Not a JSON-RPC message");
}

} // namespace demo
