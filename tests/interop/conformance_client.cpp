// What the official conformance suite tests: a client that does what the
// scenario of the environment expects. Called as
// `conformance-client BRIDGE-SCRIPT URL`; the bridge is its stdio server.
#include "caf_mcp/actors/client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace caf_mcp;

namespace {

std::string environment(const char* name) {
  const auto* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class T>
T value(caf::expected<T> answer) {
  if (!answer)
    throw std::runtime_error{describe(answer.error()).message};
  return std::move(*answer);
}

/// Answers all that a server may ask for, so that all capabilities are
/// declared. The form is accepted as it is: the library fills in defaults.
handlers all_handlers() {
  handlers result;
  result.elicit_form = [](const server_request& request) {
    auto fields = request.params.member("requestedSchema").member("properties");
    return parse_payload(
      fields.member("confirmed")
        ? R"({"action":"accept","content":{"confirmed":true}})"
        : R"({"action":"accept","content":{}})");
  };
  result.roots
    = [](const server_request&) { return parse_payload(R"({"roots":[]})"); };
  result.sampling
    = [](const server_request&) { return refuse(-1, "no model here"); };
  return result;
}

server_options bridge(std::string script, std::string url) {
  server_options options;
  options.command = "node";
  options.args = {std::move(script), std::move(url)};
  options.protocol_version = environment("MCP_CONFORMANCE_PROTOCOL_VERSION");
  options.mode = is_modern(options.protocol_version) ? era_mode::automatic
                                                     : era_mode::legacy;
  return options;
}

payload list_tools(caf::scoped_actor& self, const connection& server) {
  return value(ask(self, server, list_all{}));
}

/// Calls all tools at once: what belongs to one call must not show up in
/// another.
void call_tools(caf::scoped_actor& self, const connection& server) {
  auto tools = list_tools(self, server);
  std::vector<decltype(ask(self.ptr(), server, call_tool("")))> calls;
  for (const auto& tool : tools.value().as_array()) {
    auto name = std::string{tool.at("name").as_string()};
    calls.push_back(
      ask(self.ptr(), server, call_tool(name, {{"a", 2}, {"b", 3}})));
  }
  for (auto& call : calls)
    std::move(call).receive([](const payload&) {},
                            [](const caf::error& error) {
                              throw std::runtime_error{describe(error).message};
                            });
}

/// Sends the schema of a tool back as it came.
void echo_schema(caf::scoped_actor& self, const connection& server) {
  auto tools = list_tools(self, server);
  for (const auto& tool : tools.value().as_array())
    if (tool.at("name") == "json_schema_2020_12_tool")
      value(ask(
        self, server,
        call_tool("json_schema_echo", {{"schema", tool.at("inputSchema")}})));
}

void play(const std::string& scenario, caf::scoped_actor& self,
          const connection& server) {
  if (scenario == "json-schema-2020-12-preservation")
    echo_schema(self, server);
  else if (scenario == "tools_call"
           || scenario == "elicitation-sep1034-client-defaults"
           || scenario == "sep-2322-client-request-state")
    call_tools(self, server);
  else
    list_tools(self, server);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: conformance-client BRIDGE-SCRIPT URL\n";
    return 2;
  }
  init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  runtime loops{system};
  caf::scoped_actor self{system};
  try {
    auto server = value(
      spawn_connection(loops, bridge(argv[1], argv[2]), {}, all_handlers()));
    value(ask(self, server, open_connection{}));
    play(environment("MCP_CONFORMANCE_SCENARIO"), self, server);
  } catch (const std::exception& error) {
    std::cerr << "conformance-client: " << error.what() << '\n';
    return 1;
  }
}
