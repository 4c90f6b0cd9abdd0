#include "arguments.hpp"

#include "caf_mcp/messages/config/nearest_name.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/messages/json/utf8.hpp"
#include "caf_mcp/messages/json/white_space.hpp"
#include "caf_mcp/messages/qualified_name.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// Schemas may nest for ever by references to themselves.
constexpr std::size_t required_depth_max = 8;

using path = std::vector<std::string_view>;

caf::error refuse(std::string_view word, std::string_view why) {
  auto message = '"' + to_valid_utf8(std::string{word}) + "\" ";
  message += why;
  return config_error("arguments", message);
}

struct file_closer {
  void operator()(std::FILE* file) const noexcept {
    std::fclose(file);
  }
};

/// Reads all of a file; of stdin if it has no name.
caf::expected<std::string> read_file(std::string_view word,
                                     const std::string& name) {
  const auto* path = name.empty() ? "/dev/stdin" : name.c_str();
  const auto fail = [&] {
    return refuse(word,
                  "cannot be read: " + std::generic_category().message(errno)
                    + "; a text that begins with @ is KEY:=\"@...\"");
  };
  const std::unique_ptr<std::FILE, file_closer> file{std::fopen(path, "rb")};
  if (!file)
    return fail();
  std::string result;
  char chunk[65536];
  while (const auto count = std::fread(chunk, 1, sizeof chunk, file.get()))
    result.append(chunk, count);
  if (std::ferror(file.get()) != 0)
    return fail();
  if (!is_valid_utf8(result))
    return refuse(word, "holds what is not valid UTF-8");
  return result;
}

/// Returns what was typed, or what is in the file that it names.
caf::expected<std::string> text_of(std::string_view word,
                                   std::string_view typed) {
  if (typed.size() > 1 && typed.front() == '@')
    return read_file(word, std::string{typed.substr(1)});
  return std::string{typed};
}

caf::expected<typed_argument> split_object(std::string_view word,
                                           std::string_view text) {
  json_reader reader;
  auto document = reader.read(text);
  if (!document)
    return refuse(word, "is not JSON: " + reader.error().message());
  if (document.if_object() == nullptr)
    return refuse(word, "is not a JSON object");
  typed_argument result;
  result.how = typed_argument::form::object;
  result.value = std::move(document);
  return result;
}

caf::expected<typed_argument> split_json(std::string_view word,
                                         typed_argument result) {
  json_reader reader;
  result.how = typed_argument::form::json;
  result.value = reader.read(result.text);
  if (!result.value)
    return refuse(word, "must have JSON after \":=\"; "
                          + reader.error().message()
                          + " (a string needs no \":\": KEY=TEXT)");
  return result;
}

caf::expected<typed_argument> split(std::string_view word) {
  if (!is_valid_utf8(word))
    return refuse(word, "is not valid UTF-8");
  if (word == "-" || (word.starts_with('@') && word.size() > 1)) {
    auto text = read_file(word, std::string{word.substr(1)});
    if (!text)
      return std::move(text.error());
    return split_object(word, *text);
  }
  if (word.starts_with('{'))
    return split_object(word, word);
  const auto sign = word.find('=');
  if (sign == std::string_view::npos || sign == 0 || word.starts_with(":="))
    return refuse(word, "is neither a JSON object nor KEY=VALUE nor KEY:=JSON");
  typed_argument result;
  result.key = word.substr(0, sign);
  result.shown = word.substr(sign + 1);
  auto text = text_of(word, result.shown);
  if (!text)
    return std::move(text.error());
  result.text = std::move(*text);
  if (!result.key.ends_with(':'))
    return result;
  result.key.pop_back();
  return split_json(word, std::move(result));
}

path split_at_dots(std::string_view key) {
  path result;
  for (auto dot = key.find('.'); dot != std::string_view::npos;
       dot = key.find('.')) {
    result.push_back(key.substr(0, dot));
    key.remove_prefix(dot + 1);
  }
  result.push_back(key);
  return result;
}

/// Returns the members that a key such as `a.b` leads through: as far as the
/// schema has objects with members, else the whole key.
path path_of(const value_schema& schema, std::string_view key) {
  if (schema.find(key) == value_schema::membership::known)
    return {key};
  for (auto dot = key.find('.'); dot != std::string_view::npos;
       dot = key.find('.', dot + 1)) {
    const auto first = key.substr(0, dot);
    if (schema.find(first) != value_schema::membership::known
        || dot + 1 == key.size())
      continue;
    const auto inner = schema.member(first);
    if (!inner.can_be_object())
      continue;
    const auto rest = key.substr(dot + 1);
    auto result = inner.member_names().empty() ? split_at_dots(rest)
                                               : path_of(inner, rest);
    result.insert(result.begin(), first);
    return result;
  }
  return {key};
}

/// Returns the schema of the object that holds the last member of a path.
value_schema holder_of(value_schema schema,
                       std::span<const std::string_view> at) {
  for (const auto name : at.first(at.size() - 1))
    schema = schema.member(name);
  return schema;
}

payload put(const payload& object, std::span<const std::string_view> at,
            payload value) {
  if (at.size() > 1)
    value = put(object.member(at.front()), at.subspan(1), std::move(value));
  return with_member(object.if_object() != nullptr ? object : payload{},
                     at.front(), std::move(value));
}

caf::error check_key(const typed_argument& argument, const value_schema& holder,
                     std::string_view name) {
  using enum value_schema::membership;
  const auto found = holder.find(name);
  const auto is_typed = argument.how == typed_argument::form::text;
  if (found == known || found == allowed || (found == unnamed && !is_typed))
    return {};
  const auto nearest = nearest_name(name, holder.member_names());
  auto what = "is \"" + argument.shown + "\", but the schema has no such key";
  if (!nearest.empty())
    what += "; the nearest is " + std::string{nearest};
  if (found == unnamed)
    what += "; KEY:=JSON is sent in any case";
  return config_error(argument.key, what);
}

caf::expected<payload> value_of(const typed_argument& argument,
                                const value_schema& schema) {
  if (argument.how == typed_argument::form::json)
    return argument.value;
  auto value = schema.read(argument.text);
  if (!value && argument.text != argument.shown) // from a file
    value = schema.read(trimmed(argument.text));
  if (!value)
    return config_error(argument.key, "is \"" + argument.shown + "\"; "
                                        + describe(value.error()).message);
  return value;
}

void add_missing(std::vector<std::string>& to, const std::string& prefix,
                 const payload& object, const value_schema& schema,
                 std::size_t depth) {
  if (depth > required_depth_max)
    return;
  for (const auto name : schema.required())
    if (!object.member(name) && !schema.member(name).has_default())
      to.push_back(prefix + std::string{name});
  for (const auto& each : members_of(object))
    if (each.value.if_object() != nullptr)
      add_missing(to, prefix + each.key + '.', each.value,
                  schema.member(each.key), depth + 1);
}

} // namespace

caf::expected<std::vector<typed_argument>>
split_arguments(const std::vector<std::string>& words) {
  std::vector<typed_argument> result;
  for (const auto& word : words) {
    auto argument = split(word);
    if (!argument)
      return std::move(argument.error());
    result.push_back(std::move(*argument));
  }
  return result;
}

caf::error add_argument(payload& object, const typed_argument& argument,
                        const value_schema& schema) {
  if (argument.how == typed_argument::form::object) {
    auto members = members_of(object);
    for (auto& each : members_of(argument.value))
      members.push_back(std::move(each));
    object = compose_object(members);
    return {};
  }
  const auto at = path_of(schema, argument.key);
  const auto holder = holder_of(schema, at);
  if (auto error = check_key(argument, holder, at.back()))
    return error;
  auto value = value_of(argument, holder.member(at.back()));
  if (!value)
    return std::move(value.error());
  object = put(object, at, std::move(*value));
  return {};
}

caf::expected<payload>
compose_arguments(const std::vector<typed_argument>& arguments,
                  const value_schema& schema) {
  payload result{boost::json::value(boost::json::object_kind)};
  for (const auto& each : arguments)
    if (auto error = add_argument(result, each, schema))
      return error;
  return result;
}

std::vector<std::string> missing_keys(const payload& object,
                                      const value_schema& schema) {
  std::vector<std::string> result;
  add_missing(result, {}, object, schema, 0);
  return result;
}

value_schema schema_of_key(const value_schema& schema, std::string_view key) {
  const auto at = path_of(schema, key);
  return holder_of(schema, at).member(at.back());
}

caf::expected<payload> read_arguments(const std::vector<std::string>& words) {
  auto arguments = split_arguments(words);
  if (!arguments)
    return std::move(arguments.error());
  return compose_arguments(*arguments);
}

caf::expected<payload>
read_text_arguments(const std::vector<std::string>& words) {
  auto read = read_arguments(words);
  if (!read)
    return read;
  auto members = members_of(*read);
  for (auto& each : members)
    if (!each.value.value().is_string())
      each.value = to_payload(each.value.to_json());
  return compose_object(members);
}

std::optional<std::string> take_server_name(std::string& name) {
  auto parts = split_qualified_name(name);
  if (!parts)
    return std::nullopt;
  name = std::move(parts->item);
  return std::move(parts->server);
}

} // namespace caf_mcp::tool
