#include "caf_mcp/messages/config/option_readers.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/protocol_version.hpp"

#include <boost/json/serialize.hpp>

#include <cstddef>
#include <optional>

namespace caf_mcp {

namespace {

constexpr std::size_t shown_bytes_max = 60;

std::string_view view(const boost::json::string& text) noexcept {
  return {text.data(), text.size()};
}

/// Returns the text of `{"secret": TEXT}`, or nullptr.
const boost::json::string* secret_text(const boost::json::value& value) {
  const auto* object = value.if_object();
  if (object == nullptr || object->size() != 1)
    return nullptr;
  const auto* text = object->if_contains("secret");
  return text != nullptr ? text->if_string() : nullptr;
}

std::optional<env_value> to_env_value(const boost::json::value& value) {
  if (value.is_null())
    return unset_variable{};
  if (const auto* text = value.if_string())
    return std::string{view(*text)};
  if (const auto* text = secret_text(value))
    return secret{std::string{view(*text)}};
  return std::nullopt;
}

/// Returns the value with "***" in place of what is meant to be a secret,
/// wherever it stands: also where no secret is allowed.
boost::json::value without_secrets(boost::json::value value) {
  if (auto* items = value.if_array())
    for (auto& item : *items)
      item = without_secrets(std::move(item));
  if (auto* members = value.if_object())
    for (auto& member : *members)
      member.value() = member.key() == "secret"
                         ? boost::json::value("***")
                         : without_secrets(std::move(member.value()));
  return value;
}

} // namespace

std::string in_quotes(std::string_view text) {
  auto result = std::string{'"'};
  result += text;
  result += '"';
  return result;
}

std::string shown(const boost::json::value& value) {
  auto result = boost::json::serialize(without_secrets(value));
  if (result.size() <= shown_bytes_max)
    return result;
  // A cut must not fall into a character of several bytes.
  auto end = shown_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(result[end]) & 0xC0) == 0x80)
    --end;
  result.resize(end);
  return result + "...";
}

caf::error wrong_value(const option_descriptor& option,
                       const boost::json::value& value) {
  return config_error(option.key,
                      "is " + shown(value) + "; must be " + option.allowed);
}

caf::error read_integer(std::int64_t& to, const option_descriptor& option,
                        const boost::json::value& value) {
  const auto* number = value.if_int64();
  if (number == nullptr || *number < option.number_min
      || *number > option.number_max)
    return wrong_value(option, value);
  to = *number;
  return {};
}

std::string_view as_text(const boost::json::value& value) noexcept {
  const auto* text = value.if_string();
  return text != nullptr ? view(*text) : std::string_view{};
}

caf::error read_texts(std::vector<std::string>& to,
                      const option_descriptor& option,
                      const boost::json::value& value) {
  const auto* items = value.if_array();
  if (items == nullptr)
    return wrong_value(option, value);
  std::vector<std::string> result;
  for (const auto& item : *items) {
    if (!item.is_string())
      return config_error(option.key, "[" + std::to_string(result.size())
                                        + "] is " + shown(item)
                                        + "; must be a string");
    result.emplace_back(as_text(item));
  }
  to = std::move(result);
  return {};
}

caf::error read_cd(server_options& to, const option_descriptor& option,
                   const boost::json::value& value) {
  if (value.is_null())
    to.cd.reset();
  else if (value.is_string())
    to.cd = as_text(value);
  else
    return wrong_value(option, value);
  return {};
}

caf::error read_protocol_version(server_options& to,
                                 const option_descriptor& option,
                                 const boost::json::value& value) {
  auto version = as_text(value);
  if (value.is_null() || version == "latest")
    to.protocol_version.clear();
  else if (is_known(version))
    to.protocol_version = version;
  else
    return wrong_value(option, value);
  return {};
}

std::string versions_in_quotes() {
  std::string result;
  for (const auto& revision : known_revisions)
    result += in_quotes(revision.version) + ", ";
  return result + "\"latest\" or null";
}

caf::error read_env(server_options& to, const option_descriptor& option,
                    const boost::json::value& value) {
  const auto* variables = value.if_object();
  if (variables == nullptr)
    return config_error(option.key, "must be " + option.allowed);
  std::map<std::string, env_value> result;
  for (const auto& variable : *variables) {
    auto name = std::string{std::string_view{variable.key()}};
    auto content = to_env_value(variable.value());
    if (!content)
      return config_error(option.key,
                          in_quotes(name)
                            + " must be a string, {\"secret\": \"...\"} or "
                              "null, which unsets the variable");
    result.insert_or_assign(std::move(name), std::move(*content));
  }
  to.env = std::move(result);
  return {};
}

caf::error read_inherit_env(server_options& to, const option_descriptor& option,
                            const boost::json::value& value) {
  inherited_variables result;
  if (value.is_array()) {
    if (auto error = read_texts(result.extra_names, option, value))
      return error;
  } else {
    auto policy = enum_from_name<inherit_policy>(as_text(value));
    if (!policy)
      return wrong_value(option, value);
    result.policy = *policy;
  }
  to.inherit_env = std::move(result);
  return {};
}

caf::error read_stderr(server_options& to, const option_descriptor& option,
                       const boost::json::value& value) {
  stderr_target result;
  if (const auto* object = value.if_object()) {
    const auto* file = object->if_contains("file");
    if (file == nullptr || !file->is_string() || object->size() != 1)
      return wrong_value(option, value);
    result = {stderr_kind::file, std::string{as_text(*file)}};
  } else {
    auto kind = enum_from_name<stderr_kind>(as_text(value));
    if (!kind || *kind == stderr_kind::file)
      return wrong_value(option, value);
    result.kind = *kind;
  }
  to.stderr_to = std::move(result);
  return {};
}

caf::error read_client_info(server_options& to, const option_descriptor& option,
                            const boost::json::value& value) {
  const auto* object = value.if_object();
  if (object == nullptr)
    return wrong_value(option, value);
  implementation result;
  boost::json::object more;
  for (const auto& member : *object) {
    if (member.key() == "name")
      result.name = as_text(member.value());
    else if (member.key() == "version")
      result.version = as_text(member.value());
    else
      more.insert(member);
  }
  if (result.name.empty() || result.version.empty())
    return wrong_value(option, value);
  if (!more.empty())
    result.more = payload{std::move(more)};
  to.client_info = std::move(result);
  return {};
}

std::string default_client_info() {
  auto info = this_library();
  return boost::json::serialize(
    boost::json::object{{"name", info.name}, {"version", info.version}});
}

} // namespace caf_mcp
