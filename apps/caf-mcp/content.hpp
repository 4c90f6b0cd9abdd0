#pragma once

#include "text_output.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string_view>

namespace caf_mcp::tool {

/// Prints a content block (`ContentBlock` in the schema): a text as it is, a
/// line that describes anything else.
void print_block(const boost::json::object& block, text_output& out);

/// Prints the contents of a resource: a text as it is, a line that describes a
/// blob.
void print_resource(const boost::json::object& contents, text_output& out);

/// Returns how many bytes a Base64 text stands for.
std::size_t base64_bytes(std::string_view text) noexcept;

} // namespace caf_mcp::tool
