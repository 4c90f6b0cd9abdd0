#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Splits a JSON array into the texts of its elements, by brackets and quotes
/// only: what is wrong within an element stays with it. Returns nothing if
/// `text` is no array, or one that is cut off; views into `text` else.
std::optional<std::vector<std::string_view>> split_array(std::string_view text);

} // namespace caf_mcp
