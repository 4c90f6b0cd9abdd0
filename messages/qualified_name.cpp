#include "caf_mcp/messages/qualified_name.hpp"

namespace caf_mcp {

namespace {

constexpr std::string_view slash = "%2F";
constexpr std::string_view percent = "%25";

std::optional<std::string> decode(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    auto length = std::size_t{1};
    if (text.front() != '%') {
      result += text.front();
    } else if (text.starts_with(slash) || text.starts_with(percent)) {
      result += text.starts_with(slash) ? '/' : '%';
      length = slash.size();
    } else {
      return std::nullopt;
    }
    text.remove_prefix(length);
  }
  return result;
}

} // namespace

std::string qualified_name(std::string_view server, std::string_view item) {
  std::string result;
  for (auto c : server) {
    if (c == '/')
      result += slash;
    else if (c == '%')
      result += percent;
    else
      result += c;
  }
  result += '/';
  result += item;
  return result;
}

std::optional<name_parts> split_qualified_name(std::string_view name) {
  const auto end = name.find('/');
  if (end == std::string_view::npos)
    return std::nullopt;
  auto server = decode(name.substr(0, end));
  if (!server)
    return std::nullopt;
  return name_parts{std::move(*server), std::string{name.substr(end + 1)}};
}

} // namespace caf_mcp
