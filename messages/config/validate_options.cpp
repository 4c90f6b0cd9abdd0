#include "caf_mcp/messages/config/validate_options.hpp"

#include "caf_mcp/messages/config/option_descriptor.hpp"
#include "caf_mcp/messages/config/option_readers.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/protocol_version.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

namespace caf_mcp {

namespace {

namespace fs = std::filesystem;

bool has_nul(std::string_view text) noexcept {
  return text.find('\0') != std::string_view::npos;
}

bool has_white_space(std::string_view text) noexcept {
  return text.find_first_of(" \t\r\n\v\f") != std::string_view::npos;
}

bool is_file(const fs::path& path) noexcept {
  std::error_code ec;
  return fs::exists(path, ec) && !fs::is_directory(path, ec);
}

bool is_bare_name(const fs::path& path) {
  return path == path.filename();
}

/// Every check finds what is wrong with the options, and shows what is written.
caf::error check_command(const server_options& options,
                         const server_options& written) {
  const auto& command = options.command;
  if (command.empty())
    return config_error("command", "is missing; must be the bare name of an "
                                   "executable or an absolute path");
  if (has_nul(command))
    return config_error("command", "must not hold a NUL byte");
  auto path = fs::path{command};
  if (path.is_absolute() && (!has_white_space(command) || is_file(path)))
    return {};
  auto found = "is " + in_quotes(written.command);
  if (has_white_space(command))
    return config_error("command",
                        found
                          + "; must be one bare name or the absolute path of a "
                            "file that exists: arguments go in args");
  if (!is_bare_name(path))
    return config_error("command", found
                                     + ", a relative path; must be a bare name "
                                       "or an absolute path");
  return {};
}

caf::error check_args(const server_options& options, const server_options&) {
  for (std::size_t i = 0; i < options.args.size(); ++i)
    if (has_nul(options.args[i]))
      return config_error("args", "[" + std::to_string(i)
                                    + "] must not hold a NUL byte");
  return {};
}

/// Checks the name of an environment variable.
caf::error check_name(std::string_view key, const std::string& name) {
  if (name.empty())
    return config_error(key, "a name must not be empty");
  if (name.find('=') != std::string::npos)
    return config_error(key,
                        "the name " + in_quotes(name) + " must not hold a '='");
  if (has_nul(name))
    return config_error(key, "a name must not hold a NUL byte");
  return {};
}

caf::error check_env(const server_options& options, const server_options&) {
  for (const auto& [name, value] : options.env) {
    if (auto error = check_name("env", name))
      return error;
    const auto* text = value.reveal();
    if (text != nullptr && has_nul(*text))
      return config_error("env", "the value of " + in_quotes(name)
                                   + " must not hold a NUL byte");
  }
  for (const auto& name : options.inherit_env.extra_names)
    if (auto error = check_name("inherit_env", name))
      return error;
  return {};
}

caf::error check_cd(const server_options& options,
                    const server_options& written) {
  if (!options.cd)
    return {};
  auto refuse = [&written](std::string_view why) {
    auto text = "is " + in_quotes(written.cd.value_or("")) + ", which ";
    text += why;
    return config_error(
      "cd", text + "; must be the absolute path of an existing directory");
  };
  if (has_nul(*options.cd))
    return config_error("cd", "must not hold a NUL byte");
  auto path = fs::path{*options.cd};
  if (!path.is_absolute())
    return refuse("is not absolute");
  std::error_code ec;
  auto status = fs::status(path, ec);
  if (status.type() == fs::file_type::not_found)
    return refuse("does not exist");
  if (ec)
    return refuse("cannot be looked at (" + ec.message() + ")");
  if (!fs::is_directory(status))
    return refuse("is not a directory");
  return {};
}

caf::error check_stderr(const server_options& options,
                        const server_options& written) {
  const auto& target = options.stderr_to;
  if (target.kind != stderr_kind::file)
    return {};
  if (has_nul(target.file))
    return config_error("stderr", "the path must not hold a NUL byte");
  if (!fs::path{target.file}.is_absolute())
    return config_error("stderr", "the file is "
                                    + in_quotes(written.stderr_to.file)
                                    + "; must be an absolute path");
  return {};
}

caf::error check_protocol_version(const server_options& options,
                                  const server_options&) {
  const auto& version = options.protocol_version;
  if (version.empty())
    return {};
  auto found = "is " + in_quotes(version);
  auto era = era_of(version);
  if (!era)
    return config_error("protocol_version",
                        found + "; must be " + versions_in_quotes());
  if (options.mode == era_mode::legacy && *era == era::modern)
    return config_error("protocol_version",
                        found
                          + ", a modern version; in the mode \"legacy\" "
                            "the latest is "
                          + in_quotes(latest_legacy));
  if (options.mode == era_mode::modern && *era == era::legacy)
    return config_error("protocol_version",
                        found
                          + ", a legacy version; in the mode \"modern\" "
                            "the latest is "
                          + in_quotes(latest_modern));
  return {};
}

caf::error check_client_info(const server_options& options,
                             const server_options&) {
  const auto& info = options.client_info;
  if (info.name.empty() || info.version.empty())
    return config_error("client_info", "name and version must not be empty");
  if (info.more && info.more.if_object() == nullptr)
    return config_error("client_info", "the additional members must be an "
                                       "object");
  return {};
}

caf::error check_numbers(const server_options& options, const server_options&) {
  for (const auto& option : option_descriptors()) {
    if (option.number == nullptr)
      continue;
    auto value = option.number(options);
    if (value < option.number_min || value > option.number_max)
      return out_of_bounds(option, value);
  }
  return {};
}

} // namespace

caf::error validate(const server_options& options) {
  return validate(options, options);
}

caf::error validate(const server_options& options,
                    const server_options& written) {
  for (auto* check :
       {check_command, check_args, check_env, check_cd, check_stderr,
        check_numbers, check_protocol_version, check_client_info})
    if (auto error = check(options, written))
      return error;
  return {};
}

} // namespace caf_mcp
