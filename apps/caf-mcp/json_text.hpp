#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace caf_mcp::tool {

/// Renders JSON on one line. Numbers look as people write them: 2.5, not 2.5E0.
std::string compact_json(const boost::json::value& value);

/// Renders JSON on indented lines, without a newline at the end.
std::string pretty_json(const boost::json::value& value);

/// Returns the string in member `key`, else an empty view.
std::string_view text_at(const boost::json::object& object,
                         std::string_view key) noexcept;

/// Returns the array in member `key`, else an empty one.
const boost::json::array& array_at(const boost::json::object& object,
                                   std::string_view key) noexcept;

/// Returns the object in member `key`, else an empty one.
const boost::json::object& object_at(const boost::json::object& object,
                                     std::string_view key) noexcept;

/// Returns the object that `value` holds, else an empty one.
const boost::json::object& as_object(const boost::json::value& value) noexcept;

} // namespace caf_mcp::tool
