#include "caf_mcp/messages/json/payload.hpp"

#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/messages/json/json_text.hpp"

#include <utility>

namespace caf_mcp {

payload::payload(boost::json::value value)
  : value_{to_document(std::move(value))} {
  // nop
}

payload::payload(std::shared_ptr<const boost::json::value> value) noexcept
  : value_{std::move(value)} {
  // nop
}

payload::payload(std::shared_ptr<const boost::json::value> value,
                 const number_spellings* spellings) noexcept
  : value_{std::move(value)}, spellings_{spellings} {
  // nop
}

const boost::json::value& payload::value() const noexcept {
  static const boost::json::value null;
  return value_ ? *value_ : null;
}

const boost::json::object* payload::if_object() const noexcept {
  return value_ ? value_->if_object() : nullptr;
}

payload payload::member(std::string_view key) const {
  const auto* object = if_object();
  if (object == nullptr)
    return {};
  return part(object->if_contains(key));
}

payload payload::part(const boost::json::value* value) const noexcept {
  if (value == nullptr)
    return {};
  return {std::shared_ptr<const boost::json::value>{value_, value}, spellings_};
}

std::string_view payload::string_member(std::string_view key) const {
  const auto* object = if_object();
  if (object == nullptr)
    return {};
  const auto* found = object->if_contains(key);
  if (found == nullptr || !found->is_string())
    return {};
  const auto& text = found->get_string();
  return {text.data(), text.size()};
}

std::string payload::to_json() const {
  return to_json(json_layout::compact);
}

std::string payload::to_json(json_layout layout) const {
  return value_ ? to_json_text(*value_, layout, spellings_) : std::string{};
}

bool operator==(const payload& lhs, const payload& rhs) noexcept {
  if (!lhs.value_ || !rhs.value_)
    return lhs.value_ == rhs.value_;
  return lhs.value_ == rhs.value_ || *lhs.value_ == *rhs.value_;
}

payload parse_payload(std::string_view text) {
  json_reader reader{json_depth_limit};
  return reader.read(text);
}

payload compose_object(std::span<const payload_member> members) {
  std::string text;
  for (const auto& [key, value] : members) {
    if (!value)
      continue;
    text += text.empty() ? '{' : ',';
    json_writer writer{text};
    writer.write_text(key);
    text += ':';
    writer.spell(value.spellings());
    writer.write(value.value());
  }
  return parse_payload(text.empty() ? "{}" : text + '}');
}

} // namespace caf_mcp
