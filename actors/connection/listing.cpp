#include "caf_mcp/actors/connection/listing.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <utility>

namespace caf_mcp {

namespace {

caf::error invalid(list_kind kind, std::string_view what) {
  return local_error(errc::invalid_response,
                     std::string{list_method(kind)} + ": " + std::string{what});
}

} // namespace

std::string_view list_method(list_kind kind) noexcept {
  switch (kind) {
    case list_kind::tools:
      return "tools/list";
    case list_kind::resources:
      return "resources/list";
    case list_kind::resource_templates:
      return "resources/templates/list";
    case list_kind::prompts:
      return "prompts/list";
  }
  return {};
}

std::string_view list_capability(list_kind kind) noexcept {
  switch (kind) {
    case list_kind::tools:
      return "tools";
    case list_kind::resources:
    case list_kind::resource_templates:
      return "resources";
    case list_kind::prompts:
      return "prompts";
  }
  return {};
}

listing::outcome listing::add_page(const payload& result) {
  auto page = result.member(to_string(kind_));
  const auto* items = page.value().if_array();
  if (items == nullptr)
    return invalid(kind_, "the result has no array \""
                            + std::string{to_string(kind_)} + '"');
  for (const auto& item : *items)
    items_.push_back(page.part(&item));
  ++pages_;
  auto next = result.member("nextCursor");
  if (!next || next.value().is_null())
    return complete{compose_array(items_)};
  const auto* cursor = next.value().if_string();
  if (cursor == nullptr)
    return invalid(kind_, "nextCursor is not a string");
  std::string name{cursor->data(), cursor->size()};
  if (!cursors_.insert(name).second)
    return local_error(errc::repeated_cursor,
                       std::string{list_method(kind_)}
                         + ": the server repeats the cursor \"" + excerpt(name)
                         + "\" after " + std::to_string(pages_) + " pages");
  if (pages_ >= pages_max_)
    return local_error(errc::too_many_pages,
                       std::string{list_method(kind_)} + ": more than "
                         + std::to_string(pages_max_) + " pages");
  return next_page{std::move(name)};
}

payload page_params(const std::string& cursor) {
  return payload{boost::json::value{{"cursor", cursor}}};
}

} // namespace caf_mcp
