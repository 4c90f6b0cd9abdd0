#pragma once

#include "caf_mcp/messages/server_options.hpp"

#include <caf/error.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {

class App;

} // namespace CLI

namespace caf_mcp::tool {

/// Options of the tool for the options of a server: one for each key of
/// `option_descriptors`, e.g. `--stdin-grace MS` for `stdin_grace`, but for
/// `command` and `args`, which stand behind `--`.
class server_flags {
public:
  /// The group that the options stand in.
  static constexpr std::string_view group = "Options of the server";

  /// Declares the options; `app` must not outlive this.
  void declare(CLI::App& app);

  /// Sets what was given, on top of what `to` holds. Fails with
  /// `config_invalid`.
  caf::error apply(server_options& to) const;

private:
  caf::error apply_env(server_options& to) const;

  /// By key, the values of each occurrence.
  std::map<std::string_view, std::vector<std::string>> values_;
  std::vector<std::string> env_;
  std::vector<std::string> secret_env_;
  std::vector<std::string> unset_env_;
};

/// Returns the name of the tool's option for a key: `--stdin-grace`.
std::string flag_name(std::string_view key);

} // namespace caf_mcp::tool
