#include "caf_mcp/messages/config/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

namespace caf_mcp {

namespace {

constexpr std::size_t cost_of_missing = 1;
constexpr std::size_t cost_of_extra = 2;
constexpr std::size_t cost_of_wrong = 2;

/// Brings `maxMessageBytes`, `max-message-bytes` and `max_message_bytes` to one
/// form.
std::string normalized(std::string_view name) {
  std::string result;
  for (auto c : name) {
    if (c >= 'A' && c <= 'Z')
      result += static_cast<char>(c - 'A' + 'a');
    else if (c != '_' && c != '-' && c != ' ')
      result += c;
  }
  return result;
}

/// Returns the cost of the cheapest edits that turn `from` into `to`.
std::size_t edit_cost(std::string_view from, std::string_view to) {
  std::vector<std::size_t> costs(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j)
    costs[j] = j * cost_of_missing;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    auto diagonal = costs[0];
    costs[0] = i * cost_of_extra;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      auto same = from[i - 1] == to[j - 1];
      auto replace = diagonal + (same ? 0 : cost_of_wrong);
      diagonal = costs[j];
      costs[j] = std::min(
        {replace, diagonal + cost_of_extra, costs[j - 1] + cost_of_missing});
    }
  }
  return costs[to.size()];
}

} // namespace

std::string_view nearest_name(std::string_view name,
                              const std::vector<std::string_view>& known) {
  auto wanted = normalized(name);
  auto best = std::string_view{};
  auto best_cost = std::numeric_limits<std::size_t>::max();
  for (auto candidate : known) {
    auto cost = edit_cost(wanted, normalized(candidate));
    if (cost < best_cost) {
      best = candidate;
      best_cost = cost;
    }
  }
  return best;
}

} // namespace caf_mcp
