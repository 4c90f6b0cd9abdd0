// Answers a server that asks the client for something: one function at once,
// one that may block in a thread of its own.
#include "caf_mcp/actors/client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>
#include <stop_token>
#include <string>

using caf_mcp::payload;
using caf_mcp::server_request;

payload list_roots(const server_request&) {
  return caf_mcp::parse_payload(R"({"roots": [{"uri": "file:///tmp"}]})");
}

caf::expected<payload> ask_model(const server_request& request,
                                 const std::stop_token& stop) {
  if (stop.stop_requested()) // a slow model would look now and then
    return caf_mcp::refuse(-1, "nobody waits any more");
  boost::json::object text{
    {"type", "text"},
    {"text", "I was asked: " + request.params.member("messages").to_json()}};
  return payload{boost::json::value{
    {"role", "assistant"}, {"model", "none"}, {"content", std::move(text)}}};
}

caf_mcp::handlers my_handlers() {
  caf_mcp::handlers result;
  result.roots = list_roots;
  result.sampling = ask_model;
  return result;
}

int main(int argc, char** argv) {
  caf_mcp::init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  caf_mcp::runtime runtime{system};
  caf::scoped_actor self{system};

  caf_mcp::server_options options;
  options.command = argc > 1 ? argv[1] : "demo-server";
  auto server = caf_mcp::spawn_connection(runtime, options, {}, my_handlers());
  if (!server)
    return 2;
  auto result = ask(self, *server, caf_mcp::call_tool("sample"));
  if (!result) {
    std::cerr << caf_mcp::describe(result.error()).message << '\n';
    return 1;
  }
  std::cout << result->to_json() << '\n';
}
