#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace caf_mcp {

/// Returns whether all numbers in `value` are finite. JSON cannot express
/// others, but Boost.JSON reads `1e999` as infinite and `0e9999` as NaN.
bool is_finite(const boost::json::value& value);

/// Renders `value` as compact JSON that every parser takes: numbers that are
/// not finite become null, as in JavaScript, and what is not valid UTF-8 is
/// replaced.
std::string to_json_text(const boost::json::value& value);

} // namespace caf_mcp
