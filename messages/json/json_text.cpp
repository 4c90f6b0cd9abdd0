#include "caf_mcp/messages/json/json_text.hpp"

#include "caf_mcp/messages/json/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caf_mcp {

bool is_finite(const boost::json::value& value) {
  if (const auto* number = value.if_double())
    return std::isfinite(*number);
  if (const auto* array = value.if_array())
    return std::all_of(array->begin(), array->end(), is_finite);
  if (const auto* object = value.if_object())
    return std::all_of(object->begin(), object->end(), [](const auto& member) {
      return is_finite(member.value());
    });
  return true;
}

std::string to_json_text(const boost::json::value& value, json_layout layout,
                         const number_spellings* spellings) {
  std::string text;
  json_writer writer{text, layout};
  writer.spell(spellings);
  writer.write(value);
  return writer.is_ascii() ? text : to_valid_utf8(std::move(text));
}

} // namespace caf_mcp
