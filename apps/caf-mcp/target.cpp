#include "target.hpp"

#include "caf_mcp/messages/config/server_config.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace caf_mcp::tool {

namespace {

namespace fs = std::filesystem;

server_options defaults() {
  server_options result;
  result.stderr_to.kind = stderr_kind::capture;
  return result;
}

/// Makes a relative path absolute, as a shell would look it up. What is no file
/// but a whole command line in one word stays as it is, for the error's sake.
std::string absolute_command(const std::string& command) {
  if (command.find('/') == std::string::npos)
    return command;
  std::error_code error;
  auto path = fs::absolute(command, error);
  const auto has_space = command.find(' ') != std::string::npos;
  if (error || (has_space && !fs::exists(path, error)))
    return command;
  return path.string();
}

caf::error read_command(const std::vector<std::string>& words,
                        server_options& to) {
  if (words.empty())
    return config_error("command", "is missing after \"--\"");
  to = defaults();
  to.command = absolute_command(words.front());
  to.args.assign(std::next(words.begin()), words.end());
  return {};
}

caf::error read_config(const target& from, server_options& to,
                       std::vector<std::string>& warnings) {
  auto config = load_server_config(from.config_file, defaults());
  if (!config)
    return std::move(config.error());
  auto found = find_server(*config, from.server_name);
  if (!found)
    return std::move(found.error());
  to = std::move(*found);
  warnings = std::move(config->warnings);
  return {};
}

} // namespace

caf::error read_target(const target& from, server_options& to,
                       std::vector<std::string>& warnings) {
  const auto has_config
    = !from.config_file.empty() || !from.server_name.empty();
  if (from.command && has_config)
    return config_error("server", "is named twice: by the command after "
                                  "\"--\", and by --config and --server");
  if (from.command)
    return read_command(*from.command, to);
  if (!has_config)
    return config_error("server", "is missing; name one by \"-- SERVER-COMMAND "
                                  "[SERVER-ARG...]\", or by \"--config FILE "
                                  "--server NAME\"");
  if (from.config_file.empty())
    return config_error("config", "is missing; --server needs --config FILE");
  if (from.server_name.empty())
    return config_error("server",
                        "is missing; --config needs --server NAME, or a "
                        "name such as SERVER/TOOL");
  return read_config(from, to, warnings);
}

caf::expected<std::vector<server_entry>>
read_tree(const target& from, std::vector<std::string>& warnings) {
  if (from.command)
    return config_error("config", "is missing; this command is about the "
                                  "servers of a configuration, not about one "
                                  "behind \"--\"");
  if (from.config_file.empty())
    return config_error("config", "is missing; this command is about the "
                                  "servers of a configuration: --config FILE");
  auto config = load_server_config(from.config_file, defaults());
  if (!config)
    return std::move(config.error());
  warnings = std::move(config->warnings);
  if (from.server_name.empty())
    return std::move(config->servers);
  if (auto found = find_server(*config, from.server_name); !found)
    return std::move(found.error());
  std::erase_if(config->servers, [&from](const server_entry& each) {
    return each.name != from.server_name;
  });
  return std::move(config->servers);
}

} // namespace caf_mcp::tool
