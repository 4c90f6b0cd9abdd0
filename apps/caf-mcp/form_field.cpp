#include "form_field.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "json_text.hpp"
#include "printable.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

namespace caf_mcp::tool {

namespace {

caf::error not_allowed(std::string what) {
  return local_error(errc::config_invalid, std::move(what));
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  auto result = Number{};
  const auto* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, result);
  if (error != std::errc{} || rest != end)
    return std::nullopt;
  return result;
}

std::optional<double> number_at(const boost::json::object& object,
                                std::string_view key) {
  const auto* found = object.if_contains(key);
  if (found == nullptr || !found->is_number())
    return std::nullopt;
  return found->to_number<double>();
}

/// Returns whether `text` can be of this `format`, by its looks.
bool has_format(std::string_view text, std::string_view format) {
  if (format == "email" || format == "uri") {
    const auto at = text.find(format == "email" ? '@' : ':');
    return at != 0 && at != std::string_view::npos && at + 1 < text.size();
  }
  if (format == "date" || format == "date-time") {
    constexpr std::string_view pattern = "dddd-dd-dd";
    if (text.size() < pattern.size()
        || (format == "date" && text.size() > pattern.size()))
      return false;
    return std::equal(pattern.begin(), pattern.end(), text.begin(),
                      [](char wanted, char given) {
                        return wanted == 'd' ? given >= '0' && given <= '9'
                                             : wanted == given;
                      });
  }
  return true;
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    auto item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    while (item.starts_with(' '))
      item.remove_prefix(1);
    while (item.ends_with(' '))
      item.remove_suffix(1);
    if (!item.empty())
      result.push_back(item);
  }
  return result;
}

} // namespace

form_field::form_field(std::string_view name, const boost::json::object& schema,
                       bool is_required)
  : name_{name}, schema_{schema}, is_required_{is_required} {
  // The schema has grown: `enum` with `enumNames`, then `oneOf`, and for many
  // choices the same below `items`.
  const auto& from = type() == "array" ? object_at(schema, "items") : schema;
  const auto& names = array_at(from, "enumNames");
  for (const auto& each : array_at(from, "enum"))
    if (const auto* value = each.if_string()) {
      auto& added = choices_.emplace_back(choice{std::string{*value}, {}});
      if (auto at = choices_.size() - 1;
          at < names.size() && names[at].is_string())
        added.title = names[at].get_string();
    }
  for (const auto* key : {"oneOf", "anyOf"})
    for (const auto& each : array_at(from, key))
      choices_.push_back({std::string{text_at(as_object(each), "const")},
                          std::string{text_at(as_object(each), "title")}});
}

std::string_view form_field::type() const noexcept {
  return text_at(schema_, "type");
}

std::string form_field::choice_list() const {
  std::string result;
  for (const auto& [value, title] : choices_) {
    result += result.empty() ? "" : ", ";
    result += one_line(value);
    if (!title.empty() && title != value)
      result += " (" + one_line(title) + ')';
  }
  return result;
}

std::string form_field::question() const {
  auto title = text_at(schema_, "title");
  auto result = "  " + one_line(title.empty() ? name_ : title);
  if (auto text = text_at(schema_, "description"); !text.empty())
    result += " - " + one_line(text);
  result += " (";
  if (choices_.empty())
    result += type() == "boolean" ? "yes or no" : one_line(type());
  else if (type() == "array")
    result += "any of " + choice_list() + ", separated by commas";
  else
    result += "one of " + choice_list();
  if (!is_required_)
    result += ", may be empty";
  result += ')';
  if (has_default())
    result += " [" + one_line(compact_json(schema_.at("default"))) + ']';
  return result + ": ";
}

caf::expected<boost::json::value>
form_field::read(const std::string& text) const {
  if (type() == "array")
    return read_choices(text);
  if (!choices_.empty()) {
    if (const auto* found = find_choice(text))
      return boost::json::value(found->value);
    return not_allowed("must be one of " + choice_list());
  }
  if (type() == "boolean") {
    for (const auto* word : {"y", "yes", "true"})
      if (text == word)
        return boost::json::value(true);
    for (const auto* word : {"n", "no", "false"})
      if (text == word)
        return boost::json::value(false);
    return not_allowed("must be yes or no");
  }
  if (type() == "integer" || type() == "number")
    return read_number(text);
  return read_text(text);
}

caf::expected<boost::json::value>
form_field::read_number(const std::string& text) const {
  boost::json::value result;
  if (auto whole = parse_number<std::int64_t>(text))
    result = *whole;
  else if (type() == "integer")
    return not_allowed("must be an integer");
  else if (auto real = parse_number<double>(text); real && std::isfinite(*real))
    result = *real;
  else
    return not_allowed("must be a number");
  auto value = result.to_number<double>();
  if (auto least = number_at(schema_, "minimum"); least && value < *least)
    return not_allowed("must be at least "
                       + compact_json(schema_.at("minimum")));
  if (auto most = number_at(schema_, "maximum"); most && value > *most)
    return not_allowed("must be at most "
                       + compact_json(schema_.at("maximum")));
  return result;
}

caf::expected<boost::json::value>
form_field::read_text(const std::string& text) const {
  auto length = static_cast<double>(columns(text));
  if (auto least = number_at(schema_, "minLength"); least && length < *least)
    return not_allowed("must have at least "
                       + compact_json(schema_.at("minLength")) + " characters");
  if (auto most = number_at(schema_, "maxLength"); most && length > *most)
    return not_allowed("must have at most "
                       + compact_json(schema_.at("maxLength")) + " characters");
  if (auto format = text_at(schema_, "format"); !has_format(text, format))
    return not_allowed("must be in the format " + one_line(format));
  return boost::json::value(text);
}

caf::expected<boost::json::value>
form_field::read_choices(const std::string& text) const {
  boost::json::array result;
  for (auto item : split_list(text)) {
    const auto* found = find_choice(item);
    if (found == nullptr)
      return not_allowed("must be any of " + choice_list()
                         + ", separated by commas");
    result.emplace_back(found->value);
  }
  auto count = static_cast<double>(result.size());
  if (auto least = number_at(schema_, "minItems"); least && count < *least)
    return not_allowed("must be at least "
                       + compact_json(schema_.at("minItems")));
  if (auto most = number_at(schema_, "maxItems"); most && count > *most)
    return not_allowed("must be at most "
                       + compact_json(schema_.at("maxItems")));
  return boost::json::value(std::move(result));
}

const form_field::choice*
form_field::find_choice(std::string_view text) const noexcept {
  for (const auto& each : choices_)
    if (each.value == text || (!each.title.empty() && each.title == text))
      return &each;
  return nullptr;
}

std::vector<form_field> form_fields(const boost::json::object& schema) {
  std::vector<form_field> result;
  const auto& required = array_at(schema, "required");
  for (const auto& [name, field] : object_at(schema, "properties"))
    if (const auto* object = field.if_object())
      result.emplace_back(name, *object,
                          std::find(required.begin(), required.end(), name)
                            != required.end());
  return result;
}

} // namespace caf_mcp::tool
