// Opening a connection: the handshake of the legacy era, discovery in the
// modern one.
#include "handlers.hpp"
#include "server.hpp"

#include <algorithm>

namespace demo {

namespace {

constexpr std::string_view instructions
  = R"(,"instructions":"A demo server. Call echo, add or slow.")";

std::string_view negotiate(std::string_view requested) {
  const auto found
    = std::find(legacy_versions.begin(), legacy_versions.end(), requested);
  return found == legacy_versions.end() ? legacy_versions.front() : *found;
}

void put_capabilities(std::string& out, bool has_completions) {
  out += R"("capabilities":{"tools":{"listChanged":true},)"
         R"("resources":{"subscribe":true,"listChanged":true},)"
         R"("prompts":{"listChanged":true},"logging":{})";
  if (has_completions)
    out += R"(,"completions":{})";
  out += '}';
}

} // namespace

void on_initialize(server& srv, const request& req) {
  const auto requested = required_text(req, "protocolVersion");
  auto& session = srv.legacy;
  session.version = negotiate(requested);
  session.abilities = read_abilities(object_member(req.params, "capabilities"));
  session.now = legacy_session::phase::answered;
  srv.out.result(req.from, [&](std::string& out) {
    out += R"("protocolVersion":")" + session.version + R"(",)";
    // The capability is younger than the method (2025-03-26, Changelog).
    put_capabilities(out, session.version != "2024-11-05");
    out += R"(,"serverInfo":)";
    out += srv.out.server_info();
    out += instructions;
  });
}

void on_discover(server& srv, const request& req) {
  srv.out.result(req.from, [](std::string& out) {
    out += R"("supportedVersions":[")";
    out += modern_version;
    out += R"("],)";
    put_capabilities(out, true);
    out += instructions;
    out += R"(,"ttlMs":60000,"cacheScope":"public")";
  });
}

void on_ping(server& srv, const request& req) {
  srv.out.result(req.from, [](std::string&) {});
}

void on_set_level(server& srv, const request& req) {
  const auto level = read_level(required_text(req, "level"));
  if (!level)
    throw refusal{code::invalid_params, "Unknown log level"};
  srv.legacy.least_level = *level;
  srv.out.result(req.from, [](std::string&) {});
}

} // namespace demo
