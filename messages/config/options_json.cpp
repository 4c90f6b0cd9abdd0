#include "caf_mcp/messages/config/options_json.hpp"

#include "caf_mcp/messages/config/nearest_name.hpp"
#include "caf_mcp/messages/config/option_readers.hpp"
#include "caf_mcp/messages/config/supervision_json.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace caf_mcp {

namespace {

/// What editors and desktop clients note beside the options, for themselves.
constexpr std::array<std::string_view, 11> foreign_keys{
  "alwaysAllow", "autoApprove",   "description", "dev",
  "disabled",    "disabledTools", "enabled",     "gallery",
  "icon",        "name",          "type",
};

bool is_foreign(std::string_view key) {
  return std::find(foreign_keys.begin(), foreign_keys.end(), key)
         != foreign_keys.end();
}

std::string nearest_key_hint(std::string_view key) {
  auto result = std::string{"the nearest known key is \""};
  result += nearest_key(key);
  result += '"';
  return result;
}

/// Returns the error for a value that was refused, told by what stands in its
/// place in the file.
caf::error refuse_as_written(std::string_view key,
                             const boost::json::value& written) {
  const auto& option = *find_option(key);
  server_options scratch;
  if (auto error = option.read(scratch, option, written))
    return error;
  return wrong_value(option, written);
}

} // namespace

caf::error set_option(server_options& to, std::string_view key,
                      const boost::json::value& value) {
  const auto* option = find_option(key);
  if (option == nullptr)
    return config_error(key, "is unknown; " + nearest_key_hint(key));
  return option->read(to, *option, value);
}

caf::expected<server_options>
options_from_json(const boost::json::object& object,
                  std::vector<std::string>& warnings, server_options defaults,
                  const boost::json::object* written) {
  auto result = std::move(defaults);
  for (const auto& member : object) {
    auto key = std::string_view{member.key()};
    if (find_option(key) != nullptr) {
      if (auto error = set_option(result, key, member.value()))
        return written != nullptr ? refuse_as_written(key, written->at(key))
                                  : error;
    } else if (!is_foreign(key)) {
      warnings.push_back("unknown key \"" + std::string{key} + "\" is ignored; "
                         + nearest_key_hint(key));
    }
  }
  return result;
}

std::string_view nearest_key(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const auto& option : option_descriptors())
    keys.push_back(option.key);
  keys.push_back("cwd");
  keys.insert(keys.end(), supervision_keys.begin(), supervision_keys.end());
  return nearest_name(key, keys);
}

} // namespace caf_mcp
