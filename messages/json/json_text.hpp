#pragma once

#include "caf_mcp/messages/json/json_writer.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace caf_mcp {

/// Returns whether all numbers in `value` are finite. JSON cannot express
/// others, but `1e999` is read as infinite.
bool is_finite(const boost::json::value& value);

/// Renders `value` as JSON that every parser takes: numbers that are not finite
/// become null, as in JavaScript, unless `spellings` has them, and what is not
/// valid UTF-8 is replaced.
std::string to_json_text(const boost::json::value& value,
                         json_layout layout = json_layout::compact,
                         const number_spellings* spellings = nullptr);

} // namespace caf_mcp
