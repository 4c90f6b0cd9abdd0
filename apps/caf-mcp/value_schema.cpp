#include "value_schema.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace caf_mcp::tool {

namespace {

using node = const boost::json::value*;

/// References and unions may refer to themselves, and the server writes them.
constexpr std::size_t nodes_max = 1000;
constexpr std::size_t depth_max = 32;

constexpr std::array<std::string_view, 2> unions{"anyOf", "oneOf"};

std::string_view view(const boost::json::string& text) noexcept {
  return {text.data(), text.size()};
}

/// Returns the part of `document` that a reference such as `#/$defs/size`
/// names; nullptr if there is none.
node resolve(const payload& document, std::string_view reference) {
  if (!reference.starts_with('#'))
    return nullptr;
  boost::json::error_code error;
  return document.value().find_pointer(reference.substr(1), error);
}

/// A walk through what a schema refers to and is composed of. It ends, although
/// that may lead back to where it began.
class schema_walk {
public:
  explicit schema_walk(const payload& document) : document_{document} {
    // nop
  }

  virtual ~schema_walk() = default;

  virtual void add(node schema, std::size_t depth) = 0;

protected:
  bool goes_on(std::size_t depth) noexcept {
    return ++visited_ <= nodes_max && depth <= depth_max;
  }

  void add_each(const boost::json::array& schemas, std::size_t depth) {
    for (const auto& each : schemas)
      add(&each, depth + 1);
  }

  node referred(const boost::json::object& schema) const {
    return resolve(document_, text_at(schema, "$ref"));
  }

private:
  const payload& document_;
  std::size_t visited_ = 0;
};

/// Walks through references and unions to what has neither at its top.
class alternative_finder final : public schema_walk {
public:
  using schema_walk::schema_walk;

  void add(node schema, std::size_t depth) override {
    if (!goes_on(depth))
      return;
    const auto* object = schema != nullptr ? schema->if_object() : nullptr;
    if (object == nullptr)
      return found_.push_back(schema);
    if (object->contains("$ref"))
      return add(referred(*object), depth + 1);
    if (object->contains("type") || object->contains("enum")
        || object->contains("const"))
      return found_.push_back(schema);
    for (const auto key : unions)
      if (object->contains(key))
        return add_each(array_at(*object, key), depth);
    // What all hold together is read as the first that says a type.
    if (const auto& all = array_at(*object, "allOf"); !all.empty())
      return add(&all.front(), depth + 1);
    found_.push_back(schema);
  }

  std::vector<node> take() {
    return std::move(found_);
  }

private:
  std::vector<node> found_;
};

/// Walks through references and compositions to all that names members.
class part_finder final : public schema_walk {
public:
  part_finder(const payload& document, bool with_unions)
    : schema_walk{document}, with_unions_{with_unions} {
    // nop
  }

  void add(node schema, std::size_t depth) override {
    const auto* object = schema != nullptr ? schema->if_object() : nullptr;
    if (object == nullptr || !goes_on(depth))
      return;
    found_.push_back(object);
    add(referred(*object), depth + 1);
    add_each(array_at(*object, "allOf"), depth);
    if (with_unions_)
      for (const auto key : unions)
        add_each(array_at(*object, key), depth);
  }

  std::vector<const boost::json::object*> take() {
    return std::move(found_);
  }

private:
  bool with_unions_;
  std::vector<const boost::json::object*> found_;
};

/// Returns the types that a schema names; what it implies if it names none.
std::vector<std::string_view> types_of(const boost::json::object& schema) {
  std::vector<std::string_view> result;
  if (const auto one = text_at(schema, "type"); !one.empty())
    result.push_back(one);
  for (const auto& each : array_at(schema, "type"))
    if (const auto* text = each.if_string())
      result.push_back(view(*text));
  if (result.empty() && schema.contains("properties"))
    result.emplace_back("object");
  if (result.empty() && schema.contains("items"))
    result.emplace_back("array");
  return result;
}

bool is_number_text(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && (is_digit(text.front()) || text.front() == '-')
         && is_digit(text.back());
}

/// Returns whether a number without a fraction is meant: `5`, `5.0` or `5e3`.
bool is_integral(const payload& number, std::string_view text) {
  if (text.find_first_of(".eE") == std::string_view::npos)
    return true;
  const auto value = number.value().to_number<double>();
  return std::isfinite(value) && std::trunc(value) == value;
}

payload read_number(std::string_view text, bool is_integer) {
  if (!is_number_text(text))
    return {};
  auto number = parse_payload(text);
  if (!number || !number.value().is_number()
      || (is_integer && !is_integral(number, text)))
    return {};
  return number;
}

payload read_composed(std::string_view text, boost::json::kind kind) {
  auto read = parse_payload(text);
  return read && read.value().kind() == kind ? read : payload{};
}

/// Reads `text` as a value of this type; absent if it is none.
payload read_as(std::string_view type, std::string_view text) {
  if (type == "number" || type == "integer")
    return read_number(text, type == "integer");
  if (type == "boolean" && (text == "true" || text == "false"))
    return payload{boost::json::value(text == "true")};
  if (type == "null" && text == "null")
    return payload{boost::json::value(nullptr)};
  if (type == "array")
    return read_composed(text, boost::json::kind::array);
  if (type == "object")
    return read_composed(text, boost::json::kind::object);
  if (type == "boolean" || type == "null")
    return {};
  return payload{boost::json::value(text)};
}

/// Returns what `enum` or `const` allow; nothing if neither is there.
std::vector<node> choices_of(const boost::json::object& schema) {
  std::vector<node> result;
  if (const auto* only = schema.if_contains("const"))
    result.push_back(only);
  else
    for (const auto& each : array_at(schema, "enum"))
      result.push_back(&each);
  return result;
}

payload choose(const std::vector<node>& choices, const payload& document,
               std::string_view text) {
  const auto typed = parse_payload(text);
  for (const auto* each : choices) {
    const auto* word = each->if_string();
    if (word != nullptr ? view(*word) == text
                        : typed && typed == document.part(each))
      return document.part(each);
  }
  return {};
}

payload read_by(const boost::json::object& schema, const payload& document,
                std::string_view text) {
  if (const auto choices = choices_of(schema); !choices.empty())
    return choose(choices, document, text);
  const auto types = types_of(schema);
  for (const auto type : types)
    if (auto value = read_as(type, text))
      return value;
  return types.empty() ? payload{boost::json::value(text)} : payload{};
}

std::string type_text_of(std::string_view type) {
  struct description {
    std::string_view type;
    std::string_view text;
  };
  constexpr std::array<description, 7> descriptions{{
    {"string", "a string"},
    {"number", "a number"},
    {"integer", "an integer"},
    {"boolean", "a boolean, true or false"},
    {"null", "null"},
    {"array", "an array, in JSON"},
    {"object", "an object, in JSON"},
  }};
  for (const auto& each : descriptions)
    if (each.type == type)
      return std::string{each.text};
  return std::string{type};
}

/// Returns the words for each thing that a schema allows.
std::vector<std::string> words_of(const boost::json::object& schema) {
  std::vector<std::string> result;
  if (const auto choices = choices_of(schema); !choices.empty()) {
    std::string list;
    for (const auto* each : choices) {
      const auto* word = each->if_string();
      list
        += (list.empty() ? "" : ", ")
           + (word != nullptr ? std::string{view(*word)} : compact_json(*each));
    }
    result.push_back((choices.size() > 1 ? "one of " : "") + list);
    return result;
  }
  for (const auto type : types_of(schema))
    result.push_back(type_text_of(type));
  return result;
}

} // namespace

value_schema::value_schema(payload document) : document_{std::move(document)} {
  if (document_)
    nodes_.push_back(&document_.value());
}

value_schema::value_schema(payload document, std::vector<node> nodes)
  : document_{std::move(document)}, nodes_{std::move(nodes)} {
  // nop
}

std::vector<node> value_schema::alternatives() const {
  alternative_finder finder{document_};
  for (const auto* each : nodes_)
    finder.add(each, 0);
  return finder.take();
}

std::vector<const boost::json::object*>
value_schema::parts(bool with_unions) const {
  part_finder finder{document_, with_unions};
  for (const auto* each : nodes_)
    finder.add(each, 0);
  return finder.take();
}

caf::expected<payload> value_schema::read(std::string_view text) const {
  const auto all = alternatives();
  if (all.empty())
    return payload{boost::json::value(text)};
  for (const auto* each : all) {
    const auto* object = each != nullptr ? each->if_object() : nullptr;
    if (object == nullptr)
      return payload{boost::json::value(text)};
    if (auto value = read_by(*object, document_, text))
      return value;
  }
  return local_error(errc::config_invalid, "must be " + type_text());
}

std::string value_schema::type_text() const {
  std::vector<std::string> words;
  for (const auto* each : alternatives())
    if (each != nullptr)
      for (auto& word : words_of(as_object(*each)))
        if (std::find(words.begin(), words.end(), word) == words.end())
          words.push_back(std::move(word));
  std::string result;
  for (const auto& word : words)
    result += (result.empty() ? "" : " or ") + word;
  return result;
}

bool value_schema::can_be_object() const {
  const auto all = alternatives();
  return std::any_of(all.begin(), all.end(), [](node each) {
    if (each == nullptr || !each->is_object())
      return false;
    const auto types = types_of(each->get_object());
    return std::find(types.begin(), types.end(), "object") != types.end();
  });
}

bool value_schema::has_default() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](node each) {
    return as_object(*each).contains("default");
  });
}

std::string_view value_schema::description() const noexcept {
  for (const auto* each : nodes_)
    if (const auto text = text_at(as_object(*each), "description");
        !text.empty())
      return text;
  return {};
}

value_schema::membership value_schema::find(std::string_view key) const {
  auto names_others = false;
  auto is_forbidden = false;
  auto is_allowed = false;
  for (const auto* part : parts(true)) {
    const auto& named = object_at(*part, "properties");
    if (named.contains(key))
      return membership::known;
    names_others = names_others || !named.empty();
    for (const auto* word : {"additionalProperties", "unevaluatedProperties"})
      if (const auto* more = part->if_contains(word)) {
        const auto is_no = more->is_bool() && !more->get_bool();
        (is_no ? is_forbidden : is_allowed) = true;
      }
    is_allowed = is_allowed || part->contains("patternProperties");
  }
  if (is_allowed || (!names_others && !is_forbidden))
    return membership::allowed;
  return is_forbidden ? membership::forbidden : membership::unnamed;
}

value_schema value_schema::member(std::string_view key) const {
  std::vector<node> named;
  std::vector<node> others;
  for (const auto* part : parts(true)) {
    if (const auto* found = object_at(*part, "properties").if_contains(key))
      named.push_back(found);
    if (const auto* more = part->if_contains("additionalProperties");
        more != nullptr && more->is_object())
      others.push_back(more);
  }
  return {document_, named.empty() ? std::move(others) : std::move(named)};
}

std::vector<std::string_view> value_schema::member_names() const {
  std::vector<std::string_view> result;
  for (const auto* part : parts(true))
    for (const auto& each : object_at(*part, "properties"))
      if (const std::string_view name = each.key();
          std::find(result.begin(), result.end(), name) == result.end())
        result.push_back(name);
  return result;
}

std::vector<std::string_view> value_schema::required() const {
  std::vector<std::string_view> result;
  for (const auto* part : parts(false))
    for (const auto& each : array_at(*part, "required"))
      if (const auto* name = each.if_string();
          name != nullptr
          && std::find(result.begin(), result.end(), view(*name))
               == result.end())
        result.push_back(view(*name));
  return result;
}

} // namespace caf_mcp::tool
