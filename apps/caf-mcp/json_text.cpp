#include "caf_mcp/messages/json/json_text.hpp"

#include "json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace caf_mcp::tool {

std::string compact_json(const boost::json::value& value) {
  return to_json_text(value);
}

std::string pretty_json(const boost::json::value& value) {
  return to_json_text(value, json_layout::indented);
}

std::string_view text_at(const boost::json::object& object,
                         std::string_view key) noexcept {
  const auto* value = object.if_contains(key);
  const auto* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string_view{text->data(), text->size()}
                         : std::string_view{};
}

const boost::json::array& array_at(const boost::json::object& object,
                                   std::string_view key) noexcept {
  static const boost::json::array empty;
  const auto* value = object.if_contains(key);
  const auto* array = value != nullptr ? value->if_array() : nullptr;
  return array != nullptr ? *array : empty;
}

const boost::json::object& object_at(const boost::json::object& object,
                                     std::string_view key) noexcept {
  static const boost::json::value absent;
  const auto* value = object.if_contains(key);
  return as_object(value != nullptr ? *value : absent);
}

const boost::json::object& as_object(const boost::json::value& value) noexcept {
  static const boost::json::object empty;
  const auto* object = value.if_object();
  return object != nullptr ? *object : empty;
}

} // namespace caf_mcp::tool
