// JSON on its way out: text appended to the buffer that will be written.
//
// The server's answers are small and their shapes are known, so they are
// written as text right away instead of as a tree that is then serialized.
#pragma once

#include <boost/json/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace demo {

namespace json = boost::json;

/// Appends `text`, which must be UTF-8, as a JSON string with its quotes.
/// Every control character is escaped, so no message can hold a newline.
void put_quoted(std::string& out, std::string_view text);

/// Appends a whole number.
void put_integer(std::string& out, std::int64_t number);

/// Appends a number in the shortest form that reads back as the same value.
/// `number` must be finite: JSON has no infinity.
void put_number(std::string& out, double number);

/// Appends any JSON value.
void put_value(std::string& out, const json::value& value);

/// Returns `value` as JSON text, e.g. an id that must be echoed later.
std::string to_text(const json::value& value);

} // namespace demo
