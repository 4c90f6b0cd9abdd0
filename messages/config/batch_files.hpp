#pragma once

#include "caf_mcp/messages/config/platform.hpp"

#include <caf/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Says whether a batch file may be run; see the option `allow_batch_files`.
enum class batch_file_policy : bool { refuse, allow };

/// Returns whether Windows would run `path` as a batch file.
bool is_batch_file(std::string_view path) noexcept;

/// Checks the start of `path`, an executable that was found, with `args`.
/// Windows runs a batch file through `cmd.exe`, which parses the arguments
/// again, so that an argument can become a command (CVE-2024-24576). Fails with
/// `config_invalid` if `path` is a batch file and the policy refuses it, or if
/// an argument holds a character that cannot be passed safely. Elsewhere than
/// on Windows everything is fine.
caf::error check_batch_file(std::string_view path,
                            const std::vector<std::string>& args,
                            batch_file_policy policy,
                            platform where = host_platform);

} // namespace caf_mcp
