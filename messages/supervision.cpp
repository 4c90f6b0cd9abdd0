#include "caf_mcp/messages/supervision.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/option_readers.hpp"

#include <limits>
#include <optional>
#include <string>

namespace caf_mcp {

namespace {

/// As for the times of `server_options`: a week.
constexpr std::int64_t period_ms_max = std::int64_t{7} * 24 * 60 * 60 * 1000;

constexpr std::int64_t restarts_max = 1'000'000;

/// Takes the member `key` out of `entry`.
std::optional<boost::json::value> take(boost::json::object& entry,
                                       std::string_view key) {
  auto* found = entry.find(key);
  if (found == entry.end())
    return std::nullopt;
  auto result = std::move(found->value());
  entry.erase(found);
  return result;
}

template <class Enum>
caf::error take_word(Enum& to, boost::json::object& entry,
                     std::string_view key) {
  auto value = take(entry, key);
  if (!value)
    return {};
  auto word = enum_from_name<Enum>(as_text(*value));
  if (!word)
    return config_error(key, "is " + shown(*value) + "; must be "
                               + names_in_quotes<Enum>());
  to = *word;
  return {};
}

caf::error take_integer(std::int64_t& to, boost::json::object& entry,
                        std::string_view key, std::int64_t min,
                        std::int64_t max, std::string_view unit = {}) {
  auto value = take(entry, key);
  if (!value)
    return {};
  const auto* number = value->if_int64();
  if (number == nullptr || *number < min || *number > max)
    return config_error(key, "is " + shown(*value)
                               + "; must be an integer from "
                               + std::to_string(min) + " to "
                               + std::to_string(max) + std::string{unit});
  to = *number;
  return {};
}

} // namespace

std::string_view to_string(restart_policy policy) noexcept {
  switch (policy) {
    case restart_policy::permanent:
      return "permanent";
    case restart_policy::transient:
      return "transient";
    case restart_policy::temporary:
      return "temporary";
  }
  return {};
}

std::string_view to_string(start_policy policy) noexcept {
  switch (policy) {
    case start_policy::eager:
      return "eager";
    case start_policy::lazy:
      return "lazy";
  }
  return {};
}

caf::error take_supervision(supervision& to, boost::json::object& entry) {
  std::int64_t restarts = to.max_restarts;
  std::int64_t period_ms = to.restart_period.count();
  if (auto error = take_word(to.restart, entry, "restart"))
    return error;
  if (auto error
      = take_integer(restarts, entry, "max_restarts", 0, restarts_max))
    return error;
  if (auto error = take_integer(period_ms, entry, "restart_period", 1,
                                period_ms_max, ", in milliseconds"))
    return error;
  to.max_restarts = static_cast<std::uint32_t>(restarts);
  to.restart_period = std::chrono::milliseconds{period_ms};
  return take_word(to.start, entry, "start");
}

} // namespace caf_mcp
