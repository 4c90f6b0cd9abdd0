#include "caf_mcp/messages/config/supervision_json.hpp"

#include "caf_mcp/messages/config/option_readers.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

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

/// No server is known to have a tool with such a character in its name, of
/// which MCP wants letters, digits and `_-.` (2025-11-25, Tools, Tool Names).
bool is_whole_name(std::string_view text) {
  return !text.empty() && text.find_first_of("*?") == std::string_view::npos;
}

/// Reads names of what is called `noun`.
caf::error read_names(std::vector<std::string>& to, std::string_view key,
                      const boost::json::value& value,
                      const std::string& noun = "tool") {
  const auto* items = value.if_array();
  if (items == nullptr)
    return config_error(key, "is " + shown(value)
                               + "; must be an array of names of " + noun
                               + "s");
  for (const auto& item : *items) {
    if (!item.is_string())
      return config_error(key, "[" + std::to_string(to.size()) + "] is "
                                 + shown(item)
                                 + "; must be a string, the name of a " + noun);
    if (!is_whole_name(as_text(item)))
      return config_error(key, "[" + std::to_string(to.size()) + "] is "
                                 + shown(item)
                                 + "; must be the whole name of a " + noun
                                 + ", for patterns are not known");
    to.emplace_back(as_text(item));
  }
  return {};
}

caf::error read_tools(server_offer& to, const boost::json::value& value) {
  const auto* object = value.if_object();
  if (object == nullptr)
    return config_error("tools", "is " + shown(value)
                                   + "; must be an object with \"allow\", "
                                     "\"deny\" or both, each an array of "
                                     "names of tools");
  for (const auto& member : *object) {
    auto error = caf::error{};
    if (member.key() == "allow")
      error = read_names(to.allow.emplace(), "tools.allow", member.value());
    else if (member.key() == "deny")
      error = read_names(to.deny, "tools.deny", member.value());
    else
      error = config_error("tools", "has the member " + in_quotes(member.key())
                                      + "; must be \"allow\" or \"deny\"");
    if (error)
      return error;
  }
  return {};
}

caf::error read_offer(server_offer& to, boost::json::object& entry) {
  if (auto value = take(entry, "remote")) {
    const auto* flag = value->if_bool();
    if (flag == nullptr)
      return config_error("remote",
                          "is " + shown(*value) + "; must be true or false");
    to.remote = *flag;
  }
  if (auto value = take(entry, "tools"))
    return read_tools(to, *value);
  return {};
}

} // namespace

caf::error take_offer(server_offer& to, boost::json::object& entry) {
  to = {};
  auto error = read_offer(to, entry);
  if (error)
    to.remote = false; // who has meant to hide something hides it
  return error;
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
  if (auto value = take(entry, "depends_on"))
    if (auto error = read_names(to.depends_on, "depends_on", *value, "server"))
      return error;
  return take_word(to.start, entry, "start");
}

} // namespace caf_mcp
