#pragma once

#include <boost/json/value.hpp>
#include <caf/error.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace caf_mcp {

/// Returns the value of an environment variable, or nothing if it is not set.
using variable_lookup
  = std::function<std::optional<std::string>(std::string_view name)>;

/// Looks variables up in the environment of this process.
std::optional<std::string> host_variable(std::string_view name);

/// Replaces `${env:NAME}`, `${NAME}` and `${NAME:-default}` in every string of
/// `value`, names of members excepted. What a variable holds is not expanded
/// again. Fails with a `config_invalid` that names `key` and the placeholder if
/// a variable without a default is not set, or if the placeholder is of another
/// sort, such as an editor's `${input:id}`.
caf::error expand_variables(boost::json::value& value, std::string_view key,
                            const variable_lookup& lookup);

} // namespace caf_mcp
