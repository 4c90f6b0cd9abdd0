#include "caf_mcp/messages/json/compose.hpp"

#include "caf_mcp/messages/json/json_writer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

std::vector<payload_member> members_of(const payload& object) {
  std::vector<payload_member> result;
  if (const auto* members = object.if_object())
    for (const auto& member : *members)
      result.push_back({member.key(), object.part(&member.value())});
  return result;
}

payload with_member(const payload& object, std::string_view key,
                    payload value) {
  const auto* plain = object.if_object();
  if (plain != nullptr && value && !object.spellings() && !value.spellings()) {
    auto copy = *plain;
    copy[key] = value.value();
    return payload{boost::json::value(std::move(copy))};
  }
  auto members = members_of(object);
  auto found
    = std::find_if(members.begin(), members.end(),
                   [key](const auto& member) { return member.key == key; });
  if (found != members.end())
    found->value = std::move(value);
  else
    members.push_back({std::string{key}, std::move(value)});
  return compose_object(members);
}

payload compose_array(std::span<const payload> items) {
  const auto is_plain
    = std::all_of(items.begin(), items.end(), [](const payload& item) {
        return item.spellings() == nullptr;
      });
  if (is_plain) { // a copy costs less than a text
    boost::json::array result;
    result.reserve(items.size());
    for (const auto& item : items)
      result.push_back(item.value());
    return payload{boost::json::value(std::move(result))};
  }
  std::string text;
  for (const auto& item : items) {
    text += text.empty() ? '[' : ',';
    json_writer writer{text};
    writer.spell(item.spellings());
    writer.write(item.value());
  }
  return parse_payload(text + ']');
}

payload to_payload(std::string_view text) {
  return payload{boost::json::value(text)};
}

} // namespace caf_mcp
