#pragma once

#include "caf_mcp/messages/config/option_descriptor.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// @file
/// From a JSON value to one member of `server_options`: what the table behind
/// `option_descriptors` is filled with.

namespace caf_mcp {

/// Returns `text` in quotes.
std::string in_quotes(std::string_view text);

/// Returns what a user needs to recognise `value`: its JSON text, cut, without
/// secrets.
std::string shown(const boost::json::value& value);

/// Makes the error "KEY: is VALUE; must be ALLOWED".
caf::error wrong_value(const option_descriptor& option,
                       const boost::json::value& value);

// -- integers -----------------------------------------------------------------

/// Reads an integer within the bounds of `option`.
caf::error read_integer(std::int64_t& to, const option_descriptor& option,
                        const boost::json::value& value);

template <class T>
constexpr std::int64_t as_integer(const T& x) {
  if constexpr (std::is_integral_v<T>)
    return std::in_range<std::int64_t>(x)
             ? static_cast<std::int64_t>(x)
             : std::numeric_limits<std::int64_t>::max();
  else
    return std::chrono::milliseconds{x}.count();
}

template <auto Member>
std::int64_t number_of(const server_options& options) {
  return as_integer(options.*Member);
}

template <auto Member>
caf::error read_number(server_options& to, const option_descriptor& option,
                       const boost::json::value& value) {
  auto number = std::int64_t{0};
  if (auto error = read_integer(number, option, value))
    return error;
  using type = std::remove_reference_t<decltype(to.*Member)>;
  to.*Member = static_cast<type>(number);
  return {};
}

// -- words --------------------------------------------------------------------

/// Returns the names of an enumeration, e.g. `"close" or "discard"`.
template <class Enum>
std::string names_in_quotes() {
  std::string result;
  for (auto value = 0; value < 256; ++value) {
    auto name = to_string(static_cast<Enum>(value));
    if (name.empty())
      continue;
    if (!result.empty())
      result += to_string(static_cast<Enum>(value + 1)).empty() ? " or " : ", ";
    result += in_quotes(name);
  }
  return result;
}

/// Returns the string that `value` holds, else an empty view.
std::string_view as_text(const boost::json::value& value) noexcept;

template <auto Member>
caf::error read_choice(server_options& to, const option_descriptor& option,
                       const boost::json::value& value) {
  using type = std::remove_reference_t<decltype(to.*Member)>;
  auto choice = enum_from_name<type>(as_text(value));
  if (!choice)
    return wrong_value(option, value);
  to.*Member = *choice;
  return {};
}

template <auto Member>
caf::error read_flag(server_options& to, const option_descriptor& option,
                     const boost::json::value& value) {
  const auto* flag = value.if_bool();
  if (flag == nullptr)
    return wrong_value(option, value);
  to.*Member = *flag;
  return {};
}

// -- texts --------------------------------------------------------------------

template <auto Member>
caf::error read_text(server_options& to, const option_descriptor& option,
                     const boost::json::value& value) {
  if (!value.is_string())
    return wrong_value(option, value);
  to.*Member = as_text(value);
  return {};
}

/// Reads a list of strings; the error names the first item that is none.
caf::error read_texts(std::vector<std::string>& to,
                      const option_descriptor& option,
                      const boost::json::value& value);

template <auto Member>
caf::error read_text_list(server_options& to, const option_descriptor& option,
                          const boost::json::value& value) {
  return read_texts(to.*Member, option, value);
}

// -- keys with a shape of their own -------------------------------------------

/// Reads `cd`: a string or null.
caf::error read_cd(server_options& to, const option_descriptor& option,
                   const boost::json::value& value);

/// Reads `protocol_version`: a known version; null or `latest` for the default.
caf::error read_protocol_version(server_options& to,
                                 const option_descriptor& option,
                                 const boost::json::value& value);

/// Returns the versions that `protocol_version` may be.
std::string versions_in_quotes();

/// Reads `env`. Its error never shows a value, which may be secret.
caf::error read_env(server_options& to, const option_descriptor& option,
                    const boost::json::value& value);

/// Reads `inherit_env`: a policy or a list of names.
caf::error read_inherit_env(server_options& to, const option_descriptor& option,
                            const boost::json::value& value);

/// Reads `stderr`: a word or `{"file": PATH}`.
caf::error read_stderr(server_options& to, const option_descriptor& option,
                       const boost::json::value& value);

/// Reads `client_info`: `Implementation` in the schema.
caf::error read_client_info(server_options& to, const option_descriptor& option,
                            const boost::json::value& value);

/// Returns `this_library()` as JSON.
std::string default_client_info();

} // namespace caf_mcp
