#include "library_host.hpp"

#include "caf_mcp/actors/client.hpp"

#include <caf/scoped_actor.hpp>

#include <stdexcept>
#include <utility>

namespace bench {

namespace {

[[noreturn]] void fail(const caf::error& error) {
  throw std::runtime_error{caf_mcp::describe(error).message};
}

caf_mcp::connection start_server(caf_mcp::runtime& runtime,
                                 caf_mcp::server_options options) {
  auto started = caf_mcp::spawn_connection(runtime, std::move(options));
  if (!started)
    fail(started.error());
  return *started;
}

} // namespace

caf::actor_system_config& set_up(caf::actor_system_config& config,
                                 const client_options& options) {
  auto arguments = options.caf_arguments;
  if (auto error = config.parse(std::move(arguments)))
    throw std::runtime_error{"bad CAF setting: " + caf::to_string(error)};
  return config;
}

caf_mcp::server_options start_options(const client_options& options,
                                      std::vector<std::string> args) {
  caf_mcp::server_options result;
  result.command = options.server;
  result.args = std::move(args);
  result.max_message_bytes = std::size_t{128} * 1024 * 1024;
  result.max_unwritten_bytes = result.max_message_bytes;
  result.mode = caf_mcp::era_mode::legacy;
  return result;
}

library_host::library_host(const client_options& options,
                           std::vector<std::string> server_args)
  : system_{set_up(config_, options)},
    runtime_{system_},
    server_{
      start_server(runtime_, start_options(options, std::move(server_args)))} {
  caf::scoped_actor self{system_};
  // Not `open_connection`, which would make this short-lived actor the owner.
  if (auto tools = ask(self, server_, caf_mcp::list_all{}); !tools)
    fail(tools.error());
}

} // namespace bench
