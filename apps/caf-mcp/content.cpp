#include "content.hpp"

#include "json_text.hpp"
#include "printable.hpp"

#include <initializer_list>
#include <string>

namespace caf_mcp::tool {

namespace {

/// Prints a line such as `[image: image/png, 68 bytes]`.
void print_description(std::string_view type,
                       std::initializer_list<std::string_view> facts,
                       text_output& out) {
  auto text = '[' + one_line(type);
  auto is_first = true;
  for (auto fact : facts) {
    if (fact.empty())
      continue;
    text += is_first ? ": " : ", ";
    text += one_line(fact);
    is_first = false;
  }
  out.line(text + ']');
}

std::string bytes_text(std::string_view base64) {
  return std::to_string(base64_bytes(base64)) + " bytes";
}

} // namespace

void print_block(const boost::json::object& block, text_output& out) {
  auto type = text_at(block, "type");
  if (type == "text") {
    out.foreign(text_at(block, "text"));
  } else if (type == "image" || type == "audio") {
    print_description(
      type, {text_at(block, "mimeType"), bytes_text(text_at(block, "data"))},
      out);
  } else if (type == "resource_link") {
    print_description("resource link",
                      {text_at(block, "uri"), text_at(block, "name"),
                       text_at(block, "mimeType")},
                      out);
  } else if (type == "resource") {
    print_resource(object_at(block, "resource"), out);
  } else {
    print_description(type.empty() ? "content without a type" : type, {}, out);
    out.foreign(pretty_json(block));
  }
}

void print_resource(const boost::json::object& contents, text_output& out) {
  if (contents.contains("text")) {
    out.foreign(text_at(contents, "text"));
    return;
  }
  print_description("blob",
                    {text_at(contents, "uri"), text_at(contents, "mimeType"),
                     bytes_text(text_at(contents, "blob"))},
                    out);
}

std::size_t base64_bytes(std::string_view text) noexcept {
  while (text.ends_with('='))
    text.remove_suffix(1);
  return text.size() / 4 * 3 + text.size() % 4 * 3 / 4;
}

} // namespace caf_mcp::tool
