#include "caf_mcp/messages/env_value.hpp"

namespace caf_mcp {

std::string_view to_string(env_kind kind) noexcept {
  switch (kind) {
    case env_kind::text:
      return "text";
    case env_kind::secret:
      return "secret";
    case env_kind::unset:
      return "unset";
  }
  return {};
}

std::string_view env_value::visible_text() const noexcept {
  const auto* text = std::get_if<std::string>(&content_);
  return text != nullptr ? std::string_view{*text} : std::string_view{};
}

const std::string* env_value::reveal() const noexcept {
  if (const auto* hidden = std::get_if<secret>(&content_))
    return &hidden->reveal();
  return std::get_if<std::string>(&content_);
}

} // namespace caf_mcp
