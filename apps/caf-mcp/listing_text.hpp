#pragma once

#include "text_output.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp::tool {

/// Prints the first lines of an entry in a list: its name, its title where that
/// says more, and its description. Entries are separated by empty lines.
void print_heading(const boost::json::object& entry, std::string_view name,
                   text_output& out);

/// Returns `heading` with the node of an entry of many nodes behind it.
std::string with_node(std::string heading, const boost::json::object& entry);

/// Returns a table of the properties of a JSON Schema: name, type, whether
/// required, description.
std::vector<std::vector<std::string>>
schema_rows(const boost::json::object& schema);

/// Returns how to say the type of a JSON Schema, e.g. `string`, `integer[]` or
/// `plain|formal`.
std::string type_text(const boost::json::object& schema);

/// What stands before each line below a heading.
inline constexpr std::string_view indent = "    ";

} // namespace caf_mcp::tool
