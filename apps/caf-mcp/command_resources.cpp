#include "json_text.hpp"
#include "list_command.hpp"
#include "listing_text.hpp"
#include "printable.hpp"

#include <utility>

namespace caf_mcp::tool {

namespace {

/// Returns what an entry says about the bytes, e.g. `image/png, 68 bytes`.
std::string format_text(const boost::json::object& entry) {
  auto result = one_line(text_at(entry, "mimeType"));
  if (const auto* size = entry.if_contains("size");
      size != nullptr && size->is_number()) {
    result += result.empty() ? "" : ", ";
    result += compact_json(*size) + " bytes";
  }
  return result;
}

/// Lists resources or their templates, which differ in one member.
class resources_command final : public list_command {
public:
  resources_command(list_kind kind, std::string_view uri_key)
    : list_command{kind}, uri_key_{uri_key} {
    // nop
  }

protected:
  void print_item(const boost::json::object& entry,
                  text_output& out) const override {
    auto name = one_line(text_at(entry, "title"));
    if (name.empty())
      name = one_line(text_at(entry, "name"));
    auto heading = one_line(text_at(entry, uri_key_));
    if (!name.empty())
      heading += " - " + name;
    out.line(with_node(std::move(heading), entry));
    out.indented(indent, text_at(entry, "description"));
    if (auto format = format_text(entry); !format.empty())
      out.indented(indent, format);
  }

private:
  std::string_view uri_key_;
};

} // namespace

std::unique_ptr<command> make_resources() {
  return std::make_unique<resources_command>(list_kind::resources, "uri");
}

std::unique_ptr<command> make_templates() {
  return std::make_unique<resources_command>(list_kind::resource_templates,
                                             "uriTemplate");
}

} // namespace caf_mcp::tool
