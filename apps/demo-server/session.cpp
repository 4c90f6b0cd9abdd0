#include "session.hpp"

#include <algorithm>
#include <array>

namespace demo {

namespace {

constexpr std::array<std::string_view, 8> level_names
  = {"debug", "info",     "notice", "warning",
     "error", "critical", "alert",  "emergency"};

} // namespace

std::optional<log_level> read_level(std::string_view name) {
  const auto found = std::find(level_names.begin(), level_names.end(), name);
  if (found == level_names.end())
    return std::nullopt;
  return static_cast<log_level>(found - level_names.begin());
}

} // namespace demo
