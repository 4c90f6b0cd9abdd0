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

/// Returns what errors show of the PATH that the server gets.
std::string shown_path(const server_options& options, const std::string& path) {
  const auto own = options.env.find("PATH");
  if (own != options.env.end() && own->second.kind() == env_kind::secret)
    return std::string{secret_mask};
  return shown_value(options.as_written, path);
}

/// Returns what errors show of the file that was found for a bare name.
std::string shown_file(const std::string& file, const server_options& options,
                       const std::string& path, const shown_search& shown) {
  const auto is_as_given
    = shown.command == options.command && shown.search_path == path;
  return is_as_given ? file : shown.command + " in PATH";
}

} // namespace

std::variant<spawn_plan, close_reason>
plan_start(const server_options& options) {
  spawn_plan plan;
  plan.environment = server_environment(host_environment(), options);
  const auto path
    = std::string{find_variable(plan.environment, "PATH").value_or("")};
  const shown_search shown{shown_value(options.as_written, options.command),
                           shown_path(options, path)};
  auto found = find_executable(options.command, path, shown);
  if (auto* reason = std::get_if<close_reason>(&found))
    return std::move(*reason);
  plan.executable = std::get<std::string>(std::move(found));
  plan.as_written = options.as_written;
  if (plan.executable != options.command)
    plan.as_written[plan.executable]
      = shown_file(plan.executable, options, path, shown);
  plan.args = options.args;
  plan.cd = options.cd;
  plan.stderr_to = options.stderr_to.kind;
  plan.stderr_file = options.stderr_to.file;
  plan.on_host_death = options.on_host_death;
  plan.kill_policy = options.kill_policy;
  return plan;
}

} // namespace caf_mcp
