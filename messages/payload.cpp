#include "caf_mcp/messages/payload.hpp"

#include "caf_mcp/messages/wire/json_document.hpp"
#include "caf_mcp/messages/wire/json_text.hpp"

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
  const auto* found = object->if_contains(key);
  if (found == nullptr)
    return {};
  return payload{std::shared_ptr<const boost::json::value>{value_, found}};
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
  return value_ ? to_json_text(*value_) : std::string{};
}

bool operator==(const payload& lhs, const payload& rhs) noexcept {
  if (!lhs.value_ || !rhs.value_)
    return lhs.value_ == rhs.value_;
  return lhs.value_ == rhs.value_ || *lhs.value_ == *rhs.value_;
}

payload parse_payload(std::string_view text) {
  json_reader reader{json_depth_limit};
  return payload{reader.read(text)};
}

} // namespace caf_mcp
