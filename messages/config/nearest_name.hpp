#pragma once

#include <string_view>
#include <vector>

namespace caf_mcp {

/// Returns the one of `known` that `name` most likely stands for; empty if none
/// are known. Case and the sorts of word separators do not count, and missing
/// letters count less than wrong ones: names are shortened more often than
/// misspelt.
std::string_view nearest_name(std::string_view name,
                              const std::vector<std::string_view>& known);

} // namespace caf_mcp
