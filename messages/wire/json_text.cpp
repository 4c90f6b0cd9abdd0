#include "caf_mcp/messages/wire/json_text.hpp"

#include "caf_mcp/messages/wire/utf8.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>

namespace caf_mcp {

namespace {

void nullify_infinite(boost::json::value& value) {
  if (const auto* number = value.if_double()) {
    if (!std::isfinite(*number))
      value = nullptr;
  } else if (auto* array = value.if_array()) {
    for (auto& item : *array)
      nullify_infinite(item);
  } else if (auto* object = value.if_object()) {
    for (auto& member : *object)
      nullify_infinite(member.value());
  }
}

} // namespace

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

std::string to_json_text(const boost::json::value& value) {
  if (is_finite(value))
    return to_valid_utf8(boost::json::serialize(value));
  auto finite = value;
  nullify_infinite(finite);
  return to_valid_utf8(boost::json::serialize(finite));
}

} // namespace caf_mcp
