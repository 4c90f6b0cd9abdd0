#pragma once

#include "caf_mcp/messages/config/platform.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// The variables of one process, each as `NAME=value`.
using environment_block = std::vector<std::string>;

/// Returns the names that a server inherits unless `inherit_env` says
/// otherwise: what programs need to find their files, and no credentials.
std::span<const std::string_view> inheritable_names(platform where
                                                    = host_platform) noexcept;

/// Returns the environment of a server: what `inherit_env` takes from `host`,
/// the environment of this process, and on top what `env` sets and unsets.
/// Reveals secrets, so it must go to the server only. Sorted by name, each name
/// once; on Windows the case of names does not count. Exported shell functions
/// are never inherited.
environment_block server_environment(const environment_block& host,
                                     const server_options& options,
                                     platform where = host_platform);

/// Returns the value of `name`, valid as long as `block`.
std::optional<std::string_view> find_variable(const environment_block& block,
                                              std::string_view name,
                                              platform where = host_platform);

} // namespace caf_mcp
