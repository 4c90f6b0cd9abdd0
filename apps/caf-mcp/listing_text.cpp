#include "listing_text.hpp"

#include "json_text.hpp"
#include "printable.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cstddef>

namespace caf_mcp::tool {

namespace {

/// What is longer than this does not fit a table.
constexpr std::size_t cell_bytes_max = 32;

/// Adds `text` if it fits; returns whether it does.
bool add_short(std::string& to, std::string_view text) {
  if (to.size() + text.size() > cell_bytes_max) {
    to += "...";
    return false;
  }
  to += text;
  return true;
}

/// Joins what `render` makes of each item, as in `string|null`.
template <class Render>
std::string join(const boost::json::array& items, Render render) {
  std::string result;
  for (const auto& item : items) {
    if (!result.empty())
      result += '|';
    if (!add_short(result, render(item)))
      break;
  }
  return result;
}

std::string value_text(const boost::json::value& value) {
  return one_line(compact_json(value));
}

std::string word(const boost::json::value& value) {
  const auto* text = value.if_string();
  return text != nullptr ? one_line({text->data(), text->size()})
                         : value_text(value);
}

std::string name_of_type(const boost::json::object& schema) {
  const auto* type = schema.if_contains("type");
  if (type == nullptr)
    return {};
  if (const auto* names = type->if_array())
    return join(*names, word);
  if (schema.contains("items") && word(*type) == "array")
    return type_text(object_at(schema, "items")).append("[]");
  return word(*type);
}

bool is_required(const boost::json::object& schema, std::string_view name) {
  const auto& names = array_at(schema, "required");
  return std::any_of(names.begin(), names.end(), [name](const auto& each) {
    const auto* text = each.if_string();
    return text != nullptr && std::string_view{*text} == name;
  });
}

/// Returns `required`, or the default if there is one.
std::string need_text(const boost::json::object& schema, std::string_view name,
                      const boost::json::object& property) {
  if (is_required(schema, name))
    return "required";
  if (const auto* value = property.if_contains("default")) {
    auto text = std::string{"default "};
    add_short(text, value_text(*value));
    return text;
  }
  return "optional";
}

} // namespace

void print_heading(const boost::json::object& entry, std::string_view name,
                   text_output& out) {
  auto title = text_at(entry, "title");
  if (title.empty()) // MCP, Tools, Tool: where the title stood before
    title = text_at(object_at(entry, "annotations"), "title");
  auto heading = one_line(name);
  if (!title.empty() && title != name)
    heading.append(" - ").append(one_line(title));
  out.line(with_node(std::move(heading), entry));
  out.indented(indent, text_at(entry, "description"));
}

std::string with_node(std::string heading, const boost::json::object& entry) {
  if (const auto node = text_at(entry, "node"); !node.empty())
    heading.append("  @").append(one_line(node));
  return heading;
}

std::vector<std::vector<std::string>>
schema_rows(const boost::json::object& schema) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& member : object_at(schema, "properties")) {
    const auto& property = as_object(member.value());
    rows.push_back({one_line(member.key()), type_text(property),
                    need_text(schema, member.key(), property),
                    one_line(text_at(property, "description"))});
  }
  return rows;
}

std::string type_text(const boost::json::object& schema) {
  if (const auto& values = array_at(schema, "enum"); !values.empty())
    return join(values, word);
  if (const auto* value = schema.if_contains("const"))
    return value_text(*value);
  if (auto name = name_of_type(schema); !name.empty())
    return name;
  for (std::string_view key : {"anyOf", "oneOf"})
    if (const auto& choices = array_at(schema, key); !choices.empty())
      return join(choices, [](const boost::json::value& choice) {
        return type_text(as_object(choice));
      });
  return "any";
}

} // namespace caf_mcp::tool
