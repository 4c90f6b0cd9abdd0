#include "caf_mcp/actors/port/server_plan.hpp"

#include "caf_mcp/actors/port/find_executable.hpp"
#include "caf_mcp/messages/config/environment.hpp"

#include <string>
#include <utility>

extern char** environ;

namespace caf_mcp {

namespace {

environment_block host_environment() {
  environment_block result;
  for (auto** variable = environ; *variable != nullptr; ++variable)
    result.emplace_back(*variable);
  return result;
}

} // namespace

std::variant<spawn_plan, close_reason>
plan_start(const server_options& options) {
  spawn_plan plan;
  plan.environment = server_environment(host_environment(), options);
  auto path = find_variable(plan.environment, "PATH").value_or("");
  auto found = find_executable(options.command, path);
  if (auto* reason = std::get_if<close_reason>(&found))
    return std::move(*reason);
  plan.executable = std::get<std::string>(std::move(found));
  plan.args = options.args;
  plan.cd = options.cd;
  plan.stderr_to = options.stderr_to.kind;
  plan.stderr_file = options.stderr_to.file;
  plan.on_host_death = options.on_host_death;
  return plan;
}

} // namespace caf_mcp
