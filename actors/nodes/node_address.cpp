#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <charconv>
#include <system_error>

namespace caf_mcp {

namespace {

/// 127.0.0.0/8 (RFC 1122, 3.2.1.3), all four numbers of it.
bool is_loopback_v4(std::string_view host) noexcept {
  if (!host.starts_with("127."))
    return false;
  auto dots = 0;
  for (auto c : host) {
    if (c == '.')
      ++dots;
    else if (c < '0' || c > '9')
      return false; // a name, such as 127.example.org
  }
  return dots == 3;
}

} // namespace

std::string to_string(const node_address& address) {
  auto is_v6 = address.host.find(':') != std::string::npos;
  return (is_v6 ? '[' + address.host + ']' : address.host) + ':'
         + std::to_string(address.port);
}

caf::expected<node_address> parse_node_address(std::string_view key,
                                               std::string_view text) {
  auto wrong = [&] {
    return config_error(key, "is \"" + std::string{text}
                               + "\"; must be HOST:PORT, with a port from 0 "
                                 "to 65535 and an IPv6 address in brackets");
  };
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return wrong();
  auto host = text.substr(0, colon);
  const auto port = text.substr(colon + 1);
  const auto has_brackets = host.starts_with('[') && host.ends_with(']');
  if (has_brackets)
    host = host.substr(1, host.size() - 2);
  if (host.empty()
      || (!has_brackets && host.find(':') != std::string_view::npos))
    return wrong();
  node_address result;
  result.host = host;
  const auto* end = port.data() + port.size();
  auto [rest, error] = std::from_chars(port.data(), end, result.port);
  if (error != std::errc{} || rest != end)
    return wrong();
  return result;
}

bool is_loopback(const node_address& address) noexcept {
  return address.host == "localhost" || address.host == "::1"
         || is_loopback_v4(address.host);
}

} // namespace caf_mcp
